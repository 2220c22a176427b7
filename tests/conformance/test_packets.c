/* SPDX-License-Identifier: MIT */
/*
 * What a word of the pushbuffer means: each form with its mask, on each chip, and what it does to the state.
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst
 */
#include "rig.h"

#define HERE 0x1000u

enum form { INCREASING, NONINCREASING, OLD, NEW, CALLED, RETURNED, CONDITION, INVALID };

/* In the documented order. */
static enum form form_of(const struct rig *rig, uint32_t word, bool sli) {
    bool calls = on(rig, "NV1A-");
    if ((word & 0xe0000003) == 0x20000000)
        return OLD;
    if ((word & 3) == 1 && calls)
        return NEW;
    if ((word & 3) == 2 && calls)
        return CALLED;
    if (word == 0x00020000 && calls)
        return RETURNED;
    if ((word & 0xe0030003) == 0)
        return INCREASING;
    if ((word & 0xe0030003) == 0x40000000 && on(rig, "NV10-"))
        return NONINCREASING;
    if ((word & 0xffff0003) == 0x00010000 && rig->nv40 && sli)
        return CONDITION;
    return INVALID;
}

/* The channel stands before one word, in or out of a subroutine. */
static void stand_before(struct rig *rig, uint32_t word, bool inside) {
    wr(rig, CACHES, 0);
    wr(rig, DMA_STATE, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, DCOUNT, 0x40);
    if (on(rig, "NV5-")) {
        wr(rig, JMP_SHADOW, 0x60);
        wr(rig, RSVD_SHADOW, 0);
    }
    if (on(rig, "NV1A:NV40"))
        wr(rig, SUBROUTINE, inside ? 0x2001 : 0x2000);
    if (rig->nv40) {
        wr(rig, SUBROUTINE, 0x2000);
        wr(rig, DMA_STATE, inside ? 1u << 17 : 0);
    }
    wr(rig, INTR, ~0u);
    system_wr(rig, (1 << 20) + HERE, word);
    wr(rig, DMA_GET, HERE);
    wr(rig, DMA_PUT, HERE + 4);
}

static bool inside_now(struct rig *rig) {
    if (rig->nv40)
        return rd(rig, DMA_STATE) >> 17 & 1;
    return on(rig, "NV1A-") && rd(rig, SUBROUTINE) & 1;
}

static void expect_error(struct rig *rig, uint32_t code) {
    static const uint32_t of_nv4[] = {0, 0, 1, 0, 2, 0, 3};
    uint32_t wanted = on(rig, "NV4") ? of_nv4[code] : code;
    if (pusher_error(rig) != wanted)
        fail_msg("error is %u, not %u", pusher_error(rig), wanted);
    expect_reg(rig, INTR, code ? I_DMA_PUSHER : 0);
    assert_int_equal(rd(rig, DMA_PUSH) >> 12 & 1, code != 0);
}

static void one_word(struct rig *rig, uint32_t word, bool inside, bool sli) {
    enum form form = form_of(rig, word, sli);
    uint32_t error = 0, get = HERE + 4, state = 0, jump = 0x60, back = 0x2000, dcount = 0x40;
    bool still_inside = inside;
    stand_before(rig, word, inside);
    rig_run_for(rig, 1);
    switch (form) {
    case INCREASING:
    case NONINCREASING:
        state = (word & 0x1ffcfffc) | (form == NONINCREASING);
        dcount = 0;
        break;
    case OLD:
    case NEW:
        get = form == OLD ? word & 0x1ffffffc : word & 0xfffffffc;
        jump = HERE + 4;
        break;
    case CALLED:
        error = inside ? 1 : 0;
        get = inside ? get : word & 0xfffffffc;
        back = inside ? back : HERE + 4;
        still_inside = true;
        break;
    case RETURNED:
        error = inside ? 0 : 3;
        get = inside ? 0x2000 : get;
        still_inside = false;
        break;
    case CONDITION:
        break;
    case INVALID:
        error = 4;
        break;
    }
    expect_error(rig, error);
    expect_reg(rig, DMA_GET, get);
    assert_int_equal(rd(rig, DMA_STATE) & 0x1ffcfffd, state);
    assert_int_equal(inside_now(rig), still_inside);
    expect_reg(rig, DCOUNT, dcount);
    if (on(rig, "NV5-")) {
        expect_reg(rig, JMP_SHADOW, jump);
        expect_reg(rig, RSVD_SHADOW, word);
    }
    if (on(rig, "NV1A-"))
        assert_int_equal(rd(rig, SUBROUTINE) & ~1u, back);
}

/* Words of all kinds of upper and lower bits, with middles that are empty, full and mixed. */
static void all_words(struct rig *rig, bool inside, bool sli) {
    static const uint32_t middles[] = {0,          0x1ffcfffc, 0x00040100, 0x0a5c3c34, 0x00001ffc,
                                       0x0000e000, 0x1ffc0000, 0x00000004, 0x0000fff0};
    for (uint32_t top = 0; top < 8; top++)
        for (uint32_t bits = 0; bits < 4; bits++)
            for (uint32_t low = 0; low < 4; low++)
                for (size_t i = 0; i < COUNT_OF(middles); i++)
                    one_word(rig, top << 29 | bits << 16 | low | middles[i], inside, sli);
}

static void every_word_has_its_form(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    all_words(rig, false, rig->nv40);
}

static void every_word_has_its_form_in_a_subroutine(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    all_words(rig, true, rig->nv40);
}

static void without_sli_its_word_is_invalid(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, SLI_REG, 0x10000fff);
    for (uint32_t mask = 0; mask < 0x1000; mask += 0x111)
        one_word(rig, SLI(mask), false, false);
}

/* Each bit alone that no form has. */
static void one_bit_too_many_is_invalid(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    static const uint32_t words[] = {INC(0, 0, 1), NONINC(1, 0x100, 2), RETURN, SLI(0)};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        for (uint32_t bit = 0; bit < 32; bit++)
            one_word(rig, words[i] ^ 1u << bit, false, rig->nv40);
}

/* ---- data words ---- */

static void increasing_methods_advance_and_wrap_after_the_last(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_open_bound(rig);
    wr(rig, rig->c1.pull0, 0);
    uint32_t slot = rd(rig, rig->c1.put) >> 2;
    push(rig, INC(0, 0x1ff8, 3), 10, 11, 0xbeef0001);
    rig_go(rig);
    expect_reg(rig, rig->c1.entry + 8 * slot, 0x1ff8);
    expect_reg(rig, rig->c1.entry + 8 * slot + 8, 0x1ffc);
    expect_reg(rig, rig->c1.entry + 8 * slot + 16, 0);
    assert_int_equal(rd(rig, DMA_STATE), 4); /* method 4, nothing left */
    expect_reg(rig, DCOUNT, 12);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    expect_methods(rig, {0, 0x1ff8, 10}, {0, 0x1ffc, 11}, {0, 0, instance});
}

static void nonincreasing_methods_stay(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    push(rig, NONINC(0, 0x1ffc, 3), 10, 11, 12, NONINC(0, 0x200, 0), INC(0, 0x204, 0));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x1ffc, 10}, {0, 0x1ffc, 11}, {0, 0x1ffc, 12});
    expect_reg(rig, DMA_STATE, 0x204);
    expect_reg(rig, DCOUNT, 0);
}

/* Word by word: what the registers show within a packet. */
static void the_state_within_a_packet(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t start = rig->pushed[1];
    push(rig, INC(0, 0x300, 3), 0x1111, 0x2222, 0x3333);
    wr(rig, rig->c1.pull0, 0);
    rig_submit(rig, 1);
    for (uint32_t words = 1; words <= 4; words++) {
        rig_run_for(rig, 1);
        expect_reg(rig, DMA_GET, start + 4 * words);
        expect_reg(rig, DMA_STATE, INC(0, 0x300 + 4 * (words - 1), 4 - words));
        expect_reg(rig, DCOUNT, 4 * (words - 1));
        assert_int_equal(cache_entries(rig), words - 1);
        if (!on(rig, "NV5-"))
            continue;
        expect_reg(rig, RSVD_SHADOW, INC(0, 0x300, 3));
        if (words > 1)
            expect_reg(rig, DATA_SHADOW, 0x1111 * (words - 1));
    }
}

/* Known low methods; others are an error at their data, not at the header. */
static void low_methods_pass_if_the_puller_knows_them(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t method = 0; method < 0x100; method += 4) {
        bool known = method == 0 || (method == 0x50 && on(rig, "NV10-")) ||
                     (method >= 0x60 && method < 0x70 && on(rig, "NV1A-")) || (method == 0x80 && rig->nv40);
        uint32_t put;
        stand_before(rig, INC(3, method, 2), false);
        wr(rig, rig->c1.get, rd(rig, rig->c1.put));
        put = rd(rig, rig->c1.put);
        system_wr(rig, (1 << 20) + HERE + 4, 0x77);
        wr(rig, DMA_PUT, HERE + 8);
        rig_run_for(rig, 1);
        expect_error(rig, 0);
        rig_run_for(rig, 1);
        expect_error(rig, known ? 0 : 2);
        expect_reg(rig, DMA_GET, HERE + 8);
        assert_int_equal(rd(rig, rig->c1.put) != put, known);
        if (!known)
            assert_int_equal(rd(rig, DMA_STATE) & 0x1ffcfffc, INC(3, method, 2));
        if (!known && on(rig, "NV5-"))
            expect_reg(rig, DATA_SHADOW, 0x77);
    }
}

/* ---- SLI ---- */

static void the_condition_is_the_common_bits_of_the_masks(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    for (uint32_t mine = 0; mine < 0x1000; mine += 0x135)
        for (uint32_t mask = 0; mask < 0x1000; mask += 0x0f7)
            for (uint32_t ignored = 0; ignored < 16; ignored += 4) {
                stand_before(rig, SLI(mask) | ignored, false);
                wr(rig, SLI_REG, 0x20000000 | mine);
                rig_run_for(rig, 1);
                expect_reg(rig, SLI_REG, 0x20000000 | mine | (mine & mask ? 1u << 28 : 0));
            }
}

static void an_inactive_gpu_skips_methods_and_follows_jumps(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, SLI_REG, 0x30000001);
    uint32_t there = rig->pushed[1];
    push(rig, SLI(2), INC(0, 0x200, 2), 1, 2, INC(0, 0, 1), 0xbad, JUMP(there + 36), 0xffffffff, 0xffffffff,
         INC(0, 0x300, 1), 3, SLI(1), INC(0, 0x304, 1), 4);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x304, 4});
    expect_reg(rig, DCOUNT, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(every_word_has_its_form),
        FROM_NV1A(every_word_has_its_form_in_a_subroutine),
        FROM_NV40(without_sli_its_word_is_invalid),
        FROM_NV4(one_bit_too_many_is_invalid),
        FROM_NV4(increasing_methods_advance_and_wrap_after_the_last),
        FROM_NV10(nonincreasing_methods_stay),
        FROM_NV4(the_state_within_a_packet),
        FROM_NV4(low_methods_pass_if_the_puller_knows_them),
        FROM_NV40(the_condition_is_the_common_bits_of_the_masks),
        FROM_NV40(an_inactive_gpu_skips_methods_and_follows_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
