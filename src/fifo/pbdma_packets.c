/* SPDX-License-Identifier: MIT */
/*
 * The short way for what streams mostly consist of: a header with all of its data in the segment, for an engine that
 * already works for the channel. Does what pbdma_pusher.c does word by word, with absolute values instead of
 * one change after the other: at each call of an engine, and when it is left, all registers are the same.
 */
#include "fifo/pbdma.h"

#include <assert.h>

#define METHOD_END 0x4000u
#define HOST_END   0x100u

/* What does not change from packet to packet. */
struct course {
    struct pbdma *pbdma;
    struct bus *bus;
    uint64_t budget, time; /* at the beginning */
    int64_t slice;
    uint64_t limit, used; /* units */
    bool own_clock;
    uint32_t level; /* bits of PB_HEADER that come from the GP entry */
    uint32_t data;  /* of the last method */
    const struct grammar_row *rows;
    struct grammar_layout layout; /* of the new method headers */
    uint8_t layout_index;
    uint8_t immediate_shift, immediate_bits;
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

static inline uint32_t field(uint32_t word, unsigned shift, unsigned bits) {
    return word >> shift & ((1u << bits) - 1);
}

/*
 * False: not one of the forms that this way is for. Where the fields are is the same for all of these, so that the
 * place of the next header does not have to wait for the row of this one.
 */
static inline bool decode(const struct course *course, uint32_t word, struct packet *packet) {
    const struct grammar_layout *layout = &course->layout;
    unsigned index = course->pbdma->grammar.row[grammar_key(word)];
    if (index == GRAMMAR_SLOW)
        return false;
    const struct grammar_row *row = &course->rows[index];
    packet->subchannel = word >> layout->subchannel_shift & 7;
    packet->method = field(word, layout->method_shift, layout->method_bits) * 4;
    packet->count = field(word, layout->count_shift, layout->count_bits);
    packet->immediate = row->form == FORM_IMMEDIATE;
    packet->step = row->form == FORM_INCREASING ? 4 : 0;
    if (packet->immediate)
        packet->count = 1;
    else if (row->layout != course->layout_index || (row->form != FORM_INCREASING && row->form != FORM_NONINCREASING))
        return false;
    return packet->count > 0 && packet->method >= HOST_END &&
           packet->method + packet->step * packet->count <= METHOD_END;
}

static inline void spend(struct course *course, uint64_t units) {
    course->used += units;
    *course->pbdma->fifo->budget = course->budget - course->used;
    course->pbdma->slice = course->slice - (int64_t)course->used;
    if (!course->own_clock)
        course->bus->time = course->time + course->used * BUS_NS_PER_WORK;
}

/* All registers after `done` methods of the packet, the last of which is `data`. */
static inline void set_position(struct course *course, const struct packet *packet, uint64_t get, uint32_t done,
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

/* The engine, if it is there and already works for the channel. */
static inline const struct fifo_engine *ready_engine(const struct pbdma *pbdma, const struct packet *packet) {
    unsigned route = pbdma->route[packet->subchannel];
    if (route >= CHIP_MAX_ENGINES || (pbdma->regs[R_TARGET] & 0x1f) != route)
        return NULL;
    const struct fifo_engine *engine = &pbdma->fifo->base.engines[route];
    return engine->ops && engine->channel == pbdma->channel->context.id ? engine : NULL;
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

/* False: the packet is not through, *step says why (STEP_DONE: the engine wants the rest later). */
static inline bool execute(struct course *course, const struct packet *packet, const struct fifo_engine *engine,
                           const uint32_t *words, uint64_t at, enum pbdma_step *step) {
    struct pbdma *pbdma = course->pbdma;
    uint32_t fetched = packet->immediate ? 1 : 2;
    uint32_t first = packet->immediate ? field(words[0], course->immediate_shift, course->immediate_bits) : words[1];
    struct pfifo_methods run = {
        .data = packet->immediate ? &pbdma->regs[R_DATA0] : words + 1,
        .count = packet->count,
        .method = (uint16_t)packet->method,
        .step = (uint8_t)packet->step,
        .subchannel = (uint8_t)packet->subchannel,
        .channel = &pbdma->channel->context,
    };
    pbdma->hdr_shadow = words[0];
    set_position(course, packet, at + 4 * (uint64_t)fetched, 1, METHOD_VALID, first);
    spend(course, fetched);
    uint32_t taken = engine->ops->methods(engine->engine, &run);
    assert(taken <= packet->count);
    if (taken == 0) {
        *step = pbdma_wait_for_engine(pbdma, engine);
        return false;
    }
    if (taken < packet->count) {
        pbdma_finish_run(pbdma, &run, taken);
        *step = STEP_DONE;
        return false;
    }
    if (pbdma->channel->crc_left)
        note(pbdma, &run, first);
    course->data = packet->count > 1 ? words[packet->count] : first;
    course->used += UINT64_C(2) * packet->count - 1;
    return true;
}

/* Registers behind the last packet: nobody can see those between two packets. */
static void settle(struct course *course, const struct packet *last, uint64_t get) {
    set_position(course, last, get, last->count, 0, course->data);
    spend(course, 0);
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
    struct course course = {.pbdma = pbdma,
                            .bus = bus,
                            .budget = *pbdma->fifo->budget,
                            .time = bus->time,
                            .slice = pbdma->slice,
                            .own_clock = bus->clock.now != NULL,
                            .rows = pbdma->fifo->base.chip->family->grammar->rows,
                            .layout = grammar_layouts[pbdma->method_layout],
                            .layout_index = pbdma->method_layout,
                            .immediate_shift = grammar_layouts[pbdma->immediate_layout].data_shift,
                            .immediate_bits = grammar_layouts[pbdma->immediate_layout].data_bits,
                            .level = pbdma->regs[R_PB_HEADER] & (HEADER_LEVEL | HEADER_CONDITIONAL)};
    course.limit = course.budget < (uint64_t)course.slice ? course.budget : (uint64_t)course.slice;
    *step = STEP_DONE;
    struct packet packet, last;
    while (get < end && !pbdma->channel->faulted && decode(&course, words[0], &packet)) {
        uint32_t length = packet.immediate ? 1 : packet.count + 1;
        const struct fifo_engine *engine = ready_engine(pbdma, &packet);
        if (!engine || (end - get) / 4 < length || course.limit - course.used < length + (uint64_t)packet.count)
            break;
        if (!execute(&course, &packet, engine, words, get, step))
            return true;
        get += UINT64_C(4) * length;
        words += length;
        last = packet;
    }
    if (course.used == 0)
        return false;
    settle(&course, &last, get);
    return true;
}
