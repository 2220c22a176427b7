/* SPDX-License-Identifier: MIT */
#include "engine/core/predicate.h"
#include "fifo/fifo.h"

enum { MODE_NEVER, MODE_ALWAYS, MODE_CONDITIONAL, MODE_IF_EQUAL, MODE_IF_NOT_EQUAL };

/* Two records {sequence, value, time} are 16 bytes apart; sequence and value are compared. */
static bool read_records(const struct call *call, const struct predicate_methods *m, uint64_t record[2]) {
    struct address_space space = call_space(call, m->object ? call_value(call, m->object) : 0);
    uint64_t address = call_address(call, m->high, m->low, m->bits);
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
static enum predicate by_mode(const struct call *call, const struct predicate_methods *m, uint32_t mode) {
    uint64_t record[2];
    if (mode == MODE_NEVER)
        return PREDICATE_FALSE;
    if (mode < MODE_CONDITIONAL || mode > MODE_IF_NOT_EQUAL)
        return PREDICATE_TRUE;
    if (!read_records(call, m, record))
        return PREDICATE_FAULT;
    if (mode == MODE_CONDITIONAL)
        return truth(record[0] >> 32 != 0);
    return truth((record[0] == record[1]) == (mode == MODE_IF_EQUAL));
}

enum predicate predicate_evaluate(const struct call *call, const struct predicate_methods *methods) {
    uint32_t override = methods->override ? call_value(call, methods->override) & 3 : 0;
    if (override == 1 || override == 2)
        return truth(override == 1);
    return by_mode(call, methods, call_value(call, methods->mode) & 7);
}

enum predicate predicate_both(const struct call *call, const struct predicate_methods *first,
                              const struct predicate_methods *second) {
    enum predicate one = predicate_evaluate(call, first);
    return one == PREDICATE_TRUE ? predicate_evaluate(call, second) : one;
}

bool predicate_allows(const struct call *call, const struct predicate_methods *methods) {
    return predicate_evaluate(call, methods) == PREDICATE_TRUE;
}
