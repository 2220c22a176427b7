/* SPDX-License-Identifier: MIT */
/*
 * Register files: the last value of each method, per channel and class.
 *
 *   engine -- channel number --> channel state -- subchannel --> object (class, its actions, its values)
 */
#ifndef PFIFO_SRC_ENGINE_CORE_REGISTER_FILE_H
#define PFIFO_SRC_ENGINE_CORE_REGISTER_FILE_H

#include "engine/core/engines.h"

#define ENGINE_MAX_WORDS   0x1000u /* of a class's method window, GF100-; half of it before */
#define ENGINE_MAX_KINDS   160
#define ENGINE_MAX_LISTED  128u /* classes of a chip whose methods are known, and their own index */
#define ENGINE_SUBCHANNELS 8

#define ENGINE_2D_WORDS 111 /* of PGRAPH's state of 2D objects before Tesla */

#define ENGINE_KEPT_WORDS 1024u /* of a stream of data, before they are used */

struct action_index;
struct macro;

/* A notifier that is due after the next method (before GF100). */
enum notify_state { NOTIFY_NONE, NOTIFY_WRITE, NOTIFY_AWAKEN };

/* A launch that waits for inline data, see inline.h. */
struct inline_launch {
    uint64_t bytes, left; /* of all data, and of what has not been written to memory */
    uint64_t address;
    uint32_t data; /* of the method that launched */
    uint32_t line_length, pitch, block_size, width, height, depth, layer, x, y;
    bool linear;    /* or in blocks */
    bool forbidden; /* by a condition: the data goes nowhere */
};

/* A class that a channel uses. */
struct object {
    uint32_t object_class;
    const struct action_index *index;
    uint64_t bound; /* when it was bound last, in binds of the engine */
    bool judged;    /* whether its class is one of the chip's */
    bool waiting;   /* an acquire waits, for ... */
    uint64_t wait_address;
    uint32_t wait_expected, wait_found;
    bool uses_nouveau_firmware; /* copy engine: the method map in use, see copy.c */
    bool careful;               /* methods take the way of shadow.h; derived */
    uint32_t *shadow;           /* engine->words, NULL: as value[] */
    uint64_t work_done;         /* of a launch that is being executed in slices, see work.h, */
    uint32_t work_data;         /* and with which data and method it comes again */
    uint16_t work_method;
    struct inline_launch inline_data;
    struct {
        uint64_t left;  /* words still to come, and ... */
        uint32_t count; /* ... words that have come and wait, see words.h */
        uint32_t word[ENGINE_KEPT_WORDS];
    } words;
    uint32_t value[]; /* engine->words of them, and behind them kind->extra_words */
};

struct channel_state {
    uint32_t id;
    bool macro_runs;   /* a macro is under way: methods are looked at, see macro/macro.h */
    bool may_work;     /* an object may be in the middle of a launch, see work.h; a hint */
    uint8_t fleeting;  /* 0, or 1 + the subchannel on which something was set that only lives as long as it goes on */
    uint64_t instance; /* of the context this state was made for */
    enum notify_state notify;
    uint32_t twod[ENGINE_2D_WORDS];     /* twod/nv4_state.h */
    uint32_t bound[ENGINE_SUBCHANNELS]; /* instances of the objects on subchannels */
    struct object *subchannel[ENGINE_SUBCHANNELS];
    struct object *objects[ENGINE_MAX_FILES];
    struct macro *macro; /* NULL: not used yet */
};

struct engine {
    struct fifo *fifo;
    enum chip_unit unit;
    uint32_t words; /* of a method window */
    uint64_t binds;
    uint16_t status;    /* of the method under way, for a notifier: 0, or why it failed */
    bool volatile_clip; /* own clip rectangles are among what engine_leave_subchannel() forgets */
    bool effect; /* the method just executed may have written memory, faulted or interrupted: the run ends with it */
    uint32_t channel_count;
    struct channel_state **channels;
    /* Of kinds, and of classes that do not have all methods; made when first needed, NULL behind the last. */
    struct action_index *indices[ENGINE_MAX_KINDS + ENGINE_MAX_LISTED + 1];
};

/* Engine of `unit`, NULL if there is no memory. */
struct engine *engine_new(struct fifo *fifo, enum chip_unit unit);
void engine_free(void *opaque);

/* Bind a class to a subchannel. NULL if there is no memory; nothing has changed then. */
struct object *engine_bind(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                           uint32_t object_class);

/* What restoring needs: an empty state of a channel in its place, an object in slot `file` of it. NULL: no memory. */
struct channel_state *engine_restore_channel(struct engine *engine, uint32_t id);
struct object *engine_restore_object(struct engine *engine, struct channel_state *state, unsigned file,
                                     uint32_t object_class);

/* Bind what the chip presets to a subchannel that nothing was bound to. */
struct object *engine_preset(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel);

/*
 * Another object comes to a subchannel, or methods to another one: PGRAPH before GF100 forgets what is volatile, a
 * NOTIFY that is pending and, from NV10 on, clip rectangles that drawing objects have themselves. This is so with
 * VOLATILE_RESET of its DEBUG registers, which drivers set. [envytools nvhw/pgraph.c; nouveau nvkm/engine/gr/nv04.c,
 * nv10.c] UNKNOWN: the same of Tesla; chosen: it is like NV10.
 */
void engine_leave_subchannel(const struct engine *engine, struct channel_state *state);

/*
 * The state of a channel, NULL if there is none. Channel numbers are used again: what belongs to another descriptor or
 * instance block is of a channel that is gone.
 */
static inline struct channel_state *engine_channel(const struct engine *engine,
                                                   const struct pfifo_channel_context *channel) {
    struct channel_state *state = channel->id < engine->channel_count ? engine->channels[channel->id] : NULL;
    return state && state->instance == channel->instance ? state : NULL;
}

/* The object on a subchannel. NULL if there is no memory. */
static inline struct object *engine_object(struct engine *engine, const struct pfifo_channel_context *channel,
                                           unsigned subchannel) {
    const struct channel_state *state = engine_channel(engine, channel);
    struct object *object = state ? state->subchannel[subchannel & (ENGINE_SUBCHANNELS - 1)] : NULL;
    return object ? object : engine_preset(engine, channel, subchannel);
}

/* Has PGRAPH refused a method, so that it takes no more until its driver has looked? (engine.c) */
bool engine_halted(const struct engine *engine);

/* pfifo_engine_ops.busy: a launch is being executed in slices. */
bool engine_busy(void *opaque, const struct pfifo_channel_context *channel);

void engine_channel_gone(void *opaque, uint32_t channel);
bool engine_waits_for(void *opaque, const struct pfifo_channel_context *channel, uint64_t *address, uint32_t *expected,
                      uint32_t *found);
/* pfifo_engine_ops.save and .load (engine_save.c). */
enum pfifo_status engine_save(void *opaque, pfifo_writer write, void *to, struct pfifo_error *error);
enum pfifo_status engine_load(void *opaque, const void *data, size_t bytes, struct pfifo_error *error);

bool engine_method_value(void *opaque, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t *value);

#endif
