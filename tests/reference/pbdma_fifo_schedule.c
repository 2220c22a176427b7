/* SPDX-License-Identifier: MIT */
/* Who runs on the PBDMAs of the reference: runlists, turns, and why a run ends. */
#include <string.h>

#include "pbdma_fifo_state.h"

#define SOFTWARE       0x1fu
#define SHORTEST_SLICE 64
#define NS_PER_UNIT    16

/* ---- runlists ---- */

#define TSG_HEADER 0x2000u
#define BAD_TSG    0x20u

static void bad_tsg(struct pbdma_fifo_reference *f) {
    f->sched_error = BAD_TSG;
    pbf_raise(f, INTR_SCHED, "SCHED_ERROR");
}

/* A list names a channel once. */
static bool named(const struct pbdma_fifo_list *list, uint32_t channel) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->entry[i].channel == channel)
            return true;
    return false;
}

static uint32_t slice_of_header(uint32_t header) {
    uint64_t ns = (uint64_t)(header >> 18 & 0xff) << (header >> 14 & 15) << 10;
    return (uint32_t)(ns / NS_PER_UNIT) + SHORTEST_SLICE;
}

static void read_list(struct pbdma_fifo_reference *f, struct pbdma_fifo_list *list, uint32_t base, uint32_t count) {
    uint64_t at = (uint64_t)(base & 0x0fffffff) << 12;
    uint32_t missing = 0, tsg = PBF_NONE, slice = 0;
    list->base = base;
    list->count = list->next = 0;
    for (uint32_t i = 0; i < count; i++, at += 8) {
        uint32_t w = pref_physical_rd32(&f->unit[0].p, at);
        if (f->config.tsg && (w & TSG_HEADER)) {
            if (missing || w >> 26 == 0)
                bad_tsg(f);
            missing = w >> 26;
            tsg = w & 0xfff;
            slice = slice_of_header(w);
            continue;
        }
        uint32_t id = w & 0xfff;
        if (id < PBF_CHANNELS && !named(list, id)) {
            list->entry[list->count++] = (struct pbdma_fifo_entry){.channel = id, .slice = missing ? slice : 0};
            f->channel[id].tsg = missing ? tsg : PBF_NONE;
        }
        missing -= missing ? 1 : 0;
    }
    if (missing)
        bad_tsg(f);
}

void pbf_submit(struct pbdma_fifo_reference *f, uint32_t number, uint32_t base, uint32_t count) {
    struct pbdma_fifo_list *list = &f->list[number];
    read_list(f, list, base, count);
    pbf_event(f, PBF_NONE, "switch.runlist", NULL, number, list->count, 0);
    for (uint32_t u = 0; u < f->config.units; u++)
        if (f->unit[u].channel != PBF_NONE && f->unit[u].list == number && !named(list, f->unit[u].channel))
            pbf_preempt(f, f->unit[u].channel);
}

/* ---- who may run ---- */

bool pbf_list_disabled(const struct pbdma_fifo_reference *f, uint32_t list, uint32_t channel) {
    if (!f->config.unit.gf100)
        return f->sched_disable >> list & 1;
    uint32_t engine = pbf_ramfc(f, channel, TARGET) & 0x1f; /* there is one list, so by engine */
    return engine < PBF_ENGINES && (f->sched_disable >> engine & 1);
}

bool pbf_serves(const struct pbdma_fifo_reference *f, uint32_t unit, uint32_t list) {
    return f->config.unit.gf100 || list % f->config.units == unit;
}

bool pbf_may_serve(const struct pbdma_fifo_reference *f, uint32_t unit, uint32_t engine) {
    return !f->config.unit.gf100 || engine >= PBF_ENGINES || !(f->engine_mask[engine] >> unit & 1);
}

static bool runnable(struct pbdma_fifo_reference *f, uint32_t unit, uint32_t list, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    return c->on == PBF_NONE && !c->faulted && !pbf_list_disabled(f, list, channel) &&
           pbf_may_serve(f, unit, pbf_ramfc(f, channel, TARGET) & 0x1f) && pbf_has_work(f, channel);
}

/* The next channel for the unit: its lists in turn, beginning with the one after the last. */
static bool find(struct pbdma_fifo_reference *f, uint32_t u, uint32_t *number, uint32_t *at) {
    for (uint32_t n = 1; n <= f->config.lists; n++) {
        *number = (f->unit[u].list + n) % f->config.lists;
        const struct pbdma_fifo_list *list = &f->list[*number];
        for (uint32_t i = 0; pbf_serves(f, u, *number) && i < list->count; i++) {
            *at = (list->next + i) % list->count;
            if (runnable(f, u, *number, list->entry[*at].channel))
                return true;
        }
    }
    return false;
}

static bool load_next(struct pbdma_fifo_reference *f, uint32_t u) {
    uint32_t number, at;
    if (!find(f, u, &number, &at))
        return false;
    struct pbdma_fifo_list *list = &f->list[number];
    list->next = (at + 1) % list->count;
    pbf_load(f, u, list->entry[at].channel, number, list->entry[at].slice);
    return true;
}

static uint32_t candidates(struct pbdma_fifo_reference *f, uint32_t u) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < f->config.lists; n++)
        for (uint32_t i = 0; pbf_serves(f, u, n) && i < f->list[n].count; i++)
            count += runnable(f, u, n, f->list[n].entry[i].channel);
    return count;
}

/* ---- a channel at work ---- */

enum end { OUT_OF_BUDGET, SLICE_OVER, WAITS, STALLS, ENDS };

static void spend(struct pbdma_fifo_reference *f, struct pbdma_fifo_unit *unit) {
    f->budget -= unit->p.units;
    unit->slice -= unit->p.units;
    f->time += NS_PER_UNIT * (uint64_t)unit->p.units;
}

/* NO_CONTEXT_SWITCH holds to the end of its segment. */
static bool may_switch(const struct pbdma_reference *p) {
    bool inside = (value(p, METHOD0) & METHOD_VALID) || value(p, GET) != value(p, PUT);
    return !inside || !(value(p, PB_FETCH) & 2);
}

static enum end work(struct pbdma_fifo_reference *f, uint32_t u) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    struct pbdma_reference *p = &unit->p;
    struct pbdma_fifo_channel *c = &f->channel[unit->channel];
    for (;;) {
        if (pref_stalled(p))
            return STALLS;
        if (c->faulted || !c->enabled || !pref_has_work(p))
            return ENDS;
        if (f->budget == 0)
            return OUT_OF_BUDGET;
        if (unit->slice <= 0 && may_switch(p))
            return SLICE_OVER;
        f->current = u;
        p->time = f->time;
        p->config.not_served = 0;
        for (uint32_t e = 0; e < PBF_ENGINES; e++)
            p->config.not_served |= pbf_may_serve(f, u, e) ? 0 : 1u << e;
        enum outcome outcome = pref_step(p);
        if (p->selected != UINT32_MAX)
            f->engine_channel[p->selected] = unit->channel;
        spend(f, unit);
        if (p->yielded && unit->slice + p->units <= unit->yields_at)
            unit->slice = -(int64_t)p->units;
        if (outcome == FAULTED)
            pbf_record_fault(f, u);
        if (outcome == WAITING) {
            f->stop = p->waits;
            f->stop.channel = unit->channel;
            return WAITS;
        }
        if (outcome == STALLED)
            return STALLS;
        if (outcome != DONE)
            return ENDS;
    }
}

/* Somebody else, or once more; when there was nobody, YIELD does not ask again for a while. */
static void slice_over(struct pbdma_fifo_reference *f, uint32_t u) {
    uint32_t number, at;
    if (find(f, u, &number, &at)) {
        pbf_leave(f, u);
        return;
    }
    f->unit[u].slice = f->unit[u].period;
    f->unit[u].yields_at = f->unit[u].period - SHORTEST_SLICE;
}

/* One turn. True: something came of it; *more: and it may go on at once. */
static bool take_turn(struct pbdma_fifo_reference *f, uint32_t u, bool *more) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    uint64_t before = f->budget;
    uint32_t failures = 0, others = 0;
    bool occupied = unit->channel != PBF_NONE;
    *more = false;
    if (pref_stalled(&unit->p) || pbf_frozen(f, u))
        return false;
    while (unit->channel != PBF_NONE || load_next(f, u)) {
        uint64_t begin = f->budget;
        enum end end = work(f, u);
        failures = f->budget == begin ? failures + 1 : 1;
        if (end == WAITS && failures == 1)
            others = candidates(f, u);
        if (end == WAITS && failures <= others) {
            pbf_leave(f, u);
            continue;
        }
        if (end == SLICE_OVER)
            slice_over(f, u);
        if (end == ENDS)
            pbf_leave(f, u);
        *more = end != WAITS && end != STALLS;
        return f->budget != before || end == SLICE_OVER || end == ENDS;
    }
    (void)occupied;
    return f->budget != before;
}

/* ---- why a run ends ---- */

enum { REASON_IDLE, REASON_WAITS = 1, REASON_FROZEN = 2, REASON_INTERRUPT = 4 };

static uint32_t reason_of(struct pbdma_fifo_reference *f, uint32_t list, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    if (!pbf_has_work(f, channel))
        return REASON_IDLE;
    if (c->faulted)
        return REASON_INTERRUPT;
    if (c->on == PBF_NONE && pbf_list_disabled(f, list, channel))
        return REASON_FROZEN;
    uint32_t reason = REASON_FROZEN, engine = pbf_ramfc(f, channel, TARGET) & 0x1f;
    for (uint32_t u = 0; u < f->config.units; u++) {
        bool mine = c->on == PBF_NONE ? pbf_serves(f, u, list) && pbf_may_serve(f, u, engine) : c->on == u;
        if (mine && pref_stalled(&f->unit[u].p))
            return REASON_INTERRUPT;
        if (mine && !pbf_frozen(f, u))
            reason = REASON_WAITS;
    }
    return reason;
}

static enum reference_reason why(struct pbdma_fifo_reference *f) {
    uint32_t reasons = 0;
    for (uint32_t n = 0; n < f->config.lists; n++)
        for (uint32_t i = 0; i < f->list[n].count; i++)
            reasons |= reason_of(f, n, f->list[n].entry[i].channel);
    for (uint32_t u = 0; u < f->config.units; u++)
        if (f->unit[u].channel != PBF_NONE && pref_stalled(&f->unit[u].p))
            reasons |= REASON_INTERRUPT;
    if (f->budget == 0 && (reasons & REASON_WAITS))
        return REFERENCE_BUDGET;
    if (reasons & REASON_INTERRUPT)
        return REFERENCE_INTERRUPT;
    if (reasons & REASON_FROZEN)
        return REFERENCE_FROZEN;
    return reasons ? REFERENCE_WAITING : REFERENCE_IDLE;
}

/* Channels that have come to their end exactly with the budget leave, too. */
static void at_the_end_of_the_budget(struct pbdma_fifo_reference *f) {
    for (uint32_t u = 0; u < f->config.units; u++) {
        uint32_t channel = f->unit[u].channel;
        if (channel != PBF_NONE && !pref_stalled(&f->unit[u].p) &&
            (f->channel[channel].faulted || !pbf_has_work(f, channel)))
            pbf_leave(f, u);
    }
}

struct reference_stop pbdma_fifo_run(struct pbdma_fifo_reference *f, uint64_t budget) {
    f->budget = budget;
    f->stop = (struct reference_stop){.channel = PBF_NONE};
    for (uint32_t quiet = 0; f->budget != 0 && quiet < f->config.units;) {
        bool more, progress = take_turn(f, f->turn, &more);
        if (progress)
            quiet = 0;
        quiet += !progress || !more;
        if (f->budget == 0)
            at_the_end_of_the_budget(f);
        if (f->budget != 0 || f->unit[f->turn].channel == PBF_NONE)
            f->turn = (f->turn + 1) % f->config.units;
    }
    enum reference_reason reason = why(f);
    if (reason != REFERENCE_WAITING)
        f->stop = (struct reference_stop){.channel = PBF_NONE};
    f->stop.reason = reason;
    return f->stop;
}
