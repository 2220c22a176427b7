#version 450
// SPDX-License-Identifier: MIT
// All invocations do the same operations on the same cells. T, MEMORY, FORMAT, IMAGE: as in atomics.comp; shared memory is
// that of a group. With n invocations:
//   0  adds 1        : n, and each of 0 to n - 1 is given back once (tickets[])
//   1  min n + 5 - i, 2  max i + 3, 3  and ~(1 << i % 24), 4  or, 5  xor of i * i
//   6  exchange i + 1: what is given back and what stays are, as sum, all i + 1 and what was there
//   7  a loop of compare and swap adds i
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_EXT_shader_image_int64 : enable
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Cells { T cells[]; };
layout(std430, binding = 1) buffer Tickets { uint tickets[]; };
layout(std430, binding = 2) buffer Given { uint given; };
uint n, i;
#if MEMORY == 1
shared T inside[8];
#define CELL(k) inside[k]
#elif MEMORY == 0
#define CELL(k) cells[k]
#endif
#if MEMORY == 2
layout(FORMAT, binding = 3) coherent uniform IMAGE cells_image;
#define APPLY(k, name, value) imageAtomic##name(cells_image, ivec2(k, 0), T(value))
#define SWAP(k, expected, value) imageAtomicCompSwap(cells_image, ivec2(k, 0), expected, value)
#define READ(k) imageLoad(cells_image, ivec2(k, 0)).x
#else
#define APPLY(k, name, value) atomic##name(CELL(k), T(value))
#define SWAP(k, expected, value) atomicCompSwap(CELL(k), expected, value)
#define READ(k) CELL(k)
#endif
void main() {
#if MEMORY == 1
    n = 128;
    i = gl_LocalInvocationID.x;
    if (i < 8)
        inside[i] = cells[gl_WorkGroupID.x * 8 + i];
    barrier();
#else
    n = gl_NumWorkGroups.x * 128;
    i = gl_GlobalInvocationID.x;
#endif
    uint ticket = uint(APPLY(0, Add, 1));
    atomicAdd(tickets[ticket + (MEMORY == 1 ? gl_WorkGroupID.x * 128 : 0)], 1);
    APPLY(1, Min, n + 5 - i);
    APPLY(2, Max, i + 3);
    APPLY(3, And, ~(1 << i % 24));
    APPLY(4, Or, 1 << i % 24);
    APPLY(5, Xor, i * i);
    atomicAdd(given, uint(APPLY(6, Exchange, i + 1)));
    T expected = READ(7), was;
    while ((was = SWAP(7, expected, expected + T(i))) != expected)
        expected = was;
#if MEMORY == 1
    barrier();
    if (i < 8)
        cells[gl_WorkGroupID.x * 8 + i] = inside[i];
#endif
}
