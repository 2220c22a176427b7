/* SPDX-License-Identifier: MIT */
/* Programs on several channels of G80 .. MCP89, and a driver that looks after what they leave, as nouveau does. */
#include "fifo_random/g80.h"
#include "reference/state.h"

/* ---- the driver ---- */

/* The entry at GET is done with. */
static void skip_entry(struct bench *b) {
    if (!(pair_rd32(b->d, STATUS) & 0x10))
        pair_wr32(b->d, GET, pair_rd32(b->d, GET) + 4);
}

static void after_cache_error(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    if (choice_once_in(c, 3))
        pair_wr32(d, ENGINE, pair_rd32(d, ENGINE) & ~(0xfu << (4 * choice_below(c, 8))));
    if (choice_once_in(c, 3))
        pair_wr32(d, ENGINE, 0x11111111);
    pair_wr32(d, DMA_PUSH, pair_rd32(d, DMA_PUSH) & ~1u);
    pair_wr32(d, INTR, CACHE_ERROR);
    pair_wr32(d, PUSH0, 0);
    skip_entry(b);
    pair_wr32(d, PUSH0, 1);
    pair_wr32(d, HASH, 0);
    pair_wr32(d, DMA_PUSH, pair_rd32(d, DMA_PUSH) | 1);
    pair_wr32(d, PULL0, 1);
}

static void after_pusher_error(struct bench *b) {
    struct differential *d = b->d;
    pair_wr32(d, METHOD_COUNT, 0);
    if (pair_rd32(d, DMA_GET) != pair_rd32(d, DMA_PUT) || pair_rd32(d, DMA_GET_HIGH) != pair_rd32(d, DMA_PUT_HIGH)) {
        pair_wr32(d, DMA_GET, pair_rd32(d, DMA_PUT));
        pair_wr32(d, DMA_GET_HIGH, pair_rd32(d, DMA_PUT_HIGH));
    } else if (pair_rd32(d, IB_GET) != pair_rd32(d, IB_PUT)) {
        pair_wr32(d, IB_GET, pair_rd32(d, IB_PUT));
    }
    pair_wr32(d, DMA_STATE, 0);
    pair_wr32(d, DMA_PUSH, 1);
    pair_wr32(d, INTR, DMA_PUSHER);
}

static void after_semaphore_error(struct bench *b) {
    pair_wr32(b->d, INTR, SEMAPHORE_ERROR);
    pair_wr32(b->d, SEMAPHORE, pair_rd32(b->d, SEMAPHORE) | 1);
    skip_entry(b);
    pair_wr32(b->d, PULL0, 1);
}

static void after_flush_error(struct bench *b) {
    pair_wr32(b->d, INTR, LINE_FLUSH);
    skip_entry(b);
    pair_wr32(b->d, PULL0, 1);
}

void g80_driver(struct bench *b) {
    struct differential *d = b->d;
    uint32_t intr = pair_rd32(d, INTR), reassign = pair_rd32(d, CACHES) & 1;
    pair_wr32(d, CACHES, 0);
    if (intr & CACHE_ERROR)
        after_cache_error(b);
    if (intr & DMA_PUSHER)
        after_pusher_error(b);
    if (intr & SEMAPHORE_ERROR)
        after_semaphore_error(b);
    if (since(&d->reference, MCP89) && (intr & LINE_FLUSH))
        after_flush_error(b);
    pair_wr32(d, INTR, intr & (NOTIFY | PIO_ERROR));
    if (since(&d->reference, GT215) && choice_once_in(b->choice, 2))
        pair_wr32(d, INTR_NRHOST, NOTIFY);
    if (!choice_once_in(b->choice, 4)) /* a fault of virtual memory was seen */
        pair_wr32(d, 0x100c90, 0x80000000);
    pair_wr32(d, CACHES, reassign);
}

/* ---- the programs ---- */

/* As many words as the free count promises, sometimes more. */
static bool submit_pio(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t words = reference_read(&b->d->reference, G80_PIO + 0x10, 4) / 4;
    if (!pair_read(b->d, G80_PIO + 0x10, 4))
        return false;
    words = choice_once_in(c, 12) ? choice_below(c, 700) : choice_below(c, words + 1) % 64;
    for (; words > 0; words--) {
        uint32_t method = bench_method(b);
        pair_wr32(b->d, G80_PIO + method, bench_data(b, method));
    }
    return true;
}

/* Somebody else writes what the channel in CACHE1 waits for, or helps its engines. */
static void satisfy(struct bench *b, const struct reference_stop *stop) {
    struct differential *d = b->d;
    struct reference *r = &d->reference;
    struct place place[4];
    if (pair_rd32(d, PULL1) & ACQUIRE_ACTIVE) {
        uint32_t value = ref_big_endian(r) ? ref_swap(stop->expected) : stop->expected;
        if (ref_semaphore_place(r, stop->address, 4, false, place) && place[0].address < DIFFERENTIAL_VRAM)
            pair_poke(d, place[0].target == REFERENCE_VRAM ? MEMORY_VRAM : MEMORY_SYSTEM, (uint32_t)place[0].address,
                      value);
        return;
    }
    for (unsigned id = 1; id <= 3; id++) {
        struct side_engine *e = &d->reference_engine[id];
        pair_poke(d, MEMORY_VRAM, BUSY_WORD(id), 0);
        pair_poke(d, e->address >> 31 ? MEMORY_SYSTEM : MEMORY_VRAM, e->address & 0x7ffffffc,
                  ref_cache_entry(r, pair_rd32(d, GET))->data);
    }
    if (choice_once_in(b->choice, 4)) /* a trigger that never ends */
        skip_entry(b);
}

static bool work(struct bench *b) {
    struct choice *c = b->choice;
    struct reference_stop stop;
    if (!pair_run(b->d, choice_once_in(c, 3) ? choice_below(c, 100) : choice_below(c, 2000), &stop))
        return false;
    if (stop.reason == REFERENCE_WAITING && !choice_once_in(c, 4))
        satisfy(b, &stop);
    return true;
}

bool g80_live(struct bench *b) {
    struct choice *c = b->choice;
    for (unsigned turns = choice_between(c, 4, 24); turns > 0; turns--) {
        uint32_t live = choice_below(c, LIVE);
        pair_forget_events(b->d);
        if (b->live[live] == 0) {
            if (!submit_pio(b))
                return false;
        } else {
            bench_push(b, live, choice_between(c, 1, 6));
            g80_submit(b, live, true);
        }
        if (!pair_compare_doings(b->d) || !pair_compare_registers(b->d) || !work(b))
            return false;
        if (!choice_once_in(c, 4))
            g80_driver(b);
        if (choice_once_in(c, 8))
            g80_playlist(b);
        if (choice_once_in(c, 8) && !(choice_once_in(c, 2) ? g80_kick(b) : g80_table(b)))
            return false;
    }
    return true;
}
