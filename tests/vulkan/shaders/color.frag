#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 shown;
layout(push_constant) uniform Push {
    vec4 box, color;
};
void main() {
    shown = color;
}
