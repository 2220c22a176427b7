/* SPDX-License-Identifier: MIT */
/*
 * Host methods of G80 .. MCP89: references, yields, interrupts, both kinds of semaphores, MCP89's flushes.
 *
 * Sources: envytools docs/hw/fifo/puller.rst, rnndb/fifo/g80_pfifo.xml; open-gpu-doc
 * classes/host/{cl506f,cl826f,cl866f}.h.
 */
#include "g80.h"

#define PAGE   0x800000u /* semaphores, in system memory */
#define HANDLE 0x5e5e0001u

enum { ACQUIRE_ACTIVE = 1 << 4, ACQUIRE_NEW = 1 << 5, ACQUIRE_GEQUAL = 1 << 7 };

static uint32_t semaphore_object(struct rig *rig, uint32_t channel) {
    uint32_t instance = rig_dma_object(rig, channel, MEMORY_SYSTEM, PAGE, 0x1000);
    rig_handle(rig, channel, HANDLE, 0, instance);
    return instance;
}

static void bind_semaphore(struct rig *rig) {
    semaphore_object(rig, 1);
    push(rig, INC(0, 0x60, 2), HANDLE, 0x40);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
}

/* ---- references, yields, notification ---- */

static void ref_cnt_waits_for_the_last_engine(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig->engine[1].busy = true;
    push(rig, INC(0, 0x200, 1), 1, INC(0, 0x50, 1), 0x42);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(user_rd(rig, 1, USER_REF), 0);
    rig->engine[1].busy = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_REF), 0x42);
}

/* 0x80 and, from G84 on, 0x84: the timeslice is over, whatever the data. */
static void yields_give_way_at_once(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    static const uint32_t methods[] = {0x80, 0x84};
    for (size_t i = 0; i < (rig->descriptor_has_ramfc ? 1u : 2u); i++) {
        push(rig, INC(0, methods[i], 1), 0x1234, INC(0, 0x50, 1), 0xa0 + (uint32_t)i);
        push_to(rig, 2, INC(0, 0x50, 1), 0xb0 + (uint32_t)i);
        wr(rig, TIMESLICE, 0x1000);
        rig_submit(rig, 1);
        while (current_channel(rig) != 1 || rd(rig, CACHE_GET) == rd(rig, CACHE_PUT))
            assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
        rig_submit(rig, 2);
        assert_int_equal(rig_run_for(rig, 2), PFIFO_STOP_BUDGET);
        assert_int_equal(current_channel(rig), 2);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(user_rd(rig, 1, USER_REF), 0xa0 + i);
        assert_int_equal(user_rd(rig, 2, USER_REF), 0xb0 + i);
    }
}

/* The timeslice is over and stays so: somebody who has work later comes in at once. */
static void a_yield_alone_counts_for_those_who_come_later(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    for (uint32_t timeout = 0; timeout < 2; timeout++) {
        wr(rig, KICK, RIG_DESCRIPTOR(1) >> 12);
        ramfc_wr(rig, 1, 0x44, timeout << 24 | 0x3fff);
        push(rig, INC(0, 0x80, 1), 0);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, TIMESLICE), 0x3ffff);
        push(rig, 0);
        push_to(rig, 2, 0);
        rig_submit(rig, 1);
        rig_submit(rig, 2);
        assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
        assert_int_equal(current_channel(rig), 2);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
}

static void yield_by_the_user_page_is_the_same(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, TIMESLICE, 0x1000);
    user_wr(rig, 1, 0x80, 0x5a);
    assert_int_equal(rd(rig, TIMESLICE), 0x3ffff);
}

static void notify_interrupts_and_goes_on(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x20, 1), 0xffffffff, INC(0, 0x50, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, INTR), I_NOTIFY);
    assert_int_equal(rd(rig, REF), 5);
    assert_int_equal(rd(rig, PULL0), P_ACCESS);
}

static void a_flush_of_writes_is_a_nop(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x24, 1), 0xffffffff, INC(0, 0x50, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, INTR), 0);
    assert_int_equal(rd(rig, REF), 5);
}

/* ---- the old semaphore ---- */

static void dma_semaphore_and_offset_are_one_register(void **state) {
    struct rig *rig = *state;
    uint32_t instance = semaphore_object(rig, 1);
    push(rig, INC(0, 0x60, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), instance << 16);
    push(rig, INC(0, 0x64, 1), 0xfffc);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), instance << 16 | 0x4000 | 0x3fff);
    push(rig, INC(0, 0x60, 1), HANDLE); /* the offset stays */
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), instance << 16 | 0x4000 | 0x3fff);
}

static void old_acquire_waits_for_equal(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x68, 1), 5, INC(0, 0x50, 1), 0x11);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL1) & 0xf0, ACQUIRE_ACTIVE);
    assert_int_equal(rd(rig, ACQUIRE_VALUE), 5);
    system_wr(rig, PAGE + 0x40, 6); /* more is not equal */
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    system_wr(rig, PAGE + 0x40, 5);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, PULL1) & 0xf0, 0);
    assert_int_equal(rd(rig, REF), 0x11);
}

static void old_release_writes_one_word(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    system_wr(rig, PAGE + 0x44, 0xa5a5a5a5);
    push(rig, INC(0, 0x6c, 1), 0x12345678);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(system_rd(rig, PAGE + 0x40), 0x12345678);
    assert_int_equal(system_rd(rig, PAGE + 0x44), 0xa5a5a5a5);
}

/* ---- the new one ---- */

static void new_registers_show_address_and_sequence(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x10, 3), 0xff, 0xfffffffc, 0x12345678);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEM_HIGH), 0xff);
    assert_int_equal(rd(rig, SEM_LOW), 0xfffffffc);
    assert_int_equal(rd(rig, SEM_SEQUENCE), 0x12345678);
}

/* Sequence, zero, time; the operand is not written. */
static void new_release_writes_sequence_and_time(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    for (uint32_t i = 0; i < 4; i++)
        system_wr(rig, PAGE + 0x80 + 4 * i, 0xa5a5a5a5);
    push(rig, INC(0, 0x10, 4), 0, 0x80, 0x77, 2);
    rig_submit(rig, 1);
    uint64_t before = bus_now(&rig->bus);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    uint64_t time = system_rd(rig, PAGE + 0x88) | (uint64_t)system_rd(rig, PAGE + 0x8c) << 32;
    assert_int_equal(system_rd(rig, PAGE + 0x80), 0x77);
    assert_int_equal(system_rd(rig, PAGE + 0x84), 0);
    assert_true(time >= before && time <= bus_now(&rig->bus));
}

static void new_acquire_of_equal(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x10, 4), 0, 0x80, 0x77, 1, INC(0, 0x50, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL1) & 0xf0, ACQUIRE_ACTIVE | ACQUIRE_NEW);
    system_wr(rig, PAGE + 0x80, 0x78);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    system_wr(rig, PAGE + 0x80, 0x77);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 1);
}

/* As signed difference: it works round the end of the numbers. */
static void new_acquire_of_greater_or_equal(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    static const struct {
        uint32_t memory, sequence;
        bool passes;
    } rows[] = {{5, 5, true},           {6, 5, true},           {4, 5, false},          {0x80000004, 5, true},
                {0x80000005, 5, false}, {0, 0xffffffff, true},  {0xffffffff, 0, false}, {0x7fffffff, 0, true},
                {0x80000000, 0, false}, {0, 0x80000000, false}, {1, 0x80000000, false}, {0, 0x80000001, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        system_wr(rig, PAGE + 0x80, rows[i].memory);
        push(rig, INC(0, 0x10, 4), 0, 0x80, rows[i].sequence, 4, INC(0, 0x50, 1), (uint32_t)i + 1);
        assert_int_equal(rig_go(rig), rows[i].passes ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING);
        if (!rows[i].passes)
            assert_int_equal(rd(rig, PULL1) & 0xf0, ACQUIRE_ACTIVE | ACQUIRE_NEW | ACQUIRE_GEQUAL);
        system_wr(rig, PAGE + 0x80, rows[i].sequence);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, REF), i + 1);
    }
}

/* Three bits count, on MCP89 four; anything but 1, 2 and 4 is never satisfied. */
static void other_triggers_hang_the_channel(void **state) {
    struct rig *rig = *state;
    uint32_t bits = rig->chip->host_class == 0x866f ? 15 : 7;
    bind_semaphore(rig);
    push(rig, INC(0, 0x10, 3), 0, 0x80, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    for (uint32_t trigger = 0; trigger < 32; trigger++) {
        uint32_t counts = trigger & bits;
        bool ends = counts == 1 || counts == 2 || counts == 4;
        system_wr(rig, PAGE + 0x80, 0);
        push(rig, INC(0, 0x1c, 1), trigger);
        assert_int_equal(rig_go(rig), ends ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING);
        assert_int_equal(rd(rig, INTR), 0);
        wr(rig, CACHE_GET, rd(rig, CACHE_PUT)); /* only a driver can help */
    }
}

static void push_release(struct rig *rig, uint32_t channel, bool new, uint32_t offset, uint32_t value) {
    if (new)
        push_to(rig, channel, INC(0, 0x10, 4), 0, offset, value, 2);
    else
        push_to(rig, channel, INC(0, 0x64, 1), offset, INC(0, 0x6c, 1), value);
}

static void push_acquire(struct rig *rig, uint32_t channel, bool new, uint32_t offset, uint32_t value) {
    if (new)
        push_to(rig, channel, INC(0, 0x10, 4), 0, offset, value, 1);
    else
        push_to(rig, channel, INC(0, 0x64, 1), offset, INC(0, 0x68, 1), value);
}

/* The channel leaves while it waits, and others work; what it waits for is part of its state. */
static void two_channels_wait_for_each_other(void **state) {
    struct rig *rig = *state;
    bool g84 = !rig->descriptor_has_ramfc;
    rig_open(rig, 2);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        semaphore_object(rig, channel);
        push_to(rig, channel, INC(0, 0x60, 1), HANDLE);
    }
    for (uint32_t i = 1; i <= 10; i++) {
        bool new = g84 &&i % 2;
        push_release(rig, 1, new, 0x10, i);
        push_acquire(rig, 1, new, 0x20, i);
        push_acquire(rig, 2, !new &&g84, 0x10, i);
        push_release(rig, 2, !new &&g84, 0x20, i);
        for (uint32_t channel = 1; channel <= 2; channel++)
            push_to(rig, channel, INC(0, 0x50, 1), i);
    }
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(current_channel(rig), 2);
    rig_submit(rig, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_REF), 10);
    assert_int_equal(user_rd(rig, 2, USER_REF), 10);
    assert_int_equal(rd(rig, INTR), 0);
}

/* ---- byte order of what PFIFO reads and writes: PMC's, unless 0x3314 says otherwise ---- */

static void swap_pushed(struct rig *rig, uint32_t from) {
    for (uint32_t at = from; at < rig->pushed[1]; at += 4)
        rig_poke(rig, 1, at, __builtin_bswap32(rig_peek(rig, 1, at)));
}

static void the_byte_order_is_that_of_pmc_or_the_override(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    static const struct {
        bool pmc;
        uint32_t override;
        bool big;
    } rows[] = {{false, 0, false}, {false, 2, false}, {false, 1, false}, {false, 3, true},
                {true, 0, true},   {true, 2, true},   {true, 1, false},  {true, 3, true}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t at = (uint32_t)rig->pushed[1];
        push(rig, INC(0, 0x6c, 1), 0x11223300 + i, INC(0, 0x50, 1), i);
        if (rows[i].big)
            swap_pushed(rig, at);
        wr(rig, FIFO_ENDIAN, rows[i].override);
        wr(rig, DMA_PUT, (uint32_t)rig->pushed[1]);
        if (rows[i].pmc)
            wr(rig, 0x004, 0x01000001);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        if (rows[i].pmc)
            wr(rig, 0x004, 0x01000001);
        assert_int_equal(rd(rig, 0x004), 0);
        assert_int_equal(rd(rig, REF), i);
        assert_int_equal(system_rd(rig, PAGE + 0x40), rows[i].big ? __builtin_bswap32(0x11223300 + i) : 0x11223300 + i);
        assert_int_equal(rd(rig, INTR), 0);
    }
}

static void a_ring_is_read_in_the_same_byte_order(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 3);
    wr(rig, FIFO_ENDIAN, 3);
    push(rig, INC(0, 0x50, 1), 0x42);
    swap_pushed(rig, 0);
    rig_segment(rig, 1, SEGMENT(0, 2));
    for (uint32_t half = 0; half < 8; half += 4)
        rig_poke(rig, 1, RIG_IB_RING + half, __builtin_bswap32(rig_peek(rig, 1, RIG_IB_RING + half)));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x42);
}

/* RAMHT, objects, playlist and RAMFC are little-endian whatever PFIFO reads otherwise. */
static void what_the_driver_writes_is_little_endian_always(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    uint32_t instance = rig_object(rig, 1, 0xbeef0001, 1, 0x5097);
    wr(rig, FIFO_ENDIAN, 3);
    push(rig, INC(0, 0, 1), 0xbeef0001);
    swap_pushed(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
    assert_int_equal(rig->engine[1].bound_class, 0x5097);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(ramfc_rd(rig, 1, 0x10), 8);
}

/* ---- MCP89 ---- */

static void mcp89_flushes_lines(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x28, 2), 0x12345678, 0x20000010, INC(0, 0x2c, 1), 0x10000001, INC(0, 0x50, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, 0x3500), 0x12345678);
    assert_int_equal(rd(rig, REF), 1);
    assert_int_equal(rd(rig, INTR), 0);
}

static void mcp89_refuses_bad_flushes(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t data, cause;
    } rows[] = {{0x10000000, 1u << 25},
                {0x30000002, 1u << 25},
                {0x60000000, 1u << 26},
                {0xe0000000, 1u << 26},
                {0x80000001, 1u << 26}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t get = rd(rig, CACHE_GET);
        push(rig, INC(0, 0x2c, 1), rows[i].data, INC(0, 0x50, 1), (uint32_t)i + 1);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, INTR), I_LINE_FLUSH);
        assert_int_equal(rd(rig, PULL0), rows[i].cause);
        assert_int_equal(rd(rig, CACHE_GET), get);
        wr(rig, INTR, I_LINE_FLUSH);
        wr(rig, CACHE_GET, get + 4);
        wr(rig, PULL0, 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, REF), i + 1);
    }
}

static void mcp89_flush_object_is_a_handle(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0x30, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), P_HASH_FAILED);
    semaphore_object(rig, 1);
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_KINDS(ref_cnt_waits_for_the_last_engine),
        ON_KINDS(yields_give_way_at_once),
        ON_KINDS(a_yield_alone_counts_for_those_who_come_later),
        ON_KINDS(yield_by_the_user_page_is_the_same),
        FROM_G84(notify_interrupts_and_goes_on),
        FROM_G84(a_flush_of_writes_is_a_nop),
        ON_KINDS(dma_semaphore_and_offset_are_one_register),
        ON_EACH(old_acquire_waits_for_equal),
        ON_EACH(old_release_writes_one_word),
        FROM_G84(new_registers_show_address_and_sequence),
        FROM_G84(new_release_writes_sequence_and_time),
        FROM_G84(new_acquire_of_equal),
        FROM_G84(new_acquire_of_greater_or_equal),
        FROM_G84(other_triggers_hang_the_channel),
        ON_EACH(two_channels_wait_for_each_other),
        ON_EACH(the_byte_order_is_that_of_pmc_or_the_override),
        ON_KINDS(a_ring_is_read_in_the_same_byte_order),
        ON_KINDS(what_the_driver_writes_is_little_endian_always),
        ON("mcp89", mcp89_flushes_lines),
        ON("mcp89", mcp89_refuses_bad_flushes),
        ON("mcp89", mcp89_flush_object_is_a_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
