/* SPDX-License-Identifier: MIT */
/*
 * Classes that an embedder plugs in beside the built-in ones (pfifo_gpu_add_class() in <pfifo/engine.h>).
 *
 *   puller --bind--> engine: the class is plugged in --> ops.bind
 *          --run---> engine: so is the object's ------> plug_methods() --> ops.methods
 *
 * Such a class is a kind without rows. Its objects are made, forgotten and restored as all others are, and keep the
 * values of methods. The class hears of its runs, of channels that end, and of saving. While it executes methods, the
 * context that it gets knows the method, so that faults and errors are raised as those of built-in classes are.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_PLUG_H
#define PFIFO_SRC_ENGINE_CORE_PLUG_H

#include "engine/core/register_file.h"

struct class_plug;
struct state_io;

/*
 * Plug in a class; `ops` is copied. Errors: PFIFO_ERROR_ARGUMENT (it has been plugged in already, or an object of it
 * was bound), _UNSUPPORTED (there is no room for more, or the chip has its objects in registers), _MEMORY. `opaque` is
 * not freed then.
 */
enum pfifo_status engine_plug(struct engine *engine, uint32_t object_class, const struct pfifo_class_ops *ops,
                              void *opaque, struct pfifo_error *error);
void plug_free_all(struct engine *engine);

/* Is the class built in, or does the one that is plugged in take the object? */
bool plug_takes(const struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                uint32_t object_class, uint32_t object);

/* Methods for an object of such a class. How many it took. */
uint32_t plug_methods(struct engine *engine, const struct pfifo_methods *run, struct object *object);
bool plug_busy(const struct object *object, const struct pfifo_channel_context *channel);

void plug_channel_gone(const struct engine *engine, uint32_t channel);

/* Save or load what the classes keep. Loading needs the same classes that the stream was saved with. */
void plug_state(struct engine *engine, struct state_io *io);
void plug_power_on(const struct engine *engine);

#endif
