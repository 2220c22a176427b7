/* SPDX-License-Identifier: MIT */
/*
 * The same for the other kind of PFIFO: one channel on a PBDMA of GF100 or GK104, one word at a time.
 *
 *   GP ring --entry--> segment --word--> METHOD0/DATA0 --> host methods, engines
 *
 * Modelled:     GP entries with their control forms, LEVEL, FETCH; packets of all forms with CMD_TYPES; subdevice
 * masks; host methods of 906F, A06F and A16F; semaphores with their timeout; GP_CRC, METHOD_CRC;
 *               INTR_0 with INTR_STALL; load from and save to RAMFC and USERD.
 * Not modelled: other channels, timeslices, PB_CRC, MMU fault records, PFIFO's own interrupts; virtual memory but its
 * beginning, where the address is that of VRAM. Sources:      NVIDIA open-gpu-doc classes/host/cl906f.h, cla06f.h,
 * manuals/volta/gv100/dev_pbdma.ref.txt, dev_ram.ref.txt; envytools docs/hw/fifo/{dma-pusher,puller}.rst,
 * rnndb/fifo/gf100_pfifo.xml.
 *
 * Order of work: a method in METHOD0 executes (1 unit); else a word or a GP entry is fetched (1 unit).
 */
#ifndef PFIFO_TESTS_REFERENCE_PBDMA_H
#define PFIFO_TESTS_REFERENCE_PBDMA_H

#include "reference.h"

#define PBDMA_REFERENCE_WORDS 64

struct pbdma_reference_config {
    uint8_t *vram; /* also what virtual addresses below `mapped` mean */
    uint64_t vram_bytes, mapped;
    uint64_t instance;             /* VRAM address of RAMFC */
    bool gf100;                    /* SET_OBJECT names the engine, 0x70..0x78 are kept; else the subchannel says it */
    bool a16f;                     /* class A16F: reductions, WFI */
    uint32_t engines;              /* bit per engine that exists */
    uint32_t copy;                 /* GK104: engine of subchannel 4 */
    struct reference_config calls; /* bind, method, busy, event and opaque of it */
};

struct pbdma_reference {
    struct pbdma_reference_config config;
    uint32_t word[PBDMA_REFERENCE_WORDS]; /* while the channel is loaded */
    bool loaded, faulted;
    uint32_t intr, stall; /* INTR_0, INTR_STALL */
    uint32_t bound[8];
    uint64_t time;
    uint32_t units;              /* of the step under way */
    struct reference_stop waits; /* for what METHOD0 waits */
};

void pbdma_reference_init(struct pbdma_reference *r, const struct pbdma_reference_config *config);
struct reference_stop pbdma_reference_run(struct pbdma_reference *r, uint64_t budget, uint32_t channel);

#endif
