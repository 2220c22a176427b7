/* SPDX-License-Identifier: MIT */
/* GPFIFO, segments, packets: what a PBDMA fetches, and what it says about bad words. */
#include "machine.h"

static struct machine m;

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define NOP_08 0x80600008u /* what drivers put into METHOD0 to skip a method */

static void runs_a_segment(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(0, 0x0000, 1), 0x9097, INC(0, 0x0100, 3), 1, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.bind_count, 1);
    assert_int_equal(m.binds[0].method, 0x9097);
    EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3});
    assert_int_equal(peek(&m, userd_of(1) + 0x88), 1);
    assert_int_equal(reg(&m, 0x2100), 0x40000000);
}

static void ring_wraps(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x4c, 2 << 16);
    m.channel[1].entries = 4;
    for (uint32_t i = 0; i < 11; i++) {
        PUSH(&m, 1, IMMD(0, 0x200, i));
        if (i % 3 == 2)
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    }
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 11);
    for (uint32_t i = 0; i < 11; i++)
        assert_int_equal(m.methods[i].data, i);
    assert_int_equal(peek(&m, userd_of(1) + 0x88), 11 % 4);
    assert_int_equal(ramfc(&m, 1, 0x14), 11 % 4);
}

static void every_form_makes_its_methods(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, INC(0, 0x100, 2), 1, 2, NON_INC(0, 0x200, 3), 3, 4, 5, INC_ONCE(0, 0x300, 3), 6, 7, 8,
         IMMD(0, 0x400, 0x1fff), 0, INC(0, 0x500, 0), NON_INC(0, 0x500, 0), IMMD(1, 0x600, 9));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x200, 3}, {0x200, 4}, {0x200, 5}, {0x300, 6}, {0x304, 7}, {0x304, 8},
                   {0x400, 0x1fff}, {0x600, 9});
    assert_int_equal(m.methods[9].subchannel, 1);
}

static void old_forms_need_cmd_types(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    poke(&m, instance_of(1) + 0x9c, 0x200);
    PUSH(&m, 1, 0x00040000 | 0x100, 1, 0x40080000 | 0x200, 2, 3, IMMD(0, 0x300, 4));
    poke(&m, instance_of(1) + 0xa4, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x200, 2}, {0x200, 3}, {0x300, 4});
}

static void old_form_is_an_error_when_only_new_ones_are_allowed(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, 0x00040100, IMMD(0, 0x300, 4));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 18);
    assert_int_equal(pb(&m, 0, 0x118), 0x00040100);
    set_pb(&m, 0, 0x108, 1 << 18);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x300, 4});
}

static void new_form_is_an_error_when_only_old_ones_are_allowed(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x9c, 0);
    PUSH(&m, 1, IMMD(0, 0x300, 4), 0x00040000 | 0x104, 5);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    set_pb(&m, 0, 0x108, 1 << 18);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x104, 5});
}

static void data_may_lie_in_the_next_segment(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, INC(0, 0x100, 5), 1, 2);
    PUSH(&m, 1, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x88), 2);
    assert_int_equal(ramfc(&m, 1, 0x84) & 0x3ffc, 0x10c);
    PUSH(&m, 1, 4, 5, IMMD(0, 0x200, 6));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3}, {0x10c, 4}, {0x110, 5}, {0x200, 6});
}

static void end_of_segment_drops_the_rest(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1), END_SEGMENT, IMMD(0, 0x100, 2));
    PUSH(&m, 1, IMMD(0, 0x100, 3));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 3});
}

static void subdevice_masks_drop_methods(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, 0x00010000 | 2 << 4, INC(0, 0x100, 2), 1, 2, IMMD(0, 0x100, 3), 0x00020000 | 1 << 4, 0x00030000,
         IMMD(0, 0x100, 4));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 4});
    assert_int_equal(ramfc(&m, 1, 0x94), 0x30010001);
}

static void subdevice_mask_is_an_error_without_channel_dma(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x94, 0x10000001);
    PUSH(&m, 1, 0x00020000 | 2 << 4, 0x00010000 | 2 << 4, IMMD(0, 0x100, 4));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 18);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 4});
}

static void without_channel_dma_no_method_is_dropped(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        one_channel(&m, "GK104");
        m.fifo->materialise = i;
        poke(&m, instance_of(1) + 0x94, 0x00000001); /* not active, but nobody asks */
        PUSH(&m, 1, INC(0, 0x100, 2), 1, 2, IMMD(0, 0x108, 3));
        const uint32_t words[] = {INC(0, 0x200, 1), 4};
        push_entry(&m, 1, put_words(&m, 1, words, COUNT_OF(words)) | 1, COUNT_OF(words) << 10);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3}, {0x200, 4});
        if (!i)
            machine_free(&m);
    }
}

static void increase_once_goes_on_in_the_next_segments(void **state) {
    (void)state;
    for (unsigned cut = 0; cut <= 4; cut++) {
        one_channel(&m, "GK104");
        const uint32_t words[] = {INC_ONCE(0, 0x300, 4), 1, 2, 3, 4};
        push(&m, 1, words, cut + 1);
        push_entry(&m, 1, 0, 1u << 31); /* NOP, SYNC */
        for (unsigned i = cut + 1; i < 5; i++)
            push(&m, 1, words + i, 1);
        PUSH(&m, 1, IMMD(0, 0x400, 5));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x300, 1}, {0x304, 2}, {0x304, 3}, {0x304, 4}, {0x400, 5});
        if (cut < 4)
            machine_free(&m);
    }
}

static void flags_of_the_entry_are_in_ramfc(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t low, high, flags;
    } cases[] = {
        {"GF100", 0, 0, 0},      {"GF100", 1, 0, 1},      {"GF100", 2, 0, 2},           {"GK104", 2, 0, 0},
        {"GK104", 0, 1 << 8, 4}, {"GK104", 0, 1 << 9, 8}, {"GK104", 0, 1u << 31, 0x10},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, cases[i].chip);
        const uint32_t words[] = {IMMD(0, 0x50, 1)};
        push_entry(&m, 1, put_words(&m, 1, words, 1) | cases[i].low, 1 << 10 | cases[i].high);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0xe0), cases[i].flags);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void conditional_segment_needs_an_active_subdevice(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    const uint32_t words[] = {IMMD(0, 0x100, 1), 0x00010000 | 2 << 4, 0x00010000 | 1 << 4, IMMD(0, 0x100, 2)};
    uint32_t at = put_words(&m, 1, words, COUNT_OF(words));
    push_entry(&m, 1, at | 1, 4 << 10); /* runs up to where it becomes inactive */
    push_entry(&m, 1, at | 1, 4 << 10); /* skipped */
    PUSH(&m, 1, 0x00010000 | 1 << 4, IMMD(0, 0x100, 3));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 3});
}

static void data_in_a_conditional_segment_is_an_error(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, INC(0, 0x100, 2), 1);
    const uint32_t words[] = {2};
    push_entry(&m, 1, put_words(&m, 1, words, 1) | 1, 1 << 10);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 30);
    set_pb(&m, 0, 0x88, 0);
    set_pb(&m, 0, 0x18, pb(&m, 0, 0x5c));
    set_pb(&m, 0, 0x108, 1 << 30);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void control_entries_do_what_their_opcode_says(void **state) {
    (void)state;
    struct event_log log;
    one_channel(&m, "GK104");
    observe(&m, "pusher.control", &log);
    push_entry(&m, 1, 0x1234, 0);        /* NOP */
    push_entry(&m, 1, 0x1234, 1u << 31); /* NOP, SYNC */
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(log.count, 2);
    push_entry(&m, 1, 0, 1); /* ILLEGAL */
    push_entry(&m, 1, 0, 9); /* unknown */
    PUSH(&m, 1, IMMD(0, 0x100, 2));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pb(&m, 0, 0x108), 1 << 15);
        assert_int_equal(pb(&m, 0, 0x114), i ? 9 : 1);
        set_pb(&m, 0, 0x108, 1 << 15);
    }
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2});
}

/* CRC-32 bit by bit, as the polynomial is written. */
static uint32_t crc_byte(uint32_t crc, uint8_t byte) {
    for (int bit = 7; bit >= 0; bit--) {
        uint32_t top = (crc >> 31 ^ byte >> bit) & 1;
        crc = crc << 1 ^ (top ? 0x04c11db7 : 0);
    }
    return crc;
}

static uint32_t crc_word(uint32_t crc, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        crc = crc_byte(crc, (uint8_t)(word >> 8 * i));
    return crc;
}

static void pb_crc_covers_the_words_of_a_segment(void **state) {
    (void)state;
    const uint32_t words[] = {INC(0, 0x100, 3), 1, 2, 3, IMMD(0, 0x100, 4)};
    uint32_t crc = 0;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        crc = crc_word(crc, words[i]);
    one_channel(&m, "GK104");
    push(&m, 1, words, COUNT_OF(words));
    push_entry(&m, 1, crc, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    push(&m, 1, words, COUNT_OF(words));
    push_entry(&m, 1, crc ^ 1, 3);
    PUSH(&m, 1, IMMD(0, 0x200, 0));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 19);
    assert_int_equal(pb(&m, 0, 0x98), crc);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 9);
}

static void pb_crc_looks_at_a_word_once(void **state) {
    (void)state;
    const uint32_t words[] = {INC(0, 0x100, 2), 1, 2};
    uint32_t crc = 0;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        crc = crc_word(crc, words[i]);
    one_channel(&m, "GK104");
    uint32_t at = put_words(&m, 1, words, COUNT_OF(words));
    push_entry(&m, 1, at, COUNT_OF(words) << 10);
    push_entry(&m, 1, crc, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    poke(&m, at + 8, 7);
    push_entry(&m, 1, crc, 3); /* still that segment, and the channel was off in between */
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    push_entry(&m, 1, at, COUNT_OF(words) << 10); /* the same place again is another segment */
    push_entry(&m, 1, crc_word(crc_word(crc_word(0, words[0]), 1), 7), 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x100, 1}, {0x104, 7});
}

/* The rest is not looked at, so that a long dropped segment costs nothing: what is counted stays. */
static void pb_crc_stays_after_the_end_of_a_segment(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, END_SEGMENT, 1, 2, 3);
    push_entry(&m, 1, 0, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x98), 0);
}

static void gp_crc_covers_the_entries(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    push_entry(&m, 1, 0x55, 0);
    uint32_t crc = crc_word(crc_word(0, 0x55), 0);
    push_entry(&m, 1, crc, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x74), 0);
    push_entry(&m, 1, crc, 2);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 16);
}

static void top_level_get_ignores_subroutines(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    const uint32_t words[] = {IMMD(0, 0x100, 1), IMMD(0, 0x100, 2)};
    uint32_t at = put_words(&m, 1, words, 2);
    push_entry(&m, 1, at, 2 << 10);
    push_entry(&m, 1, at, 1 << 10 | 1 << 9);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x18), at + 4);
    assert_int_equal(ramfc(&m, 1, 0x20), at + 8);
    assert_int_equal(ramfc(&m, 1, 0x24), 0x80000000);
    assert_int_equal(peek(&m, userd_of(1) + 0x58), at + 8);
    assert_int_equal(peek(&m, userd_of(1) + 0x44), at + 4);
}

static void segment_to_the_end_of_the_space_is_an_error(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    push_entry(&m, 1, 0xfffffffc, 0xff | 1 << 10);
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 15);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void gp_put_beyond_the_ring_is_an_error_until_it_is_put_right(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, userd_of(1) + 0x8c, 512);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 14);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    poke(&m, userd_of(1) + 0x8c, 0);
    set_pb(&m, 0, 0x00, 0);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
}

static void gp_get_beyond_the_ring_is_an_error(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    poke(&m, instance_of(1) + 0x14, 600);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 14);
}

static void an_immediate_leaves_the_same_header_either_way(void **state) {
    (void)state;
    uint32_t header[2], method[2];
    for (unsigned i = 0; i < 2; i++) {
        one_channel(&m, "GK104");
        m.fifo->materialise = i;
        PUSH(&m, 1, IMMD(0, 0x100, 1), IMMD(0, 0x100, 2), IMMD(3, 0x200, 3));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        header[i] = ramfc(&m, 1, 0x84);
        method[i] = ramfc(&m, 1, 0xc0);
        if (!i)
            machine_free(&m);
    }
    assert_int_equal(header[0], 4u << 29 | 1 << 22 | 3 << 16 | 0x200);
    assert_int_equal(header[0], header[1]);
    assert_int_equal(method[0], method[1]);
}

static void ring_over_the_end_of_the_space_is_an_error(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x48, 0xfffff008);
    poke(&m, instance_of(1) + 0x4c, 0xff | 9 << 16);
    poke(&m, userd_of(1) + 0x8c, 1);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 13);
}

static void get_beyond_put_is_an_error(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x18, 0x2000);
    poke(&m, instance_of(1) + 0x5c, 0x1000);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 17);
    set_pb(&m, 0, 0x18, 0x1000);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
}

static void address_wrap_is_an_error_before_any_method(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, INC(0, 0x3ff8, 3), 1, 2, 3, IMMD(0, 0x100, 4));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 18);
    assert_int_equal(pb(&m, 0, 0x88), 3);
    assert_int_equal(m.method_count, 0);
    set_pb(&m, 0, 0x84, (pb(&m, 0, 0x84) & ~0x3ffcu) | 0x200);
    set_pb(&m, 0, 0x108, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x200, 1}, {0x204, 2}, {0x208, 3}, {0x100, 4});
}

static void last_method_is_no_wrap(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, INC(0, 0x3ff8, 2), 1, 2, INC_ONCE(0, 0x3ff8, 3), 1, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 5);
}

static void reserved_word_is_skipped_after_the_error(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, 0xc0010040, IMMD(0, 0x100, 4));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(reg(&m, 0x25a0), 1);
    assert_int_equal(reg(&m, 0x2100) & 0x20000000, 0x20000000);
    assert_true(m.bus.line);
    set_pb(&m, 0, 0xc0, NOP_08); /* as nouveau does for every interrupt */
    set_pb(&m, 0, 0x108, 1 << 18);
    assert_int_equal(reg(&m, 0x25a0), 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 4});
}

static void an_error_that_does_not_stall_goes_on(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    set_pb(&m, 0, 0x13c, 0);
    PUSH(&m, 1, 0xc0010040, IMMD(0, 0x04, 0), IMMD(0, 0x100, 4));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 18 | 1 << 21);
    EXPECT_METHODS(&m, {0x100, 4});
}

static void unmapped_segment_faults_and_stops_the_channel(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1, 2);
    push_entry(&m, 1, MAPPED_END, 4 << 10);
    PUSH(&m, 2, IMMD(0, 0x100, 7));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    EXPECT_METHODS(&m, {0x100, 7});
    assert_int_equal(m.methods[0].channel, 2);
    assert_int_equal(reg(&m, 0x2100) & 0x10000000, 0x10000000);
    assert_int_equal(reg(&m, 0x259c), 1 << 7);
    assert_int_equal(reg(&m, 0x2870), instance_of(1) >> 12);
    assert_int_equal(reg(&m, 0x2874), MAPPED_END);
    assert_int_equal(reg(&m, 0x2878), 0);
    assert_int_equal(reg(&m, 0x287c), 2 | 1 << 6 | 6 << 8); /* PTE, hub, HOST */
    assert_int_equal(reg(&m, 0x80000c) & 1 << 22, 1 << 22);
    set_reg(&m, 0x259c, 1 << 7);
    assert_int_equal(reg(&m, 0x2100) & 0x10000000, 0);
}

static void unmapped_ring_faults(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    poke(&m, instance_of(1) + 0x48, MAPPED_END * 16);
    poke(&m, userd_of(1) + 0x8c, 1);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(reg(&m, 0x259c), 1 << 7);
    assert_int_equal(reg(&m, 0x287c) & 0xf, 0); /* no page table */
}

static void wrong_signature_is_an_error(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x10, 0x1234);
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 0x80000000);
    assert_int_equal(m.method_count, 0);
    set_pb(&m, 0, 0x10, 0xa06f);
    set_pb(&m, 0, 0x108, 0x80000000);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void side_effects_see_the_position_of_their_word(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    const uint32_t words[] = {INC(0, 0x100, 6), 1, 2, 3, 4, 5, 6};
    uint32_t at = put_words(&m, 1, words, COUNT_OF(words));
    m.side_method = 0x10c;
    PUSH(&m, 1, IMMD(0, 0x100, 0));
    push_entry(&m, 1, at, COUNT_OF(words) << 10);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.get_at_side, at + 5 * 4);
    assert_int_equal(m.count_at_side, 2);
    assert_int_equal(m.method_count, 7);
    assert_int_equal(peek(&m, SCRATCH + 0x8000), 4);
}

/* One unit at a time, or all at once: an engine that is called for the last packet sees the same. */
static void side_effects_see_the_registers_and_the_time_of_their_packet(void **state) {
    (void)state;
    uint32_t get[2], count[2];
    uint64_t time[2];
    for (unsigned steps = 0; steps < 2; steps++) {
        if (steps)
            machine_free(&m);
        one_channel(&m, "GK104");
        const uint32_t words[] = {INC(0, 0x100, 3), 1, 2, 3, IMMD(0, 0x100, 0), NON_INC(0, 0x10c, 1), 4};
        uint32_t at = put_words(&m, 1, words, COUNT_OF(words));
        m.side_method = 0x10c;
        PUSH(&m, 1, IMMD(0, 0x100, 0));
        push_entry(&m, 1, at, COUNT_OF(words) << 10);
        for (enum pfifo_stop stop = PFIFO_STOP_BUDGET; stop == PFIFO_STOP_BUDGET;)
            stop = run_units(&m, steps ? 1 : 1000);
        assert_int_equal(m.method_count, 6);
        get[steps] = m.get_at_side - at;
        assert_int_equal(m.userd_get_at_side, m.get_at_side);
        count[steps] = m.count_at_side;
        time[steps] = m.time_at_side;
    }
    assert_int_equal(get[0], 7 * 4);
    assert_int_equal(get[1], get[0]);
    assert_int_equal(count[1], count[0]);
    assert_true(time[1] == time[0]);
}

static void events_name_every_packet_and_method_once(void **state) {
    (void)state;
    struct event_log packets, methods, segments;
    one_channel(&m, "GK104");
    observe(&m, "pusher.packet", &packets);
    observe(&m, "puller.method", &methods);
    observe(&m, "pusher.segment", &segments);
    PUSH(&m, 1, INC(0, 0, 1), 0xa097, INC(0, 0x100, 3), 1, 2, 3, IMMD(0, 0x08, 0), 0, IMMD(0, 0x200, 4));
    while (run_units(&m, 1) == PFIFO_STOP_BUDGET)
        ;
    assert_int_equal(packets.count, 4);
    assert_int_equal(methods.count, 6);
    assert_int_equal(methods.last.value[1], 0xa097);
    assert_int_equal(segments.count, 1);
    assert_int_equal(segments.last.value[1], 9);
    EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3}, {0x200, 4});
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(runs_a_segment),
        TEST(ring_wraps),
        TEST(every_form_makes_its_methods),
        TEST(old_forms_need_cmd_types),
        TEST(old_form_is_an_error_when_only_new_ones_are_allowed),
        TEST(new_form_is_an_error_when_only_old_ones_are_allowed),
        TEST(data_may_lie_in_the_next_segment),
        TEST(end_of_segment_drops_the_rest),
        TEST(subdevice_masks_drop_methods),
        TEST(subdevice_mask_is_an_error_without_channel_dma),
        TEST(without_channel_dma_no_method_is_dropped),
        TEST(increase_once_goes_on_in_the_next_segments),
        TEST(flags_of_the_entry_are_in_ramfc),
        TEST(conditional_segment_needs_an_active_subdevice),
        TEST(data_in_a_conditional_segment_is_an_error),
        TEST(control_entries_do_what_their_opcode_says),
        TEST(pb_crc_covers_the_words_of_a_segment),
        TEST(pb_crc_looks_at_a_word_once),
        TEST(pb_crc_stays_after_the_end_of_a_segment),
        TEST(gp_crc_covers_the_entries),
        TEST(top_level_get_ignores_subroutines),
        TEST(segment_to_the_end_of_the_space_is_an_error),
        TEST(gp_put_beyond_the_ring_is_an_error_until_it_is_put_right),
        TEST(gp_get_beyond_the_ring_is_an_error),
        TEST(an_immediate_leaves_the_same_header_either_way),
        TEST(ring_over_the_end_of_the_space_is_an_error),
        TEST(get_beyond_put_is_an_error),
        TEST(address_wrap_is_an_error_before_any_method),
        TEST(last_method_is_no_wrap),
        TEST(reserved_word_is_skipped_after_the_error),
        TEST(an_error_that_does_not_stall_goes_on),
        TEST(unmapped_segment_faults_and_stops_the_channel),
        TEST(unmapped_ring_faults),
        TEST(wrong_signature_is_an_error),
        TEST(side_effects_see_the_position_of_their_word),
        TEST(side_effects_see_the_registers_and_the_time_of_their_packet),
        TEST(events_name_every_packet_and_method_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
