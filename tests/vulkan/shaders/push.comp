#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint base, factor;
    uint table[30];
};
layout(std430, binding = 0) buffer Words {
    uint words[];
};
void main() {
    uint i = gl_GlobalInvocationID.x;
    words[i] = base + factor * i + table[i % 30];
}
