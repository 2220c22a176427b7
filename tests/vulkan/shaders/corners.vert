#version 450
// SPDX-License-Identifier: MIT
// Vertices of a buffer: where, the size of a point, a number with each kind of interpolation.
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 number;
layout(location = 0) out float smoothly;
layout(location = 1) noperspective out float linearly;
layout(location = 2) flat out float flatly;
void main() {
    gl_Position = place;
    gl_PointSize = number.y;
    smoothly = linearly = flatly = number.x;
}
