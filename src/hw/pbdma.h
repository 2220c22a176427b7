/* SPDX-License-Identifier: MIT */
/*
 * The page of registers of a PBDMA (PSUBFIFO on GF100). Its words 0x00 .. 0xff are those of RAMFC, the first bytes of
 * a channel's instance block.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt,
 *          dev_ram.ref.txt.
 */
#ifndef PFIFO_SRC_HW_PBDMA_H
#define PFIFO_SRC_HW_PBDMA_H

enum {
    NV_PBDMA_BASE = 0x40000,
    NV_PBDMA_STRIDE = 0x2000,

    /* with RAMFC */
    NV_PBDMA_GP_PUT = 0x00,
    NV_PBDMA_MEM_OP_A = 0x04,
    NV_PBDMA_USERD = 0x08,
    NV_PBDMA_USERD_HI = 0x0c,
    NV_PBDMA_SIGNATURE = 0x10,
    NV_PBDMA_GP_GET = 0x14,
    NV_PBDMA_GET = 0x18,
    NV_PBDMA_GET_HI = 0x1c,
    NV_PBDMA_TOP_LEVEL_GET = 0x20,
    NV_PBDMA_TOP_LEVEL_GET_HI = 0x24,
    NV_PBDMA_REF = 0x28,
    NV_PBDMA_RUNTIME = 0x2c,
    NV_PBDMA_ACQUIRE = 0x30,
    NV_PBDMA_ACQUIRE_DEADLINE = 0x34,
    NV_PBDMA_SEM_ADDR_HI = 0x38,
    NV_PBDMA_SEM_ADDR_LO = 0x3c,
    NV_PBDMA_SEM_PAYLOAD_LO = 0x40,
    NV_PBDMA_SEM_EXECUTE = 0x44,
    NV_PBDMA_GP_BASE = 0x48,
    NV_PBDMA_GP_BASE_HI = 0x4c,
    NV_PBDMA_GP_FETCH = 0x50,
    NV_PBDMA_PB_FETCH = 0x54,
    NV_PBDMA_PB_FETCH_HI = 0x58,
    NV_PBDMA_PUT = 0x5c,
    NV_PBDMA_PUT_HI = 0x60,
    NV_PBDMA_MEM_OP_B = 0x64,
    NV_PBDMA_GP_CRC = 0x74,
    NV_PBDMA_SYNCPOINTA = 0x78,
    NV_PBDMA_SYNCPOINTB = 0x7c,
    NV_PBDMA_WFI = 0x80,
    NV_PBDMA_PB_HEADER = 0x84,
    NV_PBDMA_PB_COUNT = 0x88,
    NV_PBDMA_SUBDEVICE = 0x94,
    NV_PBDMA_PB_CRC = 0x98,
    NV_PBDMA_CMD_TYPES = 0x9c, /* FEATURE_ENABLE */
    NV_PBDMA_MEM_OP_C = 0xa0,
    NV_PBDMA_ENGINES = 0xa4, /* two words */
    NV_PBDMA_TARGET = 0xac,
    NV_PBDMA_METHOD_CRC = 0xb0,
    NV_PBDMA_UNKB8 = 0xb8,
    NV_PBDMA_METHOD0 = 0xc0,
    NV_PBDMA_DATA0 = 0xc4,
    NV_PBDMA_GP_FLAGS = 0xe0,
    NV_PBDMA_CHID = 0xe8,
    NV_PBDMA_CONFIG = 0xf4,
    NV_PBDMA_TIMESLICE = 0xf8,
    NV_PBDMA_CHANNEL_INFO = 0xfc, /* GK104-: SET_CHANNEL_INFO */

    /* only in the page */
    NV_PBDMA_INTR_0 = 0x108,
    NV_PBDMA_INTR_EN_0 = 0x10c,
    NV_PBDMA_GP_SHADOW = 0x110,
    NV_PBDMA_HDR_SHADOW = 0x118,
    NV_PBDMA_CHANNEL = 0x120,
    NV_PBDMA_TIMEOUT = 0x12c,
    NV_PBDMA_INTR_STALL = 0x13c,
    NV_PBDMA_INTR_STALL_1 = 0x140, /* this and the next: GK104- */
    NV_PBDMA_INTR_1 = 0x148,
    NV_PBDMA_INTR_EN_1 = 0x14c,
    NV_PBDMA_HCE_DBG = 0x150, /* method and data */
};

/* INTR_0. */
#define PBDMA_INTR_GPFIFO      (1u << 13)
#define PBDMA_INTR_GPPTR       (1u << 14)
#define PBDMA_INTR_GPENTRY     (1u << 15)
#define PBDMA_INTR_GPCRC       (1u << 16)
#define PBDMA_INTR_PBPTR       (1u << 17)
#define PBDMA_INTR_PBENTRY     (1u << 18)
#define PBDMA_INTR_PBCRC       (1u << 19)
#define PBDMA_INTR_METHOD      (1u << 21)
#define PBDMA_INTR_METHODCRC   (1u << 22)
#define PBDMA_INTR_DEVICE      (1u << 23)
#define PBDMA_INTR_SEMAPHORE   (1u << 25)
#define PBDMA_INTR_ACQUIRE     (1u << 26)
#define PBDMA_INTR_PRI         (1u << 27)
#define PBDMA_INTR_NO_CTXSW    (1u << 29)
#define PBDMA_INTR_PBSEG       (1u << 30)
#define PBDMA_INTR_SIGNATURE   (1u << 31)
#define PBDMA_INTR_1_HCE_CLASS (1u << 4)

#define SEM_EXECUTE_FAIL (1u << 19) /* an acquire waits */

/* CHANNEL: its number, and is one loaded? */
#define PBDMA_CHANNEL_ID_GF100     0x7fu
#define PBDMA_CHANNEL_ACTIVE_GF100 (1u << 8)
#define PBDMA_CHANNEL_ID           0xfffu /* GK104- */
#define PBDMA_CHANNEL_ACTIVE       (1u << 13)

#endif
