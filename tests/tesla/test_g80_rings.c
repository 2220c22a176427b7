/* SPDX-License-Identifier: MIT */
/*
 * Rings of segments and the pages of channels on G80 .. MCP89.
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst, rnndb/fifo/g80_pfifo.xml; open-gpu-doc
 * classes/host/{cl506f,cl826f}.h.
 */
#include "g80.h"

#define RING     0x800000u /* in system memory; the object below has all of it */
#define SEGMENTS 0x700000u

enum { USER_PUT_HIGH = 0x4c, USER_MGET = 0x58, USER_MGET_HIGH = 0x5c };

/* Channel 1 with a ring of its own at RING, which begins at an index. */
static void open_ring(struct rig *rig, uint32_t order, uint32_t index) {
    rig_open_ib(rig, 1, 3);
    ramfc_wr(rig, 1, 0x48, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0, RIG_SYSTEM_BYTES));
    ramfc_wr(rig, 1, 0x50, RING);
    ramfc_wr(rig, 1, 0x54, order << 16);
    ramfc_wr(rig, 1, 0x00, index);
    ramfc_wr(rig, 1, 0x04, index);
}

/* Entry `index`: a segment that writes a reference. */
static void put_entry(struct rig *rig, uint32_t index, uint32_t value, uint64_t flags) {
    uint32_t at = SEGMENTS + 8 * value;
    uint64_t entry = SEGMENT(at, 2) | flags;
    system_wr(rig, at, INC(0, 0x50, 1));
    system_wr(rig, at + 4, value);
    system_wr(rig, RING + 8 * (uint64_t)index, (uint32_t)entry);
    system_wr(rig, RING + 8 * (uint64_t)index + 4, (uint32_t)(entry >> 32));
}

/* As many entries as memory here has room for: the last and the first are read one after the other. */
static void rings_of_every_order_wrap(void **state) {
    struct rig *rig = *state;
    for (uint32_t order = 1; order <= 20; order++) {
        uint32_t last = (1u << order) - 1;
        if (current_channel(rig) == 1)
            wr(rig, KICK, RIG_DESCRIPTOR(1) >> 12);
        open_ring(rig, order, last);
        put_entry(rig, last, 1, 0);
        put_entry(rig, 0, 2, 0);
        user_wr(rig, 1, USER_IB_PUT, 0);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(user_rd(rig, 1, USER_REF), 1);
        assert_int_equal(user_rd(rig, 1, USER_IB_GET), 0);
        user_wr(rig, 1, USER_IB_PUT, 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(user_rd(rig, 1, USER_REF), 2);
        assert_int_equal(user_rd(rig, 1, USER_IB_GET), 1);
    }
}

/* ORDER has 16 bits, the pointers 32. [chosen] More than 32 is as 32. Where there is no memory the entry is empty. */
static void no_order_leads_astray(void **state) {
    struct rig *rig = *state;
    static const uint32_t orders[] = {0, 21, 22, 23, 31, 32, 33, 63, 64, 0x8000, 0xffff};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        uint32_t order = orders[i], last = order < 32 ? (1u << order) - 1 : ~0u;
        if (current_channel(rig) == 1)
            wr(rig, KICK, RIG_DESCRIPTOR(1) >> 12);
        open_ring(rig, order, last);
        ramfc_wr(rig, 1, 0x48, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0, UINT64_C(1) << 39));
        if (order == 0)
            system_wr(rig, RING, 0), system_wr(rig, RING + 4, 0);
        user_wr(rig, 1, USER_IB_PUT, 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pusher_error(rig), 5);
        assert_int_equal(rd(rig, IB_GET), 0);
        wr(rig, DMA_STATE, 0);
        wr(rig, DMA_PUSH, 1);
        wr(rig, INTR, ~0u);
        wr(rig, IB_PUT, 0);
    }
}

static void all_32_bits_of_the_pointers_count_in_the_largest_rings(void **state) {
    struct rig *rig = *state;
    static const uint32_t orders[] = {4, 31, 32, 33, 64, 0xffff};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        if (current_channel(rig) == 1)
            wr(rig, KICK, RIG_DESCRIPTOR(1) >> 12);
        open_ring(rig, orders[i], 5);
        put_entry(rig, 5, (uint32_t)i + 1, 0);
        user_wr(rig, 1, USER_IB_PUT, 6);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, IB_GET), 6);
        assert_int_equal(rd(rig, REF), i + 1);
    }
}

/* IB_GET never meets a PUT that the ring does not have: a program's own fault, and it costs its time only. */
static void a_put_beyond_the_ring_is_bounded(void **state) {
    struct rig *rig = *state;
    open_ring(rig, 2, 0);
    for (uint32_t i = 0; i < 4; i++)
        put_entry(rig, i, i + 1, 0);
    user_wr(rig, 1, USER_IB_PUT, 4);
    assert_int_equal(rig_run_for(rig, 1000), PFIFO_STOP_BUDGET);
    user_wr(rig, 1, USER_IB_PUT, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 2);
}

/* The ring's address has 40 bits: seen where there is nothing. */
static void a_ring_above_4_gib(void **state) {
    struct rig *rig = *state;
    open_ring(rig, 3, 5);
    ramfc_wr(rig, 1, 0x54, 3 << 16 | 0x34);
    user_wr(rig, 1, USER_IB_PUT, 6);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(vm_fault_word(rig, 3), (RING + 5 * 8) & 0xffff);
    assert_int_equal(vm_fault_word(rig, 4), RING >> 16);
    assert_int_equal(vm_fault_word(rig, 5) & 0xff, 0x34);
    assert_int_equal(rd(rig, IB_GET), 5);
}

/* GET and PUT have 40 bits, too: a segment may go over the end, to 0. */
static void a_segment_over_the_end_of_40_bits_comes_round(void **state) {
    struct rig *rig = *state;
    open_ring(rig, 3, 0);
    ramfc_wr(rig, 1, 0x48, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0, UINT64_C(1) << 40));
    uint64_t entry = SEGMENT(UINT64_C(0xfffffffff8), 6);
    system_wr(rig, RING, (uint32_t)entry);
    system_wr(rig, RING + 4, (uint32_t)(entry >> 32));
    system_wr(rig, 8, INC(0, 0x50, 1)); /* after no-ops: where there is no memory, 0 is read */
    system_wr(rig, 12, 0x77);
    user_wr(rig, 1, USER_IB_PUT, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x77);
    assert_int_equal(rd(rig, DMA_PUT_HIGH), 0);
    assert_int_equal(rd(rig, DMA_GET), 0x10);
}

/* ---- flags of entries ---- */

static void mget_stands_still_in_subroutines(void **state) {
    struct rig *rig = *state;
    open_ring(rig, 3, 0);
    put_entry(rig, 0, 1, 0);
    put_entry(rig, 1, 2, SEGMENT_NON_MAIN);
    put_entry(rig, 2, 3, 0);
    static const uint32_t mget[] = {SEGMENTS + 16, SEGMENTS + 16, SEGMENTS + 32};
    for (uint32_t i = 0; i < 3; i++) {
        user_wr(rig, 1, USER_IB_PUT, i + 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, DMA_STATE) >> 18 & 1, i == 1);
        assert_int_equal(user_rd(rig, 1, USER_MGET), mget[i]);
        assert_int_equal(user_rd(rig, 1, USER_MGET_HIGH), 1u << 31);
        assert_int_equal(rd(rig, DMA_GET), SEGMENTS + 8 * (i + 2));
    }
}

static void disabled_and_privileged_entries(void **state) {
    struct rig *rig = *state;
    open_ring(rig, 3, 0);
    put_entry(rig, 0, 1, SEGMENT_PRIVILEGED);
    put_entry(rig, 1, 2, 1);
    user_wr(rig, 1, USER_IB_PUT, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE) & 2, 2);
    user_wr(rig, 1, USER_IB_PUT, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, IB_GET), 2);
    assert_int_equal(rd(rig, REF), 1);
    assert_int_equal(rd(rig, DMA_GET), SEGMENTS + 16);
}

/* A disabled entry of no length is empty all the same. */
static void a_disabled_entry_without_length_is_an_error(void **state) {
    struct rig *rig = *state;
    open_ring(rig, 3, 0);
    system_wr(rig, RING, SEGMENTS | 1);
    system_wr(rig, RING + 4, 0);
    user_wr(rig, 1, USER_IB_PUT, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 5);
}

/* ---- the pages of channels ---- */

static void the_low_half_latches_and_the_high_half_waits(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, PUSH0, 0);
    wr(rig, DMA_PUT_HIGH, 0x12);
    assert_int_equal(user_rd(rig, 1, USER_PUT), 4);
    wr(rig, DMA_PUT_HIGH, 0x34);
    assert_int_equal(user_rd(rig, 1, USER_PUT_HIGH), 0x12);
    user_wr(rig, 1, USER_PUT_HIGH, 0x156);
    assert_int_equal(rd(rig, DMA_PUT_HIGH), 0x34);
    user_wr(rig, 1, USER_PUT, 0x2003);
    assert_int_equal(rd(rig, DMA_PUT_HIGH), 0x56);
    assert_int_equal(rd(rig, DMA_PUT), 0x2000);
}

static void smaller_writes_are_lost(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    static const uint8_t ones[4] = {0xff, 0xff, 0xff, 0xff};
    uint32_t page = 0xc00000 + 0x2000;
    bus_write(&rig->bus, page + USER_PUT, ones, 1);
    bus_write(&rig->bus, page + USER_PUT, ones, 2);
    bus_write(&rig->bus, page + USER_IB_PUT + 1, ones, 3);
    assert_int_equal(rd(rig, DMA_PUT), 4);
    assert_int_equal(rd(rig, IB_PUT), 0);
    wr(rig, REF, 0x11223344);
    uint8_t byte = 0;
    bus_read(&rig->bus, page + USER_REF + 2, &byte, 1);
    assert_int_equal(byte, 0x22);
}

/* USER follows PMC's switch only, not that of PFIFO. */
static void user_pages_are_swapped_with_bar_0(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, REF, 0x11223344);
    wr(rig, FIFO_ENDIAN, 3);
    assert_int_equal(user_rd(rig, 1, USER_REF), 0x11223344);
    wr(rig, 0x004, 0x01000001);
    assert_int_equal(user_rd(rig, 1, USER_REF), 0x44332211);
    wr(rig, 0x004, 0x01000001);
}

static void pages_of_channels_that_are_not_there_read_0(void **state) {
    struct rig *rig = *state;
    for (uint32_t channel = 5; channel < 127; channel += 11) {
        user_wr(rig, channel, USER_PUT, 0x1000);
        user_wr(rig, channel, 0x50, 0x1000);
        assert_int_equal(user_rd(rig, channel, USER_PUT), 0);
        assert_int_equal(user_rd(rig, channel, USER_REF), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_KINDS(rings_of_every_order_wrap),
        ON_KINDS(no_order_leads_astray),
        ON_KINDS(all_32_bits_of_the_pointers_count_in_the_largest_rings),
        ON_KINDS(a_put_beyond_the_ring_is_bounded),
        ON_KINDS(a_ring_above_4_gib),
        ON_KINDS(a_segment_over_the_end_of_40_bits_comes_round),
        ON_KINDS(mget_stands_still_in_subroutines),
        ON_KINDS(disabled_and_privileged_entries),
        ON_KINDS(a_disabled_entry_without_length_is_an_error),
        ON_KINDS(the_low_half_latches_and_the_high_half_waits),
        ON_KINDS(smaller_writes_are_lost),
        ON_KINDS(user_pages_are_swapped_with_bar_0),
        ON_KINDS(pages_of_channels_that_are_not_there_read_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
