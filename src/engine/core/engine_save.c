/* SPDX-License-Identifier: MIT */
/*
 * A built-in engine in the stream of a saved machine. It is a stream of its own:
 *
 *   "ENGI" binds counted, channels
 *   "PLUG" one for each class that is plugged in: its number, and what it saves
 *   "CHAN" one for each: its number and instance, its objects, which of them are on subchannels
 *
 * Register files are mostly zero: of each, the blocks of 64 words that are not are saved, after a mask of them.
 */
#include "engine/core/plug.h"
#include "engine/core/shadow.h"
#include "state/state.h"

#define BLOCK_WORDS 64u
#define NO_OBJECT   ENGINE_MAX_FILES

_Static_assert(ENGINE_MAX_WORDS / BLOCK_WORDS <= 64, "a bit per block");
/* A field that is added belongs below. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct object) == 80 + sizeof(struct work) + 16 * ENGINE_PARTS &&
                                       sizeof(struct work) == 24 &&
                                       sizeof(struct channel_state) == 128 + 8 * ENGINE_MAX_FILES + 8 * ENGINE_SHARED &&
                                       sizeof(struct engine) - sizeof(((struct engine *)0)->indices) ==
                                           64 + 8 * ENGINE_SHARED + 16 * ENGINE_MAX_ADDED),
               "every field of an engine is saved or derived");

static bool block_used(const uint32_t *words) {
    for (unsigned i = 0; i < BLOCK_WORDS; i++)
        if (words[i])
            return true;
    return false;
}

static void state_values(const struct engine *engine, uint32_t *value, struct state_io *io) {
    unsigned blocks = engine->words / BLOCK_WORDS;
    uint64_t mask = 0;
    for (unsigned i = 0; i < blocks; i++)
        mask |= (uint64_t)block_used(&value[i * BLOCK_WORDS]) << i;
    state_u64(io, &mask);
    if (blocks < 64 && mask >> blocks)
        state_fail(io, PFIFO_ERROR_FORMAT, "methods beyond the end of a class");
    for (unsigned i = 0; i < blocks; i++)
        if (mask >> i & 1)
            for (unsigned w = 0; w < BLOCK_WORDS; w++)
                state_u32(io, &value[i * BLOCK_WORDS + w]);
}

/* As many numbers of a launch's progress are saved, at least; what its kind does not have is 0. */
#define SAVED_NUMBERS 4u

/* A launch that is not under way has no progress. */
static void state_work(struct work *work, struct state_io *io) {
    state_bool(io, &work->under_way);
    if (!work->under_way)
        return;
    state_u16(io, &work->method);
    state_u32(io, &work->data);
    uint64_t *number = work->progress;
    uint32_t count = work->progress_bytes / sizeof *number;
    for (uint32_t i = 0; i < count; i++)
        state_u64(io, &number[i]);
    for (uint32_t i = count; i < SAVED_NUMBERS; i++)
        state_u64(io, &(uint64_t){0});
}

static void state_privates(const struct engine *engine, const struct channel_state *channel, struct object *object,
                           struct state_io *io) {
    const struct private_owner owner = {engine, channel, object};
    if (object->private)
        private_save_or_load(&object->index->kind->private, object->private, &owner, io);
    for (unsigned i = 0; i < ENGINE_PARTS && object->part[i].type; i++)
        private_save_or_load(object->part[i].type, object->part[i].state, &owner, io);
}

static void state_shadow(const struct engine *engine, struct object *object, struct state_io *io) {
    bool there = object->shadow != NULL;
    state_bool(io, &there);
    if (there && !shadow_split(engine, object)) {
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for a shadow");
        return;
    }
    if (there && io->loading)
        memset(object->shadow, 0, engine->words * sizeof object->shadow[0]);
    if (there)
        state_values(engine, object->shadow, io);
    shadow_update(object);
}

static void state_object(const struct engine *engine, const struct channel_state *channel, struct object *object,
                         struct state_io *io) {
    state_u64(io, &object->bound);
    state_bool(io, &object->foreign_reported);
    state_bool(io, &object->waiting);
    state_u64(io, &object->wait_address);
    state_u32(io, &object->wait_expected);
    state_u32(io, &object->wait_found);
    state_work(&object->work, io);
    if (io->loading)
        memset(object_values(object), 0, engine->words * sizeof object->value[0]);
    state_values(engine, object_values(object), io);
    state_shadow(engine, object, io);
    state_privates(engine, channel, object, io);
}

/* The objects of a channel, each in its slot. */
static void state_objects(struct engine *engine, struct channel_state *state, struct state_io *io) {
    for (unsigned file = 0; file < ENGINE_MAX_FILES && state_good(io); file++) {
        struct object *object = state->objects[file];
        bool there = object != NULL;
        state_bool(io, &there);
        if (!there)
            continue;
        uint32_t object_class = object ? object->object_class : 0;
        state_u32(io, &object_class);
        if (io->loading)
            object = engine_restore_object(engine, state, file, object_class);
        if (object)
            state_object(engine, state, object, io);
        else
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for an object");
    }
}

static unsigned engine_save_file_of(const struct channel_state *state, const struct object *object) {
    unsigned file = 0;
    while (file < ENGINE_MAX_FILES && (!object || state->objects[file] != object))
        file++;
    return file;
}

static void state_subchannels(struct channel_state *state, struct state_io *io) {
    for (unsigned i = 0; i < ENGINE_SUBCHANNELS; i++) {
        unsigned file = engine_save_file_of(state, state->subchannel[i]);
        state_index(io, &file, NO_OBJECT + 1, "object of a subchannel");
        if (file != NO_OBJECT && state_good(io) && !state->objects[file])
            state_fail(io, PFIFO_ERROR_FORMAT, "subchannel %u without its object", i);
        if (io->loading)
            state->subchannel[i] = file == NO_OBJECT || !state_good(io) ? NULL : state->objects[file];
    }
}

static bool has_macros(const struct engine *engine, const struct channel_state *channel) {
    const struct engine_macros *macros = engine->family->macros;
    return macros && channel_shared_if_made(engine, channel, macros->shared);
}

/* What the objects of a channel share, as far as it was made. */
static void state_shared(struct engine *engine, struct channel_state *channel, struct state_io *io) {
    const struct private_owner owner = {engine, channel, NULL};
    for (unsigned i = 0; i < ENGINE_SHARED && engine->shared[i] && state_good(io); i++) {
        bool there = channel->shared[i] != NULL;
        state_bool(io, &there);
        void *state = there ? channel_shared(engine, channel, engine->shared[i]) : NULL;
        if (there && !state)
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for state of a channel");
        if (state)
            private_save_or_load(engine->shared[i], state, &owner, io);
    }
    if (channel->macro_runs && !has_macros(engine, channel))
        state_fail(io, PFIFO_ERROR_FORMAT, "a macro without a machine");
}

static void engine_save_channel(struct engine *engine, uint32_t id, struct state_io *io) {
    unsigned number = id, notify, volatile_on, target;
    if (state_begin(io, "CHAN", 15)) {
        state_index(io, &number, engine->channel_count, "channel");
        if (io->loading && state_good(io) && !engine_restore_channel(engine, number))
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for a channel");
        if (state_good(io)) {
            struct channel_state *state = engine->channels[number];
            state_u64(io, &state->instance);
            target = state->instance_target;
            state_index(io, &target, MEMORY_PEER + 1, "target of memory");
            state->instance_target = (uint8_t)target;
            state_bool(io, &state->left);
            state_u32(io, &state->ramfc);
            notify = state->notify;
            state_index(io, &notify, NOTIFY_AWAKEN + 1, "notify");
            state->notify = (enum notify_state)notify;
            volatile_on = state->volatile_on;
            state_index(io, &volatile_on, ENGINE_SUBCHANNELS + 1, "subchannel of volatile state");
            state->volatile_on = (uint8_t)volatile_on;
            state_bool(io, &state->macro_runs);
            for (unsigned i = 0; i < ENGINE_SUBCHANNELS; i++)
                state_u32(io, &state->bound[i]);
            state->work_pending = true; /* found out with the next method */
            state_objects(engine, state, io);
            state_subchannels(state, io);
            state_shared(engine, state, io);
        }
    }
    state_end(io);
}

static uint32_t channels_in_use(const struct engine *engine) {
    uint32_t count = 0;
    for (uint32_t id = 0; id < engine->channel_count; id++)
        count += engine->channels[id] != NULL;
    return count;
}

static void state_engine(struct engine *engine, struct state_io *io) {
    uint32_t count = channels_in_use(engine);
    if (state_begin(io, "ENGI", 1)) {
        state_u64(io, &engine->binds);
        count = state_count(io, count, engine->channel_count, "channels");
    }
    state_end(io);
    plug_state(engine, io);
    for (uint32_t id = 0; count > 0 && state_good(io); id++) {
        if (!io->loading && !engine->channels[id])
            continue;
        engine_save_channel(engine, id, io);
        count--;
    }
}

static void engine_save_forget(struct engine *engine) {
    for (uint32_t id = 0; id < engine->channel_count; id++) {
        plug_channel_gone(engine, id);
        engine_forget_channel(engine, id);
    }
    plug_power_on(engine);
    engine->binds = 0;
    engine->effect = false;
}

enum pfifo_status engine_save(void *opaque, pfifo_writer write, void *to, struct pfifo_error *error) {
    struct state_io io;
    state_open_save(&io, write, to, error);
    state_engine(opaque, &io);
    return state_close(&io);
}

enum pfifo_status engine_load(void *opaque, const void *data, size_t bytes, struct pfifo_error *error) {
    struct engine *engine = opaque;
    struct state_io io;
    engine_save_forget(engine);
    if (!data)
        return PFIFO_OK;
    state_open_load(&io, data, bytes, error);
    state_engine(engine, &io);
    enum pfifo_status status = state_close(&io);
    if (status != PFIFO_OK)
        engine_save_forget(engine);
    return status;
}
