#version 450
// SPDX-License-Identifier: MIT
// Four samples of each pixel, side by side.
layout(set = 0, binding = 0) uniform sampler2DMS from;
layout(location = 0) out vec4 shown;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    shown = texelFetch(from, ivec2(at.x / 4, at.y), at.x % 4);
}
