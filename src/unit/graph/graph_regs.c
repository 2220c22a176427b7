/* SPDX-License-Identifier: MIT */
/*
 * The tables of PGRAPH's registers, with the rows of G80 and later; those of earlier chips are in graph_regs_nv*.c. See
 * graph.h for the sources.
 */
#include "unit/graph/graph_regs.h"

#define INTR_G80                                                                                                       \
    "NOTIFY 0, QUERY 1, SYNC 2, ILLEGAL_MTHD 4, ILLEGAL_CLASS 5, DOUBLE_NOTIFY 6, CONTEXT_SWITCH 12, "                 \
    "BUFFER_NOTIFY 16, DATA_ERROR 20, TRAP 21, SINGLE_STEP 24"
#define INTR_GF100                                                                                                     \
    "NOTIFY 0, QUERY 1, SYNC 2, ILLEGAL_MTHD 4, ILLEGAL_CLASS 5, DOUBLE_NOTIFY 6, FIRMWARE_MTHD 8, "                   \
    "BUFFER_NOTIFY 16, CTXCTL_UP 19, DATA_ERROR 20, TRAP 21, SINGLE_STEP 24"
#define TRAP_G80        "DISPATCH 0, M2MF 1, VFETCH 2, STRMOUT 3, CCACHE 4, CLIPID 5, TEX 6, MP 7, PROP 8"
#define TRAP_GF100      "DISPATCH 0, M2MF 1, UNK2 2, CCACHE 3, SHADER 4, UNK5 5, UNK6 6, MACRO 7, SKED 8, GPC 24, ROP 25"
#define CONTROL_G80     "PULL 0, UNK8 8, UNK16 16, LIMIT 28:20"
#define CONTROL_BITS_80 0x1ff10101u

/* Registers of a unit in TRAP: writing CLEAR clears its bits, ENABLE stays. */
#define UNIT(field)       .at = G(field), .readable = ~GRAPH_UNIT_CLEAR, .write = write_unit
#define UNIT_FIELDS(bits) bits "CLEAR 30, ENABLE 31"

static void write_unit(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    uint32_t *status = reg_storage(unit, reg, index);
    if (value & GRAPH_UNIT_CLEAR)
        *status = 0;
    *status = (*status & ~GRAPH_UNIT_ENABLE) | (value & GRAPH_UNIT_ENABLE);
}

/* TPC's bit of the shader processor is there while that has an error. */
static void write_mp_warp(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct graph_regs *r = &((struct pgraph *)unit)->r;
    (void)reg, (void)index;
    r->mp_warp = value;
    r->tpc = r->mp_warp || r->mp_global ? r->tpc : 0;
}

static void write_mp_global(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct graph_regs *r = &((struct pgraph *)unit)->r;
    (void)reg, (void)index;
    r->mp_global &= ~value;
    r->tpc = r->mp_warp || r->mp_global ? r->tpc : 0;
}

#define DISPATCH_FIELDS                                                                                                \
    "METHOD 12:2, SUBCHANNEL 18:16, NONINCREASING 20, UNK21 21, SINGLE_STEP_DONE 22, DOUBLE 25, "                      \
    "CURRENT_SUBCHANNEL 29, VALID 31"

/* UNKNOWN: FIFO access after reset on G80 and later; chosen: on, as documented for NV4. */
static const struct reg_row rows_g80[] = {
    {"G80:GF100",
     {NV_PGRAPH_DISABLE, "DISABLE", AT(disable, 0x007fffff),
      .fields =
          "DISPATCH 0, M2MF 1, VFETCH 2, CCACHE 3, PREGEOM 4, POSTGEOM 5, VATTR 6, STRMOUT 7, VCLIP 8, "
          "TPC_RAST 9, TPC_PROP 10, TPC_TEX 11, TPC_GEOM 12, TPC_MP 13, RATTR 14, APLANE 15, TRAST 16, CLIPID 17, "
          "ZCULL 18, ENG2D 19, RMASK 20, ROP 21, TPC_CTRL 22"}},
    {"G80:GF100", {NV_PGRAPH_INTR, "INTR", ACK(intr), .fields = INTR_G80}},
    {"GF100-", {NV_PGRAPH_INTR, "INTR", ACK(intr), .fields = INTR_GF100}},
    {"G80:GF100", {NV_PGRAPH_TRAP, "TRAP", ACK(trap), .fields = TRAP_G80}},
    {"GF100-", {NV_PGRAPH_TRAP, "TRAP", ACK(trap), .fields = TRAP_GF100}},
    {"G80-", {NV_PGRAPH_DATA_ERROR, "DATA_ERROR", RO(data_error, ~0u)}},
    {"GF100-", {0x400118, "TRAP_GPCS", ACK(gpcs)}},
    {"GF100-", {0x40011c, "TRAP_ROPS", ACK(rops)}},
    {"GF100-", {0x400120, "INTR_NRHOST", ACK(intr_nrhost), .fields = "QUERY 1"}},
    {"GF100-", {0x400124, "INTR_EN_NRHOST", LINE(intr_en_nrhost, 2), .fields = "QUERY 1"}},
    {"GF100-", {0x400130, "TRAP_GPCS_EN", AT(gpcs_en, ~0u), .reset = ~0u}},
    {"GF100-", {0x400134, "TRAP_ROPS_EN", AT(rops_en, ~0u), .reset = ~0u}},
    {"G80:GF100", {NV_PGRAPH_TRAP_EN, "TRAP_EN", AT(trap_en, ~0u), .reset = ~0u, .fields = TRAP_G80}},
    {"GF100-", {NV_PGRAPH_TRAP_EN, "TRAP_EN", AT(trap_en, ~0u), .reset = ~0u, .fields = TRAP_GF100}},
    {"G80:GF100", {NV_PGRAPH_INTR_EN_NV40, "INTR_EN", LINE(intr_en, ~0u), .fields = INTR_G80}},
    {"GF100-", {NV_PGRAPH_INTR_EN_NV40, "INTR_EN", LINE(intr_en, ~0u), .fields = INTR_GF100}},
    {"G80:GF100", {NV_PGRAPH_CTXCTL_CUR, "CTXCTL_CUR", AT(current, 0xbfffffff), .fields = "INSTANCE 29:0, VALID 31"}},
    {"G80:GF100", {0x400330, "CTXCTL_NEXT", AT(next, 0xbfffffff), .fields = "INSTANCE 29:0, VALID 31"}},
    {"GF100-", {NV_PGRAPH_CTXCTL_CUR_GF100, "CTXCTL_CUR", AT(current, ~0u), .fields = "INSTANCE 27:0, VALID 31"}},
    {"GF100-", {0x409b04, "CTXCTL_NEXT", AT(next, ~0u), .fields = "INSTANCE 27:0, VALID 31"}},
    {"G80-",
     {NV_PGRAPH_FIFO_CONTROL, "FIFO_CONTROL", AT(access, CONTROL_BITS_80), .reset = 0x00010001,
      .write = graph_write_fifo, .fields = CONTROL_G80}},
    {"G80:GF100",
     {NV_PGRAPH_TRAPPED_ADDR, "TRAPPED_ADDR", RO(trapped_addr, ~0u), .fields = "METHOD 12:2, SUBCHANNEL 18:16"}},
    {"GF100-",
     {NV_PGRAPH_TRAPPED_ADDR, "TRAPPED_ADDR", RO(trapped_addr, ~0u), .fields = "METHOD 13:2, SUBCHANNEL 18:16"}},
    {"G80-", {NV_PGRAPH_TRAPPED_DATA, "TRAPPED_DATA", RO(trapped_data, ~0u)}},
    {"G80-", {0x40070c, "TRAPPED_DATA_HIGH", RO(trapped_data_high, ~0u)}},

    /* Units of G80 .. MCP89. UNKNOWN: other registers of these units; left out. */
    {"G80:GF100",
     {NV_PGRAPH_DISPATCH_TRAP, "DISPATCH_TRAP", UNIT(status[GRAPH_DISPATCH]),
      .fields = UNIT_FIELDS("FAULT 0, QUERY 1, GRCTX_FAULT_MMIO 2, GRCTX_FAULT_XFER1 3, GRCTX_FAULT_XFER2 4, ")}},
    {"G80:GF100",
     {NV_PGRAPH_DISPATCH_CMD_ADDR, "DISPATCH_CMD_ADDR", AT(dispatch[0], ~0u), .write = graph_write_stage,
      .fields = DISPATCH_FIELDS}},
    {"G80:GF100", {0x40080c, "DISPATCH_CMD_DATA_LOW", AT(dispatch[1], ~0u)}},
    {"G80:GF100", {0x400810, "DISPATCH_CMD_DATA_HIGH", AT(dispatch[2], ~0u)}},
    {"G80:GF100",
     {NV_PGRAPH_DISPATCH_CTX_SWITCH_1, "DISPATCH_CTX_SWITCH_1", AT(dispatch[3], ~0u), .fields = "CLASS 15:0"}},
    {"G80:GF100",
     {NV_PGRAPH_DISPATCH_MISC, "DISPATCH_MISC", AT(dispatch_misc, ~0u),
      .fields = "NOTIFY_FAULT 0, COND_FAULT 3, NOTIFY_PENDING 8, NOTIFY_AWAKEN 16"}},
    {"G80:GF100",
     {NV_PGRAPH_DISPATCH_ST2_ADDR, "DISPATCH_ST2_ADDR", AT(dispatch_st2, ~0u),
      .fields = "METHOD 12:2, SUBCHANNEL 18:16, VALID 31"}},
    {"G80:GF100", {0x40085c, "DISPATCH_ST2_DATA_LOW", RO(dispatch[1], ~0u)}},
    {"G80:GF100",
     {NV_PGRAPH_VFETCH_TRAP, "VFETCH_TRAP", UNIT(status[GRAPH_VFETCH]), .fields = UNIT_FIELDS("FAULT 0, ")}},
    {"G80:GF100",
     {NV_PGRAPH_STRMOUT_TRAP, "STRMOUT_TRAP", UNIT(status[GRAPH_STRMOUT]), .fields = UNIT_FIELDS("FAULT 0, ")}},
    {"G80:GF100", {0x401804, "STRMOUT_TRAPPED", RO_ZERO, .count = 4}},
    {"G80:GF100", {NV_PGRAPH_CLIPID_TRAP, "CLIPID_TRAP", UNIT(status[GRAPH_CLIPID]), .fields = UNIT_FIELDS("")}},
    {"G80:GF100", {0x405000, "CCACHE_TRAPPED", RO_ZERO, .count = 6}},
    {"G80:GF100",
     {NV_PGRAPH_CCACHE_TRAP, "CCACHE_TRAP", UNIT(status[GRAPH_CCACHE]), .fields = UNIT_FIELDS("FAULT 0, ")}},
    {"G80:GF100", {0x40501c, "CCACHE_TRAPPED_7", RO_ZERO}},
    {"G80:GF100",
     {NV_PGRAPH_M2MF_TRAP, "M2MF_TRAP", UNIT(status[GRAPH_M2MF]), .fields = UNIT_FIELDS("NOTIFY 0, IN 1, OUT 2, ")}},
    {"G80:GF100", {0x406804, "M2MF_TRAPPED_STATUS", RO(m2mf[0], ~0u)}},
    {"G80:GF100", {0x406808, "M2MF_TRAPPED_ADDRESS_LOW", RO(m2mf[1], ~0u)}},
    {"G80:GF100", {0x40680c, "M2MF_TRAPPED_ADDRESS_HIGH", RO(m2mf[2], ~0u)}},
    {"G80:GF100", {0x406810, "M2MF_TRAPPED_DMA", RO(m2mf[3], ~0u)}},
#define TEX_BITS "ANY 0, FAULT 1, STORAGE_TYPE_MISMATCH 2, LINEAR_MISMATCH 3, WRONG_MEMTYPE 5, "
#define PROP_BITS                                                                                                      \
    "SURF_WIDTH_OVERRUN 2, SURF_HEIGHT_OVERRUN 3, DST2D_FAULT 4, ZETA_FAULT 5, RT_FAULT 6, CUDA_FAULT 7, "             \
    "DST2D_STORAGE_TYPE_MISMATCH 8, ZETA_STORAGE_TYPE_MISMATCH 9, RT_STORAGE_TYPE_MISMATCH 10, "                       \
    "DST2D_LINEAR_MISMATCH 11, RT_LINEAR_MISMATCH 12, "
    {"G80:GT200", {NV_PGRAPH_TPC0_MP_TRAP, "TPC0_MP_TRAP", UNIT(status[GRAPH_MP]), .fields = UNIT_FIELDS("")}},
    {"G80:GT200", {NV_PGRAPH_TPC0_TEX_TRAP, "TPC0_TEX_TRAP", UNIT(status[GRAPH_TEX]), .fields = UNIT_FIELDS(TEX_BITS)}},
    {"G80:GT200", {0x408904, "TPC0_TEX_TRAPPED", RO_ZERO, .count = 4}},
    {"G80:GT200",
     {NV_PGRAPH_TPC0_PROP_TRAP, "TPC0_PROP_TRAP", UNIT(status[GRAPH_PROP]), .fields = UNIT_FIELDS(PROP_BITS)}},
    {"G80:GT200", {0x408e0c, "TPC0_PROP_TRAPPED", RO(prop, ~0u), .count = 7}},
    {"GT200:GF100", {NV_PGRAPH_TPC0_MP_TRAP_GT200, "TPC0_MP_TRAP", UNIT(status[GRAPH_MP]), .fields = UNIT_FIELDS("")}},
    {"GT200:GF100",
     {NV_PGRAPH_TPC0_TEX_TRAP_GT200, "TPC0_TEX_TRAP", UNIT(status[GRAPH_TEX]), .fields = UNIT_FIELDS(TEX_BITS)}},
    {"GT200:GF100", {0x408604, "TPC0_TEX_TRAPPED", RO_ZERO, .count = 4}},
    {"GT200:GF100",
     {NV_PGRAPH_TPC0_PROP_TRAP_GT200, "TPC0_PROP_TRAP", UNIT(status[GRAPH_PROP]), .fields = UNIT_FIELDS(PROP_BITS)}},
    {"GT200:GF100", {0x40870c, "TPC0_PROP_TRAPPED", RO(prop, ~0u), .count = 7}},

    /* Units of GF100 and later. */
    {"GF100-",
     {NV_PGRAPH_DISPATCH_TRAP_GF100, "DISPATCH_TRAP", UNIT(status[GRAPH_DISPATCH]),
      .fields = UNIT_FIELDS("INJECTED_BUNDLE_ERROR 0, CLASS_SUBCH_MISMATCH 1, SUBCHSW_DURING_NOTIFY 2, ")}},
    {"GF100:GK104", {NV_PGRAPH_CTX_CACHE_GF100, "CTX_CACHE", AT(classes, 0xffff), .count = 8, .fields = "CLASS 15:0"}},
    {"GK104-", {NV_PGRAPH_CTX_CACHE_GF100, "CTX_CACHE", AT(classes, 0xffff), .count = 4, .fields = "CLASS 15:0"}},
    {"GF100-", {0x404400, "MACRO_REG", AT(macro, ~0u), .count = 8}},
    {"GF100-", {0x404420, "MACRO_OPCODE", AT(macro[8], ~0u)}},
    {"GF100-", {0x404424, "MACRO_PC", AT(macro[9], ~0u)}},
    {"GF100-", {0x404428, "MACRO_NPC", AT(macro[10], ~0u)}},
    {"GF100-", {0x40442c, "MACRO_STATE", AT(macro[11], ~0u), .fields = "CARRY 0, UNK4 4, RUNNING 8, OPCODE_PENDING 9"}},
    {"GF100-",
     {NV_PGRAPH_MACRO_TRAP, "MACRO_TRAP", UNIT(status[GRAPH_MACRO]),
      .fields = UNIT_FIELDS("TOO_FEW_PARAMS 0, TOO_MANY_PARAMS 1, ILLEGAL_OPCODE 2, DOUBLE_BRANCH 3, WATCHDOG 4, "
                            "BLOCK 29, ")}},
    {"GF100-", {0x404494, "MACRO_TRAP_LOCATION", RO(macro_location, 0x100007ff), .fields = "PC 10:0, VALID 28"}},
    {"GF100-", {0x40449c, "MACRO_TRAP_OPCODE", RO(macro_opcode, ~0u)}},
    {"GF100-",
     {NV_PGRAPH_M2MF_TRAP_GF100, "M2MF_TRAP", UNIT(status[GRAPH_M2MF]),
      .fields = UNIT_FIELDS("PUSH_TOO_MUCH_DATA 0, PUSH_NOT_ENOUGH_DATA 1, ")}},
    {"GF100-",
     {NV_PGRAPH_SHADER_TRAP, "SHADER_TRAP", UNIT(status[4]), .fields = UNIT_FIELDS("SPH 23:0, STAGE 29:24, ")}},
    {"GF100-", {0x406018, "UNK5_TRAP", UNIT(status_other[0]), .fields = UNIT_FIELDS("")}},
    {"GF100-", {NV_PGRAPH_UNK6_TRAP, "UNK6_TRAP", UNIT(status[6]), .fields = UNIT_FIELDS("")}},
    {"GK104-", {NV_PGRAPH_SKED_TRAP, "SKED_TRAP", UNIT(status[8]), .fields = UNIT_FIELDS("")}},
    {"GF100-", {NV_PGRAPH_CCACHE_TRAP_GF100, "CCACHE_TRAP", UNIT(status[3]), .fields = UNIT_FIELDS("")}},

    /*
     * The first GPC, its first TPC, and that one's shader processor (nouveau engine/gr/gf100.c; nvgpu gk20a, gm20b,
     * gp10b: hw_gr_*.h). UNKNOWN: whether chips without a driver that reads the PC have it; chosen: all. Reset values
     * of the masks; chosen: all is reported.
     */
    {"GF100:GV100",
     {NV_PGRAPH_GPC0_TRAP, "GPC0_TRAP", ACK(gpc), .fields = "PROP 0, ZCULL 1, CCACHE 2, ESETUP 3, TPC 23:16"}},
    {"GF100:GV100",
     {NV_PGRAPH_TPC0_TRAP, "GPC0_TPC0_TRAP", RO(tpc, ~0u), .fields = "TEX 0, MP 1, POLY 2, L1C 3, MPC 4"}},
    {"GF100:GV100", {0x504644, "GPC0_TPC0_MP_TRAP_WARP_ERROR_EN", AT(mp_warp_en, ~0u), .reset = ~0u}},
    {"GF100:GV100",
     {NV_PGRAPH_MP_TRAP_WARP_ERROR, "GPC0_TPC0_MP_TRAP_WARP_ERROR", .at = G(mp_warp), .readable = ~0u,
      .write = write_mp_warp, .fields = "ERROR 15:0, WARP 23:16"}},
    {"GF100:GV100", {0x50464c, "GPC0_TPC0_MP_TRAP_GLOBAL_ERROR_EN", AT(mp_global_en, ~0u), .reset = ~0u}},
    {"GF100:GV100",
     {NV_PGRAPH_MP_TRAP_GLOBAL_ERROR, "GPC0_TPC0_MP_TRAP_GLOBAL_ERROR", .at = G(mp_global), .readable = ~0u,
      .write = write_mp_global,
      .fields = "SM_TO_SM_FAULT 0, L1_ERROR 1, MULTIPLE_WARP_ERRORS 2, PHYSICAL_STACK_OVERFLOW 3, TIMEOUT 31"}},
    {"GF100:GV100", {NV_PGRAPH_MP_TRAP_PC, "GPC0_TPC0_MP_TRAP_PC", RO(mp_pc, ~0u)}},
    /* Of all shader processors. */
    {"GF100:GV100", {NV_PGRAPH_MP_TRAP_WARP_ERROR_EN, "MP_TRAP_WARP_ERROR_EN", AT(mp_warp_en, ~0u), .reset = ~0u}},
    {"GF100:GV100",
     {NV_PGRAPH_MP_TRAP_GLOBAL_ERROR_EN, "MP_TRAP_GLOBAL_ERROR_EN", AT(mp_global_en, ~0u), .reset = ~0u}},
};

static const size_t row_count_g80 = sizeof rows_g80 / sizeof rows_g80[0];

const struct graph_table graph_tables[GRAPH_TABLES] = {
    {"NV1:NV4", graph_rows_nv1, &graph_row_count_nv1},
    {"NV4:G80", graph_rows_nv4, &graph_row_count_nv4},
    {"NV4:G80", graph_rows_nv4_drawing, &graph_row_count_nv4_drawing},
    {"NV10:NV20", graph_rows_nv10, &graph_row_count_nv10},
    {"NV20:G80", graph_rows_nv20, &graph_row_count_nv20},
    {"G80-", rows_g80, &row_count_g80},
};
