#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 shown;
void main() {
    vec2 at = gl_FragCoord.xy;
    shown = vec4(dFdx(at.x * 3), dFdyFine(at.y * 5), fwidthCoarse(at.x * 2 + at.y), dFdxFine(at.y * 7));
}
