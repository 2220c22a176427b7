/* SPDX-License-Identifier: MIT */
/* Methods, their data, and pushbuffers that hold them. */
#include "fifo_random/g80.h"
#include "reference/state.h"

#define FIRST_SEMAPHORE 8u
#define NONINCREASING   0x40000000u

static uint32_t any_g84_method(struct choice *c) {
    static const uint8_t methods[] = {0x10, 0x14, 0x14, 0x18, 0x1c, 0x1c, 0x20, 0x24, 0x28, 0x2c, 0x30, 0x84};
    return methods[choice_below(c, sizeof methods)];
}

static uint32_t any_host_method(struct choice *c) {
    static const uint8_t methods[] = {0x50, 0x60, 0x64, 0x68, 0x6c, 0x80, 0x50, 0x64, 0x6c};
    return methods[choice_below(c, sizeof methods)];
}

uint32_t bench_method(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t subchannel = choice_below(c, 8) << 13;
    switch (choice_below(c, 12)) {
    case 0:
    case 1:
        return subchannel;
    case 2:
        return subchannel | 4 * choice_below(c, 0x40);
    case 3:
        if (since(&b->d->reference, G84) && choice_once_in(c, 2))
            return subchannel | any_g84_method(c);
        return subchannel | any_host_method(c);
    case 4:
        return subchannel | (0x180 + 4 * choice_below(c, 0x20));
    case 5:
        return subchannel | (METHOD_ADDRESS + 4 * choice_below(c, 8));
    default:
        return subchannel | (0x100 + 4 * choice_below(c, 0x7c0));
    }
}

static uint32_t any_handle(struct bench *b) {
    struct choice *c = b->choice;
    return choice_once_in(c, 16) ? choice_word(c) : b->handle[choice_below(c, HANDLES)];
}

/* A word of a pushbuffer, of RAMIN, or a semaphore. */
static uint32_t any_address(struct choice *c) {
    uint32_t system = choice_once_in(c, 2) ? 0x80000000u : 0;
    switch (choice_below(c, 3)) {
    case 0:
        return system | (PUSH_BASE + 4 * choice_below(c, LIVE * PAGE / 4));
    default:
        return system | (SEMAPHORES + 4 * choice_below(c, 16));
    }
}

uint32_t bench_data(struct bench *b, uint32_t method) {
    struct choice *c = b->choice;
    method &= 0x1ffc;
    if (method == 0 || (method >= 0x180 && method < 0x200))
        return any_handle(b);
    switch (method) {
    case 0x10:
        return choice_once_in(c, 8) ? choice_below(c, 0x200) : 0;
    case 0x14:
        return choice_once_in(c, 8) ? choice_word(c) >> choice_below(c, 32) : choice_below(c, 16) * 4;
    case 0x1c:
        return choice_once_in(c, 8) ? choice_below(c, 0x10) : 1u << choice_below(c, 3);
    case 0x2c:
        return choice_once_in(c, 4) ? choice_word(c) : choice_below(c, 5) << 29 | 0x10000001;
    case 0x30:
        return any_handle(b);
    case 0x18:
        return choice_below(c, 3);
    case 0x60:
        return choice_once_in(c, 4) ? any_handle(b) : b->handle[choice_between(c, FIRST_SEMAPHORE, HANDLES - 1)];
    case 0x64:
        return choice_once_in(c, 8) ? choice_word(c) >> choice_below(c, 32) : choice_below(c, 16) * 4;
    case 0x68:
    case 0x6c:
    case METHOD_WAIT:
    case METHOD_BUSY:
        return choice_below(c, 3);
    case METHOD_ADDRESS:
        return any_address(c);
    default:
        return choice_once_in(c, 2) ? choice_below(c, 0x100) : choice_word(c);
    }
}

static void emit(struct bench *b, uint32_t live, uint32_t word) {
    struct differential *d = b->d;
    uint32_t at = PUSH_BASE + live * PAGE + b->cursor[live];
    if (choice_once_in(b->choice, 128))
        word ^= 1u << choice_below(b->choice, 32);
    if (since(&d->reference, G80) && ref_big_endian(&d->reference))
        word = ref_swap(word);
    pair_poke(d, MEMORY_VRAM, at, word);
    pair_poke(d, MEMORY_SYSTEM, at, word);
    b->cursor[live] += 4;
}

static void packet(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    uint32_t method = bench_method(b), count = choice_once_in(c, 8) ? choice_below(c, 40) : choice_below(c, 4);
    bool same = choice_once_in(c, 4);
    emit(b, live, (same ? NONINCREASING : 0) | count << 18 | method);
    for (uint32_t i = 0; i < count; i++)
        emit(b, live, bench_data(b, same ? method : method + 4 * i));
}

static void control_flow(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    uint32_t target = choice_once_in(c, 6) ? 4 * choice_below(c, PAGE / 4) : b->cursor[live] + 4;
    switch (choice_below(c, 5)) {
    case 0:
        emit(b, live, target | 0x20000000u);
        return;
    case 1:
        emit(b, live, target | 1);
        return;
    case 2:
        emit(b, live, target | 2);
        return;
    case 3:
        emit(b, live, 0x00020000);
        return;
    default:
        emit(b, live, choice_word(c));
    }
}

static bool in_ib_mode(const struct bench *b, uint32_t live) {
    return since(&b->d->reference, G80) && b->g80.ib[live];
}

/* The words from `begin` to the cursor are a segment of the ring, or two. */
static void segment(struct bench *b, uint32_t live, uint32_t begin) {
    struct choice *c = b->choice;
    uint32_t end = b->cursor[live], words = (end - begin) / 4, flags = 0;
    if (words == 0 && !choice_once_in(c, 16))
        return;
    if (words > 1 && choice_once_in(c, 6)) {
        b->cursor[live] = begin + 4 * choice_between(c, 1, words - 1);
        segment(b, live, begin);
        begin = b->cursor[live];
        b->cursor[live] = end;
        words = (end - begin) / 4;
    }
    if (choice_once_in(c, 8))
        flags = choice_below(c, 4) << 8;
    uint32_t hint = choice_once_in(c, 6) ? choice_below(c, choice_once_in(c, 4) ? 4 : 2) ^ 2 : 0;
    uint32_t at = RING + 8 * (b->g80.put[live] & ((1u << b->g80.order[live]) - 1)), kept = b->cursor[live];
    b->cursor[live] = at;
    emit(b, live, begin | hint);
    emit(b, live, words << 10 | flags);
    b->cursor[live] = kept;
    b->g80.put[live] = (b->g80.put[live] + 1) & ((1u << b->g80.order[live]) - 1);
}

/* Back to the start of the page when it is nearly full. True: the cursor went there. */
static bool wrap(struct bench *b, uint32_t live, uint32_t *begin) {
    if (b->cursor[live] < (in_ib_mode(b, live) ? RING : PAGE) - 0x200)
        return false;
    if (in_ib_mode(b, live))
        segment(b, live, *begin);
    else
        emit(b, live, 0x20000000u);
    *begin = b->cursor[live] = 0;
    return true;
}

void bench_push(struct bench *b, uint32_t live, uint32_t words) {
    uint32_t begin = b->cursor[live];
    for (uint32_t n = 0; n < words; n++) {
        wrap(b, live, &begin);
        if (choice_once_in(b->choice, 12))
            control_flow(b, live);
        else
            packet(b, live);
    }
    if (!wrap(b, live, &begin) && in_ib_mode(b, live))
        segment(b, live, begin);
}
