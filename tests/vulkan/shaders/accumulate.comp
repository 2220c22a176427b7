#version 450
// SPDX-License-Identifier: MIT
// words[i] = words[i] * factor + i: what comes out says in which order dispatches were done.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint factor; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    words[i] = words[i] * factor + i;
}
