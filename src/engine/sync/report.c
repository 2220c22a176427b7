/* SPDX-License-Identifier: MIT */
#include "engine/sync/report.h"

#include <assert.h>

#include "engine/kinds.h"
#include "engine/sync/counters.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "methods/g80_3d.h"
#include "methods/gf100_3d.h"
#include "methods/gf100_compute.h"

bool report_write_for(const struct call *call, enum unit_use use, struct dma_address target, const void *bytes,
                      size_t count, uint64_t value, const char *what) {
    assert(count > 0 && count <= 16);
    struct fifo *fifo = call->engine->fifo;
    struct address_space space = call_space(call, target.object);
    struct fault where;
    if (!memory_write(fifo->memory, &space, target.address, bytes, count, &where)) {
        call_fault_of(call, use, &where);
        return false;
    }
    event_send(fifo->events, EVENT_ENGINE_FENCE, call->channel->id, what, target.address, value, count, 0);
    return true;
}

bool report_write(const struct call *call, struct dma_address target, const void *bytes, size_t count, uint64_t value,
                  const char *what) {
    return report_write_for(call, USE_QUERY, target, bytes, count, value, what);
}

bool report_release(const struct call *call, struct dma_address target, uint64_t payload, enum report_words words,
                    const char *what) {
    uint8_t record[16];
    assert(words * 4u <= sizeof record);
    store_le64(record, payload);
    store_le64(record + 8, words == REPORT_FOUR_WORDS ? fifo_now(call->engine->fifo) : 0);
    return report_write(call, target, record, words * 4u, payload, what);
}

static bool read_payload(const struct call *call, struct dma_address target, bool is_64, uint64_t *value) {
    struct address_space space = call_space(call, target.object);
    uint8_t bytes[8] = {0};
    struct fault where;
    if (!memory_read(call->engine->fifo->memory, &space, target.address, bytes, is_64 ? 8 : 4, &where)) {
        call_fault_of(call, USE_QUERY, &where);
        return false;
    }
    *value = load_le64(bytes);
    return true;
}

bool report_reduce(const struct call *call, struct dma_address target, struct report_reduction reduction,
                   uint64_t payload, enum report_words words, const char *what) {
    uint64_t memory;
    if (!read_payload(call, target, reduction.is_64, &memory))
        return false;
    if (reduction.is_64)
        memory = semaphore_reduce_64(reduction.operation, reduction.is_signed, memory, payload);
    else
        memory = semaphore_reduce(reduction.operation, reduction.is_signed, (uint32_t)memory, (uint32_t)payload);
    return report_release(call, target, memory, words, what);
}

bool report_reduce_numbered(const struct call *call, struct dma_address target, unsigned operation, unsigned format,
                            bool is_64, uint64_t payload, enum report_words words, const char *what) {
    static const enum semaphore_reduction operations[8] = {
        SEMAPHORE_ADD, SEMAPHORE_MIN,        SEMAPHORE_MAX, SEMAPHORE_INC,
        SEMAPHORE_DEC, SEMAPHORE_REDUCE_AND, SEMAPHORE_OR,  SEMAPHORE_XOR,
    };
    enum { UNSIGNED, SIGNED };
    struct report_reduction reduction = {operations[operation & 7], format == SIGNED, is_64};
    if (format <= SIGNED)
        return report_reduce(call, target, reduction, payload, words, what);
    call_work_not_executed(call, "reduction");
    return true;
}

enum report_words report_words_of(unsigned size, bool is_64) {
    static const enum report_words sizes[4] = {REPORT_FOUR_WORDS, REPORT_ONE_WORD, REPORT_TWO_WORDS, REPORT_FOUR_WORDS};
    enum report_words words = sizes[size & 3];
    return words == REPORT_ONE_WORD && is_64 ? REPORT_TWO_WORDS : words;
}

/* ---- the report method of the 3D and compute classes ---- */

enum report_operation { OPERATION_RELEASE, OPERATION_ACQUIRE, OPERATION_REPORT, OPERATION_TRAP };

struct report {
    struct dma_address target;
    uint64_t payload;
    enum report_operation operation;
    enum report_words words;
    unsigned report; /* which counter, see counter_report(), */
    unsigned stream; /* and of which stream */
    bool is_tesla;   /* counters of 32 bits only */
    bool upper;      /* one word is the upper of the value */
    bool greater_equal, awaken, trap, is_64;
    bool reduce;
    unsigned reduction, format;
};

/*
 * False: it is to wait, which the engine does by not taking the method; the event is sent when that begins, and when it
 * ends. A fault ends it.
 */
static bool report_acquire(const struct call *call, const struct report *r, bool *done) {
    uint64_t memory;
    *done = read_payload(call, r->target, r->is_64, &memory);
    if (!*done) {
        call->object->waiting = false;
        return true;
    }
    enum semaphore_compare compare = r->greater_equal ? SEMAPHORE_GEQUAL : SEMAPHORE_EQUAL;
    bool satisfied = r->is_64 ? semaphore_satisfied_64(compare, memory, r->payload)
                              : semaphore_satisfied(compare, (uint32_t)memory, (uint32_t)r->payload);
    if (satisfied || !call->object->waiting)
        event_send(call->engine->fifo->events, EVENT_ENGINE_ACQUIRE, call->channel->id,
                   satisfied ? "acquired" : event_words[PFIFO_WORD_WAITS], r->target.address, r->payload, memory, 0);
    call->object->waiting = !satisfied;
    call->object->wait_address = r->target.address;
    call->object->wait_expected = (uint32_t)r->payload;
    call->object->wait_found = (uint32_t)memory;
    return satisfied;
}

/* Words 0 and 1 of a report of four; the time follows. */
enum report_layout {
    LAYOUT_PAYLOAD_VALUE, /* payload, value of 32 bits */
    LAYOUT_VALUE,         /* value of 64 bits; on Tesla 32 and zero */
    LAYOUT_VALUE_PAYLOAD, /* value of 32 bits, payload */
};

#define REPORT_NONE                 0x00u
#define REPORT_NO_OVERFLOW          0x04u /* of Tesla */
#define REPORT_STREAMING_DIFFERENCE 0x06u
#define REPORT_PRIMITIVES_OUT       0x12u
#define REPORT_TIMESTAMP            0x14u

/* UNKNOWN: where REPORT_TIMESTAMP (GA102 and later) has its value; chosen: it is one of 64 bits. */
static bool is_timestamp(const struct call *call, const struct report *r) {
    return r->report == REPORT_TIMESTAMP && call->object->index->kind->reports >= REPORTS_GA102;
}

/*
 * Even reports have the payload first, odd ones have a counter alone; two are exceptions. Who reads them:
 *
 *   00, 02, 1a                 Mesa nvc0_query_hw.c: data[0] is the sequence, data[1] the value; 00 for its time, too
 *   01 03 05 07 09 0b 0d 0f    the same, deko3d dk_variable.cpp, NVK nvk_query_pool.c (struct nvk_query_report):
 *   11 12 13 1b 1d 1f          64 bits, then the time
 *   15                         NVK, as those
 *   06, 1e                     Mesa compares words 0 and 1 of two, in any order; rnndb g80_3d.xml: 06 is the other way
 *   0a 0c 0e 10                deko3d, one word each
 *
 * 12 of Tesla has no name. UNKNOWN: layouts of reports that nobody reads (04, 08, 14 to 19, 1c); chosen: by the number.
 */
static enum report_layout report_layout(const struct call *call, const struct report *r) {
    if (r->report == REPORT_STREAMING_DIFFERENCE)
        return LAYOUT_VALUE_PAYLOAD;
    if (r->report == REPORT_PRIMITIVES_OUT && !r->is_tesla)
        return LAYOUT_VALUE;
    return r->report % 2 || is_timestamp(call, r) ? LAYOUT_VALUE : LAYOUT_PAYLOAD_VALUE;
}

/* UNKNOWN: where the value of an even report is that has a payload of 64 bits; chosen: nowhere. */
static uint64_t report_first_words(const struct call *call, const struct report *r, uint64_t value) {
    uint64_t low = value & UINT32_MAX;
    switch (report_layout(call, r)) {
    case LAYOUT_VALUE:
        return r->is_tesla ? low : value;
    case LAYOUT_VALUE_PAYLOAD:
        return r->payload << 32 | low;
    case LAYOUT_PAYLOAD_VALUE:
        break;
    }
    return r->is_64 ? r->payload : r->payload | low << 32;
}

static uint64_t report_value(const struct call *call, const struct report *r) {
    if (is_timestamp(call, r))
        return fifo_now(call->engine->fifo);
    if (r->is_tesla && r->report == REPORT_NO_OVERFLOW)
        return counter_report(call, REPORT_STREAMING_DIFFERENCE, 0) == 0;
    return counter_report(call, r->report, r->stream);
}

/*
 * One word: of Fermi and later the value alone (rnndb gf100_3d.xml; deko3d reads zcull statistics so); of Tesla the
 * first word (rnndb g80_3d.xml).
 * UNKNOWN: REPORT_DWORD_NUMBER (bit 21); chosen: which word of the value it is.
 * UNKNOWN: one word of report 0, which has no value; chosen: the payload.
 */
static bool write_report(const struct call *call, const struct report *r) {
    uint64_t value = report_value(call, r), words = report_first_words(call, r, value);
    if (r->words == REPORT_ONE_WORD && !r->is_tesla && r->report != REPORT_NONE)
        words = r->upper ? value >> 32 : value;
    return report_release(call, r->target, words, r->words, "query");
}

static bool report_do_release(const struct call *call, const struct report *r) {
    const char *what = r->words == REPORT_ONE_WORD ? "fence" : "query";
    if (r->reduce)
        return report_reduce_numbered(call, r->target, r->reduction, r->format, r->is_64, r->payload, r->words, what);
    return report_release(call, r->target, r->payload, r->words, what);
}

/*
 * After a fault nothing interrupts as if it were done.
 * UNKNOWN: whether TRAP also writes, as its name in envytools says; chosen: it only interrupts.
 */
static enum action_result report_execute(const struct call *call, const struct report *r) {
    bool done = true;
    switch (r->operation) {
    case OPERATION_ACQUIRE:
        if (!report_acquire(call, r, &done))
            return ACTION_STALL;
        break;
    case OPERATION_RELEASE:
        done = report_do_release(call, r);
        break;
    case OPERATION_REPORT:
        done = write_report(call, r);
        break;
    case OPERATION_TRAP:
        call_interrupt(call, "TRAP");
        return ACTION_DONE;
    }
    if (done && (r->awaken || r->trap))
        call_interrupt(call, "AWAKEN");
    return ACTION_DONE;
}

/*
 * Method 0x1b0c (QUERY_GET, SET_REPORT_SEMAPHORE_D), in DMA object `object` before GF100.
 * UNKNOWN: the condition of CONDITIONAL_TRAP (from C597 and C5C0 on); chosen: it always holds, and the interrupt is
 * that of AWAKEN, as QMDs of GA100 call theirs of the same name non-blocking.
 */
static struct report report_of(const struct call *call, uint32_t object) {
    uint32_t d = call->data;
    const struct kind *kind = call->object->index->kind;
    return (struct report){
        .target = {object, call_address(call, GF100_3D_SET_REPORT_SEMAPHORE_A, GF100_3D_SET_REPORT_SEMAPHORE_B,
                                        kind->report_bits)},
        .payload = call_value(call, GF100_3D_SET_REPORT_SEMAPHORE_C),
        .operation = (enum report_operation)(d & 3),
        .words = d >> 28 & 1 ? REPORT_ONE_WORD : REPORT_FOUR_WORDS,
        .report = d >> 23 & 0x1f,
        .stream = d >> 5 & 7,
        .greater_equal = d >> 16 & 1,
        .awaken = d >> 20 & 1,
        .trap = kind->reports >= REPORTS_TU102 && (d >> 19 & 1),
        .reduce = kind->reports >= REPORTS_GK104 && (d >> 3 & 1),
        .reduction = d >> 9 & 7,
        .format = d >> 17 & 3,
    };
}

static enum action_result report_g80(struct call *call) {
    struct report r = report_of(call, call_value(call, G80_3D_DMA_QUERY));
    r.is_tesla = true;
    r.stream = 0;
    return report_execute(call, &r);
}

static enum action_result report_gf100(struct call *call) {
    struct report r = report_of(call, 0);
    r.upper = call->data >> 21 & 1;
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

/*
 * UNKNOWN: how ACQUIRE compares, which has no field for it here; chosen: greater or equal, the one that a fence needs.
 * UNKNOWN: what TRAP_TYPE asks for; chosen: types 1 to 3 interrupt like AWAKEN, operation 3 always interrupts.
 */
static struct report report_ga102_of(const struct call *call, bool is_64, unsigned size, unsigned trap) {
    uint64_t payload = call_value(call, GF100_3D_SET_REPORT_SEMAPHORE_PAYLOAD_LOWER);
    if (is_64)
        payload |= (uint64_t)call_value(call, GF100_3D_SET_REPORT_SEMAPHORE_PAYLOAD_UPPER) << 32;
    return (struct report){
        .target = {0,
                   call_address(call, GF100_3D_SET_REPORT_SEMAPHORE_ADDRESS_UPPER,
                                GF100_3D_SET_REPORT_SEMAPHORE_ADDRESS_LOWER, call->object->index->kind->report_bits)},
        .payload = payload,
        .is_64 = is_64,
        .operation = (enum report_operation)(call->data & 3),
        .words = report_words_of(size, is_64),
        .greater_equal = true,
        .trap = trap != 0,
    };
}

/* REPORT_SEMAPHORE_EXECUTE */
static enum action_result report_ga102(struct call *call) {
    uint32_t d = call->data;
    struct report r = report_ga102_of(call, d >> 27 & 1, d >> 13 & 3, d >> 28 & 3);
    r.awaken = d >> 6 & 1;
    r.report = d >> 7 & 0x1f;
    r.stream = d >> 15 & 7;
    r.reduce = d >> 20 & 1;
    r.reduction = d >> 21 & 7;
    r.format = d >> 24 & 3;
    return report_execute(call, &r);
}

static enum action_result report_ga102_compute(struct call *call) {
    uint32_t d = call->data;
    struct report r = report_ga102_of(call, d >> 12 & 1, d >> 3 & 3, d >> 13 & 3);
    r.awaken = d >> 2 & 1;
    r.reduce = d >> 6 & 1;
    r.reduction = d >> 7 & 7;
    r.format = d >> 10 & 3;
    return report_execute(call, &r);
}

const struct action report_g80_actions[] = {{.method = G80_3D_QUERY_GET, .type = ACTION_EFFECT, .run = report_g80},
                                            {0}};
const struct action report_gf100_actions[] = {
    {.method = GF100_3D_SET_REPORT_SEMAPHORE_D, .type = ACTION_EFFECT, .run = report_gf100}, {0}};
const struct action report_compute_actions[] = {
    {.method = GF100_3D_SET_REPORT_SEMAPHORE_D, .type = ACTION_EFFECT, .run = report_compute}, {0}};
const struct action report_ga102_actions[] = {
    {.method = GF100_3D_REPORT_SEMAPHORE_EXECUTE, .type = ACTION_EFFECT, .run = report_ga102}, {0}};
const struct action report_ga102_compute_actions[] = {
    {.method = GF100_COMPUTE_REPORT_SEMAPHORE_EXECUTE, .type = ACTION_EFFECT, .run = report_ga102_compute}, {0}};
