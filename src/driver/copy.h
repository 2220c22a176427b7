/* SPDX-License-Identifier: MIT */
/*
 * What the host has of a device, kept in this process: for devices that have no saved form (save.h), and that nobody
 * else is going to load. The GPU is saved apart.
 */
#ifndef PFIFO_SRC_DRIVER_COPY_H
#define PFIFO_SRC_DRIVER_COPY_H

#include "chip/private.h"
#include "driver/device.h"

/* NULL: no memory. It may be freed after the device. */
PFIFO_PRIVATE_API struct pfifo_device *pfifo_private_device_copy(const struct pfifo_device *device);
PFIFO_PRIVATE_API void pfifo_private_device_copy_free(struct pfifo_device *copy);

/*
 * Bring the device back, and its GPU to the state that was saved then; the copy stays. Its buffers, spaces and channels
 * are others, with the same numbers. Callbacks and notifications stay. False: no memory, and nothing has changed; or
 * the state cannot be loaded, and the GPU is in the state after reset.
 */
PFIFO_PRIVATE_API bool pfifo_private_device_copy_return(const struct pfifo_device *copy, struct pfifo_device *device,
                                                        const void *state, size_t bytes);

#endif
