#version 450
// SPDX-License-Identifier: MIT
// Half floats in storage, and arithmetic whose results are exact.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { float16_t a[]; };
layout(std430, binding = 1) writeonly buffer B { float16_t b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
#if ARITHMETIC
    b[i] = a[i] * float16_t(0.5) + float16_t(1);
#else
    b[i] = float16_t(float(a[i]) * 0.5 + 1);
#endif
    c[i] = float(a[i]);
}
