/* SPDX-License-Identifier: MIT */
/* Ranges of memory that are lent to samplers: contiguous for the guest and in memory of the host. */
#include "rig.h"

#include "engine/lend/lender.h"

#define INSTANCE  0x10000u
#define DIRECTORY 0x100000u
#define SMALL     0x240000u
#define PTE(at)   ((uint64_t)(at) >> 8 | 1)

static const struct pfifo_chip gf100 = {.name = "GF100", .vram_bytes = 1, .vm = CHIP_VM_GF100};
static struct rig rig;
static struct lend_faults faults;
static struct lend_memory lent;

static void put_page(unsigned index, uint64_t pte) {
    rig_put64(&rig, MEMORY_VRAM, SMALL + 8 * (uint64_t)index, pte);
}

static void start(void) {
    rig_start(&rig, &gf100);
    rig_put64(&rig, MEMORY_VRAM, DIRECTORY, (uint64_t)(SMALL >> 8 | 1) << 32);
    rig_put64(&rig, MEMORY_VRAM, INSTANCE + 0x200, DIRECTORY);
    rig_put64(&rig, MEMORY_VRAM, INSTANCE + 0x208, (UINT64_C(1) << 40) - 1);
    memset(&lent, 0, sizeof lent);
    lent.memory = &rig.memory;
    lent.space = address_space_vm(&rig.memory, MEMORY_VRAM, INSTANCE);
    lent.faults = &faults;
}

/* NULL without a word, or the bytes of a place in VRAM. */
static void expect(uint64_t address, uint64_t bytes, uint64_t vram) {
    const uint8_t *data = lend_whole(&lent, address, bytes);
    assert_ptr_equal(data, vram ? rig.memory.vram + vram : NULL);
    assert_int_equal(rig.faults, 0);
    assert_false(faults.failed);
}

static void pages_that_follow_each_other_are_a_range(void **state) {
    (void)state;
    start();
    for (unsigned i = 0; i < 4; i++)
        put_page(i, PTE(0x400000 + 0x1000 * i));
    put_page(4, PTE(0x500000));
    expect(0x10, 0x20, 0x400010);
    expect(0xff0, 0x1020, 0x400ff0);
    expect(0x2000, 0x2000, 0x402000);
    expect(0, 0x4000, 0x400000);
    expect(0x4ffc, 4, 0x500ffc);
    expect(0x3ffc, 4, 0x403ffc);
    rig_stop(&rig);
}

static void pages_that_lie_apart_are_none(void **state) {
    (void)state;
    start();
    put_page(0, PTE(0x400000));
    put_page(1, PTE(0x402000));
    put_page(2, PTE(0x401000));
    put_page(3, PTE(0x402000));
    expect(0xffc, 4, 0x400ffc);
    expect(0x1000, 4, 0x402000);
    expect(0xffc, 8, 0);
    expect(0x1ffc, 8, 0);
    expect(0x2ffc, 8, 0x401ffc);
    expect(0x2000, 0x2000, 0x401000);
    expect(0x1000, 0x3000, 0);
    rig_stop(&rig);
}

static void what_is_not_mapped_is_none(void **state) {
    (void)state;
    start();
    put_page(1, PTE(0x401000));
    expect(0x1000, 0x1000, 0x401000);
    expect(0x1ffc, 8, 0);
    expect(0xffc, 8, 0);
    expect(UINT64_MAX - 3, 8, 0);
    expect(0x1000, UINT64_MAX, 0);
    rig_stop(&rig);
}

static void many_ranges_take_turns(void **state) {
    (void)state;
    start();
    for (unsigned i = 0; i < 4 * LEND_RANGES; i++)
        put_page(2 * i, PTE(0x400000 + 0x3000 * i));
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < 4 * LEND_RANGES; i += round + 1)
            expect(0x2000 * i + 8, 16, 0x400008 + 0x3000 * i);
    rig_stop(&rig);
}

static void what_has_changed_is_looked_up_when_spans_are_forgotten(void **state) {
    (void)state;
    start();
    put_page(0, PTE(0x400000));
    put_page(1, PTE(0x401000));
    expect(0, 0x2000, 0x400000);
    put_page(1, PTE(0x500000));
    memory_tlb_flush(&rig.memory);
    lend_forget_spans(&lent);
    expect(0, 0x2000, 0);
    expect(0x1000, 0x1000, 0x500000);
    rig_stop(&rig);
}

/* Samples across it come again and again: pages are not walked through each time. */
static void a_gap_is_remembered_until_spans_are_forgotten(void **state) {
    (void)state;
    start();
    put_page(0, PTE(0x400000));
    put_page(1, PTE(0x401000));
    expect(0, 0x3000, 0);
    put_page(2, PTE(0x402000));
    memory_tlb_flush(&rig.memory);
    expect(0x1ffc, 8, 0);
    expect(0x1000, 0x1000, 0x401000);
    expect(0x2000, 0x1000, 0x402000);
    lend_forget_spans(&lent);
    expect(0, 0x3000, 0x400000);
    rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_that_follow_each_other_are_a_range),
                                       cmocka_unit_test(pages_that_lie_apart_are_none),
                                       cmocka_unit_test(what_is_not_mapped_is_none),
                                       cmocka_unit_test(many_ranges_take_turns),
                                       cmocka_unit_test(a_gap_is_remembered_until_spans_are_forgotten),
                                       cmocka_unit_test(what_has_changed_is_looked_up_when_spans_are_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
