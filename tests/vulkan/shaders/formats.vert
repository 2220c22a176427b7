#version 450
// SPDX-License-Identifier: MIT
// Attributes of some type, told as words: each vertex is a pixel.
layout(location = 0) in GIVEN given;
layout(location = 0) flat out uvec4 told;
layout(push_constant) uniform Push {
    uint width;
};
void main() {
    gl_Position = vec4((2.0 * gl_VertexIndex + 1) / width - 1, 0, 0, 1);
    gl_PointSize = 1;
    told = AS_WORDS(given);
}
