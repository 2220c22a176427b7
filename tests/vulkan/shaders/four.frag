#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec4 c;
layout(location = 3) out vec4 d;
layout(push_constant) uniform Push {
    vec4 box, color;
};
void main() {
    a = color;
    b = color * 0.5;
    c = color.wzyx;
    d = 1 - color;
}
