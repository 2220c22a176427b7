#version 450
// SPDX-License-Identifier: MIT
// Bytes and halves in storage, uniform and push constants, and arithmetic on them.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Bytes { uint8_t bytes[]; };
layout(std430, binding = 1) readonly buffer Signed { int8_t signed_bytes[]; };
layout(std430, binding = 2) readonly buffer Halves { uint16_t halves[]; };
layout(std430, binding = 3) writeonly buffer Bytes2 { uint8_t bytes_out[]; };
layout(std430, binding = 4) writeonly buffer Halves2 { int16_t halves_out[]; };
layout(std430, binding = 5) writeonly buffer Words { uint words[]; };
layout(push_constant) uniform Push {
    uint16_t added;
    int8_t factor;
    uint8_t masked;
};
void main() {
    uint i = gl_GlobalInvocationID.x;
    bytes_out[i] = uint8_t(bytes[i] * uint8_t(3) + masked);
    halves_out[i] = int16_t(signed_bytes[i]) * int16_t(factor) + int16_t(added);
    words[i] = uint(halves[i] >> uint16_t(3)) + (uint(uint16_t(halves[i] + added)) << 16);
}
