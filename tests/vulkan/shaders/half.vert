#version 450
// SPDX-License-Identifier: MIT
// The lower left half of the frame, without vertex buffers.
void main() {
    gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0.5, 1);
    gl_Position.xy = gl_Position.xy * 0.5 - 0.5;
}
