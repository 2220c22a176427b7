#version 450
// SPDX-License-Identifier: MIT
// Corners of the frame, to be drawn with patches, or points.
void main() {
    gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1, 0, 1) * 2 - 1;
    gl_Position.zw = vec2(0.5, 1);
}
