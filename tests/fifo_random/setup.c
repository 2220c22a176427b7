/* SPDX-License-Identifier: MIT */
/* A random state that software could have made: through registers and RAMIN, like software. */
#include "fifo_random/fifo_random.h"
#include "reference/state.h"

#define RAMIN_RAMFC      0x18000u
#define RAMIN_RAMFC_2    0x19000u
#define RAMIN_RAMRO      0x1a000u
#define RAMIN_RAMFC_NV40 0x20000u
#define RAMIN_OBJECTS    0x22000u
#define OBJECT_BYTES     0x40u
#define FIRST_SEMAPHORE  8u
#define FIRST_PUSH       HANDLES /* objects of the pushbuffers */

#define PUT_REG(d, offset, value) pair_wr32(d, offset, value)

uint32_t bench_object(uint32_t n) {
    return RAMIN_OBJECTS + n * OBJECT_BYTES;
}

bool bench_dma_mode(const struct bench *b, uint32_t channel) {
    return value_of(&b->d->reference, MODE) >> channel & 1;
}

uint32_t bench_any_channel(struct bench *b) {
    struct choice *c = b->choice;
    if (choice_once_in(c, 3))
        return ref_channel(&b->d->reference) % ref_channels(&b->d->reference);
    if (choice_once_in(c, 8))
        return choice_below(c, ref_channels(&b->d->reference));
    return b->live[choice_below(c, LIVE)];
}

/* ---- RAMIN ---- */

static void dma_object(struct bench *b, uint32_t n, uint32_t flags, bool system, uint32_t base, uint32_t limit) {
    struct choice *c = b->choice;
    uint32_t target = system ? choice_between(c, 2, 3) : choice_once_in(c, 8) ? 1 : 0, at = bench_object(n);
    bool paged = choice_once_in(c, 3);
    uint32_t present = choice_once_in(c, 24) ? 0 : 0x1000;
    pair_poke_ramin(b->d, at, target << 16 | (paged ? 0 : 0x2000) | present | flags);
    pair_poke_ramin(b->d, at + 4, limit);
    pair_poke_ramin(b->d, at + 8, base | 2 | !choice_once_in(c, 12));
    pair_poke_ramin(b->d, at + 12, (base + PAGE) | 2 | !choice_once_in(c, 4));
}

static void make_objects(struct bench *b) {
    struct choice *c = b->choice;
    bool vram_pushbuffers = since(&b->d->reference, NV5) || choice_once_in(c, 8);
    for (uint32_t n = 0; n < FIRST_SEMAPHORE; n++)
        pair_poke_ramin(b->d, bench_object(n), choice_word(c));
    for (uint32_t n = FIRST_SEMAPHORE; n < HANDLES; n++)
        dma_object(b, n, choice_once_in(c, 6) ? choice_word(c) & 0xcfff : 0x8002, choice_once_in(c, 2), SEMAPHORES,
                   0xfff);
    for (uint32_t i = 0; i < LIVE; i++) {
        uint32_t limit = choice_once_in(c, 8) ? choice_below(c, PAGE) : PAGE - 1;
        dma_object(b, FIRST_PUSH + i, 2, !vram_pushbuffers || choice_once_in(c, 2), PUSH_BASE + i * PAGE, limit);
    }
}

static uint32_t any_engine(struct choice *c) {
    static const uint8_t engines[] = {1, 1, 1, 1, 1, 2, 2, 0, 3};
    return engines[choice_below(c, sizeof engines)];
}

static uint32_t fold(uint32_t handle, unsigned bits) {
    uint32_t index = 0;
    for (uint32_t rest = handle; rest; rest >>= bits)
        index ^= rest & ((1u << bits) - 1);
    return index;
}

static void ramht_entry(struct bench *b, uint32_t n, uint32_t channel, unsigned bits) {
    struct choice *c = b->choice;
    bool nv40 = since(&b->d->reference, NV40);
    uint32_t away = choice_once_in(c, 4) ? choice_below(c, 140) : choice_below(c, 4);
    uint32_t slot = ((fold(b->handle[n], bits) ^ channel << (bits - 4)) + away) & ((1u << bits) - 1);
    uint32_t engine = n < FIRST_SEMAPHORE ? any_engine(c) : 0, instance = bench_object(n) >> 4;
    uint32_t valid = choice_once_in(c, 16) ? 0 : 0x80000000u;
    uint32_t context = nv40 ? channel << 23 | engine << 20 : valid | channel << 24 | engine << 16;
    if (choice_once_in(c, 12)) /* bits that mean nothing, or something else */
        context ^= 1u << choice_between(c, 16, 31);
    pair_poke_ramin(b->d, RAMIN_RAMHT + 8 * slot, b->handle[n]);
    pair_poke_ramin(b->d, RAMIN_RAMHT + 8 * slot + 4, context | instance);
}

static void make_ramht(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t size = choice_below(c, 4);
    PUT_REG(b->d, RAMHT, choice_below(c, 8) << 24 | size << 16 | RAMIN_RAMHT >> 8);
    for (uint32_t n = 0; n < HANDLES; n++) {
        b->handle[n] = choice_once_in(c, 4) ? choice_below(c, 0x20) : choice_word(c);
        for (uint32_t i = 0; i < LIVE; i++)
            if (!choice_once_in(c, 6))
                ramht_entry(b, n, b->live[i], 9 + size);
    }
}

/* ---- RAMFC ---- */

static void locate_ramfc(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t large = choice_below(c, 2) << 16;
    PUT_REG(b->d, RAMFC, RAMIN_RAMFC >> 8 | (RAMIN_RAMFC_2 >> 10) << 17 | large);
    if (!since(&b->d->reference, NV40))
        return;
    bool in_ramin = !since(&b->d->reference, NV44) || choice_once_in(c, 2);
    PUT_REG(b->d, RAMFC_NV40, 0x30000 | (in_ramin ? RAMIN_RAMFC_NV40 : 0x80000 + RAMIN_RAMFC_NV40) >> 16);
    PUT_REG(b->d, RAMFC_SELECT, in_ramin);
}

static void poke_ramfc(struct bench *b, uint32_t channel, uint32_t offset, uint32_t value) {
    uint64_t place = ref_ramfc_place(&b->d->reference, channel, offset);
    if (place < DIFFERENTIAL_VRAM)
        pair_poke(b->d, MEMORY_VRAM, (uint32_t)place, value);
}

static uint32_t any_state(struct choice *c) {
    if (!choice_once_in(c, 4))
        return 0;
    return (choice_once_in(c, 4) ? choice_word(c) & 0xe0020000 : 0) | choice_below(c, 4) << 18 |
           (choice_word(c) & 0xe001) | (0x100 + 4 * choice_below(c, 0x100));
}

static uint32_t any_pull1(struct choice *c) {
    uint32_t waits = choice_once_in(c, 12) ? ACQUIRE_ACTIVE : 0;
    return choice_below(c, 3) | waits | choice_below(c, 4) << 16;
}

static uint32_t any_engines(struct choice *c) {
    return choice_once_in(c, 4) ? choice_word(c) & 0x33333333 : 0x11111111;
}

static uint32_t any_fetch(struct choice *c) {
    return 0x86078 | (choice_once_in(c, 8) ? 0x80000000u : 0);
}

/* Of the channel with this pushbuffer; words as nouveau's RAMFC has them. */
static void fill_ramfc(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    bool nv10 = since(&b->d->reference, NV10), nv40 = since(&b->d->reference, NV40);
    uint32_t channel = b->live[live], at = nv40 ? 0x14 : nv10 ? 0x10 : 0xc; /* of DMA_STATE */
    for (uint32_t offset = 0; offset < (nv40 ? 0x80u : 0x40u); offset += 4)
        if (choice_once_in(c, 4))
            poke_ramfc(b, channel, offset, choice_word(c));
    poke_ramfc(b, channel, 0, b->cursor[live]);
    poke_ramfc(b, channel, 4, b->cursor[live]);
    poke_ramfc(b, channel, nv10 ? 0xc : 0x8, bench_object(FIRST_PUSH + live) >> 4);
    poke_ramfc(b, channel, at, any_state(c));
    poke_ramfc(b, channel, at + 4, any_fetch(c) | choice_below(c, 4) << 28);
    poke_ramfc(b, channel, at + 8, any_engines(c));
    poke_ramfc(b, channel, at + 12, any_pull1(c));
}

static void make_channels(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t n = ref_channels(&b->d->reference);
    for (uint32_t i = 0; i < LIVE; i++) {
        b->live[i] = choice_below(c, n);
        b->cursor[i] = 4 * choice_below(c, choice_once_in(c, 4) ? PAGE / 4 - 0x80 : 64);
    }
    locate_ramfc(b);
    make_objects(b);
    make_ramht(b);
    for (uint32_t i = 0; i < LIVE; i++)
        fill_ramfc(b, i);
    for (uint32_t i = 0; i < 64; i++) {
        pair_poke(b->d, MEMORY_VRAM, SEMAPHORES + 4 * i, choice_below(c, 3));
        pair_poke(b->d, MEMORY_SYSTEM, SEMAPHORES + 4 * i, choice_below(c, 3));
    }
}

/* ---- registers ---- */

static uint32_t mostly(struct bench *b, uint32_t value, uint32_t other) {
    return !b->calm && choice_once_in(b->choice, 6) ? other : value;
}

static uint32_t any_slice(struct bench *b) {
    struct choice *c = b->choice;
    return mostly(b, 0x01000000, 0) | (choice_once_in(c, 3) ? choice_below(c, 0x20000) : choice_below(c, 12));
}

static void global_registers(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    uint32_t live = 0;
    for (uint32_t i = 0; i < LIVE; i++)
        live |= 1u << b->live[i];
    PUT_REG(d, MODE, b->calm ? 0 : choice_once_in(c, 4) ? choice_word(c) : choice_word(c) & live);
    PUT_REG(d, DMA_PENDING, choice_once_in(c, 2) ? 0 : choice_once_in(c, 4) ? choice_word(c) : choice_word(c) & live);
    PUT_REG(d, PIO_SIZE, choice_word(c));
    PUT_REG(d, CACHES, mostly(b, 1, 0));
    PUT_REG(d, INTR_EN, choice_once_in(c, 2) ? 0xffffffff : choice_word(c));
    PUT_REG(d, RAMRO, RAMIN_RAMRO >> 8 | choice_below(c, 2) << 16);
    uint32_t put = choice_below(c, 0x400) * 8;
    PUT_REG(d, RUNOUT_PUT, put);
    PUT_REG(d, RUNOUT_GET, !b->calm && choice_once_in(c, 3) ? put + choice_between(c, 1, 2) * 8 : put);
    PUT_REG(d, DMA_TIMESLICE, any_slice(b));
    PUT_REG(d, PIO_TIMESLICE, any_slice(b));
    PUT_REG(d, TIMESLICE, choice_once_in(c, 4) ? 0xffffffff : choice_below(c, 24));
    if (choice_once_in(c, 4))
        PUT_REG(d, SLI, choice_below(c, 4) << 28 | choice_below(c, 0x1000));
}

static void cache0_registers(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    PUT_REG(d, CACHE0(PUSH0), mostly(b, 0, 1));
    PUT_REG(d, CACHE0(PUSH1), bench_any_channel(b));
    PUT_REG(d, CACHE0(PULL0), choice_once_in(c, 3));
    PUT_REG(d, CACHE0(PULL1), choice_below(c, 3));
    PUT_REG(d, CACHE0(ENGINE), any_engines(c));
    uint32_t put = choice_below(c, 2) * 4;
    PUT_REG(d, CACHE0(PUT), put);
    PUT_REG(d, CACHE0(GET), choice_once_in(c, 6) ? put ^ 4 : put);
    uint32_t method = bench_method(b);
    PUT_REG(d, CACHE0_METHOD, method);
    PUT_REG(d, CACHE0_DATA, bench_data(b, method));
}

/* Entries between GET and PUT: none, few, nearly all, all, or more than there are. */
void bench_fill_cache(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    uint32_t entries = ref_entries(&d->reference), mask = ref_pointer_mask(&d->reference), get = choice_word(c) & mask;
    uint32_t used = b->calm || choice_once_in(c, 2) ? 0 : choice_below(c, 4);
    if (!b->calm && choice_once_in(c, 8))
        used = entries - choice_below(c, 3);
    if (choice_once_in(c, 48))
        used = choice_below(c, 2 * entries);
    uint32_t base = since(&d->reference, NV40) ? CACHE1_MEMORY : CACHE1_MEMORY_NV4;
    PUT_REG(d, GET, get);
    PUT_REG(d, PUT, get + 4 * used);
    for (uint32_t n = 0; n < used && n < entries; n++) {
        uint32_t slot = base + ((get + 4 * n) & mask) / 4 * 8, method = bench_method(b);
        PUT_REG(d, slot, method | choice_below(c, 2));
        PUT_REG(d, slot + 4, bench_data(b, method));
    }
}

static void cache1_registers(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    uint32_t live = choice_below(c, LIVE), channel = b->live[live];
    bool dma = choice_once_in(c, 12) ? choice_below(c, 2) : bench_dma_mode(b, channel);
    PUT_REG(d, PUSH1, channel | (dma ? ref_mode_bit(&d->reference) : 0));
    PUT_REG(d, PUSH0, mostly(b, 1, 0));
    PUT_REG(d, PULL0, mostly(b, 1, 0));
    PUT_REG(d, PULL1, any_pull1(c));
    PUT_REG(d, ENGINE, any_engines(c));
    PUT_REG(d, DMA_INSTANCE, bench_object(FIRST_PUSH + live) >> 4);
    PUT_REG(d, DMA_CTL, choice_once_in(c, 12) ? choice_word(c) & 0x800330fc : 0);
    PUT_REG(d, DMA_LIMIT, PAGE - 1);
    PUT_REG(d, DMA_FETCH, any_fetch(c));
    PUT_REG(d, DMA_STATE, any_state(c));
    PUT_REG(d, DMA_PUSH, mostly(b, 1, choice_word(c)));
    PUT_REG(d, DMA_GET, b->cursor[live]);
    PUT_REG(d, DMA_PUT, b->cursor[live]);
    PUT_REG(d, SUBROUTINE, 4 * choice_below(c, 0x100) | choice_once_in(c, 3));
    PUT_REG(d, SEMAPHORE, SEMAPHORES | 4 * choice_below(c, 16) | !choice_once_in(c, 6));
    PUT_REG(d, ACQUIRE_VALUE, choice_below(c, 3));
    PUT_REG(d, ACQUIRE_TIMEOUT, choice_once_in(c, 2) ? 0 : choice_below(c, 100));
}

/* Give the channels with pushbuffers something to read. */
static void make_work(struct bench *b) {
    struct choice *c = b->choice;
    for (uint32_t i = 0; i < LIVE; i++) {
        if (choice_once_in(c, 3))
            continue;
        bench_push(b, i, choice_between(c, 1, 4));
        if (b->live[i] == ref_channel(&b->d->reference))
            PUT_REG(b->d, DMA_PUT, b->cursor[i]);
        else
            poke_ramfc(b, b->live[i], 0, b->cursor[i]);
    }
}

void bench_setup(struct bench *b) {
    struct choice *c = b->choice;
    if (choice_once_in(c, 3))
        for (uint32_t n = choice_below(c, 60); n > 0; n--)
            bench_register_write(b);
    make_channels(b);
    global_registers(b);
    cache0_registers(b);
    cache1_registers(b);
    bench_fill_cache(b);
    make_work(b);
    pair_remember_registers(b->d);
}
