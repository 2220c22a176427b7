/* SPDX-License-Identifier: MIT */
/*
 * PCCSR, the channels of GK104 .. TU10x: two words each.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt; envytools rnndb/fifo/gf100_pfifo.xml.
 */
#ifndef PFIFO_SRC_HW_PCCSR_H
#define PFIFO_SRC_HW_PCCSR_H

enum {
    NV_PCCSR_CHANNEL_INST = 0x800000,
    NV_PCCSR_CHANNEL = 0x800004,
};

/* CHANNEL_INST: [27:0] address >> 12, [29:28] target. */
#define PCCSR_INST_BIND (1u << 31)

/* CHANNEL. */
#define PCCSR_CHANNEL_ENABLE        (1u << 0)
#define PCCSR_CHANNEL_FORCE_RELOAD  (1u << 8)
#define PCCSR_CHANNEL_SET           (1u << 10)
#define PCCSR_CHANNEL_CLEAR         (1u << 11)
#define PCCSR_CHANNEL_RUNLIST_SHIFT 16
#define PCCSR_CHANNEL_RUNLIST       0x000f0000u
#define PCCSR_CHANNEL_PBDMA_BAD     (1u << 22)
#define PCCSR_CHANNEL_ENG_BAD       (1u << 23)
#define PCCSR_CHANNEL_STATUS        24
#define PCCSR_CHANNEL_STATUS_BITS   0x0f000000u
#define PCCSR_CHANNEL_BUSY          (1u << 28)

#endif
