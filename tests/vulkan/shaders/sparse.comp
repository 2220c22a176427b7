#version 450
// SPDX-License-Identifier: MIT
// For each texel: what it has after a store and an addition, and what the addition gave back.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Results { uint results[]; };
layout(r32ui, binding = 1) coherent uniform uimage2D image;
layout(push_constant) uniform Push { uint width, count; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 at = ivec2(i % width, i / width);
    if (i >= count)
        return;
    imageStore(image, at, uvec4(3 * i + 1));
    memoryBarrierImage();
    results[count + i] = imageAtomicAdd(image, at, 5);
    memoryBarrierImage();
    results[i] = imageLoad(image, at).x;
}
