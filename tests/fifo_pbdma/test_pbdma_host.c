/* SPDX-License-Identifier: MIT */
/* Host methods: objects, semaphores, interrupts, memory operations, and what becomes of wrong ones. */
#include "machine.h"

static struct machine m;

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define SKIP 0x80600008u /* METHOD0 as drivers leave it: NOP */

#define ACQUIRE   1u
#define RELEASE   2u
#define ACQ_GEQ   4u
#define ACQ_AND   8u
#define REDUCTION 0x10u
#define SWITCH    0x1000u
#define NO_WFI    (1u << 20)
#define SHORT     (1u << 24)

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)

static void skip_method(unsigned pbdma) {
    uint32_t intr = pb(&m, pbdma, 0x108);
    set_pb(&m, pbdma, 0xc0, SKIP);
    set_pb(&m, pbdma, 0x108, intr);
}

static void set_object_checks_the_class_with_the_engine_of_the_runlist(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 4); /* PCOPY0 */
    RUNLIST(&m, 0, 1);
    RUNLIST(&m, 4, 2);
    PUSH(&m, 1, INC(3, 0, 1), 0x902d, INC(4, 0, 1), 0xa0b5);
    PUSH(&m, 2, INC(0, 0, 1), 0xa0b5);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.bind_count, 3);
    assert_int_equal(m.binds[0].engine, 0);
    assert_int_equal(m.binds[0].subchannel, 3);
    assert_int_equal(m.binds[1].engine, 7); /* PCOPY2 is the copy engine on PGRAPH's runlist */
    assert_int_equal(m.binds[2].engine, 4);
    assert_int_equal(m.binds[2].channel, 2);
}

static void set_object_selects_the_engine_on_fermi(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(2, 0, 1), 0x000490b5, INC(2, 0x300, 1), 5, INC(0, 0, 1), 0x9097, INC(0, 0x200, 1), 6);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x300, 5}, {0x200, 6});
    assert_int_equal(m.methods[0].engine, 4);
    assert_int_equal(m.methods[1].engine, 0);
    assert_int_equal(ramfc(&m, 1, 0xa4), 0x1f041f00);
}

static void set_object_of_no_engine_is_an_error_on_fermi(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(2, 0, 1), 0x000990b5);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 21);
}

static void software_method_stalls_until_the_driver_skips_it(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object;
    } cases[] = {{"GF100", 0x001f906e}, {"GK104", 0x0000906e}, {"GM107", 0x0000906e}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, cases[i].chip);
        PUSH(&m, 1, INC(7, 0, 1), cases[i].object, INC(7, 0x500, 2), 0x11, 0x22, INC(0, 0x00, 1), 0x902d,
             IMMD(0, 0x100, 3));
        const uint32_t expected[][2] = {{0, cases[i].object}, {0x500, 0x11}, {0x504, 0x22}};
        for (size_t k = 0; k < COUNT_OF(expected); k++) {
            assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
            assert_int_equal(pb(&m, 0, 0x108), 1 << 23);
            assert_int_equal(pb(&m, 0, 0xc0) & 0x80073ffc, 0x80070000 | expected[k][0]);
            assert_int_equal(pb(&m, 0, 0xc4), expected[k][1]);
            assert_int_equal(pb(&m, 0, 0x120) & 0x7f, 1);
            assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT); /* nothing moves before it is cleared */
            skip_method(0);
        }
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 3});
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void refused_class_becomes_software_on_fermi(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    m.refuse_class = 0x906e;
    PUSH(&m, 1, INC(7, 0, 1), 0x0000906e, IMMD(7, 0x100, 3));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 23);
    skip_method(0);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0xc0) & 0x80073ffc, 0x80070100);
    skip_method(0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 0);
}

static void refused_class_is_an_error_of_the_copy_front_end(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 4);
    RUNLIST(&m, 4, 1);
    m.refuse_class = 0x902d;
    PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1));
    unsigned pbdma = 4 % 3;
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, pbdma, 0x148), 1 << 4);
    assert_int_equal(pb(&m, pbdma, 0x154), 0x902d);
    assert_int_equal(m.method_count, 0);
    set_pb(&m, pbdma, 0x148, 1 << 4);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void wrong_methods_stall_until_they_are_skipped(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t method, data, intr;
    } cases[] = {
        {"GF100", 0x04, 0, 1 << 21},           {"GF100", 0x0c, 0, 1 << 21},
        {"GF100", 0x60, 0, 1 << 21},           {"GF100", 0x80, 1, 1 << 21},
        {"GF100", 0x30, 0, 1 << 21},           {"GK104", 0x70, 0, 1 << 21},
        {"GK104", 0x74, 0, 1 << 21},           {"GK104", 0x78, 0, 1 << 21},
        {"GM204", 0x28, 0, 1 << 21},           {"GM204", 0x80, 4, 1 << 21},
        {"GP102", 0x70, 0, 1 << 21},           {"GK104", 0x2c, 0, 1 << 21},
        {"GP102", 0x34, 0, 1 << 21},           {"GF100", 0x1c, 3, 1 << 25},
        {"GK104", 0x1c, 0x10, 1 << 25},        {"GK110", 0x1c, 0, 1 << 25},
        {"GK110", 0x1c, 0x40000010, 1 << 25},  {"GK104", 0x7c, 1, 1 << 22},
        {"GM204", 0x34, 0x0bu << 27, 1 << 21}, {"GM204", 0x34, 0x06u << 27, 1 << 21},
        {"GM204", 0x74, 1, 1 << 21},           {"GK110", 0x70, 0, 1 << 21},
        {"GK110", 0x74, 0, 1 << 21},           {"GP102", 0x74, 1, 1 << 21},
        {"GK20A", 0x2c, 0x06u << 27, 1 << 21}, {"GK20A", 0x2c, 0x0du << 27, 1 << 21},
        {"GK20A", 0x1c, 0x10, 1 << 25},        {"GK20A", 0x80, 1, 1 << 21},
        {"GK110", 0x80, 3, 1 << 21},           {"GM20B", 0x80, 4, 1 << 21},
        {"GK104", 0x34, 0x09u << 27, 1 << 21}, {"GM20B", 0x28, 0x09u << 27, 1 << 21},
        {"GK110", 0x2c, 0x0au << 27, 1 << 21}, {"GM20B", 0x34, 0x0au << 27, 1 << 21},
        {"GM20B", 0x34, 0x15u << 27, 1 << 21}, {"GP10B", 0x34, 0x06u << 27, 1 << 21},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, cases[i].chip);
        PUSH(&m, 1, INC(0, cases[i].method, 1), cases[i].data, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 3));
        if (run(&m) != PFIFO_STOP_INTERRUPT)
            fail_msg("%s: method %#x is taken", cases[i].chip, cases[i].method);
        if (pb(&m, 0, 0x108) != cases[i].intr)
            fail_msg("%s: method %#x: INTR_0 %#x", cases[i].chip, cases[i].method, pb(&m, 0, 0x108));
        assert_int_equal(pb(&m, 0, 0xc0) & 0x80003ffc, 0x80000000 | cases[i].method);
        assert_int_equal(pb(&m, 0, 0xc4), cases[i].data);
        skip_method(0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 3});
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void methods_without_effect_are_taken(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t method, data;
    } cases[] = {
        {"GF100", 0x08, 1},           {"GF100", 0x24, 0},           {"GF100", 0x70, 7},
        {"GF100", 0x74, 7},           {"GF100", 0x78, 7},           {"GF100", 0x80, 0},
        {"GF100", 0x2c, 6u << 27},    {"GK110", 0x78, 0},           {"GM204", 0x78, 1},
        {"GM204", 0x80, 3},           {"GM204", 0x34, 0x10u << 27}, {"GP102", 0x28, 1},
        {"GP102", 0x34, 0x15u << 27}, {"GK104", 0x2c, 0x0fu << 27}, {"GP102", 0x30, 5},
        {"GK20A", 0x2c, 0x05u << 27}, {"GK20A", 0x2c, 0x0eu << 27}, {"GK110", 0x2c, 0x06u << 27},
        {"GK110", 0x2c, 0x0du << 27}, {"GP10B", 0x34, 0x0au << 27}, {"GP10B", 0x80, 2},
        {"GP102", 0x80, 1},           {"GM20B", 0x74, 1},           {"GM20B", 0x2c, 0x80000000},
        {"GM20B", 0x2c, 0x70000000},  {"GM204", 0x2c, 0x48000000},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, cases[i].chip);
        PUSH(&m, 1, INC(0, cases[i].method, 1), cases[i].data, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 3));
        if (run(&m) != PFIFO_STOP_IDLE)
            fail_msg("%s: method %#x stops: INTR_0 %#x", cases[i].chip, cases[i].method, pb(&m, 0, 0x108));
        EXPECT_METHODS(&m, {0x100, 3});
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void fermi_keeps_the_operands_of_syncpoint_methods(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(0, 0x70, 3), 0x11, 0x22, 0x33);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x7c), 0x22);
    assert_int_equal(ramfc(&m, 1, 0x80), 0x33);
}

static void long_release_writes_payload_zero_and_time(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    for (unsigned i = 0; i < 16; i += 4)
        poke(&m, SCRATCH + i, 0xdeadbeef);
    m.bus.time = 0x123456789a0;
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 0x42, RELEASE));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(peek(&m, SCRATCH), 0x42);
    assert_int_equal(peek(&m, SCRATCH + 4), 0);
    /* entry, header, three words fetched and executed, the fourth fetched */
    assert_int_equal(peek(&m, SCRATCH + 8), 0x456789a0 + 9 * BUS_NS_PER_WORK);
    assert_int_equal(peek(&m, SCRATCH + 12), 0x123);
}

static void host_methods_take_immediate_data(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GK104", "GM20B", "GP102"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        one_channel(&m, chips[i]);
        PUSH(&m, 1, INC(0, 0x14, 1), SCRATCH, IMMD(0, 0x18, 0x1fff), IMMD(0, 0x1c, RELEASE),
             IMMD(5, 0x1c, ACQUIRE | SWITCH), IMMD(0, 0x50, 7), IMMD(0, 0x18, 1), IMMD(0, 0x1c, 3), IMMD(0, 0x50, 8));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(peek(&m, SCRATCH), 0x1fff);
        assert_int_equal(pb(&m, 0, 0x28), 7);
        assert_int_equal(pb(&m, 0, 0x108), 1 << 25);
        assert_int_equal(pb(&m, 0, 0xc0) & 0x80073ffc, 0x8000001c);
        assert_int_equal(pb(&m, 0, 0xc4), 3);
        skip_method(0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 8);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

static void short_release_writes_the_payload_only(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, SCRATCH + 4, 0xdeadbeef);
    PUSH(&m, 1, SEMAPHORE(SCRATCH | 3, 0x42, RELEASE | NO_WFI | SHORT));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(peek(&m, SCRATCH), 0x42);
    assert_int_equal(peek(&m, SCRATCH + 4), 0xdeadbeef);
}

static void acquire_waits_for_its_condition(void **state) {
    (void)state;
    static const struct {
        uint32_t operation, payload, before, after;
    } cases[] = {
        {ACQUIRE, 5, 6, 5},
        {ACQUIRE | SWITCH, 5, 4, 5},
        {ACQ_GEQ, 5, 4, 5},
        {ACQ_GEQ | SWITCH, 2, 0xfffffffe, 3},
        {ACQ_GEQ, 0xffffffff, 0xfffffff0, 1},
        {ACQ_AND, 6, 9, 4},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, "GK104");
        poke(&m, SCRATCH, cases[i].before);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, cases[i].payload, cases[i].operation), IMMD(0, 0x100, 1));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(m.fifo->stop.channel, 1);
        assert_int_equal(m.fifo->stop.address, SCRATCH);
        assert_int_equal(m.fifo->stop.expected, cases[i].payload);
        assert_int_equal(m.fifo->stop.found, cases[i].before);
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(m.method_count, 0);
        poke(&m, SCRATCH, cases[i].after);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 1});
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void acquire_times_out(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x30, 0x80000000 | 100 << 15 | 2 << 11); /* 400 * 1024 ns */
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 399 * 1024;
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 1024;
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 26);
    assert_int_equal(pb(&m, 0, 0x44) & 1 << 19, 1 << 19);
    set_pb(&m, 0, 0x44, pb(&m, 0, 0x44) & ~(1u << 19));
    skip_method(0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void every_acquire_has_its_own_deadline(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x30, 0x80000000 | 100 << 15);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), SEMAPHORE(SCRATCH, 2, ACQUIRE));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 90 * 1024;
    poke(&m, SCRATCH, 1);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 90 * 1024;
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 11 * 1024;
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
}

static void acquire_in_a_no_switch_segment_is_an_error_on_fermi(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    const uint32_t words[] = {SEMAPHORE(SCRATCH, 1, ACQUIRE), INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1)};
    push_entry(&m, 1, put_words(&m, 1, words, COUNT_OF(words)) | 2, COUNT_OF(words) << 10);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 29);
    poke(&m, SCRATCH, 1);
    set_pb(&m, 0, 0x108, 1 << 29);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void reductions_change_memory(void **state) {
    (void)state;
    static const struct {
        uint32_t bits, memory, payload, result;
    } cases[] = {
        {0, 5, 3, 3},
        {0, 5, (uint32_t)-3, (uint32_t)-3},
        {0x80000000, 5, (uint32_t)-3, 5},
        {1u << 27, 5, 7, 7},
        {2u << 27, 5, 7, 2},
        {3u << 27, 5, 6, 4},
        {4u << 27, 5, 6, 7},
        {5u << 27, 5, 6, 11},
        {6u << 27, 5, 6, 6},
        {6u << 27, 6, 6, 0},
        {7u << 27, 0, 6, 6},
        {7u << 27, 5, 6, 4},
    };
    one_channel(&m, "GK110");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        poke(&m, SCRATCH, cases[i].memory);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, cases[i].payload, REDUCTION | cases[i].bits));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        if (peek(&m, SCRATCH) != cases[i].result)
            fail_msg("case %zu: %#x", i, peek(&m, SCRATCH));
    }
}

static void old_semaphore_methods_use_the_same_address(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(0, 0x10, 1), 0, INC(0, 0x64, 1), SCRATCH, INC(0, 0x6c, 1), 0x77, INC(0, 0x68, 1), 0x78,
         INC(0, 0x50, 1), 9);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(peek(&m, SCRATCH), 0x77);
    assert_int_equal(m.fifo->stop.expected, 0x78);
    poke(&m, SCRATCH, 0x78);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(peek(&m, userd_of(1) + 0x48), 9);
}

static void semaphore_on_an_unmapped_page_faults(void **state) {
    (void)state;
    one_channel(&m, "GP102");
    PUSH(&m, 1, SEMAPHORE(MAPPED_END + 0x10, 1, RELEASE));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(reg(&m, 0x259c), 1 << 6); /* HOST0 */
    assert_int_equal(reg(&m, 0x2864), MAPPED_END + 0x10);
    assert_int_equal(reg(&m, 0x286c) & 0x80, 0x80);
}

static void non_stall_interrupt_reaches_the_driver(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x20, 0));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(reg(&m, 0x2100) & 0x80000000, 0x80000000);
    set_reg(&m, 0x2100, 0x80000000);
    assert_int_equal(reg(&m, 0x2100) & 0x80000000, 0);
    machine_free(&m);

    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(2, 0, 1), 0x000490b5, IMMD(2, 0x20, 0));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(reg(&m, 0x2100) & 0x80000000, 0x80000000);
    assert_int_equal(reg(&m, 0x25a4), 1 << 4);
    assert_int_equal(reg(&m, 0x25b8), 1);
    set_reg(&m, 0x25b8, 1);
    assert_int_equal(reg(&m, 0x2100) & 0x80000000, 0);
}

static void tlb_invalidate_makes_new_page_tables_count(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t words[3];
    } cases[] = {{"GK104", {INC(0, 0x28, 2), 0x200 << 2, 9u << 27}}, {"GM204", {INC(0, 0x30, 2), 1, 9u << 27}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, cases[i].chip);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, RELEASE | SHORT));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(peek(&m, SCRATCH), 1);
        poke(&m, 0x030000 + 8 * (SCRATCH >> 17), (SCRATCH + 0x200000) >> 8 | 1);
        PUSH(&m, 1, cases[i].words[0], cases[i].words[1], cases[i].words[2], SEMAPHORE(SCRATCH, 2, RELEASE | SHORT));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(peek(&m, SCRATCH), 1);
        assert_int_equal(peek(&m, SCRATCH + 0x200000), 2);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void set_reference_and_a_release_wait_for_the_engine(void **state) {
    (void)state;
    static const uint32_t words[][5] = {
        {INC(0, 0x50, 1), 9, 0, 0, 0},
        {INC(0, 0x78, 1), 0, 0, 0, 0},
        {SEMAPHORE(SCRATCH, 1, RELEASE)},
    };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        one_channel(&m, "GK110");
        PUSH(&m, 1, IMMD(0, 0x100, 1));
        push(&m, 1, words[i], 5);
        m.busy = true;
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(pb(&m, 0, 0x28), 0);
        assert_int_equal(peek(&m, SCRATCH), 0);
        m.busy = false;
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_true(i != 0 || ramfc(&m, 1, 0x28) == 9);
        assert_true(i != 2 || peek(&m, SCRATCH) == 1);
        if (i + 1 < COUNT_OF(words))
            machine_free(&m);
    }
}

static void release_without_wfi_does_not_wait(void **state) {
    (void)state;
    one_channel(&m, "GK110");
    m.busy = true;
    PUSH(&m, 1, IMMD(0, 0x100, 1), SEMAPHORE(SCRATCH, 1, RELEASE | NO_WFI));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(peek(&m, SCRATCH), 1);
}

/* CRC-32 bit by bit, over six bytes of a method. */
static uint32_t crc_method(uint32_t crc, uint32_t subchannel, uint32_t method, uint32_t data) {
    uint64_t value = data | (uint64_t)(method >> 2) << 32 | (uint64_t)subchannel << 44;
    for (unsigned i = 0; i < 6; i++)
        for (int bit = 7; bit >= 0; bit--) {
            uint32_t top = (crc >> 31 ^ (uint32_t)(value >> (8 * i + (unsigned)bit))) & 1;
            crc = crc << 1 ^ (top ? 0x04c11db7 : 0);
        }
    return crc;
}

static void crc_check_covers_methods_to_engines(void **state) {
    (void)state;
    uint32_t crc = 0;
    for (uint32_t i = 0; i < 7; i++)
        crc = crc_method(crc, 3, 0x100 + 4 * i, i);
    crc = crc_method(crc, 3, 0x400, 9);
    for (unsigned fail = 0; fail < 2; fail++)
        for (uint32_t take = 1; take < 9; take += 2) {
            one_channel(&m, "GK104");
            m.take = take;
            PUSH(&m, 1, INC(3, 0x100, 7), 0, 1, 2, 3, 4, 5, 6, IMMD(0, 0x08, 5), IMMD(3, 0x400, 9), INC(0, 0x7c, 1),
                 crc ^ fail, IMMD(0, 0x200, 1));
            assert_int_equal(run(&m), fail ? PFIFO_STOP_INTERRUPT : PFIFO_STOP_IDLE);
            assert_int_equal(pb(&m, 0, 0x108), fail << 22);
            if (!fail || take < 7)
                machine_free(&m);
        }
}

static void crc_check_covers_long_runs(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    uint32_t words[301] = {NON_INC(2, 0x104, 300)}, crc = 0;
    for (uint32_t i = 1; i <= 300; i++) {
        words[i] = i * 0x01234567;
        crc = crc_method(crc, 2, 0x104, words[i]);
    }
    push(&m, 1, words, COUNT_OF(words));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0xb0), crc);
    PUSH(&m, 1, INC(0, 0x7c, 1), crc);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0xb0), 0);
}

static void a_channel_that_never_checks_stops_counting(void **state) {
    (void)state;
    struct event_log log;
    one_channel(&m, "GK104");
    m.take = 0x1000;
    uint32_t words[0x1001] = {NON_INC(0, 0x104, 0x1000)};
    uint32_t at = put_words(&m, 1, words, COUNT_OF(words)), before;
    for (unsigned i = 0; i < 16; i++) {
        m.method_count = 0;
        push_entry(&m, 1, at, COUNT_OF(words) << 10);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    }
    before = ramfc(&m, 1, 0xb0);
    m.method_count = 0;
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0xb0), before);
    observe(&m, "fifo.unknown", &log);
    PUSH(&m, 1, IMMD(0, 0x7c, 0x123), IMMD(0, 0x100, 1), INC(0, 0x7c, 1), crc_method(0, 0, 0x100, 1), IMMD(0, 0x7c, 1));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT); /* only the last one fails */
    assert_int_equal(log.count, 1);
    assert_int_equal(pb(&m, 0, 0xc4), 1);
}

static void syncpoints_count_and_wait(void **state) {
    (void)state;
    one_channel(&m, "GM20B");
    *pbdma_fifo_syncpoint(m.fifo, 5) = 0xfffffffe;
    PUSH(&m, 1, IMMD(0, 0x74, 1), INC(0, 0x74, 1), 5 << 8 | 1, INC(0, 0x70, 2), 1, 5 << 8 | 0x10, INC(0, 0x50, 1), 4);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(*pbdma_fifo_syncpoint(m.fifo, 0), 1);
    assert_int_equal(m.fifo->stop.address, 5);
    assert_int_equal(m.fifo->stop.expected, 1);
    assert_int_equal(m.fifo->stop.found, 0xffffffff);
    *pbdma_fifo_syncpoint(m.fifo, 5) = 1;
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x28), 4);
    PUSH(&m, 1, INC(0, 0x74, 1), 192 << 8 | 1);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_null(pbdma_fifo_syncpoint(m.fifo, 192));
}

static void syncpoint_bases_add_to_the_threshold(void **state) {
    (void)state;
    one_channel(&m, "GK20A");
    PUSH(&m, 1, INC(0, 0x70, 2), 10, 3 << 20 | 3, INC(0, 0x70, 2), 5, 3 << 20 | 2, /* base 3 = 10, += 5 */
         INC(0, 0x70, 2), 1, 3 << 20 | 7 << 8 | 1 << 5);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(m.fifo->stop.expected, 16);
    *pbdma_fifo_syncpoint(m.fifo, 7) = 16;
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
}

static void chips_without_syncpoints_have_none(void **state) {
    (void)state;
    one_channel(&m, "GM204");
    assert_null(pbdma_fifo_syncpoint(m.fifo, 0));
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(set_object_checks_the_class_with_the_engine_of_the_runlist),
        TEST(set_object_selects_the_engine_on_fermi),
        TEST(set_object_of_no_engine_is_an_error_on_fermi),
        TEST(software_method_stalls_until_the_driver_skips_it),
        TEST(refused_class_becomes_software_on_fermi),
        TEST(refused_class_is_an_error_of_the_copy_front_end),
        TEST(wrong_methods_stall_until_they_are_skipped),
        TEST(methods_without_effect_are_taken),
        TEST(fermi_keeps_the_operands_of_syncpoint_methods),
        TEST(long_release_writes_payload_zero_and_time),
        TEST(host_methods_take_immediate_data),
        TEST(short_release_writes_the_payload_only),
        TEST(acquire_waits_for_its_condition),
        TEST(acquire_times_out),
        TEST(every_acquire_has_its_own_deadline),
        TEST(acquire_in_a_no_switch_segment_is_an_error_on_fermi),
        TEST(reductions_change_memory),
        TEST(old_semaphore_methods_use_the_same_address),
        TEST(semaphore_on_an_unmapped_page_faults),
        TEST(non_stall_interrupt_reaches_the_driver),
        TEST(tlb_invalidate_makes_new_page_tables_count),
        TEST(set_reference_and_a_release_wait_for_the_engine),
        TEST(release_without_wfi_does_not_wait),
        TEST(crc_check_covers_methods_to_engines),
        TEST(crc_check_covers_long_runs),
        TEST(a_channel_that_never_checks_stops_counting),
        TEST(syncpoints_count_and_wait),
        TEST(syncpoint_bases_add_to_the_threshold),
        TEST(chips_without_syncpoints_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
