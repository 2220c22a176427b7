/* SPDX-License-Identifier: MIT */
/* Registers of PGRAPH of NV1, NV3 and NV3T. See graph_regs.h for the sources. */
#include "unit/graph/graph_clip.h"
#include "unit/graph/graph_regs.h"

#define INTR_NV1                                                                                                       \
    "INVALID 0, CONTEXT_SWITCH 4, VBLANK 8, XY_RANGE 12, MISSING_METHOD 16, CANVAS_SOFTWARE 20, CLIP_SOFTWARE 24, "    \
    "NOTIFY 28"
#define INTR_NV3                                                                                                       \
    "INVALID 0, CONTEXT_SWITCH 4, VBLANK 8, XY_RANGE 12, MISSING_METHOD 16, MISSING_FORMAT 20, CLIP_SOFTWARE 24, "     \
    "NOTIFY 28"
#define INTR_BITS 0x11111111u

#define INVALID_FIELDS "INVALID_METHOD 0, INVALID_VALUE 4, INVALID_NOTIFY 8, DOUBLE_NOTIFY 12, CTXSW_NOTIFY 16"
#define INVALID_BITS   0x00011111u

#define DMA_INTR_NV3 "INSTANCE 0, PRESENT 4, PROTECTION 8, LINEAR 12, NOTIFY 16"

#define DEBUG_1_NV1 "VOLATILE_RESET_LAST 0"
#define DEBUG_1_NV3 "LAST_VOLATILE_RESET 0, GROBJ_DMA_LOAD 16, CTX_SWITCH 20"
#define DEBUG_2_NV1 "VOLATILE_RESET_ENABLE 28"
#define DEBUG_3_NV3 "D3D_DITHER 15, DATA_CHECK 20, DATA_CHECK_FORCE_FAIL 21, FORMAT_CHECK 22"

#define CTX_NV1 "NOTIFY_VALID 8, CHID 22:16, VOLATILE_RESET 31"
#define CTX_NV3                                                                                                        \
    "COLOR_FORMAT 2:0, ALPHA 3, MONO_FORMAT 8, CHROMA 13, PLANE 14, CLIP 15, DST_SURFACE_MASK 23:20, OP 28:24"
#define CTX_A_BITS 0x3ff3f71fu

#define ACCESS_NV1      "FIFO 0, DMA 4, HOST 8, OBJECT 16:12, FIFO_WR 24, DMA_WR 25, HOST_WR 26, OBJECT_WR 27"
#define ACCESS_NV1_BITS 0x0001f111u

#define CANVAS_NV1  0x0fff0fffu
#define CANVAS_NV3  0x3fff07ffu
#define CANVAS_NV3T 0x7fff07ffu

/* NV1: a write to a register of vertices or limits, from the canvas's corner on; a limit, whose read has an effect. */
#define RELATIVE(offset, n, name, action)                                                                              \
    {                                                                                                                  \
        "NV1", {                                                                                                       \
            offset, name, .at = REG_NONE, .count = (n), .write = (action), HOSTED                                      \
        }                                                                                                              \
    }
#define LIMIT(offset, name)                                                                                            \
    {                                                                                                                  \
        "NV1", {                                                                                                       \
            offset, name, .at = WORD(offset), .readable = 0x3ffff, .read = graph_read_uclip_nv1,                       \
                          .write = graph_write_uclip_nv1, .read_acts = true, HOSTED                                    \
        }                                                                                                              \
    }

/*
 * UNKNOWN: FIFO access after reset, and host access of NV1; chosen: on, as documented for NV4. UNKNOWN: DEBUG_3;
 * chosen: values are checked.
 */
const struct reg_row graph_rows_nv1[] = {
    /* ---- debugging ---- */
    ACTING("NV1", 0x400080, 1, "DEBUG_0", 0x11111110, graph_write_debug_0),
    ACTING("NV3:NV4", 0x400080, 1, "DEBUG_0", 0x13311110, graph_write_debug_0),
    {"NV1", {NV_PGRAPH_DEBUG_1, "DEBUG_1", AT(debug_1, 0x31111101), HOSTED, .fields = DEBUG_1_NV1}},
    {"NV3:NV4",
     {NV_PGRAPH_DEBUG_1, "DEBUG_1", AT(debug_1, 0x10113301), .write = graph_write_debug_1, .fields = DEBUG_1_NV3}},
    {"NV1", {0x400088, "DEBUG_2", .at = WORD(0x400088), RW(0x11111111), HOSTED, .fields = DEBUG_2_NV1}},
    {"NV3:NV4", {0x400088, "DEBUG_2", .at = WORD(0x400088), RW(0x1133f111), .fields = DEBUG_2_NV1}},
    {"NV3:NV4", {NV_PGRAPH_DEBUG_3, "DEBUG_3", AT(debug_3, 0x1173ff31), .reset = 1u << 20, .fields = DEBUG_3_NV3}},

    /* ---- interrupts, refused methods, FIFO access ---- */
    {"NV1", {NV_PGRAPH_INTR, "INTR", ACK(intr), .fields = INTR_NV1}},
    {"NV3:NV4", {NV_PGRAPH_INTR, "INTR", ACK(intr), .fields = INTR_NV3}},
    {"NV1:NV4", {NV_PGRAPH_INVALID, "INVALID", ACK(invalid), .fields = INVALID_FIELDS}},
    {"NV1", {NV_PGRAPH_INTR_EN, "INTR_EN", LINE(intr_en, INTR_BITS), HOSTED, .fields = INTR_NV1}},
    {"NV3:NV4", {NV_PGRAPH_INTR_EN, "INTR_EN", LINE(intr_en, INTR_BITS), .fields = INTR_NV3}},
    {"NV1:NV4", {0x400144, "INVALID_EN", LINE(invalid_en, INVALID_BITS), HOSTED, .fields = INVALID_FIELDS}},
    {"NV1",
     {NV_PGRAPH_ACCESS_NV1, "ACCESS", RO(access, ACCESS_NV1_BITS | GRAPH_WRITES_NV1),
      .reset = GRAPH_ACCESS | GRAPH_HOST_NV1 | GRAPH_WRITES_NV1, .write = graph_write_access_nv1,
      .fields = ACCESS_NV1}},
    {"NV3:NV4", {NV_PGRAPH_FIFO_NV3, "FIFO", AT(access, GRAPH_ACCESS), .reset = GRAPH_ACCESS, .fields = "ACCESS 0"}},
    {"NV1",
     {NV_PGRAPH_TRAPPED_ADDR_NV1, "TRAPPED_ADDR", RO(trapped_addr, ~0u),
      .fields = "METHOD 12:2, SUBCHANNEL 15:13, OBJECT 20:16"}},
    {"NV1", {NV_PGRAPH_TRAPPED_DATA_NV1, "TRAPPED_DATA", RO(trapped_data, ~0u)}},
    {"NV1:NV4", {0x4006b0, "STATUS", .at = REG_NONE, .readable = ~0u}},
    {"NV3:NV4",
     {NV_PGRAPH_TRAPPED_ADDR_NV3, "TRAPPED_ADDR", RO(trapped_addr, ~0u),
      .fields = "METHOD 12:2, SUBCHANNEL 15:13, OBJECT 20:16, CHID 30:24"}},
    {"NV3:NV4", {NV_PGRAPH_TRAPPED_DATA_NV3, "TRAPPED_DATA", RO(trapped_data, ~0u)}},
    {"NV3:NV4", {NV_PGRAPH_TRAPPED_GINST_NV3, "TRAPPED_GINST", RO(trapped_instance, 0xffff)}},

    /* ---- the channel and the object ---- */
    {"NV1",
     {NV_PGRAPH_CTX_SWITCH_NV1, "CTX_SWITCH", AT(channel, 0x807fffff), HOSTED, .write = graph_write_context,
      .fields = CTX_NV1}},
    {"NV3:NV4",
     {NV_PGRAPH_CTX_SWITCH_NV1, "CTX_SWITCH", .at = WORD(0x400180), RW(CTX_A_BITS), .write = graph_write_context,
      .fields = CTX_NV3}},
    {"NV1", {NV_PGRAPH_CTX_CONTROL_NV1, "CTX_CONTROL", CONTROL, HOSTED, .read = graph_read_control_nv1}},
    {"NV3:NV4", {NV_PGRAPH_CTX_CONTROL_NV1, "CTX_CONTROL", CONTROL}},
    {"NV3:NV4",
     {NV_PGRAPH_CTX_USER_NV3, "CTX_USER", AT(channel, 0x7f1fe000),
      .fields = "SUBCHANNEL 15:13, OBJECT 20:16, CHID 30:24"}},
    CACHE("NV3:NV4", 0x4001a0, "CTX_CACHE", CTX_A_BITS),
    {"NV1", {NV_PGRAPH_DMA_INST_NV1, "DMA_INST", AT(object_dma, 0xffff), HOSTED}},
    {"NV1",
     {NV_PGRAPH_NOTIFY_NV1, "NOTIFY", AT(object_notify, 0x0011ffff), HOSTED,
      .fields = "INST 15:0, PENDING 16, INTR_PENDING 20"}},
    {"NV3:NV4", {NV_PGRAPH_GROBJ_DMA_NV3, "GROBJ_DMA", AT(object_dma, 0xffff)}},
    {"NV3:NV4",
     {NV_PGRAPH_GROBJ_NOTIFY_NV3, "GROBJ_NOTIFY", AT(object_notify, 0x00f1ffff),
      .fields = "INST 15:0, ARMED 16, SELECT 23:20"}},
    {"NV3:NV4", {NV_PGRAPH_GROBJ_INST_NV3, "GROBJ_INST", AT(object_instance, 0xffff)}},
    {"NV3:NV4", {NV_PGRAPH_GROBJ_M2MF_NV3, "GROBJ_M2MF", AT(object_m2mf, 0x1ffff), .fields = "INST 15:0"}},

    /* ---- vertices and clipping ---- */
    ACTING("NV1", 0x400400, 18, "VTX_X", ~0u, graph_write_vtx_nv1),
    ACTING("NV1", 0x400480, 18, "VTX_Y", ~0u, graph_write_vtx_nv1),
    RELATIVE(0x400500, 18, "VTX_X_REL", graph_write_vtx_nv1),
    RELATIVE(0x400580, 18, "VTX_Y_REL", graph_write_vtx_nv1),
    ACTING("NV3:NV4", 0x400400, 32, "VTX_X", ~0u, graph_write_vtx_nv3),
    ACTING("NV3:NV4", 0x400480, 32, "VTX_Y", ~0u, graph_write_vtx_nv3),
    STORED_N("NV3:NV4", 0x400580, 16, "VTX_Z", 0x00ffffff),
    STORED_N("NV1", 0x400700, 14, "VTX_BETA", 0x01ffffff),
    ACTING("NV1", 0x400450, 1, "ICLIP_XMAX", 0x3ffff, graph_write_iclip_nv1),
    ACTING("NV1", 0x400454, 1, "ICLIP_YMAX", 0x3ffff, graph_write_iclip_nv1),
    RELATIVE(0x400550, 2, "ICLIP_MAX_REL", graph_write_iclip_nv1),
    LIMIT(0x400460, "UCLIP_XMIN"),
    LIMIT(0x400464, "UCLIP_XMAX"),
    LIMIT(0x400468, "UCLIP_YMIN"),
    LIMIT(0x40046c, "UCLIP_YMAX"),
    RELATIVE(0x400560, 4, "UCLIP_REL", graph_write_uclip_nv1),
    ACTING("NV3:NV4", 0x400534, 1, "ICLIP_XMAX", 0x3ffff, graph_write_iclip_nv3),
    ACTING("NV3:NV4", 0x400538, 1, "ICLIP_YMAX", 0x3ffff, graph_write_iclip_nv3),
    CLIP("NV3:NV4", 0x40053c, "UCLIP_XMIN", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x400540, "UCLIP_YMIN", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x400544, "UCLIP_XMAX", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x400548, "UCLIP_YMAX", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x400560, "OCLIP_XMIN", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x400564, "OCLIP_YMIN", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x400568, "OCLIP_XMAX", 0x3ffff, graph_write_uclip_nv3),
    CLIP("NV3:NV4", 0x40056c, "OCLIP_YMAX", 0x3ffff, graph_write_uclip_nv3),

    /* ---- state between methods ---- */
    STORED("NV1", 0x400640, "XY_MISC_0", 0xf1ff11ff),
    STORED("NV1", 0x400644, "XY_MISC_1", 0x03177331),
    STORED("NV1", 0x400648, "X_MISC", 0x30ffffff),
    STORED("NV1", 0x40064c, "Y_MISC", 0x30ffffff),
    STORED("NV1", 0x400650, "VALID", 0x111ff1ff),
    STORED("NV1", 0x400654, "SOURCE_COLOR", ~0u),
    STORED("NV1", 0x400658, "SUBDIVIDE", 0xffff00ff),
    STORED("NV1", 0x40065c, "XY_MISC_3", 0xffff0113),
    STORED("NV3:NV4", 0x400500, "X_MISC", 0x300000ff),
    STORED("NV3:NV4", 0x400504, "Y_MISC", 0x300000ff),
    STORED("NV3:NV4", 0x400508, "VALID", ~0u),
    ACTING("NV3:NV4", 0x40050c, 1, "MISC32_0", ~0u, graph_mark_misc32),
    STORED("NV3:NV4", 0x400510, "MISC24_0", 0x00ffffff),
    STORED("NV3:NV4", 0x400514, "XY_MISC_0", 0xf013ffff),
    STORED("NV3:NV4", 0x400518, "XY_MISC_1", 0x0f177331),
    STORED("NV3:NV4", 0x40051c, "XY_MISC_2", 0x0f177331),
    STORED("NV3:NV4", 0x400520, "XY_MISC_3", 0x7f7f1111),
    STORED_N("NV3:NV4", 0x400524, 2, "X_CLIP_STATUS", ~0u),
    STORED_N("NV3:NV4", 0x40052c, 2, "Y_CLIP_STATUS", ~0u),
    STORED("NV3:NV4", 0x40054c, "MISC32_1", ~0u),
    STORED("NV3:NV4", 0x400570, "MISC24_1", 0x00ffffff),

    /* ---- D3D ---- */
    STORED("NV3:NV4", 0x4005c0, "D3D_XY", ~0u),
    STORED("NV3:NV4", 0x4005c4, "D3D_UV", ~0u),
    STORED("NV3:NV4", 0x4005c8, "D3D_Z_LO", 0xffff),
    STORED("NV3:NV4", 0x4005cc, "D3D_RGB", ~0u),
    STORED("NV3:NV4", 0x4005d0, "D3D_FOG_TRI", ~0u),
    STORED("NV3:NV4", 0x4005d4, "D3D_MZ", ~0u),
    ACTING("NV3:NV4", 0x400644, 1, "D3D_CONFIG", 0xf77fbdf3, graph_mark_d3d_config),
    STORED("NV3:NV4", 0x4006c8, "D3D_ALPHA", 0xfff),

    /* ---- patterns, operations, colours ---- */
    STORED("NV1:NV4", 0x400600, "PATTERN_MONO_COLOR_RGB_0", 0x3fffffff),
    STORED("NV1:NV4", 0x400604, "PATTERN_MONO_COLOR_A_0", 0xff),
    STORED("NV1:NV4", 0x400608, "PATTERN_MONO_COLOR_RGB_1", 0x3fffffff),
    STORED("NV1:NV4", 0x40060c, "PATTERN_MONO_COLOR_A_1", 0xff),
    STORED_N("NV1:NV4", 0x400610, 2, "PATTERN_MONO", ~0u),
    STORED("NV1:NV4", 0x400618, "PATTERN_SHAPE", 3),
    STORED("NV1:NV4", 0x40061c, "BITMAP_MONO_COLOR_0", 0x7fffffff),
    STORED("NV1", 0x400620, "BITMAP_MONO_COLOR_1", 0x7fffffff),
    STORED("NV1:NV4", 0x400624, "ROP", 0xff),
    STORED("NV1", 0x400628, "PLANE", 0x7fffffff),
    STORED("NV1:NV4", 0x40062c, "CHROMA", 0x7fffffff),
    ACTING("NV1", 0x400630, 1, "BETA", 0x7f800000, graph_write_beta),
    ACTING("NV3:NV4", 0x400640, 1, "BETA", 0x7f800000, graph_write_beta),

    /* ---- surfaces and rectangles ---- */
    STORED("NV1", 0x400634, "CANVAS_CONFIG", 0x01111011),
    STORED("NV1", 0x400688, "CANVAS_MIN", ~0u),
    STORED("NV1", 0x40068c, "CANVAS_MAX", CANVAS_NV1),
#define CANVAS(chips, bits)                                                                                            \
    STORED(chips, 0x400550, "SRC_CANVAS_MIN", bits), STORED(chips, 0x400554, "SRC_CANVAS_MAX", bits),                  \
        STORED(chips, 0x400558, "DST_CANVAS_MIN", bits), STORED(chips, 0x40055c, "DST_CANVAS_MAX", bits)
    CANVAS("NV3", CANVAS_NV3),
    CANVAS("NV3T", CANVAS_NV3T),
#define CLIPRECT(chips, bits)                                                                                          \
    STORED(chips, 0x400690, "CLIPRECT_MIN_0", bits), STORED(chips, 0x400694, "CLIPRECT_MAX_0", bits),                  \
        STORED(chips, 0x400698, "CLIPRECT_MIN_1", bits), STORED(chips, 0x40069c, "CLIPRECT_MAX_1", bits)
    CLIPRECT("NV1", CANVAS_NV1),
    CLIPRECT("NV3", CANVAS_NV3),
    CLIPRECT("NV3T", CANVAS_NV3T),
    STORED("NV1:NV4", 0x4006a0, "CLIPRECT_CTRL", 0x113),
    STORED_N("NV3", 0x400630, 4, "SURF_OFFSET", 0x003ffff0),
    STORED_N("NV3T", 0x400630, 4, "SURF_OFFSET", 0x007ffff0),
    STORED_N("NV3:NV4", 0x400650, 4, "SURF_PITCH", 0x1ff0),
    STORED("NV3:NV4", 0x4006a8, "SURF_CONFIG", 0x7777),

    /* ---- the DMA of NV3 ---- */
    {"NV3:NV4", {NV_PGRAPH_DMA_INTR, "DMA_INTR", ACK(dma_intr), .fields = DMA_INTR_NV3}},
    {"NV3:NV4", {NV_PGRAPH_DMA_INTR_EN, "DMA_INTR_EN", LINE(dma_intr_en, 0x11111), .fields = DMA_INTR_NV3}},
    STORED("NV3:NV4", 0x401210, "DMA_FLAGS", 0x03010fff),
    STORED("NV3:NV4", 0x401220, "DMA_LIMIT", ~0u),
    STORED("NV3:NV4", 0x401230, "DMA_PTE", 0xfffff003),
    STORED("NV3:NV4", 0x401240, "PTE_TAG", 0xfffff000),
    STORED("NV3:NV4", 0x401250, "ADDR_VIRT_ADJ", ~0u),
    STORED("NV3:NV4", 0x401260, "DMA_UNK60", ~0u),
    STORED("NV3", 0x401270, "DMA_BYTES", 0x003fffff),
    STORED("NV3T", 0x401270, "DMA_BYTES", 0x007fffff),
    STORED("NV3:NV4", 0x401280, "DMA_INST", 0xffff),
    STORED("NV3:NV4", 0x401290, "M2MF_LINE_COUNT", 0x7ff),
    STORED("NV3", 0x401400, "DMA_UNK400", 0x003fffff),
    STORED("NV3T", 0x401400, "DMA_UNK400", 0x007fffff),
    STORED("NV3:NV4", 0x401800, "DMA_OFFSET_0", ~0u),
    STORED("NV3:NV4", 0x401810, "DMA_OFFSET_1", ~0u),
    STORED("NV3:NV4", 0x401820, "DMA_OFFSET_2", ~0u),
    STORED("NV3:NV4", 0x401830, "DMA_PITCH", ~0u),
    STORED("NV3:NV4", 0x401840, "M2MF_FORMAT", 0x0707),
};

const size_t graph_row_count_nv1 = sizeof graph_rows_nv1 / sizeof graph_rows_nv1[0];
