/* SPDX-License-Identifier: MIT */
/*
 * Register files: the last value of each method, per channel and class.
 *
 *   engine -- channel number --> channel state -- subchannel --> object (class, its actions, its values)
 */
#ifndef PFIFO_SRC_ENGINE_CORE_REGISTER_FILE_H
#define PFIFO_SRC_ENGINE_CORE_REGISTER_FILE_H

#include <string.h>

#include "engine/core/family.h"
#include "fifo/channel.h"

#define ENGINE_MAX_WORDS   0x1000u /* of a class's method window, GF100-; half of it before */
#define ENGINE_MAX_KINDS   160
#define ENGINE_MAX_ADDED   8u   /* classes that engine_add_class() adds */
#define ENGINE_MAX_LISTED  128u /* classes of a chip whose methods are known, and their own index */
#define ENGINE_SUBCHANNELS 8
#define ENGINE_MAX_FILES   32 /* classes of a channel that are kept */

#define ENGINE_PARTS 4 /* of an object's private state, at most */

#define OBJECT_BLOCK 64u /* words of a bit of object.stored */

_Static_assert(ENGINE_MAX_WORDS / OBJECT_BLOCK <= 64, "a bit per block");

struct action_index;
struct class_plug;
struct kind;
struct pgraph;

/* A notifier that is due after the next method (before GF100). */
enum notify_state { NOTIFY_NONE, NOTIFY_WRITE, NOTIFY_AWAKEN };

/* A launch that is executed in slices, see work.h. */
struct work {
    bool under_way;  /* it has begun, and is not over */
    uint16_t method; /* with which method and data it comes again */
    uint32_t data;
    uint32_t progress_bytes; /* of the kind */
    void *progress;          /* how far it has come, a struct of the kind; in the memory of the object */
};

/* A class that a channel uses. */
struct object {
    uint32_t object_class;
    const struct action_index *index;
    uint64_t bound;        /* when it was bound last, in binds of the engine */
    bool foreign_reported; /* whether its class belongs to the chip has been looked up, and reported if not */
    bool shadowed;         /* its methods go through the shadow RAM, see shadow.h; derived */
    bool waiting;          /* an acquire waits, for ... */
    uint64_t wait_address;
    uint32_t wait_expected, wait_found;
    struct work work;
    uint32_t *shadow;              /* engine->words, NULL: as value[] */
    const struct class_plug *plug; /* of the kind: its methods go there, see plug.h; NULL: they do not */
    void *private;                 /* of the kind, kind->private; in the memory of the object, as the parts are */
    struct {
        const struct private_state *type; /* of kind->parts */
        void *state;
    } part[ENGINE_PARTS];
    /*
     * Bit i: methods of block i, of OBJECT_BLOCK words, were stored to since the bit was cleared. All bits of a new
     * object are set. Who derives something from values clears them, and there is one at most: of 3D objects the draw.
     */
    uint64_t stored;
    const uint32_t value[]; /* engine->words of them: written by object_set() and object_set_words() alone */
};

struct channel_state {
    uint32_t id;
    bool macro_runs; /* a macro is under way: each method is checked, see macro/macro.h */
    bool
        work_pending; /* an object may be in the middle of a launch, see work.h; set too often rather than too seldom */
    /*
     * 0, or 1 + the subchannel on which a method set state that PGRAPH forgets when another subchannel is used, see
     * engine_leave_subchannel().
     */
    uint8_t volatile_on;
    uint64_t instance; /* of the context this state was made for */
    uint8_t instance_target;
    bool left;      /* the channel was unbound, and may come back, see engine_channel_gone() */
    uint32_t ramfc; /* a sum of its RAMFC, as it left */
    enum notify_state notify;
    uint32_t bound[ENGINE_SUBCHANNELS]; /* instances of the objects on subchannels */
    struct object *subchannel[ENGINE_SUBCHANNELS];
    struct object *objects[ENGINE_MAX_FILES];
    void *shared[ENGINE_SHARED]; /* of engine->shared; NULL: not made yet */
};

struct engine {
    struct fifo *fifo;
    struct pgraph *graph; /* the chip's, also of other units' engines */
    const struct engine_family *family;
    enum chip_unit unit;
    uint32_t words; /* of a method window */
    uint64_t binds;
    uint16_t status;    /* of the method under way, for a notifier: 0, or why it failed */
    bool volatile_clip; /* own clip rectangles are among what engine_leave_subchannel() forgets */
    bool effect; /* the method just executed may have written memory, faulted or interrupted: the run ends with it */
    uint32_t channel_count;
    struct channel_state **channels;
    const struct private_state *shared[ENGINE_SHARED]; /* by the objects of a channel */
    struct {
        uint32_t object_class;
        const struct kind *kind;
    } added[ENGINE_MAX_ADDED]; /* classes, by engine_add_class() */
    unsigned added_count;
    /* Of kinds, and of classes that do not have all methods; made when first needed, NULL after the last. */
    struct action_index *indices[ENGINE_MAX_KINDS + ENGINE_MAX_ADDED + ENGINE_MAX_LISTED + 1];
};

/* Engine of `unit`, NULL if there is no memory. */
struct engine *engine_new(struct fifo *fifo, const struct engine_family *family, enum chip_unit unit);
void engine_free(void *opaque);

/*
 * Add a class, or replace one of the same number, before any object of it is bound. `kind` must live as long as the
 * engine. False: there are ENGINE_MAX_ADDED already.
 */
bool engine_add_class(struct engine *engine, uint32_t object_class, const struct kind *kind);

/* Bind a class to a subchannel. NULL if there is no memory; nothing has changed then. */
struct object *engine_bind(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                           uint32_t object_class);

/* For a restore: put an empty state of a channel, or an object in its slot `file`. NULL: no memory. */
struct channel_state *engine_restore_channel(struct engine *engine, uint32_t id);
struct object *engine_restore_object(struct engine *engine, struct channel_state *state, unsigned file,
                                     uint32_t object_class);

/*
 * Bind the class that the chip presets to a subchannel to which nothing was bound. NULL: no memory, or the class is
 * plugged in and does not take it.
 */
struct object *engine_preset(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel);

/*
 * Another object is bound to a subchannel, or methods come to another subchannel. PGRAPH before GF100 then forgets its
 * volatile state: a pending NOTIFY and, on NV10 and later, the clip rectangles that drawing objects set themselves. It
 * does so if VOLATILE_RESET of its DEBUG registers is set, as drivers do. [envytools nvhw/pgraph.c; nouveau
 * nvkm/engine/gr/nv04.c, nv10.c]
 * UNKNOWN: what Tesla forgets; chosen: the same as NV10.
 */
void engine_leave_subchannel(const struct engine *engine, struct channel_state *state);

/*
 * The state of a channel, NULL if there is none. Channel numbers are reused: a state with another descriptor or
 * instance block belongs to a channel that no longer exists.
 */
static inline struct channel_state *engine_channel(const struct engine *engine,
                                                   const struct pfifo_channel_context *channel) {
    struct channel_state *state = channel->id < engine->channel_count ? engine->channels[channel->id] : NULL;
    return state && !state->left && state->instance == channel->instance ? state : NULL;
}

/* State that the objects of a channel share. NULL: it was not made yet, or the engine has no such state. */
static inline void *channel_shared_if_made(const struct engine *engine, const struct channel_state *state,
                                           const struct private_state *type) {
    for (unsigned i = 0; i < ENGINE_SHARED; i++)
        if (engine->shared[i] == type)
            return state->shared[i];
    return NULL;
}

/* The same; it is made if it is not there. NULL: no memory, or the engine has no such state. */
void *channel_shared(const struct engine *engine, struct channel_state *state, const struct private_state *type);

/* Private state of an object: of its kind, and of a part. NULL: its kind has none. */
static inline void *object_private(const struct object *object) {
    return object->private;
}

static inline void *object_part(const struct object *object, const struct private_state *type) {
    for (unsigned i = 0; i < ENGINE_PARTS; i++)
        if (object->part[i].type == type)
            return object->part[i].state;
    return NULL;
}

/* Values for whoever writes them all. The memory of objects is allocated, and not const. */
static inline uint32_t *object_values(struct object *object) {
    object->stored = UINT64_MAX;
    return (uint32_t *)(uintptr_t)object->value;
}

static inline void object_set(struct object *object, uint32_t word, uint32_t value) {
    object->stored |= UINT64_C(1) << word / OBJECT_BLOCK;
    ((uint32_t *)(uintptr_t)object->value)[word] = value;
}

/* Words one after the other, at least one. */
static inline void object_set_words(struct object *object, uint32_t word, const uint32_t *data, uint32_t count) {
    uint32_t first = word / OBJECT_BLOCK, last = (word + count - 1) / OBJECT_BLOCK;
    uint32_t *value = (uint32_t *)(uintptr_t)object->value + word;
    object->stored |= UINT64_MAX >> (63 - (last - first)) << first;
    if (count > 16)
        memcpy(value, data, count * sizeof *data);
    else
        for (uint32_t i = 0; i < count; i++)
            value[i] = data[i];
}

/* The object on a subchannel. NULL if there is no memory. */
static inline struct object *engine_object(struct engine *engine, const struct pfifo_channel_context *channel,
                                           unsigned subchannel) {
    const struct channel_state *state = engine_channel(engine, channel);
    struct object *object = state ? state->subchannel[subchannel & (ENGINE_SUBCHANNELS - 1)] : NULL;
    return object ? object : engine_preset(engine, channel, subchannel);
}

/* Install an engine for each unit of the chip (engine.c). Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status engine_install_family(struct fifo *fifo, const struct engine_family *family,
                                        struct pfifo_error *error);

/* Has PGRAPH refused a method, so that it takes no more until its driver has looked? (engine.c) */
bool engine_halted(const struct engine *engine);

/* pfifo_engine_ops.busy: a launch is being executed in slices. */
bool engine_busy(void *opaque, const struct pfifo_channel_context *channel);

/*
 * A channel is unbound, or PFIFO is reset. On Fermi and later PGRAPH's state of a channel is in its context image in
 * memory, which stays: a driver that wakes up binds the channel again, and does not bind its objects anew. The model
 * has no such image. It keeps the state, and takes it again if the next channel of that number is bound to the same
 * instance block and its RAMFC is as this one left it: that of a new channel begins anew, with GP_GET 0. Not kept is
 * what is in the middle of something, and what an embedder's classes have.
 */
void engine_channel_gone(void *opaque, uint32_t channel);
/* A channel is bound; for struct fifo_engine. */
void engine_channel_bound(void *opaque, const struct pfifo_channel_context *channel);
/* Nothing of a channel is kept. */
void engine_forget_channel(struct engine *engine, uint32_t channel);
bool engine_waits_for(void *opaque, const struct pfifo_channel_context *channel, uint64_t *address, uint32_t *expected,
                      uint32_t *found);
/* pfifo_engine_ops.save and .load (engine_save.c). */
enum pfifo_status engine_save(void *opaque, pfifo_writer write, void *to, struct pfifo_error *error);
enum pfifo_status engine_load(void *opaque, const void *data, size_t bytes, struct pfifo_error *error);

bool engine_method_value(void *opaque, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t *value);

#endif
