#version 450
// SPDX-License-Identifier: MIT
// Two sources of blending: the colour, and the same turned by one component.
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;
layout(push_constant) uniform Push {
    vec4 box, color;
};
void main() {
    first = color;
    second = color.yzwx;
}
