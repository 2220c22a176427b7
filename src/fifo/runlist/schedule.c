/* SPDX-License-Identifier: MIT */
/*
 * Who runs: runlists, and the turns of the PBDMAs.
 *
 * PBDMAs take turns in the order of their numbers, so that several channels get on together. A turn lasts until the
 * channel has nothing left to do, an interrupt stalls the PBDMA, the timeslice is over, or PBDMA_TURN units. On a
 * failed acquire the PBDMA goes through the other channels first. The budget may end anywhere in between: whose turn it
 * is is state, so work done in many small steps takes the same course as in one.
 *
 * A list is made of groups: TSGs, and channels that are in none. Round robin goes over groups, and within a group over
 * its channels. A timeslice belongs to the group: when a channel of it waits or has nothing left to do, another one
 * has the rest. It ends with the slice, or when no channel of the group can run.
 *
 * UNKNOWN: whether SCHED_DISABLE takes a running channel off. Chosen: no, it only keeps new ones out.
 */
#include "fifo/pbdma/pbdma.h"

#include <assert.h>

/* Runs of the scheduler beside enum pbdma_step. */
enum { TURN_BUDGET = STEP_LEAVE + 1, TURN_SLICE };

/* INTR_STALL says which interrupts keep channels from being loaded. */
static bool halted(const struct pbdma_fifo *fifo) {
    return fifo->intr_stall && (pbdma_intr(fifo) & fifo->intr_stall);
}

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

static uint32_t word_of(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word word) {
    return channel->on ? channel->on->regs[word] : ramfc(fifo, channel, word);
}

/* Units of ACQUIRE_DEADLINE until an acquire gives up that failed; 0: it does not, or it is over. */
static uint32_t until_deadline(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t clock) {
    if (!(word_of(fifo, channel, R_SEM_EXECUTE) & SEM_EXECUTE_FAIL) ||
        !(word_of(fifo, channel, R_ACQUIRE) & ACQUIRE_TIMEOUT_ENABLED))
        return 0;
    uint32_t left = word_of(fifo, channel, R_ACQUIRE_DEADLINE) - clock;
    return left < 0x80000000u ? left : 0;
}

/* What may not run does not give up either. */
static bool may_wait(const struct pbdma_channel *channel) {
    return channel->on || (channel->enabled && channel->bound && !channel->faulted);
}

uint64_t pbdma_until_timeout(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    uint64_t now = bus_now(base->bus), nearest = UINT64_MAX;
    for (unsigned n = 0; n < fifo->lists; n++)
        for (uint32_t i = 0; i < fifo->list[n].count; i++) {
            const struct pbdma_channel *channel = &fifo->channels[fifo->list[n].entries[i].channel];
            uint64_t left = may_wait(channel) ? until_deadline(fifo, channel, (uint32_t)(now >> 10)) : 0;
            if (left && (left << 10) - (now & 1023) < nearest)
                nearest = (left << 10) - (now & 1023);
        }
    return nearest;
}

static bool runnable(const struct pbdma *pbdma, const struct pbdma_channel *channel) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    return channel->enabled && channel->bound && !channel->faulted && !channel->on && channel->tried != fifo->tries &&
           fifo->family->may_serve(pbdma, ramfc(fifo, channel, R_TARGET) & 0x1f) && saved_work(fifo, channel);
}

/* ---- who is next ---- */

/* Index behind the last entry of a group. */
static uint32_t group_end(const struct runlist *list, uint32_t first) {
    uint32_t end = first;
    while (end < list->count && list->entries[end].group == first)
        end++;
    return end;
}

/* The next channel of a group for this PBDMA, and its place in the list; PBDMA_NONE: none. */
static uint32_t next_in_group(const struct pbdma *pbdma, unsigned number, uint32_t first) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    const struct runlist *list = &fifo->list[number];
    uint32_t size = group_end(list, first) - first;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = first + (list->entries[first].next - first + i) % size;
        const struct pbdma_channel *channel = &fifo->channels[list->entries[at].channel];
        if (!fifo->family->list_disabled(fifo, number, channel) && runnable(pbdma, channel))
            return at;
    }
    return PBDMA_NONE;
}

/* Round robin over the groups of a list. */
static uint32_t next_in_list(const struct pbdma *pbdma, unsigned number) {
    const struct runlist *list = &pbdma->fifo->list[number];
    uint32_t start = list->next < list->count ? list->next : 0, first = start;
    if (list->count == 0)
        return PBDMA_NONE;
    do {
        uint32_t at = next_in_group(pbdma, number, first);
        if (at != PBDMA_NONE)
            return at;
        uint32_t end = group_end(list, first);
        first = end < list->count ? end : 0;
    } while (first != start);
    return PBDMA_NONE;
}

/* The turn of a group goes on as long as one of its channels can run and the slice lasts. */
static uint32_t next_of_turn(const struct pbdma *pbdma) {
    if (pbdma->group == PBDMA_NONE || pbdma->slice <= 0)
        return PBDMA_NONE;
    return next_in_group(pbdma, pbdma->list, pbdma->group);
}

/* Round robin over the lists it serves, beginning with the one after the last. */
static bool find_next(const struct pbdma *pbdma, unsigned *list, uint32_t *at) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    if (halted(fifo))
        return false;
    *list = pbdma->list;
    *at = next_of_turn(pbdma);
    for (unsigned i = 1; *at == PBDMA_NONE && i <= fifo->lists; i++) {
        *list = (pbdma->list + i) % fifo->lists;
        if (fifo->family->serves(pbdma, *list))
            *at = next_in_list(pbdma, *list);
    }
    return *at != PBDMA_NONE;
}

static bool another_can_run(const struct pbdma *pbdma) {
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
    uint32_t group = list->entries[at].group, end = group_end(list, group);
    bool goes_on = number == pbdma->list && group == pbdma->group && pbdma->slice > 0;
    int64_t left = pbdma->slice;
    list->entries[group].next = (uint16_t)(at + 1 < end ? at + 1 : group);
    list->next = end < list->count ? end : 0;
    pbdma_load(pbdma, &pbdma->fifo->channels[list->entries[at].channel], number, list->entries[at].slice);
    pbdma->group = group;
    if (goes_on)
        pbdma->slice = left;
    return true;
}

/* The channel makes way, and a channel of the same group has the rest of its slice. */
static void make_way(struct pbdma *pbdma) {
    uint32_t group = pbdma->group;
    pbdma_leave(pbdma);
    pbdma->group = group;
    if (next_of_turn(pbdma) == PBDMA_NONE)
        pbdma->group = PBDMA_NONE;
}

/* ---- turns ---- */

/* NO_CONTEXT_SWITCH holds to the end of its segment. */
static bool slice_over(const struct pbdma *pbdma) {
    if (pbdma->slice > 0)
        return false;
    bool in_segment = pbdma->regs[R_GET] != pbdma->regs[R_PUT] || (pbdma->regs[R_METHOD0] & METHOD_VALID);
    return !(in_segment && (pbdma->regs[R_PB_FETCH] & FETCH_NO_SWITCH));
}

/* What the engine has worked for a method: all of it, though the budget may not reach that far. */
static void pay_for_work(struct pbdma *pbdma) {
    uint64_t units = fifo_take_worked(&pbdma->fifo->base), *budget = pbdma->fifo->budget;
    *budget -= units < *budget ? units : *budget;
    pbdma->slice -= units < INT64_MAX / 2 ? (int64_t)units : INT64_MAX / 2;
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
        pay_for_work(pbdma);
        if (step != STEP_DONE && step != STEP_WORKING)
            return (int)step;
    }
}

/*
 * The timeslice is over: somebody else, or another one. When there was nobody, a YIELD does not look again at once: it
 * is a walk over all channels.
 */
static void end_slice(struct pbdma *pbdma) {
    uint32_t group = pbdma->group;
    pbdma->group = PBDMA_NONE;
    if (another_can_run(pbdma)) {
        pbdma_leave(pbdma);
        return;
    }
    pbdma->group = group;
    pbdma->slice = pbdma->period;
    pbdma->yields_at = pbdma->period - PBDMA_SHORTEST_SLICE;
}

/* What came of a turn. */
struct turn {
    bool progress;  /* it did something, or has room for another channel now */
    bool exhausted; /* and in the end this PBDMA could do no more */
};

/*
 * A channel waits. It makes way for one that has not been tried since somebody last got on; if there is none it stays.
 * One that waits in place, which ends with its slice on the chip, takes the turn of its group with it: no time passes
 * here while nobody works.
 */
static bool try_another(struct pbdma *pbdma) {
    pbdma->channel->tried = pbdma->fifo->tries;
    uint32_t group = pbdma->group;
    if (pbdma_waits_in_place(pbdma) || next_of_turn(pbdma) == PBDMA_NONE)
        pbdma->group = PBDMA_NONE;
    if (!another_can_run(pbdma)) {
        pbdma->group = group;
        return false;
    }
    make_way(pbdma);
    return true;
}

/* One turn: of the channel that is loaded, and of others if it waits. */
static struct turn take_turn(struct pbdma *pbdma) {
    uint64_t *budget = pbdma->fifo->budget;
    uint64_t before = *budget, last = *budget;
    pbdma_preempt_retry(pbdma);
    if (pbdma_stalled(pbdma) || pbdma->preempted || pbdma->fifo->family->frozen(pbdma))
        return (struct turn){.exhausted = true};
    while (pbdma->channel || load_next(pbdma)) {
        int result = run_channel(pbdma);
        pbdma->fifo->tries += *budget != last;
        last = *budget;
        if (result == STEP_WAITING && try_another(pbdma))
            continue;
        if (result == STEP_WAITING || result == STEP_STALLED || result == TURN_BUDGET)
            return (struct turn){*budget != before, .exhausted = result != TURN_BUDGET};
        if (result == TURN_SLICE)
            end_slice(pbdma);
        else
            make_way(pbdma);
        return (struct turn){.progress = true}; /* even without a unit: GET behind PUT may have been its only work */
    }
    return (struct turn){*budget != before, .exhausted = true};
}

/* The engine that the channel turns to has asked for the driver, and takes nothing until it comes. */
static bool engine_asks(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    uint32_t method = channel->on ? channel->on->regs[R_METHOD0] : ramfc(fifo, channel, R_METHOD0);
    uint32_t target = (channel->on ? channel->on->regs[R_TARGET] : ramfc(fifo, channel, R_TARGET)) & 0x1f;
    return (method & METHOD_VALID) && target < CHIP_MAX_ENGINES && fifo_engine_asks(&fifo->base, target);
}

/* Why a channel that has work does not get on with it. */
static enum pfifo_stop hindrance(struct pbdma_fifo *fifo, unsigned number, const struct pbdma_channel *channel) {
    if (channel->faulted || engine_asks(fifo, channel))
        return PFIFO_STOP_INTERRUPT;
    if (!channel->on && halted(fifo))
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

static void begin_run(struct pbdma_fifo *fifo) {
    fifo->base.stop = (struct pfifo_stop_info){.channel = PBDMA_NONE};
    for (unsigned i = 0; i < fifo->pbdmas; i++)
        fifo->pbdma[i].span = (struct pbdma_span){0};
}

/* Could another PBDMA do something, or wait for something? */
static bool others_want(const struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        const struct pbdma *pbdma = &fifo->pbdma[i];
        if (i == fifo->turn || pbdma_stalled(pbdma) || pbdma->preempted || fifo->family->frozen(pbdma))
            continue;
        if (pbdma->channel || another_can_run(pbdma))
            return true;
    }
    return false;
}

/* The PBDMA whose turn it is works for as long as budget and turn last. */
static struct turn work(struct pbdma_fifo *fifo, uint64_t *budget) {
    struct pbdma *pbdma = &fifo->pbdma[fifo->turn];
    fifo->tries++;
    if (fifo->turn_left == 0)
        fifo->turn_left = others_want(fifo) ? PBDMA_TURN : PBDMA_TURN_ENDLESS;
    bool endless = fifo->turn_left == PBDMA_TURN_ENDLESS;
    uint64_t grant = endless || *budget < fifo->turn_left ? *budget : fifo->turn_left, left = grant;
    fifo->budget = &left;
    struct turn turn = take_turn(pbdma);
    *budget -= grant - left;
    fifo->turn_left -= endless ? 0 : (uint32_t)(grant - left);
    return turn;
}

/*
 * Turns in a row without a unit. A channel can have one for GET behind PUT and one in which it finds that it needs
 * another PBDMA; more of them means that what it saves does not stay in memory, and it would begin anew for ever.
 */
static uint32_t barren_turns(const struct pbdma_fifo *fifo) {
    return 4 * fifo->channel_count;
}

enum pfifo_stop pbdma_run(struct fifo *base, uint64_t *budget) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    uint32_t barren = 0;
    begin_run(fifo);
    for (unsigned quiet = 0; *budget > 0 && quiet < fifo->pbdmas && barren < barren_turns(fifo);) {
        const struct pbdma *pbdma = &fifo->pbdma[fifo->turn];
        uint64_t before = *budget;
        struct turn turn = work(fifo, budget);
        barren = *budget == before ? barren + 1 : 0;
        quiet = (turn.progress ? 0 : quiet) + (!turn.progress || turn.exhausted);
        if (*budget > 0 || !pbdma->channel || fifo->turn_left == 0) {
            fifo->turn = (fifo->turn + 1) % fifo->pbdmas;
            fifo->turn_left = 0;
        }
    }
    enum pfifo_stop reason = stop_reason(hindrances(fifo), *budget > 0);
    if (reason != PFIFO_STOP_WAITING)
        base->stop = (struct pfifo_stop_info){.channel = PBDMA_NONE};
    base->stop.reason = reason;
    fifo->budget = NULL;
    return reason;
}
