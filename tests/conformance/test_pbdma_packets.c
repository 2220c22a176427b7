/* SPDX-License-Identifier: MIT */
/*
 * Words of a segment: the forms of GF100, the old ones, subdevice masks, and what wrong words leave behind.
 *
 * Sources: open-gpu-doc classes/host/cl906f.h .. clc06f.h, manuals/volta/gv100/dev_ram.ref.txt; envytools
 * docs/hw/fifo/dma-pusher.rst, rnndb/fifo/gf100_pfifo.xml.
 */
#include "conformance/pbdma.h"

static struct machine m;

#define CMD_OLD     0x000u
#define CMD_NEW     0x100u
#define CMD_BOTH    0x200u
#define ACTIVE      (1u << 28)
#define CHANNEL_DMA (1u << 29)

#define OLD_INC(subchannel, method, count)     ((count) << 18 | (subchannel) << 13 | (method))
#define OLD_NON_INC(subchannel, method, count) (0x40000000u | OLD_INC(subchannel, method, count))
#define SET_MASK(mask)                         (0x00010000u | (mask) << 4)
#define STORE_MASK(mask)                       (0x00020000u | (mask) << 4)
#define USE_MASK                               0x00030000u

/* A channel whose subchannels 0..4 have an engine. */
static void start_with(const struct channel_class *chip, uint32_t types, uint32_t subdevice) {
    start(&m, chip);
    poke(&m, instance_of(1) + 0x94, subdevice);
    poke(&m, instance_of(1) + 0x9c, types);
    if (chip->host == C906F) {
        poke(&m, instance_of(1) + 0xa4, 0);
        poke(&m, instance_of(1) + 0xa8, 0x1f1f1f00);
    }
}

/* ---- forms ---- */

enum form { OLD, NEW, CONTROL };

/* A word, how it is to be read, and what engines see: (method, data) pairs; data words are 1, 2, 3. */
static const struct form_row {
    const char *name;
    uint32_t word;
    enum form form;
    uint32_t header, left; /* PB_HEADER's type and address after all data, without the level bits; data words */
    uint32_t methods[3][2], method_count;
} forms[] = {
    {"INCR", INC(3, 0x400, 3), NEW, 1u << 29 | 3 << 16 | 0x40c, 3, {{0x400, 1}, {0x404, 2}, {0x408, 3}}, 3},
    {"NON_INCR", NON_INC(2, 0x400, 3), NEW, 3u << 29 | 2 << 16 | 0x400, 3, {{0x400, 1}, {0x400, 2}, {0x400, 3}}, 3},
    {"ONE_INCR", INC_ONCE(1, 0x400, 3), NEW, 3u << 29 | 1 << 16 | 0x404, 3, {{0x400, 1}, {0x404, 2}, {0x404, 3}}, 3},
    {"IMMD", IMMD(4, 0x3ffc, 0x1fff), NEW, 4u << 29 | 4 << 16 | 0x3ffc, 0, {{0x3ffc, 0x1fff}}, 1},
    {"IMMD of 0", IMMD(0, 0x100, 0), NEW, 4u << 29 | 0x100, 0, {{0x100, 0}}, 1},
    {"INCR, bit 12", INC(0, 0x100, 1) | 1 << 12, NEW, 1u << 29 | 0x104, 1, {{0x100, 1}}, 1},
    {"INCR of nothing", INC(3, 0x3ffc, 0), NEW, 1u << 29 | 3 << 16 | 0x3ffc, 0, {{0}}, 0},
    {"NON_INCR of nothing", NON_INC(3, 0x200, 0), NEW, 3u << 29 | 3 << 16 | 0x200, 0, {{0}}, 0},
    {"ONE_INCR of nothing", INC_ONCE(3, 0x3ffc, 0), NEW, 5u << 29 | 3 << 16 | 0x3ffc, 0, {{0}}, 0},
    {"INCR to the end", INC(0, 0x3ff8, 2), NEW, 1u << 29, 2, {{0x3ff8, 1}, {0x3ffc, 2}}, 2},
    {"NON_INCR at the end", NON_INC(0, 0x3ffc, 2), NEW, 3u << 29 | 0x3ffc, 2, {{0x3ffc, 1}, {0x3ffc, 2}}, 2},
    {"ONE_INCR at the end", INC_ONCE(0, 0x3ffc, 1), NEW, 3u << 29, 1, {{0x3ffc, 1}}, 1},
    {"old increasing", OLD_INC(2, 0x400, 2), OLD, 1u << 29 | 2 << 16 | 0x408, 2, {{0x400, 1}, {0x404, 2}}, 2},
    {"old increasing to the end", OLD_INC(2, 0x1ffc, 1), OLD, 1u << 29 | 2 << 16 | 0x2000, 1, {{0x1ffc, 1}}, 1},
    {"old non-increasing",
     OLD_NON_INC(1, 0x1ffc, 2),
     OLD,
     3u << 29 | 1 << 16 | 0x1ffc,
     2,
     {{0x1ffc, 1}, {0x1ffc, 2}},
     2},
    {"STORE_SUBDEVICE_MASK", STORE_MASK(0x123), CONTROL, 2u << 29 | 0x1230, 0, {{0}}, 0},
    {"SET_SUBDEVICE_MASK", SET_MASK(0xfff), CONTROL, 0u << 29 | 0xfff0, 0, {{0}}, 0},
    {"USE_SUBDEVICE_MASK", USE_MASK, CONTROL, 6u << 29, 0, {{0}}, 0},
};

static bool taken(enum form form, uint32_t types) {
    return form == CONTROL || types == CMD_BOTH || (types == CMD_NEW) == (form == NEW);
}

/* CMD_TYPES says which forms there are; others are PBENTRY errors, and HDR_SHADOW names the word. */
static void each_form_as_cmd_types_allows(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t types = 0; types <= CMD_BOTH; types += 0x100)
            for (size_t i = 0; i < COUNT_OF(forms); i++) {
                start_with(chip, types, 0x3fff0001);
                const uint32_t words[] = {forms[i].word, 1, 2, 3};
                push(&m, 1, words, 1 + (taken(forms[i].form, types) ? forms[i].left : 0));
                enum pfifo_stop stop = run(&m);
                if (taken(forms[i].form, types)) {
                    if (stop != PFIFO_STOP_IDLE)
                        fail_msg("%s, CMD_TYPES %#x, %s: %d", chip->chip, types, forms[i].name, stop);
                    if ((ramfc(&m, 1, 0x84) & 0xe007ffff) != (forms[i].header & 0xe007ffff))
                        fail_msg("%s, %s: PB_HEADER %#x", chip->chip, forms[i].name, ramfc(&m, 1, 0x84));
                    assert_int_equal(ramfc(&m, 1, 0x88), 0);
                    expect_methods(&m, forms[i].methods, forms[i].method_count, __FILE__, __LINE__);
                } else {
                    if (stop != PFIFO_STOP_INTERRUPT)
                        fail_msg("%s, CMD_TYPES %#x, %s: %d", chip->chip, types, forms[i].name, stop);
                    expect_intr(&m, chip, INTR_PBENTRY);
                    assert_int_equal(pb(&m, 0, 0x118), forms[i].word);
                    assert_int_equal(pb(&m, 0, 0x18), pb(&m, 0, 0x5c)); /* GET is after the word */
                    assert_int_equal(m.method_count, 0);
                    set_pb(&m, 0, 0x108, INTR_PBENTRY);
                    run_into(&m, chip, 0);
                }
                machine_free(&m);
            }
}

/* Words that are nothing in any format. */
static const uint32_t never[] = {
    0xc0000000, 0xdfffffff,                                                 /* group 6 */
    0x00050010, 0x00090010, 0x00060010, 0x1ffe0010, 0x00070000, 0x1ff30000, /* [31:16] of masks is 1, 2 or 3 */
    0x40010000, 0x40020000, 0x40030000, 0x40010010,                         /* group 2 has no such forms */
};

static void words_that_mean_nothing_are_pbentry_errors(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t types = 0; types <= CMD_BOTH; types += 0x100) {
            start_with(chip, types, 0x3fff0001);
            for (size_t i = 0; i < COUNT_OF(never); i++) {
                PUSH(&m, 1, 0, never[i], STORE_MASK(i));
                enum pfifo_stop stop = run(&m);
                if (stop != PFIFO_STOP_INTERRUPT || intr_0(&m) != INTR_PBENTRY)
                    fail_msg("%s, CMD_TYPES %#x: %#x is taken", chip->chip, types, never[i]);
                assert_int_equal(pb(&m, 0, 0x118), never[i]);
                assert_int_equal(pb(&m, 0, 0x88), 0);
                set_pb(&m, 0, 0x108, INTR_PBENTRY);
                run_into(&m, chip, 0);
                assert_int_equal(ramfc(&m, 1, 0x94) >> 16 & 0xfff, i); /* goes on with the next */
            }
            machine_free(&m);
        }
}

/* Group 7 ends the segment, with CMD_TYPES that have it. */
static void end_of_segment_drops_the_rest(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t low = 0; low < 3; low++) {
            start_with(chip, CMD_NEW, 0x30000001);
            PUSH(&m, 1, IMMD(0, 0x100, 1), END_SEGMENT | low * 0x0fffffff / 2, IMMD(0, 0x100, 2), 0xc0000000);
            PUSH(&m, 1, IMMD(0, 0x100, 3));
            run_into(&m, chip, 0);
            EXPECT_METHODS(&m, {0x100, 1}, {0x100, 3});
            machine_free(&m);
        }
}

static void a_zero_word_is_a_no_op_in_every_format(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t types = 0; types <= CMD_BOTH; types += 0x100) {
            start_with(chip, types, 0);
            PUSH(&m, 1, 0, 0, STORE_MASK(5), 0);
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x94) >> 16, 5);
            machine_free(&m);
        }
}

/* ---- addresses at the end ---- */

static void packets_across_the_last_address_are_errors_before_any_method(void **state) {
    (void)state;
    static const uint32_t words[] = {INC(2, 0x3ffc, 2), INC(2, 0x3000, 0x401), INC(1, 0x100, 0x1fff),
                                     INC_ONCE(3, 0x3ffc, 2), INC_ONCE(3, 0x3ffc, 0x1fff)};
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            start_with(chip, CMD_NEW, 0x30000001);
            uint32_t at = put_words(&m, 1, (const uint32_t[]){words[i], 5, 6}, 3);
            push_entry(&m, 1, at, 3 << 10);
            run_into(&m, chip, INTR_PBENTRY);
            assert_int_equal(m.method_count, 0);
            assert_int_equal(pb(&m, 0, 0x118), words[i]);
            assert_int_equal(pb(&m, 0, 0x88) & 0x1fff, words[i] >> 16 & 0x1fff);
            assert_int_equal(pb(&m, 0, 0x18), at + 4);
            /* A driver repairs header and count. */
            set_pb(&m, 0, 0x84, (pb(&m, 0, 0x84) & ~0x3ffcu) | 0x200);
            set_pb(&m, 0, 0x88, 2);
            set_pb(&m, 0, 0x108, INTR_PBENTRY);
            run_into(&m, chip, 0);
            EXPECT_METHODS(&m, {0x200, 5}, {0x204, 6});
            machine_free(&m);
        }
}

/* ---- subdevices ---- */

static void masks_decide_who_is_active(void **state) {
    (void)state;
    static const struct {
        uint32_t before, words[3], after;
    } cases[] = {
        {0x30000001, {SET_MASK(1), 0, 0}, 0x30000001},
        {0x30000001, {SET_MASK(2), 0, 0}, 0x20000001},
        {0x20000801, {SET_MASK(0x800), 0, 0}, 0x30000801},
        {0x30000001, {SET_MASK(0), 0, 0}, 0x20000001},
        {0x30000001, {STORE_MASK(0xabc), 0, 0}, 0x3abc0001},
        {0x30000001, {STORE_MASK(6), USE_MASK, 0}, 0x20060001},
        {0x20000002, {STORE_MASK(6), USE_MASK, 0}, 0x30060002},
        {0x20000002, {STORE_MASK(6), SET_MASK(1), USE_MASK}, 0x30060002},
        {0x00000002, {STORE_MASK(6), 0, 0}, 0x00060002},
    };
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            start_with(chip, CMD_NEW, cases[i].before);
            push(&m, 1, cases[i].words, 3);
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x94), cases[i].after);
            machine_free(&m);
        }
}

static void set_and_use_are_errors_without_channel_dma(void **state) {
    (void)state;
    static const uint32_t words[] = {SET_MASK(1), SET_MASK(2), USE_MASK};
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            start_with(chip, CMD_NEW, 0x00010001);
            PUSH(&m, 1, words[i], IMMD(0, 0x100, 7));
            run_into(&m, chip, INTR_PBENTRY);
            assert_int_equal(pb(&m, 0, 0x118), words[i]);
            assert_int_equal(pb(&m, 0, 0x94), 0x00010001);
            set_pb(&m, 0, 0x108, INTR_PBENTRY);
            run_into(&m, chip, 0);
            EXPECT_METHODS(&m, {0x100, 7}); /* and the subdevice is active */
            machine_free(&m);
        }
}

/* Headers and data go by, no method comes of them; control words still act. */
static void an_inactive_subdevice_gets_no_methods(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start_with(chip, CMD_BOTH, 0x30000001);
        PUSH(&m, 1, SET_MASK(2), INC(0, 0x100, 2), 1, 2, IMMD(0, 0x100, 3), NON_INC(0, 0x50, 2), 4, 5,
             INC_ONCE(0, 0x100, 3), 6, 7, 8, OLD_INC(0, 0x50, 1), 9, IMMD(0, 4, 0), STORE_MASK(1), USE_MASK,
             IMMD(0, 0x100, 10));
        run_into(&m, chip, 0);
        EXPECT_METHODS(&m, {0x100, 10});
        assert_int_equal(ramfc(&m, 1, 0x28), 0);
        machine_free(&m);
    }
}

static void wrong_words_are_wrong_for_inactive_subdevices_too(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start_with(chip, CMD_NEW, 0x20000001);
        PUSH(&m, 1, 0xc0000000, IMMD(0, 0x100, 10));
        run_into(&m, chip, INTR_PBENTRY);
        set_pb(&m, 0, 0x108, INTR_PBENTRY);
        run_into(&m, chip, 0);
        PUSH(&m, 1, END_SEGMENT, 0xc0000000);
        run_into(&m, chip, 0);
        assert_int_equal(m.method_count, 0);
        machine_free(&m);
    }
}

/* ---- segments ---- */

/* At every place a packet may end in one segment and go on in the next. */
static void a_packet_may_straddle_segments(void **state) {
    (void)state;
    static const uint32_t words[] = {INC(0, 0x100, 3),      1, 2, 3, NON_INC(1, 0x200, 2), 4, 5,
                                     INC_ONCE(2, 0x300, 3), 6, 7, 8};
    for (EACH_CHIP)
        for (unsigned cut = 1; cut < COUNT_OF(words); cut++) {
            start_with(chip, CMD_NEW, 0x30000001);
            push(&m, 1, words, cut);
            push_entry(&m, 1, 0, 0); /* a control entry in between changes nothing */
            push(&m, 1, words + cut, COUNT_OF(words) - cut);
            run_into(&m, chip, 0);
            EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3}, {0x200, 4}, {0x200, 5}, {0x300, 6}, {0x304, 7},
                           {0x304, 8});
            machine_free(&m);
        }
}

/* What is left of a packet is in the channel, and comes back with it. */
static void a_packet_may_wait_in_ramfc(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start_with(chip, CMD_NEW, 0x30000001);
        PUSH(&m, 1, INC_ONCE(2, 0x300, 4), 6);
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x88), 3);
        assert_int_equal(ramfc(&m, 1, 0x84) & 0xe0073ffc, 3u << 29 | 2 << 16 | 0x304);
        PUSH(&m, 1, 7, 8);
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x88), 1);
        PUSH(&m, 1, 9);
        run_into(&m, chip, 0);
        EXPECT_METHODS(&m, {0x300, 6}, {0x304, 7}, {0x304, 8}, {0x304, 9});
        machine_free(&m);
    }
}

/* Host methods take their data from every form. */
static void host_methods_in_every_form(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start_with(chip, CMD_BOTH, 0x30000001);
        PUSH(&m, 1, INC(6, 0x10, 4), 0, SCRATCH, 1, 1u << 24 | 2);
        PUSH(&m, 1, NON_INC(6, 0x50, 2), 5, 6, INC_ONCE(6, 0x4c + 4, 1), 7, IMMD(6, 0x18, 0x1ff), OLD_INC(6, 0x1c, 1),
             1u << 24 | 2, OLD_NON_INC(6, 0x50, 1), 0x88);
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, SCRATCH), 0x1ff);
        assert_int_equal(ramfc(&m, 1, 0x28), 0x88);
        machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test(function)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_form_as_cmd_types_allows),
        TEST(words_that_mean_nothing_are_pbentry_errors),
        TEST(end_of_segment_drops_the_rest),
        TEST(a_zero_word_is_a_no_op_in_every_format),
        TEST(packets_across_the_last_address_are_errors_before_any_method),
        TEST(masks_decide_who_is_active),
        TEST(set_and_use_are_errors_without_channel_dma),
        TEST(an_inactive_subdevice_gets_no_methods),
        TEST(wrong_words_are_wrong_for_inactive_subdevices_too),
        TEST(a_packet_may_straddle_segments),
        TEST(a_packet_may_wait_in_ramfc),
        TEST(host_methods_in_every_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
