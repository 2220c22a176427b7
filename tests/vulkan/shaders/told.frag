#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat in uvec4 told;
layout(location = 0) out uvec4 shown;
void main() {
    shown = told;
}
