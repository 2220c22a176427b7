#version 450
// SPDX-License-Identifier: MIT
// What the lane has that is so far away.
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
uint slot = 0, i = gl_LocalInvocationIndex;
void put(uint word) {
    results[slot++ * 64 + i] = word;
}
void put_all(uint v) {
    put(subgroupShuffleUp(v, 1));
    put(subgroupShuffleUp(v, 3));
    put(subgroupShuffleDown(v, 1));
    put(subgroupShuffleDown(v, 5));
}
void main() {
    put_all(values[i]);
    // Not all take part.
    if (i % 3 != 0)
        put_all(values[64 + i]);
}
