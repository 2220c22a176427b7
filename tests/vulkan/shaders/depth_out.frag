#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 shown;
void main() {
    gl_FragDepth = gl_FragCoord.x / 32;
    shown = vec4(1);
}
