/* SPDX-License-Identifier: MIT */
/*
 * The four programs of patches.c in Maxwell's instruction set, as Mesa compiles them from the GLSL before each. A word
 * before each three instructions says how to schedule them.
 */
#ifndef SAMPLES_TEGRA_PATCHES_PROGRAMS_H
#define SAMPLES_TEGRA_PATCHES_PROGRAMS_H

#include <stdint.h>

/*
 *   in vec3 corner;
 *   out vec3 at;
 *   void main() { at = corner; gl_Position = vec4(0.0); }
 */
static const uint64_t vertex_code[] = {
    0x001f8400fc2007e1, /* schedule */
    0x010000000007f000, /* MOV32I R0, 0x0 */
    0x010000000007f001, /* MOV32I R1, 0x0 */
    0x010000000007f002, /* MOV32I R2, 0x0 */
    0x003c04001c4007e6, /* schedule */
    0x010000000007f003, /* MOV32I R3, 0x0 */
    0xeff1ff800707ff00, /* AST.128 a[0x70], R0 */
    0xefd8ff800807ff00, /* ALD.64 R0, a[0x80] */
    0x004788011c20072e, /* schedule */
    0xefd87f800887ff02, /* ALD R2, a[0x88] */
    0xeff0ff800807ff00, /* AST.64 a[0x80], R0 */
    0xeff07f800887ff02, /* AST a[0x88], R2 */
    0x000000000001ffef, /* schedule */
    0xe30000000007000f, /* EXIT */
};

/*
 * For each of the four corners. ISBERD says where the attributes of a corner are, by its number.
 *
 *   layout(vertices = 4) out;
 *   in vec3 at[];
 *   out vec3 to[];
 *   void main() {
 *       to[gl_InvocationID] = at[gl_InvocationID];
 *       if (gl_InvocationID == 0) {
 *           float level = at[0].z;
 *           gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = level;
 *           gl_TessLevelInner[0] = gl_TessLevelInner[1] = level;
 *       }
 *   }
 */
static const uint64_t control_code[] = {
    0x005f8400e5e00701, /* schedule */
    0xf0c8000001170002, /* S2R R2, INVOCATION_ID */
    0xf0c8000001d70000, /* S2R R0, INVOCATION_INFO */
    0x36c07f8444270001, /* PRMT R1, R0, 0x4442, RZ */
    0x081f98c1fc2007ef, /* schedule */
    0x36c07f8444070000, /* PRMT R0, R0, 0x4440, RZ */
    0x5b00010000070103, /* XMAD.U16.U16 R3, R1, R0, R2 */
    0x5b007fa800070100, /* XMAD.U16.U16 R0, R1, R0, RZ */
    0x00240800e1e007e6, /* schedule */
    0x5b30019800070100, /* XMAD.U16.U16 R0, R1, R0, R3 */
    0xefd0000000070003, /* ISBERD R3, [R0] */
    0xefd881800807ff00, /* ALD.64 R0, a[0x80], R3 */
    0x004784011c40172d, /* schedule */
    0xefd801800887ff03, /* ALD R3, a[0x88], R3 */
    0xeff0ff800807ff00, /* AST.64 a[0x80], R0 */
    0xeff07f800887ff03, /* AST a[0x88], R3 */
    0x001fb400fda007ed, /* schedule */
    0xe29000000b000000, /* @P0 SSY the last EXIT */
    0x5b6503800ff70207, /* ISETP.EQ.AND P0, PT, R2, RZ, PT */
    0xf0f800000008000f, /* @!P0 SYNC */
    0x001fbc01fc21ff0f, /* schedule */
    0xf0c8000001d70000, /* S2R R0, INVOCATION_INFO */
    0x36c07f8444270001, /* PRMT R1, R0, 0x4442, RZ */
    0x36c07f8444070000, /* PRMT R0, R0, 0x4440, RZ */
    0x001f9840fcc607e1, /* schedule */
    0x5b007f8000070102, /* XMAD.U16.U16 R2, R1, R0, RZ */
    0x5b007fa800070100, /* XMAD.U16.U16 R0, R1, R0, RZ */
    0x5b30011800070100, /* XMAD.U16.U16 R0, R1, R0, R2 */
    0x00238401e1e0070f, /* schedule */
    0xefd0000000070000, /* ISBERD R0, [R0] */
    0xefd800000887ff00, /* ALD R0, a[0x88], R0 */
    0xeff07f808007ff00, /* AST.P a[0x0], R0 */
    0x000f84005c2001e1, /* schedule */
    0xeff07f808047ff00, /* AST.P a[0x4], R0 */
    0xeff07f808087ff00, /* AST.P a[0x8], R0 */
    0xeff07f8080c7ff00, /* AST.P a[0xc], R0 */
    0x001fb400bc2004e1, /* schedule */
    0xeff07f808107ff00, /* AST.P a[0x10], R0 */
    0xeff07f808147ff00, /* AST.P a[0x14], R0 */
    0xf0f800000007000f, /* SYNC */
    0x000000000001ffef, /* schedule */
    0xe30000000007000f, /* EXIT */
};

/*
 * For each vertex that the tessellator makes. A square becomes a disc; the colour is of the facet.
 *
 *   layout(quads, equal_spacing, ccw) in;
 *   in vec3 to[];
 *   flat out vec4 facet;
 *   void main() {
 *       vec2 low = mix(to[0].xy, to[1].xy, gl_TessCoord.x), high = mix(to[2].xy, to[3].xy, gl_TessCoord.x);
 *       vec2 p = mix(low, high, gl_TessCoord.y);
 *       vec2 squares = p * p;
 *       gl_Position = vec4(p * sqrt(1.0 - 0.5 * squares.yx), 0.0, 1.0);
 *       facet = vec4(gl_TessCoord.xy, to[0].z / 16.0, 1.0);
 *   }
 */
static const uint64_t evaluation_code[] = {
    0x005cbc012040070f, /* schedule */
    0xf0c8000000070002, /* S2R R2, LANEID */
    0xefd881012f07ff00, /* ALD.64.O R0, a[0x2f0], R2 */
    0xf0c8000001d70002, /* S2R R2, INVOCATION_INFO */
    0x181f8400fde017e1, /* schedule */
    0x36c07f8444270206, /* PRMT R6, R2, 0x4442, RZ */
    0x36c07f8444070207, /* PRMT R7, R2, 0x4440, RZ */
    0x5b007f8000770602, /* XMAD.U16.U16 R2, R6, R7, RZ */
    0x001cbc00fcc207e6, /* schedule */
    0x5b007fa80077060b, /* XMAD.U16.U16 R11, R6, R7, RZ */
    0x5b30011800b70602, /* XMAD.U16.U16 R2, R6, R11, R2 */
    0xefd0000000070204, /* ISBERD R4, [R2] */
    0x029f98008c401221, /* schedule */
    0xefd882000807ff02, /* ALD.64 R2, a[0x80], R4 */
    0xefd802000887ff08, /* ALD R8, a[0x88], R4 */
    0x010000000017f004, /* MOV32I R4, 0x1 */
    0x001d3c00fcc207e6, /* schedule */
    0x5b00020000770604, /* XMAD.U16.U16 R4, R6, R7, R4 */
    0x5b30021800b70604, /* XMAD.U16.U16 R4, R6, R11, R4 */
    0xefd0000000070409, /* ISBERD R9, [R4] */
    0x001f9406fc20274f, /* schedule */
    0xefd884800807ff04, /* ALD.64 R4, a[0x80], R9 */
    0x5c58300000270404, /* FADD.FTZ R4, R4, -R2 */
    0x5c58300000370505, /* FADD.FTZ R5, R5, -R3 */
    0x001f9800fc220fe1, /* schedule */
    0x59a0010000470009, /* FFMA.FTZ R9, R0, R4, R2 */
    0x59a001800057000a, /* FFMA.FTZ R10, R0, R5, R3 */
    0x010000000027f002, /* MOV32I R2, 0x2 */
    0x001c3c00fcc207e6, /* schedule */
    0x5b00010000770602, /* XMAD.U16.U16 R2, R6, R7, R2 */
    0x5b30011800b70602, /* XMAD.U16.U16 R2, R6, R11, R2 */
    0xefd0000000070204, /* ISBERD R4, [R2] */
    0x081f9802fcc00902, /* schedule */
    0xefd882000807ff02, /* ALD.64 R2, a[0x80], R4 */
    0x010000000037f004, /* MOV32I R4, 0x3 */
    0x5b00020000770604, /* XMAD.U16.U16 R4, R6, R7, R4 */
    0x005cbc00e5e007e6, /* schedule */
    0x5b30021800b70604, /* XMAD.U16.U16 R4, R6, R11, R4 */
    0xefd0000000070406, /* ISBERD R6, [R4] */
    0xefd883000807ff04, /* ALD.64 R4, a[0x80], R6 */
    0x081f8400fca01fe1, /* schedule */
    0x5c58300000270404, /* FADD.FTZ R4, R4, -R2 */
    0x5c58300000370505, /* FADD.FTZ R5, R5, -R3 */
    0x59a0010000470002, /* FFMA.FTZ R2, R0, R4, R2 */
    0x001f9400fc2007e5, /* schedule */
    0x59a0018000570003, /* FFMA.FTZ R3, R0, R5, R3 */
    0x5c58300000970202, /* FADD.FTZ R2, R2, -R9 */
    0x5c58300000a70303, /* FADD.FTZ R3, R3, -R10 */
    0x001f8400fcc207e1, /* schedule */
    0x59a0048000270102, /* FFMA.FTZ R2, R1, R2, R9 */
    0x59a0050000370103, /* FFMA.FTZ R3, R1, R3, R10 */
    0x5c68120000370304, /* FMUL.FTZ.D2 R4, R3, R3 */
    0x001f9400fc2007e5, /* schedule */
    0x5c68120000270205, /* FMUL.FTZ.D2 R5, R2, R2 */
    0x3859103f80070404, /* FADD.FTZ R4, -R4, 0x3f800000 */
    0x3859103f80070505, /* FADD.FTZ R5, -R5, 0x3f800000 */
    0x003f8400e5800701, /* schedule */
    0x5080000000870404, /* MUFU.SQRT R4, R4 */
    0x5080000000870505, /* MUFU.SQRT R5, R5 */
    0x5c68100000470204, /* FMUL.FTZ R4, R2, R4 */
    0x001f8408fc2017e1, /* schedule */
    0x5c68100000570305, /* FMUL.FTZ R5, R3, R5 */
    0x3868103d80070802, /* FMUL.FTZ R2, R8, 0x3d800000 */
    0x010000000007f006, /* MOV32I R6, 0x0 */
    0x001f98001c2007e6, /* schedule */
    0x0103f8000007f007, /* MOV32I R7, 0x3f800000 */
    0xeff1ff800707ff04, /* AST.128 a[0x70], R4 */
    0x0103f8000007f003, /* MOV32I R3, 0x3f800000 */
    0x0000003ffde001e2, /* schedule */
    0xeff1ff800807ff00, /* AST.128 a[0x80], R0 */
    0xe30000000007000f, /* EXIT */
};

/*
 *   flat in vec4 facet;
 *   out vec4 colour;
 *   void main() { colour = facet; }
 */
static const uint64_t fragment_code[] = {
    0x001d0400e4200701, /* schedule */
    0xe083ff880ff7ff00, /* IPA.CONSTANT R0, a[0x80], RZ, RZ */
    0xe083ff884ff7ff01, /* IPA.CONSTANT R1, a[0x84], RZ, RZ */
    0xe083ff888ff7ff02, /* IPA.CONSTANT R2, a[0x88], RZ, RZ */
    0x0000003ffde00762, /* schedule */
    0xe083ff88cff7ff03, /* IPA.CONSTANT R3, a[0x8c], RZ, RZ */
    0xe30000000007000f, /* EXIT */
};

/*
 * Headers. Word 0 is the type. A control program writes 6 words of a patch (in word 1, and from Maxwell on in word 3)
 * and makes 4 corners (in word 2). Then which inputs and outputs there are.
 */
static const uint32_t vertex_header[20] = {[0] = 0x20461, [4] = 0xff000, [6] = 0x7, [13] = 0x7f000};
static const uint32_t control_header[20] = {
    [0] = 0x20861, [1] = 0x6000000, [2] = 0x4000000, [3] = 0x60000000, [4] = 0xff000, [6] = 0x7, [13] = 0x70000};
static const uint32_t evaluation_header[20] = {
    [0] = 0x20c61, [4] = 0xbd0bc000, [6] = 0x7, [13] = 0xff000, [18] = 0x3000};
static const uint32_t fragment_header[20] = {[0] = 0x25462, [5] = 0x80000000, [6] = 0x55, [18] = 0xf};

#endif
