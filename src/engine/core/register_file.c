/* SPDX-License-Identifier: MIT */
#include "engine/core/register_file.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/core/illegal.h"
#include "engine/core/kinds.h"
#include "engine/macro/macro.h"
#include "engine/twod/nv4_state.h"
#include "fifo/fifo.h"

struct engine *engine_new(struct fifo *fifo, enum chip_unit unit) {
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->fifo = fifo;
    engine->unit = unit;
    engine->words = fifo->chip->has_gpfifo ? ENGINE_MAX_WORDS : ENGINE_MAX_WORDS / 2;
    engine->channel_count = fifo->chip->channels;
    engine->volatile_clip = fifo->chip->has_volatile_clip;
    size_t slots = engine->channel_count ? engine->channel_count : 1;
    engine->channels = (struct channel_state **)calloc(slots, sizeof(struct channel_state *));
    if (engine->channels)
        return engine;
    free(engine);
    return NULL;
}

static void object_free(struct object *object) {
    if (object)
        free(object->shadow);
    free(object);
}

static void channel_free(struct channel_state *state) {
    for (unsigned i = 0; state && i < ENGINE_MAX_FILES; i++)
        object_free(state->objects[i]);
    if (state)
        macro_free(state->macro);
    free(state);
}

void engine_free(void *opaque) {
    struct engine *engine = opaque;
    for (uint32_t id = 0; id < engine->channel_count; id++)
        channel_free(engine->channels[id]);
    for (unsigned i = 0; engine->indices[i]; i++)
        free(engine->indices[i]);
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

bool engine_busy(void *opaque, const struct pfifo_channel_context *channel) {
    const struct channel_state *state = engine_channel(opaque, channel);
    for (unsigned i = 0; state && i < ENGINE_SUBCHANNELS; i++)
        if (state->subchannel[i] && state->subchannel[i]->work_done)
            return true;
    return state && macro_works(state->macro);
}

void engine_channel_gone(void *opaque, uint32_t channel) {
    struct engine *engine = opaque;
    if (channel >= engine->channel_count)
        return;
    channel_free(engine->channels[channel]);
    engine->channels[channel] = NULL;
}

struct channel_state *engine_restore_channel(struct engine *engine, uint32_t id) {
    struct channel_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->id = id;
    nv4_state_reset(state->twod);
    channel_free(engine->channels[id]);
    engine->channels[id] = state;
    return state;
}

static struct channel_state *make_state(struct engine *engine, const struct pfifo_channel_context *channel) {
    struct channel_state *state = engine_channel(engine, channel);
    if (state || channel->id >= engine->channel_count)
        return state;
    state = engine_restore_channel(engine, channel->id);
    if (state)
        state->instance = channel->instance;
    return state;
}

static bool fits(const struct action_index *index, const struct kind *kind, uint32_t object_class) {
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
    if (object_class != INDEX_OF_KIND)
        illegal_add(index, list);
    if (engine->unit == CHIP_UNIT_PGRAPH && engine->fifo->chip->has_gpfifo)
        illegal_add_kernel_methods(index);
    return index;
}

/* A class whose methods are known has an index of its own. */
static const struct action_index *index_of(struct engine *engine, uint32_t object_class) {
    const struct pfifo_chip *chip = engine->fifo->chip;
    const struct kind *kind = kind_at(kind_number(chip, engine->unit, object_class));
    struct method_list list;
    bool listed = engine->unit == CHIP_UNIT_PGRAPH && method_list_of(chip, object_class, &list);
    uint32_t owner = listed ? object_class : INDEX_OF_KIND;
    unsigned i = 0;
    while (engine->indices[i] && !fits(engine->indices[i], kind, owner))
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

/* The place of a class, or else a free one, or else the one bound longest ago (there are more than subchannels). */
static struct object **place_of(struct channel_state *state, uint32_t object_class) {
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

struct object *engine_restore_object(struct engine *engine, struct channel_state *state, unsigned file,
                                     uint32_t object_class) {
    const struct action_index *index = index_of(engine, object_class);
    size_t words = index ? engine->words + index->kind->extra_words : 0;
    struct object *object = index ? calloc(1, sizeof *object + words * sizeof object->value[0]) : NULL;
    if (!object)
        return NULL;
    object->object_class = object_class;
    object->index = index;
    for (const struct method_reset *reset = index->kind->resets; reset && reset->method; reset++)
        for (unsigned i = 0; i < (reset->count ? reset->count : 1); i++)
            object->value[(reset->method + i * reset->stride) >> 2] = reset->value;
    object_free(state->objects[file]);
    state->objects[file] = object;
    return object;
}

static struct object *make_object(struct engine *engine, struct channel_state *state, uint32_t object_class) {
    struct object **place = place_of(state, object_class);
    if (*place && (*place)->object_class == object_class)
        return *place;
    return engine_restore_object(engine, state, (unsigned)(place - state->objects), object_class);
}

void engine_leave_subchannel(const struct engine *engine, struct channel_state *state) {
    state->fleeting = 0;
    state->notify = NOTIFY_NONE;
    if (engine->volatile_clip)
        nv4_state_leave(state->twod);
}

/* CACHE0 of NV1 and NV3 tells PGRAPH the object with each command; of a method 0 there PGRAPH's front knows. */
static bool is_told_again(const struct channel_state *state, const struct object *object, unsigned subchannel) {
    return object->index->kind->bound_in_registers && state->fleeting == (subchannel & (ENGINE_SUBCHANNELS - 1)) + 1;
}

struct object *engine_bind(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                           uint32_t object_class) {
    struct channel_state *state = make_state(engine, channel);
    if (state && state->macro_runs)
        macro_takes(engine, channel, NULL, 0);
    struct object *object = state ? make_object(engine, state, object_class) : NULL;
    if (!object)
        return NULL;
    struct object **on = &state->subchannel[subchannel & (ENGINE_SUBCHANNELS - 1)];
    if (state->fleeting && !(*on == object && is_told_again(state, object, subchannel)))
        engine_leave_subchannel(engine, state);
    object->bound = ++engine->binds;
    *on = object;
    return object;
}

struct object *engine_preset(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel) {
    return engine_bind(engine, channel, subchannel, kind_preset(engine->fifo->chip, engine->unit, subchannel));
}

bool engine_method_value(void *opaque, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t *value) {
    const struct engine *engine = opaque;
    const struct channel_state *state = channel < engine->channel_count ? engine->channels[channel] : NULL;
    if (!state || (method >> 2) >= engine->words)
        return false;
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++) {
        if (state->objects[i] && state->objects[i]->object_class == object_class) {
            *value = state->objects[i]->value[method >> 2];
            return true;
        }
    }
    return false;
}
