/* SPDX-License-Identifier: MIT */
#include "engine/core/predicate.h"
#include "engine/core/register_file.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"

enum { MODE_NEVER, MODE_ALWAYS, MODE_CONDITIONAL, MODE_IF_EQUAL, MODE_IF_NOT_EQUAL };

struct global_predicate {
    uint32_t high, low, mode;
};

static bool global_init(void *state, const struct private_owner *owner) {
    (void)owner;
    ((struct global_predicate *)state)->mode = MODE_ALWAYS;
    return true;
}

const struct private_state predicate_shared = {.bytes = sizeof(struct global_predicate), .init = global_init};

/* Two records {sequence, value, time} are 16 bytes apart; sequence and value are compared. */
static bool read_records(const struct call *call, uint32_t object, uint64_t address, uint64_t record[2]) {
    struct address_space space = call_space(call, object);
    uint8_t bytes[32];
    struct fault fault;
    if (!memory_read(call->engine->fifo->memory, &space, address, bytes, sizeof bytes, &fault)) {
        call_fault_of(call, USE_CONDITION, &fault);
        return false;
    }
    record[0] = load_le64(bytes);
    record[1] = load_le64(bytes + 16);
    return true;
}

static enum predicate truth(bool holds) {
    return holds ? PREDICATE_TRUE : PREDICATE_FALSE;
}

/* UNKNOWN: modes above 4; chosen: as 1. */
static enum predicate by_mode(const struct call *call, uint32_t object, uint64_t address, uint32_t mode) {
    uint64_t record[2];
    if (mode == MODE_NEVER)
        return PREDICATE_FALSE;
    if (mode < MODE_CONDITIONAL || mode > MODE_IF_NOT_EQUAL)
        return PREDICATE_TRUE;
    if (!read_records(call, object, address, record))
        return PREDICATE_FAULT;
    if (mode == MODE_CONDITIONAL)
        return truth(record[0] >> 32 != 0);
    return truth((record[0] == record[1]) == (mode == MODE_IF_EQUAL));
}

enum { OVERRIDE_ALWAYS = 1, OVERRIDE_NEVER = 2 };

static uint32_t override_of(const struct call *call, const struct predicate_methods *methods) {
    return methods->override ? call_value(call, methods->override) & 3 : 0;
}

enum predicate predicate_evaluate(const struct call *call, const struct predicate_methods *methods) {
    uint32_t override = override_of(call, methods), object = methods->object ? call_value(call, methods->object) : 0;
    if (override == OVERRIDE_ALWAYS || override == OVERRIDE_NEVER)
        return truth(override == OVERRIDE_ALWAYS);
    return by_mode(call, object, call_address(call, methods->high, methods->low, methods->bits),
                   call_value(call, methods->mode) & 7);
}

/* ---- of all classes ---- */

/* NULL: nobody has set it, so it is true. */
static const struct global_predicate *global_of(const struct call *call) {
    const struct channel_state *channel = engine_channel(call->engine, call->channel);
    return channel ? channel_shared_if_made(call->engine, channel, &predicate_shared) : NULL;
}

enum predicate predicate_with_global(const struct call *call, const struct predicate_methods *own) {
    const struct global_predicate *global = global_of(call);
    enum predicate first = predicate_evaluate(call, own);
    if (first != PREDICATE_TRUE || !global || override_of(call, own) == OVERRIDE_ALWAYS)
        return first;
    return by_mode(call, 0, (uint64_t)(global->high & 0xff) << 32 | global->low, global->mode & 7);
}

bool predicate_is_always(const struct call *call, const struct predicate_methods *own) {
    const struct global_predicate *global = global_of(call);
    return !override_of(call, own) && call_value(call, own->mode) == MODE_ALWAYS &&
           (!global || global->mode == MODE_ALWAYS);
}

/* Without memory of the host it stays as it was. */
static enum action_result set_global(struct call *call) {
    struct channel_state *channel = engine_channel(call->engine, call->channel);
    struct global_predicate *global = channel ? channel_shared(call->engine, channel, &predicate_shared) : NULL;
    uint32_t *words[] = {global ? &global->high : NULL, global ? &global->low : NULL, global ? &global->mode : NULL};
    if (global)
        *words[(call->method - GF100_3D_SET_GLOBAL_RENDER_ENABLE_A) / 4] = call->data;
    return ACTION_DONE;
}

const struct action predicate_global_actions[] = {
    {.method = GF100_3D_SET_GLOBAL_RENDER_ENABLE_A, .count = 3, .type = ACTION_INSIDE, .run = set_global}, {0}};

bool predicate_allows(const struct call *call, const struct predicate_methods *methods) {
    return predicate_evaluate(call, methods) == PREDICATE_TRUE;
}
