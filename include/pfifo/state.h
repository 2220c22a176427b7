/* SPDX-License-Identifier: MIT */
/*
 * Save and restore: the whole machine as a stream of bytes, at any stop.
 *
 * A run continued from a restore is the same run: the same events, memory, registers and stop reasons, and saving
 * again gives the same bytes. The stream is the same on every host. It has a version for each of its sections; a
 * version that the library does not know is an error, and so is damage: each section has a checksum.
 *
 * Saved: registers, own VRAM and system memory (pages that are not all zero), translations in the TLB, channels on and
 *        off the chip, what engines keep, the virtual clock, the number of events sent, the last stop.
 * Not saved: the embedder's side: system memory behind config.system_map, config.clock, observers, and that
 *        config.materialise_cache is set. They are those of the GPU that loads. With config.clock, PTIMER goes on from
 *        what that clock says. A device of pfifo/driver.h keeps books of its own, which are not in its GPU.
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
 * Hand the state to `write`, piece by piece; the GPU stays as it is. Not to be called while pfifo_run() is under way.
 * Errors: PFIFO_ERROR_IO if `write` gives false, _MEMORY, _ARGUMENT in a run; _UNSUPPORTED, naming it, if an engine of
 * the embedder's without operation `save` has been used.
 */
PFIFO_API enum pfifo_status pfifo_gpu_save(struct pfifo_gpu *gpu, pfifo_writer write, void *opaque,
                                           struct pfifo_error *error);

/*
 * Take over a state. The GPU must be of the same chip, with as much memory, and its system memory on the same side;
 * engines of the embedder's must be in their places again. Whatever the GPU did before is forgotten; its engines and
 * observers stay. No events are sent.
 * Errors: PFIFO_ERROR_ARGUMENT if the state is of another kind of GPU, or in a run; _FORMAT if the bytes are not a
 * state, damaged or of another version (section and offset are named); _UNSUPPORTED if an engine cannot be loaded;
 * _MEMORY. The GPU is in its power-on state then, unless this was called in a run or the host has no memory for a fresh
 * machine: then it is as it was.
 */
PFIFO_API enum pfifo_status pfifo_gpu_load(struct pfifo_gpu *gpu, const void *data, size_t bytes,
                                           struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
