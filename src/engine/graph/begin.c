/* SPDX-License-Identifier: MIT */
#include "engine/graph/begin.h"

#include <assert.h>

#include "engine/core/error.h"
#include "engine/core/inside.h"
#include "engine/graph/render.h"
#include "engine/twod/nv4_state.h"
#include "fifo/fifo.h"
#include "methods/nv40_3d.h"

#define ARRAYS      16u
#define STATE_CHECK (1u << 24) /* DEBUG_3 */

/* Private state. */
struct begin {
    uint32_t inside;
    uint32_t looks; /* draws look at their arrays: at BEGIN, an object was missing that arrays may be in */
};

_Static_assert(sizeof(struct begin) == 8, "as BEGIN_PRIVATE says");

void begin_state(void *state, const struct private_owner *owner, struct state_io *io) {
    struct begin *begin = state;
    state_u32(io, &begin->inside);
    state_u32(io, &begin->looks);
    if (io->loading && begin->inside)
        inside_enter(owner->object);
}

/* ---- rules ---- */

static bool has_dma(const struct call *call, uint32_t method) {
    uint32_t object = call_value(call, method);
    return object && fifo_object_class(call->channel, object) != NULL_CLASS;
}

static bool is_in(const struct begin_term *term, uint32_t value) {
    return value < 128 && (term->values[value / 64] >> value % 64 & 1);
}

static bool begin_holds(const struct call *call, const struct begin_term *term, unsigned element) {
    uint32_t method = term->method + element * term->stride, other = term->other + element * term->stride;
    uint32_t field = call_value(call, method) >> term->shift & term->mask;
    switch (term->test) {
    case BEGIN_IN:
        return is_in(term, field);
    case BEGIN_NOT_IN:
        return !is_in(term, field);
    case BEGIN_NO_DMA:
        return !has_dma(call, method);
    case BEGIN_NOT_SET:
        return !call_value(call, method);
    case BEGIN_SAME:
        return field == (call_value(call, other) >> term->shift & term->mask);
    case BEGIN_NO_TERM:
        break;
    }
    return true;
}

static bool is_broken(const struct call *call, const struct begin_rule *rule, unsigned element) {
    for (unsigned i = 0; i < BEGIN_TERMS; i++)
        if (!begin_holds(call, &rule->term[i], element))
            return false;
    return true;
}

/* Observers are told all that is wrong. */
static bool state_is_valid(const struct call *call, const struct begin_rule *rules) {
    bool valid = true;
    for (const struct begin_rule *rule = rules; rule->state; rule++)
        for (unsigned i = 0; i < (rule->count ? rule->count : 1u); i++)
            if (is_broken(call, rule, i)) {
                call_missing(call, (uint16_t)(rule->state + i * rule->stride), rule->why);
                valid = false;
            }
    return valid;
}

/* ---- arrays ---- */

/* The method that would have bound the object of an array that is on; 0: none is missing. */
static uint16_t array_without_object(const struct call *call, const struct begin_arrays *arrays) {
    for (unsigned i = 0; i < ARRAYS; i++) {
        uint16_t object = arrays->object[call_value(call, arrays->offset + 4 * i) >> 31];
        if ((call_value(call, arrays->format + 4 * i) & arrays->size) && !has_dma(call, object))
            return object;
    }
    return 0;
}

static uint16_t index_object(const struct call *call, const struct begin_traits *traits) {
    uint16_t object = traits->arrays.object[call_value(call, traits->index_format) & 1];
    return has_dma(call, object) ? 0 : object;
}

static enum action_result begin_refuses(const struct call *call, uint16_t object) {
    if (!object)
        return ACTION_DONE;
    call_missing(call, object, "no DMA object");
    return call_error(call, ENGINE_ERROR_DMA_VERTEX);
}

enum action_result begin_draws(struct call *call) {
    const struct begin_traits *traits = call->action->argument;
    return begin_refuses(call, array_without_object(call, &traits->arrays));
}

enum action_result begin_draws_indexed(struct call *call) {
    const struct begin_traits *traits = call->action->argument;
    uint16_t missing = index_object(call, traits);
    return begin_refuses(call, missing ? missing : array_without_object(call, &traits->arrays));
}

/* Outside nothing is drawn. */
uint32_t begin_absorbs(struct object *object, const uint32_t *data, uint32_t count) {
    const struct begin *begin = object_private(object);
    (void)data;
    return begin->inside && begin->looks ? 0 : count;
}

/* ---- BEGIN and END ---- */

static enum action_result end(const struct call *call, struct begin *begin) {
    begin->inside = 0;
    inside_leave(call->object);
    return ACTION_DONE;
}

enum action_result begin_end(struct call *call) {
    const struct begin_traits *traits = call->action->argument;
    struct begin *begin = object_private(call->object);
    assert(traits && begin);
    if (!call->data)
        return end(call, begin);
    if (begin->inside)
        return call_error(call, ENGINE_ERROR_BEGIN_END_ACTIVE);
    if (graph_debug_3(call->engine->graph, STATE_CHECK) && !state_is_valid(call, traits->rules))
        return call_error(call, ENGINE_ERROR_INVALID_STATE);
    begin->inside = 1;
    begin->looks = !has_dma(call, traits->arrays.object[0]) || !has_dma(call, traits->arrays.object[1]);
    inside_enter(call->object);
    if (!traits->has_condition || render_allowed_nv30(call))
        call_not_executed(call);
    return ACTION_DONE;
}
