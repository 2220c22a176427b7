/* SPDX-License-Identifier: MIT */
/* One thing that a CPU or the machine does, and what it leaves. */
#include "fifo_random/g80.h"
#include "reference/state.h"

#define USER       0x800000u
#define DMA_USER   0xc00000u
#define PMC_ENABLE 0x200u

static unsigned any_size(struct choice *c) {
    static const uint8_t sizes[] = {4, 4, 4, 4, 4, 2, 2, 1};
    return sizes[choice_below(c, sizeof sizes)];
}

/* Mostly aligned, and not across the end of an area. */
static uint32_t any_byte(struct choice *c, unsigned bytes) {
    return choice_once_in(c, 4) ? choice_below(c, 4) : bytes == 4 ? 0 : choice_below(c, 4 / bytes) * bytes;
}

/* ---- USER ---- */

static uint32_t any_user_offset(struct bench *b) {
    static const uint8_t known[] = {0x00, 0x10, 0x10, 0x14, 0x40, 0x40, 0x44, 0x48, 0x54, 0x20};
    struct choice *c = b->choice;
    if (choice_once_in(c, 2))
        return choice_below(c, 8) << 13 | known[choice_below(c, sizeof known)];
    return bench_method(b) & 0xfff0; /* so that an access does not leave its channel */
}

static uint32_t any_user_address(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t channel = choice_once_in(c, 64) ? choice_below(c, 0x40) : bench_any_channel(b);
    if (since(&b->d->reference, NV40) && choice_once_in(c, 4))
        return DMA_USER + channel * 0x1000 + 4 * choice_between(c, 0xf, 0x16);
    return USER + channel * 0x10000 + any_user_offset(b);
}

/* What goes into DMA_PUT: the end of what is in the pushbuffer. */
static uint32_t any_put(struct bench *b, uint32_t channel) {
    struct choice *c = b->choice;
    for (uint32_t i = 0; i < LIVE; i++)
        if (b->live[i] == channel && !choice_once_in(c, 8))
            return b->cursor[i];
    return choice_below(c, PAGE);
}

static void user_write(struct bench *b) {
    struct choice *c = b->choice;
    unsigned bytes = any_size(c);
    uint32_t address = any_user_address(b), method = address & 0x1ffc;
    bool area = address >= DMA_USER;
    uint32_t channel = area ? (address - DMA_USER) >> 12 : (address - USER) >> 16;
    uint32_t data = (area ? address & 0xfff : method) == 0x40 ? any_put(b, channel) : bench_data(b, method);
    pair_write(b->d, address + any_byte(c, bytes), data, bytes);
}

static bool user_read(struct bench *b) {
    unsigned bytes = any_size(b->choice);
    return pair_read(b->d, any_user_address(b) + any_byte(b->choice, bytes), bytes);
}

/* Several words in a row, as drivers send them. */
static void user_burst(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t channel = bench_any_channel(b), words = choice_once_in(c, 12) ? choice_below(c, 300) : choice_below(c, 12);
    for (; words > 0; words--) {
        uint32_t method = bench_method(b);
        pair_wr32(b->d, USER + channel * 0x10000 + method, bench_data(b, method));
    }
}

/* ---- registers ---- */

/* In whole runs entries do not go through CACHE1: what it still has of them differs from what it would have. */
static bool shows_old_entries(const struct bench *b, uint32_t offset) {
    return !b->d->materialise && (offset == PUT || offset == GET);
}

static uint32_t any_register(struct bench *b) {
    struct choice *c = b->choice;
    for (;;) {
        uint32_t offset = 0x2000 + 4 * choice_below(c, 0x600);
        if (b->d->reference.row[(offset - 0x2000) / 4] && !shows_old_entries(b, offset))
            return offset;
    }
}

static uint32_t any_value(struct bench *b, uint32_t offset) {
    struct choice *c = b->choice;
    switch (choice_below(c, 4)) {
    case 0:
        return choice_word(c);
    case 1:
        return value_of(&b->d->reference, offset) ^ 1u << choice_below(c, 32);
    case 2:
        return choice_once_in(c, 2) ? 0 : 0xffffffff;
    default:
        return choice_below(c, 0x40);
    }
}

void bench_register_write(struct bench *b) {
    uint32_t offset = any_register(b);
    unsigned bytes = any_size(b->choice);
    uint32_t byte = bytes == 4 ? 0 : any_byte(b->choice, bytes) % (5 - bytes);
    pair_write(b->d, offset + byte, any_value(b, offset), bytes);
}

/* Registers on which much depends. */
static void important_register_write(struct bench *b) {
    static const uint16_t offsets[] = {PUSH0,     PULL0,      CACHES,      DMA_PENDING, MODE,
                                       TIMESLICE, RUNOUT_GET, RUNOUT_PUT,  INTR,        DMA_PUSH,
                                       HASH,      DMA_STATE,  CACHE0(PUT), GET,         CACHE0(GET)};
    uint32_t offset = offsets[choice_below(b->choice, sizeof offsets / sizeof offsets[0])];
    if (!shows_old_entries(b, offset))
        pair_wr32(b->d, offset, any_value(b, offset));
}

static bool register_read(struct bench *b) {
    unsigned bytes = any_size(b->choice);
    return pair_read(b->d, 0x2000 + 4 * choice_below(b->choice, 0x800) + any_byte(b->choice, bytes), bytes);
}

/* Of an entry of CACHE1, in parts. */
static void entry_write(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t base = since(&b->d->reference, NV40) ? CACHE1_MEMORY : CACHE1_MEMORY_NV4;
    uint32_t slots = since(&b->d->reference, NV40) ? 512 : 256;
    unsigned bytes = any_size(c);
    pair_write(b->d, base + 4 * choice_below(c, 2 * slots) + (4 - bytes), choice_word(c), bytes);
}

/* PFIFO off and on: everything is as after power-on. */
static bool reset(struct bench *b) {
    uint32_t value = choice_word(b->choice);
    pair_wr32(b->d, PMC_ENABLE, value & ~0x100u);
    if (!pair_compare_registers(b->d))
        return false;
    struct reference_stop stop;
    if (!pair_run(b->d, 2, &stop))
        return false;
    bench_register_write(b);
    pair_wr32(b->d, USER + bench_any_channel(b) * 0x10000 + bench_method(b), 1);
    pair_wr32(b->d, PMC_ENABLE, 0xffffffff);
    pair_remember_registers(b->d);
    return true;
}

/* ---- CACHE0 ---- */

static void inject(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    uint32_t method = bench_method(b);
    pair_wr32(d, CACHE0(PUSH0), 0);
    pair_wr32(d, CACHE0(PULL0), 0);
    pair_wr32(d, CACHE0(PUSH1), bench_any_channel(b));
    pair_wr32(d, CACHE0(PUT), 4);
    pair_wr32(d, CACHE0(GET), 0);
    pair_wr32(d, CACHE0_METHOD, method);
    pair_wr32(d, CACHE0_DATA, bench_data(b, method));
    pair_wr32(d, CACHE0(PUSH0), choice_below(c, 2));
    pair_wr32(d, CACHE0(PULL0), 1);
}

/* ---- any of these ---- */

static bool run(struct bench *b) {
    struct choice *c = b->choice;
    struct reference_stop stop;
    uint64_t budget = choice_once_in(c, 3) ? choice_below(c, 40) : choice_once_in(c, 16) ? 2000 : 1;
    return pair_run(b->d, budget, &stop);
}

static bool something(struct bench *b) {
    switch (choice_below(b->choice, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        user_write(b);
        return true;
    case 5:
    case 6:
        return user_read(b);
    case 7:
        bench_register_write(b);
        return true;
    case 8:
        important_register_write(b);
        return true;
    case 9:
        return register_read(b);
    case 10:
        inject(b);
        return true;
    case 11:
        if (choice_once_in(b->choice, 4))
            return reset(b);
        user_burst(b);
        return true;
    case 12:
        bench_driver(b);
        return true;
    case 13:
        entry_write(b);
        return true;
    default:
        return run(b);
    }
}

bool bench_act(struct bench *b) {
    pair_forget_events(b->d);
    bool same = since(&b->d->reference, G80) ? g80_something(b) : something(b);
    return same && pair_compare_doings(b->d) && pair_compare_registers(b->d);
}
