/* SPDX-License-Identifier: MIT */
/*
 * A scene: random but mostly sensible registers and memory, and a driver.
 *
 *   VRAM    0x0a000 semaphores  0x0b000 busy words  0x10000 pushbuffer  0x40000 descriptor  0x80000 RAMIN
 *   system  0x0a000 semaphores                      0x10000 pushbuffer  0x20000 descriptor
 */
#include "differential/differential.h"
#include "differential/layout.h"
#include "reference/state.h"

#define RAMIN_RAMHT    0x10000u
#define RAMIN_OBJECTS  0x20000u
#define DESC_RAMHT     0x8000u
#define DESC_OBJECTS   0x6000u
#define OBJECT_BYTES   0x40u
#define PUSH_INSTANCE  (HANDLES) /* number of the object of the pushbuffer */
#define LIMIT_OF(base) ((base) + PUSH_OFFSET + PUSH_BYTES - 1)

/* ---- instance memory ---- */

static uint32_t object_offset(const struct differential *d, uint32_t n) {
    return (d->g80 ? DESC_OBJECTS : RAMIN_OBJECTS) + n * OBJECT_BYTES;
}

static uint32_t object_instance(const struct differential *d, uint32_t n) {
    return object_offset(d, n) >> 4;
}

static void poke_instance(struct differential *d, uint32_t offset, uint32_t value) {
    if (d->g80)
        pair_poke(d, d->instance, d->descriptor + offset, value);
    else
        pair_poke_ramin(d, offset, value);
}

static void poke_object(struct differential *d, uint32_t n, uint32_t word, uint32_t value) {
    poke_instance(d, object_offset(d, n) + 4 * word, value);
}

/* ---- DMA objects ---- */

/* NV4: `pages` frames from `base` on, in some order; or a linear object. */
static void nv4_object(struct differential *d, uint32_t n, uint32_t flags, bool system, uint32_t base, uint32_t limit) {
    struct choice *c = d->choice;
    uint32_t adjust = choice_once_in(c, 4) ? choice_below(c, 0x100) * 4 : 0;
    bool paged = choice_once_in(c, 4);
    uint32_t target = system ? choice_between(c, 2, 3) : choice_once_in(c, 8) ? 1 : 0;
    poke_object(d, n, 0, adjust << 20 | target << 16 | (paged ? 0 : 0x2000) | 0x1000 | flags);
    poke_object(d, n, 1, limit);
    if (!paged) {
        poke_object(d, n, 2, base | 2);
        return;
    }
    /* The last page may be missing. Rotating keeps some neighbours contiguous. */
    uint32_t pages = 8, shift = choice_below(c, 8), missing = choice_once_in(c, 4) ? choice_below(c, 8) : pages;
    for (uint32_t i = 0; i < pages; i++) {
        uint32_t frame = i < PUSH_OFFSET >> 12 ? i : (PUSH_OFFSET >> 12) + (i + shift) % (pages - (PUSH_OFFSET >> 12));
        poke_object(d, n, 2 + i, (base + (frame << 12)) | 2 | (i != missing));
    }
}

static void g80_object(struct differential *d, uint32_t n, uint32_t word0, uint64_t base, uint64_t limit) {
    poke_object(d, n, 0, word0);
    poke_object(d, n, 1, (uint32_t)limit);
    poke_object(d, n, 2, (uint32_t)base);
    poke_object(d, n, 3, (uint32_t)(base >> 32) | (uint32_t)(limit >> 32) << 24);
}

static uint32_t g80_word0(struct differential *d, bool system) {
    struct choice *c = d->choice;
    uint32_t target = system ? choice_between(c, 2, 3) : 1;
    uint32_t access = choice_once_in(c, 8) ? choice_below(c, 4) : 2, privilege = choice_once_in(c, 8) ? 2 : 1;
    if (choice_once_in(c, 24))
        target = 0;
    return 0x3d | target << 16 | access << 18 | privilege << 20 | (uint32_t)choice_once_in(c, 4) << 31;
}

/* An object for semaphores: over the page of semaphores, or over the pushbuffer itself. */
static void semaphore_object(struct differential *d, uint32_t n) {
    struct choice *c = d->choice;
    bool system = choice_once_in(c, 3);
    uint32_t base = choice_once_in(c, 4) ? PUSH_BASE : SEMAPHORES;
    uint32_t limit = choice_once_in(c, 6) ? choice_below(c, 0x40) : 0xfff;
    if (d->g80) {
        g80_object(d, n, g80_word0(d, system), base, base + limit);
        return;
    }
    /* Only class 2 with write-only access will do. */
    nv4_object(d, n, choice_once_in(c, 6) ? choice_word(c) & 0xcfff : 0x8002, system, base, limit);
    if (choice_once_in(c, 12))
        poke_object(d, n, 0, 0x8002);
}

static void pushbuffer_object(struct differential *d) {
    struct choice *c = d->choice;
    bool system = choice_once_in(c, 2);
    if (!since(&d->reference, NV5) && !choice_once_in(c, 12)) /* NV4 does not read pushbuffers in VRAM */
        system = true;
    uint32_t base = PUSH_BASE - PUSH_OFFSET;
    uint32_t limit = PUSH_OFFSET + PUSH_BYTES - 1;
    if (choice_once_in(c, 8))
        limit -= choice_below(c, PUSH_BYTES / 2);
    d->area = PUSH_OFFSET;
    d->area_bytes = PUSH_BYTES;
    if (!d->g80) {
        nv4_object(d, PUSH_INSTANCE, 2, system, base, limit);
        return;
    }
    /* VRAM addresses have 32 bits: what is above only shows in the pointers. */
    uint64_t high = d->ib && !system && choice_once_in(c, 3) ? (uint64_t)choice_between(c, 1, 3) << 32 : 0;
    uint32_t word0 = choice_once_in(c, 12) ? g80_word0(d, system) : 0x3d | (system ? 2u : 1u) << 16 | 1u << 20;
    g80_object(d, PUSH_INSTANCE, word0, base, high + base + limit);
    d->area += high;
}

/* ---- RAMHT ---- */

static uint32_t fold(uint32_t handle, unsigned bits) {
    uint32_t index = 0;
    for (uint32_t rest = handle; rest; rest >>= bits)
        index ^= rest & ((1u << bits) - 1);
    return index;
}

static uint32_t any_engine(struct choice *c) {
    static const uint8_t engines[] = {1, 1, 1, 1, 1, 2, 2, 0, 3, 7};
    return engines[choice_below(c, sizeof engines)];
}

/* The second word of a slot. */
static uint32_t context_of(const struct differential *d, uint32_t engine, uint32_t instance, uint32_t channel) {
    if (d->g80)
        return engine << 20 | instance;
    if (since(&d->reference, NV40))
        return engine << 20 | instance | channel << 23;
    return 0x80000000u | channel << 24 | engine << 16 | instance;
}

/* Handles somewhere near where they belong; now and then too far away, or with another channel's entry before them. */
static void fill_ramht(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t size = choice_below(c, 4), search = choice_below(c, 4), full = choice_below(c, 2);
    unsigned bits = 9 + size;
    uint32_t entries = 1u << bits, table = d->g80 ? DESC_RAMHT : RAMIN_RAMHT;
    pair_wr32(d, RAMHT,
              d->g80 ? size << 27 | full << 26 | search << 24 | DESC_RAMHT >> 4
                     : size << 16 | full << 26 | search << 24 | RAMIN_RAMHT >> 8);
    for (uint32_t n = 0; n < HANDLES; n++) {
        uint32_t engine = n < FIRST_SEMAPHORE ? any_engine(c) : 0, instance = object_instance(d, n);
        uint32_t index = fold(d->handle[n], bits) ^ (d->g80 ? 0 : d->channel << (bits - 4));
        uint32_t away = choice_once_in(c, 3) ? choice_below(c, 140) : choice_below(c, 4);
        uint32_t slot = ((index + away) & (entries - 1)) * 8;
        uint32_t context = context_of(d, engine, instance, d->channel);
        if (choice_once_in(c, 10)) /* somebody else's entry of that name comes first */
            context = d->g80 ? 0 : context_of(d, engine, instance, d->channel ^ (1 + choice_below(c, 15)));
        poke_instance(d, table + slot, d->handle[n]);
        poke_instance(d, table + slot + 4, context);
    }
}

static void make_objects(struct differential *d) {
    struct choice *c = d->choice;
    for (uint32_t n = 0; n < HANDLES; n++) {
        d->handle[n] = choice_once_in(c, 4) ? choice_below(c, 0x20) : choice_word(c);
        if (n >= FIRST_SEMAPHORE)
            semaphore_object(d, n);
        else
            poke_object(d, n, 0, choice_between(c, 1, 0x8000) & 0xfffff); /* on G80 an object in virtual memory */
    }
    fill_ramht(d);
    pushbuffer_object(d);
}

/* ---- registers ---- */

static void channel_registers(struct differential *d) {
    struct choice *c = d->choice;
    d->channel = d->g80 ? choice_between(c, 1, 126) : choice_below(c, ref_channels(&d->reference));
    pair_wr32(d, PUSH1, ref_mode_bit(&d->reference) | d->channel);
    if (!d->g80)
        return;
    d->instance = choice_once_in(c, 3) ? MEMORY_SYSTEM : MEMORY_VRAM;
    d->descriptor = d->instance == MEMORY_SYSTEM ? 0x20000 : 0x40000;
    uint32_t pointer = d->descriptor >> 12 | (d->instance == MEMORY_SYSTEM ? 2u << 28 : 0);
    pair_wr32(d, CHAN_TABLE + 4 * d->channel, 0x80000000u | (d->g84 ? 0xc0 : pointer));
    pair_wr32(d, CHAN_INST, pointer);
}

static uint32_t mostly(struct choice *c, uint32_t value, uint32_t other) {
    return choice_once_in(c, 24) ? other : value;
}

static void puller_registers(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t engines = 0x11111111u;
    for (unsigned s = 0; s < 8; s++)
        if (choice_once_in(c, 16))
            engines = (engines & ~(0xfu << (4 * s))) | (choice_once_in(c, 3) ? choice_below(c, 16) : any_engine(c))
                                                           << (4 * s);
    pair_wr32(d, ENGINE, engines);
    pair_wr32(d, PULL1, choice_once_in(c, 8) ? choice_below(c, 16) : 1);
    pair_wr32(d, PULL0, mostly(c, 1, 0));
    pair_wr32(d, REF, choice_word(c));
    pair_wr32(d, ACQUIRE_TIMEOUT, choice_once_in(c, 2) ? 0x7fffffff : choice_below(c, 300));
    if (d->g80) {
        uint32_t n = choice_between(c, FIRST_SEMAPHORE, HANDLES - 1);
        pair_wr32(d, SEMAPHORE,
                  (choice_once_in(c, 8) ? 0 : object_instance(d, n)) << 16 | (uint32_t)!choice_once_in(c, 6) << 14 |
                      choice_below(c, 16));
        pair_wr32(d, SEM_ADDRESS_LOW, choice_below(c, 16) * 4);
        pair_wr32(d, SEM_SEQUENCE, choice_below(c, 4));
    } else {
        pair_wr32(d, SEMAPHORE, SEMAPHORES | choice_below(c, 16) * 4 | !choice_once_in(c, 6));
    }
    uint32_t pointer = choice_word(c) & (d->g80 ? 0xffc : 0x7fc);
    pair_wr32(d, PUT, pointer);
    pair_wr32(d, GET, pointer);
}

static void pusher_registers(struct differential *d) {
    struct choice *c = d->choice;
    bool big = choice_once_in(c, 16);
    pair_wr32(d, PUSH0, mostly(c, 1, 0));
    pair_wr32(d, DMA_PUSH, mostly(c, 1, 0));
    pair_wr32(d, DMA_FETCH, 0x6078 | (d->ib ? 0x40000000u : 0) | (big && !d->g80 ? 0x80000000u : 0));
    if (d->g80)
        pair_wr32(d, FIFO_ENDIAN, big ? 3 : choice_below(c, 3));
    pair_wr32(d, DMA_INSTANCE, object_instance(d, PUSH_INSTANCE));
    pair_wr32(d, DMA_CTL, 0);
    if (choice_once_in(c, 4))
        pair_wr32(d, SLI, (uint32_t)choice_below(c, 4) << 28 | choice_below(c, 0x1000));
    /* bit 0 counts on NV1A .. NV3x */
    pair_wr32(d, SUBROUTINE, (PUSH_OFFSET + 4 * choice_below(c, 64)) | choice_once_in(c, 8));
    uint32_t state = 0;
    if (choice_once_in(c, 6)) /* in the middle of a packet */
        state = (choice_word(c) & 0xe001) | (choice_below(c, 0x40) << 2 | 0x200) | (uint32_t)choice_once_in(c, 2) << 17;
    if (choice_once_in(c, 6) && d->g80)
        pair_wr32(d, METHOD_COUNT, choice_below(c, 8));
    else if (choice_once_in(c, 6))
        state |= choice_below(c, 8) << 18;
    if (d->g80 && pair_rd32(d, METHOD_COUNT) == 0 && choice_once_in(c, 32)) /* before G80 the bit is unknown */
        state |= LONG_PENDING;
    pair_wr32(d, DMA_STATE, state);
    if (d->g80)
        pair_wr32(d, DMA_LIMIT, choice_once_in(c, 8) ? PUSH_OFFSET + choice_below(c, PUSH_BYTES) : 0xffffffff);
}

static void make_memory(struct differential *d) {
    struct choice *c = d->choice;
    for (uint32_t i = 0; i < 64; i++) {
        pair_poke(d, MEMORY_VRAM, SEMAPHORES + 4 * i, choice_below(c, 4));
        pair_poke(d, MEMORY_SYSTEM, SEMAPHORES + 4 * i, choice_below(c, 4));
    }
}

void scene_make(struct differential *d) {
    struct choice *c = d->choice;
    d->ib = d->g80 && !choice_once_in(c, 3);
    channel_registers(d);
    make_objects(d);
    make_memory(d);
    puller_registers(d);
    pusher_registers(d);
    pair_wr32(d, INTR_EN, choice_once_in(c, 2) ? 0xffffffff : choice_word(c));
    pair_wr32(d, CACHES, choice_below(c, 2));
    pair_wr32(d, DMA_TIMESLICE, choice_once_in(c, 2) ? 0x0101ffff : 0x01000000 | choice_below(c, 16));
    if (!d->g80)
        pair_wr32(d, TIMESLICE, choice_once_in(c, 8) ? 0xffffffff : choice_below(c, 3000));
    stream_make(d);
    pair_remember_registers(d);
}

/* ---- the driver ---- */

static void skip_entry(struct differential *d) {
    if (!(pair_rd32(d, STATUS) & 0x10))
        pair_wr32(d, GET, pair_rd32(d, GET) + 4);
}

/* The puller could not execute the entry at GET: as nouveau does it. */
static void after_cache_error(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t subchannel = choice_below(c, 8);
    if (choice_once_in(c, 2))
        pair_wr32(d, ENGINE, (pair_rd32(d, ENGINE) & ~(0xfu << (4 * subchannel))) | 1u << (4 * subchannel));
    pair_wr32(d, DMA_PUSH, pair_rd32(d, DMA_PUSH) & ~1u);
    pair_wr32(d, INTR, CACHE_ERROR);
    pair_wr32(d, PUSH0, 0);
    if (!choice_once_in(c, 8))
        skip_entry(d);
    pair_wr32(d, PUSH0, 1);
    pair_wr32(d, HASH, 0);
    pair_wr32(d, DMA_PUSH, pair_rd32(d, DMA_PUSH) | 1u);
    pair_wr32(d, PULL0, 1);
}

static void after_pusher_error(struct differential *d) {
    struct choice *c = d->choice;
    if (d->g80)
        pair_wr32(d, METHOD_COUNT, 0);
    if (choice_once_in(c, 4)) {
        pair_wr32(d, DMA_GET, pair_rd32(d, DMA_PUT));
        pair_wr32(d, DMA_GET_HIGH, pair_rd32(d, DMA_PUT_HIGH));
        if (choice_once_in(c, 2))
            pair_wr32(d, IB_GET, pair_rd32(d, IB_PUT));
    }
    pair_wr32(d, DMA_STATE, 0);
    pair_wr32(d, DMA_PUSH, 1);
    pair_wr32(d, INTR, DMA_PUSHER | DMA_PTE);
}

static void after_semaphore_error(struct differential *d) {
    pair_wr32(d, INTR, SEMAPHORE_ERROR);
    if (!d->g80)
        pair_wr32(d, SEMAPHORE, pair_rd32(d, SEMAPHORE) | 1);
    skip_entry(d);
    pair_wr32(d, PULL0, 1);
}

/* Somebody else writes what the channel waits for. */
static void satisfy(struct differential *d, const struct reference_stop *stop) {
    struct reference *r = &d->reference;
    struct place place[4];
    if (pair_rd32(d, PULL1) & ACQUIRE_ACTIVE) {
        uint32_t value = ref_big_endian(r) ? ref_swap(stop->expected) : stop->expected;
        if (ref_semaphore_place(r, stop->address, 4, false, place))
            pair_poke(d, place[0].target == REFERENCE_VRAM ? MEMORY_VRAM : MEMORY_SYSTEM, (uint32_t)place[0].address,
                      value);
        return;
    }
    for (unsigned id = 1; id <= 3; id++) {
        uint32_t address = d->reference_engine[id].address;
        pair_poke(d, MEMORY_VRAM, BUSY_WORD(id), 0);
        if (address < BUSY_WORD(4) || address >= 0x80000000u)
            pair_poke(d, address >> 31 ? MEMORY_SYSTEM : MEMORY_VRAM, address & 0x7ffffffc,
                      ref_cache_entry(r, pair_rd32(d, GET))->data);
    }
}

/* An entry of the driver's own at the end of CACHE1. */
static void push_by_hand(struct differential *d) {
    struct choice *c = d->choice;
    uint32_t put = pair_rd32(d, PUT);
    if (ref_cache_full(&d->reference))
        return;
    uint32_t base = since(&d->reference, NV40) ? CACHE1_MEMORY : CACHE1_MEMORY_NV4, slot = base + put / 4 % 512 * 8;
    pair_wr32(d, slot, choice_once_in(c, 2) ? choice_word(c) & 0xe0fc : choice_word(c));
    pair_wr32(d, slot + 4, choice_once_in(c, 2) ? d->handle[choice_below(c, HANDLES)] : choice_below(c, 8));
    pair_wr32(d, PUT, put + 4);
}

static void meddle(struct differential *d) {
    struct choice *c = d->choice;
    switch (choice_below(c, 12)) {
    case 0:
        pair_wr32(d, PULL0, pair_rd32(d, PULL0) ^ 1);
        return;
    case 1:
        pair_wr32(d, PUSH0, pair_rd32(d, PUSH0) ^ 1);
        return;
    case 2:
        pair_wr32(d, DMA_PUSH, choice_once_in(c, 2) ? 1 : choice_word(c));
        return;
    case 3:
        puller_registers(d); /* CACHE1 is empty afterwards */
        return;
    case 4:
        pair_wr32(d, INTR, choice_once_in(c, 2) ? 0xffffffff : choice_word(c));
        return;
    case 5:
        pair_wr32(d, SLI, (uint32_t)choice_below(c, 4) << 28 | choice_below(c, 0x1000));
        return;
    case 6:
        if (d->g80)
            pair_wr32(d, FREEZE, choice_below(c, 2));
        return;
    case 7:
        pair_wr32(d, PULL1, choice_word(c) & (d->g84 ? 0xb3 : 0x13));
        return;
    case 8:
        pair_wr32(d, INTR_EN, choice_word(c));
        return;
    case 9:
        pair_wr32(d, HASH, choice_word(c));
        return;
    default:
        push_by_hand(d);
    }
}

void scene_driver(struct differential *d, const struct reference_stop *stop) {
    struct choice *c = d->choice;
    uint32_t intr = pair_rd32(d, INTR);
    if (d->g80 && (pair_rd32(d, FREEZE) & 1) && choice_once_in(c, 2))
        pair_wr32(d, FREEZE, 0);
    if ((intr & CACHE_ERROR) && !choice_once_in(c, 16))
        after_cache_error(d);
    if ((intr & SEMAPHORE_ERROR) && !choice_once_in(c, 16))
        after_semaphore_error(d);
    if ((intr & DMA_PUSHER) && !choice_once_in(c, 16))
        after_pusher_error(d);
    if (stop->reason == REFERENCE_WAITING && !choice_once_in(c, 4))
        satisfy(d, stop);
    if (stop->reason == REFERENCE_FROZEN && !choice_once_in(c, 4)) {
        pair_wr32(d, PULL0, 1);
        pair_wr32(d, PUSH0, 1);
        pair_wr32(d, DMA_PUSH, 1);
    }
    if (d->g80 && choice_once_in(c, 2))
        pair_wr32(d, 0x100c90, 0x80000000); /* the fault of virtual memory was seen */
    if (choice_once_in(c, 6))
        meddle(d);
    if (stop->reason == REFERENCE_IDLE || choice_once_in(c, 8))
        stream_more(d);
}
