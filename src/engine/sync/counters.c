/* SPDX-License-Identifier: MIT */
#include "engine/sync/counters.h"

#include <assert.h>

#include "engine/kinds.h"
#include "methods/g80_3d.h"
#include "methods/gf100_3d.h"
#include "methods/nv20_3d.h"

struct counters {
    uint64_t value[COUNTERS];
};

static void counters_state(void *state, const struct private_owner *owner, struct state_io *io) {
    struct counters *counters = state;
    (void)owner;
    for (unsigned i = 0; i < COUNTERS; i++)
        state_u64(io, &counters->value[i]);
}

const struct private_state counters_shared = {.bytes = sizeof(struct counters), .state = counters_state};

/* NULL: nothing has been counted yet. */
static struct counters *counters_of(const struct call *call) {
    const struct channel_state *channel = engine_channel(call->engine, call->channel);
    return channel ? channel_shared_if_made(call->engine, channel, &counters_shared) : NULL;
}

void counter_add(const struct call *call, enum counter counter, uint64_t amount) {
    assert(counter < COUNTERS);
    struct channel_state *channel = engine_channel(call->engine, call->channel);
    struct counters *counters = channel ? channel_shared(call->engine, channel, &counters_shared) : NULL;
    if (counters)
        counters->value[counter] += amount;
}

uint64_t counter_value(const struct call *call, enum counter counter) {
    assert(counter < COUNTERS);
    const struct counters *counters = counters_of(call);
    return counters ? counters->value[counter] : 0;
}

void counter_set(const struct call *call, enum counter counter, uint64_t value) {
    counter_add(call, counter, value - counter_value(call, counter));
}

void counter_reset(const struct call *call, enum counter counter) {
    assert(counter < COUNTERS);
    struct counters *counters = counters_of(call);
    if (counters)
        counters->value[counter] = 0;
}

/* ---- reports ---- */

/* Primitives that did not fit in the buffers of a stream. */
static uint64_t overflow(const struct call *call, unsigned stream) {
    return counter_value(call, COUNTER_STREAM_NEEDED + stream) - counter_value(call, COUNTER_STREAM_SUCCEEDED + stream);
}

static uint64_t overflow_of_all(const struct call *call) {
    uint64_t sum = 0;
    for (unsigned stream = 0; stream < COUNTER_STREAMS; stream++)
        sum += overflow(call, stream);
    return sum;
}

#define STREAM_OVERFLOW 0x06u
#define TOTAL_OVERFLOW  0x1eu

/* UNKNOWN: streams 4 to 7, for which SUB_REPORT has room; chosen: as 0 to 3. */
uint64_t counter_report(const struct call *call, unsigned report, unsigned stream) {
    static const struct {
        enum counter counter;
        bool exists, of_stream;
    } reports[32] = {
        [0x01] = {COUNTER_VERTICES, true},
        [0x02] = {COUNTER_SAMPLES, true},
        [0x03] = {COUNTER_PRIMITIVES, true},
        [0x05] = {COUNTER_VERTEX_SHADER, true},
        [0x07] = {COUNTER_GEOMETRY_SHADER, true},
        [0x09] = {COUNTER_GEOMETRY_PRIMITIVES, true},
        [0x0b] = {COUNTER_STREAM_SUCCEEDED, true, true},
        [0x0d] = {COUNTER_STREAM_NEEDED, true, true},
        [0x0f] = {COUNTER_CLIPPER, true},
        [0x11] = {COUNTER_CLIPPER_PRIMITIVES, true},
        [0x12] = {COUNTER_STREAM_OUT, true, true},
        [0x13] = {COUNTER_PIXEL_SHADER, true},
        [0x15] = {COUNTER_SAMPLES, true},
        [0x1a] = {COUNTER_STREAM_BYTES, true, true},
        [0x1b] = {COUNTER_TESS_INIT_SHADER, true},
        [0x1d] = {COUNTER_TESS_SHADER, true},
        [0x1f] = {COUNTER_TESS_PRIMITIVES, true},
    };
    stream %= COUNTER_STREAMS;
    if (report == STREAM_OVERFLOW)
        return overflow(call, stream);
    if (report == TOTAL_OVERFLOW)
        return overflow_of_all(call);
    if (!reports[report & 31].exists)
        return 0;
    return counter_value(call, reports[report & 31].counter + (reports[report & 31].of_stream ? stream : 0));
}

/* ---- resets ---- */

/* What a type of CLEAR_REPORT_VALUE clears: so many counters. */
struct counter_range {
    enum counter first;
    unsigned count;
};

/*
 * Type 3 is the difference of all streams. UNKNOWN: which streams types 10, 11 and 1f clear, which have no field for
 * it; chosen: all.
 */
static const struct counter_range resets_gf100[32] = {
    [0x01] = {COUNTER_SAMPLES, 1},
    [0x03] = {COUNTER_STREAM_SUCCEEDED, 2 * COUNTER_STREAMS},
    [0x10] = {COUNTER_STREAM_SUCCEEDED, COUNTER_STREAMS},
    [0x11] = {COUNTER_STREAM_NEEDED, COUNTER_STREAMS},
    [0x12] = {COUNTER_VERTICES, 1},
    [0x13] = {COUNTER_PRIMITIVES, 1},
    [0x15] = {COUNTER_VERTEX_SHADER, 1},
    [0x16] = {COUNTER_TESS_INIT_SHADER, 1},
    [0x17] = {COUNTER_TESS_SHADER, 1},
    [0x18] = {COUNTER_TESS_PRIMITIVES, 1},
    [0x1a] = {COUNTER_GEOMETRY_SHADER, 1},
    [0x1b] = {COUNTER_GEOMETRY_PRIMITIVES, 1},
    [0x1c] = {COUNTER_CLIPPER, 1},
    [0x1d] = {COUNTER_CLIPPER_PRIMITIVES, 1},
    [0x1e] = {COUNTER_PIXEL_SHADER, 1},
    [0x1f] = {COUNTER_STREAM_OUT, COUNTER_STREAMS},
};

/* UNKNOWN: what STRMOUT_VERTICES (8, GT200 and later) clears; chosen: how much was written to the buffers. */
static const struct counter_range resets_g80[32] = {
    [0x01] = {COUNTER_SAMPLES, 1},
    [0x08] = {COUNTER_STREAM_BYTES, COUNTER_STREAMS},
    [0x10] = {COUNTER_STREAM_SUCCEEDED, COUNTER_STREAMS},
    [0x11] = {COUNTER_STREAM_NEEDED, COUNTER_STREAMS},
    [0x12] = {COUNTER_VERTICES, 1},
    [0x13] = {COUNTER_PRIMITIVES, 1},
    [0x15] = {COUNTER_VERTEX_SHADER, 1},
    [0x1a] = {COUNTER_GEOMETRY_SHADER, 1},
    [0x1b] = {COUNTER_GEOMETRY_PRIMITIVES, 1},
    [0x1c] = {COUNTER_CLIPPER, 1},
    [0x1d] = {COUNTER_CLIPPER_PRIMITIVES, 1},
    [0x1e] = {COUNTER_PIXEL_SHADER, 1},
};

/* UNKNOWN: types that are not named; chosen: they clear nothing. */
static enum action_result clear_report_value(struct call *call) {
    const struct counter_range *ranges = call->action->argument;
    for (unsigned i = 0; call->data < 32 && i < ranges[call->data].count; i++)
        counter_reset(call, ranges[call->data].first + i);
    return ACTION_DONE;
}

/* Where transform feedback goes on in a buffer. */
static enum action_result load_write_pointer(struct call *call) {
    unsigned number = (call->method - call->action->method) / call->action->stride % COUNTER_STREAMS;
    counter_set(call, COUNTER_STREAM_BYTES + number, call->data);
    return ACTION_DONE;
}

/* UNKNOWN: what data other than 1 does; chosen: the same. */
static enum action_result query_reset(struct call *call) {
    counter_reset(call, COUNTER_SAMPLES);
    return ACTION_DONE;
}

const struct action counters_nv20_actions[] = {
    {.method = NV20_3D_QUERY_RESET, .type = ACTION_INSIDE, .run = query_reset}, {0}};
const struct action counters_g80_actions[] = {
    {.method = G80_3D_COUNTER_RESET, .type = ACTION_INSIDE, .run = clear_report_value, .argument = resets_g80}, {0}};
const struct action counters_gf100_actions[] = {
    {.method = GF100_3D_CLEAR_REPORT_VALUE, .type = ACTION_INSIDE, .run = clear_report_value, .argument = resets_gf100},
    {.method = GF100_3D_SET_STREAM_OUT_BUFFER_LOAD_WRITE_POINTER(0),
     .count = GF100_3D_SET_STREAM_OUT_BUFFER_LOAD_WRITE_POINTER__COUNT,
     .stride = GF100_3D_SET_STREAM_OUT_BUFFER_LOAD_WRITE_POINTER__STRIDE,
     .type = ACTION_INSIDE,
     .run = load_write_pointer},
    {0}};
