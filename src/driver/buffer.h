/* SPDX-License-Identifier: MIT */
/* Buffers (memory.c), and the BARs that the CPU sees them through (bar.c). */
#ifndef PFIFO_SRC_DRIVER_BUFFER_H
#define PFIFO_SRC_DRIVER_BUFFER_H

#include "driver/device.h"
#include "driver/fence.h"

/* A piece of an imported buffer. */
struct buffer_extent {
    uint64_t offset; /* in the buffer */
    uint64_t physical, bytes;
};

struct pfifo_buffer {
    struct pfifo_device *device;
    struct pfifo_buffer *next, *previous;
    uint32_t id;                   /* given once */
    unsigned holds;                /* the owner's, and one of each mapping; at 0 the memory is freed */
    unsigned owners;               /* that have not freed it yet */
    bool freed;                    /* by all of them */
    bool system;                   /* in system memory */
    bool in_bar;                   /* the CPU sees it in BAR 1 */
    struct buffer_extent *extents; /* NULL: contiguous, at `physical`, and its own */
    size_t extent_count;
    uint64_t physical;
    uint64_t bytes;
    uint32_t kind, tile_mode; /* as the program has set them */
    struct pfifo_vm *vm;      /* the space of its address; NULL: none, or before G80 */
    uint64_t address;         /* 0: it has none */
    uint64_t bar_offset;
    struct buffer_uses uses;
};

struct buffer_config {
    enum pfifo_domain domain;
    uint64_t bytes;
    struct pfifo_vm *vm;           /* the space of its address; before G80: NULL */
    uint64_t address;              /* 0: where there is room */
    struct buffer_extent *extents; /* of an import, which owns the list then */
    size_t extent_count;
};

struct pfifo_buffer *buffer_make(struct pfifo_device *device, const struct buffer_config *config,
                                 struct pfifo_error *error);
/* How many of its owners are channels: of a ring, of fences, of contexts (id.c). */
unsigned device_claims(const struct pfifo_device *device, const struct pfifo_buffer *buffer);
void buffer_hold(struct pfifo_buffer *buffer);
void buffer_let_go(struct pfifo_buffer *buffer);
/* How many bytes at `offset` are contiguous, at most `bytes`, and their physical address. */
uint64_t buffer_piece(const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes, uint64_t *physical);

#define BAR1_BYTES_MAX (UINT64_C(256) << 20)
#define BAR3_BYTES     (UINT64_C(16) << 20)

/* How much of BAR 1 is used. */
uint64_t bar1_bytes(const struct pfifo_device *device);

/* Before the BARs are set up. */
void bar_pools(struct pfifo_device *device);
/* Map instance memory in BAR 3. False: no memory for tables. */
bool bar_show_instances(struct pfifo_device *device);
/* Show a buffer in BAR 1. True if it is there, at its bar_offset. */
bool bar_show(struct pfifo_buffer *buffer);
void bar_forget(struct pfifo_buffer *buffer);
/* Wait until what the CPU has written is in memory. */
void device_host_flush(struct pfifo_device *device);

#endif
