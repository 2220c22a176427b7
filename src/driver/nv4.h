/* SPDX-License-Identifier: MIT */
/*
 * What the drivers of NV4 .. NV3x and of NV40 .. NV4x do differently: a row each.
 *
 *   RAMIN  NV4   0x10000 RAMHT | 0x18000 RAMFC | 0x18800 RAMRO | 0x18a00 heap                             | 0x100000
 *          NV40  0x10000 RAMHT | 0x18000 RAMRO | 0x20000 RAMFC | 0x21000 the hardware's | 0x40000 heap    | 0x1000000
 *
 * The heap has objects and the page table of GART.
 *
 * Sources: nouveau engine/fifo/{nv04,nv10,nv17,nv40,dmanv04,dmanv10,dmanv17,dmanv40}.c, subdev/instmem/{nv04,nv40}.c,
 *          subdev/mmu/{vmmnv04,vmmnv41}.c (128 and 512 MiB of GART).
 */
#ifndef PFIFO_SRC_DRIVER_NV4_H
#define PFIFO_SRC_DRIVER_NV4_H

#include "driver/driver.h"

/* A word of RAMFC that is not 0 when a channel begins. */
struct nv4_ramfc_value {
    uint32_t offset, value;
};

struct nv4_driver_variant {
    const char *chips;
    const struct driver_cache *cache;
    /* RAMIN, and where it is visible */
    unsigned ramin_bar;
    uint32_t ramin_at;
    uint32_t ramfc, ramro, heap;
    uint64_t gart_bytes;
    /* RAMHT's context word */
    uint8_t channel_shift, engine_shift;
    uint32_t valid;
    /* RAMFC */
    uint32_t pushbuffer_object; /* offset of the word with the instance */
    uint32_t graph_page;        /* offset of the word that names PGRAPH's context; 0: there is none */
    struct nv4_ramfc_value values[2];
    /* PFIFO */
    uint32_t dma_timeslice;
    void (*set_ramfc)(struct pfifo_device *device);
    const uint16_t *ramfc_regs; /* CACHE1's part of a channel, cleared when the channel goes; 0 ends it */
    /* Registers of a DMA channel. `user_get`: GET; or CGET, which stays in the ring while a segment runs. */
    uint32_t user, user_stride, user_get;
};

struct nv4_device {
    struct pfifo_device base;
    const struct nv4_driver_variant *variant;
    uint64_t vram_bytes; /* with RAMIN */
    uint64_t vram_object, gart_object;
};

struct nv4_channel {
    struct pfifo_channel base;
    struct channel_object vram, gart;
    uint32_t get; /* the GPU's last known slot */
};

static inline const struct nv4_driver_variant *nv4_variant_of(const struct pfifo_device *device) {
    return ((const struct nv4_device *)device)->variant;
}

/* nv4_channel.c: how PGRAPH of NV40 and later names the channel. */
uint32_t nv4_graph_page(const struct pfifo_channel *channel);

/* nv4_variants.c */
const struct nv4_driver_variant *nv4_find_variant(const struct pfifo_chip *chip);

/* nv4.c: a handle for an object that is there. */
enum pfifo_status nv4_add_handle(struct pfifo_channel *channel, struct channel_object *object, uint64_t instance,
                                 unsigned engine, struct pfifo_error *error);

/* nv4_channel.c */
enum pfifo_status nv4_channel_open(struct pfifo_channel *channel, struct pfifo_error *error);
void nv4_channel_close(struct pfifo_channel *channel);
void nv4_object_gone(struct pfifo_channel *channel, const struct channel_object *object);
uint32_t nv4_ring_get(struct pfifo_channel *channel);
void nv4_ring_put(struct pfifo_channel *channel);
void nv4_ring_move(struct pfifo_channel *channel, uint32_t address);
bool nv4_idle(struct pfifo_channel *channel);
uint32_t nv4_reference(struct pfifo_channel *channel);
bool nv4_pio_ready(struct pfifo_channel *channel);
/* The channel that nobody uses, where CACHE1 is parked. */
uint32_t nv4_idle_channel(const struct pfifo_device *device);

#endif
