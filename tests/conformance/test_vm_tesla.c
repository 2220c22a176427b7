/* SPDX-License-Identifier: MIT */
/* Page tables and DMA objects of G80 .. MCP89, as the host sees them through BAR 1. */
#include "vm.h"

static const char *const chips[] = {"G80", "G84", "G98", "GT200", "MCP77", "GT215", "MCP89"};

/* Each test on each chip. */
#define ON_EACH_CHIP(vm)                                                                                               \
    (void)state;                                                                                                       \
    struct vm vm;                                                                                                      \
    for (size_t c = 0; c < COUNT_OF(chips) && (vm_start(&(vm), chips[c]), true); c++, vm_stop(&(vm)))

static void the_directory_is_in_the_channel_structure(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pde(&vm, 3, (TABLE + 0x80000) | TESLA_4K);
        put_pte(&vm, TABLE, 5, PAGES | 1);
        put_pte(&vm, TABLE + 0x80000, 0x1ffff, (PAGES + 0x1000) | 1);
        assert_is(&vm, 0x5ff0, PAGES + 0xff0);
        assert_is(&vm, 4 * BIT(29) - 4, PAGES + 0x1ffc);
    }
}

static void pd_offset_moves_the_directory_from_g84_on(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 1);
        wr(&vm, DIRECTORY_OFFSET, 0x8007); /* the low three bits are ignored */
        if (chip_in_range(vm.chip, "G80")) {
            assert_int_equal(rd(&vm, DIRECTORY_OFFSET), BAD_NOTHING);
            assert_is(&vm, 0, PAGES);
        } else {
            assert_int_equal(rd(&vm, DIRECTORY_OFFSET), 0x8000);
            assert_read_faults(&vm, 0, 0);
            put64(&vm, DESCRIPTOR + 0x8000, TABLE | TESLA_4K);
            assert_is(&vm, 0, PAGES);
        }
    }
}

static void an_empty_directory_entry_is_no_page_table(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, UINT64_C(0xdeadcafe00000000));
        assert_read_faults(&vm, 0x1234, 0);
        assert_write_faults(&vm, 0x1234, 0);
        put_pde(&vm, 1, TABLE & ~3); /* type 0 with an address */
        assert_read_faults(&vm, BIT(29), 0);
    }
}

static void a_directory_entry_says_the_size_of_pages(void **state) {
    static const struct { unsigned type, bits; } sizes[] = {{TESLA_64K, 16}, {TESLA_16K, 14}, {TESLA_4K, 12}};
    ON_EACH_CHIP(vm) {
        for (unsigned i = 0; i < 3; i++) {
            uint64_t page = BIT(sizes[i].bits), at = i * BIT(29);
            put_pde(&vm, i, (TABLE + 0x40000 * i) | sizes[i].type);
            put_pte(&vm, TABLE + 0x40000 * i, 2, PAGES | 1);
            put_pte(&vm, TABLE + 0x40000 * i, 3, (PAGES + 0x80000) | 1);
            assert_is(&vm, at + 3 * page - 4, PAGES + page - 4);
            assert_is(&vm, at + 3 * page, PAGES + 0x80000);
            assert_read_faults(&vm, at + 4 * page, 2);
        }
    }
}

static void a_table_of_small_pages_may_be_short(void **state) {
    static const uint32_t entries[4] = {0x20000, 0x8000, 0x4000, 0x2000};
    ON_EACH_CHIP(vm) {
        for (unsigned i = 1; i < 4; i++) {
            uint64_t at = i * BIT(29), end = at + entries[i] * UINT64_C(0x1000);
            put_pde(&vm, i, TABLE | TESLA_4K | i << 5);
            put_pte(&vm, TABLE, entries[i] - 1, PAGES | 1);
            put_pte(&vm, TABLE, entries[i], PAGES | 1);
            assert_is(&vm, end - 4, PAGES + 0xffc);
            assert_read_faults(&vm, end, 1);
            put_pte(&vm, TABLE, entries[i], 0);
        }
    }
}

/* 64 and 16 KiB pages: the field of the length does not count. */
static void a_table_of_other_pages_is_never_short(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_64K | 3 << 5);
        put_pde(&vm, 1, BIG_TABLE | TESLA_16K | 3 << 5);
        put_pte(&vm, TABLE, 0x1fff, PAGES | 1);
        put_pte(&vm, BIG_TABLE, 0x7fff, (PAGES + 0x10000) | 1);
        assert_is(&vm, BIT(29) - 4, PAGES + 0xfffc);
        assert_is(&vm, 2 * BIT(29) - 4, PAGES + 0x13ffc);
    }
}

static void a_page_table_may_be_in_system_memory(void **state) {
    ON_EACH_CHIP(vm) {
        for (unsigned target = 2; target < 4; target++) {
            put_pde(&vm, target, TABLE | TESLA_4K | target << 2);
            put_pte(&vm, SYSTEM | TABLE, target, (PAGES + 0x1000 * target) | 1);
            assert_is(&vm, target * (BIT(29) + 0x1000), PAGES + 0x1000 * target);
        }
    }
}

static void a_page_says_in_which_memory_it_is(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        for (unsigned target = 0; target < 4; target++)
            put_pte(&vm, TABLE, target, (PAGES + 0x1000 * target) | target << 4 | 1);
        assert_is(&vm, 0, PAGES);
        assert_is(&vm, 0x2000, SYSTEM | (PAGES + 0x2000));
        assert_is(&vm, 0x3000, SYSTEM | (PAGES + 0x3000));
        /* 1: another GPU, which is not there. */
        bar_wr(&vm, 1, 0x1000, 5);
        assert_int_equal(bar_rd(&vm, 1, 0x1000), 0);
        assert_int_equal(rd(&vm, VM_FAULT) >> 31, 0);
    }
}

static void a_contiguous_block_counts_from_its_first_page(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        for (unsigned order = 0; order < 8; order++) {
            unsigned pages = 1u << order;
            for (unsigned i = 0; i < pages; i++)
                put_pte(&vm, TABLE, pages + i, (PAGES + 0x3000) | order << 7 | 1); /* need not be aligned in memory */
            flush(&vm);
            assert_is(&vm, UINT64_C(0x1000) * pages, PAGES + 0x3000);
            assert_is(&vm, UINT64_C(0x2000) * pages - 4, PAGES + 0x3000 + UINT64_C(0x1000) * pages - 4);
        }
    }
}

static void a_read_only_page_drops_writes_with_a_fault(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 1 << 3 | 1);
        put32(&vm, PAGES, 77);
        assert_int_equal(bar_rd(&vm, 1, 0), 77);
        assert_write_faults(&vm, 0, 4);
        assert_int_equal(get32(&vm, PAGES), 77);
    }
}

static void a_supervisor_page_wants_a_supervisor_object(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 1 << 6 | 1);
        assert_read_faults(&vm, 0, 3);
        assert_write_faults(&vm, 0, 3);
        put32(&vm, OBJECT, 0x7fc00000 | 1u << 31);
        assert_is(&vm, 0, PAGES);
    }
}

/* What a DMA object says instead of the page: its access and privilege. */
static void a_dma_object_overrides_the_page(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 1);
        put_pte(&vm, TABLE, 1, (PAGES + 0x1000) | 1 << 3 | 1);
        put_pte(&vm, TABLE, 2, (PAGES + 0x2000) | 1 << 6 | 1);
        put32(&vm, OBJECT, 0x7fc00000 | 1 << 18); /* read-only */
        assert_write_faults(&vm, 0, 4);
        put32(&vm, OBJECT, 0x7fc00000 | 2 << 18); /* read-write */
        assert_is(&vm, 0x1000, PAGES + 0x1000);
        put32(&vm, OBJECT, 0x7fc00000 | 1 << 20); /* user and supervisor */
        assert_is(&vm, 0x2000, PAGES + 0x2000);
        put32(&vm, OBJECT, 0x7fc00000 | 2 << 20); /* supervisor only */
        assert_read_faults(&vm, 0, 3);
        put32(&vm, OBJECT, 0x7fc00000 | 2 << 20 | 1u << 31);
        assert_is(&vm, 0, PAGES);
    }
}

static void a_dma_object_need_not_be_paged(void **state) {
    ON_EACH_CHIP(vm) {
        put32(&vm, OBJECT + 8, PAGES);
        put32(&vm, OBJECT, 0x7fc00000 | 1 << 16);
        assert_is(&vm, 0x10, PAGES + 0x10);
        put32(&vm, OBJECT, 0x7fc00000 | 2 << 16);
        assert_is(&vm, 0x20, SYSTEM | (PAGES + 0x20));
        put32(&vm, OBJECT, 0x7fc00000 | 3 << 16);
        assert_is(&vm, 0x30, SYSTEM | (PAGES + 0x30));
    }
}

static void the_limit_of_a_dma_object_is_its_last_address(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 4, PAGES | 1);
        put32(&vm, OBJECT + 4, 0x47ff); /* limit and base are addresses of the same space */
        put32(&vm, OBJECT + 8, 0x4400);
        put32(&vm, OBJECT + 12, 0);
        assert_is(&vm, 0, PAGES + 0x400);
        assert_is(&vm, 0x3fc, PAGES + 0x7fc);
        assert_int_equal(bar_rd(&vm, 1, 0x400), BAD_FAULT);
        assert_int_equal(fault_word(&vm, 3), 0x4800);
        unsigned width = chip_in_range(vm.chip, "GT215:GF100") ? 8 : 4;
        assert_int_equal(fault_word(&vm, 0), 6u | 0xfu << width | 8u << 2 * width);
    }
}

static void object_0_is_a_null_object(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, BAR1_OBJECT, 1u << 31);
        assert_read_faults(&vm, 0x123c, 6);
        assert_write_faults(&vm, 0, 6);
    }
}

static void an_address_of_vram_has_32_bits(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, UINT64_C(0x5a) << 32 | TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, UINT64_C(0xa5) << 32 | PAGES | 1);
        assert_is(&vm, 0, PAGES);
    }
}

static void vram_has_a_limit_from_gt215_on(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 1);
        put_pte(&vm, TABLE, 1, 64u << 20 | 1);
        if (!chip_in_range(vm.chip, "GT215:GF100")) {
            assert_int_equal(rd(&vm, VRAM_LIMIT), BAD_NOTHING);
            assert_int_equal(bar_rd(&vm, 1, 0x1000), 0); /* nothing there, and no fault */
            assert_int_equal(rd(&vm, VM_FAULT) >> 31, 0);
            continue;
        }
        assert_int_equal(rd(&vm, VRAM_LIMIT), 64u << 20); /* it starts as the size */
        assert_is(&vm, 0, PAGES);
        assert_read_faults(&vm, 0x1000, 0xb);
        wr(&vm, VRAM_LIMIT, PAGES);
        assert_write_faults(&vm, 0, 0xb);
        wr(&vm, VRAM_LIMIT, 1); /* 4 GiB */
        assert_is(&vm, 0, PAGES);
        assert_int_equal(bar_rd(&vm, 1, 0x1000), 0);
        assert_int_equal(rd(&vm, VM_FAULT) >> 31, 0);
    }
}

static void system_addresses_have_high_bits_of_a_register(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 2 << 4 | 1);
        assert_is(&vm, 0, SYSTEM | PAGES);
        wr(&vm, SYSTEM_HIGH, 0x000001);
        assert_int_equal(bar_rd(&vm, 1, 0), 0); /* there is no memory at 1 << 40 */
        wr(&vm, SYSTEM_HIGH, 0);
        assert_is(&vm, 0, SYSTEM | PAGES);
    }
}

static void kind_7f_is_the_wrong_memory_type(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, TABLE | TESLA_4K);
        put_pte(&vm, TABLE, 0, PAGES | 1 | UINT64_C(0x7f) << 40);
        put_pte(&vm, TABLE, 1, PAGES | 1 | UINT64_C(0x70) << 40);
        assert_read_faults(&vm, 0, 7);
        assert_is(&vm, 0x1000, PAGES);
        put32(&vm, OBJECT, 0x7fc00000 & ~(1u << 22)); /* the object's own kind counts, not the page's */
        assert_is(&vm, 0, PAGES);
    }
}

/* Engine, reason, client and slot: nibbles, on chips with the second copy engine bytes. */
static void the_record_keeps_the_first_fault(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, PMC_INTR_EN, 1);
        wr(&vm, PFIFO_INTR_EN, 0x10);
        bar_wr(&vm, 1, 0x12345678, 1);
        assert_int_equal(rd(&vm, PMC_INTR), 1u << 8); /* BAR_FAULT: VM_FAULT has no line of its own */
        assert_true(irq(&vm));
        bar_rd(&vm, 1, 0xabc000);
        assert_int_equal(fault_word(&vm, 3) | fault_word(&vm, 4) << 16, 0x12345678);
        assert_int_equal(fault_word(&vm, 5), 0); /* a write */
        wr(&vm, PFIFO_INTR, 0x10);
        assert_int_equal(rd(&vm, PMC_INTR), 0);
        wr(&vm, VM_FAULT, 0x80000000);
        bar_rd(&vm, 1, 0x300abc000);
        assert_int_equal(fault_word(&vm, 3) | fault_word(&vm, 4) << 16, 0x00abc000);
        assert_int_equal(fault_word(&vm, 5), 0x103); /* a read */
        assert_int_equal(fault_word(&vm, 6), 0);
    }
}

static void bar3_and_the_peephole_are_other_slots_and_engines(void **state) {
    ON_EACH_CHIP(vm) {
        unsigned width = chip_in_range(vm.chip, "GT215:GF100") ? 8 : 4;
        uint32_t port = chip_in_range(vm.chip, "G80") ? 0x1570 : 0x60010;
        wr(&vm, BAR3_OBJECT, 1u << 31 | (OBJECT - DESCRIPTOR) >> 4);
        wr(&vm, PEEPHOLE_OBJECT, 1u << 31 | (OBJECT - DESCRIPTOR) >> 4);
        assert_int_equal(bar_rd(&vm, 3, 0x1000), BAD_FAULT);
        assert_int_equal(fault_word(&vm, 0), 6u | 8u << 2 * width | 1u << 3 * width);
        wr(&vm, VM_FAULT, 0x80000000);
        bar_wr(&vm, 3, 0x1000, 0);
        assert_int_equal(fault_word(&vm, 0), 6u | 4u << 2 * width | 1u << 3 * width);
        wr(&vm, VM_FAULT, 0x80000000);
        wr(&vm, PFIFO_INTR, ~0u);
        wr(&vm, port, 0x5000);
        assert_int_equal(rd(&vm, port + 4), BAD_FAULT);
        assert_int_equal(fault_word(&vm, 0), 4u | 8u << 2 * width);
        assert_int_equal(fault_word(&vm, 3), 0x5000);
        assert_int_equal(rd(&vm, PFIFO_INTR) & 0x50, 0x40); /* PEEPHOLE_FAULT */
        wr(&vm, VM_FAULT, 0x80000000);
        wr(&vm, port + 4, 1);
        assert_int_equal(fault_word(&vm, 0), 4u | 4u << 2 * width);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_directory_is_in_the_channel_structure),
        cmocka_unit_test(pd_offset_moves_the_directory_from_g84_on),
        cmocka_unit_test(an_empty_directory_entry_is_no_page_table),
        cmocka_unit_test(a_directory_entry_says_the_size_of_pages),
        cmocka_unit_test(a_table_of_small_pages_may_be_short),
        cmocka_unit_test(a_table_of_other_pages_is_never_short),
        cmocka_unit_test(a_page_table_may_be_in_system_memory),
        cmocka_unit_test(a_page_says_in_which_memory_it_is),
        cmocka_unit_test(a_contiguous_block_counts_from_its_first_page),
        cmocka_unit_test(a_read_only_page_drops_writes_with_a_fault),
        cmocka_unit_test(a_supervisor_page_wants_a_supervisor_object),
        cmocka_unit_test(a_dma_object_overrides_the_page),
        cmocka_unit_test(a_dma_object_need_not_be_paged),
        cmocka_unit_test(the_limit_of_a_dma_object_is_its_last_address),
        cmocka_unit_test(object_0_is_a_null_object),
        cmocka_unit_test(an_address_of_vram_has_32_bits),
        cmocka_unit_test(vram_has_a_limit_from_gt215_on),
        cmocka_unit_test(system_addresses_have_high_bits_of_a_register),
        cmocka_unit_test(kind_7f_is_the_wrong_memory_type),
        cmocka_unit_test(the_record_keeps_the_first_fault),
        cmocka_unit_test(bar3_and_the_peephole_are_other_slots_and_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
