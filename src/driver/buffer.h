/* SPDX-License-Identifier: MIT */
/* Buffers (memory.c), and the BARs that the CPU sees them through (bar.c). */
#ifndef PFIFO_SRC_DRIVER_BUFFER_H
#define PFIFO_SRC_DRIVER_BUFFER_H

#include "driver/device.h"

struct pfifo_buffer {
    struct pfifo_device *device;
    struct pfifo_buffer *next, *previous;
    bool system; /* in system memory */
    bool in_bar; /* the CPU sees it in BAR 1 */
    uint64_t physical;
    uint64_t address;
    uint64_t bytes;
    uint64_t bar_offset;
};

#define BAR1_BYTES_MAX (UINT64_C(256) << 20)
#define BAR3_BYTES     (UINT64_C(16) << 20)

/* How much of BAR 1 is used. */
uint64_t bar1_bytes(const struct pfifo_device *device);

/* Before the BARs are set up. */
void bar_pools(struct pfifo_device *device);
/* BAR 3 works from now on. False: no memory for tables. */
bool bar_show_instances(struct pfifo_device *device);
/* Show a buffer in BAR 1. True if it is there, at its bar_offset. */
bool bar_show(struct pfifo_buffer *buffer);
void bar_forget(struct pfifo_buffer *buffer);
/* What the CPU has written is in memory. */
void device_host_flush(struct pfifo_device *device);

#endif
