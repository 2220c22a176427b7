/* SPDX-License-Identifier: MIT */
#include "engine/notify.h"

#include "engine/error.h"
#include "engine/kinds.h"

#define NOTIFY_METHOD 0x104u /* before GF100 */

static void write_record(const struct call *call, struct place place, bool awaken, uint16_t status, const char *cause) {
    uint8_t record[16] = {0};
    store_le64(record, bus_now(call->engine->fifo->bus));
    record[14] = (uint8_t)status;
    record[15] = (uint8_t)(status >> 8);
    report_write(call, place, record, sizeof record, 0, "notifier");
    if (awaken)
        call_interrupt(call, cause);
}

void notify_write(const struct call *call, struct place place, bool awaken) {
    write_record(call, place, awaken, 0, "NOTIFY");
}

void notify_write_buffer(const struct call *call, struct place place, bool awaken) {
    write_record(call, place, awaken, call->engine->status, "BUFFER_NOTIFY");
}

bool notify_ignores(uint32_t method) {
    return method == NOTIFY_METHOD || method == NOTIFY_DMA;
}

/* UNKNOWN: whose notifier it is; chosen: that of the method's object, since PGRAPH keeps no other one. */
void notify_fire(const struct call *call) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    bool awaken = state->notify == NOTIFY_AWAKEN;
    state->notify = NOTIFY_NONE;
    write_record(call, (struct place){call_value(call, NOTIFY_DMA), 0}, awaken, call->engine->status, "NOTIFY");
}

/*
 * What is refused leaves what was armed. Pending is a bit of PGRAPH's, which is forgotten with a change of the
 * subchannel or of its object; on NV1 and NV3 that is the error CTXSW_NOTIFY. [envytools hwtest/pgraph_mthd.cc,
 * pgraph_mthd_misc.cc]
 */
static enum action_result notify_nv4(struct call *call) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    if (call->data > 1)
        return call_error(call, ENGINE_ERROR_INVALID_VALUE);
    if (state->notify != NOTIFY_NONE)
        return call_error(call, ENGINE_ERROR_DOUBLE_NOTIFY);
    if (call_value(call, NOTIFY_DMA) == 0)
        return call_error(call, ENGINE_ERROR_INVALID_NOTIFY);
    state->notify = call->data ? NOTIFY_AWAKEN : NOTIFY_WRITE;
    state->fleeting = (uint8_t)((call->subchannel & (ENGINE_SUBCHANNELS - 1)) + 1);
    return ACTION_DONE;
}

/* Work before it is done when it is executed, so it fires at once. */
static enum action_result notify_gf100(struct call *call) {
    unsigned bits = call->object->index->kind->report_bits;
    notify_write(call, (struct place){0, call_address(call, 0x104, 0x108, bits)}, call->data == 1);
    return ACTION_DONE;
}

const struct action notify_nv4_actions[] = {{.method = NOTIFY_METHOD, .type = ACTION_EFFECT, .run = notify_nv4}, {0}};
const struct action notify_gf100_actions[] = {{.method = 0x10c, .type = ACTION_EFFECT, .run = notify_gf100}, {0}};
