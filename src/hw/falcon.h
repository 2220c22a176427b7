/* SPDX-License-Identifier: MIT */
/*
 * The host interface of falcons (G98 and later), relative to a unit's base.
 *
 * Sources: envytools rnndb/falcon/falcon.xml, docs/hw/falcon/; nouveau engine/falcon.c, engine/ce/gt215.c.
 */
#ifndef PFIFO_SRC_HW_FALCON_H
#define PFIFO_SRC_HW_FALCON_H

enum {
    NV_FALCON_INTR_TRIGGER = 0x000,
    NV_FALCON_INTR_ACK = 0x004,
    NV_FALCON_INTR = 0x008,
    NV_FALCON_INTR_EN_SET = 0x010,
    NV_FALCON_INTR_EN_CLR = 0x014,
    NV_FALCON_INTR_EN = 0x018,
    NV_FALCON_INTR_ROUTING = 0x01c, /* [15:0] lines for the host, [31:16] exceptions from that */
    NV_FALCON_SCRATCH0 = 0x040,     /* written by firmware: [15:0] error, [26:16] method >> 2, [29:27] subchannel */
    NV_FALCON_SCRATCH1 = 0x044,     /* and data */
    NV_FALCON_CHANNEL_CUR = 0x050,
    NV_FALCON_CHANNEL_NEXT = 0x054,
};

/* INTR. */
#define FALCON_INTR_SCRATCH0    (1u << 6) /* the firmware refuses a method */
#define FALCON_INTR_SCRATCH1    (1u << 7)
#define FALCON_INTR_MEMIF_FAULT (1u << 9)
#define FALCON_INTR_BLOCK       (1u << 10) /* copy engines */
#define FALCON_INTR_NONBLOCK    (1u << 11)

#endif
