#version 450
// SPDX-License-Identifier: MIT
// Points that what was captured says: where, and which number.
layout(location = 0) in vec3 first;
layout(location = 0) out float shown;
void main() {
    gl_Position = vec4((2 * first.xy + 1) / 16 - 1, 0.5, 1);
    gl_PointSize = 1;
    shown = first.z + first.x;
}
