#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Words { uint words[]; };
shared uint inside[1024] = {};
void main() {
    for (uint i = gl_LocalInvocationIndex; i < 1024; i += 64) {
        words[gl_WorkGroupID.x * 1024 + i] = inside[i];
        inside[i] = 0x55555555;
    }
}
