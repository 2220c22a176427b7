/* SPDX-License-Identifier: MIT */
/*
 * Random pushbuffers: packets of all forms, mostly valid.
 *
 *   DMA mode  words from GET to PUT, with jumps and calls in between
 *   IB mode   the same words cut into segments at random, with gaps between them
 */
#include "differential/differential.h"
#include "differential/layout.h"
#include "reference/state.h"

#define NONINCREASING 0x40000000u
#define RING_BYTES    0x400u /* at the end of the area */

/* ---- words ---- */

/* Where a word of the pushbuffer is. What the reference keeps of its DMA object stays as it was. */
static bool locate(struct differential *d, uint64_t address, struct place *place) {
    struct reference *r = &d->reference;
    struct reference_pushbuffer kept = r->pushbuffer;
    uint32_t ctl = value_of(r, DMA_CTL), limit = value_of(r, DMA_LIMIT);
    ref_pushbuffer_open(r);
    bool found = ref_pushbuffer_place(r, address, place) == FOUND;
    r->pushbuffer = kept;
    *reg(r, DMA_CTL) = ctl;
    *reg(r, DMA_LIMIT) = limit;
    return found && place->address < DIFFERENTIAL_VRAM;
}

static void poke_push(struct differential *d, uint64_t address, uint32_t word) {
    struct reference *r = &d->reference;
    struct place place;
    if (!locate(d, address, &place))
        return;
    if (ref_big_endian(r) && !choice_once_in(d->choice, 64))
        word = ref_swap(word);
    pair_poke(d, place.target == REFERENCE_VRAM ? MEMORY_VRAM : MEMORY_SYSTEM, (uint32_t)place.address, word);
}

static uint64_t stream_end(const struct differential *d) {
    return d->area + d->area_bytes - RING_BYTES;
}

static void ib_push(struct differential *d, uint64_t address, uint32_t words) {
    struct choice *c = d->choice;
    uint32_t entries = 1u << d->ring_order, put = pair_rd32(d, IB_PUT) % entries;
    uint32_t flags = (uint32_t)choice_once_in(c, 6) | (uint32_t)choice_once_in(c, 4) << 1; /* privilege, not main */
    uint32_t low = (uint32_t)address | choice_once_in(c, 16);
    if ((put + 1) % entries == pair_rd32(d, IB_GET) % entries)
        return;
    if (choice_once_in(c, 64))
        words = 0;
    poke_push(d, d->ring + 8 * (uint64_t)put, low);
    poke_push(d, d->ring + 8 * (uint64_t)put + 4, words << 10 | flags << 8 | (uint32_t)(address >> 32));
    pair_wr32(d, IB_PUT, (put + 1) % entries);
}

static void close_segment(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t words = (uint32_t)((d->cursor - d->segment_begin) / 4);
    if (words)
        ib_push(d, d->segment_begin, words);
    if (choice_once_in(c, 2))
        d->cursor += 4 * (uint64_t)choice_below(c, 20);
    d->segment_begin = d->cursor;
    d->segment_left = choice_once_in(c, 4) ? choice_between(c, 1, 3) : choice_between(c, 1, 300);
}

/* Does the chip know it? If not, it is an error worth trying now and then. */
static bool knows(struct differential *d, bool known) {
    return known || choice_once_in(d->choice, 32);
}

static uint32_t any_jump(struct differential *d, uint32_t target) {
    return choice_once_in(d->choice, 2) && knows(d, since(&d->reference, NV1A)) ? target | 1 : target | 0x20000000u;
}

/* Back to the start when the area is full. */
static void wrap(struct differential *d) {
    if (d->cursor + 64 < stream_end(d))
        return;
    if (d->ib)
        close_segment(d);
    else
        poke_push(d, d->cursor, any_jump(d, (uint32_t)d->area));
    d->cursor = d->segment_begin = d->area;
}

static void emit(struct differential *d, uint32_t word) {
    if (choice_once_in(d->choice, 256))
        word ^= 1u << choice_below(d->choice, 32);
    poke_push(d, d->cursor, word);
    d->cursor += 4;
    if (d->ib && --d->segment_left == 0)
        close_segment(d);
    wrap(d);
}

/* ---- methods and their data ---- */

/* Physical address of a word that the pusher reads soon, or has just read, or of a semaphore. */
static uint32_t address_of_interest(struct differential *d) {
    struct choice *c = d->choice;
    struct place place;
    uint64_t ahead = d->cursor + 4 * (uint64_t)choice_below(c, choice_once_in(c, 2) ? 24 : 700);
    if (choice_once_in(c, 4)) /* so that the second write of METHOD_WRITE_2 is near */
        ahead -= WRITE_2_BYTES;
    if (choice_once_in(c, 3) || !locate(d, ahead, &place))
        return SEMAPHORES + 4 * choice_below(c, 16);
    return (uint32_t)place.address | (place.target == REFERENCE_SYSTEM ? 0x80000000u : 0);
}

static uint32_t any_handle(struct differential *d) {
    struct choice *c = d->choice;
    return choice_once_in(c, 16) ? choice_below(c, 16) : d->handle[choice_below(c, HANDLES)];
}

static uint32_t small_number(struct choice *c) {
    return choice_once_in(c, 8) ? 0u - choice_below(c, 4) : choice_below(c, 4);
}

static uint32_t trigger_data(struct choice *c) {
    static const uint8_t usual[] = {2, 2, 2, 4, 4, 1};
    return choice_once_in(c, 24) ? choice_below(c, 16) : usual[choice_below(c, sizeof usual)];
}

static uint32_t data_of(struct differential *d, uint32_t method) {
    struct choice *c = d->choice;
    if (method == 0 || (method >= 0x180 && method < 0x200))
        return any_handle(d);
    switch (method) {
    case 0x60:
        return choice_once_in(c, 6) ? any_handle(d) : d->handle[choice_between(c, FIRST_SEMAPHORE, HANDLES - 1)];
    case 0x64:
    case 0x14:
        return choice_once_in(c, 12) ? choice_word(c) >> choice_below(c, 32) : choice_below(c, 16) * 4;
    case 0x10:
        return choice_once_in(c, 8) ? choice_below(c, 0x200) : 0;
    case 0x18:
    case 0x68:
    case 0x6c:
        return small_number(c);
    case 0x1c:
        return trigger_data(c);
    case METHOD_ADDRESS:
        return address_of_interest(d);
    case METHOD_WAIT:
        return choice_below(c, 2);
    default:
        return choice_once_in(c, 4) ? choice_below(c, 0x100) : choice_word(c);
    }
}

static void packet(struct differential *d, uint32_t method, uint32_t count, uint32_t form) {
    uint32_t subchannel = choice_below(d->choice, 8);
    if (!knows(d, form != NONINCREASING || since(&d->reference, NV10)))
        form = 0;
    emit(d, form | count << 18 | subchannel << 13 | method);
    for (uint32_t i = 0; i < count; i++)
        emit(d, data_of(d, form == NONINCREASING ? method : (method + 4 * i) & 0x1ffc));
}

/* ---- kinds of pieces ---- */

static void plain(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t count = choice_once_in(c, 12) ? choice_below(c, 700) : choice_below(c, 12);
    packet(d, 0x400 + 4 * choice_below(c, 0x600), count, choice_once_in(c, 4) ? NONINCREASING : 0);
}

/* Packets that begin below a border and end beyond it. */
static void across(struct differential *d) {
    static const uint16_t borders[] = {0x100, 0x180, 0x200, 0x2000, 0x80, 0x300};
    struct choice *c = d->choice;
    uint32_t border = borders[choice_below(c, 6)];
    packet(d, (border - 4 * choice_between(c, 1, 4)) & 0x1ffc, choice_between(c, 1, 9), 0);
}

static void bind_or_handle(struct differential *d) {
    struct choice *c = d->choice;
    packet(d, choice_once_in(c, 2) ? 0 : 0x180 + 4 * choice_below(c, 32), choice_between(c, 1, 3), NONINCREASING);
}

static void semaphores(struct differential *d) {
    struct choice *c = d->choice;
    if (!knows(d, since(&d->reference, NV1A)))
        return;
    if (d->g84 && choice_once_in(c, 2)) {
        packet(d, 0x10, 4, 0);
        return;
    }
    if (choice_once_in(c, 2))
        packet(d, 0x60, 1, 0);
    if (choice_once_in(c, 2))
        packet(d, 0x64, 1, 0);
    packet(d, choice_once_in(c, 3) ? 0x68 : 0x6c, choice_between(c, 1, 2), NONINCREASING);
}

static void host(struct differential *d) {
    static const uint8_t methods[] = {0x50, 0x50, 0x80, 0x84, 0x20, 0x24, 0x64, 0x18, 0x14};
    struct choice *c = d->choice;
    uint32_t method = choice_once_in(c, 8) ? 4 * choice_below(c, 64) : methods[choice_below(c, sizeof methods)];
    if (!knows(d, since(&d->reference, NV40) || ref_host_method_exists(&d->reference, method)))
        return;
    packet(d, method, 1, 0);
}

/* The engine writes, most often to words that follow. */
static void engine_writes(struct differential *d) {
    struct choice *c = d->choice;
    packet(d, METHOD_ADDRESS, 1, 0);
    if (choice_once_in(c, 2))
        plain(d);
    packet(d, choice_once_in(c, 3) ? METHOD_WRITE_2 : METHOD_WRITE, choice_between(c, 1, 3), NONINCREASING);
}

static void engine_waits(struct differential *d) {
    struct choice *c = d->choice;
    packet(d, METHOD_ADDRESS, 1, 0);
    packet(d, choice_once_in(c, 2) ? METHOD_WAIT : METHOD_BUSY, 1, 0);
}

static uint32_t somewhere(struct differential *d) {
    return (uint32_t)d->area + 4 * choice_below(d->choice, d->area_bytes / 8);
}

/* A jump over a few words, or to anywhere; a call of a routine that is right after it; a stray return. */
static void control_flow(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t skipped = choice_below(c, 6);
    uint32_t target = choice_once_in(c, 8) ? somewhere(d) : (uint32_t)d->cursor + 4 * (skipped + 1);
    if (d->ib && !choice_once_in(c, 8)) {
        emit(d, 0x00030000 | choice_below(c, 8) << 13 | (0x100 + 4 * choice_below(c, 0x100)));
        uint32_t count = choice_below(c, 20);
        emit(d, count | choice_below(c, 2) << 24);
        for (uint32_t i = 0; i < count; i++)
            emit(d, choice_word(c));
        return;
    }
    switch (knows(d, since(&d->reference, NV1A)) ? choice_below(c, 4) : 0) {
    case 0:
        emit(d, (target & 0x1ffffffc) | 0x20000000u);
        break;
    case 1:
        emit(d, (target & 0xfffffffc) | 1);
        break;
    case 2:
        emit(d, (target & 0xfffffffc) | 2);
        break;
    default:
        emit(d, 0x00020000);
        return;
    }
    for (uint32_t i = 0; i < skipped; i++)
        emit(d, choice_word(c));
    if (choice_once_in(c, 2))
        plain(d);
}

static void junk(struct differential *d) {
    struct choice *c = d->choice;
    if (choice_once_in(c, 2))
        emit(d, choice_word(c));
    else
        for (uint32_t i = choice_below(c, choice_once_in(c, 4) ? 600 : 6); i > 0; i--)
            emit(d, 0);
}

static void piece(struct differential *d) {
    struct choice *c = d->choice;
    switch (choice_below(c, 32)) {
    case 0:
    case 1:
        semaphores(d);
        return;
    case 2:
        host(d);
        return;
    case 3:
    case 4:
        bind_or_handle(d);
        return;
    case 5:
        across(d);
        return;
    case 6:
    case 7:
    case 8:
        engine_writes(d);
        return;
    case 9:
        engine_waits(d);
        return;
    case 10:
    case 11:
        control_flow(d);
        return;
    case 12:
        emit(d, 0x00010000 | choice_below(c, 0x1000) << 4);
        return;
    case 13:
        if (choice_once_in(c, 2))
            junk(d);
        return;
    default:
        plain(d);
    }
}

static void pieces(struct differential *d, uint32_t n) {
    for (; n > 0; n--)
        piece(d);
    if (d->ib) {
        close_segment(d);
        return;
    }
    pair_wr32(d, DMA_PUT_HIGH, (uint32_t)(d->cursor >> 32));
    pair_wr32(d, DMA_PUT, (uint32_t)d->cursor);
}

void stream_make(struct differential *d) {
    struct choice *c = d->choice;
    for (uint32_t i = 0; i < d->area_bytes && choice_once_in(c, 4); i += 4 + 4 * choice_below(c, 64))
        poke_push(d, d->area + i, choice_word(c));
    d->cursor = d->area + 4 * (uint64_t)choice_below(c, choice_once_in(c, 4) ? d->area_bytes / 8 : 16);
    if (d->ib) {
        d->ring_order = choice_between(c, 1, 6);
        d->ring = stream_end(d);
        d->segment_begin = d->cursor;
        d->segment_left = choice_between(c, 1, 40);
        uint32_t start = choice_below(c, 1u << d->ring_order);
        pair_wr32(d, IB_ADDRESS, (uint32_t)d->ring);
        pair_wr32(d, IB_CONFIG, (uint32_t)(d->ring >> 32) | d->ring_order << 16);
        pair_wr32(d, IB_GET, start);
        pair_wr32(d, IB_PUT, start);
    } else {
        pair_wr32(d, DMA_GET_HIGH, 0);
        pair_wr32(d, DMA_GET, (uint32_t)d->cursor);
    }
    pieces(d, choice_once_in(c, 3) ? choice_between(c, 1, 60) : choice_between(c, 1, 12));
}

void stream_more(struct differential *d) {
    pieces(d, choice_between(d->choice, 1, 12));
}
