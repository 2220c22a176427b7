#version 450
// SPDX-License-Identifier: MIT
#define RESULTS 12
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { double a[]; };
layout(std430, binding = 1) readonly buffer B { double b[]; };
layout(std430, binding = 2) writeonly buffer R { double r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    double x = a[i], y = b[i];
    double results[RESULTS] = double[RESULTS](x + y, x - y, x * y, fma(x, y, -1.0LF), min(x, y), max(x, y), abs(x), floor(x),
                                              double(uint(abs(y))), double(int(x)), x / y, sqrt(double(i) + 0.5LF));
    for (uint k = 0; k < RESULTS; k++)
        r[k * gl_NumWorkGroups.x * 64 + i] = results[k];
}
