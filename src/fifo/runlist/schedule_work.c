/* SPDX-License-Identifier: MIT */
/*
 * Would a run do something? The conditions of schedule_run(), without its effects.
 *
 * A channel that has work but waits does not count if its condition can be checked here: a semaphore or syncpoint of a
 * host method, a closed gate. Uncertain cases count as work: an engine that took nothing although its gate is open.
 */
#include "fifo/semaphore.h"

#include "fifo/pbdma/host.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/userd.h"
#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"

static bool work_bytes_left(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    return channel_word(fifo, channel, R_GET) != channel_word(fifo, channel, R_PUT) ||
           ((channel_word(fifo, channel, R_GET_HI) ^ channel_word(fifo, channel, R_PUT_HI)) & 0xff) != 0;
}

/* As the scheduler sees it: a loaded channel has its own GP_PUT, and looks into USERD when it has come there. */
static bool work_ring_left(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    enum memory_target target;
    uint32_t get = channel_word(fifo, channel, R_GP_GET);
    if (channel->on && get != channel->on->regs[R_GP_PUT])
        return true;
    uint64_t userd = userd_address(fifo->base.chip->userd_stride, channel_word(fifo, channel, R_USERD),
                                   channel_word(fifo, channel, R_USERD_HI), &target);
    return memory_physical_rd32(fifo->base.memory, target, userd + NV_USERD_GP_PUT) != get;
}

static bool work_left(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    return (channel_word(fifo, channel, R_METHOD0) & METHOD_VALID) || work_bytes_left(fifo, channel) ||
           work_ring_left(fifo, channel);
}

/* ---- what a channel waits for ---- */

/* A timeout that interrupts comes once; a driver may have switched off that it stalls. */
static bool work_gives_up(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    uint32_t now = (uint32_t)(bus_now(fifo->base.bus) >> 10);
    if (!(channel_word(fifo, channel, R_ACQUIRE) & ACQUIRE_TIMEOUT_ENABLED) ||
        (channel->on && (channel->on->intr_0 & PBDMA_INTR_ACQUIRE)))
        return false;
    return now - channel_word(fifo, channel, R_ACQUIRE_DEADLINE) < 0x80000000u;
}

static bool work_semaphore_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel,
                                 enum semaphore_compare compare) {
    const struct pfifo_channel_context *context = &channel->context;
    struct address_space vm = address_space_vm(fifo->base.memory, context->instance_target, context->instance);
    uint64_t address = (channel_word(fifo, channel, R_SEM_ADDR_LO) & ~3u) |
                       (uint64_t)(channel_word(fifo, channel, R_SEM_ADDR_HI) & 0xff) << 32;
    uint8_t bytes[4];
    if (!memory_peek(fifo->base.memory, channel->on ? &context->vm : &vm, address, bytes, sizeof bytes))
        return false; /* a fault is something to do */
    return !semaphore_satisfied(compare, load_le32(bytes), channel_word(fifo, channel, R_SEM_PAYLOAD));
}

static bool work_syncpoint_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t data) {
    bool bases = fifo->shared.host->syncpoint_bases;
    uint32_t threshold = channel_word(fifo, channel, R_SYNCPOINT_A);
    const uint32_t *counter = pbdma_fifo_syncpoint(&fifo->base, data >> 8 & (bases ? 0xff : 0xfff));
    if (bases && (data & 0x20))
        threshold += fifo->shared.syncpoint_bases[data >> 20 & 0x3f];
    return counter && !semaphore_satisfied(SEMAPHORE_GEQUAL, *counter, threshold);
}

/* The method was offered, and failed: it is known to be an acquire, and ACQUIRE_FAIL says so. */
static bool work_host_method_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t method) {
    uint32_t data = channel_word(fifo, channel, R_DATA0);
    if (!(channel_word(fifo, channel, R_SEM_EXECUTE) & SEM_EXECUTE_FAIL) || work_gives_up(fifo, channel))
        return false;
    if (method == 0x74)
        return work_syncpoint_waits(fifo, channel, data);
    if (method == 0x68)
        return work_semaphore_waits(fifo, channel, SEMAPHORE_EQUAL);
    if (method != 0x1c)
        return false;
    static const enum semaphore_compare compare[9] = {
        [1] = SEMAPHORE_EQUAL, [4] = SEMAPHORE_GEQUAL, [8] = SEMAPHORE_AND};
    return work_semaphore_waits(fifo, channel, compare[(data & 0xf) <= 8 ? data & 0xf : 0]);
}

/* SET_OBJECT may name another engine than the one that the subchannel has. */
static bool work_changes_engine(const struct pbdma *pbdma, uint32_t entry, unsigned route) {
    return (entry & HEADER_METHOD) == 0 && pbdma->fifo->chip->has_engine_in_object &&
           (pbdma->regs[R_DATA0] >> 16 & 0x1f) != route;
}

/* An engine that the channel has turned to, and that is closed. */
static bool work_engine_waits(const struct pbdma *pbdma, uint32_t entry) {
    unsigned route = pbdma->route[entry >> HEADER_SUBCHANNEL & 7];
    return route < CHIP_MAX_ENGINES && (pbdma->regs[R_TARGET] & 0x1f) == route &&
           !work_changes_engine(pbdma, entry, route) &&
           pbdma_engine_channel(pbdma_fifo_of(pbdma), route) == pbdma->channel->context.id &&
           !fifo_engine_open(pbdma->fifo, route, pbdma->channel->context.id);
}

static bool work_waits(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    uint32_t entry = channel_word(fifo, channel, R_METHOD0), method = entry & HEADER_METHOD;
    if (!(entry & METHOD_VALID))
        return false;
    bool is_host = method != 0 && method < 0x100;
    return is_host ? work_host_method_waits(fifo, channel, method)
                   : channel->on && work_engine_waits(channel->on, entry);
}

/* ---- channels that could continue ---- */

/* What cannot go on makes way, and that is something to do, too. */
static bool work_loaded_works(const struct pbdma *pbdma) {
    const struct pbdma_channel *channel = pbdma->channel;
    return channel->faulted || !channel->enabled || !work_left(pbdma_fifo_of(pbdma), channel) ||
           !work_waits(pbdma_fifo_of(pbdma), channel);
}

static bool work_can_load(const struct pbdma *pbdma, const struct pbdma_channel *channel) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    return channel->enabled && channel->bound && !channel->faulted && !channel->on &&
           pbdma->shared->variant->puller->may_serve(pbdma, channel_word(fifo, channel, R_TARGET) & 0x1f) &&
           work_left(fifo, channel) && !work_waits(fifo, channel);
}

static bool work_list_works(const struct pbdma *pbdma, unsigned number) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    const struct runlist *list = &fifo->list[number];
    for (uint32_t i = 0; fifo->variant->runlist->serves(pbdma, number) && i < list->count; i++) {
        const struct pbdma_channel *channel = &fifo->channels[list->entries[i].channel];
        if (!fifo->variant->runlist->disabled(fifo, number, channel) && work_can_load(pbdma, channel))
            return true;
    }
    return false;
}

static bool work_unit_works(const struct pbdma *pbdma) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    if (pbdma_stalled(pbdma))
        return false;
    if (schedule_unit_of(pbdma)->preempted)
        return !schedule_engines_hold(fifo, pbdma_channel_id(pbdma));
    if (fifo->variant->frozen(pbdma))
        return false;
    if (pbdma->channel && work_loaded_works(pbdma))
        return true;
    if (schedule_halted(fifo))
        return false;
    for (unsigned n = 0; n < fifo->lists; n++)
        if (work_list_works(pbdma, n))
            return true;
    return false;
}

bool schedule_can_work(struct fifo *base) {
    const struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < fifo->shared.count; i++)
        if (work_unit_works(&fifo->shared.unit[i]))
            return true;
    return false;
}
