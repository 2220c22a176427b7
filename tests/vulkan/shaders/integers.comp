#version 450
// SPDX-License-Identifier: MIT
#define RESULTS 24
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { uint b[]; };
layout(std430, binding = 2) writeonly buffer R { uint r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, x = a[i], y = b[i], high, low, carry, borrow;
    int s = int(x), t = int(y), shigh, slow;
    int offset = int(y & 31), bits = int(y >> 8 & 31) % (33 - offset);
    umulExtended(x, y, high, low);
    imulExtended(s, t, shigh, slow);
    uint sum = uaddCarry(x, y, carry), difference = usubBorrow(x, y, borrow);
    uint results[RESULTS] = uint[RESULTS](
        high, low, uint(shigh), sum, carry, difference, borrow, bitfieldExtract(x, offset, bits),
        uint(bitfieldExtract(s, offset, bits)), bitfieldInsert(x, y, offset, bits), bitfieldReverse(x), uint(bitCount(x)),
        uint(findLSB(x)), uint(findMSB(x)), uint(findMSB(s)), x / (y | 1), x % (y | 1), uint(s / (t | 1)),
        uint(s >> (y & 31)), x >> (y & 31), uint(min(s, t)), uint(clamp(s, -1000, 1000)), uint(sign(s)), uint(abs(s)));
    for (uint k = 0; k < RESULTS; k++)
        r[k * gl_NumWorkGroups.x * 64 + i] = results[k];
}
