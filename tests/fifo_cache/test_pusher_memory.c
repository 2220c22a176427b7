/* SPDX-License-Identifier: MIT */
/* Where the pusher reads: pushbuffer objects, their limits and pages, byte order, and faults. */
#include "rig.h"

/* Channel 1 reads through another object; it must not be in CACHE1. */
static void use_object(struct rig *rig, uint32_t instance) {
    ramfc_wr(rig, 1, rig->tesla ? 0x48 : 0x0c, instance);
}

static void limit_fault_is_error_6_and_get_stays(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_SYSTEM, 1 << 20, 0x10));
    rig_object(rig, 1, 7, 1, 0x4097);
    push(rig, INC(0, 0, 1), 7, INC(0, 0x200, 1), 1, INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, DMA_GET), 0x10);
    assert_int_equal(rd(rig, INTR), 0x1000);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1000, 0x1000);
    assert_int_equal(rig->logged, 2);
    if (rig->tesla) {
        assert_int_equal(vm_fault_word(rig, 0), 0x08f5); /* slot 0, PFIFO_READ, DMAOBJ_LIMIT, PFIFO */
        assert_int_equal(vm_fault_word(rig, 1), RIG_DESCRIPTOR(1) >> 12);
        assert_int_equal(vm_fault_word(rig, 3), 0x10);
        assert_int_equal(vm_fault_word(rig, 5), 0x100);
        assert_int_equal(rd(rig, PMC_INTR), 0x0100);
    }
}

/* LIMIT = size - 1 is the normal case; the last dword is inside, also where the limit cuts it. */
static void last_dword_is_inside(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_SYSTEM, 1 << 20, rig->tesla ? 0x10 : 0xd));
    push(rig, 0, 0, 0, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), 0x10);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, DMA_GET), 0x10);
}

/* Tesla has the limit of DMA mode in a register: get >= limit faults, before memory is asked. */
static void dma_limit_is_compared_before_the_read(void **state) {
    struct rig *rig = *state;
    ramfc_wr(rig, 1, 0x4c, 0x14);
    rig_object(rig, 1, 7, 1, 0x4097);
    push(rig, INC(0, 0, 1), 7, NONINC(0, 0x200, 4), 1, 2, 3, 4);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, DMA_GET), 0x14);
    assert_int_equal(rd(rig, METHOD_COUNT), 2);
    assert_int_equal(rd(rig, VM_FAULT), 0);
    assert_int_equal(rig->logged, 3);
}

/* There is no "beyond": it runs from GET until it meets PUT, whatever lies between. */
static void put_behind_get_runs_up_to_the_limit(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_SYSTEM, 1 << 20, 0x1000));
    push(rig, JUMP(0x800));
    rig_submit(rig, 1);
    rig_poke(rig, 1, 0x810, JUMP(0x900));
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, DMA_GET), 0x1000);
}

static void object_without_page_table_is_error_6(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_instance(rig, 1, (const uint32_t[]){0x2203d, 0xffff, 0x100002, 0}, 4));
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, DMA_GET), 0);
}

static void object_0_is_null_on_tesla(void **state) {
    struct rig *rig = *state;
    use_object(rig, 0);
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(vm_fault_word(rig, 0), 0x0865);
}

/* The pusher does not care what an object is for. */
static void write_only_object_is_read(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_instance(rig, 1, (const uint32_t[]){0x2b003, 0xffff, 0x100000, 0}, 4));
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
}

static void object_of_vram(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_VRAM, 0x700000, 0x1000));
    uint32_t instance = rig_object(rig, 1, 7, 1, 0x4097);
    vram_wr(rig, 0x700000, INC(0, 0, 1));
    vram_wr(rig, 0x700004, 7);
    user_wr(rig, 1, USER_PUT, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
}

/* ---- a base that is not at a page ---- */

static void base_is_added_to_every_address(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_SYSTEM, (1 << 20) + 0xabc, 0x8000));
    uint32_t instance = rig_object(rig, 1, 7, 1, 0x4097);
    rig_poke(rig, 1, 0xabc, JUMP(0x4000));
    rig_poke(rig, 1, 0x4abc, INC(0, 0, 1));
    rig_poke(rig, 1, 0x4ac0, 7);
    user_wr(rig, 1, USER_PUT, 0x4008);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
    assert_int_equal(rd(rig, DMA_GET), 0x4008);
}

static void dma_ctl_and_limit_show_the_object(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_SYSTEM, (1 << 20) + 0xabc, 0x8000));
    push(rig, 0);
    user_wr(rig, 1, USER_PUT, 4);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_CTL), 0x80023abc);
    assert_int_equal(rd(rig, DMA_LIMIT), 0x7ffc);
}

/* [chosen] DMA_CTL.ADJUST has no bits 1:0: the pusher reads dwords whole. */
static void adjust_counts_in_dwords(void **state) {
    struct rig *rig = *state;
    use_object(rig, rig_dma_object(rig, 1, MEMORY_SYSTEM, (1 << 20) + 0x102, 0x8000));
    uint32_t instance = rig_object(rig, 1, 7, 1, 0x4097);
    rig_poke(rig, 1, 0x100, INC(0, 0, 1));
    rig_poke(rig, 1, 0x104, 7);
    user_wr(rig, 1, USER_PUT, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
}

/* A driver that rebinds by hand writes DMA_INSTANCE and clears AT_INFO. */
static void at_info_0_reloads_the_object(void **state) {
    struct rig *rig = *state;
    uint32_t words[] = {0x2303d, 0xffff, 0x100002, 0};
    use_object(rig, rig_instance(rig, 1, words, 4));
    rig_bind(rig);
    wr(rig, DMA_INSTANCE, rig_dma_object(rig, 1, MEMORY_SYSTEM, 2 << 20, 0x8000));
    wr(rig, DMA_CTL, 0);
    rig_poke(rig, 2, 8, INC(0, 0x200, 1));
    rig_poke(rig, 2, 12, 3);
    user_wr(rig, 1, USER_PUT, 16);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 3});
    assert_int_equal(rd(rig, DMA_CTL), 0x80023000);
    assert_int_equal(rd(rig, DMA_LIMIT), 0x7ffc);
}

/* ---- pages ---- */

/* Three pages that are neither together nor in order; each dword at its place. */
static const uint32_t frames[] = {0x300000, 0x100000, 0x200000};

static void poke_paged(struct rig *rig, uint32_t offset, uint32_t word) {
    system_wr(rig, frames[offset >> 12] + (offset & 0xfff), word);
}

static void use_paged_object(struct rig *rig, uint32_t adjust, bool last_present) {
    const uint32_t curie[] = {0x2103d | adjust << 20, 0x2fff - adjust, frames[0] | 3, frames[1] | 3,
                              frames[2] | (last_present ? 3 : 2)};
    if (!rig->tesla) {
        use_object(rig, rig_instance(rig, 1, curie, 5));
        return;
    }
    uint32_t directory = RIG_DESCRIPTOR(1) + (rig->descriptor_has_ramfc ? 0x1400 : 0x200), table = 0x600000;
    if (!rig->descriptor_has_ramfc)
        wr(rig, 0x100c9c, 0x200);
    vram_wr(rig, directory, table | 3);
    for (uint32_t page = 0; page < 3; page++) {
        vram_wr(rig, table + 8 * page, frames[page] | 2 << 4 | (page < 2 || last_present ? 1 : 0));
        vram_wr(rig, table + 8 * page + 4, 0);
    }
    const uint32_t tesla[] = {0x3d | 2 << 18, 0x2fff, adjust, 0, 0, 0};
    use_object(rig, rig_instance(rig, 1, tesla, 6));
}

static void commands_run_across_pages_that_are_not_together(void **state) {
    struct rig *rig = *state;
    use_paged_object(rig, 0, true);
    uint32_t instance = rig_object(rig, 1, 7, 1, 0x4097);
    poke_paged(rig, 0, INC(0, 0, 1));
    poke_paged(rig, 4, 7);
    poke_paged(rig, 8, JUMP(0xff4));
    poke_paged(rig, 0xff4, INC(0, 0x200, 4));
    for (uint32_t i = 0; i < 4; i++)
        poke_paged(rig, 0xff8 + 4 * i, i);
    poke_paged(rig, 0x1008, JUMP(0x1ffc));
    poke_paged(rig, 0x1ffc, INC(0, 0x300, 1));
    poke_paged(rig, 0x2000, 9);
    user_wr(rig, 1, USER_PUT, 0x2004);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance}, {0, 0x200, 0}, {0, 0x204, 1}, {0, 0x208, 2}, {0, 0x20c, 3}, {0, 0x300, 9});
}

static void page_boundary_is_where_base_puts_it(void **state) {
    struct rig *rig = *state;
    use_paged_object(rig, 0xff8, true);
    uint32_t instance = rig_object(rig, 1, 7, 1, 0x4097);
    poke_paged(rig, 0xff8, INC(0, 0, 1));
    poke_paged(rig, 0xffc, 7);
    poke_paged(rig, 0x1000, INC(0, 0x200, 1));
    poke_paged(rig, 0x1004, 8);
    user_wr(rig, 1, USER_PUT, 16);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance}, {0, 0x200, 8});
}

/* The same with a dword that lies half in one page and half in the next one. */
static void dword_across_a_page_boundary_is_read(void **state) {
    struct rig *rig = *state;
    use_paged_object(rig, 0xffa, true);
    rig_object(rig, 1, 7, 1, 0x4097);
    poke_paged(rig, 0xff8, INC(0, 0, 1) << 16);
    poke_paged(rig, 0xffc, INC(0, 0, 1) >> 16 | 7u << 16);
    poke_paged(rig, 0x1000, 0);
    user_wr(rig, 1, USER_PUT, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), 8);
    assert_int_equal(rig->logged, 1);
}

static void page_not_present_is_error_6(void **state) {
    struct rig *rig = *state;
    use_paged_object(rig, 0, false);
    poke_paged(rig, 0, JUMP(0x1ffc));
    poke_paged(rig, 0x1ffc, 0);
    user_wr(rig, 1, USER_PUT, 0x2004);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, DMA_GET), 0x2000);
    assert_int_equal(rd(rig, INTR), rig->tesla ? 0x1000 : 0x11000); /* DMA_PTE before G80 */
    if (rig->tesla)
        assert_int_equal(vm_fault_word(rig, 0), 0x0825); /* PAGE_NOT_PRESENT */
}

/* ---- byte order ---- */

static void big_endian_channels_read_swapped_words(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 1, 7, 1, 0x4097);
    if (rig->tesla)
        wr(rig, FIFO_ENDIAN, 3);
    else
        ramfc_wr(rig, 1, 0x18, 0xb0086078);
    push(rig, 0x00000400, 0x07000000, __builtin_bswap32(INC(0, 0x200, 1)), 0x12345678);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance}, {0, 0x200, 0x78563412});
}

static void byte_order_override_of_tesla_needs_both_bits(void **state) {
    struct rig *rig = *state;
    for (uint32_t value = 0; value < 3; value++) {
        wr(rig, FIFO_ENDIAN, value);
        push(rig, INC(3, 0x1234, 0));
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, DMA_STATE) & 0xffff, 3 << 13 | 0x1234);
    }
}

/* Byte order belongs to the channel before G80. */
static void big_and_little_endian_channels_live_together(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    ramfc_wr(rig, 2, 0x18, 0xb0086078);
    for (uint32_t round = 0; round < 3; round++) {
        push(rig, INC(3, 0x1234, 0));
        push_to(rig, 2, __builtin_bswap32(INC(4, 0x1238, 0)));
        rig_submit(rig, 2);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(user_rd(rig, 1, USER_GET), 4 * (round + 1));
        assert_int_equal(user_rd(rig, 2, USER_GET), 4 * (round + 1));
        assert_int_equal(pusher_error(rig), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(limit_fault_is_error_6_and_get_stays),
        ON_ALL(last_dword_is_inside),
        ON_TESLA(dma_limit_is_compared_before_the_read),
        ON_ALL(put_behind_get_runs_up_to_the_limit),
        ON_NV40(object_without_page_table_is_error_6),
        ON_TESLA(object_0_is_null_on_tesla),
        ON_NV40(write_only_object_is_read),
        ON_ALL(object_of_vram),
        ON_ALL(base_is_added_to_every_address),
        ON_NV40(dma_ctl_and_limit_show_the_object),
        ON_NV40(adjust_counts_in_dwords),
        ON_NV40(at_info_0_reloads_the_object),
        ON_ALL(commands_run_across_pages_that_are_not_together),
        ON_ALL(page_boundary_is_where_base_puts_it),
        ON_TESLA(dword_across_a_page_boundary_is_read),
        ON_ALL(page_not_present_is_error_6),
        ON_ALL(big_endian_channels_read_swapped_words),
        ON_TESLA(byte_order_override_of_tesla_needs_both_bits),
        ON_NV40(big_and_little_endian_channels_live_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
