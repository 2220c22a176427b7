#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out uvec4 shown;
layout(push_constant) uniform Push {
    vec4 box, color;
    float depth;
    uint word;
};
void main() {
    shown = uvec4(word);
}
