/* SPDX-License-Identifier: MIT */
#include "engine/core/register_file.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/core/illegal.h"
#include "engine/core/inside.h"
#include "engine/core/kinds.h"
#include "engine/core/plug.h"
#include "engine/core/values.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"

struct engine *engine_new(struct fifo *fifo, const struct engine_family *family, enum chip_unit unit) {
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->fifo = fifo;
    engine->graph = fifo->graph;
    engine->unit = unit;
    engine->family = family;
    engine->words = family->words;
    if (unit == CHIP_UNIT_PGRAPH)
        memcpy(engine->shared, family->shared, sizeof engine->shared);
    engine->channel_count = fifo->chip->channels;
    engine->volatile_clip = fifo->chip->has_volatile_clip;
    assert(!engine->volatile_clip || family->leave);
    size_t slots = engine->channel_count ? engine->channel_count : 1;
    engine->channels = (struct channel_state **)calloc(slots, sizeof(struct channel_state *));
    if (engine->channels)
        return engine;
    free(engine);
    return NULL;
}

/* Parts are made in their order, after the kind's own state, and end in the same. */
static void object_free(struct object *object) {
    if (!object)
        return;
    if (object->private)
        private_free(&object->index->kind->private, object->private);
    for (unsigned i = 0; i < ENGINE_PARTS && object->part[i].type; i++)
        private_free(object->part[i].type, object->part[i].state);
    free(object->shadow);
    free(object);
}

static void channel_free(const struct engine *engine, struct channel_state *state) {
    if (!state)
        return;
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++)
        object_free(state->objects[i]);
    for (unsigned i = 0; i < ENGINE_SHARED; i++) {
        if (state->shared[i])
            private_free(engine->shared[i], state->shared[i]);
        free(state->shared[i]);
    }
    free(state);
}

void engine_free(void *opaque) {
    struct engine *engine = opaque;
    for (uint32_t id = 0; id < engine->channel_count; id++)
        channel_free(engine, engine->channels[id]);
    for (unsigned i = 0; engine->indices[i]; i++) {
        free(engine->indices[i]->inside);
        free(engine->indices[i]);
    }
    plug_free_all(engine);
    free(engine->channels);
    free(engine);
}

bool engine_waits_for(void *opaque, const struct pfifo_channel_context *channel, uint64_t *address, uint32_t *expected,
                      uint32_t *found) {
    const struct channel_state *state = engine_channel(opaque, channel);
    for (unsigned i = 0; state && i < ENGINE_SUBCHANNELS; i++) {
        const struct object *object = state->subchannel[i];
        if (!object || !object->waiting)
            continue;
        *address = object->wait_address;
        *expected = object->wait_expected;
        *found = object->wait_found;
        return true;
    }
    return false;
}

static bool object_works(const struct object *object, const struct pfifo_channel_context *channel) {
    return object->plug ? plug_busy(object, channel) : object->work.under_way;
}

static bool engine_macro_works(const struct engine *engine, const struct channel_state *state) {
    return engine->family->macros && engine->family->macros->works(engine, state);
}

bool engine_busy(void *opaque, const struct pfifo_channel_context *channel) {
    const struct channel_state *state = engine_channel(opaque, channel);
    for (unsigned i = 0; state && i < ENGINE_SUBCHANNELS; i++)
        if (state->subchannel[i] && object_works(state->subchannel[i], channel))
            return true;
    return state && engine_macro_works(opaque, state);
}

void engine_forget_channel(struct engine *engine, uint32_t channel) {
    channel_free(engine, engine->channels[channel]);
    engine->channels[channel] = NULL;
}

/* ---- channels that leave, and come back ---- */

#define RAMFC_WORDS 64u

/* FNV-1a, of words. 0: there are only zeros, as no channel has. */
static uint32_t ramfc_sum(const struct engine *engine, uint32_t target, uint64_t instance) {
    uint32_t sum = 2166136261u, any = 0;
    for (uint32_t i = 0; i < RAMFC_WORDS; i++) {
        uint32_t word = memory_physical_rd32(engine->fifo->memory, (enum memory_target)target, instance + 4 * i);
        any |= word;
        sum = (sum ^ word) * 16777619u;
    }
    return any ? sum : 0;
}

static bool state_may_stay(const struct engine *engine, const struct channel_state *state) {
    bool stays = engine->fifo->chip->binds_classes && engine->fifo->memory && !state->macro_runs;
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++)
        if (state->objects[i] && (state->objects[i]->plug || state->objects[i]->work.under_way))
            stays = false;
    return stays;
}

void engine_channel_gone(void *opaque, uint32_t channel) {
    struct engine *engine = opaque;
    struct channel_state *state = channel < engine->channel_count ? engine->channels[channel] : NULL;
    if (channel >= engine->channel_count)
        return;
    if (state && state->left)
        return;
    plug_channel_gone(engine, channel);
    uint32_t sum =
        state && state_may_stay(engine, state) ? ramfc_sum(engine, state->instance_target, state->instance) : 0;
    if (!sum) {
        engine_forget_channel(engine, channel);
        return;
    }
    state->left = true;
    state->ramfc = sum;
}

void engine_channel_bound(void *opaque, const struct pfifo_channel_context *channel) {
    struct engine *engine = opaque;
    struct channel_state *state = channel->id < engine->channel_count ? engine->channels[channel->id] : NULL;
    if (!state || !state->left)
        return;
    if (state->instance == channel->instance && state->instance_target == channel->instance_target &&
        state->ramfc == ramfc_sum(engine, channel->instance_target, channel->instance))
        state->left = false;
    else
        engine_forget_channel(engine, channel->id);
}

void *channel_shared(const struct engine *engine, struct channel_state *channel, const struct private_state *type) {
    const struct private_owner owner = {engine, channel, NULL};
    unsigned i = 0;
    while (i < ENGINE_SHARED && engine->shared[i] != type)
        i++;
    if (i == ENGINE_SHARED || channel->shared[i])
        return i == ENGINE_SHARED ? NULL : channel->shared[i];
    assert(type->bytes);
    void *made = calloc(1, type->bytes);
    if (made && !private_init(type, made, &owner)) {
        free(made);
        made = NULL;
    }
    channel->shared[i] = made;
    return made;
}

/* Make what a channel always has. False: no memory. */
static bool make_eager(const struct engine *engine, struct channel_state *channel) {
    for (unsigned i = 0; i < ENGINE_SHARED && engine->shared[i]; i++)
        if (engine->shared[i]->eager && !channel_shared(engine, channel, engine->shared[i]))
            return false;
    return true;
}

struct channel_state *engine_restore_channel(struct engine *engine, uint32_t id) {
    assert(id < engine->channel_count);
    struct channel_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->id = id;
    if (!make_eager(engine, state)) {
        channel_free(engine, state);
        return NULL;
    }
    channel_free(engine, engine->channels[id]);
    engine->channels[id] = state;
    return state;
}

static struct channel_state *make_state(struct engine *engine, const struct pfifo_channel_context *channel) {
    struct channel_state *state = engine_channel(engine, channel);
    if (state || channel->id >= engine->channel_count)
        return state;
    if (engine->channels[channel->id] && !engine->channels[channel->id]->left)
        plug_channel_gone(engine, channel->id);
    state = engine_restore_channel(engine, channel->id);
    if (state) {
        state->instance = channel->instance;
        state->instance_target = (uint8_t)channel->instance_target;
    }
    return state;
}

static bool index_fits(const struct action_index *index, const struct kind *kind, uint32_t object_class) {
    return index->kind == kind && index->object_class == object_class;
}

static struct action_index *make_index(const struct engine *engine, const struct kind *kind, uint32_t object_class,
                                       const struct method_list *list) {
    struct action_index *index = calloc(1, sizeof *index);
    if (!index)
        return NULL;
    index->words = engine->words;
    index->object_class = object_class;
    action_index_build(index, kind);
    if (object_class != INDEX_OF_KIND) {
        illegal_add(index, engine->family, list);
        values_add(index, engine->fifo->chip);
    }
    if (engine->unit == CHIP_UNIT_PGRAPH && engine->family->leaves_to_kernel)
        illegal_add_kernel_methods(index);
    if (object_class == INDEX_OF_KIND || inside_add(index, list))
        return index;
    free(index);
    return NULL;
}

bool engine_add_class(struct engine *engine, uint32_t object_class, const struct kind *kind) {
    unsigned i = 0;
    while (i < engine->added_count && engine->added[i].object_class != object_class)
        i++;
    if (i == ENGINE_MAX_ADDED)
        return false;
    engine->added[i].object_class = object_class;
    engine->added[i].kind = kind;
    if (i == engine->added_count)
        engine->added_count++;
    return true;
}

static const struct kind *engine_kind_of(const struct engine *engine, uint32_t object_class) {
    for (unsigned i = 0; i < engine->added_count; i++)
        if (engine->added[i].object_class == object_class)
            return engine->added[i].kind;
    return kind_of_class(engine->family, engine->unit, object_class);
}

/* A class whose methods are known has an index of its own, unless it has none: a chip lacks many classes. */
static uint32_t owner_of_index(const struct engine *engine, uint32_t object_class, struct method_list *list) {
    if (engine->unit != CHIP_UNIT_PGRAPH || !method_list_of(engine->fifo->chip, object_class, list))
        return INDEX_OF_KIND;
    return method_list_is_empty(list) ? INDEX_OF_NOTHING : object_class;
}

static const struct action_index *index_of(struct engine *engine, uint32_t object_class) {
    const struct kind *kind = engine_kind_of(engine, object_class);
    struct method_list list;
    uint32_t owner = owner_of_index(engine, object_class, &list);
    unsigned i = 0;
    while (engine->indices[i] && !index_fits(engine->indices[i], kind, owner))
        i++;
    assert(i + 1 < sizeof engine->indices / sizeof engine->indices[0]);
    if (!engine->indices[i])
        engine->indices[i] = make_index(engine, kind, owner, &list);
    return engine->indices[i];
}

static bool on_a_subchannel(const struct channel_state *state, const struct object *object) {
    for (unsigned i = 0; i < ENGINE_SUBCHANNELS; i++)
        if (state->subchannel[i] == object)
            return true;
    return false;
}

/* The slot of a class, or else a free one, or else the one bound longest ago (there are more than subchannels). */
static struct object **engine_slot_of(struct channel_state *state, uint32_t object_class) {
    struct object **oldest = NULL;
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++) {
        struct object **at = &state->objects[i];
        if (!*at || (*at)->object_class == object_class)
            return at;
        if (!on_a_subchannel(state, *at) && (!oldest || (*at)->bound < (*oldest)->bound))
            oldest = at;
    }
    return oldest;
}

#define PRIVATE_ALIGNMENT 16u

static size_t aligned(size_t bytes) {
    return (bytes + PRIVATE_ALIGNMENT - 1) & ~(size_t)(PRIVATE_ALIGNMENT - 1);
}

/* Bytes of an object: itself, the values of methods, its private state, its parts, the progress of a launch. */
static size_t object_bytes(const struct engine *engine, const struct kind *kind) {
    size_t bytes = aligned(sizeof(struct object) + engine->words * sizeof(uint32_t)) + aligned(kind->private.bytes);
    for (unsigned i = 0; i < ENGINE_PARTS && kind->parts[i]; i++)
        bytes += aligned(kind->parts[i]->bytes);
    return bytes + aligned(work_bytes(kind));
}

/* False: no memory. What has been made is then known to object_free(). */
static bool make_privates(struct object *object, const struct private_owner *owner) {
    const struct kind *kind = object->index->kind;
    char *next = (char *)object + aligned(sizeof *object + owner->engine->words * sizeof object->value[0]);
    if (kind->private.bytes) {
        if (!private_init(&kind->private, next, owner))
            return false;
        object->private = next;
        next += aligned(kind->private.bytes);
    }
    for (unsigned i = 0; i < ENGINE_PARTS && kind->parts[i]; i++) {
        if (!private_init(kind->parts[i], next, owner))
            return false;
        object->part[i].type = kind->parts[i];
        object->part[i].state = next;
        next += aligned(kind->parts[i]->bytes);
    }
    work_init(object, next);
    return true;
}

static struct object *object_new(const struct engine *engine, const struct channel_state *state,
                                 const struct action_index *index) {
    struct object *object = calloc(1, object_bytes(engine, index->kind));
    const struct private_owner owner = {engine, state, object};
    if (!object)
        return NULL;
    object->index = index;
    object->stored = UINT64_MAX;
    object->plug = index->kind->plug;
    object->foreign_reported = object->plug != NULL;
    if (make_privates(object, &owner))
        return object;
    object_free(object);
    return NULL;
}

struct object *engine_restore_object(struct engine *engine, struct channel_state *state, unsigned file,
                                     uint32_t object_class) {
    assert(file < ENGINE_MAX_FILES);
    const struct action_index *index = index_of(engine, object_class);
    struct object *object = index ? object_new(engine, state, index) : NULL;
    if (!object)
        return NULL;
    object->object_class = object_class;
    for (const struct method_reset *reset = index->kind->resets; reset && reset->method; reset++)
        for (unsigned i = 0; i < (reset->count ? reset->count : 1); i++)
            object_set(object, (reset->method + i * reset->stride) >> 2, reset->value);
    object_free(state->objects[file]);
    state->objects[file] = object;
    return object;
}

static struct object *engine_make_object(struct engine *engine, struct channel_state *state, uint32_t object_class) {
    struct object **slot = engine_slot_of(state, object_class);
    if (*slot && (*slot)->object_class == object_class)
        return *slot;
    return engine_restore_object(engine, state, (unsigned)(slot - state->objects), object_class);
}

void engine_leave_subchannel(const struct engine *engine, struct channel_state *state) {
    state->volatile_on = 0;
    state->notify = NOTIFY_NONE;
    if (engine->volatile_clip)
        engine->family->leave(engine, state);
}

/*
 * CACHE0 of NV1 and NV3 binds the object again with each command, which changes nothing. A method 0 is handled by
 * PGRAPH's registers (src/unit/graph/).
 */
static bool is_bound_again(const struct channel_state *state, const struct object *object, unsigned subchannel) {
    return object->index->kind->bound_in_registers && state->volatile_on == (subchannel & (ENGINE_SUBCHANNELS - 1)) + 1;
}

struct object *engine_bind(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                           uint32_t object_class) {
    struct channel_state *state = make_state(engine, channel);
    if (state && state->macro_runs)
        engine->family->macros->takes(engine, channel, NULL, 0);
    struct object *object = state ? engine_make_object(engine, state, object_class) : NULL;
    if (!object)
        return NULL;
    struct object **on = &state->subchannel[subchannel & (ENGINE_SUBCHANNELS - 1)];
    if (state->volatile_on && !(*on == object && is_bound_again(state, object, subchannel)))
        engine_leave_subchannel(engine, state);
    object->bound = ++engine->binds;
    *on = object;
    return object;
}

struct object *engine_preset(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel) {
    uint32_t preset = kind_preset(engine->family, engine->fifo->chip, engine->unit, subchannel);
    return plug_takes(engine, channel, subchannel, preset, 0) ? engine_bind(engine, channel, subchannel, preset) : NULL;
}

bool engine_method_value(void *opaque, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t *value) {
    const struct engine *engine = opaque;
    const struct channel_state *state = channel < engine->channel_count ? engine->channels[channel] : NULL;
    if (!state || state->left || (method >> 2) >= engine->words)
        return false;
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++) {
        if (state->objects[i] && state->objects[i]->object_class == object_class) {
            *value = state->objects[i]->value[method >> 2];
            return true;
        }
    }
    return false;
}
