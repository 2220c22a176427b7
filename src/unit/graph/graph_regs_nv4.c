/* SPDX-License-Identifier: MIT */
/*
 * Registers of PGRAPH of NV4 .. NV4x: debugging, interrupts, channel and object, the FIFO, M2MF. See graph_regs.h for
 * the sources.
 */
#include "unit/graph/graph_regs.h"

#define INTR_NV4  "NOTIFY 0, MISSING_HW 4, TLB_PRESENT_A 8, TLB_PRESENT_B 9, CONTEXT_SWITCH 12, BUFFER_NOTIFY 16"
#define INTR_NV10 INTR_NV4 ", ERROR 20"

#define NSTATUS_NV4  "STATE_IN_USE 11, INVALID_STATE 12, BAD_ARGUMENT 13, PROTECTION_FAULT 14"
#define NSTATUS_NV10 "STATE_IN_USE 23, INVALID_STATE 24, BAD_ARGUMENT 25, PROTECTION_FAULT 26"
#define NSOURCE_FIELDS                                                                                                 \
    "NOTIFICATION 0, DATA_ERROR 1, PROTECTION_ERROR 2, RANGE_EXCEPTION 3, LIMIT_COLOR 4, LIMIT_ZETA 5, "               \
    "ILLEGAL_MTHD 6, DMA_R_PROTECTION 7, DMA_W_PROTECTION 8, FORMAT_EXCEPTION 9, PATCH_EXCEPTION 10, "                 \
    "STATE_INVALID 11, DOUBLE_NOTIFY 12, NOTIFY_IN_USE 13, METHOD_CNT 14, BFR_NOTIFICATION 15, "                       \
    "DMA_VTX_PROTECTION 16, DMA_WIDTH_B 18, FD_INVALID_OPERATION 19"

#define DEBUG_1_FIELDS "LAST_VOLATILE_RESET 0, CTX_ALWAYS_RELOAD 15, CTX_SWITCH 20"

#define CHECK_NV4  "DATA_CHECK 20, DATA_CHECK_FORCE_FAIL 21, FORMAT_CHECK 22, DMA_CHECK 23, STATE_CHECK 28"
#define CHECK_NV10 "DATA_CHECK 20, DATA_CHECK_FORCE_FAIL 21, FORMAT_CHECK 22, DMA_CHECK 23, STATE_CHECK 24"
#define CHECK_NV20 "AUTOMATIC_SWITCH 2, " CHECK_NV10

#define DEBUG_1(chips, bits)                                                                                           \
    {                                                                                                                  \
        chips, {                                                                                                       \
            NV_PGRAPH_DEBUG_1, "DEBUG_1", AT(debug_1, bits), .write = graph_write_debug_1, .fields = DEBUG_1_FIELDS    \
        }                                                                                                              \
    }
/* Bits 30 and 31 read back exchanged. */
#define DEBUG_1_NV10(chips, bits)                                                                                      \
    {                                                                                                                  \
        chips, {                                                                                                       \
            NV_PGRAPH_DEBUG_1, "DEBUG_1", AT(debug_1, bits), .read = graph_read_debug_1_nv10,                          \
                                                             .write = graph_write_debug_1, .fields = DEBUG_1_FIELDS    \
        }                                                                                                              \
    }
#define DEBUG_3(chips, bits, on, names)                                                                                \
    {                                                                                                                  \
        chips, {                                                                                                       \
            NV_PGRAPH_DEBUG_3, "DEBUG_3", AT(debug_3, bits), .reset = 1u << 20 | (on), .fields = (names)               \
        }                                                                                                              \
    }

/*
 * The object: its words in RAMIN, its instance, and on NV10 and later trapped methods. UNKNOWN: the values of these
 * registers before the first method; chosen: 0.
 */
#define USER(chips, offset, bits, names)                                                                               \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, "CTX_USER", AT(channel, bits), .fields = (names)                                                   \
        }                                                                                                              \
    }
#define CONTEXT(chips, offset, name, bits)                                                                             \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), RW(bits), .write = graph_write_context                                   \
        }                                                                                                              \
    }
#define CACHE1(chips, offset, bits, names)                                                                             \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, "CTX_CACHE1", .at = WORD(offset), RW(bits), .count = 8, .closed = graph_fifo_is_on,                \
                                  .fields = (names)                                                                    \
        }                                                                                                              \
    }

/* The input stage. */
#define STAGE_NV4  "VALID 0, METHOD 11:1, SUBCHANNEL 14:12, CHID 18:15, CHID_VALID 19"
#define STAGE_NV10 "METHOD 12:2, SUBCHANNEL 18:16, CHID 24:20, VALID 26"
#define STAGE_NV40 "METHOD 12:2, SUBCHANNEL 18:16, VALID 26"
#define STAGE(chips, offset, bits, names)                                                                              \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, "ST2_ADDR", .at = WORD(offset), RW(bits), .write = graph_write_stage, .fields = (names)            \
        }                                                                                                              \
    }

const struct reg_row graph_rows_nv4[] = {
    /* ---- debugging ---- */
    ACTING("NV4:NV10", 0x400080, 1, "DEBUG_0", 0x1337f000, graph_write_debug_0),
    STORED("NV10:NV17", 0x400080, "DEBUG_0", 0x0003ffff),
    STORED("NV17:NV20", 0x400080, "DEBUG_0", 0x0007ffff),
    STORED("NV20:NV25", 0x400080, "DEBUG_0", 0x03ffefff),
    STORED("NV25:NV30", 0x400080, "DEBUG_0", 0x07ffefff),
    STORED("NV30:NV34", 0x400080, "DEBUG_0", 0x3fffffff),
    STORED("NV34", 0x400080, "DEBUG_0", 0x7fffffff),
    STORED("NV40:G80", 0x400080, "DEBUG_0", 0x00000107),
    DEBUG_1("NV4", 0x72113101),
    DEBUG_1("NV5", 0xf2ffb701),
    DEBUG_1_NV10("NV10 NV15", 0xfe11f701),
    DEBUG_1_NV10("NV1A:NV20", 0xfe71f701),
    DEBUG_1("NV20:NV30", 0x0011f7c1),
    DEBUG_1("NV30:NV40", 0x7012f7c1),
    DEBUG_1("NV40:G80", 0x7010c7c1),
    STORED("NV4:NV10", 0x400088, "DEBUG_2", 0x11d7fff1),
    STORED("NV10:NV20", 0x400088, "DEBUG_2", ~0u),
    DEBUG_3("NV4", 0x11ffff33, 1u << 28, CHECK_NV4),
    DEBUG_3("NV5", 0xfbffff73, 1u << 28, CHECK_NV4),
    DEBUG_3("NV10", 0xfffffc70, 1u << 24, CHECK_NV10),
    DEBUG_3("NV15:NV17", 0xffffff78, 1u << 24, CHECK_NV10),
    {"NV17:NV20",
     {NV_PGRAPH_DEBUG_3, "DEBUG_3", .at = G(debug_3), .readable = 0xffffff78, .writable = 0xfffffb78,
      .reset = 1u << 10 | 1u << 20 | 1u << 24, .fields = CHECK_NV10}},
    DEBUG_3("NV20:NV25", 0xffffd77d, 1u << 24, CHECK_NV20),
    DEBUG_3("NV25:NV30", 0xffffdf7d, 1u << 24, CHECK_NV20),
    DEBUG_3("NV30:NV40", 0xfffedf7d, 1u << 24, CHECK_NV20),
    DEBUG_3("NV40:G80", 0xe1fad155, 1u << 24, CHECK_NV10),
    STORED("NV10:NV17", 0x400090, "DEBUG_4", 0x00ffffff),
    STORED("NV17:NV20", 0x400090, "DEBUG_4", 0x1fffffff),
    STORED("NV20:NV25", 0x400090, "DEBUG_4", 0xfffff3ff),
    STORED("NV25:NV30", 0x400090, "DEBUG_4", ~0u),
    STORED("NV30:NV40", 0x400090, "DEBUG_4", 0x3fffffff),
    STORED("NV40:G80", 0x400090, "DEBUG_4", 0x33ffffff),
    STORED("NV20:NV25", 0x400094, "DEBUG_F", 0xff),
    STORED("NV20:NV40", 0x400098, "DEBUG_G", ~0u),
    STORED("NV20:NV30", 0x40009c, "DEBUG_FD_CHECK_SKIP", 0xfff),
    STORED("NV30:NV40", 0x40009c, "DEBUG_H", ~0u),
    STORED("NV30:NV40", 0x4000a0, "DEBUG_I", ~0u),
    STORED("NV30:G80", 0x4000a4, "DEBUG_J", 0xf),
    STORED("NV40:G80", 0x4000b0, "DEBUG_K", 0x3f),
    STORED("NV25:NV30", 0x4000c0, "DEBUG_L", 0x3),
    STORED("NV30:NV40", 0x4000c0, "DEBUG_L", 0x1e),
    STORED("NV40:G80", 0x4000c0, "DEBUG_L", 0x6),

    /* ---- interrupts ---- */
    {"NV4:NV10", {NV_PGRAPH_INTR, "INTR", ACK(intr), .fields = INTR_NV4}},
    {"NV10:G80", {NV_PGRAPH_INTR, "INTR", ACK(intr), .fields = INTR_NV10}},
    {"NV4:NV10", {NV_PGRAPH_NSTATUS, "NSTATUS", AT(nstatus, 0x00007800), .fields = NSTATUS_NV4}},
    {"NV10:G80", {NV_PGRAPH_NSTATUS, "NSTATUS", AT(nstatus, 0x07800000), .fields = NSTATUS_NV10}},
    {"NV4:G80", {NV_PGRAPH_NSOURCE, "NSOURCE", RO(nsource, 0x000dffff), .fields = NSOURCE_FIELDS}},
    {"NV4:NV10", {NV_PGRAPH_INTR_EN, "INTR_EN", LINE(intr_en, 0x00011311), .fields = INTR_NV4}},
    {"NV10:NV20", {NV_PGRAPH_INTR_EN, "INTR_EN", LINE(intr_en, 0x01113711), .fields = INTR_NV10}},
    {"NV20:NV40", {NV_PGRAPH_INTR_EN, "INTR_EN", LINE(intr_en, 0x011137d1), .fields = INTR_NV10}},
    {"NV40:G80", {NV_PGRAPH_INTR_EN_NV40, "INTR_EN", LINE(intr_en, 0x03111fd1), .fields = INTR_NV10}},

    /* ---- the channel ---- */
    {"NV4:NV10", {NV_PGRAPH_CTX_CONTROL_NV4, "CTX_CONTROL", CONTROL}},
    {"NV10:NV40", {NV_PGRAPH_CTX_CONTROL_NV10, "CTX_CONTROL", CONTROL}},
    USER("NV4:NV10", NV_PGRAPH_CTX_USER_NV4, 0x0f00e000, "SUBCHANNEL 15:13, CHID 27:24"),
    USER("NV10", NV_PGRAPH_CTX_USER_NV10, 0x1f00e000, "SUBCHANNEL 15:13, CHID 28:24"),
    USER("NV15:NV20", NV_PGRAPH_CTX_USER_NV10, 0x9f00e000, "SUBCHANNEL 15:13, CHID 28:24, SINGLE_STEP 31"),
    USER("NV20:NV40", NV_PGRAPH_CTX_USER_NV10, 0x9f00ff11, "SUBCHANNEL 15:13, CHID 28:24, SINGLE_STEP 31"),
    USER("NV40:G80", NV_PGRAPH_CTX_USER_NV40, 0x8000e001, "SUBCHANNEL 15:13, SINGLE_STEP 31"),
    {"NV40:G80", {NV_PGRAPH_CTXCTL_CUR, "CTXCTL_CUR", AT(current, 0x01ffffff), .fields = "INSTANCE 23:0, VALID 24"}},
    {"NV40:G80", {0x400330, "CTXCTL_NEXT", AT(next, 0x01ffffff), .fields = "INSTANCE 23:0, VALID 24"}},

    /* ---- the object of methods ---- */
    CONTEXT("NV4", NV_PGRAPH_CTX_SWITCH1_NV4, "CTX_SWITCH1", 0x0303f0ff),
    CONTEXT("NV5", NV_PGRAPH_CTX_SWITCH1_NV4, "CTX_SWITCH1", 0x7f73f0ff),
    STORED("NV4:NV10", 0x400164, "CTX_SWITCH2", 0xffff3f03),
    STORED("NV4:NV10", 0x400168, "CTX_SWITCH3", ~0u),
    STORED("NV4:NV10", NV_PGRAPH_CTX_SWITCH4_NV4, "CTX_SWITCH4", 0xffff),
    CONTEXT("NV10 NV15", NV_PGRAPH_CTX_SWITCH1_NV10, "CTX_SWITCH1", 0x7fb3f0ff),
    CONTEXT("NV1A:NV25", NV_PGRAPH_CTX_SWITCH1_NV10, "CTX_SWITCH1", 0x7ffff0ff),
    CONTEXT("NV25:NV40", NV_PGRAPH_CTX_SWITCH1_NV10, "CTX_SWITCH1", 0x7fffffff),
    STORED("NV10:NV40", 0x400150, "CTX_SWITCH2", 0xffff3f03),
    STORED("NV10:NV40", 0x400154, "CTX_SWITCH3", ~0u),
    STORED("NV10:NV40", 0x400158, "CTX_SWITCH4", 0xffff),
    STORED("NV10:NV40", 0x40015c, "CTX_SWITCH5", ~0u),
    STORED("NV40:G80", NV_PGRAPH_CTX_SWITCH1_NV40, "CTX_SWITCH1", ~0u),
    STORED("NV40:G80", 0x40014c, "CTX_SWITCH2", ~0u),
    CONTEXT("NV40:G80", 0x400150, "CTX_SWITCH3", 0x07ffffff),
    STORED("NV40:G80", 0x400154, "CTX_SWITCH4", 0x00ffffff),
    STORED("NV40:G80", 0x400158, "CTX_SWITCH5", 0x00ffffff),
    STORED("NV40:G80", 0x40015c, "CTX_SWITCH6", ~0u),

    /* ---- of each subchannel ---- */
    CACHE1("NV4", NV_PGRAPH_CTX_CACHE1_NV4, 0x0303f0ff, "CLASS 7:0"),
    CACHE1("NV5", NV_PGRAPH_CTX_CACHE1_NV4, 0x7f73f0ff, "CLASS 7:0"),
    CACHE("NV4:NV10", 0x4001a0, "CTX_CACHE2", 0xffff3f03),
    CACHE("NV4:NV10", 0x4001c0, "CTX_CACHE3", ~0u),
    CACHE("NV4:NV10", 0x4001e0, "CTX_CACHE4", 0xffff),
    CACHE1("NV10", NV_PGRAPH_CTX_CACHE1_NV10, 0x7f33f0ff, "CLASS 7:0"),
    CACHE1("NV15", NV_PGRAPH_CTX_CACHE1_NV10, 0x7fb3f0ff, "CLASS 7:0"),
    CACHE1("NV1A:NV25", NV_PGRAPH_CTX_CACHE1_NV10, 0x7ffff0ff, "CLASS 7:0"),
    CACHE1("NV25:NV40", NV_PGRAPH_CTX_CACHE1_NV10, 0x7fffffff, "CLASS 11:0"),
    CACHE("NV10:NV40", 0x400180, "CTX_CACHE2", 0xffff3f03),
    CACHE("NV10:NV40", 0x4001a0, "CTX_CACHE3", ~0u),
    CACHE("NV10:NV40", 0x4001c0, "CTX_CACHE4", 0xffff),
    CACHE("NV10:NV40", 0x4001e0, "CTX_CACHE5", ~0u),
    CACHE1("NV40:G80", NV_PGRAPH_CTX_CACHE1_NV40, ~0u, "CLASS 15:0"),
    CACHE("NV40:G80", 0x400180, "CTX_CACHE2", ~0u),
    CACHE("NV40:G80", 0x4001a0, "CTX_CACHE3", ~0u),
    CACHE("NV40:G80", 0x4001c0, "CTX_CACHE4", ~0u),
    CACHE("NV40:G80", 0x4001e0, "CTX_CACHE5", 0x00ffffff),
    CACHE("NV40:G80", 0x400200, "CTX_CACHE6", ~0u),
    STORED("NV40:G80", 0x400220, "SRC2D_DMA", 0x00ffffff),
    STORED("NV40:G80", 0x400224, "SRC2D_PITCH", 0xffff),
    STORED("NV40:G80", 0x400228, "SRC2D_OFFSET", ~0u),

    /* ---- the method ---- */
    {"NV4:G80", {0x400700, "STATUS", .at = REG_NONE, .readable = ~0u}},
    {"NV4:NV10",
     {NV_PGRAPH_TRAPPED_ADDR, "TRAPPED_ADDR", RO(trapped_addr, ~0u),
      .fields = "METHOD 12:2, SUBCHANNEL 15:13, CHID 27:24"}},
    {"NV10:NV40",
     {NV_PGRAPH_TRAPPED_ADDR, "TRAPPED_ADDR", RO(trapped_addr, ~0u),
      .fields = "METHOD 12:2, SUBCHANNEL 18:16, CHID 24:20, DATA_HIGH_VALID 28"}},
    {"NV40:G80",
     {NV_PGRAPH_TRAPPED_ADDR, "TRAPPED_ADDR", RO(trapped_addr, ~0u), .fields = "METHOD 12:2, SUBCHANNEL 18:16"}},
    {"NV4:G80", {NV_PGRAPH_TRAPPED_DATA, "TRAPPED_DATA", RO(trapped_data, ~0u)}},
    {"NV10:G80", {0x40070c, "TRAPPED_DATA_HIGH", RO(trapped_data_high, ~0u)}},
    STORED("NV4:NV10", 0x400714, "NOTIFY", 0x00110101),
    STORED("NV10:G80", 0x400718, "NOTIFY", 0x73110101),
    {"NV4:G80",
     {NV_PGRAPH_FIFO, "FIFO", AT(access, GRAPH_ACCESS), .reset = GRAPH_ACCESS, .write = graph_write_fifo,
      .fields = "ACCESS 0"}},
    STORED_N("NV4:NV10", 0x400730, 4, "FIFO_ADDR", 0x00007fff),
    STORED_N("NV4:NV10", 0x400740, 4, "FIFO_DATA", ~0u),
    STORED("NV4:NV10", 0x400750, "FIFO_PTR", 0x77),
    STAGE("NV4", NV_PGRAPH_ST2_ADDR_NV4, 0x000fffff, STAGE_NV4),
    STAGE("NV5", NV_PGRAPH_ST2_ADDR_NV4, 0x003fffff, STAGE_NV4),
    STORED("NV4:NV10", 0x400758, "ST2_DATA", ~0u),
    STORED_N("NV10:NV17", 0x400730, 4, "FIFO_ADDR", 0x01171ffc),
    STORED_N("NV10:NV17", 0x400740, 4, "FIFO_DATA", ~0u),
    STORED_N("NV10:NV17", 0x400750, 4, "FIFO_DATA_HIGH", ~0u),
    STORED("NV10:NV17", 0x400760, "FIFO_PTR", 0x77),
    STORED("NV17:G80", 0x400760, "FIFO_PTR", 0xff),
    STAGE("NV10:NV17", NV_PGRAPH_ST2_ADDR_NV10, 0x3ff71ffc, STAGE_NV10),
    STAGE("NV17:NV40", NV_PGRAPH_ST2_ADDR_NV10, 0x7ff71ffc, STAGE_NV10),
    STAGE("NV40:G80", NV_PGRAPH_ST2_ADDR_NV10, 0x46071ffc, STAGE_NV40),
    STORED("NV10:G80", 0x400768, "ST2_DATA", ~0u),
    STORED("NV10:G80", 0x40076c, "ST2_DATA_HIGH", ~0u),
    STORED_N("NV17:G80", 0x4007a0, 8, "FIFO_ADDR", 0x00371ffc),
    STORED_N("NV17:G80", 0x4007c0, 8, "FIFO_DATA", ~0u),
    STORED_N("NV17:G80", 0x4007e0, 8, "FIFO_DATA_HIGH", ~0u),
    ACTING("NV10", 0x40077c, 1, "STATE3D", 0x7100ffff, graph_write_state3d),
    STORED("NV15:NV20", 0x40077c, "STATE3D", 0x631fffff),
    STORED("NV20:NV40", 0x40077c, "STATE3D", 0x0100ffff),
    STORED("NV20:NV25", 0x400750, "RDI_INDEX", 0x01ff1ffc),
    STORED("NV25:NV30", 0x400750, "RDI_INDEX", 0x03ff1ffc),
    STORED("NV30:NV40", 0x400750, "RDI_INDEX", 0x03ff7ffc),
    {"NV20:NV40",
     {0x400754, "RDI_DATA", .at = REG_NONE, .readable = ~0u, .read = graph_read_rdi, .write = graph_write_rdi,
      .read_acts = true}},
    STORED("NV30:NV40", 0x40075c, "UNK75C", 1),

    /* ---- M2MF, and memory access ---- */
    STORED_N("NV4:G80", 0x401000, 2, "DMA_OFFSET", ~0u),
    STORED("NV4:G80", 0x401008, "DMA_LENGTH", 0x003fffff),
    STORED("NV4:G80", 0x40100c, "DMA_MISC", 0x0077ffff),
    STORED_N("NV4:NV40", 0x401020, 2, "DMA_UNK20", ~0u),
    STORED("NV20:G80", 0x401038, "DMA_UNK38", ~0u),
    STORED("NV17:NV20", 0x40103c, "DMA_UNK3C", 0x1f),
#define DMA_ENGINE(n, base)                                                                                            \
    STORED("NV4:NV40", (base) + 0x00, "DMA_ENG_INST_" #n, 0xffff),                                                     \
        STORED("NV40:G80", (base) + 0x00, "DMA_ENG_INST_" #n, 0x00ffffff),                                             \
        STORED("NV4:G80", (base) + 0x04, "DMA_ENG_FLAGS_" #n, 0xfff33000),                                             \
        STORED("NV4:G80", (base) + 0x08, "DMA_ENG_LIMIT_" #n, ~0u),                                                    \
        STORED("NV4:G80", (base) + 0x0c, "DMA_ENG_PTE_" #n, 0xfffff002),                                               \
        STORED("NV4:G80", (base) + 0x10, "DMA_ENG_PTE_TAG_" #n, 0xfffff000),                                           \
        STORED("NV4:G80", (base) + 0x14, "DMA_ENG_ADDR_VIRT_ADJ_" #n, ~0u),                                            \
        STORED("NV4:G80", (base) + 0x18, "DMA_ENG_ADDR_PHYS_" #n, ~0u),                                                \
        STORED("NV4:G80", (base) + 0x1c, "DMA_ENG_BYTES_" #n, 0x01ffffff),                                             \
        STORED("NV4:G80", (base) + 0x20, "DMA_ENG_LINES_" #n, 0x7ff)
    DMA_ENGINE(0, 0x401040),
    DMA_ENGINE(1, 0x401080),
};

const size_t graph_row_count_nv4 = sizeof graph_rows_nv4 / sizeof graph_rows_nv4[0];
