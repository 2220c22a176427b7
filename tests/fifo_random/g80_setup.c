/* SPDX-License-Identifier: MIT */
/*
 * A random state of G80 .. MCP89: channels in memory with their tables, and one of them in CACHE1, or none.
 *
 *   both memories   0x0c000 playlist  0x10000 pushbuffers, each with a ring at its end  0x18000 saved entries (G84)
 *                   0x1c000 RAMFC (G84)
 *   descriptors     VRAM 0x40000, one each 0x10000; system 0x20000, one each 0x8000
 *   in a descriptor 0x0000 RAMFC (G80)  0x0200, 0x1400 directory  0x5400 objects  0x6000 RAMHT  a table of pages
 */
#include "fifo_random/g80.h"
#include "reference/state.h"

#define PLAYLIST_PAGE   0x0c000u
#define SAVED           0x18000u
#define RAMFCS          0x1c000u
#define DESC_OBJECTS    0x5400u
#define DESC_RAMHT      0x6000u
#define OBJECT_BYTES    0x40u
#define FIRST_SEMAPHORE 8u
#define FIRST_PUSH      HANDLES
#define TABLE_PAGES     64u
#define DESC_POINTER(b, live)                                                                                          \
    ((b)->g80.descriptor[live] >> 12 | ((b)->g80.memory[live] == MEMORY_SYSTEM ? 2u << 28 : 0u))

static void poke_both(struct bench *b, uint32_t address, uint32_t value) {
    pair_poke(b->d, MEMORY_VRAM, address, value);
    pair_poke(b->d, MEMORY_SYSTEM, address, value);
}

static void poke_desc(struct bench *b, uint32_t live, uint32_t offset, uint32_t value) {
    pair_poke(b->d, b->g80.memory[live], b->g80.descriptor[live] + offset, value);
}

/* ---- the channel's page table: addresses are what they are, in one memory or the other ---- */

static uint64_t any_page(struct bench *b, uint32_t page, unsigned block) {
    struct choice *c = b->choice;
    uint64_t frame = (uint64_t)(page & ~((1u << block) - 1)) << 12;
    uint32_t target = choice_once_in(c, 24) ? 1 : choice_once_in(c, 2) ? 0 : choice_between(c, 2, 3);
    uint32_t rights = choice_once_in(c, 12) ? choice_below(c, 32) << 3 & 0x48 : 0;
    if (choice_once_in(c, 48)) /* beyond all memory */
        frame += 0x100000;
    return frame | block << 7 | target << 4 | rights | !choice_once_in(c, 24);
}

static void poke_page(struct bench *b, uint32_t live, uint32_t page, uint64_t entry) {
    uint32_t table = b->g80.memory[live] == MEMORY_SYSTEM ? 0x7000 : 0xe000;
    poke_desc(b, live, table + 8 * page, (uint32_t)entry);
    poke_desc(b, live, table + 8 * page + 4, (uint32_t)(entry >> 32));
}

static void make_pages(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    uint32_t directory = since(&b->d->reference, G84) ? b->d->reference.directory : 0x1400;
    uint32_t table = b->g80.descriptor[live] + (b->g80.memory[live] == MEMORY_SYSTEM ? 0x7000 : 0xe000);
    uint32_t target = b->g80.memory[live] == MEMORY_SYSTEM ? 2 : 0,
             type = choice_once_in(c, 12) ? choice_below(c, 4) : 3;
    poke_desc(b, live, directory, table | choice_below(c, 4) << 5 | target << 2 | type);
    for (uint32_t page = 0; page < TABLE_PAGES;) {
        unsigned block = choice_once_in(c, 4) ? choice_below(c, 4) : 0;
        uint64_t entry = any_page(b, page, block);
        for (uint32_t n = 0; n < 1u << block && page < TABLE_PAGES; n++, page++)
            poke_page(b, live, page, entry);
    }
}

/* ---- objects ---- */

static void dma_object(struct bench *b, uint32_t live, uint32_t n, uint32_t base, uint32_t limit) {
    struct choice *c = b->choice;
    uint32_t target = b->g80.virtual && choice_once_in(c, 2) ? 0 : choice_between(c, 1, 3);
    uint32_t access = choice_once_in(c, 12) ? choice_below(c, 4) : choice_below(c, 2) * 2;
    uint32_t privilege = choice_once_in(c, 12) ? choice_below(c, 4) : choice_below(c, 2);
    uint32_t supervisor = (uint32_t)choice_once_in(c, 6) << 31, at = DESC_OBJECTS + n * OBJECT_BYTES;
    if (choice_once_in(c, 32)) { /* beyond VRAM */
        base += 0x100000;
        limit += 0x100000;
    }
    poke_desc(b, live, at, 0x3d | target << 16 | access << 18 | privilege << 20 | supervisor);
    poke_desc(b, live, at + 4, limit);
    poke_desc(b, live, at + 8, base);
    poke_desc(b, live, at + 12, 0);
}

static void make_objects(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    for (uint32_t n = 0; n < FIRST_SEMAPHORE; n++)
        poke_desc(b, live, DESC_OBJECTS + n * OBJECT_BYTES, choice_word(c) & 0x8070ffff);
    for (uint32_t n = FIRST_SEMAPHORE; n < HANDLES; n++)
        dma_object(b, live, n, SEMAPHORES, SEMAPHORES + (choice_once_in(c, 8) ? choice_below(c, 0x40) : 0xfff));
    uint32_t base = PUSH_BASE + live * PAGE;
    dma_object(b, live, FIRST_PUSH, base, base + (choice_once_in(c, 24) ? choice_below(c, PAGE) : PAGE - 1));
}

static uint32_t fold(uint32_t handle, unsigned bits) {
    uint32_t index = 0;
    for (uint32_t rest = handle; rest; rest >>= bits)
        index ^= rest & ((1u << bits) - 1);
    return index;
}

/* What RAMHT is to be for the channel. */
static uint32_t make_ramht(struct bench *b, uint32_t live) {
    static const uint8_t engines[] = {1, 1, 1, 1, 1, 2, 2, 3, 3, 0, 4, 7};
    struct choice *c = b->choice;
    uint32_t size = b->g80.memory[live] == MEMORY_SYSTEM ? 0 : choice_below(c, 4);
    for (uint32_t n = 0; n < HANDLES; n++) {
        uint32_t away = choice_once_in(c, 4) ? choice_below(c, 140) : choice_below(c, 4);
        uint32_t slot = (fold(b->handle[n], 9 + size) + away) & ((512u << size) - 1);
        uint32_t engine = n < FIRST_SEMAPHORE ? engines[choice_below(c, sizeof engines)] : 0;
        uint32_t context = engine << 20 | (DESC_OBJECTS + n * OBJECT_BYTES) >> 4;
        if (choice_once_in(c, 12))
            continue;
        poke_desc(b, live, DESC_RAMHT + 8 * slot, b->handle[n]);
        poke_desc(b, live, DESC_RAMHT + 8 * slot + 4, choice_once_in(c, 24) ? 0 : context);
    }
    return size << 27 | choice_below(c, 8) << 24 | DESC_RAMHT >> 4;
}

/* ---- RAMFC ---- */

void g80_poke_ramfc(struct bench *b, uint32_t live, uint32_t offset, uint32_t value) {
    struct place place = ref_g80_ramfc(&b->d->reference, b->live[live]);
    if (place.address < DIFFERENTIAL_VRAM)
        pair_poke(b->d, place.target == REFERENCE_VRAM ? MEMORY_VRAM : MEMORY_SYSTEM, (uint32_t)place.address + offset,
                  value);
}

static void pushbuffer_words(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    bool ib = b->g80.ib[live];
    g80_poke_ramfc(b, live, 0x00, 0);
    g80_poke_ramfc(b, live, 0x04, 0);
    for (uint32_t offset = 0x08; offset < 0x30; offset += 4)
        g80_poke_ramfc(b, live, offset, choice_once_in(c, 24) ? choice_word(c) & 0x800000ff : 0);
    uint32_t high = choice_once_in(c, 24) ? choice_below(c, 3) : 0;
    for (uint32_t offset = 0x08; offset < 0x18; offset += 8) {
        g80_poke_ramfc(b, live, offset, ib ? 0 : b->cursor[live]);
        g80_poke_ramfc(b, live, offset + 4, ib ? 0 : high);
    }
    if (choice_once_in(c, 24)) /* only the high halves differ */
        g80_poke_ramfc(b, live, 0x0c, high + 1);
    uint32_t state = choice_once_in(c, 8) ? (choice_word(c) & 0xe003) | (0x100 + 4 * choice_below(c, 0x100)) : 0;
    state |= choice_once_in(c, 24) ? choice_word(c) & 0xe0000000 : 0;
    state |= choice_once_in(c, 6) ? choice_word(c) & 0x00070000 : 0;
    g80_poke_ramfc(b, live, 0x30, state);
    g80_poke_ramfc(b, live, 0x34, choice_once_in(c, 6) ? choice_below(c, 4) : 0);
    g80_poke_ramfc(b, live, 0x38, choice_once_in(c, 8) ? choice_word(c) : 0);
    g80_poke_ramfc(b, live, 0x3c, 0x3f6078 | (ib ? 0x40000000u : 0));
    g80_poke_ramfc(b, live, 0x40, 4 * choice_below(c, 0x100));
    g80_poke_ramfc(b, live, 0x48, (DESC_OBJECTS + FIRST_PUSH * OBJECT_BYTES) >> 4);
    g80_poke_ramfc(b, live, 0x4c, choice_once_in(c, 12) ? choice_below(c, PAGE) : 0xffffffff);
    g80_poke_ramfc(b, live, 0x50, ib ? RING : 0);
    g80_poke_ramfc(b, live, 0x54, b->g80.order[live] << 16);
}

static void puller_words(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    uint32_t object = (DESC_OBJECTS + choice_between(c, FIRST_SEMAPHORE, HANDLES - 1) * OBJECT_BYTES) >> 4;
    g80_poke_ramfc(b, live, 0x44,
                   (uint32_t)!choice_once_in(c, 3) << 24 | choice_below(c, choice_once_in(c, 4) ? 0x20000 : 4));
    g80_poke_ramfc(b, live, 0x58, choice_once_in(c, 4) ? choice_word(c) & 0x33333333 : 0x11111111);
    g80_poke_ramfc(b, live, 0x5c, choice_below(c, 3) | (choice_once_in(c, 12) ? choice_word(c) & 0xb0 : 0));
    g80_poke_ramfc(b, live, 0x60, choice_once_in(c, 2) ? 0x7fffffff : choice_below(c, 100));
    g80_poke_ramfc(b, live, 0x64, choice_once_in(c, 4) ? choice_word(c) : 0);
    g80_poke_ramfc(b, live, 0x68, choice_below(c, 3));
    g80_poke_ramfc(b, live, 0x6c, object << 16 | (uint32_t)!choice_once_in(c, 6) << 14 | choice_below(c, 16));
    for (uint32_t offset = 0x70; offset < 0x7c; offset += 4)
        g80_poke_ramfc(b, live, offset, choice_once_in(c, 2) ? choice_word(c) : 0);
    g80_poke_ramfc(b, live, 0x7c,
                   choice_once_in(c, 6) ? choice_below(c, 4) << 28 | choice_below(c, 0x1000) : 0x30000001);
}

static void g84_words(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    uint32_t target = choice_once_in(c, 2) ? 0 : choice_between(c, 2, 3);
    g80_poke_ramfc(b, live, 0x88, target << 30 | (SAVED + live * 0x1000) >> 10);
    g80_poke_ramfc(b, live, 0x8c, choice_once_in(c, 16) ? choice_below(c, 0x100) : 0);
    g80_poke_ramfc(b, live, 0x90, 4 * choice_below(c, 16));
    g80_poke_ramfc(b, live, 0x94, choice_below(c, 3));
    g80_poke_ramfc(b, live, 0x98, DESC_POINTER(b, live));
    g80_poke_ramfc(b, live, 0x9c, choice_word(c));
    g80_poke_ramfc(b, live, 0xa0, choice_word(c));
}

/* Some entries that a channel left with; now and then more than there can be. */
static void saved_entries(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    uint32_t count = b->calm || !choice_once_in(c, 4) ? 0 : choice_below(c, 4);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t method = bench_method(b), data = bench_data(b, method), at = 8 * n;
        method |= choice_once_in(c, 8) ? choice_word(c) & 0xffff0003 : 0;
        if (since(&b->d->reference, G84)) {
            poke_both(b, SAVED + live * 0x1000 + at, method);
            poke_both(b, SAVED + live * 0x1000 + at + 4, data);
        } else {
            poke_desc(b, live, 0x400 + at, method);
            poke_desc(b, live, 0x400 + at + 4, data);
        }
    }
    g80_poke_ramfc(b, live, 0x84, choice_once_in(c, 96) ? choice_below(c, 0x800) : count);
}

/* ---- channels ---- */

/* The channel's entry in the table. */
void g80_enable(struct bench *b, uint32_t live, bool on) {
    uint32_t ramfc = (RAMFCS + live * 0x100) >> 8 | (b->g80.memory[live] == MEMORY_SYSTEM ? 2u << 24 : 0);
    uint32_t place = since(&b->d->reference, G84) ? ramfc : DESC_POINTER(b, live);
    pair_wr32(b->d, CHAN_TABLE + 4 * b->live[live], (uint32_t)on << 31 | place);
}

static void make_channel(struct bench *b, uint32_t live) {
    struct choice *c = b->choice;
    bool system = choice_once_in(c, 3);
    b->live[live] = choice_once_in(c, 24) ? 127 : choice_between(c, 1, 126);
    if (live == 0 && choice_once_in(c, 2))
        b->live[live] = 0;
    b->cursor[live] = 4 * choice_below(c, choice_once_in(c, 4) ? RING / 4 - 0x80 : 64);
    b->g80.memory[live] = system ? MEMORY_SYSTEM : MEMORY_VRAM;
    b->g80.descriptor[live] = system ? 0x20000 + live * 0x8000 : 0x40000 + live * 0x10000;
    b->g80.ib[live] = choice_once_in(c, 2);
    b->g80.order[live] = choice_between(c, 1, 6);
    b->g80.put[live] = 0;
    g80_enable(b, live, b->calm || !choice_once_in(c, 12));
    make_pages(b, live);
    make_objects(b, live);
    pushbuffer_words(b, live);
    puller_words(b, live);
    g80_poke_ramfc(b, live, 0x80, make_ramht(b, live));
    if (since(&b->d->reference, G84))
        g84_words(b, live);
    saved_entries(b, live);
}

/* Live channels in some order, perhaps not all, perhaps strangers among them. */
void g80_playlist(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t page = PLAYLIST_PAGE + choice_below(c, 2) * 0x1000, length = 0, first = choice_below(c, LIVE);
    uint32_t target = choice_once_in(c, 2) ? 0 : choice_between(c, 2, 3);
    for (uint32_t i = 0; i < LIVE; i++) {
        if (choice_once_in(c, b->calm ? 100 : 8))
            continue;
        uint32_t channel = choice_once_in(c, 24) ? choice_word(c) : b->live[(first + i) % LIVE];
        poke_both(b, page + 4 * length++, channel);
    }
    if (choice_once_in(c, 24))
        length = choice_below(c, 0x2000);
    pair_wr32(b->d, PLAYLIST, page >> 12 | target << 28);
    pair_wr32(b->d, PLAYLIST_LENGTH, length);
    if (choice_once_in(c, 24)) /* a part of it is the same length again */
        pair_write(b->d, PLAYLIST_LENGTH + 2, choice_word(c), 2);
    if (choice_once_in(c, 12)) /* of the next one */
        pair_wr32(b->d, PLAYLIST, choice_word(c));
    if (!choice_once_in(c, 3))
        pair_wr32(b->d, CACHES, choice_once_in(c, 8) ? 0x100 : 0x101);
}

/* ---- registers ---- */

static uint32_t mostly(struct bench *b, uint32_t value, uint32_t other) {
    return !b->calm && choice_once_in(b->choice, 8) ? other : value;
}

static void registers(struct bench *b) {
    struct choice *c = b->choice;
    struct differential *d = b->d;
    pair_wr32(d, INTR_EN, choice_once_in(c, 2) ? 0xffffffff : choice_word(c));
    if (since(&d->reference, GT215))
        pair_wr32(d, INTR_EN_NRHOST, choice_once_in(c, 2) ? 0xffffffff : 0);
    if (since(&d->reference, G84))
        pair_wr32(d, ENGINE_CTRL, choice_once_in(c, 2) ? choice_below(c, 0x40) : 1);
    pair_wr32(d, FIFO_ENDIAN, choice_once_in(c, 3) ? choice_below(c, 4) : 0);
    pair_wr32(d, DEBUG_1, choice_once_in(c, 48) ? 0x40000 : 0);
    pair_wr32(d, TIMESLICE, choice_once_in(c, 4) ? 0xffffffff : choice_below(c, 8));
    pair_wr32(d, CACHES, mostly(b, 1, 0));
    pair_wr32(d, PUSH0, mostly(b, 1, 0));
    pair_wr32(d, PULL0, mostly(b, 1, 0));
    pair_wr32(d, DMA_PUSH, mostly(b, 1, choice_word(c)));
}

/* Put a channel into CACHE1 as the switcher would: what is in RAMFC goes into the registers. */
static void by_hand(struct bench *b, uint32_t live) {
    struct reference *r = &b->d->reference;
    struct place place = ref_g80_ramfc(r, b->live[live]);
    static const uint16_t at[][2] = {
        {0x00, IB_PUT},          {0x04, IB_GET},        {0x08, DMA_PUT},
        {0x0c, DMA_PUT_HIGH},    {0x10, DMA_GET},       {0x14, DMA_GET_HIGH},
        {0x30, DMA_STATE},       {0x34, METHOD_COUNT},  {0x3c, DMA_FETCH},
        {0x40, SUBROUTINE},      {0x44, DMA_TIMESLICE}, {0x48, DMA_INSTANCE},
        {0x4c, DMA_LIMIT},       {0x50, IB_ADDRESS},    {0x54, IB_CONFIG},
        {0x58, ENGINE},          {0x5c, PULL1},         {0x60, ACQUIRE_TIMEOUT},
        {0x68, ACQUIRE_VALUE},   {0x6c, SEMAPHORE},     {0x7c, SLI},
        {0x80, RAMHT},           {0x88, CACHE_INST},    {0x8c, SEM_ADDRESS_HIGH},
        {0x90, SEM_ADDRESS_LOW}, {0x94, SEM_SEQUENCE},  {0x98, CHAN_INST},
    };
    pair_wr32(b->d, PUSH1, b->live[live] | (b->live[live] ? 0x10000u : 0));
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        if (r->row[(at[i][1] - 0x2000) / 4])
            pair_wr32(b->d, at[i][1], reference_memory_rd32(r, place.target, place.address + at[i][0]));
    bench_fill_cache(b);
}

void g80_submit(struct bench *b, uint32_t live, bool now) {
    uint32_t put = b->g80.ib[live] ? b->g80.put[live] : b->cursor[live];
    if (b->live[live] == 0)
        return;
    if (now)
        pair_wr32(b->d, G80_USER + b->live[live] * 0x2000 + (b->g80.ib[live] ? 0x8c : 0x40), put);
    else
        g80_poke_ramfc(b, live, b->g80.ib[live] ? 0x00 : 0x08, put);
}

void g80_setup(struct bench *b) {
    struct choice *c = b->choice;
    b->g80.virtual = choice_once_in(c, 2);
    if (choice_once_in(c, 6))
        pair_big_endian(b->d);
    if (choice_once_in(c, 3))
        for (uint32_t n = choice_below(c, 60); n > 0; n--)
            bench_register_write(b);
    if (since(&b->d->reference, G84) && choice_once_in(c, 6))
        pair_wr32(b->d, 0x100c9c, 8 * choice_between(c, 0x40, 0xa00)); /* up to the objects */
    for (uint32_t n = 0; n < HANDLES; n++)
        b->handle[n] = choice_once_in(c, 4) ? choice_below(c, 0x20) : choice_word(c);
    for (uint32_t i = 0; i < LIVE; i++)
        make_channel(b, i);
    for (uint32_t i = 0; i < 64; i++) {
        pair_poke(b->d, MEMORY_VRAM, SEMAPHORES + 4 * i, choice_below(c, 3));
        pair_poke(b->d, MEMORY_SYSTEM, SEMAPHORES + 4 * i, choice_below(c, 3));
    }
    registers(b);
    for (uint32_t i = 0; i < LIVE; i++) {
        if (choice_once_in(c, 3))
            continue;
        bench_push(b, i, choice_between(c, 1, 4));
        g80_submit(b, i, false);
    }
    if (choice_once_in(c, 2))
        by_hand(b, choice_below(c, LIVE));
    else
        pair_wr32(b->d, PUSH1, 0x1007f);
    g80_playlist(b);
    pair_remember_registers(b->d);
}

/* A page of one channel is another one now; the translations that are kept are forgotten. */
void g80_change_page(struct bench *b) {
    uint32_t live = choice_below(b->choice, LIVE), page = choice_below(b->choice, TABLE_PAGES);
    poke_page(b, live, page, any_page(b, page, 0));
    pair_wr32(b->d, 0x100c80, 0x50001);
}
