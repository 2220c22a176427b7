#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const uint factor = 3;
layout(constant_id = 3) const int negative = -1;
layout(constant_id = 4) const float scale = 2;
layout(constant_id = 5) const bool flag = false;
layout(constant_id = 6) const uint length = 4;
layout(constant_id = 7) const uint untouched = 77;
layout(std430, binding = 0) writeonly buffer Words { uint words[]; };
shared uint table[length];
void main() {
    uint i = gl_LocalInvocationIndex;
    if (i < length)
        table[i] = i * factor;
    barrier();
    words[i] = table[i % length] + uint(negative) + uint(scale * 4) + (flag ? 1000 : 0) + gl_WorkGroupSize.x * 100000 +
               gl_WorkGroupSize.y * 1000000 + untouched * 10000;
}
