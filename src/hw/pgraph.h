/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH, as far as a driver needs it: interrupts, refused methods, the current channel and object, FIFO access, and
 * the units that trap on G80 and later.
 *
 * Sources: envytools rnndb/graph/{nv1,nv3,nv4}_pgraph.xml, {g80,gf100}_pgraph/pgraph.xml; nouveau
 *          engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c.
 */
#ifndef PFIFO_SRC_HW_PGRAPH_H
#define PFIFO_SRC_HW_PGRAPH_H

enum {
    NV_PGRAPH_DISABLE = 0x400040, /* G80:GF100 */
    NV_PGRAPH_DEBUG_1 = 0x400084, /* NV1:G80 */
    NV_PGRAPH_DEBUG_3 = 0x40008c, /* NV3:G80 */

    /* interrupts, and their causes */
    NV_PGRAPH_INTR = 0x400100,
    NV_PGRAPH_INVALID = 0x400104,    /* NV1:NV4 */
    NV_PGRAPH_NSTATUS = 0x400104,    /* NV4:G80 */
    NV_PGRAPH_NSOURCE = 0x400108,    /* NV4:G80 */
    NV_PGRAPH_TRAP = 0x400108,       /* G80- */
    NV_PGRAPH_DATA_ERROR = 0x400110, /* G80- */
    NV_PGRAPH_TRAP_GPCS = 0x400118,  /* GF100- */
    NV_PGRAPH_TRAP_EN = 0x400138,    /* G80- */
    NV_PGRAPH_INTR_EN_NV40 = 0x40013c,
    NV_PGRAPH_INTR_EN = 0x400140, /* NV1:NV40 */
    NV_PGRAPH_TRAPPED_ADDR_NV1 = 0x4006a8,
    NV_PGRAPH_TRAPPED_DATA_NV1 = 0x4006ac,
    NV_PGRAPH_TRAPPED_ADDR_NV3 = 0x4006b4,
    NV_PGRAPH_TRAPPED_DATA_NV3 = 0x4006b8,
    NV_PGRAPH_TRAPPED_GINST_NV3 = 0x4006bc,
    NV_PGRAPH_TRAPPED_ADDR = 0x400704, /* NV4- */
    NV_PGRAPH_TRAPPED_DATA = 0x400708, /* NV4- */
    NV_PGRAPH_DMA_INTR = 0x401100,     /* NV3 */
    NV_PGRAPH_DMA_INTR_EN = 0x401140,  /* NV3 */

    /* FIFO access, and the stage before it */
    NV_PGRAPH_FIFO_CONTROL = 0x400500, /* G80- */
    NV_PGRAPH_ACCESS_NV1 = 0x4006a4,
    NV_PGRAPH_FIFO_NV3 = 0x4006a4,
    NV_PGRAPH_FIFO = 0x400720, /* NV4:G80 */
    NV_PGRAPH_ST2_ADDR_NV4 = 0x400754,
    NV_PGRAPH_ST2_ADDR_NV10 = 0x400764,

    /* the channel */
    NV_PGRAPH_CTX_SWITCH_NV1 = 0x400180,
    NV_PGRAPH_CTX_CONTROL_NV1 = 0x400190,
    NV_PGRAPH_CTX_USER_NV3 = 0x400194,
    NV_PGRAPH_CTX_CONTROL_NV4 = 0x400170,
    NV_PGRAPH_CTX_USER_NV4 = 0x400174,
    NV_PGRAPH_CTX_CONTROL_NV10 = 0x400144,
    NV_PGRAPH_CTX_USER_NV10 = 0x400148,
    NV_PGRAPH_CTXCTL_CUR = 0x40032c, /* NV40:GF100 */
    NV_PGRAPH_CTXCTL_CUR_GF100 = 0x409b00,

    /* its objects */
    NV_PGRAPH_CTX_SWITCH1_NV4 = 0x400160,
    NV_PGRAPH_CTX_SWITCH4_NV4 = 0x40016c, /* the object of the current method */
    NV_PGRAPH_CTX_CACHE1_NV4 = 0x400180,  /* those of eight subchannels */
    NV_PGRAPH_CTX_SWITCH1_NV10 = 0x40014c,
    NV_PGRAPH_CTX_CACHE1_NV10 = 0x400160,
    NV_PGRAPH_CTX_USER_NV40 = 0x400144,
    NV_PGRAPH_CTX_SWITCH1_NV40 = 0x400148,
    NV_PGRAPH_CTX_CACHE1_NV40 = 0x400160,
    NV_PGRAPH_CTX_CACHE_GF100 = 0x404200,
    NV_PGRAPH_DMA_INST_NV1 = 0x400680,
    NV_PGRAPH_NOTIFY_NV1 = 0x400684,
    NV_PGRAPH_GROBJ_DMA_NV3 = 0x400680,
    NV_PGRAPH_GROBJ_NOTIFY_NV3 = 0x400684,
    NV_PGRAPH_GROBJ_INST_NV3 = 0x400688,
    NV_PGRAPH_GROBJ_M2MF_NV3 = 0x40068c,

    /* units of G80:GF100 */
    NV_PGRAPH_DISPATCH_CTX_SWITCH_1 = 0x400814, /* the class of the method that trapped */
    NV_PGRAPH_DISPATCH_TRAP = 0x400804,
    NV_PGRAPH_DISPATCH_CMD_ADDR = 0x400808,
    NV_PGRAPH_DISPATCH_MISC = 0x400848,
    NV_PGRAPH_DISPATCH_ST2_ADDR = 0x40084c,
    NV_PGRAPH_VFETCH_TRAP = 0x400c04,
    NV_PGRAPH_STRMOUT_TRAP = 0x401800,
    NV_PGRAPH_CLIPID_TRAP = 0x402000,
    NV_PGRAPH_CCACHE_TRAP = 0x405018,
    NV_PGRAPH_M2MF_TRAP = 0x406800,
    NV_PGRAPH_TPC0_MP_TRAP = 0x408314,
    NV_PGRAPH_TPC0_TEX_TRAP = 0x408900,
    NV_PGRAPH_TPC0_PROP_TRAP = 0x408e08,
    NV_PGRAPH_TPC0_MP_TRAP_GT200 = 0x40831c,
    NV_PGRAPH_TPC0_TEX_TRAP_GT200 = 0x408600,
    NV_PGRAPH_TPC0_PROP_TRAP_GT200 = 0x408708,
    /* units of GF100 and later */
    NV_PGRAPH_DISPATCH_TRAP_GF100 = 0x404000,
    NV_PGRAPH_MACRO_TRAP = 0x404490,
    NV_PGRAPH_M2MF_TRAP_GF100 = 0x404600,
    NV_PGRAPH_SHADER_TRAP = 0x405840,
    NV_PGRAPH_UNK6_TRAP = 0x40601c,
    NV_PGRAPH_SKED_TRAP = 0x407020, /* GK104- */
    NV_PGRAPH_CCACHE_TRAP_GF100 = 0x408030,
    NV_PGRAPH_MP_PM_UNK000 = 0x419e00, /* of all MPs */
    NV_PGRAPH_MP_TRAP_WARP_ERROR_EN = 0x419e44,
    NV_PGRAPH_MP_TRAP_GLOBAL_ERROR_EN = 0x419e4c,
    NV_PGRAPH_MP_PM_UNK0AC = 0x419eac,
    /* GF100:GV100, of the first GPC, and of its first TPC */
    NV_PGRAPH_GPC0_TRAP = 0x502c90,
    NV_PGRAPH_TPC0_TRAP = 0x504508,
    NV_PGRAPH_MP_TRAP_WARP_ERROR = 0x504648,
    NV_PGRAPH_MP_TRAP_GLOBAL_ERROR = 0x504650,
    NV_PGRAPH_MP_TRAP_PC = 0x504654,
};

/* INTR of NV1 and NV3. */
#define GRAPH_INTR_INVALID_NV1 (1u << 0) /* NV1, NV3 */
#define GRAPH_INTR_NV1_CTXSW   (1u << 4)
#define GRAPH_XY_RANGE         (1u << 12)
#define GRAPH_MISSING_METHOD   (1u << 16)
#define GRAPH_MISSING_FORMAT   (1u << 20)
#define GRAPH_CLIP_SOFTWARE    (1u << 24)
#define GRAPH_INTR_NV1_NOTIFY  (1u << 28)
/* INTR of NV4 .. NV4x. */
#define GRAPH_INTR_ERROR_NV4     (1u << 0) /* NV4: also a notifier; NV10-: a notifier */
#define GRAPH_INTR_MISSING_HW    (1u << 4)
#define GRAPH_INTR_CTXSW         (1u << 12)
#define GRAPH_INTR_BUFFER_NOTIFY (1u << 16)
/* INTR of G80 and later. */
#define GRAPH_INTR_ILLEGAL_METHOD (1u << 4)
#define GRAPH_INTR_ILLEGAL_CLASS  (1u << 5)
#define GRAPH_INTR_DOUBLE_NOTIFY  (1u << 6)
#define GRAPH_INTR_DATA_ERROR     (1u << 20)
#define GRAPH_INTR_TRAP           (1u << 21)

/* INVALID (NV1, NV3). */
#define GRAPH_INVALID_METHOD (1u << 0)
#define GRAPH_INVALID_VALUE  (1u << 4)
#define GRAPH_INVALID_NOTIFY (1u << 8)
#define GRAPH_INVALID_DOUBLE (1u << 12)
#define GRAPH_CTXSW_NOTIFY   (1u << 16)

/* DMA_INTR (NV3). */
#define GRAPH_DMA_INSTANCE   (1u << 0)  /* the DMA object does not exist */
#define GRAPH_DMA_PRESENT    (1u << 4)  /* a page is not present */
#define GRAPH_DMA_PROTECTION (1u << 8)  /* or is read-only */
#define GRAPH_DMA_LINEAR     (1u << 12) /* beyond the limit */
#define GRAPH_DMA_NOTIFY     (1u << 16)

/* ACCESS of NV1, FIFO of NV3:G80. */
#define GRAPH_ACCESS           (1u << 0)  /* FIFO access */
#define GRAPH_HOST_NV1         (1u << 8)  /* NV1: closed together with it */
#define GRAPH_ACCESS_WRITE_NV1 (1u << 24) /* without it GRAPH_ACCESS is not written; the host's: */
#define GRAPH_HOST_WRITE_NV1   (1u << 26)
#define GRAPH_WRITES_NV1       (0xfu << 24) /* all of these, which read as 1 */
#define GRAPH_OBJECT_NV1       (0x1fu << 12)
/* FIFO_CONTROL. */
#define GRAPH_CONTROL_PULL  (1u << 0)
#define GRAPH_CONTROL_UNK16 (1u << 16)

/* CTX_CONTROL. */
#define GRAPH_CTX_CONTROL_TIME   (1u << 8)
#define GRAPH_CTX_CONTROL_CHID   (1u << 16) /* the channel is valid */
#define GRAPH_CTX_CONTROL_DEVICE (1u << 28)

/* DEBUG_1 of NV3: load DMA objects from the object in RAMIN. */
#define GRAPH_DEBUG_1_GROBJ_DMA_LOAD (1u << 16)
/* DEBUG_3 of NV20:NV40. */
#define GRAPH_DEBUG_3_AUTOMATIC (1u << 2)  /* PGRAPH switches channels by itself */
#define GRAPH_DEBUG_3_FLIPS     (1u << 25) /* Kelvin's methods */

/* Registers of units that trap: writing CLEAR clears their bits, ENABLE stays. */
#define GRAPH_UNIT_CLEAR  (1u << 30)
#define GRAPH_UNIT_ENABLE (1u << 31)

#endif
