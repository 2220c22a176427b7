#version 450
// SPDX-License-Identifier: MIT
// Each invocation has a cell of its own for each operation, and keeps what the operation gives back.
// T: the type; MEMORY: 0 a buffer, 1 shared, 2 an image of FORMAT, named IMAGE
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_EXT_shader_image_int64 : enable
#define OPERATIONS 8
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Cells { T cells[]; };
layout(std430, binding = 1) readonly buffer Operands { T operands[]; };
layout(std430, binding = 2) writeonly buffer Olds { T olds[]; };
#if MEMORY == 0
#define APPLY(k, name) olds[at(k)] = atomic##name(cells[at(k)], operands[i])
#define SWAP(k) olds[at(k)] = atomicCompSwap(cells[at(k)], operands[i], T(0x1234567))
#elif MEMORY == 1
shared T inside[OPERATIONS * 64];
#define MINE(k) inside[(k) * 64 + gl_LocalInvocationID.x]
#define APPLY(k, name) olds[at(k)] = atomic##name(MINE(k), operands[i])
#define SWAP(k) olds[at(k)] = atomicCompSwap(MINE(k), operands[i], T(0x1234567))
#else
layout(FORMAT, binding = 3) uniform IMAGE cells_image;
#define PLACE(k) ivec2(i, k)
#define APPLY(k, name) olds[at(k)] = imageAtomic##name(cells_image, PLACE(k), operands[i])
#define SWAP(k) olds[at(k)] = imageAtomicCompSwap(cells_image, PLACE(k), operands[i], T(0x1234567))
#endif
uint i = gl_GlobalInvocationID.x;
uint at(uint k) {
    return k * gl_NumWorkGroups.x * 64 + i;
}
void main() {
#if MEMORY == 1
    for (uint k = 0; k < OPERATIONS; k++)
        MINE(k) = cells[at(k)];
    barrier();
#endif
    APPLY(0, Add);
    APPLY(1, Min);
    APPLY(2, Max);
    APPLY(3, And);
    APPLY(4, Or);
    APPLY(5, Xor);
    APPLY(6, Exchange);
    SWAP(7);
#if MEMORY == 1
    barrier();
    for (uint k = 0; k < OPERATIONS; k++)
        cells[at(k)] = MINE(k);
#elif MEMORY == 2
    for (uint k = 0; k < OPERATIONS; k++)
        cells[at(k)] = imageLoad(cells_image, PLACE(k)).x;
#endif
}
