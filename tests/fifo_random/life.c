/* SPDX-License-Identifier: MIT */
/*
 * Programs on several channels, by PIO and by DMA, and a driver that looks after what they leave: as nouveau and nxdk
 * do, and for RAMRO as a driver of NV3 would.
 */
#include "fifo_random/fifo_random.h"
#include "reference/state.h"

#define USER 0x800000u

/* ---- the driver ---- */

/* The entry at GET cannot be executed, or is the driver's own to execute: either way it is done with. */
static void after_cache_error(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    uint32_t get = pair_rd32(d, GET);
    bool nouveau = choice_once_in(c, 2);
    if (choice_once_in(c, 3))
        pair_wr32(d, ENGINE, 0x11111111);
    if (nouveau) {
        pair_wr32(d, DMA_PUSH, pair_rd32(d, DMA_PUSH) & ~1u);
        pair_wr32(d, INTR, CACHE_ERROR);
        pair_wr32(d, PUSH0, 0);
        if (!(pair_rd32(d, STATUS) & 0x10))
            pair_wr32(d, GET, get + 4);
        pair_wr32(d, PUSH0, 1);
        pair_wr32(d, HASH, 0);
        pair_wr32(d, DMA_PUSH, pair_rd32(d, DMA_PUSH) | 1);
        pair_wr32(d, PULL0, 1);
    } else {
        pair_wr32(d, CACHES, 0);
        pair_wr32(d, PULL0, 0);
        pair_wr32(d, INTR, CACHE_ERROR);
        if (!(pair_rd32(d, STATUS) & 0x10))
            pair_wr32(d, GET, (get + 4) & ref_pointer_mask(&d->reference));
        pair_wr32(d, HASH, 0);
        pair_wr32(d, PULL0, 1);
        pair_wr32(d, CACHES, 1);
    }
    pair_wr32(d, CACHE0(GET), pair_rd32(d, CACHE0(PUT)));
}

static void after_pusher_error(struct bench *b) {
    struct differential *d = b->d;
    if (choice_once_in(b->choice, 2))
        pair_wr32(d, DMA_GET, pair_rd32(d, DMA_PUT));
    else
        pair_wr32(d, DMA_GET, pair_rd32(d, DMA_GET) + 4);
    pair_wr32(d, DMA_STATE, 0);
    pair_wr32(d, DMA_PUSH, 1);
    pair_wr32(d, INTR, DMA_PUSHER | DMA_PTE);
}

static void after_semaphore_error(struct bench *b) {
    struct differential *d = b->d;
    pair_wr32(d, INTR, SEMAPHORE_ERROR);
    pair_wr32(d, SEMAPHORE, pair_rd32(d, SEMAPHORE) | 1);
    if (!(pair_rd32(d, STATUS) & 0x10))
        pair_wr32(d, GET, pair_rd32(d, GET) + 4);
    pair_wr32(d, PULL0, 1);
}

/* One entry of RAMRO: dropped, or executed through CACHE0, or sent again. */
static void replay(struct bench *b, uint32_t word, uint32_t data) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    if ((word & 0x0f800000) || choice_once_in(c, 3))
        return;
    if (choice_once_in(c, 2)) {
        pair_wr32(d, USER + (word & 0x1ffffc), data);
        return;
    }
    pair_wr32(d, CACHE0(PUSH1), word >> 16 & 0x1f);
    pair_wr32(d, CACHE0(PUT), pair_rd32(d, CACHE0(GET)) ^ 4);
    pair_wr32(d, CACHE0_METHOD, word);
    pair_wr32(d, CACHE0_DATA, data);
    pair_wr32(d, CACHE0(PULL0), 1);
}

static void after_runout(struct bench *b) {
    struct reference *r = &b->d->reference;
    uint32_t mask = (value_of(r, RAMRO) & 0x10000 ? 0x2000u : 0x200u) - 8, base = (value_of(r, RAMRO) & 0x1fe) << 4;
    uint32_t most = choice_once_in(b->choice, 3) ? choice_below(b->choice, 20) : 0x400;
    for (uint32_t n = 0; n < most && value_of(r, RUNOUT_GET) != value_of(r, RUNOUT_PUT); n++) {
        uint32_t get = value_of(r, RUNOUT_GET) & mask;
        uint32_t word = ref_instance_rd32(r, base, get), data = ref_instance_rd32(r, base, get + 4);
        pair_wr32(b->d, RUNOUT_GET, (get + 8) & mask);
        if (n < 4)
            replay(b, word, data);
        if ((value_of(r, RUNOUT_PUT) & ~mask) != 0) /* software put it there */
            pair_wr32(b->d, RUNOUT_PUT, value_of(r, RUNOUT_PUT) & mask);
    }
    pair_wr32(b->d, INTR, RUNOUT | RUNOUT_OVERFLOW);
}

void bench_driver(struct bench *b) {
    uint32_t intr = value_of(&b->d->reference, INTR);
    if (intr & CACHE_ERROR)
        after_cache_error(b);
    if (intr & SEMAPHORE_ERROR)
        after_semaphore_error(b);
    if (intr & DMA_PUSHER)
        after_pusher_error(b);
    if (intr & RUNOUT)
        after_runout(b);
    if (intr & TIMED_OUT)
        pair_wr32(b->d, INTR, TIMED_OUT);
}

/* ---- the programs ---- */

/* As many words as the free count promises, sometimes more. */
static void submit_pio(struct bench *b, uint32_t channel) {
    struct choice *c = b->choice;
    uint32_t user = USER + channel * 0x10000, words = reference_read(&b->d->reference, user + 0x10, 4) / 4;
    if (!pair_read(b->d, user + 0x10, 2))
        return;
    words = choice_once_in(c, 8) ? choice_below(c, 200) : choice_below(c, words + 1);
    for (; words > 0; words--) {
        uint32_t method = bench_method(b);
        pair_wr32(b->d, user + method, bench_data(b, method));
    }
}

static void submit_dma(struct bench *b, uint32_t live) {
    bench_push(b, live, choice_between(b->choice, 1, 6));
    uint32_t area = since(&b->d->reference, NV40) && choice_once_in(b->choice, 2) ? 0xc00000 + b->live[live] * 0x1000
                                                                                  : USER + b->live[live] * 0x10000;
    pair_wr32(b->d, area + 0x40, b->cursor[live]);
}

/* Somebody else writes what channels and engines wait for. */
static void satisfy(struct bench *b, const struct reference_stop *stop) {
    struct differential *d = b->d;
    uint32_t address = (uint32_t)stop->address;
    if (value_of(&d->reference, PULL1) & ACQUIRE_ACTIVE) {
        uint32_t value = ref_big_endian(&d->reference) ? ref_swap(stop->expected) : stop->expected;
        pair_poke(d, value_of(&d->reference, PULL1) & 0x20000 ? MEMORY_SYSTEM : MEMORY_VRAM, address, value);
        return;
    }
    for (unsigned id = 1; id <= 2; id++) {
        struct side_engine *e = &d->reference_engine[id];
        pair_poke(d, MEMORY_VRAM, BUSY_WORD(id), 0);
        pair_poke(d, e->address >> 31 ? MEMORY_SYSTEM : MEMORY_VRAM, e->address & 0x7ffffffc,
                  ref_cache_entry(&d->reference, pair_rd32(d, GET))->data);
    }
}

static bool work(struct bench *b) {
    struct choice *c = b->choice;
    struct reference_stop stop;
    if (!pair_run(b->d, choice_once_in(c, 3) ? choice_below(c, 30) : choice_below(c, 1000), &stop))
        return false;
    if (stop.reason == REFERENCE_WAITING && !choice_once_in(c, 4))
        satisfy(b, &stop);
    return true;
}

bool bench_live(struct bench *b) {
    struct choice *c = b->choice;
    for (unsigned turns = choice_between(c, 4, 24); turns > 0; turns--) {
        uint32_t live = choice_below(c, LIVE);
        pair_forget_events(b->d);
        if (bench_dma_mode(b, b->live[live]))
            submit_dma(b, live);
        else
            submit_pio(b, b->live[live]);
        if (b->d->report[0] || !pair_compare_doings(b->d) || !pair_compare_registers(b->d) || !work(b))
            return false;
        if (!choice_once_in(c, 4))
            bench_driver(b);
        if (choice_once_in(c, 16)) /* a channel changes its mode */
            pair_wr32(b->d, MODE, pair_rd32(b->d, MODE) ^ 1u << b->live[live]);
    }
    return true;
}
