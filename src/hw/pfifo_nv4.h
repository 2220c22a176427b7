/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV1 .. MCP89, the chips with a CACHE1. NV1 and NV3 have some registers at other offsets: NV1_CACHE1_PULL0.
 *
 * Sources: envytools rnndb/fifo/{nv1,nv4,g80}_pfifo.xml, docs/hw/fifo/{intro,nv1-pfifo,dma-pusher,puller}.rst; Linux
 *          riva nv4ref.h; nouveau engine/fifo/regsnv04.h, engine/fifo/nv50.c.
 */
#ifndef PFIFO_SRC_HW_PFIFO_NV4_H
#define PFIFO_SRC_HW_PFIFO_NV4_H

#include "hw/pfifo.h"

enum {
    /* timers and the switcher */
    NV_PFIFO_DELAY_0 = 0x2040,
    NV_PFIFO_DMA_TIMESLICE = 0x2044, /* NV4- */
    NV_PFIFO_PIO_TIMESLICE = 0x2048, /* NV4:G80 */
    NV_PFIFO_SLI = 0x2058,           /* NV40- */
    NV_PFIFO_DEBUG_2 = 0x2088,       /* NV40- */

    /* areas in RAMIN, and RAMRO */
    NV_PFIFO_CONFIG_0 = 0x2200, /* NV1:NV4 */
    NV_PFIFO_RAMHT = 0x2210,
    NV_PFIFO_RAMFC = 0x2214,
    NV_PFIFO_RAMRO = 0x2218,
    NV_PFIFO_RAMFC_NV40 = 0x2220,
    NV_PFIFO_RAMFC_SELECT = 0x2230, /* NV44:G80 */
    NV_PFIFO_RUNOUT_STATUS = 0x2400,
    NV_PFIFO_RUNOUT_PUT = 0x2410,
    NV_PFIFO_RUNOUT_GET = 0x2420,

    /* channels */
    NV_PFIFO_CACHES = 0x2500,
    NV_PFIFO_MODE = 0x2504,         /* NV4:G80, a bit per channel; */
    NV_PFIFO_DMA = 0x2508,          /* which are pending, */
    NV_PFIFO_SIZE = 0x250c,         /* and the size of PIO's methods */
    NV_PFIFO_FREEZE = 0x2504,       /* G80- */
    NV_PFIFO_CHSW_STAT = 0x2508,    /* G80- */
    NV_PFIFO_CHSW_DEBUG_1 = 0x250c, /* G80- */
    NV_PFIFO_ENGINE_CTRL = 0x2520,  /* G84- */
    NV_PFIFO_CHAN_TABLE = 0x2600,   /* G80-: a word per channel */

    /* CACHE0 */
    NV_CACHE0_PUSH0 = 0x3000,
    NV_CACHE0_PULL0 = 0x3050,
    NV1_CACHE0_PULL0 = 0x3040,

    /* CACHE1 of NV1 and NV3 */
    NV1_CACHE1_PUSH1 = 0x3210, /* NV1 alone */
    NV1_CACHE1_PUT = 0x3230,   /* NV1 alone */
    NV3_CACHE1_DMA0 = 0x3220,  /* NV3: DMA launched by the kernel */
    NV1_CACHE1_PULL0 = 0x3240,
    NV1_CACHE1_PULL1 = 0x3250,
    NV1_CACHE1_CTX = 0x3280,
    NV1_CACHE1_CTX_STRIDE = 0x10,
    NV1_CACHE1_ENTRY = 0x3300, /* NV1 and NV3: METHOD and DATA alternate */
    NV3T_CACHE1_ENTRY = 0x3400,

    /* CACHE1: pusher */
    NV_CACHE1_PUSH0 = 0x3200,
    NV_CACHE1_PUSH1 = 0x3204, /* NV3- */
    NV_CACHE1_PUT = 0x3210,   /* NV3- */
    NV_CACHE1_STATUS = 0x3214,
    NV_CACHE1_DMA_PUSH = 0x3220,
    NV_CACHE1_DMA_FETCH = 0x3224,
    NV_CACHE1_DMA_STATE = 0x3228,
    NV_CACHE1_DMA_INSTANCE = 0x322c,
    NV_CACHE1_DMA_CTL = 0x3230,
    NV_CACHE1_DMA_LIMIT = 0x3234,
    NV_CACHE1_DMA_PUT = 0x3240,
    NV_CACHE1_DMA_GET = 0x3244,
    NV_CACHE1_REF = 0x3248,
    NV_CACHE1_DMA_SUBROUTINE = 0x324c, /* NV1A:G80; G80-: SUBROUTINE */

    /* CACHE1: puller */
    NV_CACHE1_PULL0 = 0x3250,
    NV_CACHE1_PULL1 = 0x3254,
    NV_CACHE1_HASH = 0x3258,
    NV_CACHE1_ACQUIRE_TIMEOUT = 0x3260,
    NV_CACHE1_ACQUIRE_TIMESTAMP = 0x3264,
    NV_CACHE1_ACQUIRE_VALUE = 0x3268,
    NV_CACHE1_SEMAPHORE = 0x326c,
    NV_CACHE1_GET = 0x3270,
    NV_CACHE1_ENGINE = 0x3280, /* four bits per subchannel */

    /* CACHE1: shadows, contexts of engines, the playlist */
    NV_CACHE1_DMA_DCOUNT = 0x32a0,
    NV_CACHE1_GRCTX_INST = 0x32e0,   /* NV40:G80 */
    NV_CACHE1_UNK32E4 = 0x32e4,      /* NV40:G80; G80-: COUNTER */
    NV_CACHE1_UNK32E8 = 0x32e8,      /* NV40:G80 */
    NV_CACHE1_UNK3300 = 0x3300,      /* NV40:G80 */
    NV_CACHE1_MPEGCTX_INST = 0x330c, /* NV41:G80 */
    NV_CACHE1_MECTX_INST = 0x3310,   /* NV41:G80 */
    NV_CACHE1_VPCTX_INST = 0x3314,   /* NV41:G80 */
    NV_PFIFO_PLAYLIST_LEN = 0x32ec,  /* G80- */
    NV_PFIFO_PLAYLIST = 0x32f4,      /* G80- */
    NV_PFIFO_KICK_CHANNEL = 0x32fc,  /* G80- */
    NV_PFIFO_FLUSH_CTRL = 0x330c,    /* G80 */

    /* CACHE1: pointers of 40 bits, and the ring; G80- */
    NV_CACHE1_DMA_PUT_HIGH = 0x3320,
    NV_CACHE1_DMA_GET_HIGH = 0x3328,
    NV_CACHE1_IB_PUT = 0x3330,
    NV_CACHE1_IB_GET = 0x3334,
    NV_CACHE1_IB_ADDRESS_LOW = 0x3340,
    NV_CACHE1_IB_CONFIG = 0x3344,
    NV_CACHE1_METHOD_COUNT = 0x3364,
    NV_CACHE1_CHAN_INST = 0x3410, /* G84- */

    /* CACHE1: entries, METHOD and DATA alternate */
    NV_CACHE1_ENTRY = 0x3800, /* NV4:NV40 */
    NV_CACHE1_ENTRY_NV40 = 0x90000,

    /* G80 */
    NV_PME_UNKB860 = 0xb860,

    /* NV1: the areas of RAMIN */
    NV_PRAM_CONFIG = 0x602200,
};

/* INTR. */
#define INTR_CACHE_ERROR     (1u << 0)
#define INTR_RUNOUT          (1u << 4)
#define INTR_RUNOUT_OVERFLOW (1u << 8)
#define INTR_LINE_FLUSH      (1u << 11) /* MCP89 */
#define INTR_DMA_PUSHER      (1u << 12)
#define INTR_DMA_PTE         (1u << 16)
#define INTR_SEMAPHORE       (1u << 20)
#define INTR_ACQUIRE_TIMEOUT (1u << 24)
#define INTR_NOTIFY          (1u << 30)
/* G80 and later */
#define INTR_BAR_FAULT (1u << 4)
#define INTR_PEEPHOLE  (1u << 6)
#define INTR_PIO_ERROR (1u << 8)

/* PUSH1. */
#define PUSH1_CHID_G80 0x7fu
#define PUSH1_MODE     (1u << 16) /* NV40-: DMA */

#define PUSH_ACCESS 1u /* PUSH0, DMA_PUSH */
#define PULL_ACCESS 1u /* PULL0 */

#define DMA_PUSH_SUSPENDED (1u << 12)
#define DMA_PUSH_ACQUIRE   (1u << 16)

#define DMA_FETCH_IB_ENABLE  (1u << 30)
#define DMA_FETCH_BIG_ENDIAN (1u << 31)

/* DMA_STATE. */
#define STATE_NONINC       (1u << 0)
#define STATE_PRIVILEGE    (1u << 1)
#define STATE_METHOD       0x00001ffcu
#define STATE_SUBCHANNEL   0x0000e000u
#define STATE_LONG_PENDING (1u << 16)
#define STATE_SUBROUTINE   (1u << 17) /* NV40-; before, bit 0 of DMA_SUBROUTINE */
#define STATE_NON_MAIN     (1u << 18)
#define STATE_ERROR        0xe0000000u
#define STATE_ERROR_SHIFT  29

/* PULL0. */
#define PULL0_HASH_FAILED     (1u << 4)
#define PULL0_DEVICE_SOFTWARE (1u << 8)
#define PULL0_SEMAPHORE_SHIFT 20 /* NV1A-: a code */
#define PULL0_SEMAPHORE_ERROR (0xfu << PULL0_SEMAPHORE_SHIFT)
#define PULL0_INVALID_ENGINE  (1u << 24)
#define PULL0_FLUSH_LINES     (1u << 25) /* MCP89, method 0x2c: FLUSH_ALL without its bit 0 */
#define PULL0_FLUSH_OPERATION (1u << 26) /* MCP89, method 0x2c: invalid operation */
#define PULL0_CAUSE                                                                                                    \
    (PULL0_HASH_FAILED | PULL0_DEVICE_SOFTWARE | PULL0_SEMAPHORE_ERROR | PULL0_INVALID_ENGINE | PULL0_FLUSH_LINES |    \
     PULL0_FLUSH_OPERATION)

/* PULL1. */
#define PULL1_ENGINE         0xfu
#define PULL1_ACQUIRE_ACTIVE (1u << 4)
#define PULL1_ACQUIRE_NEW    (1u << 5) /* G84-: which semaphore waits */
#define PULL1_ACQUIRE_GEQUAL (1u << 7)

#define SLI_MASK   0xfffu
#define SLI_ACTIVE (1u << 28)
#define SLI_ENABLE (1u << 29)

/* CACHES. */
#define CACHES_REASSIGN (1u << 0)
#define CACHES_RELOAD   (1u << 8) /* G80-: the playlist */

#define RAMFC_LARGE (1u << 16) /* RAMFC, NV1A:NV40 */

/* CHAN_TABLE. */
#define CHAN_PENDING (1u << 30)
#define CHAN_ENABLE  (1u << 31)
#define CHANNEL_IDLE 127 /* G80-, reserved: CACHE1 is here when no channel is loaded */

#define ENDIAN_OVERRIDE (1u << 0) /* FIFO_ENDIAN */
#define ENDIAN_BIG      (1u << 1)

#define DMA_CTL_VALID (1u << 31) /* AT_INFO: CTL and LIMIT hold the pushbuffer object */

#define DEBUG_1_RAMHT_ALWAYS_FAIL (1u << 18) /* G80- */

/* ---- NV1 and NV3 ---- */

/* PULL1. */
#define NV1_CONTEXT_DIRTY  (1u << 4) /* a context changed since the channel was loaded */
#define NV1_OBJECT_CHANGED (1u << 8) /* NV1: the context must be sent to PGRAPH first */

#endif
