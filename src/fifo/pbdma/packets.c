/* SPDX-License-Identifier: MIT */
/*
 * The bulk path, for the usual contents of streams: a header with all of its data in the segment, for an engine that
 * already works for the channel. Does what pusher.c does word by word, with absolute values instead of one change after
 * the other. While an engine has a packet the registers are stale; pbdma_sync() must be called before they are read.
 * Then, and when the bulk path is left, all of them are as pusher.c would have left them.
 */
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/pusher.h"

#include <assert.h>

#define METHOD_END 0x4000u
#define HOST_END   0x100u

/*
 * The bulk path while it is under way. Of the packet that an engine has as little as pbdma_sync() needs, since memory
 * may change under it; and what does not change from packet to packet.
 */
struct pbdma_bulk {
    struct pfifo_methods run;
    uint32_t first;       /* data of its first method */
    const uint32_t *at;   /* where the header is, if the data are in it */
    const uint32_t *last; /* where the bulk path ends: no packet begins here or after */
    uint32_t header;
    uint64_t *clock;   /* when the engine was called: it may write a timestamp */
    uint64_t own_time; /* that is this one if the owner has a clock; it is not read */
    /* The only engine that takes packets here: it was used last, and works for the channel. */
    uint32_t (*methods)(void *engine, const struct pfifo_methods *run);
    void *self;
    const struct fifo_engine *engine;
    uint32_t ready; /* bit per subchannel that leads there */
    uint32_t level; /* bits of PB_HEADER that come from the GP entry */
    struct pbdma *pbdma;
    const uint32_t *begin, *end;
    uint64_t get, budget, time; /* at `begin` */
    int64_t slice;
    uint64_t worked; /* time of engines' work, which is accounted for when the bulk path is left */
};

static bool bulk_applies(const struct pbdma *pbdma) {
    const struct fifo *fifo = pbdma->fifo;
    return pbdma->slice.left > 0 && pbdma->takes_packets && !pbdma_drops_methods(pbdma) && !fifo->materialise &&
           !event_wanted(fifo->events, EVENT_PULLER_METHOD) && !event_wanted(fifo->events, EVENT_PUSHER_PACKET) &&
           (pbdma->regs[R_CMD_TYPES] & 0x300) != 0;
}

/*
 * The fields of the new headers are constants of the grammar, and [31:29] alone says which form it is. Two of these
 * bits say what matters. Immediate data are where the count is in other forms.
 */
#define FORM_SHIFT         29
#define IS_IMMEDIATE(word) ((word) >> 31)
#define HAS_STEP(word)     ((word) >> 30 == 0)
#define COUNT(word)        ((word) >> GF100_COUNT_SHIFT & ((1u << GF100_COUNT_BITS) - 1))
#define SUBCHANNEL(word)   ((word) >> GRAMMAR_SUBCHANNEL_SHIFT & 7)
#define METHOD(word)       (((word) & ((1u << GF100_METHOD_BITS) - 1)) * 4)
#define HAS_COUNT(word)    (((word)&GF100_INCREASING) != 0) /* if it is not immediate */
_Static_assert(GF100_METHOD_SHIFT == 0, "METHOD()");
_Static_assert(GF100_INCREASING == 1u << FORM_SHIFT && HAS_COUNT(GF100_NONINCREASING), "forms with a count");
_Static_assert(HAS_STEP(GF100_INCREASING) && !IS_IMMEDIATE(GF100_INCREASING), "increasing");
_Static_assert(!HAS_STEP(GF100_NONINCREASING) && !IS_IMMEDIATE(GF100_NONINCREASING), "non-increasing");
_Static_assert(!HAS_STEP(GF100_IMMEDIATE) && IS_IMMEDIATE(GF100_IMMEDIATE), "immediate");

struct bulk_packet {
    uint32_t subchannel, method, count, step;
    bool immediate;
};

static struct bulk_packet bulk_decode(uint32_t word) {
    return (struct bulk_packet){.subchannel = SUBCHANNEL(word),
                                .method = METHOD(word),
                                .count = IS_IMMEDIATE(word) ? 1 : COUNT(word),
                                .step = HAS_STEP(word) ? 4 : 0,
                                .immediate = IS_IMMEDIATE(word)};
}

/* Does every word with these [31:29], whatever else is in the key, have this form and layout? */
static bool bulk_all_have(const struct pbdma *pbdma, uint32_t word, enum grammar_form form, unsigned layout) {
    const struct grammar_row *rows = pbdma->fifo->chip->family->grammar->rows;
    for (unsigned key = 0; key < sizeof pbdma->grammar.row; key++) {
        uint8_t row = pbdma->grammar.row[key];
        if (grammar_key_word(key) >> FORM_SHIFT != word >> FORM_SHIFT)
            continue;
        if (row == GRAMMAR_SLOW || rows[row].form != form || rows[row].layout != layout)
            return false;
    }
    return true;
}

void pbdma_choose_packets(struct pbdma *pbdma) {
    pbdma->takes_packets = bulk_all_have(pbdma, GF100_INCREASING, FORM_INCREASING, LAYOUT_GF100_METHODS) &&
                           bulk_all_have(pbdma, GF100_NONINCREASING, FORM_NONINCREASING, LAYOUT_GF100_METHODS) &&
                           bulk_all_have(pbdma, GF100_IMMEDIATE, FORM_IMMEDIATE, LAYOUT_GF100_IMMEDIATE);
}

/* The time at which the engine has the packet is there; budget and timeslice follow from it. */
static void bulk_account(const struct pbdma_bulk *bulk) {
    uint64_t used = (*bulk->clock - bulk->time - bulk->worked) / BUS_NS_PER_WORK;
    *bulk->pbdma->shared->budget = bulk->budget - used;
    bulk->pbdma->slice.left = bulk->slice - (int64_t)used;
}

/* All registers after `done` methods of the packet, the last of which is `data`, with the pusher at `at`. */
static void bulk_set_position(const struct pbdma_bulk *bulk, const struct bulk_packet *packet, const uint32_t *at,
                              uint32_t done, uint32_t valid, uint32_t data) {
    uint32_t *regs = bulk->pbdma->regs;
    uint32_t last = packet->method + packet->step * (done - 1), next = packet->method + packet->step * done;
    uint32_t where = packet->subchannel << HEADER_SUBCHANNEL;
    uint64_t get = bulk->get + 4 * (uint64_t)(at - bulk->begin);
    regs[R_GET] = (uint32_t)get;
    regs[R_GET_HI] = (uint32_t)(get >> 32);
    if (!(bulk->level & HEADER_LEVEL)) {
        regs[R_TOP_GET] = regs[R_GET];
        regs[R_TOP_GET_HI] = regs[R_GET_HI] | 1u << 31;
    }
    enum header_type type = packet->immediate ? HEADER_IMMD : packet->step ? HEADER_INC : HEADER_NON_INC;
    regs[R_PB_HEADER] = bulk->level | (uint32_t)type << HEADER_TYPE | where | (next & HEADER_METHOD) |
                        (packet->immediate ? HEADER_FIRST : 0);
    regs[R_PB_COUNT] = packet->count - done;
    regs[R_METHOD0] = valid | where | last | (packet->step ? METHOD_INCREASING : 0) | (done == 1 ? METHOD_FIRST : 0);
    regs[R_DATA0] = data;
}

static void bulk_choose_engine(struct pbdma_bulk *bulk) {
    const struct pbdma *pbdma = bulk->pbdma;
    uint32_t target = pbdma->regs[R_TARGET] & 0x1f;
    const struct fifo_engine *engine = target < CHIP_MAX_ENGINES ? &pbdma->fifo->engines[target] : NULL;
    if (!engine || !engine->ops || engine->channel != pbdma->channel->context.id ||
        !fifo_engine_open(pbdma->fifo, target, pbdma->channel->context.id))
        return;
    bulk->engine = engine;
    bulk->methods = engine->ops->methods;
    bulk->self = engine->engine;
    for (unsigned s = 0; s < 8; s++)
        bulk->ready |= (uint32_t)(pbdma->route[s] == target) << s;
}

static void bulk_queue_crc(struct pbdma *pbdma, const struct pfifo_methods *run, uint32_t first) {
    struct pfifo_methods part = *run;
    part.data = &first;
    part.count = 1;
    pbdma_crc_queue_methods(pbdma, &part);
    part.data = run->data + 1;
    part.count = run->count - 1;
    part.method = (uint16_t)(part.method + part.step);
    pbdma_crc_methods(pbdma, &part);
}

void pbdma_sync(const struct pbdma_shared *shared) {
    const struct pbdma_bulk *bulk = shared->bulk;
    if (!bulk || bulk->run.count == 0)
        return;
    struct bulk_packet packet = bulk_decode(bulk->header);
    bulk->pbdma->hdr_shadow = bulk->header;
    bulk_set_position(bulk, &packet, packet.immediate ? bulk->at + 1 : bulk->run.data + 1, 1, METHOD_VALID,
                      bulk->first);
    bulk_account(bulk);
}

/* The engine did more or less than take the whole packet. */
static const uint32_t *packets_bulk_odd_packet(struct pbdma_bulk *bulk, uint32_t taken, enum pbdma_step *step) {
    struct pbdma *pbdma = bulk->pbdma;
    pbdma_sync(pbdma->shared);
    pbdma->shared->bulk = NULL;
    assert(taken <= bulk->run.count);
    *step = taken ? STEP_DONE : pbdma_wait_for_engine(pbdma, bulk->engine);
    if (taken)
        pbdma_finish_run(pbdma, &bulk->run, taken);
    return NULL;
}

void pbdma_close_packets(struct pbdma_shared *shared) {
    if (shared->bulk)
        shared->bulk->last = shared->bulk->begin;
}

/* The clock has advanced for it already. Budget and timeslice follow when the bulk path is left. */
void pbdma_packets_worked(struct pbdma_shared *shared, uint64_t units) {
    struct pbdma_bulk *bulk = shared->bulk;
    if (bulk) {
        bulk->worked += units * BUS_NS_PER_WORK;
        bulk->own_time += units * BUS_NS_PER_WORK;
    }
    pbdma_close_packets(shared);
}

/* Registers after the last packet, which ends at `at`: those between two packets cannot be read. */
static void bulk_settle(struct pbdma_bulk *bulk, const uint32_t *at) {
    struct bulk_packet last = bulk_decode(bulk->header);
    bulk->pbdma->hdr_shadow = bulk->header;
    bulk_set_position(bulk, &last, at, last.count, 0, last.count > 1 ? at[-1] : bulk->first);
    bulk_account(bulk);
}

/* A word costs two units, but for headers with a count, which cost one. */
#define WORDS_TIME(at) ((uint64_t)(uintptr_t)(at) * (2 * BUS_NS_PER_WORK / 4))
#define UNLIKELY(x)    __builtin_expect(!!(x), 0)

/* The packet at `at`, which is before the end, is before it as a whole. As numbers: it may end far beyond. */
static inline bool bulk_is_whole(const uint32_t *at, size_t count, const uint32_t *end) {
    return count != 0 && (uintptr_t)at + 4 * count < (uintptr_t)end;
}

/* Offer a packet to the engine. Returns how many methods it took. */
static inline uint32_t bulk_offer(struct pbdma_bulk *bulk, uint32_t word, uint32_t method, uint32_t subchannel,
                                  const uint32_t *data, uint32_t count, uint32_t step, uint64_t now) {
    bulk->header = word;
    bulk->run.data = data;
    bulk->run.count = count;
    bulk->run.method = (uint16_t)method;
    bulk->run.step = (uint8_t)step;
    bulk->run.subchannel = (uint8_t)subchannel;
    *bulk->clock = now;
    return bulk->methods(bulk->self, &bulk->run);
}

/*
 * Packet after packet, up to one that is not whole, not plain or for another engine, or of which the engine does not
 * take all: NULL then, and *step says why (STEP_DONE: it wants the rest later). Returns where that is. `counts`:
 * METHOD_CRC counts these methods. `time` is two units per word from there on, and moves back with each header that
 * costs one.
 */
static inline const uint32_t *bulk_push_packets(struct pbdma_bulk *bulk, enum pbdma_step *step, const bool counts) {
    const uint32_t ready = bulk->ready;
    const uint32_t *at = bulk->begin, *const end = bulk->end;
    uint64_t time = bulk->time - WORDS_TIME(at);
    while (at < bulk->last) {
        uint32_t word = *at, method = METHOD(word), subchannel = SUBCHANNEL(word), count = COUNT(word), taken;
        if (method < HOST_END || !(ready >> subchannel & 1))
            break;
        if (UNLIKELY(IS_IMMEDIATE(word))) {
            if (word >> FORM_SHIFT != GF100_IMMEDIATE >> FORM_SHIFT)
                break;
            bulk->at = at;
            bulk->first = count;
            taken =
                bulk_offer(bulk, word, method, subchannel, &bulk->first, 1, 0, time + WORDS_TIME(at) + BUS_NS_PER_WORK);
            if (taken != 1)
                return packets_bulk_odd_packet(bulk, taken, step);
            at++;
        } else {
            if (!HAS_COUNT(word) || UNLIKELY(!bulk_is_whole(at, count, end)) ||
                UNLIKELY(method + 4 * count > METHOD_END && HAS_STEP(word)))
                break;
            bulk->first = at[1];
            taken = bulk_offer(bulk, word, method, subchannel, at + 1, count, HAS_STEP(word) ? 4 : 0,
                               time + WORDS_TIME(at + 1));
            if (taken != count)
                return packets_bulk_odd_packet(bulk, taken, step);
            at += 1 + (size_t)count;
            time -= BUS_NS_PER_WORK;
        }
        if (counts)
            bulk_queue_crc(bulk->pbdma, &bulk->run, bulk->first);
    }
    *bulk->clock = time + WORDS_TIME(at) + bulk->worked;
    return at;
}

/* Separate functions, so that the loop has all CPU registers. */
static __attribute__((noinline)) const uint32_t *bulk_push_counted(struct pbdma_bulk *bulk, enum pbdma_step *step) {
    return bulk_push_packets(bulk, step, true);
}

static __attribute__((noinline)) const uint32_t *bulk_push_uncounted(struct pbdma_bulk *bulk, enum pbdma_step *step) {
    return bulk_push_packets(bulk, step, false);
}

/* Words that are at hand, and that budget and timeslice are enough for in any case: a word costs two units at most. */
static uint64_t packets_bulk_words_at_hand(const struct pbdma *pbdma, uint64_t get, uint64_t end) {
    uint64_t left = *pbdma->shared->budget, words = (end - get) / 4;
    if ((uint64_t)pbdma->slice.left < left)
        left = (uint64_t)pbdma->slice.left;
    return words < left / 2 ? words : left / 2;
}

bool pbdma_push_packets(struct pbdma *pbdma, uint64_t get, uint64_t put, enum pbdma_step *step) {
    const struct pbdma_span *span = &pbdma->span;
    uint64_t end = span->end < put ? span->end : put;
    const uint8_t *data = span->data + (get - span->begin);
    if (get < span->begin || get >= end || !bulk_applies(pbdma) || ((uintptr_t)data & 3) != 0 ||
        __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || pbdma->channel->faulted)
        return false;
    const uint32_t *words = (const uint32_t *)(const void *)data;
    struct bus *bus = pbdma->fifo->bus;
    struct pbdma_bulk bulk = {.pbdma = pbdma,
                              .budget = *pbdma->shared->budget,
                              .time = bus->time,
                              .slice = pbdma->slice.left,
                              .own_time = bus->time,
                              .get = get,
                              .begin = words,
                              .end = words + packets_bulk_words_at_hand(pbdma, get, end),
                              .level = pbdma->regs[R_PB_HEADER] & (HEADER_LEVEL | HEADER_CONDITIONAL),
                              .run.channel = &pbdma->channel->context};
    bulk.clock = bus->clock.now ? &bulk.own_time : &bus->time;
    bulk.last = bulk.end;
    *step = STEP_DONE;
    bulk_choose_engine(&bulk);
    if (!bulk.engine)
        return false;
    pbdma->shared->bulk = &bulk;
    const uint32_t *at = pbdma->channel->crc_left ? bulk_push_counted(&bulk, step) : bulk_push_uncounted(&bulk, step);
    pbdma->shared->bulk = NULL;
    if (at == words)
        return false;
    if (at)
        bulk_settle(&bulk, at);
    return true;
}
