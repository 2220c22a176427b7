#version 450
// SPDX-License-Identifier: MIT
// Each invocation takes another descriptor of an array: buffers, textures, texel buffers.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Results { uint results[]; };
layout(std430, binding = 1) readonly buffer Buffers { uint words[]; } buffers[16];
layout(binding = 2) uniform usampler2D textures[16];
layout(binding = 3) uniform usamplerBuffer texels[16];
layout(binding = 4) uniform Constants { uint word; } constants[8];
void main() {
    uint i = gl_LocalInvocationIndex, at = (i * 7 + 3) % 16;
    results[i] = buffers[nonuniformEXT(at)].words[i % 4];
    results[64 + i] = texelFetch(textures[nonuniformEXT(at)], ivec2(i % 2, 0), 0).x;
    results[128 + i] = texelFetch(texels[nonuniformEXT(at)], int(i % 4)).x;
    results[192 + i] = constants[nonuniformEXT(i % 8)].word;
}
