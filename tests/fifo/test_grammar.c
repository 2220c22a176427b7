/* SPDX-License-Identifier: MIT */
/* What every pushbuffer word means in every grammar, and that the three ways to ask agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "grammar/grammar.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct grammar *const grammars[] = {
    &grammar_nv4, &grammar_nv10, &grammar_nv1a, &grammar_nv40, &grammar_g80, &grammar_gf100, &grammar_gv100,
};

static const unsigned modes[] = {
    0, GRAMMAR_DMA, GRAMMAR_IB, GRAMMAR_DMA | GRAMMAR_SLI, GRAMMAR_IB | GRAMMAR_SLI, GRAMMAR_IB | GRAMMAR_OLD,
};

static enum grammar_form form_of(const struct grammar *grammar, unsigned mode, uint32_t word) {
    struct grammar_word out;

    return grammar_decode(grammar, mode, word, &out);
}

/* One row per word, one column per grammar (DMA mode, SLI on): '.' is an error. */
static const struct {
    uint32_t word;
    const char forms[8]; /* nv4 nv10 nv1a nv40 g80-dma gf100 gv100 */
} form_table[] = {
    /* I increasing, N non-increasing, O increase once, L long, V immediate, o old jump, j jump, c call,
     * r return, s SLI conditional, S set, T store, U use, E end of segment, 0 no-op */
    {0x00000000, "IIIII00"}, {0x00040100, "IIIII.."}, {0x1ffcfffc, "IIIII.."}, {0x00000004, "IIIII.."},
    {0x40000000, ".NNNN.."}, {0x5ffcfffc, ".NNNN.."}, {0x20000000, "oooooII"}, {0x3ffffffc, "oooooII"},
    {0x20000001, "..jjjII"}, {0x00000001, "..jjj.."}, {0xfffffffd, "..jjjEE"}, {0x00000002, "..ccc.."},
    {0xfffffffe, "..cccEE"}, {0x20000002, "..cccII"}, {0x00000003, "......."}, {0x20000003, ".....II"},
    {0xffffffff, ".....EE"}, {0x00020000, "..rrrTT"}, {0x00020004, ".....TT"}, {0x00020010, ".....TT"},
    {0x00010000, "...ssSS"}, {0x0001fffc, "...ssSS"}, {0x00010001, "..jjjSS"}, {0x00050010, "......."},
    {0x00030000, ".....UU"}, {0x00030003, ".....UU"}, {0x00070000, "......."}, {0x60000000, ".....NN"},
    {0x7fffffff, ".....NN"}, {0x80000000, ".....VV"}, {0x9fffffff, ".....VV"}, {0xa0000000, ".....OO"},
    {0xbfffffff, ".....OO"}, {0xc0000000, "......."}, {0xdffffffc, "......."}, {0xdfffffff, "......."},
    {0xe0000000, ".....EE"}, {0xfffffffc, ".....EE"}, {0x40010000, "......."}, {0x40020000, "......."},
    {0x40030000, "......."}, {0x00060000, "......."},
};

static char letter_of(enum grammar_form form) {
    static const char letters[FORM_COUNT + 1] = ".0INOLVojcrsSTUE";

    return letters[form];
}

static void each_word_has_the_published_form_on_each_generation(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(form_table); i++)
        for (size_t g = 0; g < COUNT_OF(grammars); g++) {
            char found = letter_of(form_of(grammars[g], GRAMMAR_DMA | GRAMMAR_SLI, form_table[i].word));
            if (found != form_table[i].forms[g])
                fail_msg("%s: word %08x is '%c', expected '%c'", grammars[g]->name, form_table[i].word, found,
                         form_table[i].forms[g]);
        }
}

static void ib_mode_of_g80_has_no_jumps_but_long_headers(void **state) {
    (void)state;
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x20001000), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00001001), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00001002), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00020000), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00030000), FORM_LONG_NONINCREASING);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_DMA, 0x00030000), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00070000), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00040100), FORM_INCREASING);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x40040100), FORM_NONINCREASING);
}

static void sli_conditional_needs_sli(void **state) {
    (void)state;
    assert_int_equal(form_of(&grammar_nv40, 0, 0x00010010), FORM_INVALID);
    assert_int_equal(form_of(&grammar_nv40, GRAMMAR_SLI, 0x00010010), FORM_SLI_CONDITIONAL);
    assert_int_equal(form_of(&grammar_nv1a, GRAMMAR_SLI, 0x00010010), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB, 0x00010010), FORM_INVALID);
    assert_int_equal(form_of(&grammar_g80, GRAMMAR_IB | GRAMMAR_SLI, 0x00010010), FORM_SLI_CONDITIONAL);
}

static void old_forms_of_gf100_need_permission_and_gv100_has_none(void **state) {
    struct grammar_word out;

    (void)state;
    assert_int_equal(grammar_decode(&grammar_gf100, GRAMMAR_OLD, 0x1ffc1ffc, &out), FORM_INCREASING);
    assert_int_equal(out.count, 0x7ff);
    assert_int_equal(out.method, 0x1ffc);
    assert_int_equal(form_of(&grammar_gf100, GRAMMAR_OLD, 0x40042000), FORM_NONINCREASING);
    assert_int_equal(form_of(&grammar_gf100, 0, 0x40042000), FORM_INVALID);
    assert_int_equal(form_of(&grammar_gv100, GRAMMAR_OLD, 0x40042000), FORM_INVALID);
    assert_int_equal(form_of(&grammar_gv100, GRAMMAR_OLD, 0x00042000), FORM_INVALID);
}

static void the_all_zero_word_of_gf100_is_a_nop_even_with_old_forms(void **state) {
    (void)state;
    assert_int_equal(form_of(&grammar_gf100, GRAMMAR_OLD, 0), FORM_NOP);
    assert_int_equal(form_of(&grammar_gf100, GRAMMAR_OLD, 4), FORM_INCREASING);
    assert_int_equal(form_of(&grammar_gf100, 0, 4), FORM_INVALID);
}

static void check_word(const struct grammar *grammar, unsigned mode, uint32_t word, struct grammar_word expected) {
    struct grammar_word out;

    memset(&out, 0xff, sizeof out);
    grammar_decode(grammar, mode, word, &out);
    assert_int_equal(out.form, expected.form);
    assert_int_equal(out.subchannel, expected.subchannel);
    assert_int_equal(out.method, expected.method);
    assert_int_equal(out.count, expected.count);
    assert_int_equal(out.target, expected.target);
    assert_int_equal(out.data, expected.data);
}

static void fields_are_where_the_layouts_say(void **state) {
    (void)state;
    /* Each field all ones and the rest zero, so that a shift by one is seen. */
    check_word(&grammar_nv4, 0, 0x1ffc0000, (struct grammar_word){.form = FORM_INCREASING, .count = 0x7ff});
    check_word(&grammar_nv4, 0, 0x0000e000, (struct grammar_word){.form = FORM_INCREASING, .subchannel = 7});
    check_word(&grammar_nv4, 0, 0x00001ffc, (struct grammar_word){.form = FORM_INCREASING, .method = 0x1ffc});
    check_word(&grammar_nv10, 0, 0x4004a104,
               (struct grammar_word){.form = FORM_NONINCREASING, .count = 1, .subchannel = 5, .method = 0x104});
    check_word(&grammar_nv4, 0, 0x3ffffffc, (struct grammar_word){.form = FORM_OLD_JUMP, .target = 0x1ffffffc});
    check_word(&grammar_nv1a, 0, 0xfffffffd, (struct grammar_word){.form = FORM_JUMP, .target = 0xfffffffc});
    check_word(&grammar_nv1a, 0, 0x12345676, (struct grammar_word){.form = FORM_CALL, .target = 0x12345674});
    check_word(&grammar_nv1a, 0, 0x00020000, (struct grammar_word){.form = FORM_RETURN});
    check_word(&grammar_nv40, GRAMMAR_SLI, 0x0001fffc,
               (struct grammar_word){.form = FORM_SLI_CONDITIONAL, .data = 0xfff});
    check_word(&grammar_g80, GRAMMAR_IB, 0x0003fffc,
               (struct grammar_word){.form = FORM_LONG_NONINCREASING, .subchannel = 7, .method = 0x1ffc});
    check_word(&grammar_gf100, 0, 0x3fff0000, (struct grammar_word){.form = FORM_INCREASING, .count = 0x1fff});
    check_word(&grammar_gf100, 0, 0x2000e000, (struct grammar_word){.form = FORM_INCREASING, .subchannel = 7});
    check_word(&grammar_gf100, 0, 0x20000fff, (struct grammar_word){.form = FORM_INCREASING, .method = 0x3ffc});
    check_word(&grammar_gf100, 0, 0x20001000, (struct grammar_word){.form = FORM_INCREASING});
    check_word(&grammar_gf100, 0, 0xa0024041,
               (struct grammar_word){.form = FORM_INCREASE_ONCE, .count = 2, .subchannel = 2, .method = 0x104});
    check_word(&grammar_gf100, 0, 0x9fff0001,
               (struct grammar_word){.form = FORM_IMMEDIATE, .data = 0x1fff, .method = 4});
    check_word(&grammar_gf100, 0, 0x0001ffff, (struct grammar_word){.form = FORM_SET_SUBDEVICE, .data = 0xfff});
    check_word(&grammar_gf100, 0, 0x0002001f, (struct grammar_word){.form = FORM_STORE_SUBDEVICE, .data = 1});
    check_word(&grammar_gf100, 0, 0x0003ffff, (struct grammar_word){.form = FORM_USE_SUBDEVICE});
    check_word(&grammar_gf100, 0, 0xffffffff, (struct grammar_word){.form = FORM_END_SEGMENT});
    check_word(&grammar_gf100, 0, 0xdfffffff, (struct grammar_word){.form = FORM_INVALID});
}

/* Every key, with the other bits pseudo-random and biased to few ones: exact matches are rare otherwise. */
static uint32_t sample_word(uint64_t *seed, uint32_t i) {
    uint32_t key = i & 127, random, mask;

    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    random = (uint32_t)(*seed >> 32);
    mask = (i >> 7 & 3) == 0 ? 0 : (i >> 7 & 3) == 1 ? (uint32_t)*seed & random : UINT32_MAX;
    return (random & mask & ~0xe0030003u) | (key >> 4) << 29 | (key >> 2 & 3) << 16 | (key & 3);
}

static void index_and_rows_agree(const struct grammar *grammar, unsigned mode) {
    struct grammar_index index;
    uint64_t seed = 1;

    grammar_make_index(grammar, mode, &index);
    for (uint32_t i = 0; i < 1u << 18; i++) {
        uint32_t word = sample_word(&seed, i);
        uint8_t row = index.row[grammar_key(word)];
        enum grammar_form form = form_of(grammar, mode, word);

        assert_int_equal(grammar_key(word), i & 127);
        if (row == GRAMMAR_SLOW)
            continue;
        assert_true(row < grammar->count);
        if (grammar->rows[row].form != form || (word & grammar->rows[row].mask) != grammar->rows[row].match)
            fail_msg("%s mode %u word %08x: index says row %u, rows say form %d", grammar->name, mode, word, row, form);
    }
}

static void the_index_never_contradicts_the_rows(void **state) {
    (void)state;
    for (size_t g = 0; g < COUNT_OF(grammars); g++)
        for (size_t m = 0; m < COUNT_OF(modes); m++)
            index_and_rows_agree(grammars[g], modes[m]);
}

static void the_index_decides_method_headers(void **state) {
    struct grammar_index index;

    (void)state;
    grammar_make_index(&grammar_nv4, 0, &index);
    assert_int_not_equal(index.row[grammar_key(0x00040100)], GRAMMAR_SLOW);
    grammar_make_index(&grammar_g80, GRAMMAR_IB, &index);
    assert_int_not_equal(index.row[grammar_key(0x00040100)], GRAMMAR_SLOW);
    assert_int_not_equal(index.row[grammar_key(0x40040100)], GRAMMAR_SLOW);
    assert_int_equal(index.row[grammar_key(0x00030000)], GRAMMAR_SLOW);
    grammar_make_index(&grammar_gf100, 0, &index);
    for (uint32_t low = 0; low < 4; low++) {
        assert_int_not_equal(index.row[grammar_key(0x20010000 | low)], GRAMMAR_SLOW);
        assert_int_not_equal(index.row[grammar_key(0x60030000 | low)], GRAMMAR_SLOW);
        assert_int_not_equal(index.row[grammar_key(0x80020000 | low)], GRAMMAR_SLOW);
        assert_int_not_equal(index.row[grammar_key(0xa0000000 | low)], GRAMMAR_SLOW);
    }
    assert_int_equal(index.row[grammar_key(0)], GRAMMAR_SLOW);
}

static void round_trip(const struct grammar *grammar, unsigned mode, unsigned seen[FORM_COUNT]) {
    uint64_t seed = 2;

    for (uint32_t i = 0; i < 1u << 16; i++) {
        uint32_t word = sample_word(&seed, i), again = 0;
        struct grammar_word first, second;

        if (grammar_decode(grammar, mode, word, &first) == FORM_INVALID) {
            assert_false(grammar_encode(grammar, mode, &first, &again));
            continue;
        }
        assert_true(grammar_encode(grammar, mode, &first, &again));
        grammar_decode(grammar, mode, again, &second);
        assert_int_equal(second.form, first.form);
        assert_int_equal(second.subchannel, first.subchannel);
        assert_int_equal(second.method, first.method);
        assert_int_equal(second.count, first.count);
        assert_int_equal(second.target, first.target);
        assert_int_equal(second.data, first.data);
        seen[first.form]++;
    }
}

static void what_is_decoded_can_be_encoded(void **state) {
    unsigned seen[FORM_COUNT] = {0};

    (void)state;
    for (size_t g = 0; g < COUNT_OF(grammars); g++)
        for (size_t m = 0; m < COUNT_OF(modes); m++)
            round_trip(grammars[g], modes[m], seen);
    for (int form = FORM_INVALID + 1; form < FORM_COUNT; form++)
        if (!seen[form])
            fail_msg("no sample is a %s", grammar_form_name((enum grammar_form)form));
}

static void encode_refuses_what_a_word_cannot_hold(void **state) {
    static const struct {
        const struct grammar *grammar;
        struct grammar_word word;
    } refused[] = {
        {&grammar_nv4, {.form = FORM_INCREASING, .count = 0x800}},
        {&grammar_nv4, {.form = FORM_INCREASING, .method = 0x2000}},
        {&grammar_nv4, {.form = FORM_INCREASING, .method = 2}},
        {&grammar_nv4, {.form = FORM_INCREASING, .subchannel = 8}},
        {&grammar_nv4, {.form = FORM_INCREASING, .data = 1}},
        {&grammar_nv4, {.form = FORM_NONINCREASING}},
        {&grammar_nv4, {.form = FORM_JUMP, .target = 4}},
        {&grammar_nv4, {.form = FORM_OLD_JUMP, .target = 0x20000000}},
        {&grammar_nv4, {.form = FORM_OLD_JUMP, .target = 2}},
        {&grammar_nv4, {.form = FORM_NOP}},
        {&grammar_nv10, {.form = FORM_INCREASE_ONCE}},
        {&grammar_nv1a, {.form = FORM_RETURN, .subchannel = 1}},
        {&grammar_nv40, {.form = FORM_SLI_CONDITIONAL, .data = 1}}, /* without SLI */
        {&grammar_gf100, {.form = FORM_INCREASING, .count = 0x2000}},
        {&grammar_gf100, {.form = FORM_INCREASING, .method = 0x4000}},
        {&grammar_gf100, {.form = FORM_IMMEDIATE, .data = 0x2000}},
        {&grammar_gf100, {.form = FORM_SET_SUBDEVICE, .data = 0x1000}},
        {&grammar_gf100, {.form = FORM_CALL, .target = 4}},
    };
    uint32_t word = 0x5a5a5a5a;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        if (grammar_encode(refused[i].grammar, GRAMMAR_DMA, &refused[i].word, &word))
            fail_msg("row %zu was encoded as %08x", i, word);
    assert_int_equal(word, 0x5a5a5a5a);
}

static void encode_gives_the_published_words(void **state) {
    uint32_t word;

    (void)state;
    assert_true(grammar_encode(
        &grammar_nv4, 0, &(struct grammar_word){.form = FORM_INCREASING, .subchannel = 3, .method = 0x180, .count = 2},
        &word));
    assert_int_equal(word, 0x00086180);
    assert_true(grammar_encode(
        &grammar_gf100, GRAMMAR_OLD,
        &(struct grammar_word){.form = FORM_INCREASING, .subchannel = 3, .method = 0x180, .count = 2}, &word));
    assert_int_equal(word, 0x20026060);
    assert_true(grammar_encode(&grammar_gf100, 0,
                               &(struct grammar_word){.form = FORM_IMMEDIATE, .method = 0x100, .data = 0x1fff}, &word));
    assert_int_equal(word, 0x9fff0040);
    assert_true(grammar_encode(&grammar_nv1a, 0, &(struct grammar_word){.form = FORM_RETURN}, &word));
    assert_int_equal(word, 0x00020000);
}

static void every_form_has_its_own_name(void **state) {
    (void)state;
    for (int a = 0; a < FORM_COUNT; a++) {
        assert_non_null(grammar_form_name((enum grammar_form)a));
        for (int b = 0; b < a; b++)
            assert_string_not_equal(grammar_form_name((enum grammar_form)a), grammar_form_name((enum grammar_form)b));
    }
}

static void method_numbers_are_as_wide_as_the_header_field(void **state) {
    (void)state;
    for (size_t g = 0; g < COUNT_OF(grammars); g++)
        assert_int_equal(grammars[g]->method_bits, g < 5 ? 11 : 12);
}

/*
 * The pushers' loops over whole packets decode the NV4 and the GF100 format with these constants. [doc: envytools
 * docs/hw/fifo/dma-pusher.rst; open-gpu-doc cl906f.h]
 */
static void fields_of_whole_packets_are_those_of_the_table(void **state) {
    struct grammar_word out;

    (void)state;
    assert_int_equal(NV4_COUNT_SHIFT, 18);
    assert_int_equal(NV4_COUNT_BITS, 11);
    assert_int_equal(GF100_COUNT_SHIFT, 16);
    assert_int_equal(GF100_COUNT_BITS, 13);
    assert_int_equal(GF100_METHOD_BITS, 12);
    for (uint32_t bit = 1; bit; bit <<= 1) {
        grammar_decode(&grammar_nv40, GRAMMAR_DMA, NV4_NONINCREASING | (bit & 0x1ffcfffc), &out);
        assert_int_equal(out.form, FORM_NONINCREASING);
        assert_int_equal(out.count, (bit & 0x1ffc0000) >> NV4_COUNT_SHIFT);
        assert_int_equal(out.subchannel, (bit & 0xe000) >> GRAMMAR_SUBCHANNEL_SHIFT);
        assert_int_equal(out.method, (bit & 0x1ffc) >> NV4_METHOD_SHIFT << 2);
        grammar_decode(&grammar_gf100, GRAMMAR_IB, GF100_NONINCREASING | (bit & 0x1fffffff), &out);
        assert_int_equal(out.form, FORM_NONINCREASING);
        assert_int_equal(out.count, (bit & 0x1fff0000) >> GF100_COUNT_SHIFT);
        assert_int_equal(out.subchannel, (bit & 0xe000) >> GRAMMAR_SUBCHANNEL_SHIFT);
        assert_int_equal(out.method, (bit & 0xfff) >> GF100_METHOD_SHIFT << 2);
        grammar_decode(&grammar_gf100, GRAMMAR_IB, GF100_IMMEDIATE | (bit & 0x1fffffff), &out);
        assert_int_equal(out.form, FORM_IMMEDIATE);
        assert_int_equal(out.data, (bit & 0x1fff0000) >> GF100_COUNT_SHIFT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_word_has_the_published_form_on_each_generation),
        cmocka_unit_test(ib_mode_of_g80_has_no_jumps_but_long_headers),
        cmocka_unit_test(sli_conditional_needs_sli),
        cmocka_unit_test(old_forms_of_gf100_need_permission_and_gv100_has_none),
        cmocka_unit_test(the_all_zero_word_of_gf100_is_a_nop_even_with_old_forms),
        cmocka_unit_test(fields_are_where_the_layouts_say),
        cmocka_unit_test(the_index_never_contradicts_the_rows),
        cmocka_unit_test(the_index_decides_method_headers),
        cmocka_unit_test(what_is_decoded_can_be_encoded),
        cmocka_unit_test(encode_refuses_what_a_word_cannot_hold),
        cmocka_unit_test(encode_gives_the_published_words),
        cmocka_unit_test(every_form_has_its_own_name),
        cmocka_unit_test(fields_of_whole_packets_are_those_of_the_table),
        cmocka_unit_test(method_numbers_are_as_wide_as_the_header_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
