/* SPDX-License-Identifier: MIT */
/* Who runs on the PBDMAs of the reference: turns, and why a run ends. */
#include "pbdma_fifo_state.h"

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
    return !f->config.unit.gf100 || engine >= PBF_OLD_ENGINES || !(f->engine_mask[engine] >> unit & 1);
}

/* One that has waited is not tried again before somebody got on. */
static bool runnable(struct pbdma_fifo_reference *f, uint32_t unit, uint32_t list, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    return c->on == PBF_NONE && !c->faulted && !(f->tried >> channel & 1) && !pbf_list_disabled(f, list, channel) &&
           pbf_may_serve(f, unit, pbf_ramfc(f, channel, TARGET) & 0x1f) && pbf_has_work(f, channel);
}

/* INTR_STALL names the interrupts that keep channels from being loaded. */
static bool halted(const struct pbdma_fifo_reference *f) {
    return (pbdma_fifo_intr(f) & f->intr_stall) != 0;
}

static uint32_t size_of(const struct pbdma_fifo_list *list, uint32_t group) {
    uint32_t size = 0;
    for (uint32_t i = 0; i < list->count; i++)
        size += list->entry[i].group == group;
    return size;
}

/* The next channel of a group, as an index into the list. */
static uint32_t in_group(struct pbdma_fifo_reference *f, uint32_t u, uint32_t number, uint32_t group) {
    const struct pbdma_fifo_list *list = &f->list[number];
    uint32_t size = size_of(list, group);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = group + (list->entry[group].next - group + i) % size;
        if (runnable(f, u, number, list->entry[at].channel))
            return at;
    }
    return PBF_NONE;
}

/* The group whose turn it is goes on while its slice lasts; else round robin over groups, and over lists. */
static uint32_t same_group(struct pbdma_fifo_reference *f, uint32_t u) {
    const struct pbdma_fifo_unit *unit = &f->unit[u];
    return unit->group == PBF_NONE || unit->slice <= 0 ? PBF_NONE : in_group(f, u, unit->list, unit->group);
}

static bool find(struct pbdma_fifo_reference *f, uint32_t u, uint32_t *number, uint32_t *at) {
    if (halted(f))
        return false;
    *number = f->unit[u].list;
    *at = same_group(f, u);
    if (*at != PBF_NONE)
        return true;
    for (uint32_t n = 1; n <= f->config.lists; n++) {
        *number = (f->unit[u].list + n) % f->config.lists;
        const struct pbdma_fifo_list *list = &f->list[*number];
        for (uint32_t i = 0; pbf_serves(f, u, *number) && i < list->count; i++) {
            uint32_t group = (list->next + i) % list->count;
            if (list->entry[group].group != group)
                continue; /* not the first of one */
            *at = in_group(f, u, *number, group);
            if (*at != PBF_NONE)
                return true;
        }
    }
    return false;
}

static bool load_next(struct pbdma_fifo_reference *f, uint32_t u) {
    uint32_t number, at;
    struct pbdma_fifo_unit *unit = &f->unit[u];
    if (!find(f, u, &number, &at))
        return false;
    struct pbdma_fifo_list *list = &f->list[number];
    uint32_t group = list->entry[at].group, behind = group + size_of(list, group);
    bool goes_on = number == unit->list && group == unit->group && unit->slice > 0;
    int64_t left = unit->slice;
    list->entry[group].next = at + 1 < behind ? at + 1 : group;
    list->next = behind < list->count ? behind : 0;
    pbf_load(f, u, list->entry[at].channel, number, list->entry[at].slice);
    unit->group = group;
    if (goes_on)
        unit->slice = left;
    return true;
}

/* The channel leaves; its group has the rest of the slice if one of it can run. */
static void make_way(struct pbdma_fifo_reference *f, uint32_t u) {
    uint32_t group = f->unit[u].group;
    pbf_leave(f, u);
    f->unit[u].group = group;
    if (same_group(f, u) == PBF_NONE)
        f->unit[u].group = PBF_NONE;
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

/* ENG_SUBFIFO_MASK matters when a channel turns to an engine, not while it works with it. */
static uint32_t not_served(const struct pbdma_fifo_reference *f, uint32_t u) {
    const struct pbdma_fifo_unit *unit = &f->unit[u];
    uint32_t engines = 0;
    for (uint32_t e = 0; e < PBF_ENGINES; e++) {
        bool works = f->engine_channel[e] == unit->channel && (value(&unit->p, TARGET) & 0x1f) == e;
        engines |= works || pbf_may_serve(f, u, e) ? 0 : 1u << e;
    }
    return engines;
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
        p->config.not_served = not_served(f, u);
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
    struct pbdma_fifo_unit *unit = &f->unit[u];
    uint32_t number, at, group = unit->group;
    unit->group = PBF_NONE;
    if (find(f, u, &number, &at)) {
        pbf_leave(f, u);
        return;
    }
    unit->group = group;
    unit->slice = unit->period;
    unit->yields_at = unit->period - SHORTEST_SLICE;
}

/* An acquire gives the PBDMA up if it says so; what waits for something else takes the rest of the slice with it. */
static bool waits_in_place(const struct pbdma_reference *p) {
    uint32_t method = value(p, METHOD0) & 0x3ffc, data = value(p, DATA0);
    if (!(value(p, METHOD0) & METHOD_VALID))
        return true;
    if (method == 0x1c)
        return !(value(p, SEM_EXECUTE) & ACQUIRE_FAIL) || !(data >> 12 & 1);
    if (method == 0x74)
        return !(data >> 4 & 1);
    return method != 0x68;
}

/* A channel waits: it makes way for one that has not been tried; if there is none it stays. */
static bool give_way(struct pbdma_fifo_reference *f, uint32_t u) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    uint32_t number, at, group = unit->group;
    f->tried |= 1u << unit->channel;
    if (waits_in_place(&unit->p) || same_group(f, u) == PBF_NONE)
        unit->group = PBF_NONE;
    bool another = find(f, u, &number, &at);
    if (!another) {
        unit->group = group;
        return false;
    }
    make_way(f, u);
    return true;
}

/* One turn. True: something came of it; *more: and it may go on at once. */
static bool take_turn(struct pbdma_fifo_reference *f, uint32_t u, bool *more) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    uint64_t before = f->budget;
    *more = false;
    pbf_preempt_again(f, u);
    if (pref_stalled(&unit->p) || unit->preempted || pbf_frozen(f, u))
        return false;
    while (unit->channel != PBF_NONE || load_next(f, u)) {
        uint64_t begin = f->budget;
        enum end end = work(f, u);
        if (f->budget != begin)
            f->tried = 0;
        if (end == WAITS && give_way(f, u))
            continue;
        if (end == SLICE_OVER)
            slice_over(f, u);
        if (end == ENDS)
            make_way(f, u);
        *more = end != WAITS && end != STALLS;
        return f->budget != before || end == SLICE_OVER || end == ENDS;
    }
    return f->budget != before;
}

/* ---- why a run ends ---- */

enum { REASON_IDLE, REASON_WAITS = 1, REASON_FROZEN = 2, REASON_INTERRUPT = 4 };

static uint32_t reason_of(struct pbdma_fifo_reference *f, uint32_t list, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    if (!pbf_has_work(f, channel))
        return REASON_IDLE;
    if (c->faulted || (c->on == PBF_NONE && halted(f)))
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

/* Does another unit have something to do, or to wait for? Then a turn is not endless. */
static bool others_want(struct pbdma_fifo_reference *f) {
    uint32_t number, at;
    for (uint32_t u = 0; u < f->config.units; u++) {
        const struct pbdma_fifo_unit *unit = &f->unit[u];
        if (u != f->turn && !pref_stalled(&unit->p) && !unit->preempted && !pbf_frozen(f, u) &&
            (unit->channel != PBF_NONE || find(f, u, &number, &at)))
            return true;
    }
    return false;
}

#define TURN    1024
#define ENDLESS UINT64_MAX

struct reference_stop pbdma_fifo_run(struct pbdma_fifo_reference *f, uint64_t budget) {
    f->stop = (struct reference_stop){.channel = PBF_NONE};
    for (uint32_t quiet = 0; budget != 0 && quiet < f->config.units;) {
        uint32_t u = f->turn, channel;
        f->tried = 0;
        if (f->turn_left == 0)
            f->turn_left = others_want(f) ? TURN : ENDLESS;
        uint64_t grant = budget < f->turn_left ? budget : f->turn_left;
        f->budget = grant;
        bool more, progress = take_turn(f, u, &more);
        budget -= grant - f->budget;
        f->turn_left -= f->turn_left == ENDLESS ? 0 : grant - f->budget;
        channel = f->unit[u].channel;
        /* One that has come to its end exactly with the grant leaves, too. */
        if (f->budget == 0 && channel != PBF_NONE && !pref_stalled(&f->unit[u].p) &&
            (f->channel[channel].faulted || !pbf_has_work(f, channel)))
            make_way(f, u);
        if (progress)
            quiet = 0;
        quiet += !progress || !more;
        if (budget != 0 || f->unit[u].channel == PBF_NONE || f->turn_left == 0) {
            f->turn = (f->turn + 1) % f->config.units;
            f->turn_left = 0;
        }
    }
    f->budget = budget;
    enum reference_reason reason = why(f);
    if (reason != REFERENCE_WAITING)
        f->stop = (struct reference_stop){.channel = PBF_NONE};
    f->stop.reason = reason;
    return f->stop;
}
