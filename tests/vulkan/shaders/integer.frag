#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out ivec4 shown;
layout(push_constant) uniform Push {
    vec4 box, color;
};
void main() {
    shown = ivec4(color);
}
