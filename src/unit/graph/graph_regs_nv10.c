/* SPDX-License-Identifier: MIT */
/* Registers of the 3D object of NV1x in PGRAPH. See graph_regs.h for the sources. */
#include "unit/graph/graph_regs.h"

#define CELSIUS(offset, name, bits)      STORED("NV10:NV20", offset, name, bits)
#define CELSIUS_N(offset, n, name, bits) STORED_N("NV10:NV20", offset, n, name, bits)

const struct reg_row graph_rows_nv10[] = {
    STORED("NV17:NV20", 0x400a00, "ZCULL_UNKA00", 0x1fff1fff),
    STORED("NV17:NV20", 0x400a04, "ZCULL_UNKA04", 0x1fff1fff),
    {"NV17:NV20",
     {0x400a10, "UNKA10", .at = WORD(0x400a10), .readable = ~0xc000u, .writable = 0xdfff3fff,
      .read = graph_read_unka10}},

    /* ---- textures ---- */
    CELSIUS_N(0x400e00, 2, "BUNDLE_TEX_OFFSET", ~0u),
    CELSIUS_N(0x400e08, 2, "BUNDLE_TEX_PALETTE", 0xffffffc1),
    STORED_N("NV10:NV17", 0x400e10, 2, "BUNDLE_TEX_FORMAT", 0xffffffd6),
    STORED_N("NV17:NV20", 0x400e10, 2, "BUNDLE_TEX_FORMAT", 0xffffffde),
    CELSIUS_N(0x400e18, 2, "BUNDLE_TEX_CONTROL_A", 0x7fffffff),
    CELSIUS_N(0x400e20, 2, "BUNDLE_TEX_CONTROL_B", 0xffff0000),
    CELSIUS_N(0x400e28, 2, "BUNDLE_TEX_CONTROL_C", ~0u),
    CELSIUS_N(0x400e30, 2, "BUNDLE_TEX_RECT", 0x07ff07ff),
    CELSIUS_N(0x400e38, 2, "BUNDLE_TEX_FILTER", 0x77001fff),

    /* ---- combiners ---- */
    CELSIUS_N(0x400e40, 2, "BUNDLE_RC_IN_ALPHA", ~0u),
    CELSIUS_N(0x400e48, 2, "BUNDLE_RC_IN_COLOR", ~0u),
    CELSIUS(0x400e50, "BUNDLE_RC_FACTOR_0", ~0u),
    CELSIUS(0x400e54, "BUNDLE_RC_FACTOR_1", ~0u),
    CELSIUS_N(0x400e58, 2, "BUNDLE_RC_OUT_ALPHA", 0x0003cfff),
    CELSIUS(0x400e60, "BUNDLE_RC_OUT_COLOR_0", 0x0003ffff),
    CELSIUS(0x400e64, "BUNDLE_RC_OUT_COLOR_1", 0x3803ffff),
    CELSIUS(0x400e68, "BUNDLE_RC_FINAL_A", 0x3f3f3f3f),
    CELSIUS(0x400e6c, "BUNDLE_RC_FINAL_B", 0x3f3f3fe0),

    /* ---- pixels ---- */
    STORED("NV10:NV17", 0x400e70, "CELSIUS_CONFIG_A", 0x3fcf5fff),
    STORED("NV17:NV20", 0x400e70, "CELSIUS_CONFIG_A", 0xbfcf5fff),
    CELSIUS(0x400e74, "BUNDLE_STENCIL_A", 0xfffffff1),
    CELSIUS(0x400e78, "CELSIUS_STENCIL_OPS", 0x00000fff),
    STORED("NV10:NV17", 0x400e7c, "CELSIUS_CONFIG_B", 0x00003ff5),
    STORED("NV17:NV20", 0x400e7c, "CELSIUS_CONFIG_B", 0x0000fff5),
    STORED("NV10", 0x400e80, "CELSIUS_BLEND", 0x00000fff),
    STORED("NV15:NV20", 0x400e80, "CELSIUS_BLEND", 0x0001ffff),
    CELSIUS(0x400e84, "BUNDLE_BLEND_COLOR", ~0u),
    CELSIUS(0x400e88, "CELSIUS_RASTER", 0xfcffffcf),
    CELSIUS(0x400e8c, "BUNDLE_FOG_COLOR", ~0u),
    CELSIUS(0x400e90, "BUNDLE_POLYGON_OFFSET_FACTOR", ~0u),
    CELSIUS(0x400e94, "BUNDLE_POLYGON_OFFSET_UNITS", ~0u),
    CELSIUS(0x400e98, "BUNDLE_DEPTH_RANGE_NEAR", ~0u),
    CELSIUS(0x400e9c, "BUNDLE_DEPTH_RANGE_FAR", ~0u),
    CELSIUS_N(0x400ea0, 2, "BUNDLE_TEX_COLOR_KEY", ~0u),
    CELSIUS(0x400ea8, "BUNDLE_POINT_SIZE", 0x1ff),

    /* ---- NV17: clears, ZCULL, clip ids ---- */
    STORED_N("NV17:NV20", 0x400eac, 2, "BUNDLE_CLEAR_HV", 0x0fff0fff),
    STORED("NV17:NV20", 0x400eb4, "BUNDLE_SURF_BASE_ZCULL", 0x3fffffff),
    STORED("NV17:NV20", 0x400eb8, "BUNDLE_SURF_LIMIT_ZCULL", 0xbfffffff),
    STORED("NV17:NV20", 0x400ebc, "BUNDLE_SURF_OFFSET_ZCULL", 0x3fffffff),
    STORED("NV17:NV20", 0x400ec0, "BUNDLE_SURF_PITCH_ZCULL", 0xffff),
    STORED("NV17:NV20", 0x400ec4, "BUNDLE_SURF_BASE_CLIPID", 0x07ffffff),
    STORED("NV17:NV20", 0x400ec8, "BUNDLE_SURF_LIMIT_CLIPID", 0x87ffffff),
    STORED("NV17:NV20", 0x400ecc, "BUNDLE_SURF_OFFSET_CLIPID", 0x07ffffff),
    STORED("NV17:NV20", 0x400ed0, "BUNDLE_SURF_PITCH_CLIPID", 0xffff),
    STORED("NV17:NV20", 0x400ed4, "BUNDLE_CLIPID_ID", 0xf),
    STORED("NV17:NV20", 0x400ed8, "BUNDLE_Z_CONFIG", 0x80000046),
    STORED("NV17:NV20", 0x400edc, "BUNDLE_CLEAR_ZETA", ~0u),
    STORED("NV17:NV20", 0x400ee0, "CELSIUS_MTHD_UNK3FC", ~0u),

    /* ---- before pixels ---- */
    CELSIUS_N(0x400f00, 8, "CELSIUS_CLIP_RECT_HORIZ", 0x0fff0fff),
    CELSIUS_N(0x400f20, 8, "CELSIUS_CLIP_RECT_VERT", 0x0fff0fff),
    CELSIUS(0x400f40, "CELSIUS_XF_MISC_A", 0x3bffffff),
    ACTING("NV10:NV20", 0x400f44, 1, "CELSIUS_XF_MISC_B", ~0u, graph_write_xf_misc_b),
    CELSIUS(0x400f48, "CELSIUS_CONFIG_C", 0x17ff0117),
    CELSIUS(0x400f4c, "CELSIUS_DMA", ~0u),
    {"NV10",
     {GRAPH_PIPE_ADDRESS, "PIPE_ADDRESS", .at = WORD(GRAPH_PIPE_ADDRESS), .readable = 0x1fff, .writable = 0x7ffc,
      .read = graph_read_pipe_address_nv10, .write = graph_write_pipe_address}},
    ACTING("NV15:NV20", GRAPH_PIPE_ADDRESS, 1, "PIPE_ADDRESS", 0x7ffc, graph_write_pipe_address),
    {"NV10:NV20",
     {0x400f54, "PIPE_DATA", .at = REG_NONE, .readable = ~0u, .read = graph_read_pipe, .write = graph_write_pipe,
      .read_acts = true}},
};

const size_t graph_row_count_nv10 = sizeof graph_rows_nv10 / sizeof graph_rows_nv10[0];
