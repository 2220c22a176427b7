/* SPDX-License-Identifier: MIT */
/*
 * The puller: METHOD0 goes to a host method, to an engine, or (software subchannels) to the driver.
 */
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/host.h"
#include "fifo/pbdma/interrupt.h"

#include "unit/error_names.h"
#include "unit/unit.h"

#define HOST_END 0x100u

enum pbdma_step pbdma_method_error(struct pbdma *pbdma, uint32_t bit, const char *cause) {
    uint32_t method = pbdma->regs[R_METHOD0];
    event_send_named(pbdma_events(pbdma), EVENT_PULLER_ERROR, pbdma_channel_id(pbdma), error_name(&errors_pbdma, bit),
                     cause, method >> HEADER_SUBCHANNEL & 7, method & HEADER_METHOD, pbdma->regs[R_DATA0], 0, 0);
    return pbdma_raise(pbdma, bit, cause) ? STEP_STALLED : STEP_DONE;
}

enum pbdma_step pbdma_wait(struct pbdma *pbdma, uint64_t address, uint32_t expected, uint32_t found) {
    pbdma->fifo->stop = (struct pfifo_stop_info){
        .channel = pbdma_channel_id(pbdma), .address = address, .expected = expected, .found = found};
    return STEP_WAITING;
}

/* An engine took nothing. */
enum pbdma_step pbdma_wait_for_engine(struct pbdma *pbdma, const struct fifo_engine *engine) {
    if (fifo_engine_works(engine, &pbdma->channel->context)) {
        pbdma_charge(pbdma, *pbdma->shared->budget ? 1 : 0);
        return STEP_WORKING;
    }
    pbdma_wait(pbdma, 0, 0, 0);
    fifo_engine_waits_for(engine, &pbdma->channel->context, &pbdma->fifo->stop);
    return STEP_WAITING;
}

/* A method for the software object: the driver finds it in METHOD0 and DATA0. */
static enum pbdma_step puller_software_method(struct pbdma *pbdma, unsigned subchannel, uint32_t method) {
    event_send(pbdma_events(pbdma), EVENT_PULLER_SOFTWARE, pbdma_channel_id(pbdma), NULL, subchannel, method,
               pbdma->regs[R_DATA0]);
    return pbdma_raise(pbdma, PBDMA_INTR_DEVICE, "DEVICE") ? STEP_STALLED : STEP_DONE;
}

/* The channel as the unit's registers show it. */
static void puller_show_channel(struct fifo *fifo, unsigned engine, const struct pfifo_channel_context *context) {
    uint32_t page = (uint32_t)(context->instance >> 12);
    unit_enter(fifo->units[engine], page);
}

enum pbdma_step pbdma_select_engine(struct pbdma *pbdma, unsigned engine) {
    struct fifo *fifo = pbdma->fifo;
    struct fifo_engine *wanted = &fifo->engines[engine];
    const struct pfifo_channel_context *context = &pbdma->channel->context;
    unsigned current = pbdma->regs[R_TARGET] & 0x1f;
    if (current == engine && wanted->channel == context->id)
        return STEP_DONE; /* regardless of ENG_SUBFIFO_MASK, which applies to a change of engine */
    if (current != engine) {
        if (current < CHIP_MAX_ENGINES) {
            const struct fifo_engine *old = &fifo->engines[current];
            if (old->ops && old->ops->busy && old->ops->busy(old->engine, context))
                return pbdma_wait(pbdma, 0, 0, 0);
        }
        pbdma->regs[R_TARGET] = (pbdma->regs[R_TARGET] & ~0x1fu) | engine | 1u << 16;
    }
    if (!pbdma->shared->variant->puller->may_serve(pbdma, engine))
        return STEP_LEAVE;
    if (wanted->channel != context->id) {
        if (!fifo_engine_open(fifo, engine, context->id)) /* it shows an error of the other channel */
            return pbdma_wait(pbdma, 0, 0, 0);
        wanted->channel = context->id;
        wanted->used = true;
        puller_show_channel(fifo, engine, context);
        if (wanted->ops && wanted->ops->switch_channel)
            wanted->ops->switch_channel(wanted->engine, context);
    }
    return STEP_DONE;
}

/* One method to an engine, from METHOD0. */
static enum pbdma_step puller_engine_method(struct pbdma *pbdma, unsigned route, unsigned subchannel, uint32_t method) {
    enum pbdma_step step = pbdma_select_engine(pbdma, route);
    if (step != STEP_DONE)
        return step;
    const struct fifo_engine *engine = &pbdma->fifo->engines[route];
    if (!fifo_engine_open(pbdma->fifo, route, pbdma->channel->context.id))
        return pbdma_wait(pbdma, 0, 0, 0);
    struct pfifo_methods run = {
        .data = &pbdma->regs[R_DATA0],
        .count = 1,
        .method = (uint16_t)method,
        .step = pbdma->regs[R_METHOD0] & METHOD_INCREASING ? 4 : 0,
        .subchannel = (uint8_t)subchannel,
        .channel = &pbdma->channel->context,
    };
    if (!engine->ops) {
        event_send(pbdma_events(pbdma), EVENT_PULLER_ERROR, pbdma_channel_id(pbdma), "no engine", subchannel, method,
                   pbdma->regs[R_DATA0], 0, 0);
    } else if (engine->ops->methods(engine->engine, &run) == 0) {
        return pbdma_wait_for_engine(pbdma, engine);
    }
    pbdma_crc_methods(pbdma, &run);
    return STEP_DONE;
}

static enum pbdma_step puller_execute(struct pbdma *pbdma) {
    uint32_t entry = pbdma->regs[R_METHOD0], method = entry & HEADER_METHOD;
    unsigned subchannel = entry >> HEADER_SUBCHANNEL & 7, route = pbdma->route[subchannel];
    if (method < HOST_END)
        return pbdma_host_method(pbdma, subchannel, method, pbdma->regs[R_DATA0]);
    if (route >= CHIP_MAX_ENGINES)
        return puller_software_method(pbdma, subchannel, method);
    return puller_engine_method(pbdma, route, subchannel, method);
}

enum pbdma_step pbdma_pull(struct pbdma *pbdma) {
    enum pbdma_step step = puller_execute(pbdma);
    if (step != STEP_DONE)
        return step;
    pbdma->regs[R_METHOD0] &= ~METHOD_VALID;
    pbdma_charge(pbdma, 1);
    return STEP_DONE;
}
