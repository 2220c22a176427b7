/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA of GF100 .. GP102, one word at a time. Alone with one channel (tests/differential/pbdma.c), or as one of
 * several under the scheduler of pbdma_fifo.h.
 *
 *   GP ring --entry--> segment --word--> METHOD0/DATA0 --> host methods, engines
 *
 * Modelled:     GP entries with their control forms, LEVEL, FETCH; bad rings and pointers; packets of all forms with
 *               CMD_TYPES; subdevice masks; host methods of 906F .. C06F; semaphores with their timeout; GP_CRC,
 *               METHOD_CRC; INTR_0 and INTR_1 with what stalls; shadow registers; load from and save to RAMFC and
 * USERD. Not modelled: PB_CRC; virtual memory but its beginning, where the address is that of VRAM. Sources: NVIDIA
 * open-gpu-doc classes/host/cl906f.h .. clc06f.h, manuals/volta/gv100/dev_pbdma.ref.txt, dev_ram.ref.txt; envytools
 * docs/hw/fifo/{dma-pusher,puller}.rst, rnndb/fifo/gf100_pfifo.xml.
 *
 * Order of work: a method in METHOD0 executes (1 unit); else a word or a GP entry is fetched (1 unit).
 */
#ifndef PFIFO_TESTS_REFERENCE_PBDMA_H
#define PFIFO_TESTS_REFERENCE_PBDMA_H

#include "reference.h"

#define PBDMA_REFERENCE_WORDS 64
#define PBDMA_REFERENCE_COPY  32 /* words of the copy engine's front end, GK104 and later */

struct pbdma_reference_config {
    uint8_t *vram; /* also what virtual addresses below `mapped` mean */
    uint64_t vram_bytes, mapped;
    uint64_t instance;             /* VRAM address of RAMFC */
    bool gf100;                    /* SET_OBJECT names the engine, 0x70..0x78 are kept; else the subchannel says it */
    bool a16f;                     /* class A16F: reductions, WFI */
    bool a26f, b06f, c06f;         /* these classes, and what later ones have of them; a16f goes with b06f, c06f */
    bool syncpoints;               /* a Tegra */
    uint32_t host_class;           /* what SIGNATURE may be beside 0xface */
    uint32_t userd_bytes;          /* of a USERD: its address is aligned to that; 0: 4 KiB */
    uint32_t engines;              /* bit per engine that exists */
    uint32_t engine, copy;         /* GK104: engine of subchannels 0 .. 3 and 4 */
    uint32_t copies;               /* bit per copy engine: they check the class */
    uint32_t refused;              /* a class that engines refuse, 0: none */
    uint32_t not_served;           /* GF100: bit per engine that this unit does not work for */
    struct reference_config calls; /* bind, method, busy, event and opaque of it */
    void (*notify)(void *opaque, uint32_t engine); /* NON_STALL_INTERRUPT; NULL: nobody listens */
};

/* What all units of a chip share. */
struct pbdma_reference_shared {
    uint32_t syncpoint[192], base[64];
};

struct pbdma_reference {
    struct pbdma_reference_config config;
    struct pbdma_reference_shared *shared; /* NULL: no syncpoints */
    uint32_t word[PBDMA_REFERENCE_WORDS];  /* while the channel is loaded */
    uint32_t copy[PBDMA_REFERENCE_COPY];
    uint32_t pb_crc; /* of the words of the segment so far, if that is known: not after the rest of one was dropped */
    bool pb_crc_known;
    bool loaded, faulted;
    uint32_t intr, stall;     /* INTR_0, INTR_STALL */
    uint32_t intr_1, stall_1; /* the same of the copy engine's front end */
    uint32_t gp_shadow[2], hdr_shadow, hce_debug[2];
    uint32_t selected;      /* engine that the step under way turned to, UINT32_MAX: none */
    uint32_t yielded;       /* YIELD was executed with this operation */
    uint64_t fault_address; /* of the access that faulted */
    bool fault_write;
    uint32_t bound[8];
    uint64_t time;
    uint32_t units;              /* of the step under way */
    struct reference_stop waits; /* for what METHOD0 waits */
};

void pbdma_reference_init(struct pbdma_reference *r, const struct pbdma_reference_config *config);
struct reference_stop pbdma_reference_run(struct pbdma_reference *r, uint64_t budget, uint32_t channel);

#endif
