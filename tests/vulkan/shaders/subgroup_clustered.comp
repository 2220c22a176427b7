#version 450
// SPDX-License-Identifier: MIT
// Reductions of 2, 4 and 8 lanes.
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
uint slot = 0, i = gl_LocalInvocationIndex;
void put(uint word) {
    results[slot++ * 64 + i] = word;
}
void put_all(uint v) {
    put(subgroupClusteredAdd(v, 2));
    put(subgroupClusteredAdd(v, 4));
    put(subgroupClusteredAdd(v, 8));
    put(subgroupClusteredMin(v, 4));
    put(subgroupClusteredMax(v, 8));
    put(subgroupClusteredAnd(v, 2));
    put(subgroupClusteredOr(v, 4));
    put(subgroupClusteredXor(v, 8));
}
void main() {
    put_all(values[i]);
    // Not all take part.
    if (i % 3 != 0)
        put_all(values[64 + i]);
}
