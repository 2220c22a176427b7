/* SPDX-License-Identifier: MIT */
/*
 * The pusher's bulk path: while CACHE1 is empty and only plain methods come, whole packets go directly to the engine.
 * All other words go to pusher_step(). Memory, registers and events are the same as if each word had been a step.
 *
 *   pusher_run()        one run, until a word needs a step
 *   pusher_sync()       writes the registers of the run under way; called before they are read
 *   pusher_watch_hit()  the engine is about to overwrite words that the hardware has already read
 */
#include "fifo/cache/cache_bulk.h"
#include "fifo/cache/queue.h"

#include "unit/graph/graph.h"

/* ---- state of a run ---- */

void pusher_sync(void *fifo) {
    struct cache_fifo *c = fifo;
    struct pusher_bulk *b = c->pusher.bulk;
    if (!b)
        return;
    if (b->whole)
        bulk_open_whole(c, b);
    uint32_t now = b->executing ? 1 : 0;
    uint32_t done = bulk_done(b) + now;
    pusher_set_get(c, b->get + 4 * ((uint64_t)(b->at - b->begin) + now));
    pusher_set_packet(c, b->subchannel, b->method + b->step * done, b->count - done, b->step == 0);
    c->r.dcount = ((b->headers ? 0 : b->dcount) + 4 * done) & 0x1ffc;
    if (b->headers)
        c->r.rsvd_shadow = b->header;
    if (bulk_pulled(b) + now != 0)
        c->r.pull0 &= ~PULL0_CAUSE;
    const uint32_t *data = bulk_data(b);
    if (data)
        c->r.data_shadow = data == b->lost ? b->lost_data : *data;
    c->r.put = c->r.get = (b->cache_base + 4 * bulk_pulled(b)) & c->base.chip->cache1_pointer_mask;
}

/* Each header is one unit, each method two: the pusher's and the puller's. */
uint64_t pusher_units_done(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    const struct pusher_bulk *b = c->pusher.bulk;
    if (!b)
        return c->pusher.done_units;
    pusher_sync(c);
    return b->headers + 2 * (uint64_t)bulk_pulled(b) + (b->executing ? 1 : 0);
}

/* The run cannot continue: the executing method becomes an entry of CACHE1. The registers are up to date. */
static void bulk_into_cache(struct cache_fifo *c) {
    struct pusher_bulk *b = c->pusher.bulk;
    c->pusher.done_units = pusher_units_done(&c->base);
    b->last = b->begin;
    cache_push(c, b->subchannel, bulk_method(b), *b->at, b->step == 0);
    c->pusher.bulk = NULL;
}

/*
 * The GPU is about to write [begin, end). Hardware has already read the words that the pusher can have reached by now
 * (it is faster than an engine): fill CACHE1 before they change. Headers and jumps take no entry, so more words than
 * entries may be read; jumps and no-ops could form an endless loop, so the number of words is bounded.
 */
void pusher_watch_hit(void *fifo, const uint8_t *begin, const uint8_t *end) {
    struct cache_fifo *c = fifo;
    uint32_t most = 2u * c->base.chip->cache1_entries; /* UNKNOWN: how far; chosen: this many words */
    pusher_sync(c);
    if (c->pusher.bulk && c->pusher.bulk->lost != bulk_data(c->pusher.bulk)) {
        c->pusher.bulk->lost = bulk_data(c->pusher.bulk);
        c->pusher.bulk->lost_data = c->r.data_shadow;
    }
    uint64_t ahead = pusher_get(c) - c->pusher.span_at;
    if (ahead >= c->pusher.span.bytes || !pusher_has_work(c))
        return;
    uint64_t left = c->pusher.span.bytes - ahead;
    const uint8_t *next = c->pusher.span.data + ahead;
    if (begin >= next + (left < 4 * most ? left : 4 * most) || end <= next)
        return;
    if (c->pusher.bulk)
        bulk_into_cache(c);
    for (uint32_t words = 0; words < most && pusher_can_fetch(c); words++) {
        pusher_step(c);
        c->pusher.ahead_units++;
    }
}

/* ---- which packets ---- */

/*
 * How many methods, beginning with `method`, may go to an engine in one run; 0: not a plain method. Increasing methods
 * stop at the next boundary: 0x180 (handles), the end of the window. Written without a branch on `step`, which is
 * random.
 */
static inline uint32_t plain_methods(uint32_t method, uint32_t step) {
    uint32_t unlimited = (step >> 2) - 1; /* all ones for non-increasing */
    if (method >= 0x200)
        return (0x2000 - method) >> 2 | unlimited;
    if (method >= 0x100 && method < 0x180)
        return (0x180 - method) >> 2 | unlimited;
    return 0;
}

/* Fetching in runs is correct only while no special case applies. */
static bool bulk_possible(const struct cache_fifo *c) {
    return (c->r.pull0 & PULL_ACCESS) && !(c->r.pull1 & PULL1_ACQUIRE_ACTIVE) && !cache_big_endian(c) &&
           !pusher_sli_discards(c) && !pusher_long_pending(c) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* Words at `get` that are in the fetched span and before PUT; 0 if a step is needed. */
static uint64_t cache_packets_bulk_words_at_hand(struct cache_fifo *c, uint64_t get, uint64_t put,
                                                 const uint8_t **pointer) {
    if (get == put)
        return 0;
    if (c->family->pushbuffer->has_limit_register && !pusher_ib_mode(c)) {
        if (get >= c->r.dma_limit)
            return 0;
        if (put > c->r.dma_limit || put < get)
            put = (c->r.dma_limit + UINT64_C(3)) & ~UINT64_C(3);
    }
    *pointer = pusher_fetch_pointer(c, get);
    if (!*pointer)
        return 0;
    uint64_t bytes = c->pusher.span.bytes - (get - c->pusher.span_at);
    if (put > get && put - get <= bytes)
        return (put - get) >> 2;
    return (bytes >> 2) - 1; /* more words are in another span: at the last word here a step finds it */
}

/* Take `n` data words through CACHE1. Returns the data for the puller: the slots, if they are contiguous. */
static const uint32_t *bulk_through_cache(struct cache_fifo *c, const struct pusher_bulk *b, uint32_t n) {
    uint32_t entries = c->base.chip->cache1_entries, first = cache_slot(c, b->cache_base + 4 * bulk_pulled(b));
    uint32_t word = b->subchannel << 13 | bulk_method(b) | (b->step ? 0 : STATE_NONINC);
    bulk_fill_slots(c, first, word, b->step, b->at, n);
    if (first + n <= entries)
        return &c->slot.data[first];
    for (uint32_t i = 0; i < n; i++)
        c->puller.pulled[i] = c->slot.data[(first + i) & (entries - 1)];
    return c->puller.pulled;
}

/*
 * An engine that works for another channel switches only when a method for it comes: a step does that. The same is true
 * of PULL1 and an engine that was not used last.
 */
static struct bulk_path bulk_choose_path(const struct cache_fifo *c) {
    uint32_t last = c->r.pull1 & PULL1_ENGINE;
    struct bulk_path path = {.steps = c->pusher.step[pusher_grammar_mode(c)],
                             .odd = c->pusher.odd[pusher_grammar_mode(c)],
                             .unseen = !event_any_wanted(c->base.events)};
    if (last == 0 || last >= CHIP_MAX_ENGINES)
        return path;
    path.engine = &c->base.engines[last];
    if (!path.engine->ops || path.engine->channel != c->context.id)
        return path;
    if (!fifo_engine_open(&c->base, last, c->context.id))
        return path;
    for (unsigned subchannel = 0; subchannel < 8; subchannel++)
        path.ready |= (uint32_t)((c->r.engine >> (4 * subchannel) & 0xf) == last) << subchannel;
    return path;
}

/* With an observer of methods, methods go one by one. */
static uint32_t bulk_announce(struct cache_fifo *c, const struct pusher_bulk *b, uint32_t n) {
    if (!event_wanted(c->base.events, EVENT_PULLER_METHOD))
        return n;
    event_send(c->base.events, EVENT_PULLER_METHOD, c->context.id, NULL, b->subchannel,
               c->puller.bound[c->context.id][b->subchannel], bulk_method(b), *b->at);
    return 1;
}

static inline uint32_t bulk_least(uint32_t a, uint64_t b) {
    return a < b ? a : (uint32_t)b;
}

uint64_t bulk_stalled(struct cache_fifo *c) {
    pusher_sync(c);
    if (c->pusher.bulk)
        bulk_into_cache(c);
    c->puller.announced = event_wanted(c->base.events, EVENT_PULLER_METHOD);
    c->puller.again = true;
    return 1;
}

uint64_t bulk_ran_ahead(struct cache_fifo *c, uint32_t taken) {
    for (uint32_t i = 0; i < taken && cache_used(c); i++)
        cache_pop(c);
    return 2 * (uint64_t)taken;
}

/*
 * Hand data words of the packet to its engine. Returns the units of work, 0: a step is needed. If the engine's work
 * made the pusher run ahead, or it took nothing, c->pusher.bulk is NULL afterwards and the run is over.
 */
static uint64_t bulk_methods(struct cache_fifo *c, struct pusher_bulk *b, const struct bulk_path *path,
                             uint64_t units) {
    const struct fifo_engine *engine = path->engine;
    uint32_t method = bulk_method(b);
    uint32_t n = bulk_least(plain_methods(method, b->step), b->count - bulk_done(b));
    n = bulk_least(bulk_least(n, (uint64_t)(b->end - b->at)), units / 2);
    if (n == 0 || !(path->ready >> b->subchannel & 1))
        return 0;
    b->executing = true;
    if (event_any_wanted(c->base.events))
        n = bulk_announce(c, b, n);
    const uint32_t *data = b->at;
    if (c->base.materialise) {
        n = bulk_least(n, c->base.chip->cache1_entries);
        data = bulk_through_cache(c, b, n);
    }
    struct pfifo_methods run = {data, n, (uint16_t)method, (uint8_t)b->step, (uint8_t)b->subchannel, &c->context};
    uint32_t taken = engine->ops->methods(engine->engine, &run);
    if (taken == 0 || taken > n)
        return bulk_stalled(c);
    if (!c->pusher.bulk)
        return bulk_ran_ahead(c, taken);
    b->executing = false;
    b->at += taken;
    return 2 * (uint64_t)taken;
}

/* Decode the header of a plain packet. False: it needs a step. */
static inline bool bulk_header(struct cache_fifo *c, struct pusher_bulk *b, const uint8_t *steps) {
    uint32_t word = *b->at;
    uint8_t step = steps[grammar_key(word)];
    if (step == PUSHER_STEP)
        return false;
    b->data = b->at != b->packet ? b->at - 1 : b->data;
    b->header = word;
    b->headers++;
    bulk_open_packet(b, ++b->at, step);
    if (event_wanted(c->base.events, EVENT_PUSHER_PACKET)) {
        struct grammar_word w;
        grammar_decode(c->base.chip->family->grammar, pusher_grammar_mode(c), word, &w);
        pusher_report_packet(c, b->get + 4 * (uint64_t)(b->at - 1 - b->begin), word, &w);
    }
    return true;
}

void pusher_close(struct cache_fifo *c) {
    if (!c->pusher.bulk)
        return;
    c->pusher.bulk->closed = true;
    c->pusher.bulk->last = c->pusher.bulk->begin;
}

uint64_t pusher_run(struct cache_fifo *c, uint64_t budget) {
    const uint8_t *pointer = NULL;
    if (!bulk_possible(c))
        return 0;
    uint64_t get = pusher_get(c);
    uint64_t words = cache_packets_bulk_words_at_hand(c, get, pusher_put(c), &pointer);
    if (words == 0 && (c->r.dma_state & STATE_ERROR))
        return 1; /* a step would find the same: the word cannot be read */
    if (words == 0 || ((uintptr_t)pointer & 3) != 0)
        return 0;
    const uint32_t *at = (const uint32_t *)(const void *)pointer;
    struct pusher_bulk b = {.at = at,
                            .packet = at,
                            .begin = at,
                            .end = at + words,
                            .get = get,
                            .method = c->r.dma_state & STATE_METHOD,
                            .count = pusher_packet_count(c),
                            .subchannel = c->r.dma_state >> 13 & 7,
                            .step = c->r.dma_state & STATE_NONINC ? 0 : 4,
                            .dcount = c->r.dcount,
                            .cache_base = c->r.put};
    const struct bulk_path path = bulk_choose_path(c);
    c->pusher.bulk = &b;
    uint64_t left = budget;
    while (c->pusher.bulk && !b.closed && left && b.at < b.end) {
        uint64_t units = 0;
        if (b.count != bulk_done(&b))
            units = bulk_methods(c, &b, &path, left);
        else if (path.unseen && path.ready)
            units = c->base.materialise ? bulk_packets_in_cache(c, &b, &path, left)
                                        : bulk_packets_past_cache(c, &b, &path, left);
        if (units == 0 && c->pusher.bulk && b.count == bulk_done(&b))
            units = bulk_header(c, &b, path.steps);
        if (units == 0)
            break;
        left -= units;
    }
    pusher_sync(c);
    c->pusher.bulk = NULL;
    c->pusher.done_units = 0;
    return budget - left;
}
