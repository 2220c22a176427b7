#version 450
// SPDX-License-Identifier: MIT
// Each invocation of a grid says where it is.
layout(local_size_x = 4, local_size_y = 2, local_size_z = 2) in;
layout(std430, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uvec3 base; uvec3 groups; };
void main() {
    uvec3 group = gl_WorkGroupID - base;
    uint number = (group.z * groups.y + group.y) * groups.x + group.x;
    uvec3 global = gl_GlobalInvocationID;
    words[number * 16 + gl_LocalInvocationIndex] =
        global.x | global.y << 8 | global.z << 16 | (gl_LocalInvocationID.z * 4 + gl_LocalInvocationID.y) << 24;
    if (number == 0 && gl_LocalInvocationIndex == 0)
        atomicAdd(words[groups.x * groups.y * groups.z * 16], gl_NumWorkGroups.x);
}
