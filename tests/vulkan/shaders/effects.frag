#version 450
// SPDX-License-Identifier: MIT
// A counter and an image that fragments write. Every other column is discarded after that.
#ifdef EARLY
layout(early_fragment_tests) in;
#endif
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
layout(set = 0, binding = 1) buffer Counters {
    uint counters[];
};
layout(location = 0) out vec4 shown;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    imageAtomicAdd(image, at, 5);
    imageStore(image, at + ivec2(0, 8), uvec4(at.x + at.y * 100));
    atomicAdd(counters[at.y & 1], 1);
    if ((at.x & 1) != 0)
        discard;
    shown = vec4(1);
}
