#version 450
// SPDX-License-Identifier: MIT
layout(vertices = 4) out;
layout(location = 0) patch out float whole;
layout(push_constant) uniform Push {
    float inside, outside;
};
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID ^ 1].gl_Position;
    barrier();
    if (gl_InvocationID == 0) {
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = inside;
        for (int i = 0; i < 4; i++)
            gl_TessLevelOuter[i] = outside;
        whole = gl_out[0].gl_Position.x - gl_out[1].gl_Position.x;
    }
}
