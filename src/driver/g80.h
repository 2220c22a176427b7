/* SPDX-License-Identifier: MIT */
/* The driver of G80 .. MCP89: g80.c the device, g80_bar.c its BARs, g80_channel.c channels. */
#ifndef PFIFO_SRC_DRIVER_G80_H
#define PFIFO_SRC_DRIVER_G80_H

#include "driver/tables.h"

#define G80_TIMESLICE         0x01003fffu
#define G80_VA_BYTES          (UINT64_C(1) << 40)
#define G80_DIRECTORY_ENTRIES 0x800u

/* What differs from chip to chip: g80.c has the rows. */
struct g80_variant {
    const char *chips;
    const struct driver_cache *cache;
    uint32_t page_directory;  /* offset in a channel's descriptor */
    uint32_t host_flush;      /* register */
    uint32_t peephole;        /* register of the address; that of the data is the next one */
    uint32_t engines;         /* PMC ENABLE: PGRAPH, copies and video, with their channel switch units */
    uint32_t vm_fault;        /* clients whose faults are recorded */
    uint8_t fault_field_bits; /* of the fields of a fault's first word */
    bool flushes_retries;     /* PFIFO has a second TLB client, for retries */
    bool ramfc_apart;         /* RAMFC and CACHE are not in the descriptor */
};

struct g80_device {
    struct pfifo_device base;
    const struct g80_variant *variant;
    uint32_t tlb_clients; /* of the MMU, that are engines: a bit each */
    uint64_t playlist[2];
    unsigned turn;          /* which playlist is free */
    uint64_t bar_directory; /* in the descriptor of the BARs */
};

struct g80_channel {
    struct pfifo_channel base;
    uint64_t descriptor;
    uint64_t ramfc;                     /* and CACHE; G80: in the descriptor */
    uint64_t heap;                      /* offset of the first free byte */
    uint64_t context[CHIP_MAX_ENGINES]; /* of each engine that the channel has objects of */
};

static inline struct g80_device *g80_of(struct pfifo_device *device) {
    return (struct g80_device *)device;
}

static inline const struct g80_variant *g80_variant_of(const struct pfifo_channel *channel) {
    return g80_of(channel->device)->variant;
}

static inline struct g80_channel *g80_channel_of(struct pfifo_channel *channel) {
    return (struct g80_channel *)channel;
}

/* g80.c */
void g80_flush_bar(struct pfifo_device *device);

/* g80_bar.c */
bool g80_make_bars(struct g80_device *own);
bool g80_bar_map(struct pfifo_device *device, unsigned bar, uint64_t offset, uint64_t bytes, uint64_t physical);
void g80_bar_unmap(struct pfifo_device *device, uint64_t offset, uint64_t bytes);

/* peephole.c */
void g80_release(struct pfifo_channel *channel, uint32_t object, uint64_t address, uint32_t value);

/* g80_channel.c */
void g80_copy_directory(const struct g80_channel *channel, uint64_t first, uint64_t last);
void g80_write_dma_object(struct pfifo_device *device, uint64_t object, uint32_t flags, uint64_t base, uint64_t bytes);
/* An empty channel table and playlist. */
void g80_clear_channels(struct pfifo_device *device);
enum pfifo_status g80_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                             struct pfifo_error *error);
void g80_object_gone(struct pfifo_channel *channel, const struct channel_object *object);
enum pfifo_status g80_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                 const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                 struct pfifo_error *error);
enum pfifo_status g80_channel_open(struct pfifo_channel *base, struct pfifo_error *error);
void g80_channel_close(struct pfifo_channel *channel);
uint32_t g80_ring_get(struct pfifo_channel *channel);
void g80_ring_put(struct pfifo_channel *channel);
bool g80_idle(struct pfifo_channel *channel);
uint32_t g80_reference(struct pfifo_channel *channel);
const struct fence_ops *g80_fence(const struct pfifo_channel *channel);
const struct fence_ops *g84_fence(const struct pfifo_channel *channel);

#endif
