/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/macro/machine.h"
#include "engine/core/shadow.h"
#include "engine/core/work.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"

#include <stdlib.h>

/* What one offer of a word may cost: instructions, and methods that have an effect outside. */
#define SLICE_STEPS   16384u
#define SLICE_EFFECTS 16u
/* What one of these costs, beside its own work, as work.h counts. */
#define STEP_BYTES   64u
#define EFFECT_BYTES 512u

static const struct {
    enum engine_error error;
    const char *name;
} traps[] = {
    {ENGINE_ERROR_MACRO_TOO_FEW, "too few parameters"},
    {ENGINE_ERROR_MACRO_TOO_MANY, "too many parameters"},
    {ENGINE_ERROR_MACRO_OPCODE, "illegal opcode"},
    {ENGINE_ERROR_MACRO_BRANCH, "double branch"},
    {ENGINE_ERROR_MACRO_TIMEOUT, "timeout"},
};
_Static_assert(1 << (sizeof traps / sizeof traps[0] - 1) == MACRO_TRAP_TIMEOUT, "a row per bit");

/* The three memories are one piece. */
bool macro_init(void *private, const struct private_owner *owner) {
    struct macro *m = private;
    const struct macro_isa *isa = macro_isa_of(owner->engine->fifo->chip);
    assert(!(isa->code_words & (isa->code_words - 1)) && !(isa->starts & (isa->starts - 1)));
    m->isa = isa;
    m->step = isa == &macro_isa_tu102 ? macro_step_tu102 : macro_step_gf100;
    m->code = calloc(isa->code_words + isa->starts + isa->data_words, sizeof m->code[0]);
    if (!m->code)
        return false;
    m->start = m->code + isa->code_words;
    m->data = m->start + isa->starts;
    return true;
}

void macro_free(void *private) {
    free(((struct macro *)private)->code);
}

struct macro *macro_of(const struct call *call) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    return state ? channel_shared(call->engine, state, &macro_shared) : NULL;
}

static bool macro_works(const struct engine *engine, const struct channel_state *channel) {
    const struct macro *m = channel_shared_if_made(engine, channel, &macro_shared);
    return m && m->sliced;
}

static uint16_t call_port(const struct macro *m) {
    return (uint16_t)(MACRO_CALL + m->number * MACRO_STRIDE);
}

/* The macro is over. */
static void end(const struct call *call, struct macro *m, const char *how) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    state->macro_runs = false;
    m->taken = m->sliced = m->ends = m->has_parameter = false;
    m->send_count = m->send_first = 0;
    m->loads = m->fifo_left = 0;
    event_send(call->engine->fifo->events, EVENT_ENGINE_MACRO_END, call->channel->id, how, call->object->object_class,
               m->number, m->pc, m->steps, 0);
}

#define STATE_RUNNING (1u << 8)

/* An error: TRAP, an interrupt, and where it happened. */
static void trap(const struct call *call, struct macro *m, enum macro_trap bit) {
    assert(bit && !(bit & (bit - 1)));
    struct call at = *call;
    at.method = call_port(m);
    at.data = m->pc;
    m->trap |= bit;
    m->trap_pc = m->pc;
    m->trap_opcode = m->opcode;
    struct unit_macro_state where = {
        .opcode = m->opcode, .pc = m->pc, .next_pc = m->next_pc, .state = (m->carry ? 1u : 0) | STATE_RUNNING};
    memcpy(where.reg, m->reg, sizeof where.reg);
    call_macro_error(&at, traps[__builtin_ctz(bit)].error, &where);
}

static void end_with(const struct call *call, struct macro *m, enum macro_trap bit) {
    trap(call, m, bit);
    end(call, m, traps[__builtin_ctz(bit)].name);
}

/* A subchannel that an object is on. */
static uint8_t subchannel_of(const struct channel_state *state, const struct object *object) {
    uint8_t subchannel = 0;
    while (subchannel < ENGINE_SUBCHANNELS - 1 && state->subchannel[subchannel] != object)
        subchannel++;
    return subchannel;
}

static bool macro_takes(struct engine *engine, const struct pfifo_channel_context *channel, const struct object *object,
                        uint32_t method) {
    struct channel_state *state = engine_channel(engine, channel);
    if (!state->macro_runs)
        return false;
    struct macro *m = channel_shared_if_made(engine, state, &macro_shared);
    struct object *caller = state->objects[m->file];
    if (object == caller && method == (m->taken ? m->port : call_port(m) + (MACRO_DATA - MACRO_CALL)))
        return true;
    struct call call = {.engine = engine,
                        .channel = channel,
                        .object = caller,
                        .subchannel = subchannel_of(state, caller),
                        .method = call_port(m)};
    if (m->taken) { /* what it has sent does not come again */
        work_end(&call);
        caller->waiting = false;
    }
    end_with(&call, m, MACRO_TRAP_TOO_FEW);
    return false;
}

const struct engine_macros macro_processor = {.shared = &macro_shared, .takes = macro_takes, .works = macro_works};

/* UNKNOWN: what a macro call does that a macro sends; chosen: nothing. */
static void refuse_call(const struct call *call, uint16_t method, uint32_t data) {
    struct call refused = *call;
    refused.method = method;
    refused.data = data;
    call_not_executed(&refused);
}

/* Send what is queued. False: it stalls. */
static bool send_queue(const struct call *call, struct macro *m, uint32_t *effects) {
    while (m->send_first < m->send_count) {
        if (engine_halted(call->engine))
            return false;
        uint32_t method = m->send[m->send_first].method << 2, data = m->send[m->send_first].data;
        if (!m->resent)
            event_send(call->engine->fifo->events, EVENT_ENGINE_MACRO_METHOD, call->channel->id, NULL,
                       call->object->object_class, method, data);
        bool effect = false;
        m->resent = true;
        if (method >= MACRO_CALL)
            refuse_call(call, (uint16_t)method, data);
        else if (engine_send(call, (uint16_t)method, data, &effect) == ACTION_STALL)
            return false;
        m->resent = false;
        *effects += effect;
        m->send_first++;
    }
    m->send_first = m->send_count = 0;
    return true;
}

/* Why the machine stopped. */
enum pause { PAUSE_STALL, PAUSE_SLICE, PAUSE_PARAMETER, PAUSE_END };

static enum pause macro_run(const struct call *call, struct macro *m, uint32_t *steps, uint32_t *effects) {
    for (;;) {
        if (!send_queue(call, m, effects))
            return PAUSE_STALL;
        if (m->ends) {
            end(call, m, "end");
            return PAUSE_END;
        }
        if (*steps == SLICE_STEPS || *effects >= SLICE_EFFECTS)
            return PAUSE_SLICE;
        ++*steps;
        if (m->steps == MACRO_MOST_STEPS) {
            end_with(call, m, MACRO_TRAP_TIMEOUT);
            return PAUSE_END;
        }
        assert(m->send_count == 0 && m->pc < m->isa->code_words);
        enum macro_step step = m->step(m, call);
        m->steps += step == MACRO_NEXT || step == MACRO_ENDS;
        m->ends = step == MACRO_ENDS;
        if (step == MACRO_WAITS)
            return PAUSE_PARAMETER;
        if (step == MACRO_ILLEGAL || step == MACRO_DOUBLE_BRANCH) {
            end_with(call, m, step == MACRO_ILLEGAL ? MACRO_TRAP_OPCODE : MACRO_TRAP_BRANCH);
            return PAUSE_END;
        }
    }
}

/*
 * Work on a word of the call, and continue where the machine stopped. An instruction costs half a unit. A method with
 * an effect outside the engine costs as much as if it had come from the pushbuffer.
 */
static enum action_result proceed(const struct call *call, struct macro *m) {
    uint32_t steps = 0, effects = 0;
    m->sliced = false;
    enum pause pause = macro_run(call, m, &steps, &effects);
    work_costs_beyond(call, (uint64_t)steps * STEP_BYTES + effects * EFFECT_BYTES, 1);
    m->sliced = pause == PAUSE_SLICE;
    m->taken = pause == PAUSE_STALL || pause == PAUSE_SLICE;
    return m->taken ? ACTION_STALL : ACTION_DONE;
}

static uint32_t macro_file_of(const struct channel_state *state, const struct object *object) {
    uint32_t file = 0;
    while (state->objects[file] != object)
        file++;
    return file;
}

static void macro_begin(const struct call *call, struct macro *m) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    memset(m->reg, 0, sizeof m->reg);
    m->number = ((uint32_t)call->method - MACRO_CALL) / MACRO_STRIDE;
    m->pc = macro_pc(m, m->start[m->number & (m->isa->starts - 1)]);
    m->next_pc = macro_pc(m, m->pc + m->isa->step_words);
    m->file = macro_file_of(state, call->object);
    m->steps = 0;
    m->surplus = false;
    m->slot = MACRO_SLOT_NONE;
    m->carry = m->end_next = false;
    m->method = m->increment = m->loop_left = 0;
    m->result[0] = m->result[1] = m->upper = m->load[0] = m->load[1] = 0;
    m->parameter = call->data;
    m->has_parameter = !m->isa->loads_r1;
    if (m->isa->loads_r1)
        m->reg[1] = call->data;
    state->macro_runs = true;
    event_send(call->engine->fifo->events, EVENT_ENGINE_MACRO, call->channel->id, NULL, call->object->object_class,
               m->number, m->pc, call->data);
}

static bool has_number(const struct macro *m, const struct call *call) {
    return ((uint32_t)call->method - MACRO_CALL) / MACRO_STRIDE < m->isa->starts;
}

/* CALL_MME_MACRO: a call begins with its first parameter. */
static enum action_result call_macro(struct call *call) {
    struct macro *m = macro_of(call);
    if (!m) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    if (!has_number(m, call))
        return ACTION_DONE;
    if (!m->taken)
        macro_begin(call, m);
    m->taken = true;
    m->port = call->method;
    return proceed(call, m);
}

/* CALL_MME_DATA: one more parameter. */
static enum action_result call_data(struct call *call) {
    struct macro *m = macro_of(call);
    if (m && !has_number(m, call))
        return ACTION_DONE;
    if (!m || !engine_channel(call->engine, call->channel)->macro_runs) {
        if (m && !m->surplus) {
            m->surplus = true;
            trap(call, m, MACRO_TRAP_TOO_MANY);
        }
        return ACTION_DONE;
    }
    if (!m->taken) {
        m->parameter = call->data;
        m->has_parameter = true;
    }
    m->taken = true;
    m->port = call->method;
    return proceed(call, m);
}

const struct action macro_actions[] = {
    {.method = MACRO_CALL, .count = 0x100, .stride = MACRO_STRIDE, .type = ACTION_EFFECT, .run = call_macro},
    {.method = MACRO_DATA, .count = 0x100, .stride = MACRO_STRIDE, .type = ACTION_EFFECT, .run = call_data},
    {.method = GF100_3D_LOAD_MME_INSTRUCTION_RAM_POINTER, .type = ACTION_INSIDE, .run = macro_code_pointer},
    {.method = GF100_3D_LOAD_MME_INSTRUCTION_RAM, .type = ACTION_INSIDE, .run = macro_code},
    {.method = GF100_3D_LOAD_MME_START_ADDRESS_RAM_POINTER, .type = ACTION_INSIDE, .run = macro_start_pointer},
    {.method = GF100_3D_LOAD_MME_START_ADDRESS_RAM, .type = ACTION_INSIDE, .run = macro_start},
    {.method = SHADOW_CONTROL, .type = ACTION_EFFECT, .run = shadow_control},
    {0}};
