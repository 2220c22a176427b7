/* SPDX-License-Identifier: MIT */
#include "engine/sync/notify.h"

#include "engine/core/error.h"
#include "engine/kinds.h"
#include "engine/core/work.h"
#include "engine/twod/nv4_state.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"
#include "methods/nv1_2d.h"
#include "unit/graph/graph.h"

#define NOTIFY_METHOD NV4_BLIT_NOTIFY /* before GF100 */
#define NOTIFY_BYTES  512u            /* what it costs, as work.h counts */

static void write_record(const struct call *call, enum unit_use use, struct dma_address target, bool awaken,
                         uint16_t status, const char *cause) {
    uint8_t record[16] = {0};
    store_le64(record, fifo_now(call->engine->fifo));
    record[14] = (uint8_t)status;
    record[15] = (uint8_t)(status >> 8);
    bool written = report_write_for(call, use, target, record, sizeof record, 0, "notifier");
    work_costs(call, NOTIFY_BYTES);
    if (written && awaken)
        call_interrupt(call, cause);
}

void notify_write(const struct call *call, struct dma_address target, bool awaken) {
    write_record(call, USE_NOTIFIER, target, awaken, 0, "NOTIFY");
}

void notify_write_buffer(const struct call *call, struct dma_address target, bool awaken) {
    write_record(call, USE_BUFFER_NOTIFIER, target, awaken, call->engine->status, "BUFFER_NOTIFY");
}

_Static_assert((ENGINE_SUBCHANNELS & (ENGINE_SUBCHANNELS - 1)) == 0, "numbers are cut by a mask");

static void arm(const struct call *call, enum notify_state notify) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    state->notify = notify;
    state->volatile_on = (uint8_t)((call->subchannel & (ENGINE_SUBCHANNELS - 1)) + 1);
}

/* ---- NV1 and NV3 ---- */

#define NUMBERS 16u /* NV3 */

static struct pgraph *graph_of_call(const struct call *call) {
    return call->engine->graph;
}

/* What NOTIFY refuses; the interrupt of the one before comes also if it is. [envytools hwtest/pgraph_mthd_misc.cc] */
static void check_nv1(const struct call *call, uint32_t most) {
    const struct pgraph *graph = graph_of_call(call);
    if (call->data > most)
        call_error(call, ENGINE_ERROR_INVALID_VALUE);
    if (graph_notify_interrupts(graph))
        call_interrupt(call, "NOTIFY");
    if (!graph_notify_allowed(graph))
        call_error(call, ENGINE_ERROR_INVALID_NOTIFY);
    if (graph_notify_armed(graph))
        call_error(call, ENGINE_ERROR_DOUBLE_NOTIFY);
}

static enum action_result arm_nv1(struct call *call, uint32_t most) {
    check_nv1(call, most);
    if (graph_notify_arm(graph_of_call(call), call->data))
        arm(call, NOTIFY_WRITE);
    return ACTION_DONE;
}

static enum action_result notify_nv1(struct call *call) {
    return arm_nv1(call, graph_notify_has_numbers(graph_of_call(call)) ? NUMBERS - 1 : 0);
}

/* Textured quads of NV1 take any value. */
static enum action_result notify_nv1_any(struct call *call) {
    return arm_nv1(call, UINT32_MAX);
}

/* The notifier is not written, but it still interrupts if it was to awaken the driver. */
static enum action_result no_method(struct call *call) {
    call_error(call, ENGINE_ERROR_ILLEGAL_METHOD);
    if (graph_notify_wakes(graph_of_call(call)))
        call_interrupt(call, "NOTIFY");
    return ACTION_DONE;
}

const struct action notify_no_method_nv1 = {.type = ACTION_EFFECT, .run = no_method};

enum action_result notify_refuse_nv1(struct call *call) {
    call->action = &notify_no_method_nv1;
    return no_method(call);
}

static void fire_nv1(const struct call *call) {
    const struct graph_notifier notifier = graph_notify_take(graph_of_call(call));
    const struct dma_address target = {notifier.instance, notifier.offset};
    if (notifier.due)
        write_record(call, USE_NOTIFIER, target, notifier.awaken, call->engine->status, "NOTIFY");
}

/* ---- NV4 and later ---- */

/* UNKNOWN: whose notifier it is; chosen: that of the method's object, since PGRAPH keeps no other one. */
static void notify_fire(const struct call *call) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    bool awaken = state->notify == NOTIFY_AWAKEN;
    state->notify = NOTIFY_NONE;
    if (!nv4_state_has_own_clip(call->engine, state)) /* then nothing is volatile, and runs take the fast path */
        state->volatile_on = 0;
    if (call->object->index->kind->bound_in_registers) {
        fire_nv1(call);
        return;
    }
    write_record(call, USE_NOTIFIER, (struct dma_address){call_value(call, NOTIFY_DMA), 0}, awaken,
                 call->engine->status, "NOTIFY");
}

static bool notify_ignores(const struct call *call) {
    bool missing = call->action == &notify_no_method_nv1;
    return missing || call->method == NOTIFY_METHOD || call->method == NOTIFY_DMA;
}

const struct engine_notifiers notify_after_method = {.ignores = notify_ignores, .fire = notify_fire};

/* A NULL object is none. */
static bool has_object(const struct call *call) {
    uint32_t object = call_value(call, NOTIFY_DMA);
    return object && fifo_object_class(call->channel, object) != NULL_CLASS;
}

/*
 * A value that is refused leaves what was armed; a second NOTIFY is an error, and takes the place of the first one.
 * Pending is a bit of PGRAPH's, which is forgotten with a change of the subchannel or of its object; on NV1 and NV3
 * that is the error CTXSW_NOTIFY. [envytools hwtest/pgraph_mthd.cc, pgraph_mthd_misc.cc]
 * UNKNOWN: what is written without a DMA object, where hwtest has the bit set, too; chosen: nothing, it is not set.
 */
static enum action_result notify_nv4(struct call *call) {
    const struct channel_state *state = engine_channel(call->engine, call->channel);
    if (call->data > 1)
        return call_error(call, ENGINE_ERROR_INVALID_VALUE);
    if (state->notify != NOTIFY_NONE)
        call_error(call, ENGINE_ERROR_DOUBLE_NOTIFY);
    if (!has_object(call))
        return call_error(call, ENGINE_ERROR_INVALID_NOTIFY);
    arm(call, call->data ? NOTIFY_AWAKEN : NOTIFY_WRITE);
    return ACTION_DONE;
}

/* Work before it is done when it is executed, so it fires at once. */
static enum action_result notify_gf100(struct call *call) {
    unsigned bits = call->object->index->kind->report_bits;
    notify_write(call, (struct dma_address){0, call_address(call, GF100_3D_SET_NOTIFY_A, GF100_3D_SET_NOTIFY_B, bits)},
                 call->data == 1);
    return ACTION_DONE;
}

const struct action notify_nv1_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv1}, {0}};
const struct action notify_nv1_any_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv1_any},
                                                {0}};
const struct action notify_nv4_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv4}, {0}};
const struct action notify_gf100_actions[] = {{.method = GF100_3D_NOTIFY, .type = ACTION_EFFECT, .run = notify_gf100},
                                              {0}};
