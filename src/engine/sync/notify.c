/* SPDX-License-Identifier: MIT */
#include "engine/sync/notify.h"

#include "engine/core/error.h"
#include "engine/core/kinds.h"
#include "engine/twod/nv4_state.h"
#include "bus/bus.h"
#include "fifo/fifo.h"
#include "unit/graph/graph.h"

#define NOTIFY_METHOD 0x104u /* before GF100 */

static void write_record(const struct call *call, enum unit_use use, struct dma_address target, bool awaken,
                         uint16_t status, const char *cause) {
    uint8_t record[16] = {0};
    store_le64(record, bus_now(call->engine->fifo->bus));
    record[14] = (uint8_t)status;
    record[15] = (uint8_t)(status >> 8);
    bool written = report_write_for(call, use, target, record, sizeof record, 0, "notifier");
    if (written && awaken)
        call_interrupt(call, cause);
}

void notify_write(const struct call *call, struct dma_address target, bool awaken) {
    write_record(call, USE_NOTIFIER, target, awaken, 0, "NOTIFY");
}

void notify_write_buffer(const struct call *call, struct dma_address target, bool awaken) {
    write_record(call, USE_BUFFER_NOTIFIER, target, awaken, call->engine->status, "BUFFER_NOTIFY");
}

bool notify_ignores(const struct call *call) {
    bool missing = call->action && call->action->run == notify_no_method;
    return missing || call->method == NOTIFY_METHOD || call->method == NOTIFY_DMA;
}

static void arm(const struct call *call, enum notify_state notify) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    state->notify = notify;
    state->volatile_on = (uint8_t)((call->subchannel & (ENGINE_SUBCHANNELS - 1)) + 1);
}

/* ---- NV1 and NV3 ---- */

#define NOTIFY_VALID (1u << 8)  /* CTX_SWITCH of NV1: the driver has set the DMA object of this object */
#define NOTIFY_INTR  (1u << 20) /* NOTIFY of NV1: interrupt, too */
#define SELECTABLE   15u        /* NV3 */

/* NV3 has a number, NV1 a bit that only its driver sets. */
static bool selects(const struct call *call) {
    return call->engine->fifo->chip->has_dma_target;
}

static struct graph_regs *registers(const struct call *call) {
    return &call->engine->fifo->graph->r;
}

static uint32_t selected(const struct call *call) {
    return selects(call) ? (registers(call)->object_notify & GRAPH_NOTIFY_SELECT) >> 20 : 0;
}

/* What NOTIFY refuses; NV3 arms what was armed once more. */
static void check_nv1(const struct call *call, uint32_t most) {
    if (call->data > most)
        call_error(call, ENGINE_ERROR_INVALID_VALUE);
    if (!selects(call) && !(registers(call)->channel & NOTIFY_VALID))
        call_error(call, ENGINE_ERROR_INVALID_NOTIFY);
    if (registers(call)->object_notify & (selects(call) ? GRAPH_NOTIFY_ARMED : GRAPH_NOTIFY_ARMED | NOTIFY_INTR))
        call_error(call, ENGINE_ERROR_DOUBLE_NOTIFY);
}

static enum action_result arm_nv1(struct call *call, uint32_t most) {
    struct graph_regs *r = registers(call);
    check_nv1(call, most);
    if (r->invalid & (selects(call) ? GRAPH_INVALID_VALUE | GRAPH_CTXSW_NOTIFY : ~0u))
        return ACTION_DONE;
    r->object_notify |= GRAPH_NOTIFY_ARMED;
    if (selects(call))
        r->object_notify = (r->object_notify & ~GRAPH_NOTIFY_SELECT) | (call->data << 20 & GRAPH_NOTIFY_SELECT);
    arm(call, NOTIFY_WRITE);
    return ACTION_DONE;
}

static enum action_result notify_nv1(struct call *call) {
    return arm_nv1(call, selects(call) ? SELECTABLE : 0);
}

/* Textured quads of NV1 take any value. */
static enum action_result notify_nv1_any(struct call *call) {
    return arm_nv1(call, UINT32_MAX);
}

/* Only who wants to be woken hears of a notifier that is not written. */
enum action_result notify_no_method(struct call *call) {
    const struct graph_regs *r = registers(call);
    call_error(call, ENGINE_ERROR_ILLEGAL_METHOD);
    if ((r->object_notify & GRAPH_NOTIFY_ARMED) && selected(call) != 0 &&
        !(r->invalid & (GRAPH_INVALID_VALUE | GRAPH_CTXSW_NOTIFY)))
        call_interrupt(call, "NOTIFY");
    return ACTION_DONE;
}

/* The driver may have taken it back. */
static void fire_nv1(const struct call *call) {
    struct graph_regs *r = registers(call);
    uint32_t select = selected(call);
    bool due = r->object_notify & GRAPH_NOTIFY_ARMED;
    bool awaken = selects(call) ? select != 0 : (r->object_notify & NOTIFY_INTR) != 0;
    struct dma_address target = {r->object_notify & GRAPH_NOTIFY_INSTANCE, select > 1 ? 0x10 * select : 0};
    r->object_notify &= ~(selects(call) ? GRAPH_NOTIFY_ARMED : GRAPH_NOTIFY_ARMED | NOTIFY_INTR);
    if (due)
        write_record(call, USE_NOTIFIER, target, awaken, call->engine->status, "NOTIFY");
}

/* ---- NV4 and later ---- */

/* UNKNOWN: whose notifier it is; chosen: that of the method's object, since PGRAPH keeps no other one. */
void notify_fire(const struct call *call) {
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
    notify_write(call, (struct dma_address){0, call_address(call, 0x104, 0x108, bits)}, call->data == 1);
    return ACTION_DONE;
}

const struct action notify_nv1_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv1}, {0}};
const struct action notify_nv1_any_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv1_any},
                                                {0}};
const struct action notify_nv4_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv4}, {0}};
const struct action notify_gf100_actions[] = {{.method = 0x10c, .type = ACTION_EFFECT, .run = notify_gf100}, {0}};
