#version 450
// SPDX-License-Identifier: MIT
// Reads a texture; where each pixel looks is a word of four numbers, LOOK says how.
layout(set = 0, binding = 0) uniform SAMPLER from;
layout(set = 0, binding = 1) readonly buffer Places {
    vec4 places[];
};
layout(location = 0) out vec4 shown;
void main() {
    vec4 at = places[int(gl_FragCoord.x) + 64 * int(gl_FragCoord.y)];
    shown = vec4(LOOK);
}
