/* SPDX-License-Identifier: MIT */
/*
 * The innermost loop of the pusher: complete packets in the NV4 format, one call of an engine each. `make bench`
 * compares its cost per packet, without the engine, with a bare loop.
 */
#include "fifo/cache/cache_bulk.h"
#include "fifo/cache/queue.h"

/*
 * The header of the packet in `run`, rebuilt since memory may have changed. The forms that get here use every bit of
 * it.
 */
static uint32_t bulk_whole_header(const struct cache_fifo *c, const struct pfifo_methods *run) {
    uint32_t word = 0;
    grammar_encode(c->base.chip->family->grammar, pusher_grammar_mode(c),
                   &(struct grammar_word){.form = run->step ? FORM_INCREASING : FORM_NONINCREASING,
                                          .subchannel = run->subchannel,
                                          .method = run->method,
                                          .count = run->count},
                   &word);
    return word;
}

void bulk_open_whole(const struct cache_fifo *c, struct pusher_bulk *b) {
    if (!b->in_cache)
        b->at = b->run.data;
    b->header = bulk_whole_header(c, &b->run);
    bulk_open_packet(b, b->at, b->run.step);
}

/* The engine did not just take the whole packet. Returns the units of its work. */
static uint64_t cache_whole_bulk_odd_packet(struct cache_fifo *c, struct pusher_bulk *b, uint32_t taken) {
    if (taken == 0 || taken > b->run.count)
        return bulk_stalled(c);
    if (!c->pusher.bulk)
        return bulk_ran_ahead(c, taken);
    bulk_open_whole(c, b);
    b->whole = b->executing = false;
    b->at += taken;
    return 2 * (uint64_t)taken;
}

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PLAIN_BEGIN 0x200u
#define WINDOW_END  0x2000u

/* 4 * count of a header is where the count is moved down to the method. */
_Static_assert(NV4_METHOD_SHIFT == 2 && NV4_COUNT_BITS == NV4_METHOD_BITS, "method and count have one mask");
_Static_assert(STATE_METHOD == ((1u << NV4_METHOD_BITS) - 1) << NV4_METHOD_SHIFT &&
                   STATE_SUBCHANNEL == 7u << GRAMMAR_SUBCHANNEL_SHIFT,
               "method and subchannel are in headers where DMA_STATE has them");
#define DATA_BYTES(word) ((word) >> (NV4_COUNT_SHIFT - NV4_METHOD_SHIFT) & STATE_METHOD)

/* Increasing methods must not leave the window, nor begin where bulk_methods() must check. */
static inline bool bulk_in_window(uint32_t word, uint32_t method, uint32_t bytes) {
    return method >= PLAIN_BEGIN && !UNLIKELY(method + bytes > WINDOW_END && !(word & NV4_NONINCREASING));
}

/*
 * The innermost loop: complete packets for an engine that is ready, without observers. One call per packet, and before
 * it no more stores than pusher_sync() needs. Returns the units of work. It ends before a packet of another form, and
 * when the engine does not take a whole packet.
 */
static inline uint64_t bulk_packets(struct cache_fifo *c, struct pusher_bulk *b, const struct bulk_path *path,
                                    uint64_t units, const bool in_cache) {
    uint32_t (*const methods)(void *, const struct pfifo_methods *) = path->engine->ops->methods;
    void *const engine = path->engine->engine;
    const uint32_t odd = path->odd, ready = path->ready;
    const uint32_t *at = b->at, *const first = at;
    const uint32_t *const end =
        units / 2 < (uint64_t)(b->end - at) ? at + units / 2 : b->end; /* 2 units at most each */
    uint32_t headers = b->headers, before = headers;
    uint32_t entries = c->base.chip->cache1_entries, slot = cache_slot(c, b->cache_base + 4 * bulk_pulled(b));
    b->data = bulk_data(b);
    b->last = end;
    b->whole = b->executing = true;
    b->in_cache = in_cache;
    b->run.channel = &c->context;
    while (at < b->last) {
        uint32_t word = *at, method = word & STATE_METHOD, bytes = DATA_BYTES(word);
        uint32_t subchannel = word >> GRAMMAR_SUBCHANNEL_SHIFT & 7;
        size_t room = (size_t)((const char *)end - (const char *)at) - 4;
        if ((word & odd) || (size_t)bytes - 1 >= room || !bulk_in_window(word, method, bytes) ||
            !(ready >> subchannel & 1))
            break;
        if (in_cache && slot + bytes / 4 > entries)
            break; /* not contiguous */
        b->headers = ++headers;
        b->run.data = at + 1;
        if (in_cache) {
            b->at = at + 1;
            bulk_fill_slots(c, slot,
                            (word & (STATE_SUBCHANNEL | STATE_METHOD)) | (word & NV4_NONINCREASING ? STATE_NONINC : 0),
                            word & NV4_NONINCREASING ? 0 : 4, at + 1, bytes / 4);
            b->run.data = &c->slot.data[slot];
            slot = (slot + bytes / 4) & (entries - 1);
        }
        b->run.count = bytes / 4;
        b->run.method = (uint16_t)method;
        b->run.step = word & NV4_NONINCREASING ? 0 : 4;
        b->run.subchannel = (uint8_t)subchannel;
        uint32_t taken = methods(engine, &b->run);
        at++;
        if (taken != bytes / 4)
            return 2 * (uint64_t)(at - first) - (headers - before) + cache_whole_bulk_odd_packet(c, b, taken);
        at += taken;
    }
    uint64_t used = 2 * (uint64_t)(at - first) - (headers - before);
    if (!c->pusher.bulk)
        return used - 2 * (uint64_t)b->run.count + bulk_ran_ahead(c, b->run.count);
    if (at != first)
        bulk_open_whole(c, b);
    b->whole = b->executing = false;
    b->at = at;
    return used;
}

uint64_t bulk_packets_past_cache(struct cache_fifo *c, struct pusher_bulk *b, const struct bulk_path *path,
                                 uint64_t units) {
    return bulk_packets(c, b, path, units, false);
}

uint64_t bulk_packets_in_cache(struct cache_fifo *c, struct pusher_bulk *b, const struct bulk_path *path,
                               uint64_t units) {
    return bulk_packets(c, b, path, units, true);
}

/* ---- which headers ---- */

/*
 * Bits of the key of which each alone makes a header other than a plain packet. If a grammar needs more than single
 * bits: all bits, so that bulk_packets() takes nothing.
 */
static uint32_t odd_bits(const uint8_t *step) {
    uint32_t odd = 0;
    for (uint32_t bit = 1; bit; bit <<= 1)
        if (grammar_key(bit) && step[grammar_key(bit)] == PUSHER_STEP)
            odd |= bit;
    for (unsigned key = 0; key < 128; key++) {
        uint32_t word = grammar_key_word(key);
        if (step[key] != (word & odd ? PUSHER_STEP : word & NV4_NONINCREASING ? 0 : 4))
            return UINT32_MAX;
    }
    return odd;
}

static uint8_t cache_whole_step_of(const struct grammar_row *row) {
    if (row->layout != LAYOUT_NV4_METHODS)
        return PUSHER_STEP;
    return row->form == FORM_INCREASING ? 4 : row->form == FORM_NONINCREASING ? 0 : PUSHER_STEP;
}

/* The headers of the bulk path: plain packets that the bits of the key alone identify. */
void pusher_make_index(struct cache_fifo *c) {
    const struct grammar *grammar = c->base.chip->family->grammar;
    for (unsigned mode = 0; grammar && mode < 8; mode++) {
        struct grammar_index index;
        grammar_make_index(grammar, mode, &index);
        for (unsigned key = 0; key < 128; key++) {
            uint8_t row = index.row[key];
            c->pusher.step[mode][key] = row == GRAMMAR_SLOW ? PUSHER_STEP : cache_whole_step_of(&grammar->rows[row]);
        }
        c->pusher.odd[mode] = odd_bits(c->pusher.step[mode]);
    }
}
