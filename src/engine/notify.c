/* SPDX-License-Identifier: MIT */
#include "engine/notify.h"

#include "engine/kinds.h"

#define NOTIFY_METHOD 0x104u /* before GF100 */

void notify_write(const struct call *call, struct place place, bool awaken) {
    uint8_t record[16] = {0};
    store_le64(record, bus_now(call->engine->fifo->bus));
    report_write(call, place, record, sizeof record, 0, "notifier");
    if (awaken)
        call_interrupt(call, "NOTIFY");
}

bool notify_ignores(uint32_t method) {
    return method == NOTIFY_METHOD || method == NOTIFY_DMA;
}

void notify_fire(const struct call *call) {
    bool awaken = call->object->notify == NOTIFY_AWAKEN;
    call->object->notify = NOTIFY_NONE;
    notify_write(call, (struct place){call_value(call, NOTIFY_DMA), 0}, awaken);
}

/*
 * Armed for the next method of this object. Errors interrupt and leave what was armed.
 * UNKNOWN: what becomes of a NOTIFY that is pending while the channel goes on with another object, for which PGRAPH has
 * the error CTXSW_NOTIFY; chosen: it stays pending at its object, and no such error is raised.
 */
static enum action_result notify_nv4(struct call *call) {
    if (call->data > 1)
        call_interrupt(call, "INVALID_VALUE");
    else if (call->object->notify != NOTIFY_NONE)
        call_interrupt(call, "DOUBLE_NOTIFY");
    else
        call->object->notify = call->data ? NOTIFY_AWAKEN : NOTIFY_WRITE;
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
