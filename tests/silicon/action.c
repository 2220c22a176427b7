/* SPDX-License-Identifier: MIT */
/* What a round does to the machines, one thing at a time. */
#include "silicon/silicon.h"

#define USER 0x800000u

/* ---- USER ---- */

static uint32_t any_channel(struct silicon *s) {
    uint32_t n = choice_below(s->choice, 8);
    return n < 4 ? s->channel[0] : n < 7 ? s->channel[n - 3] : choice_below(s->choice, 128);
}

static uint32_t any_method(struct silicon *s) {
    struct choice *c = s->choice;
    switch (choice_below(c, 8)) {
    case 0:
        return 0;
    case 1:
        return 0x10 + choice_below(c, 0x10);
    case 2:
        return 0x20 + choice_below(c, 0x10);
    case 3:
        return choice_below(c, 0x104);
    default:
        return choice_below(c, 0x2000);
    }
}

static unsigned any_size(struct silicon *s) {
    static const unsigned sizes[] = {4, 4, 4, 4, 4, 2, 2, 1};
    return sizes[choice_below(s->choice, 8)];
}

static uint32_t any_user_address(struct silicon *s, unsigned bytes) {
    uint32_t method = any_method(s), address;
    if (!choice_once_in(s->choice, 4))
        method &= ~3u;
    address = USER + (any_channel(s) << 16) + (choice_below(s->choice, 8) << 13) + method;
    return address > 0x1000000 - bytes ? 0x1000000 - bytes : address;
}

static uint32_t any_data(struct silicon *s) {
    return choice_once_in(s->choice, 3) ? s->handle[choice_below(s->choice, 8)] : choice_word(&s->noise);
}

static void user_write(struct silicon *s) {
    unsigned bytes = any_size(s);
    silicon_write(s, any_user_address(s, bytes), bytes, any_data(s));
}

static void user_read(struct silicon *s) {
    unsigned bytes = any_size(s);
    silicon_read(s, any_user_address(s, bytes), bytes);
}

static void free_count(struct silicon *s) {
    silicon_read(s, USER + (any_channel(s) << 16) + (choice_below(s->choice, 8) << 13) + 0x10, any_size(s));
}

static void drain_runout(struct silicon *s) {
    silicon_wr32(s, 0x2420, silicon_rd32(s, 0x2410));
}

/* A cache that is nearly full, and one write more than it takes. */
static void overrun(struct silicon *s) {
    silicon_wr32(s, 0x3200, 1);
    silicon_wr32(s, 0x3000, 0);
    if (choice_once_in(s->choice, 2))
        drain_runout(s);
    silicon_pointers(s, s->entries - 1 - choice_below(s->choice, 2));
    for (unsigned i = 0; i < 2; i++) {
        silicon_read(s, USER + (s->channel[0] << 16) + 0x10, 4);
        silicon_wr32(s, USER + (s->channel[0] << 16) + (choice_below(s->choice, 8) << 13) + 0x104, any_data(s));
    }
}

/* All that keeps another channel out of CACHE1 is put away, or all but one. */
static void channel_switch(struct silicon *s) {
    uint32_t missing = choice_below(s->choice, 12), channel = any_channel(s);
    if (missing != 0)
        silicon_wr32(s, 0x2500, 1);
    if (missing != 1)
        silicon_wr32(s, 0x3200, 1);
    if (missing != 2)
        silicon_wr32(s, 0x3000, 0);
    if (missing != 3)
        silicon_pointers(s, 0);
    if (missing != 4)
        silicon_wr32(s, 0x2420, silicon_rd32(s, 0x2410) & 0x1ff8);
    if (missing != 4)
        silicon_wr32(s, 0x2410, silicon_rd32(s, 0x2420));
    if (missing != 5 && s->nv3)
        silicon_wr32(s, 0x3220, 0);
    silicon_wr32(s, USER + (channel << 16) + (choice_below(s->choice, 0x2000) << 2 & 0xfffc), any_data(s));
}

/* A channel that is there already saves nothing; so two. */
void silicon_show_hidden(struct silicon *s) {
    uint32_t current = silicon_rd32(s, s->nv3 ? 0x3204 : 0x3210) & 0x7f, other = (current + 1) & 0x7f;
    silicon_wr32(s, 0x2500, 1);
    silicon_wr32(s, 0x3200, 1);
    silicon_wr32(s, 0x3000, 0);
    silicon_pointers(s, 0);
    silicon_wr32(s, 0x2410, 0);
    silicon_wr32(s, 0x2420, 0);
    if (s->nv3)
        silicon_wr32(s, 0x3220, 0);
    silicon_wr32(s, USER + (other << 16) + 0x100, 0);
}

/* ---- work ---- */

static void pull_one(struct silicon *s) {
    silicon_wr32(s, 0x3240, 1);
    silicon_run(s, 1);
}

static void run(struct silicon *s) {
    silicon_run(s, choice_below(s->choice, 40));
}

static void run_refused(struct silicon *s) {
    silicon_note(s, "the engine takes nothing");
    silicon_wr32(s, 0x3240, 1);
    s->refuses = true;
    silicon_run(s, choice_below(s->choice, 8));
    s->refuses = false;
    silicon_note(s, "the engine takes methods again");
}

static void dma_step(struct silicon *s) {
    if (!s->nv3)
        return;
    if (choice_once_in(s->choice, 2))
        silicon_packets(s);
    silicon_wr32(s, 0x3200, 1);
    silicon_wr32(s, 0x3220, 1);
    silicon_wr32(s, 0x3240, choice_below(s->choice, 2));
    silicon_run(s, choice_once_in(s->choice, 2) ? 1 : choice_below(s->choice, 30));
}

/* As drivers do it: one command of a channel of their choice, by registers. */
static void inject(struct silicon *s) {
    uint32_t push1 = s->nv3 ? 0x3004 : 0x3010, put = s->nv3 ? 0x3010 : 0x3030;
    silicon_wr32(s, 0x3000, 0);
    silicon_wr32(s, 0x3040, 0);
    silicon_wr32(s, push1, any_channel(s));
    silicon_wr32(s, put, 4);
    silicon_wr32(s, 0x3070, 0);
    silicon_wr32(s, 0x3080, choice_word(&s->noise) | (choice_once_in(s->choice, 8) ? 0 : s->nv3 ? 1u << 23 : 0x500000));
    silicon_wr32(s, 0x3100, any_method(s) | choice_below(s->choice, 8) << 13);
    silicon_wr32(s, 0x3104, any_data(s));
    silicon_wr32(s, 0x3000, 1);
    silicon_wr32(s, 0x3040, 1);
    silicon_run(s, choice_between(s->choice, 1, 3));
}

/* ---- registers ---- */

static uint32_t any_register(struct silicon *s) {
    struct nv1ref_row row = {0};
    size_t rows = 0;
    while (nv1ref_row(&s->reference, rows, &row))
        rows++;
    nv1ref_row(&s->reference, choice_below(s->choice, (uint32_t)rows), &row);
    return row.offset + choice_below(s->choice, row.count) * row.stride;
}

static uint32_t any_value(struct silicon *s) {
    static const uint32_t some[] = {0, UINT32_MAX, 1, 4, 8, 0x10, 0x100};
    uint32_t n = choice_below(s->choice, 12);
    return n < 7 ? some[n] : choice_word(s->choice);
}

static void register_write(struct silicon *s) {
    unsigned bytes = any_size(s);
    uint32_t address = any_register(s) + (bytes == 4 ? 0 : choice_below(s->choice, 4));
    silicon_write(s, address, bytes, any_value(s));
}

static void register_read(struct silicon *s) {
    unsigned bytes = any_size(s);
    silicon_read(s, any_register(s) + (bytes == 4 ? 0 : choice_below(s->choice, 4)), bytes);
}

static void acknowledge(struct silicon *s) {
    silicon_wr32(s, 0x2100, choice_once_in(s->choice, 2) ? UINT32_MAX : any_value(s));
}

static void advance_get(struct silicon *s) {
    silicon_wr32(s, 0x3270, nv1ref_next(&s->reference, silicon_rd32(s, 0x3270)));
}

/* UNKNOWN: the registers that are forced to 0, written while PFIFO is off; chosen: they take it, and nothing runs. */
static void disable(struct silicon *s) {
    silicon_wr32(s, 0x200, 0xffffeeff);
    for (uint32_t n = choice_below(s->choice, 4); n; n--) {
        static void (*const meanwhile[])(struct silicon *) = {user_write, user_read, register_write, run};
        meanwhile[choice_below(s->choice, 4)](s);
    }
    silicon_wr32(s, 0x200, UINT32_MAX);
}

static void pram(struct silicon *s) {
    static const uint32_t windows[] = {0x604000, 0x606000, 0x640000, 0x648000, 0x650000, 0x700000};
    static const uint32_t bytes[] = {0x1000, 0x1000, 0x8000, 0x4000, 0x4000, 0x100000};
    uint32_t n = choice_below(s->choice, 8);
    if (s->nv3)
        return;
    if (n == 6)
        silicon_wr32(s, 0x602400 + 4 * any_channel(s), any_data(s));
    else if (n == 7)
        silicon_wr32(s, 0x602200, any_value(s));
    else if (choice_once_in(s->choice, 2))
        silicon_read(s, windows[n] + (choice_word(s->choice) % bytes[n] & ~3u), 4);
    else
        silicon_write(s, windows[n] + (choice_word(s->choice) % bytes[n] & ~3u), any_size(s), any_value(s));
}

void silicon_action(struct silicon *s) {
    static void (*const actions[])(struct silicon *) = {
        user_write,     user_write,  user_write, user_write,  user_read,    free_count,
        channel_switch, pull_one,    pull_one,   run,         run_refused,  dma_step,
        dma_step,       inject,      overrun,    advance_get, drain_runout, register_write,
        register_read,  acknowledge, disable,    pram,
    };
    actions[choice_below(s->choice, sizeof actions / sizeof actions[0])](s);
}
