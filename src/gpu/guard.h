/* SPDX-License-Identifier: MIT */
/*
 * Who writes what the pusher has still to read: for libpfifo-capture.
 *
 *   an engine or PFIFO --span for writing--> memory --in a run--> writes(channel, physical memory)
 *   where a channel reads its commands --pfifo_private_gpu_push_extent()--> the same physical memory
 *
 * So every writer is seen, by whatever address, DMA object or page table it got there.
 */
#ifndef PFIFO_SRC_GPU_GUARD_H
#define PFIFO_SRC_GPU_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/private.h"

struct pfifo_gpu;

/* Physical memory: VRAM, or addresses on the bus. */
struct gpu_extent {
    bool system;
    uint64_t address, bytes;
};

struct gpu_guard {
    /*
     * Before the GPU writes. It may write less, or nothing, until the work of its method ends. `channel`: the one that
     * the machine works for, UINT32_MAX: none. May look at memory, and change nothing.
     */
    void (*writes)(void *opaque, uint32_t channel, const struct gpu_extent *extent);
    void *opaque;
};

/* NULL: nobody is told any more. The GPU must lend no threads. */
PFIFO_PRIVATE_API void pfifo_private_gpu_guard(struct pfifo_gpu *gpu, const struct gpu_guard *guard);

/*
 * The memory in which a channel reads commands at an address; at most `bytes`, and less where it is not contiguous.
 * False: the channel has no pushbuffer, or nothing is mapped there.
 */
PFIFO_PRIVATE_API bool pfifo_private_gpu_push_extent(struct pfifo_gpu *gpu, uint32_t channel, uint64_t address,
                                                     uint64_t bytes, struct gpu_extent *extent);

#endif
