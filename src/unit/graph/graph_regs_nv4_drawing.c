/* SPDX-License-Identifier: MIT */
/* Registers of PGRAPH of NV4 .. NV4x: vertices, clipping, patterns, surfaces. See graph_regs.h for the sources. */
#include "unit/graph/graph_regs.h"

#define CLIP_RECTANGLE(chips, base, name)                                                                              \
    CLIP(chips, (base) + 0x0, name "_XMIN", 0xffff, graph_write_clip_min),                                             \
        CLIP(chips, (base) + 0x4, name "_YMIN", 0xffff, graph_write_clip_min),                                         \
        CLIP(chips, (base) + 0x8, name "_XMAX", 0x3ffff, graph_write_clip_max),                                        \
        CLIP(chips, (base) + 0xc, name "_YMAX", 0x3ffff, graph_write_clip_max)

/* A surface: start, end, pitch. */
#define NOTHING                              (1u << 31) /* SURF_LIMIT: no limit */
#define SURFACES(chips, offset, n, bits)     ACTING(chips, offset, n, "SURF_OFFSET", bits, graph_mark_surf_offset)
#define PITCHES(chips, offset, n, bits)      ACTING(chips, offset, n, "SURF_PITCH", bits, graph_mark_surf_pitch)
#define LIMITS(chips, offset, n, bits, ones) WITH_ONES(chips, offset, n, "SURF_LIMIT", NOTHING | (bits), ones)

/* Surfaces with registers of their own; `n` is the number in the names. */
#define SURFACE(chips, base, n, offset_bits, base_bits, pitch_bits, ones)                                              \
    ACTING(chips, (base) + 0x0, 1, "SURF_OFFSET_" #n, offset_bits, graph_mark_surf_offset),                            \
        STORED(chips, (base) + 0x4, "SURF_BASE_" #n, base_bits),                                                       \
        ACTING(chips, (base) + 0x8, 1, "SURF_PITCH_" #n, pitch_bits, graph_mark_surf_pitch),                           \
        WITH_ONES(chips, (base) + 0xc, 1, "SURF_LIMIT_" #n, NOTHING | (offset_bits), ones)

#define OFFSET_NV4  0x00fffff0u
#define OFFSET_NV5  0x01fffff0u
#define OFFSET_NV10 0x07fffff0u
#define OFFSET_NV20 0x3fffffc0u
#define OFFSET_NV34 0x3ffffff0u
#define BASE_NV34   0xfffffff0u

const struct reg_row graph_rows_nv4_drawing[] = {
    /* ---- vertices and clipping ---- */
    STORED_N("NV4:NV10", 0x400400, 32, "VTX_X", ~0u),
    STORED_N("NV4:NV10", 0x400480, 32, "VTX_Y", ~0u),
    STORED_N("NV10:G80", 0x400400, 10, "VTX_X", ~0u),
    STORED_N("NV10:G80", 0x400480, 10, "VTX_Y", ~0u),
    STORED("NV4:G80", 0x400534, "ICLIP_XMAX", 0x3ffff),
    STORED("NV4:G80", 0x400538, "ICLIP_YMAX", 0x3ffff),
    CLIP_RECTANGLE("NV4:G80", 0x40053c, "UCLIP"),
    CLIP_RECTANGLE("NV10:NV20", 0x400550, "CLIP_2"),
    CLIP_RECTANGLE("NV4:G80", 0x400560, "OCLIP"),

    /* ---- state between methods ---- */
    STORED("NV4:G80", 0x400500, "X_MISC", 0x300000ff),
    STORED("NV4:G80", 0x400504, "Y_MISC", 0x300000ff),
    STORED("NV4:G80", 0x400508, "VALID_0", 0xf07fffff),
    ACTING("NV4:G80", 0x40050c, 1, "MISC32_0", ~0u, graph_mark_misc32),
    STORED("NV4:G80", 0x400510, "MISC24_0", 0x00ffffff),
    STORED("NV4:NV10", 0x400514, "XY_MISC_0", 0xf013ffff),
    STORED("NV10:NV34", 0x400514, "XY_MISC_0", 0xf113ffff),
    {"NV34:G80",
     {0x400514, "XY_MISC_0", .at = WORD(0x400514), RW(0xf117ffff), .reset = 0x00040000, .write = graph_write_xy_misc}},
    STORED("NV4:G80", 0x400518, "XY_MISC_1", 0x00111031),
    STORED("NV4:G80", 0x40051c, "XY_MISC_2", 0x00111031),
    STORED("NV4:G80", 0x400520, "XY_MISC_3", 0x7f7f1111),
    STORED_N("NV4:G80", 0x400524, 2, "X_CLIP_STATUS", ~0u),
    STORED_N("NV4:G80", 0x40052c, 2, "Y_CLIP_STATUS", ~0u),
    STORED("NV4:G80", 0x400570, "MISC24_1", 0x00ffffff),
    STORED("NV4:G80", 0x400574, "MISC24_2", 0x00ffffff),
    STORED("NV4:NV10", 0x400578, "VALID_1", 0x1fffffff),
    STORED("NV10:NV20", 0x400578, "VALID_1", 0xdfffffff),
    STORED("NV4:G80", 0x40057c, "MISC32_1", ~0u),
    STORED("NV4:G80", 0x400580, "MISC32_2", ~0u),
    STORED("NV4:G80", 0x400584, "MISC32_3", ~0u),
    STORED("NV4:NV10", 0x400760, "DMA_PITCH", ~0u),
    STORED("NV4:NV10", 0x400764, "DVD_FORMAT", 0x0000033f),
    STORED("NV4:NV10", 0x400768, "SIFM_MODE", 0x01030000),
    STORED("NV10:G80", 0x400770, "DMA_PITCH", ~0u),
    STORED("NV10:G80", 0x400774, "DVD_FORMAT", 0x0000033f),
    STORED("NV10:G80", 0x400778, "SIFM_MODE", 0x01030000),
    STORED("NV10:G80", 0x400588, "TFC_UNK588", 0xffff),
    STORED("NV10:G80", 0x40058c, "TFC_UNK58C", 0x1ffff),

    /* ---- D3D of NV4 and NV5 ---- */
    ACTING("NV4:NV10", 0x400590, 1, "D3D56_RC_ALPHA_0", 0xfd1d1d1d, graph_mark_d3d56_rc_alpha_0),
    ACTING("NV4:NV10", 0x400594, 1, "D3D56_RC_COLOR_0", 0xff1f1f1f, graph_mark_d3d56_rc_color_0),
    ACTING("NV4:NV10", 0x400598, 1, "D3D56_RC_ALPHA_1", 0xfd1d1d1d, graph_mark_d3d56_rc_alpha_1),
    ACTING("NV4:NV10", 0x40059c, 1, "D3D56_RC_COLOR_1", 0xff1f1f1f, graph_mark_d3d56_rc_color_1),
    STORED_N("NV4:NV10", 0x4005a8, 2, "D3D56_TEX_FORMAT", 0xfffff7a6),
    STORED_N("NV4:NV10", 0x4005b0, 2, "D3D56_TEX_FILTER", 0xffff9e1e),
    STORED("NV4:NV10", 0x4005c0, "D3D56_TLV_XY", ~0u),
    STORED_N("NV4:NV10", 0x4005c4, 4, "D3D56_TLV_UV", 0xffffffc0),
    STORED("NV4:NV10", 0x4005d4, "D3D56_TLV_Z", ~0u),
    STORED("NV4:NV10", 0x4005d8, "D3D56_TLV_COLOR", ~0u),
    STORED("NV4:NV10", 0x4005dc, "D3D56_TLV_FOG_TRI_COL1", ~0u),
    STORED("NV4:NV10", 0x4005e0, "D3D56_TLV_RHW", 0xffffffc0),
    ACTING("NV4:NV10", 0x400818, 1, "D3D56_CONFIG", 0xffff5fff, graph_mark_d3d56_config),
    ACTING("NV4:NV10", 0x40081c, 1, "D3D56_STENCIL_FUNC", 0xfffffff1, graph_mark_d3d56_stencil_func),
    ACTING("NV4:NV10", 0x400820, 1, "D3D56_STENCIL_OP", 0x00000fff, graph_mark_d3d56_stencil_op),
    ACTING("NV4:NV10", 0x400824, 1, "D3D56_BLEND", 0xff1111ff, graph_mark_d3d56_blend),
    STORED_N("NV4:NV10", 0x400d00, 16, "VTX_U", 0xffffffc0),
    STORED_N("NV4:NV10", 0x400d40, 16, "VTX_V", 0xffffffc0),
    STORED_N("NV4:NV10", 0x400d80, 16, "VTX_M", 0xffffffc0),

    /* ---- patterns, operations, colours ---- */
    ACTING("NV4:NV20", 0x400600, 1, "BITMAP_MONO_COLOR_0", ~0u, graph_mark_bitmap_color),
    STORED("NV4:NV20", 0x400604, "ROP", 0xff),
    STORED("NV4:NV20", 0x400608, "BETA1", 0x7f800000),
    STORED("NV4:NV20", 0x40060c, "BETA4", ~0u),
    STORED_N("NV4:NV20", 0x400800, 2, "PATTERN_MONO_COLOR", ~0u),
    STORED_N("NV4:NV20", 0x400808, 2, "PATTERN_MONO_BITMAP", ~0u),
    STORED("NV4:NV20", 0x400810, "PATTERN_CONFIG", 0x13),
    STORED("NV4:NV20", 0x400814, "CHROMA", ~0u),
    STORED("NV4:NV20", 0x400830, "CTX_FORMAT", 0x3f3f3f3f),
    STORED("NV17:NV20", 0x400838, "UNK838", ~0u),
    STORED("NV17:NV20", 0x40083c, "UNK83C", ~0u),
    STORED_N("NV4:NV20", 0x400900, 64, "PATTERN_COLOR", 0x00ffffff),
    ACTING("NV20:G80", 0x400814, 1, "BITMAP_MONO_COLOR_0", ~0u, graph_mark_bitmap_color),
    STORED("NV20:G80", 0x40087c, "CHROMA", ~0u),
    STORED_N("NV20:G80", 0x400a00, 64, "PATTERN_COLOR", 0x00ffffff),
    STORED("NV20:G80", 0x400b00, "ROP", 0xff),
    STORED("NV20:G80", 0x400b04, "BETA1", 0x7f800000),
    STORED("NV20:G80", 0x400b08, "BETA4", ~0u),
    STORED("NV20:G80", 0x400b0c, "CTX_FORMAT", 0x3f3f3f3f),
    STORED_N("NV20:G80", 0x400b10, 2, "PATTERN_MONO_COLOR", ~0u),
    STORED_N("NV20:G80", 0x400b18, 2, "PATTERN_MONO_BITMAP", ~0u),
    STORED("NV20:G80", 0x400b20, "PATTERN_CONFIG", 0x13),

    /* ---- surfaces of NV4 .. NV1x ---- */
    SURFACES("NV4", 0x400640, 6, OFFSET_NV4),
    STORED_N("NV4", 0x400658, 6, "SURF_BASE", OFFSET_NV4),
    LIMITS("NV4", 0x400684, 6, OFFSET_NV4, 0xf),
    SURFACES("NV5", 0x400640, 6, OFFSET_NV5),
    STORED_N("NV5", 0x400658, 6, "SURF_BASE", OFFSET_NV5),
    LIMITS("NV5", 0x400684, 6, OFFSET_NV5, 0xf),
    SURFACES("NV10:NV20", 0x400640, 6, OFFSET_NV10),
    STORED_N("NV10:NV20", 0x400658, 6, "SURF_BASE", OFFSET_NV10),
    LIMITS("NV10:NV20", 0x400684, 6, OFFSET_NV10, 0xf),
    PITCHES("NV4:NV10", 0x400670, 5, 0x1ff0),
    PITCHES("NV10:NV20", 0x400670, 5, 0xfff0),
    STORED_N("NV4:NV20", 0x40069c, 2, "SURF_SWIZZLE", 0x0f0f0000),
    STORED("NV4", 0x400610, "UNK610", 0xf8000000 | OFFSET_NV4),
    STORED("NV5", 0x400610, "UNK610", 0xf8000000 | OFFSET_NV5),
    STORED("NV10:NV20", 0x400610, "UNK610", 0xf8000000 | OFFSET_NV10),
    STORED("NV4", 0x400614, "UNK614", 0xc0000000 | OFFSET_NV4),
    STORED("NV5", 0x400614, "UNK614", 0xc0000000 | OFFSET_NV5),
    STORED("NV10:NV20", 0x400614, "UNK614", 0xc0000000 | OFFSET_NV10),
    STORED("NV17:NV20", 0x4006b0, "UNK6B0", ~0u),
    STORED("NV4:NV10", 0x40070c, "SURF_TYPE", 0x3),
    STORED("NV10", 0x400710, "SURF_TYPE", 0x3),
    STORED("NV15", 0x400710, "SURF_TYPE", 0x77777703),
    STORED("NV1A:NV17", 0x400710, "SURF_TYPE", 0x77777713),
    STORED("NV17:NV20", 0x400710, "SURF_TYPE", 0xf77777ff),
    STORED("NV4:NV10", 0x400710, "CTX_VALID", 0x0f731f3f),
    STORED("NV10:NV17", 0x400714, "CTX_VALID", 0x0f731f3f),
    STORED("NV17:NV20", 0x400714, "CTX_VALID", 0x3f731f3f),
    STORED("NV4:NV30", 0x400724, "SURF_FORMAT", 0x00ffffff),

    /* ---- surfaces of NV20 .. NV4x. NV40 has no second one ---- */
    ACTING("NV20:NV34", 0x400820, 6, "SURF_OFFSET", OFFSET_NV20, graph_write_surf_offset),
    ACTING("NV20:NV34", 0x400838, 6, "SURF_BASE", OFFSET_NV20, graph_write_surf_base),
    LIMITS("NV20:NV34", 0x400864, 6, OFFSET_NV20, 0x3f),
    PITCHES("NV20:NV34", 0x400850, 5, 0xffc0),
    SURFACES("NV34", 0x400820, 6, OFFSET_NV34),
    STORED_N("NV34", 0x400838, 6, "SURF_BASE", BASE_NV34),
    LIMITS("NV34", 0x400864, 6, OFFSET_NV34, 0xf),
    PITCHES("NV34", 0x400850, 5, 0xfff0),
    ACTING("NV40:G80", 0x400820, 1, "SURF_OFFSET_0", OFFSET_NV20, graph_mark_surf_offset),
    ACTING("NV40:G80", 0x400828, 4, "SURF_OFFSET_2", OFFSET_NV20, graph_mark_surf_offset),
    STORED("NV40:G80", 0x400838, "SURF_BASE_0", OFFSET_NV20),
    STORED_N("NV40:G80", 0x400840, 4, "SURF_BASE_2", OFFSET_NV20),
    WITH_ONES("NV40:G80", 0x400864, 1, "SURF_LIMIT_0", NOTHING | OFFSET_NV20, 0x3f),
    WITH_ONES("NV40:G80", 0x40086c, 4, "SURF_LIMIT_2", NOTHING | OFFSET_NV20, 0x3f),
    ACTING("NV40:G80", 0x400850, 1, "SURF_PITCH_0", 0x1ffc0, graph_mark_surf_pitch),
    ACTING("NV40:G80", 0x400858, 3, "SURF_PITCH_2", 0x1ffc0, graph_mark_surf_pitch),
    ACTING("NV25:NV34", 0x400880, 1, "SURF_OFFSET_6", OFFSET_NV20, graph_write_surf_offset),
    ACTING("NV25:NV34", 0x400884, 1, "SURF_BASE_6", OFFSET_NV20, graph_write_surf_base),
    ACTING("NV25:NV34", 0x400888, 1, "SURF_PITCH_6", 0xffc0, graph_mark_surf_pitch),
    WITH_ONES("NV25:NV34", 0x40088c, 1, "SURF_LIMIT_6", NOTHING | OFFSET_NV20, 0x3f),
    SURFACE("NV34", 0x400880, 6, OFFSET_NV34, BASE_NV34, 0xfff0, 0xf),
    SURFACE("NV40:G80", 0x400880, 6, OFFSET_NV20, OFFSET_NV20, 0x1ffc0, 0x3f),
    SURFACE("NV40:G80", 0x4009c0, 7, OFFSET_NV20, OFFSET_NV20, 0x1ffc0, 0x3f),
    SURFACE("NV40:G80", 0x4009d0, 8, OFFSET_NV20, OFFSET_NV20, 0x1ffc0, 0x3f),
    STORED_N("NV20:G80", 0x400818, 2, "SURF_SWIZZLE", 0x0f0f0000),
    STORED("NV20:NV25", 0x400710, "SURF_TYPE", 0x77777733),
    STORED("NV25:G80", 0x400710, "SURF_TYPE", 0x77777773),
    STORED("NV30:G80", 0x400724, "SURF_FORMAT", 0x3fffffff),
    STORED("NV20:NV25", 0x400714, "CTX_VALID", 0x0f731f3f),
    STORED("NV25:NV40", 0x400714, "CTX_VALID", 0x0f733f7f),
    STORED("NV40:G80", 0x400714, "CTX_VALID", 0x0f77ffff),
    STORED("NV20:NV30", 0x400800, "SURF_UNK800", 0xfff31f1f),
    STORED("NV30:NV34 NV40:G80", 0x400800, "SURF_UNK800", 0xf1ffdf1f),
    ACTING("NV34", 0x400800, 1, "SURF_UNK800", 0x00001f17, graph_write_copied),
    STORED("NV20:NV34", 0x40080c, "SURF_UNK80C", 0xfffffffc),
    STORED("NV34", 0x40080c, "SURF_UNK80C", 0xfffffff0),
    STORED("NV40:G80", 0x40080c, "SURF_UNK80C", ~0u),
    STORED("NV20:NV34", 0x400810, "SURF_UNK810", 0xfffffffc),
    STORED("NV34", 0x400810, "SURF_UNK810", 0xfffffff0),
    STORED("NV40:G80", 0x400810, "SURF_UNK810", ~0u),
    STORED("NV20:NV25", 0x400880, "SURF_UNK880", ~0u),
    STORED("NV20:NV25", 0x400888, "SURF_UNK888", 0x3f),
    STORED("NV25:NV40", 0x400890, "SURF_UNK880", ~0u),
    STORED("NV25:NV34", 0x400898, "SURF_UNK888", 0x7f),
    STORED("NV25:NV34", 0x40089c, "SURF_UNK89C", 0x0fffffff),
    STORED("NV34", 0x4008a4, "SURF_UNK8A4", ~0u),
    STORED("NV34", 0x4008a8, "SURF_UNK8A8", ~0u),
    STORED_N("NV40:G80", 0x4009b0, 4, "SURF_UNK9B0", ~0u),
};

const size_t graph_row_count_nv4_drawing = sizeof graph_rows_nv4_drawing / sizeof graph_rows_nv4_drawing[0];
