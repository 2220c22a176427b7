#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define RESULTS 17
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint64_t a[]; };
layout(std430, binding = 1) readonly buffer B { uint64_t b[]; };
layout(std430, binding = 2) writeonly buffer R { uint64_t r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = a[i], y = b[i];
    int64_t s = int64_t(x), t = int64_t(y);
    uint n = uint(y) & 63;
    uint64_t results[RESULTS] = uint64_t[RESULTS](
        x + y, x - y, x * y, x / y, x % y, uint64_t(s / t), x << n, x >> n, uint64_t(s >> n), x & y, x ^ ~y,
        min(x, y), uint64_t(max(s, t)), uint64_t(abs(s)), x < y ? 1ul : 0ul, uint64_t(-s), uint64_t(int64_t(int(uint(x)))));
    for (uint k = 0; k < RESULTS; k++)
        r[k * gl_NumWorkGroups.x * 64 + i] = results[k];
}
