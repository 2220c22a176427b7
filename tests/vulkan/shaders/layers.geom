#version 450
// SPDX-License-Identifier: MIT
// A point becomes a rectangle in each of four layers and viewports, each by an invocation of its own.
layout(points, invocations = 4) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) out float shown;
void main() {
    for (int i = 0; i < 4; i++) {
        gl_Position = vec4(2 * (i & 1) - 1, 2 * (i >> 1) - 1, 0.5, 1);
        gl_Layer = gl_InvocationID;
        gl_ViewportIndex = 3 - gl_InvocationID;
        gl_PrimitiveID = gl_PrimitiveIDIn;
        shown = float(gl_InvocationID + 1 + 10 * gl_PrimitiveIDIn);
        EmitVertex();
    }
    EndPrimitive();
}
