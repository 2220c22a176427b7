/* SPDX-License-Identifier: MIT */
/*
 * The short way for what streams mostly consist of: a header with all of its data in the segment, for an engine that
 * already works for the channel. Does what pbdma_pusher.c does word by word, with absolute values instead of one
 * change after the other. While an engine has a packet the registers are stale; whoever looks at them calls
 * pbdma_sync() before, and then, as when this way is left, all of them are the same.
 */
#include "fifo/pbdma.h"

#include <assert.h>

#define METHOD_END 0x4000u
#define HOST_END   0x100u

/* What does not change from packet to packet. */
struct pbdma_course {
    struct pbdma *pbdma;
    struct bus *bus;
    uint64_t budget, time; /* at the beginning */
    int64_t slice;
    uint64_t limit, used; /* units, up to the packet that an engine has */
    bool own_clock;
    uint32_t level; /* bits of PB_HEADER that come from the GP entry */
    uint32_t data;  /* of the last method */
    /* The packet that an engine has: memory may change under it. */
    uint64_t get;
    uint32_t header, first;
    /* The only engine that takes packets on this way: it was used last, and works for the channel. */
    const struct fifo_engine *engine;
    uint32_t ready; /* bit per subchannel that leads there */
};

struct packet {
    uint32_t subchannel, method, count, step;
    bool immediate;
};

static bool applies(const struct pbdma *pbdma) {
    const struct fifo *fifo = &pbdma->fifo->base;
    return pbdma->slice > 0 && !pbdma_drops_methods(pbdma) && !fifo->materialise &&
           !event_wanted(fifo->events, EVENT_PULLER_METHOD) && !event_wanted(fifo->events, EVENT_PUSHER_PACKET) &&
           (pbdma->regs[R_CMD_TYPES] & 0x300) != 0;
}

/* Fields of the new headers, as grammar.c has them. Immediate data are in the place of the count. */
#define NEW_COUNT(word)      ((word) >> 16 & 0x1fff)
#define NEW_SUBCHANNEL(word) ((word) >> 13 & 7)
#define NEW_METHOD(word)     (((word)&0xfff) * 4)

static bool is_new_layout(const struct grammar_row *row) {
    const struct grammar_layout *layout = &grammar_layouts[row->layout];
    bool immediate = row->form == FORM_IMMEDIATE;
    return layout->subchannel_shift == 13 && layout->method_shift == 0 && layout->method_bits == 12 &&
           (immediate ? layout->data_shift : layout->count_shift) == 16 &&
           (immediate ? layout->data_bits : layout->count_bits) == 13;
}

static uint8_t step_of(const struct grammar_row *row) {
    if (!is_new_layout(row))
        return PACKET_SLOW;
    switch (row->form) {
    case FORM_INCREASING:
        return 4;
    case FORM_NONINCREASING:
        return 0;
    case FORM_IMMEDIATE:
        return PACKET_IMMEDIATE;
    default:
        return PACKET_SLOW;
    }
}

void pbdma_make_packet_steps(struct pbdma *pbdma) {
    const struct grammar_row *rows = pbdma->fifo->base.chip->family->grammar->rows;
    for (unsigned key = 0; key < sizeof pbdma->packet_step; key++) {
        uint8_t row = pbdma->grammar.row[key];
        pbdma->packet_step[key] = row == GRAMMAR_SLOW ? PACKET_SLOW : step_of(&rows[row]);
    }
}

/* False: not one of the forms that this way is for. */
static inline bool decode(const struct pbdma *pbdma, uint32_t word, struct packet *packet) {
    uint8_t step = pbdma->packet_step[grammar_key(word)];
    if (step == PACKET_SLOW)
        return false;
    packet->subchannel = NEW_SUBCHANNEL(word);
    packet->method = NEW_METHOD(word);
    packet->immediate = step == PACKET_IMMEDIATE;
    packet->step = step & 4;
    packet->count = packet->immediate ? 1 : NEW_COUNT(word);
    return packet->count > 0 && packet->method >= HOST_END &&
           packet->method + packet->step * packet->count <= METHOD_END;
}

/* Time has to be right whenever an engine is called: it may write a timestamp. */
static inline void pass_time(const struct pbdma_course *course, uint64_t units) {
    if (!course->own_clock)
        course->bus->time = course->time + (course->used + units) * BUS_NS_PER_WORK;
}

static void account(const struct pbdma_course *course, uint64_t units) {
    *course->pbdma->fifo->budget = course->budget - course->used - units;
    course->pbdma->slice = course->slice - (int64_t)(course->used + units);
    pass_time(course, units);
}

/* All registers after `done` methods of the packet, the last of which is `data`. */
static void set_position(const struct pbdma_course *course, const struct packet *packet, uint64_t get, uint32_t done,
                         uint32_t valid, uint32_t data) {
    uint32_t *regs = course->pbdma->regs;
    uint32_t last = packet->method + packet->step * (done - 1), next = packet->method + packet->step * done;
    uint32_t where = packet->subchannel << HEADER_SUBCHANNEL;
    regs[R_GET] = (uint32_t)get;
    regs[R_GET_HI] = (uint32_t)(get >> 32);
    if (!(course->level & HEADER_LEVEL)) {
        regs[R_TOP_GET] = regs[R_GET];
        regs[R_TOP_GET_HI] = regs[R_GET_HI] | 1u << 31;
    }
    enum header_type type = packet->immediate ? HEADER_IMMD : packet->step ? HEADER_INC : HEADER_NON_INC;
    regs[R_PB_HEADER] = course->level | (uint32_t)type << HEADER_TYPE | where | (next & HEADER_METHOD) |
                        (packet->immediate ? HEADER_FIRST : 0);
    regs[R_PB_COUNT] = packet->count - done;
    regs[R_METHOD0] = valid | where | last | (packet->step ? METHOD_INCREASING : 0) | (done == 1 ? METHOD_FIRST : 0);
    regs[R_DATA0] = data;
}

static void choose_engine(struct pbdma_course *course) {
    const struct pbdma *pbdma = course->pbdma;
    uint32_t target = pbdma->regs[R_TARGET] & 0x1f;
    const struct fifo_engine *engine = target < CHIP_MAX_ENGINES ? &pbdma->fifo->base.engines[target] : NULL;
    if (!engine || !engine->ops || engine->channel != pbdma->channel->context.id ||
        !fifo_engine_open(&pbdma->fifo->base, target))
        return;
    course->engine = engine;
    for (unsigned s = 0; s < 8; s++)
        course->ready |= (uint32_t)(pbdma->route[s] == target) << s;
}

static void note(struct pbdma *pbdma, const struct pfifo_methods *run, uint32_t first) {
    struct pfifo_methods part = *run;
    part.data = &first;
    part.count = 1;
    pbdma_crc_note(pbdma, &part);
    part.data = run->data + 1;
    part.count = run->count - 1;
    part.method = (uint16_t)(part.method + part.step);
    pbdma_crc_methods(pbdma, &part);
}

/* Header and first data word of a packet are fetched before its engine is called. */
static inline uint32_t fetched_words(bool immediate) {
    return immediate ? 1 : 2;
}

void pbdma_sync(void *unit) {
    const struct pbdma_fifo *fifo = unit;
    const struct pbdma_course *course = fifo->course;
    struct packet packet;
    if (!course || !decode(course->pbdma, course->header, &packet))
        return;
    uint32_t fetched = fetched_words(packet.immediate);
    course->pbdma->hdr_shadow = course->header;
    set_position(course, &packet, course->get + 4 * (uint64_t)fetched, 1, METHOD_VALID, course->first);
    account(course, fetched);
}

/* The engine did not just take the whole packet. */
static enum pbdma_step odd_packet(struct pbdma_course *course, const struct pfifo_methods *run, uint32_t taken) {
    struct pbdma *pbdma = course->pbdma;
    pbdma_sync(pbdma->fifo);
    pbdma->fifo->course = NULL;
    assert(taken <= run->count);
    if (taken == 0)
        return pbdma_wait_for_engine(pbdma, course->engine);
    pbdma_finish_run(pbdma, run, taken);
    return STEP_DONE;
}

void pbdma_close_packets(struct pbdma_fifo *fifo) {
    if (fifo->course)
        fifo->course->ready = 0;
}

/* False: the packet is not through, *step says why (STEP_DONE: the engine wants the rest later). */
static inline bool execute(struct pbdma_course *course, const struct packet *packet, const uint32_t *words, uint64_t at,
                           enum pbdma_step *step) {
    struct pbdma *pbdma = course->pbdma;
    const struct fifo_engine *engine = course->engine;
    course->header = words[0];
    course->first = packet->immediate ? NEW_COUNT(words[0]) : words[1];
    course->get = at;
    struct pfifo_methods run = {
        .data = packet->immediate ? &course->first : words + 1,
        .count = packet->count,
        .method = (uint16_t)packet->method,
        .step = (uint8_t)packet->step,
        .subchannel = (uint8_t)packet->subchannel,
        .channel = &pbdma->channel->context,
    };
    pass_time(course, fetched_words(packet->immediate));
    uint32_t taken = engine->ops->methods(engine->engine, &run);
    if (taken != packet->count) {
        *step = odd_packet(course, &run, taken);
        return false;
    }
    if (pbdma->channel->crc_left)
        note(pbdma, &run, course->first);
    course->data = packet->count > 1 ? words[packet->count] : course->first;
    course->used += UINT64_C(2) * packet->count + (packet->immediate ? 0 : 1);
    return true;
}

/* Registers behind the last packet: nobody can see those between two packets. */
static void settle(struct pbdma_course *course, const struct packet *last, uint64_t get) {
    course->pbdma->fifo->course = NULL;
    course->pbdma->hdr_shadow = course->header;
    set_position(course, last, get, last->count, 0, course->data);
    account(course, 0);
}

bool pbdma_push_packets(struct pbdma *pbdma, uint64_t get, uint64_t put, enum pbdma_step *step) {
    const struct pbdma_span *span = &pbdma->span;
    uint64_t end = span->end < put ? span->end : put;
    const uint8_t *data = span->data + (get - span->begin);
    if (get < span->begin || get >= end || !applies(pbdma) || ((uintptr_t)data & 3) != 0 ||
        __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return false;
    const uint32_t *words = (const uint32_t *)(const void *)data;
    struct bus *bus = pbdma->fifo->base.bus;
    struct pbdma_course course = {.pbdma = pbdma,
                                  .bus = bus,
                                  .budget = *pbdma->fifo->budget,
                                  .time = bus->time,
                                  .slice = pbdma->slice,
                                  .own_clock = bus->clock.now != NULL,
                                  .level = pbdma->regs[R_PB_HEADER] & (HEADER_LEVEL | HEADER_CONDITIONAL)};
    course.limit = course.budget < (uint64_t)course.slice ? course.budget : (uint64_t)course.slice;
    *step = STEP_DONE;
    choose_engine(&course);
    pbdma->fifo->course = &course;
    struct packet packet, last = {0};
    while (get < end && !pbdma->channel->faulted && decode(pbdma, words[0], &packet)) {
        uint32_t length = packet.immediate ? 1 : packet.count + 1;
        if (!(course.ready >> packet.subchannel & 1) || (end - get) / 4 < length ||
            course.limit - course.used < length + (uint64_t)packet.count)
            break;
        if (!execute(&course, &packet, words, get, step))
            return true;
        get += UINT64_C(4) * length;
        words += length;
        last = packet;
    }
    pbdma->fifo->course = NULL;
    if (course.used == 0)
        return false;
    settle(&course, &last, get);
    return true;
}
