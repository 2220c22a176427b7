#version 450
#extension GL_EXT_multiview : require
// SPDX-License-Identifier: MIT
// The frame, and in each view another number.
layout(location = 0) out float shown;
void main() {
    gl_Position = vec4(2 * (gl_VertexIndex & 1) - 1, 2 * (gl_VertexIndex >> 1 & 1) - 1, 0.5, 1);
    shown = float(gl_ViewIndex * 2 + 1);
}
