/* SPDX-License-Identifier: MIT */
/* One thing that a CPU or the machine does on G80 .. MCP89. */
#include "fifo_random/g80.h"
#include "reference/state.h"

#define PMC_ENABLE 0x200u

/* ---- USER ---- */

static uint32_t any_page_address(struct bench *b) {
    static const uint8_t known[] = {0x40, 0x40, 0x44, 0x48, 0x4c, 0x4c, 0x50, 0x54,
                                    0x58, 0x5c, 0x60, 0x80, 0x88, 0x8c, 0x8c};
    struct choice *c = b->choice;
    uint32_t channel = choice_once_in(c, 24) ? choice_below(c, 128) : bench_any_channel(b);
    uint32_t offset = choice_once_in(c, 16) ? 4 * choice_below(c, 0x800) : known[choice_below(c, sizeof known)];
    return G80_USER + channel * 0x2000 + offset;
}

static uint32_t any_page_data(struct bench *b, uint32_t address) {
    struct choice *c = b->choice;
    uint32_t channel = (address - G80_USER) >> 13, offset = address & 0x1fff;
    for (uint32_t i = 0; i < LIVE; i++)
        if (b->live[i] == channel && !choice_once_in(c, 8)) {
            if (offset == 0x8c)
                return b->g80.put[i];
            if (offset == 0x40)
                return b->cursor[i];
        }
    return offset == 0x4c ? choice_once_in(c, 2) ? 0 : choice_below(c, 0x200) : choice_below(c, PAGE);
}

/* Mostly whole dwords. */
static unsigned any_size(struct choice *c) {
    return choice_once_in(c, 16) ? 1 : choice_once_in(c, 16) ? 2 : 4;
}

static void pointer_write(struct bench *b) {
    uint32_t address = any_page_address(b);
    pair_write(b->d, address, any_page_data(b, address), any_size(b->choice));
}

static bool pointer_read(struct bench *b) {
    return pair_read(b->d, any_page_address(b), any_size(b->choice));
}

static void pio_writes(struct bench *b) {
    struct choice *c = b->choice;
    for (uint32_t n = choice_once_in(c, 12) ? choice_below(c, 600) : choice_below(c, 6); n > 0; n--) {
        uint32_t method = bench_method(b);
        pair_write(b->d, G80_PIO + method, bench_data(b, method), any_size(c));
    }
}

static bool pio_read(struct bench *b) {
    uint32_t offset = choice_once_in(b->choice, 4) ? bench_method(b) : 0x10;
    return pair_read(b->d, G80_PIO + offset, any_size(b->choice));
}

/* ---- registers ---- */

static uint32_t any_value(struct bench *b, uint32_t offset) {
    struct choice *c = b->choice;
    switch (choice_below(c, 4)) {
    case 0:
        return choice_word(c);
    case 1:
        return pair_rd32(b->d, offset) ^ 1u << choice_below(c, 32);
    case 2:
        return choice_once_in(c, 2) ? 0 : 0xffffffff;
    default:
        return choice_below(c, 0x40);
    }
}

/* Registers on which much depends. */
static void important_register_write(struct bench *b) {
    static const uint16_t offsets[] = {PUSH0,    PULL0,       CACHES, DMA_TIMESLICE, TIMESLICE, INTR,
                                       DMA_PUSH, HASH,        PULL1,  DMA_STATE,     GET,       METHOD_COUNT,
                                       IB_PUT,   ENGINE_CTRL, SLI,    FREEZE};
    uint32_t offset = offsets[choice_below(b->choice, sizeof offsets / sizeof offsets[0])];
    if (choice_once_in(b->choice, 24)) {
        pair_wr32(b->d, PUSH1, bench_any_channel(b) | choice_below(b->choice, 2) << 16);
        return;
    }
    if (b->d->materialise || offset != GET)
        pair_wr32(b->d, offset, any_value(b, offset));
}

static bool register_read(struct bench *b) {
    return pair_read(b->d, 0x2000 + 4 * choice_below(b->choice, 0x800), any_size(b->choice));
}

static void entry_write(struct bench *b) {
    unsigned bytes = any_size(b->choice);
    pair_write(b->d, CACHE1_MEMORY + 4 * choice_below(b->choice, 1024) + (4 - bytes), choice_word(b->choice), bytes);
}

/* ---- what a driver does with channels ---- */

/* Some engines are busy. */
static void busy(struct bench *b, uint32_t engines) {
    for (unsigned id = 1; id <= 3; id++)
        pair_poke(b->d, MEMORY_VRAM, BUSY_WORD(id), engines >> id & 1);
}

/* Mostly the one that is in CACHE1. */
static uint32_t any_live(struct bench *b) {
    uint32_t live = choice_below(b->choice, LIVE);
    for (uint32_t i = 0; i < LIVE; i++)
        if (b->live[i] == ref_channel(&b->d->reference) && !choice_once_in(b->choice, 3))
            live = i;
    return live;
}

/* Its programs go on, perhaps on the engines that just lost it. */
static bool go_on(struct bench *b, uint32_t live) {
    struct reference_stop stop;
    if (choice_once_in(b->choice, 3))
        return true;
    bench_push(b, live, 3);
    g80_submit(b, live, true);
    return pair_run(b->d, choice_below(b->choice, 400), &stop);
}

bool g80_kick(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t live = any_live(b);
    if (since(&b->d->reference, G84))
        pair_wr32(b->d, ENGINE_CTRL,
                  choice_once_in(c, 3)   ? choice_word(c)
                  : choice_once_in(c, 2) ? 1u << choice_below(c, 4)
                                         : 7);
    else
        pair_wr32(b->d, 0xb860, choice_below(c, 2));
    if (choice_once_in(c, 2))
        busy(b, choice_below(c, 16));
    if (choice_once_in(c, 3)) {
        g80_enable(b, live, false);
        g80_playlist(b);
    }
    uint32_t pointer = b->g80.descriptor[live] >> 12;
    pair_wr32(b->d, KICK, choice_once_in(c, 12) ? choice_word(c) : pointer);
    if (!pair_read(b->d, KICK, 4) || !pair_compare_registers(b->d))
        return false;
    busy(b, choice_once_in(c, 3) ? choice_below(c, 16) : 0);
    return pair_read(b->d, KICK, 4) && go_on(b, live);
}

bool g80_table(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t live = any_live(b);
    if (choice_once_in(c, 3))
        pair_wr32(b->d, CHAN_TABLE + 4 * b->live[live], 0);
    if (!choice_once_in(c, 4))
        g80_enable(b, live, !choice_once_in(c, 4));
    return go_on(b, live);
}

static void freeze(struct bench *b) {
    bool frozen = pair_rd32(b->d, FREEZE) & 1;
    pair_wr32(b->d, FREEZE, frozen ? 0 : choice_below(b->choice, 2));
}

/* PFIFO off and on: everything is as after power-on; a driver makes its channels known again. */
static bool reset(struct bench *b) {
    struct reference_stop stop;
    pair_wr32(b->d, PMC_ENABLE, choice_word(b->choice) & ~0x100u);
    if (!pair_compare_registers(b->d) || !pair_run(b->d, 2, &stop) || !pointer_read(b) || !pio_read(b))
        return false;
    bench_register_write(b);
    pointer_write(b);
    pio_writes(b);
    pair_wr32(b->d, PMC_ENABLE, 0xffffffff);
    for (uint32_t i = 0; i < LIVE; i++)
        g80_enable(b, i, true);
    pair_wr32(b->d, PUSH0, 1);
    pair_wr32(b->d, PULL0, 1);
    g80_playlist(b);
    return true;
}

/* ---- any of these ---- */

static bool run(struct bench *b) {
    struct choice *c = b->choice;
    struct reference_stop stop;
    uint64_t budget = choice_once_in(c, 3) ? choice_below(c, 200) : choice_once_in(c, 8) ? 2000 : choice_below(c, 4);
    return pair_run(b->d, budget, &stop);
}

bool g80_something(struct bench *b) {
    switch (choice_below(b->choice, 26)) {
    case 0:
    case 1:
    case 2:
        pointer_write(b);
        return true;
    case 3:
    case 4:
        return pointer_read(b);
    case 5:
        pio_writes(b);
        return true;
    case 6:
        return pio_read(b);
    case 7:
        if (!b->g80.virtual) /* it might lead the channels' state into a page table */
            bench_register_write(b);
        return true;
    case 8:
    case 9:
        important_register_write(b);
        return true;
    case 10:
        return register_read(b);
    case 11:
        entry_write(b);
        return true;
    case 12:
        return g80_kick(b);
    case 13:
        return g80_table(b);
    case 14:
        freeze(b);
        return true;
    case 15:
        g80_playlist(b);
        return true;
    case 16:
        busy(b, choice_once_in(b->choice, 2) ? 0 : choice_below(b->choice, 16));
        return true;
    case 17:
        if (choice_once_in(b->choice, 6))
            return reset(b);
        g80_change_page(b);
        return true;
    case 18:
        g80_driver(b);
        return true;
    default:
        return run(b);
    }
}
