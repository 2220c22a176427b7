#version 450
// SPDX-License-Identifier: MIT
// Texels as the four words of what a fetch gives. TEXTURE: usampler2D, sampler2D, ...; VECTOR: what it has
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Results { uvec4 results[]; };
layout(binding = 1) uniform TEXTURE image;
layout(push_constant) uniform Push { uint width, count; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
#if BUFFER
    VECTOR texel = texelFetch(image, int(i));
#else
    VECTOR texel = texelFetch(image, ivec2(i % width, i / width), 0);
#endif
    results[i] = BITS(texel);
}
