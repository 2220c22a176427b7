#version 450
// SPDX-License-Identifier: MIT
layout(quads, SPACING, ccw) in;
layout(location = 0) patch in float whole;
layout(location = 0) out float shown;
void main() {
    vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    vec4 high = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    gl_Position = mix(low, high, gl_TessCoord.y);
    shown = whole;
}
