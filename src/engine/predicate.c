/* SPDX-License-Identifier: MIT */
#include "engine/predicate.h"

enum { MODE_NEVER, MODE_ALWAYS, MODE_CONDITIONAL, MODE_IF_EQUAL, MODE_IF_NOT_EQUAL };

/* Two records {sequence, value, time} are 16 bytes apart; sequence and value are compared. */
static bool read_records(const struct call *call, const struct predicate_methods *m, uint64_t record[2]) {
    struct address_space space = call_space(call, m->object ? call_value(call, m->object) : 0);
    uint64_t address = call_address(call, m->high, m->low, m->bits);
    uint8_t bytes[32];
    struct fault fault;
    if (!memory_read(call->engine->fifo->memory, &space, address, bytes, sizeof bytes, &fault)) {
        call_fault(call, &fault);
        return false;
    }
    record[0] = load_le64(bytes);
    record[1] = load_le64(bytes + 16);
    return true;
}

/* UNKNOWN: modes above 4; chosen: as 1. */
static bool by_mode(const struct call *call, const struct predicate_methods *m, uint32_t mode) {
    uint64_t record[2];
    if (mode == MODE_NEVER)
        return false;
    if (mode < MODE_CONDITIONAL || mode > MODE_IF_NOT_EQUAL)
        return true;
    if (!read_records(call, m, record))
        return false;
    if (mode == MODE_CONDITIONAL)
        return record[0] >> 32 != 0;
    return (record[0] == record[1]) == (mode == MODE_IF_EQUAL);
}

bool predicate_allows(const struct call *call, const struct predicate_methods *methods) {
    uint32_t override = methods->override ? call_value(call, methods->override) & 3 : 0;
    if (override == 1 || override == 2)
        return override == 1;
    return by_mode(call, methods, call_value(call, methods->mode) & 7);
}
