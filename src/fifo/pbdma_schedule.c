/* SPDX-License-Identifier: MIT */
/*
 * Who runs: runlists, and the turns of the PBDMAs.
 *
 * PBDMAs take turns in the order of their numbers. A turn lasts until the channel has nothing left to do, an interrupt
 * stalls the PBDMA, or the timeslice is over while another channel could run; on a failed acquire the PBDMA goes
 * through the other channels first. The budget may end anywhere in between: whose turn it is is state, so
 * work done in many small steps takes the same course as in one.
 *
 * UNKNOWN: whether SCHED_DISABLE takes a running channel off. Chosen: no, it only keeps new ones out.
 */
#include "fifo/pbdma.h"

#include <assert.h>

/* Runs of the scheduler beside enum pbdma_step. */
enum { TURN_BUDGET = STEP_LEAVE + 1, TURN_SLICE };

static uint32_t ramfc(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word word) {
    return memory_physical_rd32(fifo->base.memory, channel->context.instance_target,
                                channel->context.instance + 4 * (uint64_t)word);
}

/* Does a channel that is on no PBDMA have something to do? */
static bool saved_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    if (ramfc(fifo, channel, R_METHOD0) & METHOD_VALID)
        return true;
    if (ramfc(fifo, channel, R_GET) != ramfc(fifo, channel, R_PUT) ||
        (ramfc(fifo, channel, R_GET_HI) & 0xff) != (ramfc(fifo, channel, R_PUT_HI) & 0xff))
        return true;
    enum memory_target target;
    uint64_t userd = pbdma_userd(fifo, ramfc(fifo, channel, R_USERD), ramfc(fifo, channel, R_USERD_HI), &target);
    return memory_physical_rd32(fifo->base.memory, target, userd + 0x8c) != ramfc(fifo, channel, R_GP_GET);
}

/* The same for one that is on a PBDMA. An empty ring looks into USERD again. */
static bool loaded_work(struct pbdma *pbdma) {
    uint32_t *regs = pbdma->regs;
    if (regs[R_METHOD0] & METHOD_VALID || regs[R_GET] != regs[R_PUT] || ((regs[R_GET_HI] ^ regs[R_PUT_HI]) & 0xff))
        return true;
    if (regs[R_GP_GET] == regs[R_GP_PUT])
        regs[R_GP_PUT] = pbdma_read_gp_put(pbdma);
    return regs[R_GP_GET] != regs[R_GP_PUT];
}

bool pbdma_has_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    if (!channel->bound || !channel->enabled)
        return false;
    return channel->on ? loaded_work(channel->on) : saved_work(fifo, channel);
}

bool pbdma_saved_acquire(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    return (ramfc(fifo, channel, R_SEM_EXECUTE) & SEM_EXECUTE_FAIL) != 0;
}

static bool runnable(struct pbdma *pbdma, const struct pbdma_channel *channel) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    return channel->enabled && channel->bound && !channel->faulted && !channel->on &&
           fifo->family->may_serve(pbdma, ramfc(fifo, channel, R_TARGET) & 0x1f) && saved_work(fifo, channel);
}

/* The next channel of a list for this PBDMA, and its place in the list; UINT32_MAX: none. */
static uint32_t next_in_list(struct pbdma *pbdma, unsigned number) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    const struct runlist *list = &fifo->list[number];
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t at = (list->next + i) % list->count;
        const struct pbdma_channel *channel = &fifo->channels[list->entries[at].channel];
        if (!fifo->family->list_disabled(fifo, number, channel) && runnable(pbdma, channel))
            return at;
    }
    return UINT32_MAX;
}

/* Round robin over the lists it serves, beginning with the one after the last. */
static bool find_next(struct pbdma *pbdma, unsigned *list, uint32_t *at) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    for (unsigned i = 1; i <= fifo->lists; i++) {
        *list = (pbdma->list + i) % fifo->lists;
        if (!fifo->family->serves(pbdma, *list))
            continue;
        *at = next_in_list(pbdma, *list);
        if (*at != UINT32_MAX)
            return true;
    }
    return false;
}

static bool another_can_run(struct pbdma *pbdma) {
    unsigned list;
    uint32_t at;
    return find_next(pbdma, &list, &at);
}

static bool load_next(struct pbdma *pbdma) {
    unsigned number;
    uint32_t at;
    if (!find_next(pbdma, &number, &at))
        return false;
    struct runlist *list = &pbdma->fifo->list[number];
    const struct runlist_entry *entry = &list->entries[at];
    list->next = (at + 1) % list->count;
    pbdma_load(pbdma, &pbdma->fifo->channels[entry->channel], number, entry->slice);
    return true;
}

/* NO_CONTEXT_SWITCH holds to the end of its segment. */
static bool slice_over(const struct pbdma *pbdma) {
    if (pbdma->slice > 0)
        return false;
    bool in_segment = pbdma->regs[R_GET] != pbdma->regs[R_PUT] || (pbdma->regs[R_METHOD0] & METHOD_VALID);
    return !(in_segment && (pbdma->regs[R_PB_FETCH] & FETCH_NO_SWITCH));
}

/* Step the channel until something ends that: an enum pbdma_step or TURN_*. */
static int run_channel(struct pbdma *pbdma) {
    for (;;) {
        if (pbdma_stalled(pbdma))
            return STEP_STALLED;
        if (pbdma->channel->faulted)
            return STEP_FAULTED;
        if (!pbdma->channel->enabled || !loaded_work(pbdma))
            return STEP_IDLE;
        if (*pbdma->fifo->budget == 0)
            return TURN_BUDGET;
        if (slice_over(pbdma))
            return TURN_SLICE;
        enum pbdma_step step = pbdma->regs[R_METHOD0] & METHOD_VALID ? pbdma_pull(pbdma) : pbdma_fetch(pbdma);
        if (step != STEP_DONE)
            return (int)step;
    }
}

/*
 * The timeslice is over: somebody else, or another one. When there was nobody, a YIELD does not look again at once: it
 * is a walk over all channels.
 */
static void end_slice(struct pbdma *pbdma) {
    if (another_can_run(pbdma)) {
        pbdma_leave(pbdma);
        return;
    }
    pbdma->slice = pbdma->period;
    pbdma->yields_at = pbdma->period - PBDMA_SHORTEST_SLICE;
}

/* How many channels on no PBDMA this one could run. */
static uint32_t count_runnable(struct pbdma *pbdma) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    uint32_t count = 0;
    for (unsigned n = 0; n < fifo->lists; n++) {
        const struct runlist *list = &fifo->list[n];
        for (uint32_t i = 0; fifo->family->serves(pbdma, n) && i < list->count; i++) {
            const struct pbdma_channel *channel = &fifo->channels[list->entries[i].channel];
            count += !fifo->family->list_disabled(fifo, n, channel) && runnable(pbdma, channel);
        }
    }
    return count;
}

/* What came of a turn. */
struct turn {
    bool progress;  /* it did something, or has room for another channel now */
    bool exhausted; /* and in the end this PBDMA could do no more */
};

/*
 * One turn. A channel that waits makes way for the next, until all have been tried since the last success; the last
 * one stays.
 */
static struct turn take_turn(struct pbdma *pbdma) {
    uint64_t *budget = pbdma->fifo->budget;
    uint64_t before = *budget, last = *budget;
    uint32_t failures = 0, others = 0;
    bool makes_room = pbdma->channel != NULL;
    if (pbdma_stalled(pbdma) || pbdma->fifo->family->frozen(pbdma))
        return (struct turn){.exhausted = true};
    while (pbdma->channel || load_next(pbdma)) {
        int result = run_channel(pbdma);
        failures = (*budget == last ? failures : 0) + 1;
        last = *budget;
        if (result == STEP_WAITING && failures == 1)
            others = count_runnable(pbdma);
        if (result == STEP_WAITING && failures <= others) {
            pbdma_leave(pbdma);
            continue;
        }
        if (result == STEP_WAITING || result == STEP_STALLED || result == TURN_BUDGET)
            return (struct turn){*budget != before, .exhausted = result != TURN_BUDGET};
        if (result == TURN_SLICE)
            end_slice(pbdma);
        else
            pbdma_leave(pbdma);
        return (struct turn){*budget != before || makes_room || result != STEP_IDLE, .exhausted = false};
    }
    return (struct turn){*budget != before, .exhausted = true};
}

/* Channels that have come to their end exactly with the budget. */
static void settle(struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        struct pbdma *pbdma = &fifo->pbdma[i];
        if (pbdma->channel && !pbdma_stalled(pbdma) &&
            (pbdma->channel->faulted || !pbdma_has_work(fifo, pbdma->channel)))
            pbdma_leave(pbdma);
    }
}

/* Why a channel that has work does not get on with it. */
static enum pfifo_stop hindrance(struct pbdma_fifo *fifo, unsigned number, const struct pbdma_channel *channel) {
    if (channel->faulted)
        return PFIFO_STOP_INTERRUPT;
    if (!channel->on && fifo->family->list_disabled(fifo, number, channel))
        return PFIFO_STOP_FROZEN;
    unsigned engine = channel->on ? ROUTE_SOFTWARE : ramfc(fifo, channel, R_TARGET) & 0x1f;
    enum pfifo_stop why = PFIFO_STOP_FROZEN;
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        const struct pbdma *pbdma = &fifo->pbdma[i];
        if (channel->on ? channel->on != pbdma
                        : !fifo->family->serves(pbdma, number) || !fifo->family->may_serve(pbdma, engine))
            continue;
        if (pbdma_stalled(pbdma))
            return PFIFO_STOP_INTERRUPT;
        if (!fifo->family->frozen(pbdma))
            why = PFIFO_STOP_WAITING;
    }
    return why;
}

/* What hinders the channels that have work: a bit per enum pfifo_stop. */
static uint32_t hindrances(struct pbdma_fifo *fifo) {
    uint32_t reasons = 0;
    for (unsigned n = 0; n < fifo->lists; n++)
        for (uint32_t i = 0; i < fifo->list[n].count; i++) {
            const struct pbdma_channel *channel = &fifo->channels[fifo->list[n].entries[i].channel];
            if (pbdma_has_work(fifo, channel))
                reasons |= 1u << hindrance(fifo, n, channel);
        }
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        if (fifo->pbdma[i].channel && pbdma_stalled(&fifo->pbdma[i]))
            reasons |= 1u << PFIFO_STOP_INTERRUPT;
    return reasons;
}

/* With budget left, who could go on waits; without, nobody knows. The stronger reason wins. */
static enum pfifo_stop stop_reason(uint32_t reasons, bool budget_left) {
    if (!budget_left && (reasons & 1u << PFIFO_STOP_WAITING))
        return PFIFO_STOP_BUDGET;
    if (reasons & 1u << PFIFO_STOP_INTERRUPT)
        return PFIFO_STOP_INTERRUPT;
    if (reasons & 1u << PFIFO_STOP_FROZEN)
        return PFIFO_STOP_FROZEN;
    return reasons ? PFIFO_STOP_WAITING : PFIFO_STOP_IDLE;
}

static void begin_run(struct pbdma_fifo *fifo, uint64_t *budget) {
    fifo->budget = budget;
    fifo->base.stop = (struct pfifo_stop_info){.channel = PBDMA_NONE};
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        fifo->pbdma[i].span = (struct pbdma_span){0};
}

enum pfifo_stop pbdma_run(struct fifo *base, uint64_t *budget) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    begin_run(fifo, budget);
    for (unsigned quiet = 0; *budget > 0 && quiet < fifo->pbdmas;) {
        struct pbdma *pbdma = &fifo->pbdma[fifo->turn];
        struct turn turn = take_turn(pbdma);
        quiet = (turn.progress ? 0 : quiet) + (!turn.progress || turn.exhausted);
        if (*budget == 0)
            settle(fifo);
        if (*budget > 0 || !pbdma->channel)
            fifo->turn = (fifo->turn + 1) % fifo->pbdmas;
    }
    enum pfifo_stop reason = stop_reason(hindrances(fifo), *budget > 0);
    if (reason != PFIFO_STOP_WAITING)
        base->stop = (struct pfifo_stop_info){.channel = PBDMA_NONE};
    base->stop.reason = reason;
    fifo->budget = NULL;
    return reason;
}

/* Runlists. */

#define TSG_HEADER (1u << 13)
#define TSG_ID     0xfffu
enum { BAD_TSG = 0x20 };

static void bad_tsg(struct pbdma_fifo *fifo) {
    fifo->sched_error = BAD_TSG;
    pbdma_fifo_raise(fifo, PFIFO_INTR_SCHED, "SCHED_ERROR");
}

/* (timeout << scale) * 1024 ns. */
static uint32_t tsg_slice(uint32_t header) {
    uint64_t nanoseconds = (uint64_t)(header >> 18 & 0xff) << (header >> 14 & 0xf) << 10;
    return (uint32_t)(nanoseconds / BUS_NS_PER_WORK) + PBDMA_SHORTEST_SLICE;
}

/* The TSG that is being read: how many of its channels are still to come, 0: none. */
struct tsg {
    uint32_t members, id, slice;
};

/* UNKNOWN: what a channel that is listed twice gets. Chosen: one place. */
static void add_entry(struct pbdma_fifo *fifo, struct runlist *list, uint64_t *seen, uint32_t word,
                      const struct tsg *tsg) {
    uint32_t id = word & (fifo->channel_count - 1), slice = tsg->members ? tsg->slice : 0;
    if (seen[id / 64] >> id % 64 & 1)
        return;
    seen[id / 64] |= UINT64_C(1) << id % 64;
    list->entries[list->count++] = (struct runlist_entry){(uint16_t)id, slice};
    fifo->channels[id].tsg = tsg->members ? tsg->id : PBDMA_NONE;
}

enum memory_target pbdma_base_target(uint32_t base) {
    return base >> 29 & 1 ? MEMORY_SYSTEM : base >> 28 & 1 ? MEMORY_PEER : MEMORY_VRAM;
}

static void read_list(struct pbdma_fifo *fifo, struct runlist *list, uint32_t base, uint32_t count) {
    uint64_t address = (uint64_t)(base & 0x0fffffff) << 12;
    uint64_t seen[PBDMA_CHANNELS / 64] = {0};
    struct tsg tsg = {0};
    list->count = list->next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = memory_physical_rd32(fifo->base.memory, pbdma_base_target(base), address + UINT64_C(8) * i);
        bool header = fifo->base.chip->has_tsg && (word & TSG_HEADER);
        if (header && (tsg.members || !(word >> 26)))
            bad_tsg(fifo);
        if (header) {
            tsg = (struct tsg){.members = word >> 26, .id = word & TSG_ID, .slice = tsg_slice(word)};
        } else {
            add_entry(fifo, list, seen, word, &tsg);
            tsg.members -= tsg.members ? 1 : 0;
        }
    }
    if (tsg.members)
        bad_tsg(fifo);
}

static bool listed(const struct runlist *list, uint32_t id) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->entries[i].channel == id)
            return true;
    return false;
}

void pbdma_submit(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count) {
    struct runlist *list = &fifo->list[number];
    list->base = base;
    read_list(fifo, list, base, count);
    event_send(fifo->base.events, EVENT_SWITCH_RUNLIST, PBDMA_NONE, NULL, number, list->count);
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        const struct pbdma *pbdma = &fifo->pbdma[i];
        if (pbdma->channel && pbdma->list == number && !listed(list, pbdma->channel->context.id))
            pbdma_preempt(fifo, pbdma->channel->context.id);
    }
}

/* Preemption. */

void pbdma_preempt(struct pbdma_fifo *fifo, uint32_t channel) {
    struct pbdma *pbdma = channel < fifo->channel_count ? fifo->channels[channel].on : NULL;
    if (!pbdma)
        return;
    pbdma->preempted = true;
    pbdma_preempt_retry(pbdma);
}

void pbdma_preempt_retry(struct pbdma *pbdma) {
    if (pbdma->preempted && !pbdma_stalled(pbdma))
        pbdma_leave(pbdma);
}

bool pbdma_preempt_pending(const struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        if (fifo->pbdma[i].preempted)
            return true;
    return false;
}

enum { BIND_NOT_UNBOUND = 1, UNBIND_WHILE_RUNNING = 3 };

static void bad_bind(struct pbdma_fifo *fifo, uint32_t code) {
    fifo->bind_error = code;
    pbdma_fifo_raise(fifo, PFIFO_INTR_BIND, "BIND_ERROR");
}

void pbdma_set_instance(struct pbdma_channel *channel, uint32_t value) {
    channel->instance = value;
    channel->context.instance = (uint64_t)(value & 0x0fffffff) << 12;
    channel->context.instance_target = pbdma_base_target(value);
}

/* UNKNOWN: what a wrong bind does beside reporting itself. Chosen: what was asked for. */
void pbdma_bind(struct pbdma_fifo *fifo, struct pbdma_channel *channel, uint32_t value, bool valid) {
    if (channel->bound && valid)
        bad_bind(fifo, BIND_NOT_UNBOUND);
    if (channel->on && !valid)
        bad_bind(fifo, UNBIND_WHILE_RUNNING);
    if (channel->on)
        pbdma_leave(channel->on);
    if (channel->bound && !valid)
        fifo_channel_gone(&fifo->base, channel->context.id);
    pbdma_set_instance(channel, value);
    channel->bound = valid;
    channel->faulted = 0;
    channel->crc_left = PBDMA_CRC_METHODS;
    channel->pb_crc_begin = UINT64_MAX;
}
