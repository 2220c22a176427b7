/* SPDX-License-Identifier: MIT */
/*
 * Waiting for one submission: fences of channels (pfifo/driver.h), the buffers that submissions use, and the syncpoints
 * of Tegras.
 *
 *   struct pfifo_fence fence;
 *   pfifo_channel_submit(channel, address, bytes, 0, &error);
 *   pfifo_channel_fence(channel, &fence, &error);
 *   pfifo_buffer_use(texture, &fence, &error);       the commands above read it
 *   ...
 *   pfifo_fence_wait(&fence, UINT64_MAX, &error);    or pfifo_buffer_wait(texture, UINT64_MAX, &error);
 *
 * A fence is a few commands after the others of its channel, as a kernel driver sends them:
 *
 *   NV10 .. NV4x, G80         REF_CNT (method 0x50): a program cannot use it for itself as well
 *   NV4, NV5                  method 0x150 of a software object: subchannel 7 belongs to the fences
 *   G84 and later             a semaphore release (methods 0x10 .. 0x1c; 0x60 before GF100), to memory of the channel
 *   channels that take PIO    no commands: done when neither CACHE1 nor RAMRO has anything of the channel
 *
 * So a fence says that PFIFO has passed everything before it to the engines, and that these have taken it. If the
 * engine's work goes on after that, as a copy engine's does, use the engine's own semaphore.
 *
 * Waits run the GPU (pfifo_device_run()), with all its channels, in steps of 4096 units until what is waited for is
 * there. Fences may only be used by the thread that uses the device, and not from its callbacks.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_FENCE_H
#define PFIFO_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_device;
struct pfifo_channel;
struct pfifo_buffer;

/*
 * A value: copy it as you like; nothing has to be freed. It is valid as long as the device. All zero: a fence that is
 * done.
 */
struct pfifo_fence {
    struct pfifo_device *device;
    uint64_t channel; /* not the hardware's number: it is never used again */
    uint64_t sequence;
};

/*
 * Queue a fence after everything that was submitted, and tell the GPU. Errors: those of pfifo_channel_submit();
 * PFIFO_ERROR_MEMORY (no memory for the channel's first fence).
 */
PFIFO_API enum pfifo_status pfifo_channel_fence(struct pfifo_channel *channel, struct pfifo_fence *fence,
                                                struct pfifo_error *error);

/* Does not run the GPU. A fence is also done if its channel is closed, or was switched off after a fault. */
PFIFO_API bool pfifo_fence_done(const struct pfifo_fence *fence);

/*
 * Run the GPU until the fence is done, at most `budget` units. Errors: PFIFO_ERROR_TIMEOUT (the budget is used up, or
 * nothing moves: the message says what the GPU waits for); PFIFO_ERROR_FAULT (a fault has ended the channel before).
 */
PFIFO_API enum pfifo_status pfifo_fence_wait(const struct pfifo_fence *fence, uint64_t budget,
                                             struct pfifo_error *error);

/* ---- buffers ---- */

/* The buffer is in use until the fence is done. Errors: PFIFO_ERROR_ARGUMENT, PFIFO_ERROR_MEMORY. */
PFIFO_API enum pfifo_status pfifo_buffer_use(struct pfifo_buffer *buffer, const struct pfifo_fence *fence,
                                             struct pfifo_error *error);
/* Is one of the fences of its uses not done yet? Does not run the GPU. */
PFIFO_API bool pfifo_buffer_busy(struct pfifo_buffer *buffer);
/* Run the GPU until it is not busy, as pfifo_fence_wait() does; if a fault ends a channel, that is no error here. */
PFIFO_API enum pfifo_status pfifo_buffer_wait(struct pfifo_buffer *buffer, uint64_t budget, struct pfifo_error *error);

/* ---- syncpoints: GK20A, GM20B, GP10B; others answer PFIFO_ERROR_UNSUPPORTED ---- */

/*
 * A syncpoint is a counter of 32 bits that wraps. Channels increment it (host methods 0x70 and 0x74, 3D method 0x2c8),
 * or wait for a threshold; so does the host. A threshold is reached when (int32_t)(counter - threshold) >= 0.
 * Syncpoints have the numbers 0 to pfifo_syncpoint_count() - 1; the count is 0 on chips without syncpoints.
 */
PFIFO_API uint32_t pfifo_syncpoint_count(const struct pfifo_device *device);
PFIFO_API enum pfifo_status pfifo_syncpoint_value(struct pfifo_device *device, uint32_t syncpoint, uint32_t *value,
                                                  struct pfifo_error *error);
PFIFO_API enum pfifo_status pfifo_syncpoint_increment(struct pfifo_device *device, uint32_t syncpoint,
                                                      struct pfifo_error *error);
/* Run the GPU until the threshold is reached. PFIFO_ERROR_TIMEOUT as above. */
PFIFO_API enum pfifo_status pfifo_syncpoint_wait(struct pfifo_device *device, uint32_t syncpoint, uint32_t threshold,
                                                 uint64_t budget, struct pfifo_error *error);

/*
 * Call `reached` once when the threshold is reached: at once, if it is reached already. It is called from within the
 * run or access that increments, and may do what an observer of events may (pfifo/event.h). Errors: PFIFO_ERROR_MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_syncpoint_notify(struct pfifo_device *device, uint32_t syncpoint, uint32_t threshold,
                                                   void (*reached)(void *opaque, uint32_t syncpoint), void *opaque,
                                                   struct pfifo_error *error);
/* Cancel all notifications with this `opaque`. */
PFIFO_API void pfifo_syncpoint_forget(struct pfifo_device *device, const void *opaque);

/*
 * The channel's own syncpoint: not 0, and no other channel's until this one is closed. Nothing but the program's
 * commands increments it. Its value stays what it was. Errors: PFIFO_ERROR_MEMORY: none is left.
 */
PFIFO_API enum pfifo_status pfifo_channel_syncpoint(struct pfifo_channel *channel, uint32_t *syncpoint,
                                                    struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
