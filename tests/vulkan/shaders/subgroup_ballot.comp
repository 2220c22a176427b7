#version 450
// SPDX-License-Identifier: MIT
// Masks of lanes, and what one lane has.
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
uint slot = 0, i = gl_LocalInvocationIndex;
void put(uint word) {
    results[slot++ * 64 + i] = word;
}
void put_all(uint v) {
    uvec4 odd = subgroupBallot((v & 1) != 0);
    put(odd.x);
    put(odd.y | odd.z | odd.w);
    put(subgroupInverseBallot(odd) ? 1 : 0);
    put(subgroupBallotBitExtract(odd, v % gl_SubgroupSize) ? 1 : 0);
    put(subgroupBallotBitCount(odd));
    put(subgroupBallotInclusiveBitCount(odd));
    put(subgroupBallotExclusiveBitCount(odd));
    put(subgroupBallotFindLSB(odd));
    put(subgroupBallotFindMSB(odd));
    put(subgroupBroadcast(v, 5));
    put(subgroupBroadcastFirst(v));
    put(gl_SubgroupEqMask.x);
    put(gl_SubgroupGeMask.x);
    put(gl_SubgroupGtMask.x);
    put(gl_SubgroupLeMask.x);
    put(gl_SubgroupLtMask.x);
    put(gl_SubgroupInvocationID);
    put(gl_SubgroupID);
}
void main() {
    put_all(values[i]);
    // Not all take part.
    if (i % 3 != 0)
        put_all(values[64 + i]);
}
