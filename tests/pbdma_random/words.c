/* SPDX-License-Identifier: MIT */
/* What programs submit: GP entries, segments, packets, methods. */
#include "pbdma_random/pbdma_random.h"

static void push_entry(struct bench *b, struct bench_live *live, uint32_t low, uint32_t high) {
    uint32_t entries = 1u << live->order, next = (live->gp_put + 1) % entries, at = RINGS + 0x1000 * live->id;
    const struct pbdma_fifo_channel *channel = &b->reference.channel[live->id];
    uint32_t get = channel->on == PBF_NONE ? pbr_peek(b, pbr_instance(live) + 0x14)
                                           : b->reference.unit[channel->on].p.word[0x14 / 4];
    if (next == get)
        return;
    pbr_poke(b, at + 8 * live->gp_put, low);
    pbr_poke(b, at + 8 * live->gp_put + 4, high);
    live->gp_put = next;
}

static void control_entry(struct bench *b, struct bench_live *live) {
    struct choice *c = b->choice;
    uint32_t opcode = pbr_wrong(b, 6) ? choice_below(c, 0x100) : 0;
    if (opcode != 3) /* PB_CRC */
        push_entry(b, live, choice_once_in(c, 2) ? 0 : choice_word(c), opcode);
}

static void close_segment(struct bench *b, struct bench_live *live) {
    struct choice *c = b->choice;
    uint32_t words = (live->cursor - live->begin) / 4, address = live->begin;
    uint32_t flags = (uint32_t)choice_once_in(c, 5) << 8 | (uint32_t)choice_once_in(c, 5) << 9 |
                     (uint32_t)choice_once_in(c, 8) << 31;
    if (pbr_wrong(b, 150))
        address ^= 1u << choice_between(c, 19, 31);
    if (words)
        push_entry(b, live, address | choice_once_in(c, 16) | (uint32_t)pbr_wrong(b, 16) << 1,
                   words << 10 | flags | (pbr_wrong(b, 300) ? choice_below(c, 0x100) : 0));
    if (choice_once_in(c, 12))
        control_entry(b, live);
    live->begin = live->cursor;
    live->left = choice_once_in(c, 4) ? choice_between(c, 1, 3) : choice_between(c, 1, 200);
}

static void emit(struct bench *b, struct bench_live *live, uint32_t word) {
    uint32_t base = PUSHBUFFERS + PUSH_BYTES * (uint32_t)(live - b->live);
    if (pbr_wrong(b, 300))
        word ^= 1u << choice_below(b->choice, 32);
    pbr_poke(b, live->cursor, word);
    live->cursor += 4;
    if (--live->left == 0)
        close_segment(b, live);
    if (live->cursor >= base + PUSH_BYTES - 64) {
        close_segment(b, live);
        live->cursor = live->begin = base;
    }
}

/* ---- data ---- */

static uint32_t object(struct bench *b) {
    static const uint8_t engines[] = {0, 0, 0, 0, 4, 4, 1}, others[] = {5, 0x1f, 9, 2};
    struct choice *c = b->choice;
    uint32_t class = pbr_wrong(b, 6) ? REFUSED : 0x9097 + choice_below(c, 4);
    uint32_t engine = pbr_wrong(b, 3) ? others[choice_below(c, 4)] : engines[choice_below(c, sizeof engines)];
    return class | engine << 16;
}

static uint32_t semaphore_data(struct bench *b) {
    static const uint32_t usual[] = {2, 2, 1u << 24 | 2, 1u << 20 | 2, 4, 4, 8, 1};
    struct choice *c = b->choice;
    if (b->row->a16f ? choice_once_in(c, 4) : pbr_wrong(b, 4))
        return (choice_word(c) & (pbr_wrong(b, 4) ? 0xf9100000 : 0xb9100000)) | 0x10;
    if (pbr_wrong(b, 24))
        return choice_word(c) & 0x0110101f;
    return usual[choice_below(c, 8)] | (uint32_t)choice_once_in(c, 2) << 12;
}

static uint32_t syncpoint_data(struct choice *c) {
    uint32_t index = choice_once_in(c, 32) ? choice_below(c, 0x1000) : choice_below(c, 4);
    return index << 8 | choice_below(c, 0x40) | choice_below(c, 4) << 20;
}

/* An operation that exists, mostly; what the others have in [31:27] too. */
static uint32_t memory_data(struct choice *c) {
    static const uint8_t usual[] = {0x05, 0x05, 0x09, 0x0e, 0x0f, 0x10, 0x06, 0x0d};
    return choice_once_in(c, 4) ? choice_word(c) : (uint32_t)usual[choice_below(c, 8)] << 27 | (choice_word(c) & 0xff);
}

static uint32_t data_of(struct bench *b, uint32_t method) {
    struct choice *c = b->choice;
    switch (method) {
    case 0x00:
        return object(b);
    case 0x10:
        return pbr_wrong(b, 32) ? choice_word(c) : 0;
    case 0x14:
    case 0x64:
        return pbr_wrong(b, 32) ? choice_word(c) : SEMAPHORES + 4 * choice_below(c, 16);
    case 0x18:
    case 0x68:
    case 0x6c:
    case 0x70:
        return choice_below(c, 4);
    case 0x1c:
        return semaphore_data(b);
    case 0x2c:
    case 0x34:
        return memory_data(c);
    case 0x74:
        return syncpoint_data(c);
    case 0x7c:
        return choice_once_in(c, 3) ? 0 : b->reference.unit[0].p.word[0xb0 / 4];
    case 0x80:
        return pbr_wrong(b, 3) ? choice_below(c, 5) : b->row->b06f ? choice_below(c, 4) : 0;
    default:
        return choice_once_in(c, 4) ? choice_below(c, 0x100) : choice_word(c);
    }
}

/* ---- packets ---- */

static void packet(struct bench *b, struct bench_live *live, uint32_t form, uint32_t subchannel, uint32_t method,
                   uint32_t count) {
    emit(b, live, form << 29 | count << 16 | subchannel << 13 | method >> 2);
    for (uint32_t i = 0; i < count; i++)
        emit(b, live, data_of(b, form == 1 ? method + 4 * i : method + (form == 5 && i ? 4 : 0)));
}

static uint32_t any_subchannel(struct bench *b) {
    return pbr_wrong(b, 12) ? choice_below(b->choice, 8) : choice_below(b->choice, 5);
}

static uint32_t any_form(struct choice *c) {
    static const uint8_t forms[] = {1, 1, 1, 3, 5};
    return forms[choice_below(c, sizeof forms)];
}

static void plain(struct bench *b, struct bench_live *live) {
    struct choice *c = b->choice;
    uint32_t count = choice_once_in(c, 12) ? choice_below(c, 400) : choice_below(c, 12);
    packet(b, live, any_form(c), any_subchannel(b), 0x400 + 4 * choice_below(c, 0xd00), count);
}

static void immediate(struct bench *b, struct bench_live *live) {
    struct choice *c = b->choice;
    uint32_t method = pbr_wrong(b, 4) ? 4 * choice_below(c, 0x40) : 0x400 + 4 * choice_below(c, 0x200);
    emit(b, live, 4u << 29 | choice_below(c, 0x2000) << 16 | any_subchannel(b) << 13 | method >> 2);
}

static void host(struct bench *b, struct bench_live *live) {
    static const uint8_t methods[] = {0x08, 0x20, 0x20, 0x24, 0x50, 0x50, 0x64, 0x6c, 0x7c, 0x80, 0x80,
                                      0x80, 0x14, 0x28, 0x2c, 0x30, 0x34, 0x70, 0x74, 0x74, 0x78};
    struct choice *c = b->choice;
    uint32_t method = pbr_wrong(b, 6) ? 4 * choice_below(c, 64) : methods[choice_below(c, sizeof methods)];
    packet(b, live, 1, any_subchannel(b), method, 1);
}

static void effects(struct bench *b, struct bench_live *live) {
    static const uint16_t methods[] = {METHOD_WRITE, METHOD_WRITE, METHOD_WRITE, METHOD_ONE, METHOD_BUSY, METHOD_WAIT};
    uint32_t method = pbr_wrong(b, 12) ? METHOD_FAULT : methods[choice_below(b->choice, 6)];
    packet(b, live, 3, any_subchannel(b), method, choice_between(b->choice, 1, 3));
}

static void masks(struct bench *b, struct bench_live *live) {
    struct choice *c = b->choice;
    emit(b, live, choice_between(c, 1, 3) << 16 | (choice_once_in(c, 3) ? choice_below(c, 0x1000) : 1) << 4);
    if (choice_once_in(c, 2))
        plain(b, live);
    emit(b, live, 0x00010ff0);
}

static void rare(struct bench *b, struct bench_live *live) {
    struct choice *c = b->choice;
    switch (b->tame ? choice_below(c, 2) * 5 : choice_below(c, 6)) {
    case 0:
        emit(b, live, 0xe0000000);
        return;
    case 1:
        packet(b, live, any_form(c), any_subchannel(b), 0x3ffc - 4 * choice_below(c, 3), choice_below(c, 5));
        return;
    case 2:
        emit(b, live, choice_below(c, 2) << 30 | choice_below(c, 8) << 18 | choice_below(c, 8) << 13 | 0x400);
        return;
    case 3:
        emit(b, live, choice_word(c));
        return;
    default:
        emit(b, live, 0);
    }
}

static void piece(struct bench *b, struct bench_live *live) {
    uint32_t kind = choice_below(b->choice, 24);
    if (kind <= 1)
        packet(b, live, 1, any_subchannel(b), 0x10, 4);
    else if (kind == 2)
        packet(b, live, 1, any_subchannel(b), 0, 1);
    else if (kind <= 5)
        host(b, live);
    else if (kind <= 7)
        effects(b, live);
    else if (kind <= 10)
        immediate(b, live);
    else if (kind == 11)
        masks(b, live);
    else if (kind == 12)
        rare(b, live);
    else
        plain(b, live);
}

void pbr_submit(struct bench *b, struct bench_live *live) {
    for (uint32_t n = choice_between(b->choice, 1, 12); n > 0; n--)
        piece(b, live);
    close_segment(b, live);
    if (choice_once_in(b->choice, 2) || !pbr_user_wr32(b, live->id, 0x8c, live->gp_put))
        pbr_poke(b, pbr_userd(live) + 0x8c, live->gp_put);
}
