/* SPDX-License-Identifier: MIT */
/* Acquires that fail: the deadline, the timeout and its ways out, and who keeps the PBDMA meanwhile. */
#include "conformance/pbdma.h"
#include "fifo/pbdma/host.h"

static struct machine m;

#define ACQUIRE 0x01u
#define RELEASE 0x02u
#define ACQ_GEQ 0x04u
#define ACQ_AND 0x08u
#define SWITCH  (1u << 12)
#define FAIL    (1u << 19)

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)

/* ---- a failed acquire ---- */

#define TIMEOUT(man, exp) (0x80000000u | (man) << 15 | (exp) << 11)

static void wait_for_payload(uint32_t config) {
    poke(&m, instance_of(1) + 0x30, config);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x50, 9));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
}

/* DEADLINE is in units of 1024 ns, as PTIMER bits 41:10. */
static void the_first_failure_sets_the_deadline(void **state) {
    (void)state;
    static const struct {
        uint32_t man, exp, period;
    } cases[] = {{1, 0, 1}, {100, 2, 400}, {0xffff, 15, 0x7fff8000}, {3, 15, 0x18000}, {0, 15, 0}};
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            start(&m, chip);
            m.bus.time = 0xffff123400;
            poke(&m, instance_of(1) + 0x30, TIMEOUT(cases[i].man, cases[i].exp) & 0x7fffffff);
            PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            assert_int_equal(pb(&m, 0, 0x34), (uint32_t)(0xffff123400 >> 10) + cases[i].period);
            uint32_t first = pb(&m, 0, 0x34);
            m.bus.time += 1 << 20;
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            assert_int_equal(pb(&m, 0, 0x34), first);
            machine_free(&m);
        }
}

static void an_acquire_times_out_at_its_deadline(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        wait_for_payload(TIMEOUT(100, 2));
        m.bus.time = ((uint64_t)pb(&m, 0, 0x34) << 10) - 1;
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        m.bus.time++;
        run_into(&m, chip, INTR_ACQUIRE);
        expect_method0(&m, chip->chip, 0, 0x1c, ACQUIRE);
        assert_int_equal(pb(&m, 0, 0x44) & FAIL, FAIL);
        machine_free(&m);
    }
}

static uint64_t until_timeout(void) {
    return fifo_until_timeout(m.fifo);
}

/* Whether the channel is on its PBDMA or was taken off. */
static void the_end_of_an_acquire_is_known_ahead(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        assert_true(until_timeout() == UINT64_MAX);
        wait_for_payload(TIMEOUT(100, 2));
        uint64_t deadline = (uint64_t)pb(&m, 0, 0x34) << 10;
        m.bus.time += 12345;
        assert_int_equal(until_timeout(), deadline - m.bus.time);
        set_reg(&m, chip->host == C906F ? 0x2504 : 0x2634, 1); /* FREEZE, preempt channel 1 */
        m.bus.time += 777;
        assert_int_equal(until_timeout(), deadline - m.bus.time);
        m.bus.time = deadline;
        assert_true(until_timeout() == UINT64_MAX);
        machine_free(&m);
        start(&m, chip);
        wait_for_payload(TIMEOUT(100, 2) & 0x7fffffff);
        assert_true(until_timeout() == UINT64_MAX);
        machine_free(&m);
    }
}

static void without_timeout_enable_an_acquire_waits_forever(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        wait_for_payload(TIMEOUT(100, 2) & 0x7fffffff);
        m.bus.time += UINT64_C(1) << 40;
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        machine_free(&m);
    }
}

/* The three ways out that the manual names: the timer does not restart by itself. */
static void a_timeout_comes_again_until_something_is_done_about_it(void **state) {
    (void)state;
    enum { CLEAR_FAIL, NOP_METHOD, RELEASE_IT, WAYS };
    for (EACH_CHIP)
        for (int way = 0; way < WAYS; way++) {
            start(&m, chip);
            wait_for_payload(TIMEOUT(100, 0));
            m.bus.time += 101 << 10;
            run_into(&m, chip, INTR_ACQUIRE);
            set_pb(&m, 0, 0x108, INTR_ACQUIRE);
            run_into(&m, chip, INTR_ACQUIRE);
            if (way == CLEAR_FAIL) {
                set_pb(&m, 0, 0x44, pb(&m, 0, 0x44) & ~FAIL);
                set_pb(&m, 0, 0x108, INTR_ACQUIRE);
                assert_int_equal(run(&m), PFIFO_STOP_WAITING);
                m.bus.time += 99 << 10;
                assert_int_equal(run(&m), PFIFO_STOP_WAITING);
                m.bus.time += 2 << 10;
                run_into(&m, chip, INTR_ACQUIRE);
                poke(&m, SCRATCH, 1);
                set_pb(&m, 0, 0x108, INTR_ACQUIRE);
            } else if (way == NOP_METHOD) {
                skip_method(&m);
            } else {
                poke(&m, SCRATCH, 1);
                set_pb(&m, 0, 0x108, INTR_ACQUIRE);
            }
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x28), 9);
            assert_int_equal(ramfc(&m, 1, 0x44) & FAIL, 0);
            machine_free(&m);
        }
}

/* ---- a failed acquire and the PBDMA ---- */

static void wait_says_whether_the_pbdma_is_given_up(void **state) {
    (void)state;
    static const struct {
        uint32_t operation;
        bool in_place;
    } cases[] = {{ACQUIRE, true},           {ACQUIRE | SWITCH, false}, {ACQ_GEQ, true},
                 {ACQ_GEQ | SWITCH, false}, {ACQ_AND | SWITCH, false}, {ACQ_AND, true}};
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            start(&m, chip);
            poke(&m, SCRATCH, 0);
            PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, cases[i].operation));
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            assert_int_equal(pbdma_wait_keeps_slice(&((struct pbdma_fifo *)m.fifo)->shared.unit[0]), cases[i].in_place);
            machine_free(&m);
        }
}

/* Syncpoints have WAIT_SWITCH for that, the old acquire has nothing. */
static void a_wait_for_a_syncpoint_says_so_too(void **state) {
    (void)state;
    for (EACH_CHIP)
        for (uint32_t with_switch = 0; (chip->host & (CA26F | TEGRA_X1)) && with_switch <= 0x10; with_switch += 0x10) {
            start(&m, chip);
            PUSH(&m, 1, IMMD(0, 0x70, 1), INC(0, 0x74, 1), 3 << 8 | with_switch);
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            assert_int_equal(pbdma_wait_keeps_slice(&((struct pbdma_fifo *)m.fifo)->shared.unit[0]), with_switch == 0);
            machine_free(&m);
        }
}

/* A ring that is wrong, where that does not stall: METHOD0 has only what was executed last. */
static void a_wait_without_a_method_is_in_place(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        set_pb(&m, 0, 0x13c, ~INTR_GPPTR);
        poke(&m, instance_of(1) + 0x44, ACQUIRE | SWITCH | FAIL);
        poke(&m, instance_of(1) + 0xc0, 0x1c);
        poke(&m, instance_of(1) + 0xc4, ACQUIRE | SWITCH);
        poke(&m, userd_of(1) + 0x8c, 0x10000);
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(intr_0(&m), INTR_GPPTR);
        assert_true(pbdma_wait_keeps_slice(&((struct pbdma_fifo *)m.fifo)->shared.unit[0]));
        machine_free(&m);
    }
}

/* What a driver puts over a failed acquire ends it, whatever it is: the next one has a timer of its own. */
static void a_method_in_place_of_a_failed_acquire_ends_it(void **state) {
    (void)state;
    static const uint32_t methods[] = {0x80600008, 0x8000000c, 0x80000060};
    for (EACH_CHIP)
        for (size_t i = 0; i < COUNT_OF(methods); i++) {
            start(&m, chip);
            set_pb(&m, 0, 0x13c, ~INTR_METHOD); /* a method that does not exist is dropped */
            wait_for_payload(TIMEOUT(100, 0));
            m.bus.time += 101 << 10;
            run_into(&m, chip, INTR_ACQUIRE);
            set_pb(&m, 0, 0xc0, methods[i]);
            set_pb(&m, 0, 0x108, INTR_ACQUIRE);
            run_units(&m, 1);
            assert_int_equal(intr_0(&m), i ? INTR_METHOD : 0);
            assert_int_equal(pb(&m, 0, 0x44) & FAIL, 0);
            machine_free(&m);
        }
}

static void waiting_for_an_engine_is_in_place_whatever_the_switch_bit_says(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        m.busy = true;
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1), SEMAPHORE(SCRATCH, 1, RELEASE | SWITCH));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_true(pbdma_wait_keeps_slice(&((struct pbdma_fifo *)m.fifo)->shared.unit[0]));
        machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test(function)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_first_failure_sets_the_deadline),
        TEST(an_acquire_times_out_at_its_deadline),
        TEST(the_end_of_an_acquire_is_known_ahead),
        TEST(without_timeout_enable_an_acquire_waits_forever),
        TEST(a_timeout_comes_again_until_something_is_done_about_it),
        TEST(wait_says_whether_the_pbdma_is_given_up),
        TEST(a_wait_for_a_syncpoint_says_so_too),
        TEST(a_wait_without_a_method_is_in_place),
        TEST(a_method_in_place_of_a_failed_acquire_ends_it),
        TEST(waiting_for_an_engine_is_in_place_whatever_the_switch_bit_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
