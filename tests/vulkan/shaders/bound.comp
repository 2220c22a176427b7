#version 450
// SPDX-License-Identifier: MIT
// Results are words of storage, and a constant that is bound in some way.
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Results { uint results[]; };
layout(std430, binding = 1) readonly buffer Words { uint words[]; };
layout(std140, binding = 2) uniform Constants { uvec4 constants[4]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    results[i] = words[i] + constants[i / 4][i % 4];
}
