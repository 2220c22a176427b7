/* SPDX-License-Identifier: MIT */
/* A driver sets up the machine, in a regular way or in one that no driver would choose. */
#include "pbdma_random/pbdma_random.h"

uint32_t pbr_table(const struct bench *b, uint32_t channel) {
    return (b->row->gf100 ? 0x3000 : 0x800000) + 8 * channel;
}

uint32_t pbr_instance(const struct bench_live *live) {
    return INSTANCES + 0x1000 * live->id;
}

uint32_t pbr_userd(const struct bench_live *live) {
    return USERDS + 0x1000 * live->id;
}

/* ---- memory ---- */

/* Pages of 128 KiB, virtual addresses as those of memory. */
static void make_tables(struct bench *b) {
    pbr_poke(b, DIRECTORY, TABLE >> 8 | 1);
    for (uint32_t page = 0; page < MAPPED >> 17; page++)
        pbr_poke(b, TABLE + 8 * page, page << 17 >> 8 | 1);
}

/* Short slices, so that there is something to switch. */
static uint32_t any_timeslice(struct choice *c) {
    switch (choice_below(c, 4)) {
    case 0:
        return 0x10003080;
    case 1:
        return 0;
    default:
        return choice_below(c, 6);
    }
}

static void make_instance(struct bench *b, const struct bench_live *live, uint32_t start) {
    struct choice *c = b->choice;
    static const uint32_t types[] = {0x200, 0, 0x300};
    uint32_t subdevice = pbr_wrong(b, 6) ? choice_word(c) & 0x3fff0fff : 0x30000001;
    const uint32_t words[][2] = {
        {0x08, pbr_userd(live)},
        {0x10, choice_once_in(c, 24)  ? choice_word(c)
               : choice_once_in(c, 4) ? b->row->host_class
                                      : 0xface},
        {0x14, start},
        {0x50, start},
        {0x30, choice_once_in(c, 2) ? 0xfffff902 : 0x80000000 | choice_below(c, 8) << 15},
        {0x3c, SEMAPHORES + 4 * choice_below(c, 16)},
        {0x48, RINGS + 0x1000 * live->id},
        {0x4c, live->order << 16},
        {0x54, 2},
        {0x84, 0x20400000},
        {0x94, subdevice},
        {0x9c, pbr_wrong(b, 3) ? types[choice_below(c, 3)] : 0x100},
        {0xa4, choice_once_in(c, 3)   ? 0x1f1f1f1f
               : choice_once_in(c, 2) ? 0
                                      : 0x04000400},
        {0xa8, pbr_wrong(b, 3)   ? 0x1f1f1f1f
               : pbr_wrong(b, 2) ? 0x04000500
                                 : 0x04000400},
        {0xac, choice_once_in(c, 2) ? 0x1f : 0},
        {0xf8, any_timeslice(c)},
        {0x200, DIRECTORY},
        {0x208, 0xffffffff},
        {0x20c, 0xff},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        pbr_poke(b, pbr_instance(live) + words[i][0], words[i][1]);
    pbr_poke(b, pbr_userd(live) + 0x8c, start);
}

/* Words as a channel may have them that left in the middle of anything, and as none has them. */
static void disturb_instance(struct bench *b, const struct bench_live *live) {
    static const uint8_t where[] = {0x14, 0x18, 0x1c, 0x20, 0x24, 0x38, 0x3c, 0x40, 0x44, 0x48, 0x4c, 0x50, 0x54, 0x58,
                                    0x5c, 0x60, 0x74, 0x84, 0x88, 0x94, 0x9c, 0xa4, 0xa8, 0xac, 0xb0, 0xc0, 0xc4, 0xe0};
    struct choice *c = b->choice;
    uint32_t offset = where[choice_below(c, sizeof where)], at = pbr_instance(live) + offset;
    if (choice_once_in(c, 2)) {
        pbr_poke(b, at, pbr_peek(b, at) ^ 1u << choice_below(c, 32));
    } else if (offset == 0x18 || offset == 0x5c) {
        pbr_poke(b, at, PUSHBUFFERS + 4 * choice_below(c, 0x2000));
    } else if (offset == 0x88) {
        pbr_poke(b, at, choice_below(c, 32));
    } else if (offset == 0xc0) {
        pbr_poke(b, at, 0x80000000 | choice_below(c, 8) << 16 | 4 * choice_below(c, 0x100));
    } else {
        pbr_poke(b, at, choice_word(c));
    }
}

/* ---- channels and lists ---- */

static uint32_t any_list(struct bench *b) {
    return choice_once_in(b->choice, 2) ? 0 : choice_below(b->choice, b->row->lists);
}

static void make_channel(struct bench *b, struct bench_live *live, uint32_t id) {
    struct choice *c = b->choice;
    live->id = id;
    live->list = any_list(b);
    live->order = choice_between(c, 2, 7);
    live->gp_put = choice_below(c, 1u << live->order);
    live->cursor = live->begin = PUSHBUFFERS + PUSH_BYTES * (uint32_t)(live - b->live);
    live->left = choice_between(c, 1, 100);
    make_instance(b, live, live->gp_put);
    if (!b->tame)
        for (uint32_t n = choice_below(c, 6); n > 0; n--)
            disturb_instance(b, live);
    uint32_t table = pbr_table(b, id);
    if (!b->row->gf100)
        pbr_wr32(b, table + 4, live->list << 16);
    if (!pbr_wrong(b, 12))
        pbr_wr32(b, table, (b->row->gf100 ? 0xc0000000 : 0x80000000) | pbr_instance(live) >> 12);
    if (!pbr_wrong(b, 12))
        pbr_wr32(b, table + 4, b->row->gf100 ? 0x001f0001 : live->list << 16 | 0x400);
}

static uint32_t tsg_header(struct bench *b, uint32_t members) {
    struct choice *c = b->choice;
    uint32_t timeout = choice_once_in(c, 3) ? 128u << 18 | 3u << 14 : choice_below(c, 6) << 18;
    if (choice_once_in(c, 24))
        members = choice_below(c, 4);
    return members << 26 | timeout | 1u << 13 | choice_below(c, 4);
}

/* Its channels in any order, some of them in TSGs; sometimes one is missing, or named twice. */
void pbr_list(struct bench *b, uint32_t list) {
    struct choice *c = b->choice;
    uint32_t at = RUNLISTS + 0x1000 * list, words = 0, members[2 * LIVE], count = 0;
    for (uint32_t i = 0, first = choice_below(c, LIVE); i < LIVE; i++) {
        const struct bench_live *live = &b->live[(first + i) % LIVE];
        if (live->list != list || choice_once_in(c, 16))
            continue;
        members[count++] = live->id;
        if (choice_once_in(c, 32))
            members[count++] = live->id;
    }
    for (uint32_t i = 0, inside = 0; i < count; i++) {
        if (b->row->tsg && inside == 0 && choice_once_in(c, 2)) {
            inside = choice_between(c, 1, count - i);
            pbr_poke(b, at + 8 * words, tsg_header(b, inside));
            pbr_poke(b, at + 8 * words++ + 4, 0);
        }
        inside -= inside ? 1 : 0;
        pbr_poke(b, at + 8 * words, members[i]);
        pbr_poke(b, at + 8 * words++ + 4, b->row->gf100 ? 4 : 0);
    }
    pbr_wr32(b, 0x2270, at >> 12);
    pbr_wr32(b, 0x2274, b->row->gf100 ? 0x01f00000 | words : list << 20 | words);
}

/* ---- registers ---- */

static void start_units(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t units = (1u << b->row->units) - 1;
    pbr_wr32(b, 0x204, !pbr_wrong(b, 12) ? 0xffffffff : choice_word(c));
    if (b->row->gf100) {
        pbr_wr32(b, 0x2204, !pbr_wrong(b, 12) ? units : choice_word(c));
        for (uint32_t e = 0; e < 6; e++)
            pbr_wr32(b, 0x2208 + 4 * e, choice_once_in(c, 2) ? 0 : ~(1u << choice_below(c, b->row->units)));
        pbr_wr32(b, 0x2628, 1);
        pbr_wr32(b, 0x2200, !pbr_wrong(b, 24));
    }
    for (uint32_t u = 0; u < b->row->units; u++) {
        uint32_t page = 0x40000 + 0x2000 * u;
        pbr_wr32(b, page + 0x13c, choice_once_in(c, 3) ? ~(1u << choice_between(c, 13, 31)) : 0xffffffff);
        pbr_wr32(b, page + 0x10c, pbr_wrong(b, 12) ? choice_word(c) : 0xfffffeff);
        if (!b->row->gf100)
            pbr_wr32(b, page + 0x14c, 0xffffffff);
    }
    pbr_wr32(b, 0x2254, pbr_wrong(b, 24) ? 0 : 0x10000000);
    pbr_wr32(b, 0x2140, pbr_wrong(b, 12) ? choice_word(c) : 0xffffffff);
}

void pbr_start(struct bench *b) {
    start_units(b);
    for (uint32_t i = 0; i < LIVE; i++)
        make_channel(b, &b->live[i], 1 + 3 * i);
    for (uint32_t list = 0; list < b->row->lists; list++)
        pbr_list(b, list);
    for (uint32_t i = 0; i < LIVE; i++)
        if (!choice_once_in(b->choice, 3))
            pbr_submit(b, &b->live[i]);
}

void pbr_setup(struct bench *b) {
    make_tables(b);
    pbr_start(b);
}
