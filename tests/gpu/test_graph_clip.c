/* SPDX-License-Identifier: MIT */
/*
 * Vertices and clip limits of NV1 and NV3: one write in a random state, and what all registers around it have then. The
 * expectation is written out here once more, on plain numbers.
 *
 *   PFIFO_ROUNDS=100000  how many;  PFIFO_SEED=1234  this one only
 *
 * What is expected is from envytools hwtest/pgraph_state_tests.cc (mmio_vtx_write, mmio_iclip_write, mmio_uclip_write,
 * mmio_read), nvhw/pgraph_xy.c, pgraph_xy3.c.
 */
#include "nv3.h"

#include <stdio.h>
#include <stdlib.h>

#include "differential/choice.h"
#include "rounds.h"

#define ROUNDS 3000

/* By x and y, minimum and maximum; NV3 has two rectangles and two words of each kind. */
struct state {
    uint32_t vtx[2][32], iclip[2], uclip[2][2][2], b[2], d[2], e, status[2][2], canvas[2][2];
    uint32_t type, clips, debug_a, debug_b, divided;
};

struct round {
    struct pfifo_gpu *gpu;
    struct choice *choice;
    const char *chip;
    bool nv1, nv3t;
    struct state s;
};

static uint32_t bit(uint32_t word, unsigned n) {
    return word >> n & 1;
}

static void set_bit(uint32_t *word, unsigned n, bool value) {
    *word = value ? *word | 1u << n : *word & ~(1u << n);
}

static void set_nibble(uint32_t *word, unsigned shift, uint32_t value) {
    *word = (*word & ~(0xfu << shift)) | value << shift;
}

/* Bits `low` and up, so many, as a signed number. */
static int64_t number(uint32_t word, unsigned low, unsigned bits) {
    int64_t value = word >> low & ((UINT64_C(1) << bits) - 1);
    return value >> (bits - 1) ? value - (INT64_C(1) << bits) : value;
}

static uint32_t against(int64_t at, int64_t low, int64_t high) {
    return (at < low ? 1u : 0) + (at == low ? 2u : 0) + (at > high ? 4u : 0) + (at == high ? 8u : 0);
}

static bool fits_16(uint32_t word) {
    return number(word, 0, 32) >= -0x8000 && number(word, 0, 32) < 0x8000;
}

/* ---- NV1 ---- */

static bool textured(const struct state *s) {
    return (s->type & 15) == 13 || (s->type & 15) == 14;
}

static int64_t place_nv1(const struct state *s, uint32_t word) {
    if (!textured(s))
        return number(word, 0, 18);
    return bit(s->b[0], 25) ? number(word, 15, 16) >> 4 : number(word, 15, 16);
}

static void limits_nv1(const struct state *s, unsigned xy, int64_t limits[2]) {
    uint32_t b = s->b[0] >> (12 + 4 * xy);
    limits[0] = number(s->canvas[0][xy], 0, 16);
    limits[1] = s->canvas[1][xy];
    for (unsigned m = 0; m < 2; m++)
        if (s->clips && bit(b, m))
            limits[m] = s->uclip[0][xy][m];
    if (bit(b, 2))
        limits[1] = s->iclip[xy];
    limits[0] = (limits[0] < 0 ? 0 : limits[0]) & 0xfff;
    limits[1] &= 0xfff;
}

static bool has_edge(const struct state *s) {
    bool divided = true, whole = bit(s->debug_b, 8) && !(s->d[0] >> 28 & 3) && !(s->d[1] >> 28 & 3);
    for (unsigned i = 0; i < 4; i++)
        divided = divided && (s->divided >> (i < 2 ? 0 : 4) & 15) <= (s->divided >> (16 + 4 * i) & 15);
    return textured(s) && bit(s->debug_b, 24) && (!bit(s->debug_a, 24) || divided) && ((s->type & 15) == 14 || !whole);
}

/* Where relative coordinates begin. */
static uint32_t corner(const struct state *s, unsigned xy, bool fraction) {
    int64_t at = number(s->canvas[0][xy], 0, 16);
    return (uint32_t)(fraction && textured(s) && bit(s->b[0], 25) ? at * 16 : at);
}

static void vertex_nv1(struct state *s, unsigned xy, unsigned n, bool relative, uint32_t word) {
    uint32_t base = corner(s, xy, true);
    uint64_t sum = relative ? (uint64_t)word + base : word;
    unsigned slot = relative ? n % 4 : 0;
    int64_t limits[2];
    s->vtx[xy][n] = (uint32_t)sum;
    limits_nv1(s, xy, limits);
    uint32_t status = against(place_nv1(s, (uint32_t)sum), limits[0], limits[1]);
    bool edge = has_edge(s);
    set_bit(&s->d[xy], slot, sum >> 32);
    set_bit(&s->d[xy], slot + 4, !textured(s) && !fits_16((uint32_t)sum));
    if (s->type == 8) {
        set_nibble(&s->d[xy], 8, status);
        set_nibble(&s->d[xy], 12, status);
    } else if (n < 16 || edge)
        set_nibble(&s->d[xy], 8 + 4 * slot, status);
    if (n >= 16)
        set_nibble(&s->e, 16 + 4 * xy + 8 * (n - 16), status);
}

static void image_limit_nv1(struct state *s, unsigned xy, bool relative, uint32_t word) {
    uint32_t sum = word + (relative ? corner(s, xy, true) : 0);
    struct state without = *s;
    int64_t limits[2];
    without.b[0] &= ~(1u << 14 | 1u << 18);
    limits_nv1(&without, xy, limits);
    bool inside = place_nv1(s, sum) <= limits[1], below = place_nv1(s, sum) < limits[0];
    s->iclip[xy] = sum & 0x3ffff;
    set_bit(&s->b[0], 14, xy == 0 && inside);
    set_bit(&s->b[0], 18, xy == 1 && inside);
    set_bit(&s->b[0], 20, xy == 0 && inside);
    set_bit(&s->b[0], 4 + xy, below);
}

static void user_limit_nv1(struct state *s, unsigned xy, unsigned max, bool relative, uint32_t word) {
    uint32_t sum = word + (relative ? corner(s, xy, false) : 0);
    int64_t low = number(s->canvas[0][xy], 0, 16) < 0 ? 0 : s->canvas[0][xy] & 0xfff;
    s->uclip[0][xy][0] = s->uclip[0][xy][1];
    s->uclip[0][xy][1] = sum & 0x3ffff;
    s->vtx[xy][15] = sum;
    s->b[0] &= ~0x177000u;
    if (!max) {
        set_bit(&s->b[0], 24, false);
        return;
    }
    int64_t at = number(s->uclip[0][xy][1], 0, 18);
    if (textured(s) && bit(s->b[0], 25))
        at >>= 4;
    set_bit(&s->b[0], 4 + xy, false);
    set_bit(&s->b[0], 8 + xy, at < low || (bit(s->d[xy], 10) && at >= 0));
    set_bit(&s->b[0], 12 + 4 * xy, !bit(s->d[xy], 8));
    set_bit(&s->b[0], 13 + 4 * xy, at <= (int64_t)(s->canvas[1][xy] & 0xfff));
}

/* ---- NV3 ---- */

static void limits_nv3(const struct round *r, unsigned xy, int64_t limits[2]) {
    const struct state *s = &r->s;
    unsigned own = s->type == 0x0c || s->type == 0x0e || s->type == 0x15;
    for (unsigned m = 0; m < 2; m++) {
        bool tighter = bit(s->b[own], 12 + 4 * xy + m) && (own || s->clips);
        limits[m] = tighter ? s->uclip[own][xy][m] : s->canvas[m][xy];
        limits[m] &= xy == 0 ? 0x7ff : r->nv3t ? 0x7fff : 0x3fff;
    }
}

static int64_t place_nv3(const struct state *s, uint32_t word) {
    return s->type == 0x17 ? number(word, 4, 12) : number(word, 0, 18);
}

static bool shows_range(uint32_t type) {
    static const uint8_t types[] = {8, 9, 0xa, 0xb, 0xc, 0xe, 0x10, 0x11, 0x12, 0x14, 0x15};
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i] == type)
            return true;
    return false;
}

static void vertex_nv3(struct round *r, unsigned xy, unsigned n, uint32_t word) {
    struct state *s = &r->s;
    int64_t limits[2];
    s->vtx[xy][n] = word;
    limits_nv3(r, xy, limits);
    uint32_t status = against(place_nv3(s, word), limits[0], limits[1]);
    if (shows_range(s->type)) {
        set_bit(&s->d[xy], 0, false);
        set_bit(&s->d[xy], 4, s->type != 0x15 && !fits_16(word));
    }
    if (s->type == 8 || s->type == 0x18)
        s->status[xy][0] = (s->status[xy][0] & ~0xffu) | status << 4 | status;
    else
        set_nibble(&s->status[xy][1], 0, status);
}

static void image_limit_nv3(struct round *r, unsigned xy, uint32_t word) {
    struct state *s = &r->s;
    int64_t limits[2], at = place_nv3(s, word);
    limits_nv3(r, xy, limits);
    s->iclip[xy] = word & 0x3ffff;
    for (unsigned i = 0; i < 2; i++) {
        set_bit(&s->b[i], 14, xy == 0 && at <= limits[1]);
        set_bit(&s->b[i], 18, xy == 1 && at <= limits[1]);
        set_bit(&s->b[i], 20, xy == 0 && at <= limits[1]);
        set_bit(&s->b[i], 4 + xy, at < limits[0]);
    }
}

static void user_limit_nv3(struct round *r, unsigned which, unsigned xy, unsigned max, uint32_t word) {
    struct state *s = &r->s;
    int64_t limits[2], at = place_nv3(s, word & 0x3ffff);
    s->uclip[which][xy][0] = s->uclip[which][xy][1];
    s->uclip[which][xy][1] = word & 0x3ffff;
    s->vtx[xy][13] = word;
    s->b[which] &= ~0x177000u;
    if (!max)
        return;
    limits_nv3(r, xy, limits);
    set_bit(&s->b[which], 4 + xy, false);
    set_bit(&s->b[which], 8 + xy, at < limits[0] || (bit(s->status[xy][0], 2) && at >= 0));
    set_bit(&s->b[which], 12 + 4 * xy, !bit(s->status[xy][0], 0));
    set_bit(&s->b[which], 13 + 4 * xy, at <= limits[1]);
}

/* ---- registers ---- */

typedef void (*each_word)(struct round *r, uint32_t offset, uint32_t *word, uint32_t bits);

/* In an order in which a write does not disturb what was written before. */
static void each_nv1(struct round *r, each_word call) {
    struct state *s = &r->s;
    for (unsigned xy = 0; xy < 2; xy++) {
        call(r, 0x400450 + 4 * xy, &s->iclip[xy], 0x3ffff);
        call(r, 0x400460 + 8 * xy, &s->uclip[0][xy][0], 0x3ffff);
        call(r, 0x400464 + 8 * xy, &s->uclip[0][xy][1], 0x3ffff);
    }
    for (unsigned n = 0; n < 36; n++)
        call(r, 0x400400 + 0x80 * (n % 2) + 4 * (n / 2), &s->vtx[n % 2][n / 2], ~0u);
    call(r, 0x400644, &s->b[0], 0x03177331);
    call(r, 0x400648, &s->d[0], 0x30ffffff);
    call(r, 0x40064c, &s->d[1], 0x30ffffff);
    call(r, 0x400658, &s->divided, 0xffff00ff);
    call(r, 0x40065c, &s->e, 0xffff0113);
    call(r, 0x400080, &s->debug_a, 0x11111110);
    call(r, 0x400084, &s->debug_b, 0x31111100);
}

static void each_nv3(struct round *r, each_word call) {
    static const uint32_t base[2] = {0x40053c, 0x400560};
    struct state *s = &r->s;
    for (unsigned i = 0; i < 8; i++)
        call(r, base[i / 4] + 4 * (i % 2) + 8 * (i / 2 % 2), &s->uclip[i / 4][i % 2][i / 2 % 2], 0x3ffff);
    for (unsigned xy = 0; xy < 2; xy++)
        call(r, 0x400534 + 4 * xy, &s->iclip[xy], 0x3ffff);
    for (unsigned n = 0; n < 64; n++)
        call(r, 0x400400 + 0x80 * (n % 2) + 4 * (n / 2), &s->vtx[n % 2][n / 2], ~0u);
    for (unsigned i = 0; i < 2; i++) {
        call(r, 0x400518 + 4 * i, &s->b[i], 0x0f177331);
        call(r, 0x400500 + 4 * i, &s->d[i], 0x300000ff);
        call(r, 0x400524 + 8 * i, &s->status[i][0], ~0u);
        call(r, 0x400528 + 8 * i, &s->status[i][1], ~0u);
    }
}

static uint32_t any_word(struct round *r) {
    uint32_t word = choice_word(r->choice);
    switch (choice_below(r->choice, 4)) {
    case 0:
        return word & 0xfff;
    case 1:
        return (uint32_t)number(word, 0, 18);
    default:
        return word;
    }
}

static void fill(struct round *r, uint32_t offset, uint32_t *word, uint32_t bits) {
    *word = any_word(r) & bits;
    wr(r->gpu, offset, *word);
}

static bool agrees;

static void compare(struct round *r, uint32_t offset, uint32_t *word, uint32_t bits) {
    (void)bits;
    if (rd(r->gpu, offset) == *word)
        return;
    fprintf(stderr, "# %s, type %02x: %06x is %08x, not %08x\n", r->chip, (unsigned)r->s.type, (unsigned)offset,
            (unsigned)rd(r->gpu, offset), (unsigned)*word);
    agrees = false;
}

/* The canvas; the type; does the object clip? */
static void begin(struct round *r) {
    struct state *s = &r->s;
    uint32_t types[] = {choice_below(r->choice, 32), 0x08, 0x0d, 0x0e, 0x17, 0x15};
    uint32_t low = choice_word(r->choice), high = choice_word(r->choice);
    s->type = types[choice_below(r->choice, COUNT(types))];
    s->clips = choice_below(r->choice, 2);
    if (r->nv1) {
        wr(r->gpu, 0x4006a4, 0x0f000111 | s->type << 12);
        wr(r->gpu, 0x400180, s->clips << 7);
        wr(r->gpu, 0x400688, low);
        wr(r->gpu, 0x40068c, high &= 0x0fff0fff);
        each_nv1(r, fill);
    } else {
        low &= r->nv3t ? 0x7fff07ff : 0x3fff07ff;
        high &= r->nv3t ? 0x7fff07ff : 0x3fff07ff;
        wr(r->gpu, 0x400194, s->type << 16);
        wr(r->gpu, 0x400180, s->clips << 15);
        wr(r->gpu, 0x400558, low);
        wr(r->gpu, 0x40055c, high);
        each_nv3(r, fill);
    }
    for (unsigned xy = 0; xy < 2; xy++) {
        s->canvas[0][xy] = low >> 16 * xy & 0xffff;
        s->canvas[1][xy] = high >> 16 * xy & 0xffff;
    }
}

/* A value that meets a limit now and then. */
static uint32_t likely_word(struct round *r, unsigned xy) {
    const uint32_t places[] = {r->s.uclip[0][xy][0], r->s.uclip[0][xy][1], r->s.uclip[1][xy][0], r->s.iclip[xy],
                               r->s.canvas[0][xy],   r->s.canvas[1][xy],   0xffff8000,           0x7fff};
    uint32_t place = places[choice_below(r->choice, COUNT(places))];
    return choice_once_in(r->choice, 2) ? any_word(r) : place + choice_below(r->choice, 3) - 1;
}

static void write_nv1(struct round *r, unsigned xy, uint32_t word) {
    unsigned what = choice_below(r->choice, 4), max = choice_below(r->choice, 2), relative = choice_below(r->choice, 2);
    unsigned n = choice_once_in(r->choice, 3) ? 16 + max : choice_below(r->choice, 18);
    if (what == 0) {
        wr(r->gpu, 0x400460 + 0x100 * relative + 8 * xy + 4 * max, word);
        user_limit_nv1(&r->s, xy, max, relative, word);
    } else if (what == 1) {
        wr(r->gpu, 0x400450 + 0x100 * relative + 4 * xy, word);
        image_limit_nv1(&r->s, xy, relative, word);
    } else {
        wr(r->gpu, 0x400400 + 0x100 * relative + 0x80 * xy + 4 * n, word);
        vertex_nv1(&r->s, xy, n, relative, word);
    }
}

static void write_nv3(struct round *r, unsigned xy, uint32_t word) {
    unsigned what = choice_below(r->choice, 3), max = choice_below(r->choice, 2), which = choice_below(r->choice, 2);
    unsigned n = choice_below(r->choice, 32);
    if (what == 0) {
        wr(r->gpu, (which ? 0x400560 : 0x40053c) + 4 * xy + 8 * max, word);
        user_limit_nv3(r, which, xy, max, word);
    } else if (what == 1) {
        wr(r->gpu, 0x400534 + 4 * xy, word);
        image_limit_nv3(r, xy, word);
    } else {
        wr(r->gpu, 0x400400 + 0x80 * xy + 4 * n, word);
        vertex_nv3(r, xy, n, word);
    }
}

/* XY_B is read first: reads of limits of NV1 change it. */
static void check(struct round *r) {
    agrees = true;
    if (r->nv1) {
        compare(r, 0x400644, &r->s.b[0], 0);
        r->s.b[0] &= ~0xfff000u;
        rd(r->gpu, 0x400460);
        each_nv1(r, compare);
    } else
        each_nv3(r, compare);
}

static bool play(struct choice *choice, FILE *report) {
    static const char *const chips[] = {"NV1", "NV1", "NV3", "NV3T"};
    struct round r = {.choice = choice, .chip = chips[choice_below(choice, COUNT(chips))]};
    (void)report;
    r.gpu = nv3_make(r.chip);
    r.nv1 = is_nv1(r.gpu);
    r.nv3t = strcmp(r.chip, "NV3T") == 0;
    begin(&r);
    unsigned xy = choice_below(choice, 2);
    uint32_t word = likely_word(&r, xy);
    if (r.nv1)
        write_nv1(&r, xy, word);
    else
        write_nv3(&r, xy, word);
    check(&r);
    pfifo_gpu_free(r.gpu);
    return agrees;
}

static void a_coordinate_is_compared_when_it_is_written(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, ROUNDS), 0);
}

/* By hand: a canvas of 100 x 50, and a rectangle in it. */
static void limits_of_a_rectangle_in_the_canvas_are_tighter(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV1");
    (void)state;
    wr(gpu, 0x4006a4, 0x0f00c111); /* a rectangle */
    wr(gpu, 0x400180, 1u << 7);
    wr(gpu, 0x40068c, 49u << 16 | 99);
    wr(gpu, 0x400460, 10);
    wr(gpu, 0x400464, 20);
    assert_int_equal(rd(gpu, 0x400644), 0x3000);
    wr(gpu, 0x400400, 9); /* below the minimum, on it, on the maximum, above it, out of range */
    assert_int_equal(rd(gpu, 0x400648), 0x100);
    wr(gpu, 0x400400, 10);
    assert_int_equal(rd(gpu, 0x400648), 0x200);
    wr(gpu, 0x400400, 20);
    assert_int_equal(rd(gpu, 0x400648), 0x800);
    wr(gpu, 0x400400, 21);
    assert_int_equal(rd(gpu, 0x400648), 0x400);
    wr(gpu, 0x400400, 0x8000);
    assert_int_equal(rd(gpu, 0x400648), 0x410);
    pfifo_gpu_free(gpu);
}

static void a_read_of_a_limit_of_nv1_forgets_what_is_tighter(void **state) {
    static const uint32_t limits[] = {0x400460, 0x400464, 0x400468, 0x40046c};
    struct pfifo_gpu *gpu = nv3_make("NV1");
    (void)state;
    for (size_t i = 0; i < COUNT(limits); i++) {
        wr(gpu, 0x400644, ~0u);
        assert_int_equal(rd(gpu, 0x400644), 0x03177331);
        rd(gpu, 0x400450);
        assert_int_equal(rd(gpu, 0x400644), 0x03177331);
        rd(gpu, limits[i]);
        assert_int_equal(rd(gpu, 0x400644), 0x03000331);
    }
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coordinate_is_compared_when_it_is_written),
        cmocka_unit_test(limits_of_a_rectangle_in_the_canvas_are_tighter),
        cmocka_unit_test(a_read_of_a_limit_of_nv1_forgets_what_is_tighter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
