/* SPDX-License-Identifier: MIT */
/* What the drivers of GF100 and GK104 share: instance blocks, USERD, runlists, PBDMAs, faults. */
#ifndef PFIFO_SRC_DRIVER_GPFIFO_H
#define PFIFO_SRC_DRIVER_GPFIFO_H

#include "driver/tables.h"

struct gpfifo_word {
    uint16_t offset;
    uint32_t value;
};

/* What the two do differently. */
struct gpfifo_family {
    const struct gpfifo_word *ramfc; /* initial words that are the same for all channels */
    size_t ramfc_words;
    bool channel_in_ramfc;
    /* The second word of a runlist entry. */
    uint32_t (*entry_word)(const struct pfifo_device *device, uint64_t instance);
    /* Publish a runlist. */
    void (*commit)(struct pfifo_device *device, uint64_t list, uint32_t count);
    /* Switch a channel off, so that the GPU does not go on with it. */
    void (*stop)(struct pfifo_channel *channel);
};

struct gpfifo_device {
    struct pfifo_device base;
    const struct gpfifo_family *family;
    const struct table_ops *tables;
    uint64_t directory;                   /* of the programs' virtual space */
    uint64_t bar_instance, bar_directory; /* of BAR 1: USERD from offset 0 on */
    uint64_t userd;
    uint64_t runlist[2];
    unsigned turn; /* which runlist is free */
    unsigned pbdmas;
};

struct gpfifo_channel {
    struct pfifo_channel base;
    uint64_t instance;
};

static inline struct gpfifo_device *gpfifo_of(struct pfifo_device *device) {
    return (struct gpfifo_device *)device;
}

static inline uint64_t gpfifo_instance(const struct pfifo_channel *channel) {
    return ((const struct gpfifo_channel *)channel)->instance;
}

enum pfifo_status gpfifo_init(struct pfifo_device *device, const struct gpfifo_family *family,
                              struct pfifo_error *error);
void gpfifo_start(struct pfifo_device *device); /* PBDMAs, USERD, interrupts: the last step of init */
bool gpfifo_map(struct pfifo_device *device, const struct pfifo_buffer *buffer);
void gpfifo_unmap(struct pfifo_device *device, const struct pfifo_buffer *buffer);
/* Make the instance block with RAMFC. */
enum pfifo_status gpfifo_channel_memory(struct pfifo_channel *channel, struct pfifo_error *error);
/* Publish the list of all channels that are alive; `extra` is not among the device's yet (NULL: none). */
void gpfifo_update_runlist(struct pfifo_device *device, const struct pfifo_channel *extra);
uint32_t gpfifo_ring_get(struct pfifo_channel *channel);
void gpfifo_ring_put(struct pfifo_channel *channel);

/* gpfifo_interrupt.c */
#define PMC_PFIFO (1u << 8)
void gpfifo_interrupt(struct pfifo_device *device, uint32_t lines);

/* Rings and segments have addresses of 40 bits, whatever the page tables know. */
#define GPFIFO_VA_END  (UINT64_C(1) << 40)
#define GPFIFO_CEILING (UINT64_C(1) << 39)
#define GPFIFO_SYNC    (1u << 31)
#define GPFIFO_LENGTH  0x1fffffu

#define GPFIFO_OPS                                                                                                     \
    .device_bytes = sizeof(struct gpfifo_device), .channel_bytes = sizeof(struct gpfifo_channel),                      \
    .default_mode = PFIFO_CHANNEL_IB, .has_ib_mode = true, .va_floor = PAGE_BYTES, .va_ceiling = GPFIFO_CEILING,       \
    .va_end = GPFIFO_VA_END, .max_segment_words = GPFIFO_LENGTH, .no_prefetch = GPFIFO_SYNC, .lines = PMC_PFIFO,       \
    .inst_rd32 = g80_inst_rd32, .inst_wr32 = g80_inst_wr32, .map = gpfifo_map, .unmap = gpfifo_unmap,                  \
    .ring_get = gpfifo_ring_get, .ring_put = gpfifo_ring_put, .interrupt = gpfifo_interrupt

#endif
