#version 450
// SPDX-License-Identifier: MIT
// What is exact: rounding, packing, conversions, comparisons.
#define RESULTS 24
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer R { uint r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = a[i], y = b[i];
    int exponent;
    float mantissa = frexp(x, exponent);
    uint results[RESULTS] = uint[RESULTS](
        floatBitsToUint(x + y), floatBitsToUint(x - y), floatBitsToUint(x * y), floatBitsToUint(floor(x)),
        floatBitsToUint(ceil(x)), floatBitsToUint(trunc(x)), floatBitsToUint(roundEven(x)), floatBitsToUint(abs(x)),
        floatBitsToUint(min(x, y)), floatBitsToUint(max(x, y)), floatBitsToUint(clamp(x, -1.0, 1.0)), uint(int(x)),
        uint(abs(x)), floatBitsToUint(float(int(i) - 100)), floatBitsToUint(float(i * 3000000000u)), packHalf2x16(vec2(int(i) - 100, i * 0.25)),
        floatBitsToUint(unpackHalf2x16(i * 0x01230111 & 0xfbfffbff).x), packUnorm4x8(vec4(x, y, 0.5, 2)), packSnorm2x16(vec2(x, -2)),
        floatBitsToUint(mantissa), uint(exponent), floatBitsToUint(ldexp(y, int(i % 9) - 4)), x < y ? 1 : 0,
        floatBitsToUint(sign(x)));
    for (uint k = 0; k < RESULTS; k++)
        r[k * gl_NumWorkGroups.x * 64 + i] = results[k];
}
