#version 450
#extension GL_EXT_nonuniform_qualifier : require
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 0) uniform sampler2D from[8];
layout(set = 0, binding = 1) uniform Block {
    vec4 values;
} blocks[4];
layout(location = 0) out vec4 shown;
void main() {
    int which = int(gl_FragCoord.x) & 7;
    shown = vec4(textureLod(from[nonuniformEXT(which)], vec2(0.5), 0).x, blocks[nonuniformEXT(which & 3)].values.xyz);
}
