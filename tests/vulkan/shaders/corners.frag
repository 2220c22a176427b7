#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in float smoothly;
layout(location = 1) noperspective in float linearly;
layout(location = 2) flat in float flatly;
layout(location = 0) out vec4 shown;
void main() {
    shown = vec4(smoothly, linearly, flatly, gl_FrontFacing ? 1 : 2);
}
