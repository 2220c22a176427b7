#version 450
// SPDX-License-Identifier: MIT
// The group that comes last adds what the others have left: all that they wrote is seen by it.
layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent buffer Sums {
    uint arrived, total;
    uint sums[];
};
layout(r32ui, binding = 1) coherent uniform uimage2D marks;
shared uint sum;
shared bool is_last;
void main() {
    if (gl_LocalInvocationIndex == 0)
        sum = 0;
    barrier();
    atomicAdd(sum, gl_GlobalInvocationID.x * 3 + 1);
    barrier();
    if (gl_LocalInvocationIndex == 0) {
        sums[gl_WorkGroupID.x] = sum;
        imageStore(marks, ivec2(gl_WorkGroupID.x, 0), uvec4(sum ^ 0xffff));
        memoryBarrier();
        is_last = atomicAdd(arrived, 1) == gl_NumWorkGroups.x - 1;
    }
    barrier();
    if (!is_last)
        return;
    memoryBarrier();
    for (uint i = gl_LocalInvocationIndex; i < gl_NumWorkGroups.x; i += 64)
        atomicAdd(total, sums[i] + (imageLoad(marks, ivec2(i, 0)).x ^ 0xffff));
}
