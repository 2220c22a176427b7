/* SPDX-License-Identifier: MIT */
#include "engine/core/error.h"

#include <assert.h>

#include "event/event.h"
#include "fifo/fifo.h"
#include "unit/error_shown.h"
#include "unit/graph/graph.h"

/* Where it happened. */
static struct unit_trap trap_at(const struct call *call) {
    struct unit_trap trap = {.subchannel = call->subchannel & (ENGINE_SUBCHANNELS - 1u),
                             .method = call->method,
                             .data = call->data,
                             .object_class = call->object->object_class};
    const struct channel_state *state = engine_channel(call->engine, call->channel);
    trap.instance = state ? state->bound[trap.subchannel] : 0;
    for (unsigned s = 0; state && s < ENGINE_SUBCHANNELS; s++)
        trap.classes[s] = (uint16_t)(state->subchannel[s] ? state->subchannel[s]->object_class : 0);
    return trap;
}

/* A notifier that is due gets the status also if nobody checks, and nothing interrupts. */
static void keep_status(const struct call *call, const struct unit_trap *trap) {
    call->engine->status = graph_error_status(call->engine->graph, trap);
}

/* Under the name that the unit shows, with the finer one beside it. */
static void tell(const struct call *call, const struct unit_trap *trap) {
    const char *shown = unit_error_shown(call->engine->fifo->chip, call->engine->unit, trap);
    event_send_named(call->engine->fifo->events, EVENT_ENGINE_ERROR, call->channel->id, shown,
                     unit_error_name(trap->error), call->object->object_class, call->method, call->data,
                     graph_error_code(call->engine->graph, trap), 0, 0);
}

enum action_result call_macro_error(const struct call *call, enum engine_error error,
                                    const struct unit_macro_state *where) {
    struct unit_trap trap = trap_at(call);
    trap.error = error;
    trap.macro = where;
    tell(call, &trap);
    keep_status(call, &trap);
    fifo_engine_error(call->channel, call->engine->unit, &trap);
    return ACTION_DONE;
}

enum action_result call_error(const struct call *call, enum engine_error error) {
    return call_macro_error(call, error, NULL);
}

void call_missing(const struct call *call, uint16_t state, const char *why) {
    event_send(call->engine->fifo->events, EVENT_ENGINE_MISSING, call->channel->id, why, call->object->object_class,
               call->method, call->data, state, 0);
}

enum action_result call_invalid_state(const struct call *call, uint16_t state, const char *why) {
    call_missing(call, state, why);
    return call_error(call, ENGINE_ERROR_INVALID_STATE);
}

void engine_class_error(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                        struct object *object) {
    const struct call call = {
        .engine = engine, .channel = channel, .object = object, .subchannel = subchannel, .data = object->object_class};
    call_error(&call, ENGINE_ERROR_ILLEGAL_CLASS);
}

void call_shader_error(const struct call *call, const struct unit_shader_error *shader) {
    struct unit_trap trap = trap_at(call);
    trap.error = ENGINE_ERROR_SHADER;
    trap.shader = *shader;
    event_send(call->engine->fifo->events, EVENT_ENGINE_SHADER_ERROR, call->channel->id,
               unit_shader_error_name(shader->warp, shader->processor), call->object->object_class, call->method,
               shader->pc, shader->warp, shader->processor, 0);
    fifo_engine_error(call->channel, call->engine->unit, &trap);
}

/* ---- faults ---- */

/* Said by nobody: what methods of its object are there for. */
static enum unit_use usual_use(const struct call *call, bool write) {
    switch (call->object->index->kind->role) {
    case ROLE_INLINE:
        return write ? USE_COPY_OUT : USE_COPY_IN;
    case ROLE_2D:
        return write ? USE_2D_DESTINATION : USE_2D_SOURCE;
    default:
        return USE_OTHER;
    }
}

struct unit_trap call_trap_of_fault(const struct call *call, enum unit_use use, const struct fault *fault) {
    struct unit_trap trap = trap_at(call);
    trap.error = ENGINE_ERROR_ACCESS;
    trap.reason = fault->reason;
    trap.write = fault->write;
    trap.use = use != USE_OTHER ? use : usual_use(call, fault->write);
    trap.address = fault->address;
    assert(trap.use < UNIT_USES);
    uint16_t method = call->engine->family->dma_methods[trap.use];
    trap.object = method ? call_value(call, method) : 0;
    keep_status(call, &trap);
    return trap;
}
