#version 450
// SPDX-License-Identifier: MIT
// The frame; what is left of it is where both distances are not negative.
out gl_PerVertex {
    vec4 gl_Position;
    float gl_ClipDistance[2];
};
layout(location = 0) out float shown;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
    gl_Position = vec4(2 * at - 1, 0.5, 1);
    gl_ClipDistance[0] = at.x - 0.25;
    gl_ClipDistance[1] = 0.75 - at.y;
    shown = 1;
}
