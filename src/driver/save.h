/* SPDX-License-Identifier: MIT */
/*
 * The state of a device. Each section has one function for both directions, as in src/state/state.h. What is loaded
 * goes into a copy of the device that has no lists; pointers in it lead to the copy's buffers and spaces, but `device`
 * is the device itself.
 */
#ifndef PFIFO_SRC_DRIVER_SAVE_H
#define PFIFO_SRC_DRIVER_SAVE_H

#include "driver/channel.h"
#include "driver/ops.h"

#include "state/state.h"

struct device_save {
    struct state_io *io;
    struct pfifo_device *device; /* that is saved, or the copy that is loaded */
    struct pfifo_device *real;
    struct pfifo_buffer **buffers; /* loading: by number */
    size_t buffer_count;
};

/* The number of items that follow, each of which takes at least so many bytes in the stream. */
uint32_t save_count(struct state_io *io, uint64_t count, uint32_t item_bytes, const char *what);
/* Loading: fail if something is not so. */
void save_check(struct state_io *io, bool so, const char *what);

/* ---- save_memory.c ---- */

void save_pool(struct state_io *io, struct pool *pool);
void save_buffers(struct device_save *save);
void save_spaces(struct device_save *save);
/* A buffer by its number, which may be 0. */
void save_buffer_pointer(struct device_save *save, struct pfifo_buffer **buffer);
/* The same of a space, which must be there. */
void save_space_pointer(struct device_save *save, struct pfifo_vm **vm);
/* Instance memory that was taken as a whole, or 0. */
void save_instance(struct device_save *save, uint64_t *address, uint64_t bytes);

/* ---- save_channel.c ---- */

void save_channels(struct device_save *save);

/* A copy takes the place of the device. What they have in common stays. */
void save_swap(struct pfifo_device *device, struct pfifo_device *copy);

/* Free lists and pools of a device without touching its GPU. */
void save_drop_lists(struct pfifo_device *device);

#endif
