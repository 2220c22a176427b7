#version 450
// SPDX-License-Identifier: MIT
// Of a triangle with its neighbours, the numbers of all six, at a pixel for each.
layout(triangles_adjacency) in;
layout(points, max_vertices = 6) out;
layout(location = 0) flat in uvec4 number[];
layout(location = 0) flat out uvec4 told;
void main() {
    for (int i = 0; i < 6; i++) {
        gl_Position = vec4((2.0 * i + 1) / 8 - 1, (2.0 * gl_PrimitiveIDIn + 1) / 8 - 1, 0, 1);
        gl_PointSize = 1;
        told = uvec4(number[i].x, gl_PrimitiveIDIn, 0, 1);
        EmitVertex();
    }
}
