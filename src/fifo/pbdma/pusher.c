/* SPDX-License-Identifier: MIT */
/*
 * The pusher: words of a segment become packets, and packets become methods.
 *
 * Position and packet are in GET, PB_HEADER and PB_COUNT at every word, so a packet may stop anywhere and go on in
 * the next segment. A run of methods for an engine is offered as it lies in memory; what the engine does with its
 * first method sees the registers as they are after that word was fetched.
 *
 * UNKNOWN: what follows a PBENTRY that the driver does not repair. Chosen: a word without a meaning is skipped
 * (PB_COUNT is 0); after an address wrap the packet goes on as PB_HEADER says, its address wrapping around.
 */
#include "fifo/pbdma/pusher.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"
#include "unit/error_names.h"

#include <assert.h>

#define METHOD_END  0x4000u /* byte address after the last method */
#define HOST_END    0x100u
#define RUN_BOUNCE  64 /* words copied at a time where the segment cannot be offered as it lies */
#define FETCH_BYTES 0x100000u

/* Words of the segment from GET on, as far as they are contiguous in the host. */
static bool pusher_map_words(struct pbdma *pbdma, uint64_t get, uint64_t put, struct fault *fault) {
    struct span span;
    uint64_t bytes = put - get < FETCH_BYTES ? put - get : FETCH_BYTES;
    if (!memory_span(pbdma_memory(pbdma), &pbdma->channel->context.vm, get, bytes, MEMORY_READ, &span, fault))
        return false;
    pbdma->span = (struct pbdma_span){.begin = get, .end = get + (span.bytes & ~UINT64_C(3)), .data = span.data};
    return true;
}

struct pusher_words {
    const uint32_t *data; /* host order */
    uint32_t count;
    uint32_t bounce[RUN_BOUNCE];
};

/* Host memory that cannot be used directly (unaligned pointer, big-endian host): copy. */
static void pusher_bounce_words(struct pusher_words *words, const uint8_t *data) {
    if (words->count > RUN_BOUNCE)
        words->count = RUN_BOUNCE;
    uint32_t i = 0;
    do /* there is at least one */
        words->bounce[i] = load_le32(data + 4 * (size_t)i);
    while (++i < words->count);
    words->data = words->bounce;
}

static inline bool pusher_can_offer(const uint8_t *data) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && ((uintptr_t)data & 3) == 0;
}

/* At most `limit` words from GET on; at least one, or a fault. */
static bool pusher_read_words(struct pbdma *pbdma, uint64_t get, uint64_t put, uint64_t limit,
                              struct pusher_words *words, struct fault *fault) {
    struct pbdma_span *span = &pbdma->span;
    if ((get < span->begin || get >= span->end) && !pusher_map_words(pbdma, get, put, fault))
        return false;
    if (get >= span->end) { /* less than a word is contiguous */
        words->count = 1;
        words->data = words->bounce;
        return memory_rd32(pbdma_memory(pbdma), &pbdma->channel->context.vm, get, &words->bounce[0], fault);
    }
    uint64_t count = ((span->end < put ? span->end : put) - get) / 4;
    words->count = (uint32_t)(count < limit ? count : limit);
    const uint8_t *data = span->data + (get - span->begin);
    if (pusher_can_offer(data))
        words->data = (const uint32_t *)(const void *)data;
    else
        pusher_bounce_words(words, data);
    return true;
}

/* Move GET over words. */
static inline void pusher_consume(struct pbdma *pbdma, uint32_t count) {
    uint32_t *regs = pbdma->regs;
    uint64_t get = pbdma_address(pbdma, R_GET) + UINT64_C(4) * count;
    regs[R_GET] = (uint32_t)get;
    regs[R_GET_HI] = (uint32_t)(get >> 32);
    if (!(regs[R_PB_HEADER] & HEADER_LEVEL)) {
        regs[R_TOP_GET] = regs[R_GET];
        regs[R_TOP_GET_HI] = regs[R_GET_HI] | 1u << 31;
    }
}

static inline void pusher_drop_segment(struct pbdma *pbdma) {
    pbdma_pb_crc_drop(pbdma);
    pbdma->regs[R_GET] = pbdma->regs[R_PUT];
    pbdma->regs[R_GET_HI] = pbdma->regs[R_PUT_HI];
}

static void pusher_set_method(struct pbdma *pbdma, unsigned subchannel, uint32_t method, uint32_t flags,
                              uint32_t data) {
    pbdma->regs[R_METHOD0] = METHOD_VALID | flags | subchannel << HEADER_SUBCHANNEL | method;
    pbdma->regs[R_DATA0] = data;
    event_send(pbdma_events(pbdma), EVENT_PULLER_METHOD, pbdma_channel_id(pbdma), NULL, subchannel,
               pbdma->channel->classes[subchannel], method, data);
}

/* PB_HEADER and PB_COUNT after `taken` data words. */
static inline void pusher_advance_packet(struct pbdma *pbdma, uint32_t taken) {
    uint32_t header = pbdma->regs[R_PB_HEADER] & ~HEADER_FIRST;
    enum header_type type = (enum header_type)(header >> HEADER_TYPE);
    uint32_t method = header & HEADER_METHOD;
    if (type == HEADER_INC)
        method += 4 * taken;
    if (type == HEADER_INC_ONCE) {
        method += 4;
        header = (header & ~(7u << HEADER_TYPE)) | (uint32_t)HEADER_NON_INC << HEADER_TYPE;
    }
    pbdma->regs[R_PB_HEADER] = (header & ~HEADER_METHOD) | (method & HEADER_METHOD);
    pbdma->regs[R_PB_COUNT] -= taken;
}

/* Fetch one data word into METHOD0. */
static void pusher_fetch_data(struct pbdma *pbdma, uint32_t word) {
    uint32_t header = pbdma->regs[R_PB_HEADER];
    pusher_consume(pbdma, 1);
    pusher_advance_packet(pbdma, 1);
    pbdma_charge(pbdma, 1);
    pusher_set_method(pbdma, header >> HEADER_SUBCHANNEL & 7, header & HEADER_METHOD,
                      (header & HEADER_FIRST) | (header >> HEADER_TYPE == HEADER_INC ? METHOD_INCREASING : 0), word);
}

/* How many methods may be executed at once, 0: word by word only. */
static uint32_t pusher_run_length(const struct pbdma *pbdma, uint32_t available) {
    uint32_t header = pbdma->regs[R_PB_HEADER], method = header & HEADER_METHOD;
    uint32_t type = header >> HEADER_TYPE;
    uint64_t left = *pbdma->shared->budget;
    if (method < HOST_END || event_wanted(pbdma->fifo->events, EVENT_PULLER_METHOD) || pbdma->fifo->materialise)
        return 0;
    if (pbdma->slice.left > 0 && (uint64_t)pbdma->slice.left < left)
        left = (uint64_t)pbdma->slice.left;
    if (available > left / 2)
        available = (uint32_t)(left / 2);
    if (type == HEADER_INC && available > (METHOD_END - method) / 4)
        available = (METHOD_END - method) / 4;
    if (type == HEADER_INC_ONCE && available > 1)
        available = 1;
    return available;
}

/* The rest of a run that the engine took, after its first method. */
void pbdma_finish_run(struct pbdma *pbdma, const struct pfifo_methods *run, uint32_t taken) {
    uint32_t *regs = pbdma->regs, step = run->step;
    struct pfifo_methods rest = *run;
    rest.count = 1;
    rest.data = &regs[R_DATA0];
    pbdma_crc_methods(pbdma, &rest);
    regs[R_METHOD0] &= ~METHOD_VALID;
    if (taken > 1) {
        rest.count = taken - 1;
        rest.data = run->data + 1;
        rest.method = (uint16_t)(rest.method + step);
        pbdma_crc_methods(pbdma, &rest);
        pusher_consume(pbdma, taken - 1);
        pusher_advance_packet(pbdma, taken - 1);
        regs[R_METHOD0] = (regs[R_METHOD0] & ~(METHOD_FIRST | HEADER_METHOD)) | (run->method + step * (taken - 1));
        regs[R_DATA0] = rest.data[taken - 2];
    }
    pbdma_charge(pbdma, UINT64_C(2) * taken - 1);
}

/* A run of methods for an engine that already works for the channel. */
static enum pbdma_step pusher_push_run(struct pbdma *pbdma, const struct pusher_words *words, uint32_t count,
                                       const struct fifo_engine *engine) {
    uint32_t header = pbdma->regs[R_PB_HEADER];
    struct pfifo_methods run = {
        .data = words->data,
        .count = count,
        .method = (uint16_t)(header & HEADER_METHOD),
        .step = header >> HEADER_TYPE == HEADER_INC ? 4 : 0,
        .subchannel = (uint8_t)(header >> HEADER_SUBCHANNEL & 7),
        .channel = &pbdma->channel->context,
    };
    pusher_fetch_data(pbdma, words->data[0]);
    if (!fifo_engine_open(pbdma->fifo, (unsigned)(engine - pbdma->fifo->engines), pbdma->channel->context.id))
        return pbdma_wait(pbdma, 0, 0, 0);
    uint32_t taken = engine->ops->methods(engine->engine, &run);
    assert(taken <= count);
    if (taken == 0)
        return pbdma_wait_for_engine(pbdma, engine);
    pbdma_finish_run(pbdma, &run, taken);
    return STEP_DONE;
}

/* Data words for another subdevice. */
static enum pbdma_step pusher_drop_data(struct pbdma *pbdma, const struct pusher_words *words) {
    uint64_t left = *pbdma->shared->budget;
    uint32_t count = words->count;
    if (pbdma->slice.left > 0 && (uint64_t)pbdma->slice.left < left)
        left = (uint64_t)pbdma->slice.left;
    if (count > left)
        count = (uint32_t)left;
    if (pbdma->regs[R_PB_HEADER] >> HEADER_TYPE == HEADER_INC_ONCE)
        count = 1;
    pusher_consume(pbdma, count);
    pusher_advance_packet(pbdma, count);
    pbdma_charge(pbdma, count);
    return STEP_DONE;
}

static enum pbdma_step pusher_push_data(struct pbdma *pbdma, const struct pusher_words *words) {
    if (pbdma_drops_methods(pbdma))
        return pusher_drop_data(pbdma, words);
    uint32_t count = pusher_run_length(pbdma, words->count);
    unsigned route = pbdma->route[pbdma->regs[R_PB_HEADER] >> HEADER_SUBCHANNEL & 7];
    if (count > 0 && route < CHIP_MAX_ENGINES) {
        const struct fifo_engine *engine = &pbdma->fifo->engines[route];
        if (engine->ops && engine->channel == pbdma->channel->context.id && (pbdma->regs[R_TARGET] & 0x1f) == route)
            return pusher_push_run(pbdma, words, count, engine);
    }
    pusher_fetch_data(pbdma, words->data[0]);
    return STEP_DONE;
}

/* SET and USE need CHANNEL_DMA; without it the subdevice is always active. */
static bool pusher_subdevice_word(struct pbdma *pbdma, const struct grammar_word *packet) {
    uint32_t *subdevice = &pbdma->regs[R_SUBDEVICE];
    uint32_t mask = packet->data;
    if (packet->form == FORM_STORE_SUBDEVICE) {
        *subdevice = (*subdevice & ~0x0fff0000u) | mask << 16;
        return true;
    }
    if (!(*subdevice & SUBDEVICE_CHANNEL_DMA))
        return false;
    if (packet->form == FORM_USE_SUBDEVICE)
        mask = *subdevice >> 16;
    bool active = (mask & *subdevice & 0xfff) != 0;
    *subdevice = (*subdevice & ~SUBDEVICE_ACTIVE) | (active ? SUBDEVICE_ACTIVE : 0);
    if (!active && (pbdma->regs[R_PB_FETCH] & FETCH_CONDITIONAL))
        pusher_drop_segment(pbdma);
    return true;
}

static const uint8_t header_types[FORM_COUNT] = {
    [FORM_INCREASING] = HEADER_INC,
    [FORM_NONINCREASING] = HEADER_NON_INC,
    [FORM_IMMEDIATE] = HEADER_IMMD,
    [FORM_INCREASE_ONCE] = HEADER_INC_ONCE,
    [FORM_SET_SUBDEVICE] = HEADER_SET_SUBDEVICE,
    [FORM_STORE_SUBDEVICE] = HEADER_STORE_SUBDEVICE,
    [FORM_USE_SUBDEVICE] = HEADER_USE_SUBDEVICE,
    [FORM_END_SEGMENT] = HEADER_END_SEGMENT,
};

static void pusher_set_header(struct pbdma *pbdma, const struct grammar_word *packet) {
    uint32_t address = packet->method | (uint32_t)packet->subchannel << HEADER_SUBCHANNEL;
    if (packet->form >= FORM_SET_SUBDEVICE && packet->form <= FORM_USE_SUBDEVICE)
        address = packet->data << 4;
    pbdma->regs[R_PB_HEADER] = (pbdma->regs[R_PB_HEADER] & (HEADER_LEVEL | HEADER_CONDITIONAL)) | HEADER_FIRST |
                               (uint32_t)header_types[packet->form] << HEADER_TYPE | address;
    pbdma->regs[R_PB_COUNT] = packet->count;
}

/* Would the last method be beyond the end? */
static bool pusher_wraps(const struct grammar_word *packet) {
    uint32_t last = packet->method;
    if (packet->count > 1 && packet->form == FORM_INCREASING)
        last += 4 * (packet->count - 1);
    if (packet->count > 1 && packet->form == FORM_INCREASE_ONCE)
        last += 4;
    return last >= METHOD_END;
}

static enum pbdma_step pusher_bad_word(struct pbdma *pbdma, uint64_t address, const char *what) {
    event_send_named(pbdma_events(pbdma), EVENT_PUSHER_ERROR, pbdma_channel_id(pbdma),
                     error_name(&errors_pbdma, PBDMA_INTR_PBENTRY), what, address, pbdma->hdr_shadow,
                     PBDMA_INTR_PBENTRY, 0, 0);
    return pbdma_raise(pbdma, PBDMA_INTR_PBENTRY, "PBENTRY") ? STEP_STALLED : STEP_DONE;
}

/* With CMD_TYPES 0 only the old forms, the masks and the no-op exist. */
static bool pusher_form_allowed(const struct pbdma *pbdma, uint32_t word, const struct grammar_word *packet) {
    if (packet->form == FORM_INVALID)
        return false;
    if ((pbdma->regs[R_CMD_TYPES] & 0x300) != 0)
        return true;
    return word >> 29 == 0 || word >> 29 == 2;
}

/* What the word is: by its index row where that decides, else by the grammar. */
static void pusher_decode(const struct pbdma *pbdma, uint32_t word, struct grammar_word *packet) {
    const struct grammar *grammar = pbdma->fifo->chip->family->grammar;
    unsigned index = pbdma->grammar.row[grammar_key(word)];
    if (index == GRAMMAR_SLOW) {
        grammar_decode(grammar, pbdma->grammar_mode, word, packet);
        return;
    }
    const struct grammar_row *row = &grammar->rows[index];
    const struct grammar_layout *layout = &grammar_layouts[row->layout];
    packet->form = (enum grammar_form)row->form;
    packet->subchannel = layout->method_bits ? word >> layout->subchannel_shift & 7 : 0;
    packet->method = (uint16_t)((word >> layout->method_shift & ((1u << layout->method_bits) - 1)) * 4);
    packet->count = word >> layout->count_shift & ((1u << layout->count_bits) - 1);
    packet->data = word >> layout->data_shift & ((1u << layout->data_bits) - 1);
    packet->target = 0;
}

static enum pbdma_step pusher_act(struct pbdma *pbdma, uint64_t address, const struct grammar_word *packet) {
    switch (packet->form) {
    case FORM_IMMEDIATE:
        if (!pbdma_drops_methods(pbdma))
            pusher_set_method(pbdma, packet->subchannel, packet->method, METHOD_FIRST, packet->data);
        return STEP_DONE;
    case FORM_SET_SUBDEVICE:
    case FORM_STORE_SUBDEVICE:
    case FORM_USE_SUBDEVICE:
        return pusher_subdevice_word(pbdma, packet) ? STEP_DONE
                                                    : pusher_bad_word(pbdma, address, "subdevice mask is off");
    case FORM_END_SEGMENT:
        pusher_drop_segment(pbdma);
        return STEP_DONE;
    default:
        return pusher_wraps(packet) ? pusher_bad_word(pbdma, address, "address wraps") : STEP_DONE;
    }
}

/* One packet header. */
static enum pbdma_step pusher_push_header(struct pbdma *pbdma, uint64_t address, uint32_t word) {
    struct grammar_word packet;
    pusher_consume(pbdma, 1);
    pbdma_charge(pbdma, 1);
    pbdma->hdr_shadow = word;
    if (word == 0)
        return STEP_DONE;
    pusher_decode(pbdma, word, &packet);
    if (!pusher_form_allowed(pbdma, word, &packet))
        return pusher_bad_word(pbdma, address, "invalid word");
    pusher_set_header(pbdma, &packet);
    event_send(pbdma_events(pbdma), EVENT_PUSHER_PACKET, pbdma_channel_id(pbdma), grammar_form_name(packet.form),
               address, word, packet.subchannel, packet.method, packet.form == FORM_IMMEDIATE ? 1 : packet.count, 0);
    return pusher_act(pbdma, address, &packet);
}

/* GET is beyond PUT: a driver wrote one of them. Where that does not stall, the segment is over. */
static enum pbdma_step pusher_bad_pointer(struct pbdma *pbdma) {
    if (pbdma_raise(pbdma, PBDMA_INTR_PBPTR, "PBPTR"))
        return STEP_STALLED;
    pusher_drop_segment(pbdma);
    return STEP_DONE;
}

enum pbdma_step pbdma_fetch(struct pbdma *pbdma) {
    uint64_t get = pbdma_address(pbdma, R_GET), put = pbdma_address(pbdma, R_PUT);
    if (get == put)
        return pbdma_fetch_entry(pbdma);
    if (get > put || ((get | put) & 3))
        return pusher_bad_pointer(pbdma);
    uint32_t pending = pbdma->regs[R_PB_COUNT] & COUNT_VALUE;
    struct pusher_words words;
    struct fault fault;
    if (!pusher_read_words(pbdma, get, put, pending ? pending : 1, &words, &fault))
        return pbdma_host_fault(pbdma, &fault);
    if (pending)
        return pusher_push_data(pbdma, &words);
    enum pbdma_step step;
    if (pbdma_push_packets(pbdma, get, put, &step))
        return step;
    return pusher_push_header(pbdma, get, words.data[0]);
}
