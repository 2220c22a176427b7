/* SPDX-License-Identifier: MIT */
/*
 * A channel: its entry in the channel table, and PFIFO's state for it beside RAMFC. Its execution state is in its
 * RAMFC, or in the words of the PBDMA on which it is loaded.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_CHANNEL_H
#define PFIFO_SRC_FIFO_PBDMA_CHANNEL_H

#include "fifo/channel.h"

#define PBDMA_NONE UINT32_MAX /* instead of the number of a channel, a TSG or an entry of a runlist: there is none */

/* Bits of pbdma_channel.faulted. */
#define PBDMA_FAULTED  0x1
#define ENGINE_FAULTED 0x2

struct pbdma;

struct pbdma_channel {
    struct pfifo_channel_context context;
    struct pbdma *on;  /* the PBDMA it is loaded on, or NULL */
    uint32_t instance; /* channel table word 0 as written */
    uint32_t status;   /* what is stored of channel table word 1 */
    bool bound;        /* it has an instance block */
    bool enabled;
    bool reload;                       /* FORCE_CTX_RELOAD since it was loaded last */
    uint8_t faulted;                   /* PBDMA_FAULTED, ENGINE_FAULTED: does not run */
    uint16_t classes[8];               /* bound last, for events only */
    uint32_t tsg;                      /* that it is listed in, PBDMA_NONE: none */
    uint32_t crc_left;                 /* methods that METHOD_CRC will still count, see crc.h */
    uint64_t pb_crc_begin, pb_crc_end; /* what PB_CRC counts already: from the segment's beginning up to the end */
};

#endif
