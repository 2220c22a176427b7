/* SPDX-License-Identifier: MIT */
/*
 * Channels: binding to instance blocks, whether there is work for one, and which engines work for it.
 */
#include "fifo/runlist/channel.h"

#include "fifo/pbdma/userd.h"
#include "fifo/runlist/pfifo.h"

void channel_init(struct pbdma_fifo *fifo, uint32_t id) {
    fifo->channels[id] = (struct pbdma_channel){.context = {.fifo = &fifo->base, .id = id}, .tsg = PBDMA_NONE};
}

/* ---- binding ---- */

void channel_bind_error(struct pbdma_fifo *fifo, enum pbdma_bind_error code) {
    fifo->bind_error = code;
    pbdma_fifo_raise(fifo, PFIFO_INTR_BIND, "BIND_ERROR");
}

void channel_set_instance(struct pbdma_channel *channel, uint32_t value) {
    channel->instance = value;
    channel->context.instance = (uint64_t)(value & 0x0fffffff) << 12;
    channel->context.instance_target = pbdma_fifo_base_target(value);
}

#define TARGET_INVALID 1u /* bits 29:28 */

/*
 * UNKNOWN: what a wrong bind does beside reporting itself. Chosen: a channel that is bound, or that runs, stays as it
 * is; else what was asked for is done.
 */
void channel_bind(struct pbdma_fifo *fifo, struct pbdma_channel *channel, uint32_t value, bool valid) {
    if (valid ? channel->bound : channel->on != NULL) {
        channel_bind_error(fifo, valid ? BIND_NOT_UNBOUND : BIND_UNBIND_WHILE_RUNNING);
        return;
    }
    if (valid && (value >> 28 & 3) == TARGET_INVALID)
        channel_bind_error(fifo, BIND_INVALID_TARGET);
    if (valid)
        fifo->variant->runlist->bind(fifo, channel, value);
    if (channel->bound && !valid)
        fifo_channel_gone(&fifo->base, channel->context.id);
    channel_set_instance(channel, value);
    if (valid)
        fifo_channel_bound(&fifo->base, &channel->context);
    channel->bound = valid;
    channel->reload = false;
    channel->faulted = 0;
    channel->crc_left = PBDMA_CRC_METHODS;
    channel->pb_crc_begin = UINT64_MAX;
}

/* ---- work ---- */

static uint32_t channel_ramfc(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word word) {
    return memory_physical_rd32(fifo->base.memory, channel->context.instance_target,
                                channel->context.instance + 4 * (uint64_t)word);
}

bool channel_saved_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    if (channel_ramfc(fifo, channel, R_METHOD0) & METHOD_VALID)
        return true;
    if (channel_ramfc(fifo, channel, R_GET) != channel_ramfc(fifo, channel, R_PUT) ||
        (channel_ramfc(fifo, channel, R_GET_HI) & 0xff) != (channel_ramfc(fifo, channel, R_PUT_HI) & 0xff))
        return true;
    enum memory_target target;
    uint64_t userd = userd_address(fifo->base.chip->userd_stride, channel_ramfc(fifo, channel, R_USERD),
                                   channel_ramfc(fifo, channel, R_USERD_HI), &target);
    return memory_physical_rd32(fifo->base.memory, target, userd + NV_USERD_GP_PUT) !=
           channel_ramfc(fifo, channel, R_GP_GET);
}

bool channel_has_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    if (!channel->bound || !channel->enabled)
        return false;
    return channel->on ? channel_loaded_work(channel->on) : channel_saved_work(fifo, channel);
}

bool channel_saved_acquire(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    return (channel_ramfc(fifo, channel, R_SEM_EXECUTE) & SEM_EXECUTE_FAIL) != 0;
}

uint32_t channel_word(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word word) {
    return channel->on ? channel->on->regs[word] : channel_ramfc(fifo, channel, word);
}

/* Units of ACQUIRE_DEADLINE until an acquire gives up that failed; 0: it does not, or it is over. */
static uint32_t channel_until_deadline(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t clock) {
    if (!(channel_word(fifo, channel, R_SEM_EXECUTE) & SEM_EXECUTE_FAIL) ||
        !(channel_word(fifo, channel, R_ACQUIRE) & ACQUIRE_TIMEOUT_ENABLED))
        return 0;
    uint32_t left = channel_word(fifo, channel, R_ACQUIRE_DEADLINE) - clock;
    return left < 0x80000000u ? left : 0;
}

/* What may not run does not give up either. */
static bool channel_may_wait(const struct pbdma_channel *channel) {
    return channel->on || (channel->enabled && channel->bound && !channel->faulted);
}

uint64_t channel_until_timeout(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    uint64_t now = bus_now(base->bus), nearest = UINT64_MAX;
    for (unsigned n = 0; n < fifo->lists; n++)
        for (uint32_t i = 0; i < fifo->list[n].count; i++) {
            const struct pbdma_channel *channel = &fifo->channels[fifo->list[n].entries[i].channel];
            uint64_t left =
                channel_may_wait(channel) ? channel_until_deadline(fifo, channel, (uint32_t)(now >> 10)) : 0;
            if (left && (left << 10) - (now & 1023) < nearest)
                nearest = (left << 10) - (now & 1023);
        }
    return nearest;
}

/* ---- engines ---- */

uint32_t pbdma_engine_channel(const struct pbdma_fifo *fifo, unsigned engine) {
    uint32_t id = engine < CHIP_MAX_ENGINES ? fifo->base.engines[engine].channel : PBDMA_NONE;
    return id < fifo->channel_count ? id : PBDMA_NONE;
}

bool pbdma_engine_busy(const struct pbdma_fifo *fifo, unsigned engine) {
    uint32_t id = pbdma_engine_channel(fifo, engine);
    const struct fifo_engine *e = &fifo->base.engines[engine % CHIP_MAX_ENGINES];
    return id != PBDMA_NONE && e->ops && e->ops->busy && e->ops->busy(e->engine, &fifo->channels[id].context);
}
