#version 450
// SPDX-License-Identifier: MIT
// What samplers make of coordinates; the level is told.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Results { vec4 results[]; };
layout(binding = 1) uniform sampler2D image;
layout(push_constant) uniform Push { float first, step, level, row; };
void main() {
    uint i = gl_LocalInvocationIndex;
    results[i] = textureLod(image, vec2(first + step * i, row), level);
    results[64 + i] = textureGather(image, vec2(first + step * i, row), 0);
}
