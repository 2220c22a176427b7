#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 shown;
layout(push_constant) uniform Push {
    vec4 box, color;
    float depth;
    uint word;
};
void main() {
    gl_SampleMask[0] = int(word);
    shown = vec4(color.rgb, gl_SampleMaskIn[0]);
}
