/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GF100 .. TU10x, the chips with PBDMAs; playlist and channel table of GF100:GK104, runlists of GK104 and
 * later. The pages of the PBDMAs are in pbdma.h, the channels of GK104 and later in pccsr.h.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt; nouveau
 *          nvkm/engine/fifo/{gf100,gk104}.c.
 */
#ifndef PFIFO_SRC_HW_PFIFO_GF100_H
#define PFIFO_SRC_HW_PFIFO_GF100_H

#include "hw/pfifo.h"

enum {
    NV_PFIFO_CONFIG = 0x2200,
    NV_PFIFO_SUBFIFO_ENABLE = 0x2204,   /* GF100:GK104 */
    NV_PFIFO_ENG_SUBFIFO_MASK = 0x2208, /* GF100:GK104, a word per engine */
    NV_PFIFO_BAR1_BASE = 0x2254,
    NV_PFIFO_RUNLIST_BASE = 0x2270,
    NV_PFIFO_PLAYLIST_GF100 = 0x2274,
    NV_PFIFO_RUNLIST = 0x2274,
    NV_PFIFO_CURRENT_PLAYLIST_BASE = 0x2278,
    NV_PFIFO_CURRENT_PLAYLIST = 0x227c,
    NV_PFIFO_ENG_RUNLIST_BASE = 0x2280, /* two words per runlist */
    NV_PFIFO_ENG_RUNLIST = 0x2284,
    NV_PFIFO_SUBFIFO_ENGINE = 0x2390, /* GF100:GK104 */
    NV_PFIFO_PBDMA_MAP = 0x2390,      /* GK104- */

    NV_PFIFO_FREEZE_GF100 = 0x2504,
    NV_PFIFO_BIND_ERROR = 0x252c,
    NV_PFIFO_SCHED_ERROR = 0x254c,
    NV_PFIFO_CHSW_ERROR = 0x256c,
    NV_PFIFO_LB_ERROR = 0x258c,
    NV_PFIFO_VM_FAULT_SOURCE = 0x259c,
    NV_PFIFO_PBDMA_ID = 0x25a0,
    NV_PFIFO_ENGINE_INTR_EN = 0x2628,
    NV_PFIFO_ENG_FAULT = 0x262c,
    NV_PFIFO_SCHED_DISABLE = 0x2630,
    NV_PFIFO_KICK = 0x2634,    /* GF100:GK104 */
    NV_PFIFO_PREEMPT = 0x2634, /* GK104- */
    NV_PFIFO_FREEZE_1 = 0x2638,
    NV_PFIFO_ENG_STATE = 0x2640,     /* GF100:GK104, a word per engine */
    NV_PFIFO_ENGINE_STATUS = 0x2640, /* GK104-, two words per engine */
    NV_PFIFO_ENG_CH = 0x27d0,        /* GF100:GK104 */
    NV_PFIFO_VM_FAULT_INST = 0x2800, /* four words per unit of the MMU */
    NV_PFIFO_VM_FAULT_ADDRESS = 0x2804,
    NV_PFIFO_VM_FAULT_ADDRESS_HI = 0x2808,
    NV_PFIFO_VM_FAULT_STATUS = 0x280c,
    NV_PFIFO_VM_FAULT_STRIDE = 0x10,
    NV_PFIFO_INTR_RUNLIST = 0x2a00,
    NV_PFIFO_VM_FAULT_INJECT = 0x2a30, /* a word per engine */
    NV_PFIFO_BYPASS_STATUS = 0x5000,

    NV_PFIFO_CHANNEL_TABLE = 0x3000, /* GF100:GK104, two words per channel */

    NV_PTOP_DEVICE_INFO = 0x22700, /* GK104-, TOPOLOGY */
    NV_PTOP_DEVICE_INFO_ROWS = 64,
    NV_PTOP_DEVICE_INFO_CFG = 0x224fc, /* GA100- */
    NV_PTOP_DEVICE_INFO_GA100 = 0x22800,
};

/* INTR. */
#define PFIFO_INTR_BIND          (1u << 0)
#define PFIFO_INTR_BYPASS        (1u << 4)
#define PFIFO_INTR_SCHED         (1u << 8)
#define PFIFO_INTR_CHSW          (1u << 16)
#define PFIFO_INTR_MEMOP_TIMEOUT (1u << 23)
#define PFIFO_INTR_LB            (1u << 24)
#define PFIFO_INTR_DROPPED       (1u << 27)
#define PFIFO_INTR_FAULT         (1u << 28)
#define PFIFO_INTR_PBDMA         (1u << 29)
#define PFIFO_INTR_RUNLIST_EVENT (1u << 30)
#define PFIFO_INTR_NONSTALL      (1u << 31)

#define PFIFO_CONFIG_ENABLE (1u << 0) /* GF100:GK104 */

/* BAR1_BASE. */
#define PFIFO_BAR1_ADDRESS 0x0fffffffu
#define PFIFO_BAR1_ENABLE  (1u << 28)

/* RUNLIST_BASE: target in bits 29:28. */
#define PFIFO_RUNLIST_SYSTEM (3u << 28) /* not snooped */

/* An entry of a playlist or runlist in memory, up to GP10B: the first word has the channel, or is the header of a TSG.
 */
#define PFIFO_RUNLIST_ENTRY_BYTES 8
#define GF100_PLAYLIST_WORD_1     4 /* second word of a channel's entry, GF100:GK104 */

/* CURRENT_PLAYLIST. */
#define PFIFO_PLAYLIST_LENGTH 0xfffu
#define PFIFO_PLAYLIST_BUSY   (1u << 20)

/* RUNLIST: [15:0] length. */
#define PFIFO_RUNLIST_ID      20
#define PFIFO_RUNLIST_PENDING (1u << 20) /* ENG_RUNLIST */

/* KICK, PREEMPT. */
#define PFIFO_KICK_CHANNEL    0x7fu
#define PFIFO_PREEMPT_ID      0xfffu
#define PFIFO_PREEMPT_PENDING (1u << 20)

/* ENG_STATE. */
#define PFIFO_ENG_STATE_FAULTED (1u << 24)
#define PFIFO_ENG_STATE_BUSY    (1u << 31)

/* ENG_CH. */
#define PFIFO_ENG_CH_ID     0x7fu
#define PFIFO_ENG_CH_ACTIVE (1u << 8)

/* ENGINE_STATUS. */
#define PFIFO_ENGINE_STATUS_ID          0xfffu
#define PFIFO_ENGINE_STATUS_ID_IS_TSG   (1u << 12)
#define PFIFO_ENGINE_STATUS_CTX         13 /* [15:13]: 0 none, 1 valid, 5 loads, 6 saves, 7 switches */
#define PFIFO_ENGINE_STATUS_CTX_BITS    (7u << PFIFO_ENGINE_STATUS_CTX)
#define PFIFO_ENGINE_STATUS_VALID       (1u << PFIFO_ENGINE_STATUS_CTX)
#define PFIFO_ENGINE_STATUS_NEXT        16 /* [27:16] */
#define PFIFO_ENGINE_STATUS_NEXT_IS_TSG (1u << 28)
#define PFIFO_ENGINE_STATUS_FAULTED     (1u << 30)
#define PFIFO_ENGINE_STATUS_BUSY        (1u << 31)

/* VM_FAULT_INJECT: [4:0] unit. */
#define PFIFO_VM_FAULT_INJECT_VALID (1u << 8)

/* Channel table of GF100:GK104: the first word, then the second. */
#define GF100_CHANNEL_POLL    (1u << 30)
#define GF100_CHANNEL_VALID   (1u << 31)
#define GF100_STATUS_RUNNABLE (1u << 0)
#define GF100_STATUS_WAITS    (1u << 4)
#define GF100_STATUS_UNK8     (1u << 8)
#define GF100_STATUS_LOADED   (1u << 12)
#define GF100_STATUS_ENGINE   16
#define GF100_STATUS_PENDING  (1u << 28)

/* Units of the MMU. */
#define MMU_UNIT_PEEPHOLE 0x03
#define MMU_UNIT_BAR1     0x04
#define MMU_UNIT_BAR3     0x05

/* DEVICE_INFO. */
#define PTOP_KIND_DATA          1u /* [1:0] */
#define PTOP_KIND_ENUM          2u
#define PTOP_KIND_TYPE          3u
#define PTOP_CONTINUES          (1u << 31) /* the next word belongs to the same device */
#define PTOP_TYPE               2          /* [30:2] */
#define PTOP_DATA_FAULT_VALID   (1u << 2)
#define PTOP_DATA_FAULT         3 /* [9:3] */
#define PTOP_DATA_BASE          12
#define PTOP_ENUM_RESET_VALID   (1u << 2)
#define PTOP_ENUM_INTR_VALID    (1u << 3)
#define PTOP_ENUM_RUNLIST_VALID (1u << 4)
#define PTOP_ENUM_ENGINE_VALID  (1u << 5)
#define PTOP_ENUM_RESET         9  /* [13:9] */
#define PTOP_ENUM_INTR          15 /* [19:15] */
#define PTOP_ENUM_RUNLIST       21 /* [24:21] */
#define PTOP_ENUM_ENGINE        26 /* [29:26] */

#endif
