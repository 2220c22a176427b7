#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat out uvec4 number;
void main() {
    gl_Position = vec4(0, 0, 0, 1);
    number = uvec4(gl_VertexIndex + 10);
}
