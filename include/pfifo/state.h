/* SPDX-License-Identifier: MIT */
/*
 * Save and restore: the whole machine as a stream of bytes, at any stop.
 *
 * A run continued from a restore is the same run: the same events, memory, registers and stop reasons, and saving
 * again gives the same bytes. The stream is the same on every host. It has a version for each of its sections; a
 * version that the library does not know is an error, and so is damage: each section has a checksum.
 *
 * Saved: registers, VRAM and own system memory (pages that are not all zero), also what config.vram and config.system
 *        supply, with the same bytes for every form of memory; translations in the TLB, channels on and off the chip,
 *        what engines keep, the virtual clock, the number of events sent, the last stop.
 * Not saved: what belongs to the embedder: system memory of config.system_map, config.clock, observers, and the
 *        setting of config.materialise_cache. The GPU that loads keeps its own. With config.clock, PTIMER continues
 * from the time of that clock. A device of pfifo/driver.h has state of its own: pfifo_device_save().
 *
 * Library: libpfifo
 */
#ifndef PFIFO_STATE_H
#define PFIFO_STATE_H

#include <pfifo/engine.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;

/*
 * Pass the state to `write`, piece by piece; the GPU does not change. Do not call this from a callback in a run.
 * Errors: PFIFO_ERROR_IO if `write` returns false, _MEMORY, _ARGUMENT in a run; _UNSUPPORTED if an engine of the
 * embedder without the operation `save` has been used (the message names it).
 */
PFIFO_API enum pfifo_status pfifo_gpu_save(struct pfifo_gpu *gpu, pfifo_writer write, void *opaque,
                                           struct pfifo_error *error);

/*
 * Restore a state. The GPU must be of the same chip and have the same memory sizes, and config.system_map must be set
 * or not set, as when the state was saved. Set the embedder's engines first. The previous state of the GPU is
 * discarded; its engines and observers stay. No events are sent. Errors: PFIFO_ERROR_ARGUMENT if the state is of a
 * different GPU, or in a run; _FORMAT if the bytes are not a state, damaged or of another version (the message has
 * section and offset); _UNSUPPORTED if an engine cannot be loaded; _MEMORY. After an error the GPU is in its power-on
 * state, except in a run, or if the host has no memory for a new machine: then it does not change.
 */
PFIFO_API enum pfifo_status pfifo_gpu_load(struct pfifo_gpu *gpu, const void *data, size_t bytes,
                                           struct pfifo_error *error);

/*
 * Flag of pfifo_gpu_reset(): memories keep their contents. Without it VRAM and system memory are cleared, also what
 * config.vram and config.system supply; memory of config.system_map is not. */
#define PFIFO_RESET_KEEP_MEMORY 1u

/*
 * Back to the power-on state: registers, channels, what engines keep, the virtual clock and the number of events. The
 * GPU then does the same as one that was just made. Observers, engines and callbacks stay; engines of the embedder are
 * reset by their operation `load`, or by `channel_gone` for each channel. No events are sent; config.irq is called if
 * the line goes down. Memory of config.system_map is not touched. VRAM that is kept stays as it was seen through tiled
 * regions. Errors: PFIFO_ERROR_ARGUMENT (in a run; unknown flags), _MEMORY; nothing has changed then.
 */
PFIFO_API enum pfifo_status pfifo_gpu_reset(struct pfifo_gpu *gpu, unsigned flags, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
