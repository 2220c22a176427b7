#version 450
// SPDX-License-Identifier: MIT
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 shown;
void main() {
    shown = subpassLoad(before).wxyz * 2;
}
