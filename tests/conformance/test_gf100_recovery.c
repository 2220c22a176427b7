/* SPDX-License-Identifier: MIT */
/*
 * What a PBDMA leaves behind for the driver with each kind of error, and how the driver gets it going again: GF100 ..
 * GM20B.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt (interrupts and what to do about each); nouveau
 * nvkm/engine/fifo/{gf100,gk104}.c.
 */
#include "fifo_pbdma/machine.h"

static struct machine m;

static const char *const chips[] = {"GF100", "GK104", "GK208", "GM107", "GM20B"};

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u
#define REF(value)                             INC(0, 0x50, 1), (value)
#define SKIP                                   0x80600008u /* valid, NOP: as nouveau writes METHOD0 */

enum {
    GP_PUT = 0x00,
    SIGNATURE = 0x10,
    GP_GET = 0x14,
    GET = 0x18,
    REFERENCE = 0x28,
    SEM_EXECUTE = 0x44,
    GP_BASE = 0x48,
    GP_BASE_HI = 0x4c,
    PUT = 0x5c,
    PB_HEADER = 0x84,
    PB_COUNT = 0x88,
    METHOD0 = 0xc0,
    DATA0 = 0xc4,
    INTR_0 = 0x108,
    GP_SHADOW = 0x110,
    HDR_SHADOW = 0x118,
};

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define FOR_EACH_CHIP                                                                                                  \
    for (size_t chip_ = 0; chip_ < COUNT_OF(chips) && (chip_ == 0 || (machine_free(&m), true)); chip_++)

static void start(const char *chip) {
    one_channel(&m, chip);
    if (m.chip->has_engine_in_object)
        set_reg(&m, 0x2204, 1);
}

static void stops_with(uint32_t intr) {
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    if (pb(&m, 0, INTR_0) != intr)
        fail_msg("%s: INTR_0 is %#x, not %#x", m.chip->name, pb(&m, 0, INTR_0), intr);
}

/* Acknowledged, it goes on to the end, and the last word of the channel was this reference. */
static void goes_on(uint32_t reference) {
    set_pb(&m, 0, INTR_0, pb(&m, 0, INTR_0));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    if (ramfc(&m, 1, REFERENCE) != reference)
        fail_msg("%s: REF is %#x, not %#x", m.chip->name, ramfc(&m, 1, REFERENCE), reference);
}

static void a_word_that_is_no_command(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        const uint32_t words[] = {REF(1), 0xc0001234, REF(2)};
        uint32_t at = put_words(&m, 1, words, COUNT_OF(words));
        push_entry(&m, 1, at, COUNT_OF(words) << 10);
        stops_with(1 << 18);
        assert_int_equal(pb(&m, 0, HDR_SHADOW), 0xc0001234);
        assert_int_equal(pb(&m, 0, GET), at + 12); /* after it */
        assert_int_equal(pb(&m, 0, PUT), at + 20);
        assert_int_equal(pb(&m, 0, PB_COUNT) & 0x1fff, 0);
        assert_int_equal(pb(&m, 0, METHOD0) >> 31, 0);
        assert_int_equal(pb(&m, 0, REFERENCE), 1);
        goes_on(2);
    }
}

/* The driver says where the data shall go, or that there are none. */
static void a_packet_across_the_last_method(void **state) {
    (void)state;
    for (unsigned repair = 0; repair < 2; repair++)
        FOR_EACH_CHIP {
            start(chips[chip_]);
            PUSH(&m, 1, INC(3, 0x3ffc, 2), repair ? 0 : 0x77, repair ? 0 : 0x88, REF(5));
            stops_with(1 << 18);
            assert_int_equal(pb(&m, 0, HDR_SHADOW), INC(3, 0x3ffc, 2));
            assert_int_equal(pb(&m, 0, PB_HEADER) & 0xe0073ffc, 1u << 29 | 3 << 16 | 0x3ffc);
            assert_int_equal(pb(&m, 0, PB_COUNT) & 0x1fff, 2);
            set_pb(&m, 0, PB_HEADER, 3u << 29 | 0x50); /* both to method 0x50 */
            set_pb(&m, 0, PB_COUNT, repair ? 0 : 2);
            goes_on(5);
            assert_int_equal(m.method_count, 0);
            if (repair == 0 && chip_ + 1 == COUNT_OF(chips))
                machine_free(&m);
        }
}

static void a_bad_entry_of_the_ring(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        PUSH(&m, 1, REF(1));
        push_entry(&m, 1, 0x12345678, 0x55); /* a control entry that is none */
        PUSH(&m, 1, REF(2));
        stops_with(1 << 15);
        assert_int_equal(pb(&m, 0, GP_SHADOW), 0x12345678);
        assert_int_equal(pb(&m, 0, GP_SHADOW + 4), 0x55);
        assert_int_equal(pb(&m, 0, GP_GET), 2); /* it is discarded */
        goes_on(2);
    }
}

static void a_pointer_beyond_the_ring(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        PUSH(&m, 1, REF(1));
        poke(&m, userd_of(1) + 0x8c, 0x200); /* GP_PUT of 512 entries */
        stops_with(1 << 14);
        assert_int_equal(pb(&m, 0, GP_PUT), 0x200);
        set_pb(&m, 0, INTR_0, 1 << 14); /* nothing was done about it */
        stops_with(1 << 14);
        poke(&m, userd_of(1) + 0x8c, 1);
        set_pb(&m, 0, GP_PUT, 1);
        goes_on(1);
    }
}

static void a_ring_across_the_end_of_the_address_space(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        uint32_t base = ramfc(&m, 1, GP_BASE), high = ramfc(&m, 1, GP_BASE_HI);
        poke(&m, instance_of(1) + GP_BASE, 0xfffffff8);
        poke(&m, instance_of(1) + GP_BASE_HI, high | 0xff);
        PUSH(&m, 1, REF(1));
        stops_with(1 << 13);
        set_pb(&m, 0, GP_BASE, base);
        set_pb(&m, 0, GP_BASE_HI, high);
        goes_on(1);
    }
}

static void get_beyond_put(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        PUSH(&m, 1, REF(1));
        PUSH(&m, 1, REF(2));
        poke(&m, instance_of(1) + GET, 0x400100);
        poke(&m, instance_of(1) + PUT, 0x400000);
        stops_with(1 << 17);
        set_pb(&m, 0, INTR_0, 1 << 17);
        stops_with(1 << 17);
        set_pb(&m, 0, GET, 0x400000);
        goes_on(2);
    }
}

/* Methods that cannot be executed are in METHOD0 and DATA0, and are executed again unless something is done. */
static const struct {
    uint32_t method, data;
    uint32_t intr;
} wrong_methods[] = {
    {0x04, 0x77, 1 << 21}, /* ILLEGAL */
    {0xf8, 0x88, 1 << 21}, /* there is none */
    {0x1c, 0x03, 1 << 25}, /* no semaphore operation */
    {0x80, 0x55, 1 << 21}, /* no YIELD operation */
};

static void a_method_that_cannot_be_executed(void **state) {
    (void)state;
    FOR_EACH_CHIP
    for (size_t i = 0; i < COUNT_OF(wrong_methods); i++) {
        if (i)
            machine_free(&m);
        start(chips[chip_]);
        PUSH(&m, 1, INC(0, wrong_methods[i].method, 1), wrong_methods[i].data, REF(9));
        for (unsigned again = 0; again < 2; again++) {
            stops_with(wrong_methods[i].intr);
            assert_int_equal(pb(&m, 0, METHOD0) & 0x80073ffc, 0x80000000 | wrong_methods[i].method);
            assert_int_equal(pb(&m, 0, DATA0), wrong_methods[i].data);
            if (!again)
                set_pb(&m, 0, INTR_0, wrong_methods[i].intr);
        }
        set_pb(&m, 0, METHOD0, SKIP);
        goes_on(9);
    }
}

/* A software method: the driver does it and puts a NOP in its place. The next one stops again. */
static void software_methods_stop_one_by_one(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        PUSH(&m, 1, INC(7, 0x200, 3), 1, 2, 3, REF(9));
        for (uint32_t i = 0; i < 3; i++) {
            stops_with(1 << 23);
            assert_int_equal(pb(&m, 0, METHOD0) & 0x80073ffc, 0x80000000 | 7 << 16 | (0x200 + 4 * i));
            assert_int_equal(pb(&m, 0, DATA0), i + 1);
            assert_int_equal(pb(&m, 0, PB_COUNT) & 0x1fff, 2 - i);
            set_pb(&m, 0, METHOD0, SKIP);
            if (i < 2)
                set_pb(&m, 0, INTR_0, 1 << 23);
        }
        goes_on(9);
    }
}

static void an_acquire_that_is_late(void **state) {
    (void)state;
    enum { RELEASED, SKIPPED, TIMER_AGAIN, WAYS };
    for (unsigned way = 0; way < WAYS; way++)
        FOR_EACH_CHIP {
            start(chips[chip_]);
            poke(&m, instance_of(1) + 0x30, 0x80000000 | 100 << 15); /* 100 microseconds */
            PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), REF(9));
            assert_int_equal(run(&m), PFIFO_STOP_WAITING);
            m.bus.time += 200 * 1024;
            stops_with(1 << 26);
            assert_int_equal(pb(&m, 0, SEM_EXECUTE) & 1 << 19, 1 << 19);
            set_pb(&m, 0, INTR_0, 1 << 26); /* the timer does not begin again by itself */
            stops_with(1 << 26);
            if (way == RELEASED)
                poke(&m, SCRATCH, 1);
            if (way == SKIPPED)
                set_pb(&m, 0, METHOD0, SKIP);
            if (way == TIMER_AGAIN) {
                set_pb(&m, 0, SEM_EXECUTE, pb(&m, 0, SEM_EXECUTE) & ~(1u << 19));
                set_pb(&m, 0, INTR_0, 1 << 26);
                assert_int_equal(run(&m), PFIFO_STOP_WAITING);
                poke(&m, SCRATCH, 1);
            }
            goes_on(9);
            if (way + 1 < WAYS && chip_ + 1 == COUNT_OF(chips))
                machine_free(&m);
        }
}

static void a_channel_without_signature(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        poke(&m, instance_of(1) + SIGNATURE, 0x1234);
        PUSH(&m, 1, REF(9));
        stops_with(1u << 31);
        assert_int_equal(pb(&m, 0, REFERENCE), 0);
        assert_int_equal(pb(&m, 0, 0x120) & 0xff, 1); /* it is there, and has done nothing */
        assert_int_equal(pb(&m, 0, GP_GET), 0);
        set_pb(&m, 0, SIGNATURE, 0xface);
        goes_on(9);
        assert_int_equal(ramfc(&m, 1, SIGNATURE), 0xface);
    }
}

static void a_wrong_crc_is_only_told(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        PUSH(&m, 1, REF(1));
        push_entry(&m, 1, 0x11111111, 2); /* GP_CRC */
        push_entry(&m, 1, 0x22222222, 3); /* PB_CRC */
        PUSH(&m, 1, REF(2), INC(0, 0x7c, 1), 0x33333333, REF(3));
        stops_with(1 << 16);
        assert_int_equal(pb(&m, 0, GP_SHADOW), 0x11111111);
        set_pb(&m, 0, INTR_0, 1 << 16);
        stops_with(1 << 19);
        assert_int_equal(pb(&m, 0, GP_SHADOW), 0x22222222);
        set_pb(&m, 0, INTR_0, 1 << 19);
        stops_with(1 << 22);
        assert_int_equal(pb(&m, 0, METHOD0) & 0x80003ffc, 0x8000007c);
        set_pb(&m, 0, METHOD0, SKIP);
        goes_on(3);
    }
}

/* A header whose data are in a conditional segment: the segment is there, and its words are the data. */
static void a_packet_split_into_a_conditional_segment(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        start(chips[chip_]);
        PUSH(&m, 1, INC(0, 0x50, 1));
        const uint32_t words[] = {7};
        uint32_t at = put_words(&m, 1, words, 1);
        push_entry(&m, 1, at | 1, 1 << 10);
        stops_with(1u << 30);
        assert_int_equal(pb(&m, 0, GP_SHADOW), at | 1);
        assert_int_equal(pb(&m, 0, PB_COUNT) & 0x1fff, 1);
        assert_int_equal(pb(&m, 0, PB_HEADER) & 1 << 23, 1 << 23);
        goes_on(7);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_word_that_is_no_command),
        TEST(a_packet_across_the_last_method),
        TEST(a_bad_entry_of_the_ring),
        TEST(a_pointer_beyond_the_ring),
        TEST(a_ring_across_the_end_of_the_address_space),
        TEST(get_beyond_put),
        TEST(a_method_that_cannot_be_executed),
        TEST(software_methods_stop_one_by_one),
        TEST(an_acquire_that_is_late),
        TEST(a_channel_without_signature),
        TEST(a_wrong_crc_is_only_told),
        TEST(a_packet_split_into_a_conditional_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
