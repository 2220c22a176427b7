#version 450
// SPDX-License-Identifier: MIT
layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 0) out vec3 first;
layout(xfb_buffer = 1, xfb_stride = 8, xfb_offset = 4, location = 1) out uint second;
void main() {
    gl_Position = vec4(0, 0, 0.5, 1);
    gl_PointSize = 1;
    first = vec3(gl_VertexIndex, gl_InstanceIndex, 0.5);
    second = gl_VertexIndex * 100 + gl_InstanceIndex;
}
