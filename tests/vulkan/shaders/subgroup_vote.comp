#version 450
// SPDX-License-Identifier: MIT
// What all say.
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
uint slot = 0, i = gl_LocalInvocationIndex;
void put(uint word) {
    results[slot++ * 64 + i] = word;
}
void put_all(uint v) {
    put(subgroupAll(v != 0) ? 1 : 0);
    put(subgroupAny(v % 16 == 3) ? 1 : 0);
    put(subgroupAllEqual(v) ? 1 : 0);
    put(subgroupAllEqual(v >= 0) ? 1 : 0);
    put(subgroupElect() ? 1 : 0);
}
void main() {
    put_all(values[i]);
    // Not all take part.
    if (i % 3 != 0)
        put_all(values[64 + i]);
}
