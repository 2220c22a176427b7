#version 450
// SPDX-License-Identifier: MIT
// A rectangle as a strip of four vertices (programs/graphics_canvas.h).
layout(push_constant) uniform Push {
    vec4 box, color;
    float depth;
    uint word;
};
void main() {
    gl_Position = vec4(mix(box.xy, box.zw, vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1)), depth, 1);
}
