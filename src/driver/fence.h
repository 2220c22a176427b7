/* SPDX-License-Identifier: MIT */
/* Fences: how a family sends one, and how it reads the progress of a channel. */
#ifndef PFIFO_SRC_DRIVER_FENCE_H
#define PFIFO_SRC_DRIVER_FENCE_H

#include <pfifo/fence.h>

#define FENCE_CLASS 0x8000fe9cu /* of the software object that NV4 and NV5 have for them */

#define FENCE_WORDS_MAX 8u

struct fence_ops {
    /* Prepare the channel for its first fence. NULL: nothing to do. */
    enum pfifo_status (*prepare)(struct pfifo_channel *channel, struct pfifo_error *error);
    /* Write commands that make reached() return `sequence`; returns how many words. NULL: no commands are needed. */
    unsigned (*write)(const struct pfifo_channel *channel, uint32_t sequence, uint32_t words[FENCE_WORDS_MAX]);
    /* The low half of the last sequence that is done. */
    uint32_t (*reached)(struct pfifo_channel *channel);
};

/* The fences of a channel. */
struct channel_fences {
    const struct fence_ops *ops; /* NULL: it has sent none */
    struct pfifo_buffer *buffer; /* a page for the semaphore, then commands */
    uint64_t address;            /* of the buffer, in the channel's space */
    uint64_t sent, reached;      /* sequences */
    uint32_t software;           /* the last one that a software method has set */
};

/* The uses of a buffer: the last fence of each channel. */
struct buffer_uses {
    struct pfifo_fence *fences;
    size_t count, room;
};

extern const struct fence_ops fence_by_reference, fence_by_software, fence_by_idleness, fence_by_g84_semaphore,
    fence_by_gf100_semaphore;

/* DMA channels of NV4 .. NV4x by what the chip has; PIO channels. */
const struct fence_ops *fence_before_g80(const struct pfifo_channel *channel);

void channel_fences_drop(struct pfifo_channel *channel);

/* ---- syncpoint.c ---- */

/* A callback for when a syncpoint reaches a threshold. */
struct syncpoint_notice {
    uint32_t syncpoint, threshold;
    void (*reached)(void *opaque, uint32_t syncpoint);
    void *opaque;
};

struct syncpoint_notices {
    struct syncpoint_notice *notices;
    size_t count, room;
};

void syncpoints_forget(struct pfifo_device *device);

/* Has a channel this one? */
bool device_has_syncpoint(const struct pfifo_device *device, uint32_t syncpoint);
/* The channel, which has none, gets this one. False: another has it. */
bool channel_take_syncpoint(struct pfifo_channel *channel, uint32_t syncpoint);

#endif
