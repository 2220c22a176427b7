/* SPDX-License-Identifier: MIT */
#include "engine/core/plug.h"

#include <stdlib.h>

#include "chip/config.h"
#include "engine/core/error.h"
#include "engine/core/kinds.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "state/bytes.h"
#include "state/state.h"

struct class_plug {
    struct kind kind;
    uint32_t object_class;
    struct pfifo_class_ops ops;
    void *opaque;
};

static const struct class_plug *plug_at(const struct engine *engine, unsigned i) {
    return i < engine->added_count ? engine->added[i].kind->plug : NULL;
}

static const struct class_plug *plug_of(const struct engine *engine, uint32_t object_class) {
    for (unsigned i = 0; i < engine->added_count; i++)
        if (engine->added[i].object_class == object_class)
            return plug_at(engine, i);
    return NULL;
}

static bool plug_has_object(const struct channel_state *state, uint32_t object_class) {
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++)
        if (state->objects[i] && state->objects[i]->object_class == object_class)
            return true;
    return false;
}

/* Channels that were unbound do not count. */
static bool plug_is_used(const struct engine *engine, uint32_t object_class) {
    for (uint32_t id = 0; id < engine->channel_count; id++) {
        const struct channel_state *state = engine->channels[id];
        if (state && !state->left && plug_has_object(state, object_class))
            return true;
    }
    return false;
}

/* Objects are not taken again if their class now belongs to another engine. */
static void forget_left(struct engine *engine, uint32_t object_class) {
    for (uint32_t id = 0; id < engine->channel_count; id++)
        if (engine->channels[id] && engine->channels[id]->left && plug_has_object(engine->channels[id], object_class))
            engine_forget_channel(engine, id);
}

static enum pfifo_status check(const struct engine *engine, uint32_t object_class, const struct kind *built_in,
                               struct pfifo_error *error) {
    if (plug_of(engine, object_class))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "class 0x%x is plugged in already", object_class);
    if (plug_is_used(engine, object_class))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an object of class 0x%x was bound already", object_class);
    if (built_in->bound_in_registers)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has its objects in registers of PGRAPH",
                               engine->fifo->chip->name);
    return PFIFO_OK;
}

/* The first version of the operations ended with channel_gone. */
#define OPS_FIRST (offsetof(struct pfifo_class_ops, channel_gone) + sizeof(void (*)(void)))
_Static_assert(sizeof(struct pfifo_class_ops) == OPS_FIRST, "the last field reaches the end");

static enum pfifo_status read_ops(struct pfifo_class_ops *to, const struct pfifo_class_ops *ops,
                                  struct pfifo_error *error) {
    *to = (struct pfifo_class_ops){0};
    if (!ops)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a class needs operations");
    enum pfifo_status status = config_read(to, sizeof *to, ops, OPS_FIRST, "pfifo_class_ops", error);
    if (status == PFIFO_OK && (!to->name || !to->methods))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a class needs a name and the operation methods");
    return status;
}

enum pfifo_status engine_plug(struct engine *engine, uint32_t object_class, const struct pfifo_class_ops *ops,
                              void *opaque, struct pfifo_error *error) {
    const struct kind *built_in = kind_of_class(engine->family, engine->unit, object_class);
    struct pfifo_class_ops known;
    enum pfifo_status status = read_ops(&known, ops, error);
    if (status == PFIFO_OK)
        status = check(engine, object_class, built_in, error);
    if (status != PFIFO_OK)
        return status;
    forget_left(engine, object_class);
    struct class_plug *plug = calloc(1, sizeof *plug);
    if (!plug)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for class 0x%x", object_class);
    *plug = (struct class_plug){.kind = {.name = known.name, .role = built_in->role, .plug = plug},
                                .object_class = object_class,
                                .ops = known,
                                .opaque = opaque};
    if (engine_add_class(engine, object_class, &plug->kind))
        return PFIFO_OK;
    free(plug);
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "at most %u classes can be plugged into a unit",
                           ENGINE_MAX_ADDED);
}

/* A kind that is plugged in is the beginning of its class_plug. */
void plug_free_all(struct engine *engine) {
    for (unsigned i = 0; i < engine->added_count; i++) {
        const struct class_plug *plug = plug_at(engine, i);
        if (plug && plug->ops.free)
            plug->ops.free(plug->opaque);
        free((void *)(uintptr_t)plug);
    }
    engine->added_count = 0;
}

bool plug_takes(const struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                uint32_t object_class, uint32_t object) {
    const struct class_plug *plug = plug_of(engine, object_class);
    return !plug || !plug->ops.bind || plug->ops.bind(plug->opaque, channel, subchannel, object_class, object);
}

/* ---- methods ---- */

/* Of the method at the head of a run: by the contract, only that one has effects outside the engine. */
struct plug_call {
    struct class_context context;
    struct call call;
};

static void plug_fault(const struct class_context *context, const struct fault *fault) {
    call_fault(&((const struct plug_call *)context)->call, fault);
}

static void keep_values(const struct engine *engine, struct object *object, const struct pfifo_methods *run,
                        uint32_t head, uint32_t taken) {
    uint32_t word = run->method >> 2, mask = engine->words - 1;
    if (taken > 0)
        object_set(object, word & mask, head);
    if (run->step == 0 && taken > 1)
        object_set(object, word & mask, run->data[taken - 1]);
    for (uint32_t i = 1; run->step && i < taken; i++)
        object_set(object, (word + i) & mask, run->data[i]);
}

uint32_t plug_methods(struct engine *engine, const struct pfifo_methods *run, struct object *object) {
    const struct class_plug *plug = object->plug;
    uint32_t head = run->data[0]; /* the class may write memory, and the pushbuffer is in it */
    struct plug_call at = {.context = {*run->channel, plug_fault},
                           .call = {.engine = engine,
                                    .channel = run->channel,
                                    .object = object,
                                    .subchannel = run->subchannel,
                                    .method = run->method,
                                    .data = head}};
    struct pfifo_methods given = *run;
    at.context.channel.of_class = true;
    given.channel = &at.context.channel;
    engine->status = 0;
    uint32_t taken = plug->ops.methods(plug->opaque, &given);
    if (taken > run->count)
        taken = run->count;
    keep_values(engine, object, run, head, taken);
    return taken;
}

bool plug_busy(const struct object *object, const struct pfifo_channel_context *channel) {
    const struct class_plug *plug = object->plug;
    return plug->ops.busy && plug->ops.busy(plug->opaque, channel);
}

/* ---- what a class asks for while it executes methods ---- */

static const struct call *call_of(const struct pfifo_channel_context *channel) {
    return channel->of_class ? &((const struct plug_call *)channel)->call : NULL;
}

bool pfifo_class_interrupt(const struct pfifo_channel_context *channel, enum pfifo_class_cause cause) {
    static const char *const names[] = {[PFIFO_CLASS_NOTIFY] = "NOTIFY",
                                        [PFIFO_CLASS_COPY] = "BUFFER_NOTIFY",
                                        [PFIFO_CLASS_QUERY] = "QUERY",
                                        [PFIFO_CLASS_TRAP] = "TRAP"};
    const struct call *call = call_of(channel);
    if (!call || (unsigned)cause >= sizeof names / sizeof names[0])
        return false;
    call_interrupt(call, names[cause]);
    return true;
}

bool pfifo_class_error(const struct pfifo_channel_context *channel, uint32_t method, uint32_t data,
                       enum pfifo_class_error error) {
    static const enum engine_error errors[] = {[PFIFO_CLASS_ILLEGAL_METHOD] = ENGINE_ERROR_ILLEGAL_METHOD,
                                               [PFIFO_CLASS_INVALID_VALUE] = ENGINE_ERROR_INVALID_VALUE,
                                               [PFIFO_CLASS_INVALID_ENUM] = ENGINE_ERROR_INVALID_ENUM,
                                               [PFIFO_CLASS_INVALID_BITFIELD] = ENGINE_ERROR_INVALID_BITFIELD,
                                               [PFIFO_CLASS_INVALID_OBJECT] = ENGINE_ERROR_INVALID_OBJECT,
                                               [PFIFO_CLASS_INVALID_OPERATION] = ENGINE_ERROR_INVALID_OPERATION,
                                               [PFIFO_CLASS_ALIGNMENT] = ENGINE_ERROR_ADDRESS_ALIGNMENT};
    const struct call *call = call_of(channel);
    if (!call || (unsigned)error >= sizeof errors / sizeof errors[0])
        return false;
    struct call refused = *call;
    refused.method = (uint16_t)method;
    refused.data = data;
    call_error(&refused, errors[error]);
    return true;
}

bool pfifo_class_event(const struct pfifo_channel_context *channel, const char *text, uint64_t first, uint64_t second,
                       uint64_t third) {
    const struct call *call = call_of(channel);
    if (!call)
        return false;
    event_send(call->engine->fifo->events, EVENT_ENGINE_CLASS, channel->id, text, call->object->object_class,
               call->method, first, second, third, 0);
    return true;
}

/* ---- channels that end, and saving ---- */

void plug_channel_gone(const struct engine *engine, uint32_t channel) {
    for (unsigned i = 0; i < engine->added_count; i++) {
        const struct class_plug *plug = plug_at(engine, i);
        if (plug && plug->ops.channel_gone)
            plug->ops.channel_gone(plug->opaque, channel);
    }
}

void plug_power_on(const struct engine *engine) {
    for (unsigned i = 0; i < engine->added_count; i++) {
        const struct class_plug *plug = plug_at(engine, i);
        if (plug && plug->ops.load)
            plug->ops.load(plug->opaque, NULL, 0, NULL);
    }
}

static void save_plug(const struct engine *engine, const struct class_plug *plug, struct state_io *io) {
    struct state_bytes bytes = {0};
    struct pfifo_error error = {.message = "it gives no reason"};
    bool there = plug->ops.save != NULL;
    enum pfifo_status status = there ? plug->ops.save(plug->opaque, state_bytes_write, &bytes, &error) : PFIFO_OK;
    if (status != PFIFO_OK)
        state_fail(io, status, "class %s: %s", plug->ops.name, error.message);
    else if (!there && plug_is_used(engine, plug->object_class))
        state_fail(io, PFIFO_ERROR_UNSUPPORTED, "class %s cannot be saved", plug->ops.name);
    uint64_t length = bytes.used;
    state_bool(io, &there);
    state_u64(io, &length);
    if (bytes.used)
        state_bytes(io, bytes.data, bytes.used);
    free(bytes.data);
}

static void load_plug(const struct class_plug *plug, struct state_io *io) {
    struct pfifo_error error = {.message = "it gives no reason"};
    bool there = false;
    uint64_t length = 0;
    state_bool(io, &there);
    state_u64(io, &length);
    if (!there || !state_good(io))
        return;
    if (!plug->ops.load) {
        state_fail(io, PFIFO_ERROR_UNSUPPORTED, "class %s cannot be loaded", plug->ops.name);
        return;
    }
    const uint8_t *data = length <= io->bytes ? state_take(io, (size_t)length) : NULL;
    if (data)
        state_take(io, (size_t)(-length & 3));
    else
        state_fail(io, PFIFO_ERROR_FORMAT, "it ends too early");
    enum pfifo_status status = state_good(io) ? plug->ops.load(plug->opaque, data, (size_t)length, &error) : PFIFO_OK;
    if (status != PFIFO_OK)
        state_fail(io, status, "class %s: %s", plug->ops.name, error.message);
}

static void state_plug(const struct engine *engine, const struct class_plug *plug, struct state_io *io) {
    uint32_t object_class = plug->object_class;
    if (io->loading && !state_next_is(io, "PLUG")) {
        state_fail(io, PFIFO_ERROR_ARGUMENT, "it was saved without class %s plugged in", plug->ops.name);
        return;
    }
    if (state_begin(io, "PLUG", 1)) {
        state_u32(io, &object_class);
        plug = plug_of(engine, object_class);
        if (state_good(io) && !plug)
            state_fail(io, PFIFO_ERROR_ARGUMENT, "class 0x%x is not plugged in", object_class);
        if (plug && io->loading)
            load_plug(plug, io);
        else if (plug)
            save_plug(engine, plug, io);
    }
    state_end(io);
}

void plug_state(struct engine *engine, struct state_io *io) {
    for (unsigned i = 0; i < engine->added_count && state_good(io); i++)
        if (plug_at(engine, i))
            state_plug(engine, plug_at(engine, i), io);
    if (io->loading && state_good(io) && state_next_is(io, "PLUG"))
        state_fail(io, PFIFO_ERROR_ARGUMENT, "it was saved with a class plugged in that this GPU does not have");
}
