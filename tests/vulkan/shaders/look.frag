#version 450
// SPDX-License-Identifier: MIT
// Reads a texture; where each pixel looks is a word of four numbers, LOOK says how.
layout(set = 0, binding = 0) uniform SAMPLER from;
layout(set = 0, binding = 1) readonly buffer Places {
    vec4 places[];
};
#ifndef SHOWN
#define SHOWN vec4
#endif
layout(location = 0) out SHOWN shown;
void main() {
    vec4 at = places[int(gl_FragCoord.x) + 64 * int(gl_FragCoord.y)];
    shown = SHOWN(LOOK);
}
