/* SPDX-License-Identifier: MIT */
#include "engine/core/action.h"

#include <assert.h>
#include <string.h>

#include "engine/core/error.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "unit/error_shown.h"

static void add_row(struct action_index *index, const struct action *action, uint8_t number) {
    bool acts = action->type >= ACTION_INSIDE;
    uint32_t count = action->count ? action->count : 1;
    uint32_t stride = action->stride ? action->stride : 4;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = (action->method + i * stride) >> 2;
        uint64_t bit = UINT64_C(1) << (word & 63);
        assert(word < ENGINE_MAX_WORDS);
        assert(!(index->has_row[word >> 6] & bit)); /* one row per method */
        index->number[word] = number;
        index->has_row[word >> 6] |= bit;
        if (acts)
            index->acts[word >> 6] |= bit;
    }
}

uint8_t action_index_row(struct action_index *index, const struct action *action) {
    assert(index->rows < ACTION_MAX_ROWS);
    index->row[index->rows] = action;
    return index->rows++;
}

void action_index_set(struct action_index *index, uint32_t word, uint8_t number) {
    uint64_t bit = UINT64_C(1) << (word & 63);
    index->number[word] = number;
    index->has_row[word >> 6] |= bit;
    index->acts[word >> 6] |= bit;
}

void action_index_build(struct action_index *index, const struct kind *kind) {
    index->kind = kind;
    for (unsigned g = 0; g < KIND_MAX_GROUPS && kind->groups[g]; g++)
        for (const struct action *action = kind->groups[g]; action->method; action++)
            add_row(index, action, action_index_row(index, action));
}

void call_work_not_executed(const struct call *call, const char *work) {
    event_send(call->engine->fifo->events, EVENT_ENGINE_NOT_EXECUTED, call->channel->id, work,
               call->object->object_class, call->method, call->data, 0);
}

void call_not_executed(const struct call *call) {
    call_work_not_executed(call, NULL);
}

void call_done(const struct call *call, const char *what, uint64_t address, uint64_t bytes) {
    event_send(call->engine->fifo->events, EVENT_ENGINE_DONE, call->channel->id, what, call->object->object_class,
               call->method, address, bytes, 0);
}

struct address_space call_space(const struct call *call, uint32_t object) {
    return fifo_channel_space(call->channel, object);
}

void call_fault_of(const struct call *call, enum unit_use use, const struct fault *fault) {
    const struct fifo *fifo = call->engine->fifo;
    const struct unit_trap trap = call_trap_of_fault(call, use, fault);
    const char *reason = fault_name(fifo->chip, fault->reason);
    /* Without page tables the unit is all that shows it. */
    const char *shown =
        fifo->chip->vm == CHIP_VM_NONE ? unit_error_shown(fifo->chip, call->engine->unit, &trap) : reason;
    event_send_named(fifo->events, EVENT_ENGINE_FAULT, call->channel->id, shown, reason, call->object->object_class,
                     call->method, call->data, fault->address, 0, 0);
    fifo_engine_fault(call->channel, call->engine->unit, fault, &trap);
}

static enum unit_cause cause_of(const char *cause) {
    static const struct {
        const char *name;
        enum unit_cause cause;
    } causes[] = {{"NOTIFY", CAUSE_NOTIFY},      {"BUFFER_NOTIFY", CAUSE_BUFFER_NOTIFY},
                  {"M2MF", CAUSE_BUFFER_NOTIFY}, {"INLINE", CAUSE_BUFFER_NOTIFY},
                  {"TRAP", CAUSE_SYNC},          {"BLOCKING", CAUSE_BLOCKING}};
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (strcmp(cause, causes[i].name) == 0)
            return causes[i].cause;
    return CAUSE_QUERY;
}

void call_interrupt(const struct call *call, const char *cause) {
    event_send(call->engine->fifo->events, EVENT_ENGINE_INTERRUPT, call->channel->id, cause, call->object->object_class,
               call->method, call->data, 0);
    fifo_engine_interrupt(call->channel, call->engine->unit, cause_of(cause));
}
