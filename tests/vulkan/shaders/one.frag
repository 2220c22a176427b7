#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in float shown;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(shown, 1, gl_FrontFacing ? 1 : 0, 1);
}
