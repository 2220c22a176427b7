#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push {
    vec4 pushed;
};
void main() {
    color = pushed;
}
