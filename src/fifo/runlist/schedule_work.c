/* SPDX-License-Identifier: MIT */
/*
 * Would a run do something? The conditions of pbdma_run(), without its effects.
 *
 * A channel that has work but waits does not count, if what it waits for can be looked at from here: a semaphore or
 * syncpoint of a host method, a gate that is closed. What stays uncertain counts as work: an engine that took nothing
 * although its gate is open.
 */
#include "fifo/pbdma/pbdma_host.h"
#include "fifo/semaphore.h"
#include "hw/userd.h"

static uint32_t word_of(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word word) {
    if (channel->on)
        return channel->on->regs[word];
    return memory_physical_rd32(fifo->base.memory, channel->context.instance_target,
                                channel->context.instance + 4 * (uint64_t)word);
}

static bool bytes_left(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    return word_of(fifo, channel, R_GET) != word_of(fifo, channel, R_PUT) ||
           ((word_of(fifo, channel, R_GET_HI) ^ word_of(fifo, channel, R_PUT_HI)) & 0xff) != 0;
}

/* As the scheduler sees it: a loaded channel has its own GP_PUT, and looks into USERD when it has come there. */
static bool ring_left(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    enum memory_target target;
    uint32_t get = word_of(fifo, channel, R_GP_GET);
    if (channel->on && get != channel->on->regs[R_GP_PUT])
        return true;
    uint64_t userd = pbdma_userd(fifo, word_of(fifo, channel, R_USERD), word_of(fifo, channel, R_USERD_HI), &target);
    return memory_physical_rd32(fifo->base.memory, target, userd + NV_USERD_GP_PUT) != get;
}

static bool has_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    return (word_of(fifo, channel, R_METHOD0) & METHOD_VALID) || bytes_left(fifo, channel) || ring_left(fifo, channel);
}

/* ---- what a channel waits for ---- */

/* A timeout that interrupts comes once; a driver may have switched off that it stalls. */
static bool gives_up(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    uint32_t now = (uint32_t)(bus_now(fifo->base.bus) >> 10);
    if (!(word_of(fifo, channel, R_ACQUIRE) & ACQUIRE_TIMEOUT_ENABLED) ||
        (channel->on && (channel->on->intr_0 & PBDMA_INTR_ACQUIRE)))
        return false;
    return now - word_of(fifo, channel, R_ACQUIRE_DEADLINE) < 0x80000000u;
}

static bool semaphore_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel,
                            enum semaphore_compare compare) {
    const struct pfifo_channel_context *context = &channel->context;
    struct address_space vm = address_space_vm(fifo->base.memory, context->instance_target, context->instance);
    uint64_t address =
        (word_of(fifo, channel, R_SEM_ADDR_LO) & ~3u) | (uint64_t)(word_of(fifo, channel, R_SEM_ADDR_HI) & 0xff) << 32;
    uint8_t bytes[4];
    if (!memory_peek(fifo->base.memory, channel->on ? &context->vm : &vm, address, bytes, sizeof bytes))
        return false; /* a fault is something to do */
    return !semaphore_satisfied(compare, load_le32(bytes), word_of(fifo, channel, R_SEM_PAYLOAD));
}

static bool syncpoint_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t data) {
    bool bases = pbdma_has_a26f(fifo->base.chip);
    uint32_t threshold = word_of(fifo, channel, R_SYNCPOINT_A);
    const uint32_t *counter = pbdma_syncpoint(&fifo->base, data >> 8 & (bases ? 0xff : 0xfff));
    if (bases && (data & 0x20))
        threshold += fifo->syncpoint_bases[data >> 20 & 0x3f];
    return counter && !semaphore_satisfied(SEMAPHORE_GEQUAL, *counter, threshold);
}

/* The method was offered, and failed: it is known to be an acquire, and ACQUIRE_FAIL says so. */
static bool host_method_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t method) {
    uint32_t data = word_of(fifo, channel, R_DATA0);
    if (!(word_of(fifo, channel, R_SEM_EXECUTE) & SEM_EXECUTE_FAIL) || gives_up(fifo, channel))
        return false;
    if (method == 0x74)
        return syncpoint_waits(fifo, channel, data);
    if (method == 0x68)
        return semaphore_waits(fifo, channel, SEMAPHORE_EQUAL);
    if (method != 0x1c)
        return false;
    static const enum semaphore_compare compare[9] = {
        [1] = SEMAPHORE_EQUAL, [4] = SEMAPHORE_GEQUAL, [8] = SEMAPHORE_AND};
    return semaphore_waits(fifo, channel, compare[(data & 0xf) <= 8 ? data & 0xf : 0]);
}

/* An engine that the channel has turned to, and that is closed. */
static bool engine_waits(const struct pbdma *pbdma, uint32_t entry) {
    unsigned route = pbdma->route[entry >> HEADER_SUBCHANNEL & 7];
    return route < CHIP_MAX_ENGINES && (pbdma->regs[R_TARGET] & 0x1f) == route &&
           pbdma_engine_channel(pbdma->fifo, route) == pbdma->channel->context.id &&
           !fifo_engine_open(&pbdma->fifo->base, route, pbdma->channel->context.id);
}

static bool waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    uint32_t entry = word_of(fifo, channel, R_METHOD0), method = entry & HEADER_METHOD;
    if (!(entry & METHOD_VALID))
        return false;
    return method < 0x100 ? host_method_waits(fifo, channel, method) : channel->on && engine_waits(channel->on, entry);
}

/* ---- who could go on ---- */

/* A channel that is asked to leave does so when its engines are through. */
static bool engines_hold(const struct pbdma *pbdma) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (pbdma_engine_channel(pbdma->fifo, id) == pbdma->channel->context.id && pbdma_engine_busy(pbdma->fifo, id))
            return true;
    return false;
}

/* What cannot go on makes way, and that is something to do, too. */
static bool loaded_works(const struct pbdma *pbdma) {
    const struct pbdma_channel *channel = pbdma->channel;
    return channel->faulted || !channel->enabled || !has_work(pbdma->fifo, channel) || !waits(pbdma->fifo, channel);
}

static bool can_load(const struct pbdma *pbdma, const struct pbdma_channel *channel) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    return channel->enabled && channel->bound && !channel->faulted && !channel->on &&
           fifo->family->may_serve(pbdma, word_of(fifo, channel, R_TARGET) & 0x1f) && has_work(fifo, channel) &&
           !waits(fifo, channel);
}

static bool list_works(const struct pbdma *pbdma, unsigned number) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    const struct runlist *list = &fifo->list[number];
    for (uint32_t i = 0; fifo->family->serves(pbdma, number) && i < list->count; i++) {
        const struct pbdma_channel *channel = &fifo->channels[list->entries[i].channel];
        if (!fifo->family->list_disabled(fifo, number, channel) && can_load(pbdma, channel))
            return true;
    }
    return false;
}

static bool unit_works(const struct pbdma *pbdma) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    if (pbdma_stalled(pbdma))
        return false;
    if (pbdma->preempted)
        return !engines_hold(pbdma);
    if (fifo->family->frozen(pbdma))
        return false;
    if (pbdma->channel && loaded_works(pbdma))
        return true;
    if (fifo->intr_stall && (pbdma_intr(fifo) & fifo->intr_stall))
        return false;
    for (unsigned n = 0; n < fifo->lists; n++)
        if (list_works(pbdma, n))
            return true;
    return false;
}

bool pbdma_can_work(struct fifo *base) {
    const struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        if (unit_works(&fifo->pbdma[i]))
            return true;
    return false;
}
