/* SPDX-License-Identifier: MIT */
/* Methods below 0x100 that are not the old semaphores: reference, yield, and what G84 added. */
#include "rig.h"

#define PAGE   0x900000u /* in system memory */
#define HANDLE 0x5e5e0001u

enum { ACQUIRE_ACTIVE = 1 << 4, ACQUIRE_NEW = 1 << 5, ACQUIRE_GEQUAL = 1 << 7, INTR_SEMAPHORE = 1 << 20 };

static void ref_cnt_is_seen_in_register_and_user(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x50, 1), 0x89abcdef);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x89abcdef);
    assert_int_equal(user_rd(rig, 1, USER_REF), 0x89abcdef);
}

static void ref_cnt_waits_for_the_engine_used_last(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x50, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    rig->engine[1].busy = rig->engine[2].busy = true;
    push(rig, INC(0, 0x50, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, REF), 1);
    rig->engine[1].busy = false; /* the other one does not matter */
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 2);
}

static void yield_alone_goes_on(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x80, 1), 0, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

static void notify_raises_bit_30_and_goes_on(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, INTR_EN, 0xbfffffff);
    push(rig, INC(0, 0x20, 1), 0, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
    assert_int_equal(rd(rig, INTR), 1u << 30);
    assert_false(rig->bus.line);
    wr(rig, INTR_EN, 1u << 30);
    assert_true(rig->bus.line);
    wr(rig, INTR, 1u << 30);
    assert_false(rig->bus.line);
}

static void write_cache_flush_goes_on(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x24, 1), 0, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

/* ---- semaphores of G84 ---- */

/* Channel 1 has its semaphore at PAGE + 0x40, with sequence 5. */
static void bind_semaphore(struct rig *rig) {
    rig_bind(rig);
    rig_handle(rig, 1, HANDLE, 0, rig_dma_object(rig, 1, MEMORY_SYSTEM, PAGE, 0x1000));
    push(rig, INC(0, 0x60, 1), HANDLE, INC(0, 0x10, 3), 0, 0x40, 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEM_HIGH), 0);
    assert_int_equal(rd(rig, SEM_LOW), 0x40);
    assert_int_equal(rd(rig, SEM_SEQUENCE), 5);
}

static void bad_addresses_are_errors(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t method, data, code;
    } rows[] = {{0x10, 0x100, 3},      {0x10, 0xffffffff, 3}, {0x14, 1, 1},
                {0x14, 0xfffffffe, 1}, {0x10, 0xff, 0},       {0x14, 0xfffffffc, 0}};
    bind_semaphore(rig);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        push(rig, INC(0, rows[i].method, 1), rows[i].data);
        assert_int_equal(rig_go(rig), rows[i].code ? PFIFO_STOP_INTERRUPT : PFIFO_STOP_IDLE);
        if (rows[i].code == 0)
            continue;
        assert_int_equal(rd(rig, PULL0), rows[i].code << 20);
        assert_int_equal(rd(rig, INTR), INTR_SEMAPHORE);
        assert_int_equal(rd(rig, SEM_HIGH), 0);
        assert_int_equal(rd(rig, SEM_LOW), 0x40);
        wr(rig, INTR, INTR_SEMAPHORE);
        wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
        wr(rig, PULL0, 1);
    }
    assert_int_equal(rd(rig, SEM_HIGH), 0xff);
    assert_int_equal(rd(rig, SEM_LOW), 0xfffffffc);
}

static uint64_t bench_clock(void *opaque) {
    (void)opaque;
    return UINT64_C(0x123456789abcde0);
}

static void release_writes_sequence_zero_and_time(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    rig->bus.clock.now = bench_clock;
    for (uint32_t at = 0x30; at < 0x60; at += 4)
        system_wr(rig, PAGE + at, 0x77777777);
    push(rig, INC(0, 0x1c, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    static const uint32_t expected[] = {0x77777777, 5, 0, 0x89abcde0, 0x01234567, 0x77777777};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(system_rd(rig, PAGE + 0x3c + 4 * i), expected[i]);
}

static void acquire_equal(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    system_wr(rig, PAGE + 0x40, 6);
    push(rig, INC(0, 0x1c, 1), 1, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL1), ACQUIRE_ACTIVE | ACQUIRE_NEW | 1);
    assert_int_equal(rd(rig, ACQUIRE_VALUE), 5);
    assert_int_equal(rig->fifo->stop.address, 0x40);
    assert_int_equal(rig->fifo->stop.expected, 5);
    assert_int_equal(rig->fifo->stop.found, 6);
    system_wr(rig, PAGE + 0x40, 5);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

/* (int32)(memory - sequence) >= 0: numbers go round. */
static void acquire_gequal_is_circular(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t sequence, memory;
        bool satisfied;
    } rows[] = {{5, 5, true},           {5, 6, true},           {5, 4, false},
                {5, 0x80000004, true},  {5, 0x80000005, false}, {0xfffffffe, 1, true},
                {1, 0xfffffffe, false}, {0x80000000, 0, false}, {0, 0x80000000, false}};
    bind_semaphore(rig);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        system_wr(rig, PAGE + 0x40, rows[i].memory);
        push(rig, INC(0, 0x18, 2), rows[i].sequence, 4);
        assert_int_equal(rig_go(rig), rows[i].satisfied ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING);
        if (rows[i].satisfied)
            continue;
        assert_int_equal(rd(rig, PULL1), ACQUIRE_ACTIVE | ACQUIRE_NEW | ACQUIRE_GEQUAL | 1);
        system_wr(rig, PAGE + 0x40, rows[i].sequence + 0x7fffffff);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
}

/* The old methods after the new ones mean the old semaphore, with equality. */
static void old_acquire_after_gequal_is_old_and_equal(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    system_wr(rig, PAGE + 0x40, 9);
    push(rig, INC(0, 0x1c, 1), 4, INC(0, 0x64, 2), 0x80, 7);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL1), ACQUIRE_ACTIVE | 1);
    assert_int_equal(rig->fifo->stop.address, 0x80);
    system_wr(rig, PAGE + 0x80, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    system_wr(rig, PAGE + 0x80, 7);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

/* No operand but 1, 2 and 4 ever ends; all it takes is a driver. */
static void other_triggers_hang_the_channel(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    for (uint32_t operand = 0; operand < 8; operand++) {
        if (operand == 1 || operand == 2 || operand == 4)
            continue;
        push(rig, INC(0, 0x1c, 1), operand, INC(0, 0x200, 1), 1);
        assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
        assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
        assert_int_equal(rd(rig, INTR), 0);
        assert_int_equal(system_rd(rig, PAGE + 0x40), 0);
        expect_no_methods(rig);
        wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        expect_methods(rig, {0, 0x200, 1});
    }
}

static void address_has_40_bits(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x10, 4), 0x12, 0x34567890, 5, 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), 4 << 20);
    assert_int_equal(vm_fault_word(rig, 3), 0x7890);
    assert_int_equal(vm_fault_word(rig, 4), 0x3456);
    assert_int_equal(vm_fault_word(rig, 5), 0x112);
}

/* A record that does not fit is not written half. */
static void release_across_the_limit_writes_nothing(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x14, 1), 0xff8, INC(0, 0x1c, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), 4 << 20);
    assert_int_equal(system_rd(rig, PAGE + 0xff8), 0);
    assert_int_equal(vm_fault_word(rig, 3), 0x1000);
}

/* MCP89 flushes cache lines by address; the model has no such cache, but knows what is an error. */
static void line_flushes_go_on(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    bind_semaphore(rig);
    push(rig, INC(0, 0x28, 2), 0x1000, 0x20000004, INC(0, 0x30, 1), HANDLE, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
    assert_int_equal(rd(rig, 0x3500), 0x1000);
}

static void bad_line_flushes_stop_the_puller(void **state) {
    static const struct { uint32_t data, cause; } cases[] = {{0x60000000, 1u << 26}, {0x10000000, 1u << 25}};
    struct rig *rig = *state;
    for (size_t i = 0; i < 2; i++) {
        push(rig, INC(0, 0x2c, 1), cases[i].data);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, PULL0), cases[i].cause);
        assert_int_equal(rd(rig, INTR), 1u << 11);
        wr(rig, INTR, 1u << 11);
        wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
        wr(rig, PULL0, 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
}

static void line_flushes_are_unknown_before_mcp89(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x28, 1), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(ref_cnt_is_seen_in_register_and_user),
        ON_ALL(ref_cnt_waits_for_the_engine_used_last),
        ON_ALL(yield_alone_goes_on),
        ON_G84(notify_raises_bit_30_and_goes_on),
        ON_G84(write_cache_flush_goes_on),
        ON_G84(bad_addresses_are_errors),
        ON_G84(release_writes_sequence_zero_and_time),
        ON_G84(acquire_equal),
        ON_G84(acquire_gequal_is_circular),
        ON_G84(old_acquire_after_gequal_is_old_and_equal),
        ON_G84(other_triggers_hang_the_channel),
        ON_G84(address_has_40_bits),
        ON_G84(release_across_the_limit_writes_nothing),
        ON("mcp89", line_flushes_go_on),
        ON("mcp89", bad_line_flushes_stop_the_puller),
        ON_G84(line_flushes_are_unknown_before_mcp89),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
