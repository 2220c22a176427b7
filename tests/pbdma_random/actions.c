/* SPDX-License-Identifier: MIT */
/* One thing that a driver, a program or somebody hostile does, and what it leaves. */
#include "pbdma_random/pbdma_random.h"

static struct bench_live *any_live(struct bench *b) {
    return &b->live[choice_below(b->choice, LIVE)];
}

static uint32_t any_page(struct bench *b) {
    return 0x40000 + 0x2000 * choice_below(b->choice, b->row->units);
}

static uint32_t any_value(struct bench *b, uint32_t now) {
    struct choice *c = b->choice;
    switch (choice_below(c, 4)) {
    case 0:
        return choice_word(c);
    case 1:
        return now ^ 1u << choice_below(c, 32);
    case 2:
        return choice_once_in(c, 2) ? 0 : 0xffffffff;
    default:
        return choice_below(c, 0x40);
    }
}

/* ---- registers of a PBDMA ---- */

static void page_write(struct bench *b) {
    static const uint16_t others[] = {0x108, 0x10c, 0x110, 0x118, 0x13c, 0x140, 0x148, 0x14c, 0x150};
    struct choice *c = b->choice;
    uint32_t at = choice_once_in(c, 16)  ? 0x200 + 4 * choice_below(c, PBDMA_REFERENCE_COPY)
                  : choice_once_in(c, 3) ? others[choice_below(c, sizeof others / sizeof others[0])]
                                         : 4 * choice_below(c, PBDMA_REFERENCE_WORDS);
    uint32_t offset = any_page(b) + at, now;
    if (at == 0x98) /* PB_CRC */
        return;
    pbdma_fifo_rd32(&b->reference, offset, &now);
    uint32_t value = any_value(b, now);
    pbr_wr32(b, offset, at == 0x08 ? value & ~3u : value); /* USERD stays in VRAM */
}

/* As nouveau: what is in METHOD0 becomes a no-op, and the interrupt is cleared. */
static void recover_unit(struct bench *b, uint32_t u) {
    struct choice *c = b->choice;
    const struct pbdma_reference *p = &b->reference.unit[u].p;
    uint32_t page = 0x40000 + 0x2000 * u, intr = p->intr;
    if (!intr && !p->intr_1)
        return;
    if ((intr & 0x2ee00000) && (p->word[0xc0 / 4] >> 31) && !choice_once_in(c, 6))
        pbr_wr32(b, page + 0xc0, 0x80600008);
    if (intr & 0x00040000)
        pbr_wr32(b, page + 0x88, choice_once_in(c, 2) ? 0 : p->word[0x88 / 4]);
    if (intr & 0x00020000)
        pbr_wr32(b, page + 0x18, p->word[0x5c / 4]), pbr_wr32(b, page + 0x1c, p->word[0x60 / 4]);
    if (intr & 0x00006000) {
        pbr_wr32(b, page + 0x4c, 4 << 16);
        for (uint32_t i = 0; i < 3; i++)
            pbr_wr32(b, page + (i == 0 ? 0x00 : i == 1 ? 0x14 : 0x50), 0);
    }
    if (intr & 0x80000000)
        pbr_wr32(b, page + 0x10, 0xface);
    pbr_wr32(b, page + 0x108, 0xffffffff);
    if (!b->row->gf100)
        pbr_wr32(b, page + 0x148, 0xffffffff);
}

/* ---- PFIFO ---- */

static void fifo_write(struct bench *b) {
    static const uint16_t common[] = {0x2100, 0x2140, 0x2530, 0x2630, 0x2a00, 0x259c, 0x2254, 0x262c};
    static const uint16_t old[] = {0x2204, 0x2208, 0x2218, 0x2504, 0x2638, 0x25a8, 0x2628, 0x2200};
    struct choice *c = b->choice;
    bool own = b->row->gf100 && choice_once_in(c, 2);
    uint32_t offset = own ? old[choice_below(c, 8)] : common[choice_below(c, 8)], now = 0;
    if (choice_once_in(c, 3))
        pbdma_fifo_rd32(&b->reference, offset, &now);
    uint32_t value = any_value(b, now);
    if (offset == 0x2630 && choice_once_in(c, 2))
        value = 0;
    if (offset == 0x2254) /* BAR1 is no larger */
        value &= 0x9000ffff;
    if (choice_once_in(c, 8)) /* VM_FAULT_INJECT */
        offset = 0x2a30 + 4 * choice_below(c, 6), value = 0x100 | choice_below(c, 0x20);
    pbr_wr32(b, offset, value);
}

static void preempt(struct bench *b) {
    struct choice *c = b->choice;
    uint32_t type = b->row->gf100 ? 0 : choice_once_in(c, 12) ? choice_below(c, 4) : choice_once_in(c, 3);
    pbr_wr32(b, 0x2634, type << 24 | (type == 1 ? choice_below(c, 4) : any_live(b)->id));
}

static void table_write(struct bench *b) {
    struct choice *c = b->choice;
    const struct bench_live *live = any_live(b);
    uint32_t table = pbr_table(b, live->id), list = live->list << 16;
    static const uint32_t late[] = {0x400, 0x400, 0x800, 0x100, 0xc00000, 0};
    switch (choice_below(c, 5)) {
    case 0: /* unbind, and bind again */
        pbr_wr32(b, table, 0);
        if (!choice_once_in(c, 6))
            pbr_wr32(b, table, (b->row->gf100 ? 0xc0000000 : 0x80000000) | pbr_instance(live) >> 12);
        return;
    case 1:
        pbr_wr32(b, table, 0x80000000 | (choice_once_in(c, 4) ? 0x10000000 : 0) | pbr_instance(live) >> 12);
        return;
    default:
        pbr_wr32(b, table + 4, b->row->gf100 ? 0x001f0000 | choice_below(c, 2) : list | late[choice_below(c, 6)]);
    }
}

/* PFIFO off and on: everything is as after power-on, and a driver begins anew. */
static bool reset(struct bench *b) {
    pbr_wr32(b, 0x200, choice_word(b->choice) & ~0x100u);
    if (!pbr_same_doings(b) || !pbr_run(b, 10))
        return false;
    page_write(b);
    fifo_write(b);
    table_write(b);
    pbr_wr32(b, 0x200, 0xffffffff);
    if (!choice_once_in(b->choice, 4))
        pbr_start(b);
    return true;
}

/* What nouveau does about interrupts of PFIFO itself. */
static void recover(struct bench *b) {
    struct choice *c = b->choice;
    for (uint32_t u = 0; u < b->row->units; u++)
        recover_unit(b, u);
    if (b->reference.fault_source) {
        for (uint32_t i = 0; i < LIVE; i++) {
            uint32_t id = b->live[i].id, table = pbr_table(b, id);
            if (!b->reference.channel[id].faulted || choice_once_in(c, 3))
                continue;
            /* The rest of what it submitted is given up. */
            pbr_poke(b, pbr_instance(&b->live[i]) + 0x18, pbr_peek(b, pbr_instance(&b->live[i]) + 0x5c));
            pbr_poke(b, pbr_instance(&b->live[i]) + 0xc0, 0);
            if (b->row->gf100) {
                pbr_wr32(b, table, 0);
                pbr_wr32(b, table, 0xc0000000 | pbr_instance(&b->live[i]) >> 12);
            } else {
                pbr_wr32(b, table + 4, b->live[i].list << 16 | 0xc00400);
            }
        }
        pbr_wr32(b, 0x259c, 0xffffffff);
    }
    if (choice_once_in(c, 2))
        pbr_wr32(b, 0x2a00, 0xffffffff);
    if (b->reference.intr)
        pbr_wr32(b, 0x2100, 0xffffffff);
}

/* ---- memory ---- */

static void word_write(struct bench *b) {
    struct choice *c = b->choice;
    const struct bench_live *live = any_live(b);
    static const uint8_t words[] = {0x00, 0x14, 0x18, 0x5c, 0x44, 0x84, 0x88, 0x94, 0x9c, 0xac, 0xc0, 0xc4, 0xf8};
    uint32_t at = pbr_instance(live) + words[choice_below(c, sizeof words)];
    switch (choice_below(c, 5)) {
    case 4: /* of the copy engine's front end */
        pbr_poke(b, pbr_instance(live) + 0x100 + 4 * choice_below(c, 0x28), choice_word(c));
        return;
    case 0: /* GP_PUT */
        pbr_poke(b, pbr_userd(live) + 0x8c, choice_once_in(c, 8) ? choice_word(c) : choice_below(c, 1u << live->order));
        return;
    case 1:
        pbr_poke(b, at, choice_once_in(c, 2) ? pbr_peek(b, at) ^ 1u << choice_below(c, 32) : choice_below(c, 64));
        return;
    case 2:
        pbr_poke(b, BUSY_WORD + 4 * choice_below(c, 8), choice_below(c, 2));
        return;
    default:
        pbr_poke(b, SEMAPHORES + 4 * choice_below(c, 16), choice_below(c, 4));
    }
}

/* Somebody else writes what channels and engines wait for. */
static void satisfy(struct bench *b) {
    struct choice *c = b->choice;
    if (b->stop.reason != REFERENCE_WAITING)
        return;
    if (b->stop.address >= SEMAPHORES && b->stop.address < SEMAPHORES + 64)
        pbr_poke(b, (uint32_t)b->stop.address, choice_once_in(c, 4) ? b->stop.expected | 1 : b->stop.expected);
    for (uint32_t e = 0; e < 8 && !choice_once_in(c, 8); e++)
        pbr_poke(b, BUSY_WORD + 4 * e, 0);
    if (!b->stop.address)
        pbr_poke(b, SEMAPHORES, 1);
}

/* ---- any of these ---- */

static bool run(struct bench *b) {
    struct choice *c = b->choice;
    uint64_t budget =
        choice_once_in(c, 4) ? choice_between(c, 1, 8) : choice_between(c, 1, choice_once_in(c, 2) ? 100 : 4000);
    return pbr_run(b, budget);
}

static bool something(struct bench *b) {
    uint32_t kind = choice_below(b->choice, 32);
    if (b->stop.reason == REFERENCE_INTERRUPT && !choice_once_in(b->choice, 3)) {
        recover(b);
        b->stop.reason = REFERENCE_BUDGET;
        return true;
    }
    if (b->stop.reason == REFERENCE_WAITING && choice_once_in(b->choice, 2)) {
        satisfy(b);
        return true;
    }
    if (kind < 12)
        return run(b);
    if (kind < 18)
        pbr_submit(b, any_live(b));
    else if (kind < 23)
        recover(b);
    else if (kind < 25)
        satisfy(b);
    else if (kind == 25)
        preempt(b);
    else if (kind == 26)
        pbr_list(b, any_live(b)->list);
    else if (kind == 27)
        table_write(b);
    else if (kind == 31 && choice_once_in(b->choice, 4))
        return reset(b);
    else if (b->tame)
        return run(b);
    else if (kind == 28)
        fifo_write(b);
    else if (kind <= 30)
        page_write(b);
    else
        word_write(b);
    return true;
}

bool pbr_act(struct bench *b) {
    pbr_forget(b);
    return something(b) && pbr_same_doings(b);
}
