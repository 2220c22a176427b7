#version 450
// SPDX-License-Identifier: MIT
// Reductions and scans.
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
uint slot = 0, i = gl_LocalInvocationIndex;
void put(uint word) {
    results[slot++ * 64 + i] = word;
}
void put_all(uint v) {
    int s = int(v);
    float f = float(v % 8);
    put(subgroupAdd(v));
    put(subgroupMul(v | 1));
    put(subgroupMin(v));
    put(subgroupMax(v));
    put(uint(subgroupMin(s)));
    put(uint(subgroupMax(s)));
    put(subgroupAnd(v | 0xff));
    put(subgroupOr(v));
    put(subgroupXor(v));
    put(uint(subgroupAdd(f)));
    put(uint(subgroupMin(f)));
    put(uint(subgroupMax(f)));
    put(subgroupInclusiveAdd(v));
    put(subgroupInclusiveMul(v | 1));
    put(subgroupInclusiveMin(v));
    put(subgroupInclusiveMax(v));
    put(subgroupInclusiveXor(v));
    put(uint(subgroupInclusiveAdd(f)));
    put(subgroupExclusiveAdd(v));
    put(subgroupExclusiveMul(v | 1));
    put(subgroupExclusiveMin(v));
    put(subgroupExclusiveMax(v));
    put(subgroupExclusiveXor(v));
    put(uint(subgroupExclusiveAdd(f)));
}
void main() {
    put_all(values[i]);
    // Not all take part.
    if (i % 3 != 0)
        put_all(values[64 + i]);
}
