#version 450
// SPDX-License-Identifier: MIT
// A group of 8 by 8 by 4 turns its 256 words around, three times, each time by others that must see it.
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
layout(std430, binding = 0) buffer Words { uint words[]; };
shared uint inside[2][256];
void main() {
    uint me = gl_LocalInvocationIndex, group = gl_WorkGroupID.x * 256;
    inside[0][me] = words[group + me];
    barrier();
    inside[1][(me * 37 + 11) % 256] = inside[0][me] + 1;
    barrier();
    // Half of the invocations have nothing to do here, and wait for the others.
    if (me % 2 == 0) {
        inside[0][me] = inside[1][me + 1];
        inside[0][me + 1] = inside[1][me];
    }
    memoryBarrierShared();
    barrier();
    // By memory of the device, within the group.
    words[group + (255 - me)] = inside[0][me];
    memoryBarrierBuffer();
    barrier();
    uint other = words[group + (me ^ 0x55)];
    barrier();
    words[group + me] = other * 3;
}
