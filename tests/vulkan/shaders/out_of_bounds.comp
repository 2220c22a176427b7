#version 450
// SPDX-License-Identifier: MIT
// Accesses behind the end of what is bound, which has 16 words.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Small { uint small[]; };
layout(std140, binding = 1) uniform Constants { uvec4 constants[64]; };
layout(std430, binding = 2) writeonly buffer Results { uint results[]; };
layout(binding = 3) uniform usamplerBuffer texels;
layout(push_constant) uniform Push { uint far; };
void main() {
    uint i = gl_LocalInvocationIndex, at = i < 32 ? i : i * far;
    results[i] = small[at];
    results[64 + i] = constants[min(i, 63)].x;
    results[128 + i] = texelFetch(texels, int(at)).x;
    if (i >= 16)
        small[at] = 0xbad;
    if (i >= 48)
        atomicAdd(small[at], 5);
}
