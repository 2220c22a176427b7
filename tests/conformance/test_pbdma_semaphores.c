/* SPDX-License-Identifier: MIT */
/* Semaphores of 906F .. C06F: SEMAPHOREA..D with every operation, and the old methods. */
#include "conformance/pbdma.h"

static struct machine m;

#define ACQUIRE   0x01u
#define RELEASE   0x02u
#define ACQ_GEQ   0x04u
#define ACQ_AND   0x08u
#define REDUCTION 0x10u
#define SWITCH    (1u << 12)
#define FAIL      (1u << 19)
#define NO_WFI    (1u << 20)
#define SHORT     (1u << 24)
#define UNSIGNED  (1u << 31)

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)

static bool has_reductions(const struct channel_class *chip) {
    return (chip->host & (CA16F | MAXWELL_ON)) != 0;
}

/* ---- address ---- */

/* [7:0] of A and [31:2] of B count. */
static void the_address_has_forty_bits_and_is_aligned_to_words(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0x10, 4), 0xffffff00, SCRATCH | 3, 0x55, RELEASE | SHORT);
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, SCRATCH), 0x55);
        PUSH(&m, 1, INC(0, 0x10, 4), 0x01, SCRATCH, 0x66, RELEASE | SHORT);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT); /* nothing is mapped there */
        assert_int_equal(reg(&m, 0x2100) & 1u << 28, 1u << 28);
        assert_int_equal(reg(&m, 0x2804 + 0x10 * __builtin_ctz(reg(&m, 0x259c))), SCRATCH);
        assert_int_equal(reg(&m, 0x2808 + 0x10 * __builtin_ctz(reg(&m, 0x259c))), 1);
        assert_int_equal(peek(&m, SCRATCH), 0x55);
        machine_free(&m);
    }
}

/* What A, B, C and D are about stays in the channel. */
static void the_words_are_kept_in_ramfc(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 0x1234, RELEASE | SHORT | NO_WFI));
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x38), 0);
        assert_int_equal(ramfc(&m, 1, 0x3c), SCRATCH);
        assert_int_equal(ramfc(&m, 1, 0x40), 0x1234);
        assert_int_equal(ramfc(&m, 1, 0x44), RELEASE | SHORT | NO_WFI);
        machine_free(&m);
    }
}

/* ---- operations ---- */

static void each_class_has_its_operations_and_others_are_semaphore_errors(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        for (uint32_t operation = 0; operation < 32; operation++) {
            /* Without reductions bit 4 is not part of the field. */
            uint32_t field = operation & (has_reductions(chip) ? 31 : 15);
            bool legal = field == 1 || field == 2 || field == 4 || field == 8 || field == 16;
            poke(&m, SCRATCH, 1);
            PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, operation));
            enum pfifo_stop stop = run(&m);
            if (stop != (legal ? PFIFO_STOP_IDLE : PFIFO_STOP_INTERRUPT))
                fail_msg("%s: operation %#x: %d", chip->chip, operation, stop);
            if (legal)
                continue;
            expect_intr(&m, chip, INTR_SEMAPHORE);
            expect_method0(&m, chip->chip, 0, 0x1c, operation);
            skip_method(&m);
            run_into(&m, chip, 0);
            assert_int_equal(peek(&m, SCRATCH), 1);
        }
        machine_free(&m);
    }
}

static const struct {
    uint32_t operation, payload, memory;
    bool passes;
} acquires[] = {
    {ACQUIRE, 5, 5, true},
    {ACQUIRE, 5, 4, false},
    {ACQUIRE, 5, 6, false},
    {ACQUIRE, 0, 0, true},
    {ACQ_GEQ, 5, 5, true},
    {ACQ_GEQ, 5, 6, true},
    {ACQ_GEQ, 5, 4, false},
    {ACQ_GEQ, 5, 0x80000004, true},
    {ACQ_GEQ, 5, 0x80000005, false},
    {ACQ_GEQ, 0xffffffff, 0, true},
    {ACQ_GEQ, 0, 0xffffffff, false},
    {ACQ_GEQ, 0x80000000, 0x7fffffff, false},
    {ACQ_GEQ, 0x7fffffff, 0x80000000, true},
    {ACQ_AND, 6, 4, true},
    {ACQ_AND, 6, 9, false},
    {ACQ_AND, 0, 0xffffffff, false},
    {ACQ_AND, 0x80000000, 0xffffffff, true},
};

static void acquire_compares(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t with_switch = 0; with_switch <= SWITCH; with_switch += SWITCH) {
            start(&m, chip);
            for (size_t i = 0; i < COUNT_OF(acquires); i++) {
                poke(&m, SCRATCH, acquires[i].memory);
                PUSH(&m, 1, SEMAPHORE(SCRATCH, acquires[i].payload, acquires[i].operation | with_switch),
                     IMMD(0, 0x50, 0x100 + (uint32_t)i));
                enum pfifo_stop stop = run(&m);
                if (stop != (acquires[i].passes ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING))
                    fail_msg("%s: acquire %zu: %d", chip->chip, i, stop);
                if (stop == PFIFO_STOP_WAITING) {
                    expect_method0(&m, chip->chip, 0, 0x1c, acquires[i].operation | with_switch);
                    assert_int_equal(pb(&m, 0, 0x44) & FAIL, FAIL);
                    poke(&m, SCRATCH, acquires[i].operation == ACQ_AND ? 0xffffffff : acquires[i].payload);
                    if (acquires[i].payload == 0 && acquires[i].operation == ACQ_AND)
                        skip_method(&m);
                    run_into(&m, chip, 0);
                }
                assert_int_equal(ramfc(&m, 1, 0x28), 0x100 + i);
                assert_int_equal(ramfc(&m, 1, 0x44) & FAIL, 0);
            }
            machine_free(&m);
        }
}

/* ---- release ---- */

static void release_is_four_bytes_or_sixteen_with_the_time(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t flags = 0; flags < 4; flags++) {
            bool is_short = flags & 1, waits = !(flags & 2);
            start(&m, chip);
            for (uint32_t i = 0; i < 20; i += 4)
                poke(&m, SCRATCH + i, 0xdddddddd);
            m.bus.time = 0x76543210fedcba98;
            m.busy = true;
            PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1),
                 SEMAPHORE(SCRATCH, 0x42, RELEASE | (is_short ? SHORT : 0) | (waits ? 0 : NO_WFI)));
            assert_int_equal(run(&m), waits ? PFIFO_STOP_WAITING : PFIFO_STOP_IDLE);
            assert_int_equal(peek(&m, SCRATCH), waits ? 0xdddddddd : 0x42);
            uint64_t before = m.bus.time;
            m.busy = false;
            run_into(&m, chip, 0);
            assert_int_equal(peek(&m, SCRATCH), 0x42);
            assert_int_equal(peek(&m, SCRATCH + 4), is_short ? 0xdddddddd : 0);
            uint64_t time = peek(&m, SCRATCH + 8) | (uint64_t)peek(&m, SCRATCH + 12) << 32;
            if (is_short)
                assert_true(time == 0xdddddddddddddddd);
            else
                assert_true(time > 0x76543210fedcba98 && time <= m.bus.time && time <= before + 16);
            assert_int_equal(peek(&m, SCRATCH + 16), 0xdddddddd);
            machine_free(&m);
        }
}

/* Nothing is written before all of it can be. */
static void a_release_across_the_end_of_a_mapping_writes_nothing(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        poke(&m, MAPPED_END - 8, 0x77777777);
        PUSH(&m, 1, SEMAPHORE(MAPPED_END - 8, 0x42, RELEASE));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(peek(&m, MAPPED_END - 8), 0x77777777);
        machine_free(&m);
    }
}

static void four_bytes_need_no_more_alignment_and_room_than_that(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, SEMAPHORE(MAPPED_END - 4, 0x42, RELEASE | SHORT), SEMAPHORE(SCRATCH + 4, 0x43, RELEASE));
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, MAPPED_END - 4), 0x42);
        assert_int_equal(peek(&m, SCRATCH + 4), 0x43);
        assert_int_equal(peek(&m, SCRATCH + 8), 0);
        machine_free(&m);
    }
}

/* ---- reductions ---- */

enum { MIN, MAX, XOR, AND, OR, ADD, INCREMENT, DECREMENT };

static const struct {
    uint32_t operation, format, memory, payload, result;
} reductions[] = {
    {MIN, 0, 5, 0xfffffffe, 0xfffffffe},
    {MIN, UNSIGNED, 5, 0xfffffffe, 5},
    {MIN, UNSIGNED, 6, 5, 5},
    {MAX, 0, 5, 0xfffffffe, 5},
    {MAX, UNSIGNED, 5, 0xfffffffe, 0xfffffffe},
    {MAX, 0, 0x80000000, 0x7fffffff, 0x7fffffff},
    {XOR, 0, 0x0ff0, 0x00ff, 0x0f0f},
    {XOR, UNSIGNED, 0xffffffff, 0xffff0000, 0x0000ffff},
    {AND, 0, 0x0ff0, 0x00ff, 0x00f0},
    {OR, UNSIGNED, 0x0ff0, 0x00ff, 0x0fff},
    {ADD, 0, 0xffffffff, 3, 2},
    {ADD, UNSIGNED, 40, 2, 42},
    {INCREMENT, UNSIGNED, 4, 5, 5},
    {INCREMENT, UNSIGNED, 5, 5, 0},
    {INCREMENT, UNSIGNED, 6, 5, 0},
    {DECREMENT, UNSIGNED, 4, 5, 3},
    {DECREMENT, UNSIGNED, 0, 5, 5},
    {DECREMENT, UNSIGNED, 6, 5, 5},
};

static void reductions_change_one_word(void **state) {
    (void)state;
    for (EACH_CHIP) {
        if (!has_reductions(chip))
            continue;
        start(&m, chip);
        for (size_t i = 0; i < COUNT_OF(reductions); i++) {
            poke(&m, SCRATCH, reductions[i].memory);
            PUSH(&m, 1,
                 SEMAPHORE(SCRATCH, reductions[i].payload,
                           REDUCTION | SHORT | reductions[i].format | reductions[i].operation << 27));
            run_into(&m, chip, 0);
            if (peek(&m, SCRATCH) != reductions[i].result)
                fail_msg("%s: reduction %zu: %#x, not %#x", chip->chip, i, peek(&m, SCRATCH), reductions[i].result);
        }
        machine_free(&m);
    }
}

static void reductions_beyond_eight_are_semaphore_errors(void **state) {
    (void)state;
    for (EACH_CHIP) {
        if (!has_reductions(chip))
            continue;
        start(&m, chip);
        for (uint32_t operation = 8; operation < 16; operation++) {
            poke(&m, SCRATCH, 3);
            PUSH(&m, 1, SEMAPHORE(SCRATCH, 3, REDUCTION | operation << 27));
            run_into(&m, chip, INTR_SEMAPHORE);
            expect_method0(&m, chip->chip, 0, 0x1c, REDUCTION | operation << 27);
            skip_method(&m);
            run_into(&m, chip, 0);
            assert_int_equal(peek(&m, SCRATCH), 3);
        }
        machine_free(&m);
    }
}

static void a_reduction_waits_for_the_engine_unless_told_not_to(void **state) {
    (void)state;
    for (EACH_CHIP) {
        if (!has_reductions(chip))
            continue;
        start(&m, chip);
        m.busy = true;
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1),
             SEMAPHORE(SCRATCH, 3, REDUCTION | NO_WFI | (uint32_t)ADD << 27),
             SEMAPHORE(SCRATCH, 4, REDUCTION | (uint32_t)ADD << 27));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(peek(&m, SCRATCH), 3);
        m.busy = false;
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, SCRATCH), 7);
        machine_free(&m);
    }
}

/* ---- the old methods, and drivers ---- */

/* 0x64 is the low half of the address; 0x68 acquires what is equal, 0x6c releases four bytes. */
static void old_methods_work_on_the_same_address(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        poke(&m, SCRATCH, 4);
        poke(&m, SCRATCH + 4, 0xdddddddd);
        PUSH(&m, 1, INC(0, 0x64, 2), SCRATCH, 3, IMMD(0, 0x6c, 8), IMMD(0, 0x50, 1));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        expect_method0(&m, chip->chip, 0, 0x68, 3);
        poke(&m, SCRATCH, 3);
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, SCRATCH), 8);
        assert_int_equal(peek(&m, SCRATCH + 4), 0xdddddddd);
        machine_free(&m);
    }
}

/* nouveau's fences: nvc0_fence_emit32 and nvc0_fence_sync32 send 5 and 4 words. */
static void fences_of_nouveau(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d);
        PUSH(&m, 1, INC(0, 0x10, 5), 0, SCRATCH, 7, 1u << 24 | 2, 0);
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, SCRATCH), 7);
        assert_int_equal(reg(&m, 0x2100) & 1u << 31, 1u << 31);
        PUSH(&m, 1, INC(0, 0x10, 4), 0, SCRATCH, 8, 1u << 12 | 4, IMMD(0, 0x50, 3));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        poke(&m, SCRATCH, 9);
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x28), 3);
        machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test(function)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_address_has_forty_bits_and_is_aligned_to_words),
        TEST(the_words_are_kept_in_ramfc),
        TEST(each_class_has_its_operations_and_others_are_semaphore_errors),
        TEST(acquire_compares),
        TEST(release_is_four_bytes_or_sixteen_with_the_time),
        TEST(a_release_across_the_end_of_a_mapping_writes_nothing),
        TEST(four_bytes_need_no_more_alignment_and_room_than_that),
        TEST(reductions_change_one_word),
        TEST(reductions_beyond_eight_are_semaphore_errors),
        TEST(a_reduction_waits_for_the_engine_unless_told_not_to),
        TEST(old_methods_work_on_the_same_address),
        TEST(fences_of_nouveau),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
