#version 450
// SPDX-License-Identifier: MIT
// A point for each vertex: its pixel is x = the vertex, y = the instance and the draw; what it shows are the numbers.
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) in uint of_vertex;
layout(location = 1) in uint of_instance;
layout(location = 0) flat out uvec4 told;
layout(push_constant) uniform Push {
    uint width, height;
};
void main() {
    uvec2 at = uvec2(gl_VertexIndex, gl_InstanceIndex + gl_DrawIDARB * 4);
    gl_Position = vec4((2 * vec2(at) + 1) / vec2(width, height) - 1, 0, 1);
    gl_PointSize = 1;
    told = uvec4(of_vertex, of_instance, gl_BaseVertexARB | gl_BaseInstanceARB << 16, gl_DrawIDARB + 1);
}
