/* SPDX-License-Identifier: MIT */
/*
 * A random state that a driver could have made: registers of both machines, tables in RAMIN, a pushbuffer.
 *
 * Everything is noise first; then what decides between the rules gets values at which they differ.
 */
#include "silicon/silicon.h"

#define ANY_METHODS 4

static uint32_t noise(struct silicon *s) {
    return choice_word(&s->noise);
}

static bool noise_once_in(struct silicon *s, uint32_t n) {
    return choice_once_in(&s->noise, n);
}

/* ---- tables in RAMIN ---- */

static void places(struct silicon *s) {
    struct choice *c = s->choice;
    if (!s->nv3) {
        silicon_wr32(s, 0x602200, choice_below(c, 4));
        return;
    }
    /* As a driver has them, or anywhere, one over the other. */
    bool anywhere = choice_once_in(c, 8);
    uint32_t size = choice_below(c, 4);
    silicon_wr32(s, 0x2210, anywhere ? noise(s) : size << 16);
    silicon_wr32(s, 0x2214, anywhere ? noise(s) : 0x8000 + 0x200 * choice_below(c, 8));
    silicon_wr32(s, 0x2218, anywhere ? noise(s) : choice_below(c, 2) << 16 | 0xa000);
}

static uint32_t any_context(struct silicon *s) {
    uint32_t context = noise(s);
    if (!noise_once_in(s, 4)) /* of an object that PGRAPH has */
        context = s->nv3 ? context | 1u << 23 : (context & ~0x7f0000u) | (0x41 + (context >> 16) % 30) << 16;
    return context;
}

static void handle_into_ramht(struct silicon *s, uint32_t handle, uint32_t channel) {
    uint32_t columns, row = nv1ref_ramht_row(&s->reference, handle, channel, &columns);
    uint32_t at = row + 8 * choice_below(&s->noise, columns), context = any_context(s);
    if (s->nv3 && !noise_once_in(s, 8))
        context = (context & 0x80ffffff) | channel << 24;
    silicon_poke_ramin(s, at, handle);
    silicon_poke_ramin(s, at + 4, noise_once_in(s, 16) ? 0 : context);
}

static void ramht(struct silicon *s) {
    for (unsigned i = 0; i < 8; i++)
        s->handle[i] = noise_once_in(s, 8) ? i / 4 : noise(s);
    for (unsigned i = 0; i < 12; i++)
        handle_into_ramht(s, s->handle[noise(s) % 7], s->channel[noise(s) % 4]); /* the eighth misses */
}

static void ramfc(struct silicon *s) {
    for (unsigned i = 0; i < 4; i++)
        for (uint32_t word = 0; word < 8; word++)
            silicon_poke_ramin(s, nv1ref_ramfc(&s->reference, s->channel[i]) + 4 * word,
                               any_context(s) | (noise(s) & 0xf1000000));
}

/* ---- registers ---- */

static void all_registers(struct silicon *s) {
    struct nv1ref_row row;
    for (size_t i = 0; nv1ref_row(&s->reference, i, &row); i++)
        for (uint32_t e = 0; e < row.count; e++)
            if (row.writable && !noise_once_in(s, 4))
                silicon_wr32(s, row.offset + e * row.stride, noise(s));
}

static void entries(struct silicon *s) {
    uint32_t base = s->entries == 64 ? 0x3400 : 0x3300;
    for (uint32_t i = 0; i < s->entries; i++) {
        bool bind = noise_once_in(s, 4);
        uint32_t method = bind ? 0 : noise(s) & 0x1ffc;
        silicon_wr32(s, base + 8 * i, (noise(s) & 0xe000) | (noise_once_in(s, ANY_METHODS) ? method : method & ~4u));
        silicon_wr32(s, base + 8 * i + 4, bind ? s->handle[noise(s) % 8] : noise(s));
    }
    if (noise_once_in(s, 2)) {
        silicon_wr32(s, 0x3100, noise(s) & 0xe000);
        silicon_wr32(s, 0x3104, s->handle[noise(s) % 8]);
    }
}

static void contexts(struct silicon *s) {
    for (uint32_t i = 0; i < 8; i++)
        silicon_wr32(s, 0x3280 + 16 * i, any_context(s));
    silicon_wr32(s, 0x3080, any_context(s));
}

/* CACHE1's pointers with `used` entries between them, from a random one on. */
void silicon_pointers(struct silicon *s, uint32_t used) {
    uint32_t pointer = choice_below(s->choice, s->entries) << 2;
    silicon_wr32(s, 0x3270, pointer);
    for (uint32_t i = 0; i < used; i++)
        pointer = nv1ref_next(&s->reference, pointer);
    silicon_wr32(s, s->nv3 ? 0x3210 : 0x3230, pointer);
}

static uint32_t any_fill(struct silicon *s) {
    switch (choice_below(s->choice, 6)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return 1;
    case 3:
        return s->entries - 1;
    case 4:
        return s->entries - 2;
    default:
        return choice_below(s->choice, s->entries);
    }
}

/* RUNOUT pointers: equal, one before full, full, anything. */
static void runout(struct silicon *s) {
    uint32_t bytes;
    nv1ref_ramro(&s->reference, &bytes);
    uint32_t put = choice_word(s->choice), get;
    if (!choice_once_in(s->choice, 3))
        put &= bytes - 8;
    switch (choice_below(s->choice, 6)) {
    case 0:
        get = (put + 8) & (bytes - 8);
        break;
    case 1:
        get = (put + 16) & (bytes - 8);
        break;
    case 2:
        get = choice_word(s->choice);
        break;
    default:
        get = put;
        break;
    }
    silicon_wr32(s, 0x2410, put);
    silicon_wr32(s, 0x2420, get);
}

static void switches(struct silicon *s) {
    uint32_t bits = choice_word(s->choice), push1 = s->nv3 ? 0x04 : 0x10;
    silicon_wr32(s, 0x2500, (bits & 3) != 0);
    silicon_wr32(s, 0x3000, (bits >> 2 & 3) == 0);
    silicon_wr32(s, 0x3040, bits >> 4 & 1);
    silicon_wr32(s, 0x3200, (bits >> 5 & 7) != 0);
    silicon_wr32(s, 0x3240, bits >> 8 & 1);
    silicon_wr32(s, 0x3200 + push1, s->channel[0] | (bits & 0x100));
    silicon_wr32(s, 0x3000 + push1, s->channel[bits >> 9 & 1]);
    silicon_wr32(s, 0x3070, bits >> 10 & 4);
    silicon_wr32(s, s->nv3 ? 0x3010 : 0x3030, bits >> 11 & 4);
    if (bits >> 14 & 1)
        silicon_wr32(s, 0x2140, UINT32_MAX);
}

/* ---- NV3's DMA ---- */

static void page_table(struct silicon *s) {
    uint32_t table = noise(s) & 0xffff0;
    silicon_wr32(s, 0x3238, table);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t frame = noise_once_in(s, 16) ? noise(s) & ~0xfffu : noise(s) & 0xf000;
        s->frame[i] = frame | (noise(s) & 0xffe) | !noise_once_in(s, 8);
        silicon_poke_ramin(s, table + 4 * i, s->frame[i]);
    }
}

static uint32_t any_header(struct silicon *s) {
    static const uint32_t method[8] = {0, 0, 0, 0xf8, 0xfc, 0x1fc, 0x1ff8, 0x1ffc};
    uint32_t word = noise(s), count = word >> 16 & 3, special = word >> 20 & 7;
    if (noise_once_in(s, 16))
        return word;
    word &= 0xfffc;
    if (noise_once_in(s, 4))
        word = (word & 0xe000) | method[special];
    else if ((word & 0x1fff) < 0x100)
        word |= 0x100;
    return word | count << 18;
}

/* A few packets from DMA_GET on, and the registers that go with them. */
void silicon_packets(struct silicon *s) {
    struct choice *c = s->choice;
    uint32_t page = choice_below(c, 8), words = choice_between(c, 1, 12), left = choice_below(c, 3), bulk = words;
    uint32_t get = page << 12 | (choice_once_in(c, 4) ? 0xff4 : choice_below(c, 0x400) << 2);
    silicon_wr32(s, 0x3228, get);
    silicon_wr32(s, 0x3218, left << 18 | (choice_word(c) & (choice_once_in(c, 8) ? 0x4000fffc : 0xfefc)) | 0x100);
    silicon_wr32(s, 0x322c, choice_between(c, 2, 3));
    silicon_wr32(s, 0x3230, choice_once_in(c, 4) ? get & ~0xfffu : UINT32_MAX);
    silicon_wr32(s, 0x3234, s->frame[page]);
    for (; bulk; bulk--, get += 4) {
        uint32_t word = left ? (noise_once_in(s, 4) ? s->handle[noise(s) % 8] : noise(s)) : any_header(s);
        left = left ? left - 1 : word >> 18 & 0x7ff;
        silicon_poke_system(s, (s->frame[get >> 12 & 7] & ~0xfffu) | (get & 0xfff), word);
    }
    silicon_wr32(s, 0x3224, 4 * (choice_once_in(c, 8) ? 0 : words));
}

/* ---- the scene ---- */

void silicon_scene(struct silicon *s) {
    struct choice *c = s->choice;
    s->noise = choice_from_seed(choice_word(c));
    for (unsigned i = 0; i < 4; i++)
        s->channel[i] = choice_below(c, 128);
    silicon_wr32(s, 0x200, UINT32_MAX);
    all_registers(s);
    places(s);
    ramht(s);
    ramfc(s);
    entries(s);
    contexts(s);
    silicon_pointers(s, any_fill(s));
    runout(s);
    switches(s);
    if (s->nv3) {
        page_table(s);
        silicon_packets(s);
        silicon_wr32(s, 0x3220, choice_once_in(c, 3));
    }
    /* CACHE1's channel ran out: a write of it was refused. */
    if (choice_once_in(c, 4))
        silicon_write(s, 0x800000 + (s->channel[0] << 16) + 0x101, 1, noise(s));
}
