#version 450
// SPDX-License-Identifier: MIT
// MEMORY: as in atomics.comp. All add 0.5; each exchanges a cell of its own.
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Cells { float cells[]; }; // [0]: the sum; [1]: exchanged; [2 + i]: each has one
layout(std430, binding = 1) buffer Given { float given[]; };
uint i = gl_GlobalInvocationID.x;
#if MEMORY == 0
#define ADD(k, value) atomicAdd(cells[k], value)
#define EXCHANGE(k, value) atomicExchange(cells[k], value)
#elif MEMORY == 1
shared float inside[2 + 128];
#define ADD(k, value) atomicAdd(inside[k], value)
#define EXCHANGE(k, value) atomicExchange(inside[(k) - gl_WorkGroupID.x * 128], value)
#else
layout(r32f, binding = 3) uniform image2D cells_image;
#define ADD(k, value) imageAtomicAdd(cells_image, ivec2(k, 0), value)
#define EXCHANGE(k, value) imageAtomicExchange(cells_image, ivec2(k, 0), value)
#endif
void main() {
#if MEMORY == 1
    inside[2 + gl_LocalInvocationID.x] = cells[2 + i];
    if (gl_LocalInvocationID.x < 2)
        inside[gl_LocalInvocationID.x] = 0;
    barrier();
#endif
    ADD(0, 0.5);
    given[i] = EXCHANGE(2 + i, float(i) * -1.5);
#if MEMORY == 1
    barrier();
    cells[2 + i] = inside[2 + gl_LocalInvocationID.x];
    if (gl_LocalInvocationID.x == 0)
        cells[gl_WorkGroupID.x == 0 ? 0 : 1] = inside[0];
#elif MEMORY == 2
    cells[2 + i] = imageLoad(cells_image, ivec2(2 + i, 0)).x;
#endif
}
