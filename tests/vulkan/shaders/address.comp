#version 450
// SPDX-License-Identifier: MIT
// A list whose nodes name each other by their addresses, and an array of addresses.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node {
    Node next;
    uint value;
    uint sum;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint word; };
layout(push_constant) uniform Push {
    Node first;
    Word results;
    uint count;
};
void main() {
    uint i = gl_LocalInvocationIndex, sum = 0;
    Node node = first;
    for (uint n = 0; n < count; n++) {
        sum += node.value * (i + 1);
        if (n % 32 == i)
            node.sum = sum;
        node = node.next;
    }
    results[i].word = sum;
    Word later = results + 32;
    atomicAdd(later[i % 4].word, sum);
}
