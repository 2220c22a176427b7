/* SPDX-License-Identifier: MIT */
#include "engine/report.h"

#include "engine/kinds.h"

const enum semaphore_reduction report_reductions[8] = {
    SEMAPHORE_ADD, SEMAPHORE_MIN,        SEMAPHORE_MAX, SEMAPHORE_INC,
    SEMAPHORE_DEC, SEMAPHORE_REDUCE_AND, SEMAPHORE_OR,  SEMAPHORE_XOR,
};

bool report_write(const struct call *call, struct place place, const void *bytes, size_t count, uint64_t value,
                  const char *kind) {
    struct fifo *fifo = call->engine->fifo;
    struct address_space space = call_space(call, place.object);
    struct fault where;
    if (!memory_write(fifo->memory, &space, place.address, bytes, count, &where)) {
        call_fault(call, &where);
        return false;
    }
    event_send(fifo->events, EVENT_ENGINE_FENCE, call->channel->id, kind, place.address, value, count, 0);
    return true;
}

bool report_release(const struct call *call, struct place place, uint64_t payload, enum report_words words,
                    const char *kind) {
    uint8_t record[16];
    store_le64(record, payload);
    store_le64(record + 8, words == REPORT_FOUR_WORDS ? bus_now(call->engine->fifo->bus) : 0);
    return report_write(call, place, record, words * 4u, payload, kind);
}

static bool read_word(const struct call *call, struct place place, uint32_t *value) {
    struct address_space space = call_space(call, place.object);
    struct fault where;
    if (memory_rd32(call->engine->fifo->memory, &space, place.address, value, &where))
        return true;
    call_fault(call, &where);
    return false;
}

bool report_reduce(const struct call *call, struct place place, enum semaphore_reduction reduction, bool is_signed,
                   uint32_t payload, enum report_words words, const char *kind) {
    uint32_t memory;
    if (!read_word(call, place, &memory))
        return false;
    return report_release(call, place, semaphore_reduce(reduction, is_signed, memory, payload), words, kind);
}

/* ---- the report method of the 3D and compute classes ---- */

enum report_operation { OPERATION_RELEASE, OPERATION_ACQUIRE, OPERATION_REPORT, OPERATION_TRAP };

struct report {
    struct place place;
    uint64_t payload;
    enum report_operation operation;
    enum report_words words;
    unsigned report; /* number of the counter */
    bool greater_equal, awaken, reduce, is_signed;
    enum semaphore_reduction reduction;
};

/* The engine waits by not taking the method; the event is sent when it begins to wait, and when that ends. */
static enum action_result acquire(const struct call *call, const struct report *r) {
    uint32_t memory, payload = (uint32_t)r->payload;
    if (!read_word(call, r->place, &memory)) {
        call->object->waiting = false;
        return ACTION_DONE;
    }
    bool satisfied = semaphore_satisfied(r->greater_equal ? SEMAPHORE_GEQUAL : SEMAPHORE_EQUAL, memory, payload);
    if (satisfied || !call->object->waiting)
        event_send(call->engine->fifo->events, EVENT_ENGINE_ACQUIRE, call->channel->id,
                   satisfied ? "acquired" : "waits", r->place.address, payload, memory, 0);
    call->object->waiting = !satisfied;
    call->object->wait_address = r->place.address;
    call->object->wait_expected = payload;
    call->object->wait_found = memory;
    return satisfied ? ACTION_DONE : ACTION_STALL;
}

/*
 * Counters are 0, see engines.h. Even reports say {payload, value}, odd ones are {value, 64 bits}; number 6 has value
 * and payload the other way round.
 */
static void write_report(const struct call *call, const struct report *r) {
    uint64_t words = 0;
    if (r->report == 6)
        words = r->payload << 32;
    else if (r->report % 2 == 0)
        words = r->payload;
    report_release(call, r->place, words, r->words, "query");
}

static enum action_result report_execute(const struct call *call, const struct report *r) {
    const char *kind = r->words == REPORT_ONE_WORD ? "fence" : "query";
    switch (r->operation) {
    case OPERATION_ACQUIRE:
        if (acquire(call, r) == ACTION_STALL)
            return ACTION_STALL;
        break;
    case OPERATION_RELEASE:
        if (r->reduce)
            report_reduce(call, r->place, r->reduction, r->is_signed, (uint32_t)r->payload, r->words, kind);
        else
            report_release(call, r->place, r->payload, r->words, kind);
        break;
    case OPERATION_REPORT:
        write_report(call, r);
        break;
    case OPERATION_TRAP:
        call_interrupt(call, "TRAP");
        return ACTION_DONE;
    }
    if (r->awaken)
        call_interrupt(call, "AWAKEN");
    return ACTION_DONE;
}

/*
 * Method 0x1b0c (QUERY_GET, SET_REPORT_SEMAPHORE_D), in DMA object `object` before GF100.
 * UNKNOWN: the condition of CONDITIONAL_TRAP (bit 19, from C597 and C5C0 on); chosen: a trap always interrupts.
 */
static struct report report_of(const struct call *call, uint32_t object) {
    uint32_t d = call->data;
    unsigned bits = call->object->index->kind->report_bits;
    return (struct report){
        .place = {object, call_address(call, 0x1b00, 0x1b04, bits)},
        .payload = call_value(call, 0x1b08),
        .operation = (enum report_operation)(d & 3),
        .words = d >> 28 & 1 ? REPORT_ONE_WORD : REPORT_FOUR_WORDS,
        .report = d >> 23 & 0x1f,
        .greater_equal = d >> 16 & 1,
        .awaken = d >> 20 & 1,
        .reduce = call->object->index->kind->reduces && (d >> 3 & 1),
        .is_signed = (d >> 17 & 3) == 1,
        .reduction = report_reductions[d >> 9 & 7],
    };
}

static enum action_result report_g80(struct call *call) {
    struct report r = report_of(call, call_value(call, 0x188));
    return report_execute(call, &r);
}

static enum action_result report_gf100(struct call *call) {
    struct report r = report_of(call, 0);
    return report_execute(call, &r);
}

/* UNKNOWN: what operations 1 and 2 do in compute classes, which do not name them; chosen: nothing. */
static enum action_result report_compute(struct call *call) {
    struct report r = report_of(call, 0);
    if (r.operation == OPERATION_ACQUIRE || r.operation == OPERATION_REPORT) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    return report_execute(call, &r);
}

/* ---- the second interface, GA102 and later ---- */

static const enum report_words ga102_words[4] = {REPORT_FOUR_WORDS, REPORT_ONE_WORD, REPORT_TWO_WORDS,
                                                 REPORT_FOUR_WORDS};

/*
 * REPORT_SEMAPHORE_EXECUTE. The structure size is of the payload's unit.
 * UNKNOWN: a one-word structure with a 64-bit payload; chosen: both words are written.
 */
static enum report_words words_of(unsigned size, bool is_64) {
    enum report_words words = ga102_words[size & 3];
    return words == REPORT_ONE_WORD && is_64 ? REPORT_TWO_WORDS : words;
}

/*
 * UNKNOWN: how ACQUIRE compares, which has no field for it here; chosen: greater or equal, the one that a fence needs.
 * UNKNOWN: what TRAP_TYPE asks for; chosen: operation 3 always interrupts.
 */
static struct report report_ga102_of(const struct call *call, bool is_64) {
    uint64_t payload = call_value(call, 0x158);
    if (is_64)
        payload |= (uint64_t)call_value(call, 0x15c) << 32;
    return (struct report){
        .place = {0, call_address(call, 0x164, 0x160, call->object->index->kind->report_bits)},
        .payload = payload,
        .operation = (enum report_operation)(call->data & 3),
        .greater_equal = true,
    };
}

/* A reduction on 64 bits is not modelled; it says so. */
static enum action_result execute_ga102(const struct call *call, struct report *r, bool is_64) {
    if (r->reduce && is_64 && r->operation == OPERATION_RELEASE) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    return report_execute(call, r);
}

static enum action_result report_ga102(struct call *call) {
    uint32_t d = call->data;
    bool is_64 = d >> 27 & 1;
    struct report r = report_ga102_of(call, is_64);
    r.words = words_of(d >> 13 & 3, is_64);
    r.awaken = d >> 6 & 1;
    r.report = d >> 7 & 0x1f;
    r.reduce = d >> 20 & 1;
    r.reduction = report_reductions[d >> 21 & 7];
    r.is_signed = (d >> 24 & 3) == 1;
    return execute_ga102(call, &r, is_64);
}

static enum action_result report_ga102_compute(struct call *call) {
    uint32_t d = call->data;
    bool is_64 = d >> 12 & 1;
    struct report r = report_ga102_of(call, is_64);
    r.words = words_of(d >> 3 & 3, is_64);
    r.awaken = d >> 2 & 1;
    r.reduce = d >> 6 & 1;
    r.reduction = report_reductions[d >> 7 & 7];
    r.is_signed = (d >> 10 & 3) == 1;
    return execute_ga102(call, &r, is_64);
}

const struct action report_g80_actions[] = {{.method = 0x1b0c, .type = ACTION_EFFECT, .run = report_g80}, {0}};
const struct action report_gf100_actions[] = {{.method = 0x1b0c, .type = ACTION_EFFECT, .run = report_gf100}, {0}};
const struct action report_compute_actions[] = {{.method = 0x1b0c, .type = ACTION_EFFECT, .run = report_compute}, {0}};
const struct action report_ga102_actions[] = {{.method = 0x168, .type = ACTION_EFFECT, .run = report_ga102}, {0}};
const struct action report_ga102_compute_actions[] = {
    {.method = 0x168, .type = ACTION_EFFECT, .run = report_ga102_compute}, {0}};
