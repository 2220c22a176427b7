#version 450
// SPDX-License-Identifier: MIT
// Texels go from one image to another, by way of what the format has: a colour turned around.
layout(local_size_x = 64) in;
layout(FORMAT, binding = 0) readonly uniform IMAGE from;
layout(FORMAT, binding = 1) writeonly uniform IMAGE to;
layout(push_constant) uniform Push { uint width, count; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 at = ivec2(i % width, i / width);
    if (i < count)
        imageStore(to, ivec2(width - 1 - at.x, at.y), imageLoad(from, at));
}
