#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 shown;
void main() {
    shown = vec4(gl_PointCoord, gl_FragCoord.xy);
}
