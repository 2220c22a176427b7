/* SPDX-License-Identifier: MIT */
/* The GPFIFO ring: segments with their flags, control entries, limits of the ring, and what errors leave behind. */
#include "conformance/pbdma.h"

static struct machine m;

#define CONDITIONAL   0x1u
#define NO_CTX_SWITCH 0x2u
#define PRIV          (1u << 8) /* high word */
#define SUBROUTINE    (1u << 9)
#define SYNC          (1u << 31)
#define WORDS(n)      ((n) << 10)

static uint32_t words_of(const uint32_t *words, unsigned count) {
    return put_words(&m, 1, words, count);
}
#define WORDS_AT(...) words_of((const uint32_t[]){__VA_ARGS__}, COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

static void expect_shadow(const char *chip, uint32_t low, uint32_t high) {
    if (pb(&m, 0, 0x110) != low || pb(&m, 0, 0x114) != high)
        fail_msg("%s: GP_SHADOW %#x %#x, not %#x %#x", chip, pb(&m, 0, 0x110), pb(&m, 0, 0x114), low, high);
}

/* What an error in the middle leaves is visible to a driver; so the words of a segment are looked at from ILLEGAL. */
static void stop_at_illegal(const struct channel_class *chip) {
    run_into(&m, chip, INTR_METHOD);
    expect_method0(&m, chip->chip, 0, 0x04, 0);
}

/* ---- segments ---- */

static void a_segment_shows_in_the_words_of_the_channel(void **state) {
    (void)state;
    static const struct {
        uint32_t low, high; /* flags */
        uint32_t fetch_low, fetch_high, header, flags;
    } cases[] = {
        {0, 0, 0, 0, 0, 0},
        {CONDITIONAL, 0, 1, 0, 1u << 23, 0x01},
        {0, PRIV, 0, 0, 0, 0x04},
        {0, SUBROUTINE, 0, 1u << 9, 1u << 20, 0x08},
        {0, SYNC, 0, 1u << 10, 0, 0x10},
        {CONDITIONAL, SYNC | SUBROUTINE | PRIV, 1, 3u << 9, 1u << 20 | 1u << 23, 0x1d},
    };
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            start(&m, chip);
            uint32_t at = WORDS_AT(0, IMMD(0, 4, 0), 0, 0);
            push_entry(&m, 1, at | cases[i].low, WORDS(4) | cases[i].high);
            stop_at_illegal(chip);
            expect_shadow(chip->chip, at | cases[i].low, WORDS(4) | cases[i].high);
            assert_int_equal(pb(&m, 0, 0x14), 1);       /* GP_GET */
            assert_int_equal(pb(&m, 0, 0x50), 1);       /* GP_FETCH */
            assert_int_equal(pb(&m, 0, 0x18), at + 8);  /* GET */
            assert_int_equal(pb(&m, 0, 0x1c), 0);       /* GET_HI */
            assert_int_equal(pb(&m, 0, 0x5c), at + 16); /* PUT */
            assert_int_equal(pb(&m, 0, 0x60), 0);       /* PUT_HI */
            assert_int_equal(pb(&m, 0, 0x54), at | cases[i].fetch_low);
            assert_int_equal(pb(&m, 0, 0x58), 4u << 11 | cases[i].fetch_high);
            assert_int_equal(pb(&m, 0, 0x84) & (1u << 20 | 1u << 23), cases[i].header);
            assert_int_equal(pb(&m, 0, 0xe0), cases[i].flags);
            assert_int_equal(pb(&m, 0, 0x118), IMMD(0, 4, 0)); /* HDR_SHADOW */
            machine_free(&m);
        }
}

/* SYNC: nothing of the entry before what comes before it is processed; that goes for control entries, too. */
static void sync_waits_for_what_is_before(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t control = 0; control < 2; control++) {
            start(&m, chip);
            PUSH(&m, 1, INC(0, 0x10, 4), 0, SCRATCH, 1, 1);
            if (control)
                push_entry(&m, 1, 0, 1 | SYNC); /* ILLEGAL */
            else
                push_entry(&m, 1, WORDS_AT(IMMD(0, 4, 0)), WORDS(1) | SYNC);
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            assert_int_equal(pb(&m, 0, 0x14), 1);
            assert_int_equal(pb(&m, 0, 0x50), 1);
            assert_int_equal(pb(&m, 0, 0x58) & 1u << 10, 0);
            poke(&m, SCRATCH, 1);
            run_into(&m, chip, control ? INTR_GPENTRY : INTR_METHOD);
            assert_int_equal(pb(&m, 0, 0x14), 2);
            machine_free(&m);
        }
}

/* Bit 1 is NO_CONTEXT_SWITCH in 906F and nothing later. */
static void no_context_switch_is_fermis(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        const uint32_t words[] = {INC(0, 0x10, 4), 0, SCRATCH, 1, 1u << 12 | 1, IMMD(0, 0x50, 3)};
        uint32_t at = words_of(words, COUNT_OF(words));
        push_entry(&m, 1, at | NO_CTX_SWITCH, WORDS(COUNT_OF(words)));
        if (chip->host == C906F) {
            run_into(&m, chip, INTR_NO_CTXSW_SEG);
            assert_int_equal(pb(&m, 0, 0x54), at | 2);
            assert_int_equal(pb(&m, 0, 0xe0), 2);
            expect_method0(&m, chip->chip, 0, 0x1c, 1u << 12 | 1);
            poke(&m, SCRATCH, 1);
            set_pb(&m, 0, 0x108, INTR_NO_CTXSW_SEG);
        } else {
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            assert_int_equal(intr_0(&m), 0);
            assert_int_equal(pb(&m, 0, 0x54), at);
            poke(&m, SCRATCH, 1);
        }
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x28), 3);
        machine_free(&m);
    }
}

static void top_level_get_stays_in_the_main_segment(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        uint32_t main = WORDS_AT(IMMD(0, 8, 0), IMMD(0, 8, 0)), sub = WORDS_AT(IMMD(0, 8, 0), IMMD(0, 4, 0));
        push_entry(&m, 1, main, WORDS(2));
        push_entry(&m, 1, sub, WORDS(2) | SUBROUTINE);
        stop_at_illegal(chip);
        assert_int_equal(pb(&m, 0, 0x20), main + 8);
        assert_int_equal(pb(&m, 0, 0x24), 1u << 31);
        assert_int_equal(pb(&m, 0, 0x18), sub + 8);
        skip_method(&m);
        run_into(&m, chip, 0);
        uint32_t next = WORDS_AT(IMMD(0, 4, 0));
        push_entry(&m, 1, next, WORDS(1));
        stop_at_illegal(chip);
        assert_int_equal(pb(&m, 0, 0x20), next + 4);
        machine_free(&m);
    }
}

/* The last word is at 0xff_ffff_fffc: a segment up to it, or across, is an error; the entry is discarded. */
static void a_segment_must_end_before_the_address_space_does(void **state) {
    (void)state;
    static const struct {
        uint32_t low, high, words;
        bool bad;
    } cases[] = {
        {0xfffffff8, 0xff, 2, true},        {0xfffffffc, 0xff, 1, true},  {0xfffffffc, 0xff, 2, true},
        {0xff800004, 0xff, 0x1fffff, true}, {0xfffffff0, 0xff, 3, false},
    };
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            start(&m, chip);
            push_entry(&m, 1, cases[i].low, WORDS(cases[i].words) | cases[i].high);
            PUSH(&m, 1, IMMD(0, 0x50, 5));
            if (!cases[i].bad) { /* nothing is mapped there: the fault says how far it came */
                assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
                expect_intr(&m, chip, 0);
                assert_int_equal(reg(&m, 0x2100) & 1u << 28, 1u << 28);
                machine_free(&m);
                continue;
            }
            run_into(&m, chip, INTR_GPENTRY);
            expect_shadow(chip->chip, cases[i].low, WORDS(cases[i].words) | cases[i].high);
            assert_int_equal(pb(&m, 0, 0x14), 1);
            set_pb(&m, 0, 0x108, INTR_GPENTRY);
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x28), 5);
            machine_free(&m);
        }
}

/* ---- conditional segments ---- */

#define SET_MASK(mask) (1u << 16 | (mask) << 4)

static void a_conditional_segment_is_fetched_while_the_subdevice_is_active(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, SET_MASK(2));
        uint32_t skipped = WORDS_AT(SET_MASK(1), IMMD(0, 0x50, 1), IMMD(0, 0x100, 1));
        push_entry(&m, 1, skipped | CONDITIONAL, WORDS(3));
        uint32_t unconditional = WORDS_AT(IMMD(0, 0x50, 2), IMMD(0, 0x100, 2), SET_MASK(1), IMMD(0, 0x100, 3));
        push_entry(&m, 1, unconditional, WORDS(4));
        uint32_t taken = WORDS_AT(IMMD(0, 0x100, 4), SET_MASK(4), IMMD(0, 0x100, 5), SET_MASK(1));
        push_entry(&m, 1, taken | CONDITIONAL, WORDS(4));
        PUSH(&m, 1, IMMD(0, 0x100, 6), SET_MASK(1), IMMD(0, 0x100, 7));
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x28), 0); /* neither 1 nor 2: the first is not read, the second no method */
        EXPECT_METHODS(&m, {0x100, 3}, {0x100, 4}, {0x100, 7});
        machine_free(&m);
    }
}

/* Without CHANNEL_DMA the status is active whatever its bit says. */
static void without_channel_dma_a_conditional_segment_is_always_fetched(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        poke(&m, instance_of(1) + 0x94, 1);
        push_entry(&m, 1, WORDS_AT(IMMD(0, 0x50, 1)) | CONDITIONAL, WORDS(1));
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x28), 1);
        machine_free(&m);
    }
}

static void a_header_may_not_find_its_data_in_a_conditional_segment(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, INC(0, 0x100, 2), 1);
        uint32_t at = WORDS_AT(2, IMMD(0, 0x108, 3));
        push_entry(&m, 1, at | CONDITIONAL, WORDS(2));
        run_into(&m, chip, INTR_PBSEG);
        expect_shadow(chip->chip, at | CONDITIONAL, WORDS(2));
        assert_int_equal(pb(&m, 0, 0x118), INC(0, 0x100, 2));
        assert_int_equal(pb(&m, 0, 0x88) & 0x1fff, 1);
        set_pb(&m, 0, 0x108, INTR_PBSEG);
        run_into(&m, chip, 0);
        EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3});
        machine_free(&m);
    }
}

/* ---- control entries ---- */

static void control_entries_by_opcode(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        for (uint32_t opcode = 0; opcode < 0x100; opcode++)
            for (uint32_t flags = 0; flags < 2; flags++) {
                uint32_t high = opcode | (flags ? SYNC | SUBROUTINE | PRIV : 0);
                bool crc = opcode == 2 || opcode == 3, error = opcode != 0 && !crc;
                if (crc)
                    continue;
                push_entry(&m, 1, 0xa5a5a5a5, high);
                enum pfifo_stop stop = run(&m);
                if (stop != (error ? PFIFO_STOP_INTERRUPT : PFIFO_STOP_IDLE))
                    fail_msg("%s: opcode %#x: %d", chip->chip, opcode, stop);
                if (error) {
                    expect_intr(&m, chip, INTR_GPENTRY);
                    set_pb(&m, 0, 0x108, INTR_GPENTRY);
                }
                expect_shadow(chip->chip, 0xa5a5a5a5, high);
                run_into(&m, chip, 0);
            }
        machine_free(&m);
    }
}

/* CRC-32, polynomial 0x04c11db7, most significant bit first, over the bytes of words. */
static uint32_t crc_of_word(uint32_t crc, uint32_t word) {
    for (unsigned i = 0; i < 32; i++) {
        uint32_t in = word >> (i / 8 * 8 + 7 - i % 8) & 1;
        crc = crc << 1 ^ ((crc >> 31 ^ in) ? 0x04c11db7u : 0);
    }
    return crc;
}

static void gp_crc_is_over_entries_and_cleared_by_its_check(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        uint32_t at = WORDS_AT(IMMD(0, 0x50, 1), IMMD(0, 0x50, 2));
        push_entry(&m, 1, at, WORDS(2));
        push_entry(&m, 1, 0x1234, 0);
        uint32_t crc = crc_of_word(crc_of_word(crc_of_word(crc_of_word(0, at), WORDS(2)), 0x1234), 0);
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x74), crc);
        push_entry(&m, 1, crc, 2);
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x74), 0);
        push_entry(&m, 1, at, WORDS(2));
        push_entry(&m, 1, 0x1234, 2);
        run_into(&m, chip, INTR_GPCRC);
        expect_shadow(chip->chip, 0x1234, 2);
        assert_int_equal(pb(&m, 0, 0x74), 0);
        set_pb(&m, 0, 0x108, INTR_GPCRC);
        run_into(&m, chip, 0);
        machine_free(&m);
    }
}

static void pb_crc_is_over_the_words_of_the_last_segment(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0x10, 3), 1, 2, 3); /* another segment before */
        PUSH(&m, 1, INC(0, 0x50, 1), 0x12345678, 0);
        uint32_t crc = crc_of_word(crc_of_word(crc_of_word(0, INC(0, 0x50, 1)), 0x12345678), 0);
        push_entry(&m, 1, crc, 3);
        push_entry(&m, 1, crc, 3); /* it is not cleared */
        run_into(&m, chip, 0);
        push_entry(&m, 1, crc + 1, 3);
        run_into(&m, chip, INTR_PBCRC);
        expect_shadow(chip->chip, crc + 1, 3);
        set_pb(&m, 0, 0x108, INTR_PBCRC);
        run_into(&m, chip, 0);
        machine_free(&m);
    }
}

/* ---- the ring ---- */

static void a_ring_may_end_with_the_address_space_and_no_later(void **state) {
    (void)state;
    static const struct {
        uint32_t base, base_hi;
        bool bad;
    } cases[] = {
        {0xfffff000, 0x900ff, false},                               /* 512 entries */
        {0xfffff008, 0x900ff, true},  {0xfffffff8, 0x000ff, false}, /* one: put and get are 0, nothing is ever read */
        {0xfffffff8, 0x100ff, true},  {0x00000008, 0x1f00ff, true}, /* 2^31 entries: more than fit after it */
    };
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            start(&m, chip);
            poke(&m, instance_of(1) + 0x48, cases[i].base);
            poke(&m, instance_of(1) + 0x4c, cases[i].base_hi);
            poke(&m, userd_of(1) + 0x8c, cases[i].base_hi >> 16 == 0 ? 0 : 1);
            enum pfifo_stop stop = run(&m);
            if (cases[i].bad) {
                expect_intr(&m, chip, INTR_GPFIFO);
                set_pb(&m, 0, 0x48, (uint32_t)ring_of(1));
                set_pb(&m, 0, 0x4c, 9 << 16);
                poke(&m, ring_of(1), 0);
                poke(&m, ring_of(1) + 4, 0);
                set_pb(&m, 0, 0x108, INTR_GPFIFO);
                run_into(&m, chip, 0);
            } else {
                expect_intr(&m, chip, 0);
                assert_int_equal(stop, cases[i].base_hi >> 16 == 0 ? PFIFO_STOP_IDLE : PFIFO_STOP_INTERRUPT);
            }
            machine_free(&m);
        }
}

static void pointers_beyond_the_ring_are_gpptr_errors(void **state) {
    (void)state;
    enum { PUT_BAD, GET_BAD, FETCH_BAD, WAYS };
    for (EACH_CHIP)
        for (int way = 0; way < WAYS; way++)
            for (uint32_t beyond = 8; beyond <= 0x80000000; beyond = beyond == 8 ? 9 : 0x80000000) {
                start(&m, chip);
                poke(&m, instance_of(1) + 0x4c, 3 << 16); /* 8 entries */
                m.channel[1].entries = 8;
                PUSH(&m, 1, IMMD(0, 0x50, 4));
                if (way == PUT_BAD)
                    poke(&m, userd_of(1) + 0x8c, beyond);
                else
                    poke(&m, instance_of(1) + (way == GET_BAD ? 0x14 : 0x50), beyond);
                run_into(&m, chip, INTR_GPPTR);
                assert_int_equal(pb(&m, 0, way == PUT_BAD ? 0x00 : way == GET_BAD ? 0x14 : 0x50), beyond);
                set_pb(&m, 0, way == PUT_BAD ? 0x00 : way == GET_BAD ? 0x14 : 0x50, way == PUT_BAD);
                poke(&m, userd_of(1) + 0x8c, 1);
                set_pb(&m, 0, 0x108, INTR_GPPTR);
                run_into(&m, chip, 0);
                assert_int_equal(ramfc(&m, 1, 0x28), 4);
                machine_free(&m);
                if (beyond == 0x80000000)
                    break;
            }
}

static void get_beyond_put_is_a_pbptr_error(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        uint32_t at = WORDS_AT(IMMD(0, 4, 0), IMMD(0, 0x50, 6), IMMD(0, 0x50, 7));
        push_entry(&m, 1, at, WORDS(3));
        stop_at_illegal(chip);
        set_pb(&m, 0, 0x18, at + 16);
        skip_method(&m);
        run_into(&m, chip, INTR_PBPTR);
        set_pb(&m, 0, 0x18, at + 8);
        set_pb(&m, 0, 0x108, INTR_PBPTR);
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x28), 7);
        machine_free(&m);
    }
}

/* 1 << LIMIT2 entries: the pointers go around. */
static void rings_of_every_size_go_around(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t log2 = 1; log2 <= 9; log2 += 2) {
            start(&m, chip);
            poke(&m, instance_of(1) + 0x4c, log2 << 16);
            m.channel[1].entries = 1u << log2;
            for (uint32_t i = 0; i < 3u << log2; i++) {
                PUSH(&m, 1, IMMD(0, 0x50, i));
                run_into(&m, chip, 0);
                assert_int_equal(ramfc(&m, 1, 0x28), i);
                assert_int_equal(ramfc(&m, 1, 0x14), (i + 1) % (1u << log2));
                assert_int_equal(peek(&m, userd_of(1) + 0x88), (i + 1) % (1u << log2));
            }
            machine_free(&m);
        }
}

#define TEST(function) cmocka_unit_test(function)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_segment_shows_in_the_words_of_the_channel),
        TEST(sync_waits_for_what_is_before),
        TEST(no_context_switch_is_fermis),
        TEST(top_level_get_stays_in_the_main_segment),
        TEST(a_segment_must_end_before_the_address_space_does),
        TEST(a_conditional_segment_is_fetched_while_the_subdevice_is_active),
        TEST(without_channel_dma_a_conditional_segment_is_always_fetched),
        TEST(a_header_may_not_find_its_data_in_a_conditional_segment),
        TEST(control_entries_by_opcode),
        TEST(gp_crc_is_over_entries_and_cleared_by_its_check),
        TEST(pb_crc_is_over_the_words_of_the_last_segment),
        TEST(a_ring_may_end_with_the_address_space_and_no_later),
        TEST(pointers_beyond_the_ring_are_gpptr_errors),
        TEST(get_beyond_put_is_a_pbptr_error),
        TEST(rings_of_every_size_go_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
