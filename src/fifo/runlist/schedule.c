/* SPDX-License-Identifier: MIT */
/*
 * Which PBDMA works, and which channel is loaded.
 *
 * PBDMAs work in the order of their numbers, each until its channel has nothing left to do, an interrupt stalls it, the
 * timeslice is over, or its quantum is. On a failed acquire the PBDMA goes through the other channels first. The budget
 * may end anywhere in between: which PBDMA works and what is left of its quantum is state, so many short runs do the
 * same as a long one.
 *
 * Round robin goes over the TSGs of a list, and within a TSG over its channels. A timeslice belongs to the TSG: when a
 * channel of it waits or has nothing left to do, another one has the rest. It ends with the slice, or when no channel
 * of the TSG can run.
 *
 * UNKNOWN: whether SCHED_DISABLE takes a running channel off. Chosen: no, it only keeps new ones out.
 */
#include "fifo/runlist/schedule.h"

#include <stdlib.h>

#include "fifo/pbdma/host.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"

/* Why a channel does not go on, beside enum pbdma_step: budget or timeslice are used up. */
enum { RUN_BUDGET = STEP_LEAVE + 1, RUN_SLICE };

enum pfifo_status schedule_init(struct schedule *schedule, const struct pfifo_chip *chip, struct pfifo_error *error) {
    schedule->unit = calloc(chip->pbdmas, sizeof schedule->unit[0]);
    schedule->waited = calloc(chip->channels, sizeof schedule->waited[0]);
    if (!schedule->unit || !schedule->waited)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a scheduler");
    schedule_reset(schedule, chip->pbdmas);
    return PFIFO_OK;
}

void schedule_free(struct schedule *schedule) {
    free(schedule->unit);
    free(schedule->waited);
}

void schedule_reset(struct schedule *schedule, unsigned pbdmas) {
    schedule->current = 0;
    schedule->quantum_left = 0;
    for (unsigned i = 0; i < pbdmas; i++)
        schedule->unit[i] = (struct schedule_unit){.tsg = PBDMA_NONE};
}

struct schedule_unit *schedule_unit_of(const struct pbdma *pbdma) {
    return &pbdma_fifo_of(pbdma)->schedule.unit[pbdma->index];
}

static bool schedule_may_serve(const struct pbdma *pbdma, unsigned engine) {
    return pbdma->shared->variant->puller->may_serve(pbdma, engine);
}

static bool schedule_runnable(const struct pbdma *pbdma, const struct pbdma_channel *channel) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    return channel->enabled && channel->bound && !channel->faulted && !channel->on &&
           fifo->schedule.waited[channel->context.id] != fifo->schedule.progress &&
           schedule_may_serve(pbdma, channel_word(fifo, channel, R_TARGET) & 0x1f) && channel_saved_work(fifo, channel);
}

/* ---- the next channel ---- */

/* Index after the last entry of a TSG. */
static uint32_t schedule_tsg_end(const struct runlist *list, uint32_t first) {
    uint32_t end = first;
    while (end < list->count && list->entries[end].tsg == first)
        end++;
    return end;
}

/* Index of the entry of the next channel of a TSG for this PBDMA; PBDMA_NONE: none. */
static uint32_t schedule_next_in_tsg(const struct pbdma *pbdma, unsigned number, uint32_t first) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    const struct runlist *list = &fifo->list[number];
    uint32_t size = schedule_tsg_end(list, first) - first;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = first + (list->entries[first].next - first + i) % size;
        const struct pbdma_channel *channel = &fifo->channels[list->entries[at].channel];
        if (!fifo->variant->runlist->disabled(fifo, number, channel) && schedule_runnable(pbdma, channel))
            return at;
    }
    return PBDMA_NONE;
}

/* Round robin over the TSGs of a list. */
static uint32_t schedule_next_in_list(const struct pbdma *pbdma, unsigned number) {
    const struct runlist *list = &pbdma_fifo_of(pbdma)->list[number];
    uint32_t start = list->next < list->count ? list->next : 0, first = start;
    if (list->count == 0)
        return PBDMA_NONE;
    do {
        uint32_t at = schedule_next_in_tsg(pbdma, number, first);
        if (at != PBDMA_NONE)
            return at;
        uint32_t end = schedule_tsg_end(list, first);
        first = end < list->count ? end : 0;
    } while (first != start);
    return PBDMA_NONE;
}

/* The timeslice of a TSG goes on as long as one of its channels can run and there is something left of it. */
static uint32_t schedule_next_of_slice(const struct pbdma *pbdma) {
    const struct schedule_unit *unit = schedule_unit_of(pbdma);
    if (unit->tsg == PBDMA_NONE || pbdma->slice.left <= 0)
        return PBDMA_NONE;
    return schedule_next_in_tsg(pbdma, unit->list, unit->tsg);
}

/* Round robin over the lists it serves, beginning with the one after the last. */
static bool schedule_find_next(const struct pbdma *pbdma, unsigned *list, uint32_t *at) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    unsigned last = schedule_unit_of(pbdma)->list;
    if (schedule_halted(fifo))
        return false;
    *list = last;
    *at = schedule_next_of_slice(pbdma);
    for (unsigned i = 1; *at == PBDMA_NONE && i <= fifo->lists; i++) {
        *list = (last + i) % fifo->lists;
        if (fifo->variant->runlist->serves(pbdma, *list))
            *at = schedule_next_in_list(pbdma, *list);
    }
    return *at != PBDMA_NONE;
}

static bool schedule_another_can_run(const struct pbdma *pbdma) {
    unsigned list;
    uint32_t at;
    return schedule_find_next(pbdma, &list, &at);
}

static bool schedule_load_next(struct pbdma *pbdma) {
    struct schedule_unit *unit = schedule_unit_of(pbdma);
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    unsigned number;
    uint32_t at;
    if (!schedule_find_next(pbdma, &number, &at))
        return false;
    struct runlist *list = &fifo->list[number];
    uint32_t tsg = list->entries[at].tsg, end = schedule_tsg_end(list, tsg);
    bool goes_on = number == unit->list && tsg == unit->tsg && pbdma->slice.left > 0;
    int64_t left = pbdma->slice.left;
    list->entries[tsg].next = (uint16_t)(at + 1 < end ? at + 1 : tsg);
    list->next = end < list->count ? end : 0;
    unit->list = number;
    unit->tsg = tsg;
    pbdma_load(pbdma, &fifo->channels[list->entries[at].channel], list->entries[at].slice);
    if (goes_on)
        pbdma->slice.left = left;
    return true;
}

/* The channel leaves, and with it the timeslice of its TSG ends. */
static void schedule_leave(struct pbdma *pbdma) {
    struct schedule_unit *unit = schedule_unit_of(pbdma);
    pbdma_leave(pbdma);
    unit->tsg = PBDMA_NONE;
    unit->preempted = false;
}

/* The channel leaves, and a channel of the same TSG has the rest of the timeslice. */
static void schedule_make_way(struct pbdma *pbdma) {
    struct schedule_unit *unit = schedule_unit_of(pbdma);
    uint32_t tsg = unit->tsg;
    schedule_leave(pbdma);
    unit->tsg = tsg;
    if (schedule_next_of_slice(pbdma) == PBDMA_NONE)
        unit->tsg = PBDMA_NONE;
}

/* ---- a PBDMA works ---- */

/* NO_CONTEXT_SWITCH holds to the end of its segment. */
static bool schedule_slice_over(const struct pbdma *pbdma) {
    if (pbdma->slice.left > 0)
        return false;
    bool in_segment = pbdma->regs[R_GET] != pbdma->regs[R_PUT] || (pbdma->regs[R_METHOD0] & METHOD_VALID);
    return !(in_segment && (pbdma->regs[R_PB_FETCH] & FETCH_NO_SWITCH));
}

/* What the engine has worked for a method: all of it, though the budget may not reach that far. */
static void schedule_pay_for_work(struct pbdma *pbdma) {
    uint64_t units = fifo_take_worked(pbdma->fifo), *budget = pbdma->shared->budget;
    *budget -= units < *budget ? units : *budget;
    pbdma->slice.left -= units < INT64_MAX / 2 ? (int64_t)units : INT64_MAX / 2;
}

/* Step the channel until something ends that: an enum pbdma_step or RUN_*. */
static int schedule_run_channel(struct pbdma *pbdma) {
    for (;;) {
        if (pbdma_stalled(pbdma))
            return STEP_STALLED;
        if (pbdma->channel->faulted)
            return STEP_FAULTED;
        if (!pbdma->channel->enabled || !channel_loaded_work(pbdma))
            return STEP_IDLE;
        if (*pbdma->shared->budget == 0)
            return RUN_BUDGET;
        if (schedule_slice_over(pbdma))
            return RUN_SLICE;
        enum pbdma_step step = pbdma->regs[R_METHOD0] & METHOD_VALID ? pbdma_pull(pbdma) : pbdma_fetch(pbdma);
        schedule_pay_for_work(pbdma);
        if (step != STEP_DONE && step != STEP_WORKING)
            return (int)step;
    }
}

/*
 * The timeslice is over: another channel is loaded, or this one begins another slice. In the latter case a YIELD does
 * not search all channels again at once.
 */
static void schedule_end_slice(struct pbdma *pbdma) {
    struct schedule_unit *unit = schedule_unit_of(pbdma);
    uint32_t tsg = unit->tsg;
    unit->tsg = PBDMA_NONE;
    if (schedule_another_can_run(pbdma)) {
        schedule_leave(pbdma);
        return;
    }
    unit->tsg = tsg;
    pbdma->slice.left = pbdma->slice.whole;
    pbdma->slice.yields_at = pbdma->slice.whole - PBDMA_SHORTEST_SLICE;
}

/* The result of a PBDMA's work. */
struct schedule_result {
    bool progress;  /* it did something, or has room for another channel now */
    bool exhausted; /* and in the end it could do no more */
};

/*
 * A channel waits. It makes way for one that has not been tried since a channel last made progress; if there is none it
 * stays. One that keeps its timeslice while it waits loses the slice for its whole TSG: on the chip the slice would
 * pass, but no time passes here while no PBDMA works.
 */
static bool schedule_try_another(struct pbdma *pbdma) {
    struct schedule *schedule = &pbdma_fifo_of(pbdma)->schedule;
    struct schedule_unit *unit = &schedule->unit[pbdma->index];
    uint32_t tsg = unit->tsg;
    schedule->waited[pbdma_channel_id(pbdma)] = schedule->progress;
    if (pbdma_wait_keeps_slice(pbdma) || schedule_next_of_slice(pbdma) == PBDMA_NONE)
        unit->tsg = PBDMA_NONE;
    if (!schedule_another_can_run(pbdma)) {
        unit->tsg = tsg;
        return false;
    }
    schedule_make_way(pbdma);
    return true;
}

/* The channel that is loaded works, and others if it waits. */
static struct schedule_result schedule_run_pbdma(struct pbdma *pbdma) {
    uint64_t *budget = pbdma->shared->budget;
    uint64_t before = *budget, last = *budget;
    schedule_retry_preemption(pbdma);
    if (pbdma_stalled(pbdma) || schedule_unit_of(pbdma)->preempted || pbdma->shared->upward->frozen(pbdma))
        return (struct schedule_result){.exhausted = true};
    while (pbdma->channel || schedule_load_next(pbdma)) {
        int result = schedule_run_channel(pbdma);
        pbdma_fifo_of(pbdma)->schedule.progress += *budget != last;
        last = *budget;
        if (result == STEP_WAITING && schedule_try_another(pbdma))
            continue;
        if (result == STEP_WAITING || result == STEP_STALLED || result == RUN_BUDGET)
            return (struct schedule_result){*budget != before, .exhausted = result != RUN_BUDGET};
        if (result == RUN_SLICE)
            schedule_end_slice(pbdma);
        else
            schedule_make_way(pbdma);
        return (struct schedule_result){.progress = true}; /* even without a unit: GET behind PUT may have been all */
    }
    return (struct schedule_result){*budget != before, .exhausted = true};
}

static void schedule_begin_run(struct pbdma_fifo *fifo) {
    fifo->base.stop = (struct pfifo_stop_info){.channel = PBDMA_NONE};
    pbdma_forget_spans(&fifo->shared);
}

/* Could another PBDMA do something, or wait for something? */
static bool schedule_others_want(const struct pbdma_fifo *fifo) {
    for (unsigned i = 0; i < fifo->shared.count; i++) {
        const struct pbdma *pbdma = &fifo->shared.unit[i];
        if (i == fifo->schedule.current || pbdma_stalled(pbdma) || schedule_unit_of(pbdma)->preempted ||
            fifo->variant->frozen(pbdma))
            continue;
        if (pbdma->channel || schedule_another_can_run(pbdma))
            return true;
    }
    return false;
}

/* The current PBDMA works for as long as budget and quantum last. */
static struct schedule_result schedule_quantum(struct pbdma_fifo *fifo, uint64_t *budget) {
    struct pbdma *pbdma = &fifo->shared.unit[fifo->schedule.current];
    fifo->schedule.progress++;
    if (fifo->schedule.quantum_left == 0)
        fifo->schedule.quantum_left = schedule_others_want(fifo) ? PBDMA_QUANTUM : PBDMA_QUANTUM_ENDLESS;
    bool endless = fifo->schedule.quantum_left == PBDMA_QUANTUM_ENDLESS;
    uint64_t grant = endless || *budget < fifo->schedule.quantum_left ? *budget : fifo->schedule.quantum_left,
             left = grant;
    fifo->shared.budget = &left;
    struct schedule_result result = schedule_run_pbdma(pbdma);
    *budget -= grant - left;
    fifo->schedule.quantum_left -= endless ? 0 : (uint32_t)(grant - left);
    return result;
}

/*
 * How often in a row PBDMAs may work without using a unit. A channel can do so once for GET behind PUT and once to find
 * that it needs another PBDMA; more of them means that what it saves does not stay in memory, and it would begin anew
 * forever.
 */
static uint32_t schedule_barren_limit(const struct pbdma_fifo *fifo) {
    return 4 * fifo->channel_count;
}

enum pfifo_stop schedule_run(struct fifo *base, uint64_t *budget) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    uint32_t barren = 0;
    schedule_begin_run(fifo);
    for (unsigned quiet = 0; *budget > 0 && quiet < fifo->shared.count && barren < schedule_barren_limit(fifo);) {
        const struct pbdma *pbdma = &fifo->shared.unit[fifo->schedule.current];
        uint64_t before = *budget;
        struct schedule_result result = schedule_quantum(fifo, budget);
        barren = *budget == before ? barren + 1 : 0;
        quiet = (result.progress ? 0 : quiet) + (!result.progress || result.exhausted);
        if (*budget > 0 || !pbdma->channel || fifo->schedule.quantum_left == 0) {
            fifo->schedule.current = (fifo->schedule.current + 1) % fifo->shared.count;
            fifo->schedule.quantum_left = 0;
        }
    }
    enum pfifo_stop reason = schedule_stop_reason(fifo, *budget > 0);
    if (reason != PFIFO_STOP_WAITING)
        base->stop = (struct pfifo_stop_info){.channel = PBDMA_NONE};
    base->stop.reason = reason;
    fifo->shared.budget = NULL;
    return reason;
}

/* ---- preemption ---- */

/* An engine that works for the channel has to come to an end. */
bool schedule_engines_hold(const struct pbdma_fifo *fifo, uint32_t channel) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        if (pbdma_engine_channel(fifo, i) == channel && pbdma_engine_busy(fifo, i))
            return true;
    return false;
}

void schedule_preempt(struct pbdma_fifo *fifo, uint32_t channel) {
    struct pbdma *pbdma = channel < fifo->channel_count ? fifo->channels[channel].on : NULL;
    if (!pbdma)
        return;
    schedule_unit_of(pbdma)->preempted = true;
    schedule_retry_preemption(pbdma);
}

void schedule_retry_preemption(struct pbdma *pbdma) {
    if (schedule_unit_of(pbdma)->preempted && !pbdma_stalled(pbdma) &&
        !schedule_engines_hold(pbdma_fifo_of(pbdma), pbdma->channel->context.id))
        schedule_leave(pbdma);
}

bool schedule_preemption_pending(struct pbdma_fifo *fifo) {
    bool pending = false;
    for (unsigned i = 0; i < fifo->shared.count; i++) {
        schedule_retry_preemption(&fifo->shared.unit[i]);
        pending |= fifo->schedule.unit[i].preempted;
    }
    return pending;
}

/* ---- another list ---- */

/* Index of a channel's entry, PBDMA_NONE: not listed. */
static uint32_t schedule_entry_of(const struct runlist *list, uint32_t id) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->entries[i].channel == id)
            return i;
    return PBDMA_NONE;
}

void schedule_list_changed(struct pbdma_fifo *fifo, unsigned number) {
    const struct runlist *list = &fifo->list[number];
    for (unsigned i = 0; i < fifo->shared.count; i++) {
        struct schedule_unit *unit = &fifo->schedule.unit[i];
        uint32_t id = pbdma_channel_id(&fifo->shared.unit[i]);
        if (unit->list != number)
            continue;
        uint32_t at = id == PBDMA_NONE ? PBDMA_NONE : schedule_entry_of(list, id);
        unit->tsg = at == PBDMA_NONE ? PBDMA_NONE : list->entries[at].tsg;
        if (id != PBDMA_NONE && at == PBDMA_NONE)
            schedule_preempt(fifo, id);
    }
}
