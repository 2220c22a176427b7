#version 450
// SPDX-License-Identifier: MIT
// What any lane has.
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
uint slot = 0, i = gl_LocalInvocationIndex;
void put(uint word) {
    results[slot++ * 64 + i] = word;
}
void put_all(uint v) {
    put(subgroupShuffle(v, (gl_SubgroupInvocationID * 5 + 1) % gl_SubgroupSize));
    put(subgroupShuffle(v, 7));
    put(subgroupShuffleXor(v, 1));
    put(subgroupShuffleXor(v, 6));
}
void main() {
    put_all(values[i]);
    // Not all take part.
    if (i % 3 != 0)
        put_all(values[64 + i]);
}
