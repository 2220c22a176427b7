/* SPDX-License-Identifier: MIT */
/* Page tables and instance blocks of GF100 .. GM20B, as the host sees them through BAR 1. */
#include "vm.h"

static const char *const chips[] = {"GF100", "GF119", "GK104", "GK208", "GK20A", "GM107", "GM204", "GM20B"};

/* Each test on each chip. */
#define ON_EACH_CHIP(vm)                                                                                               \
    (void)state;                                                                                                       \
    struct vm vm;                                                                                                      \
    for (size_t c = 0; c < COUNT_OF(chips) && (vm_start(&(vm), chips[c]), true); c++, vm_stop(&(vm)))

#define BOTH_TABLES (FERMI_BIG(BIG_TABLE, IN_VRAM) | FERMI_SMALL(TABLE, IN_VRAM))
#define KIB_128     0x20000u
#define KIB_64      0x10000u

static bool is(const struct vm *vm, const char *ranges) {
    return chip_in_range(vm->chip, ranges);
}

static void a_directory_entry_covers_128_mib(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pde(&vm, 0x1fff, FERMI_SMALL(TABLE + 0x40000, IN_VRAM));
        put_pte(&vm, TABLE, 0x7fff, FERMI_PTE(PAGES));
        put_pte(&vm, TABLE + 0x40000, 1, FERMI_PTE(PAGES + 0x1000));
        assert_is(&vm, (128 << 20) - 4, PAGES + 0xffc);
        /* The last entry is beyond BAR 1, which has no more than 36 bits; 0x1ff is not. */
        put_pde(&vm, 0x1ff, FERMI_SMALL(TABLE + 0x40000, IN_VRAM));
        assert_is(&vm, UINT64_C(0x1ff) * (128 << 20) + 0x1000, PAGES + 0x1000);
    }
}

static void big_pages_are_128_kib(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_BIG(BIG_TABLE, IN_VRAM));
        put_pte(&vm, BIG_TABLE, 0x3ff, FERMI_PTE(PAGES));
        assert_is(&vm, (128 << 20) - 4, PAGES + KIB_128 - 4);
        assert_is(&vm, (128 << 20) - KIB_128, PAGES);
        assert_read_faults(&vm, (128 << 20) - KIB_128 - 4, 2);
    }
}

/* Bit 0 of 100c80, for the whole board; GM20x: bits 12:11 say whether it counts. */
static void big_pages_are_64_kib_by_a_register(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, MMU_CONFIG, 1);
        put_pde(&vm, 1, FERMI_BIG(BIG_TABLE, IN_VRAM) | FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, BIG_TABLE, 0x3ff, FERMI_PTE(PAGES));
        put_pte(&vm, TABLE, 0x3fef, FERMI_PTE(PAGES + KIB_64)); /* the last before the big one */
        assert_is(&vm, (128 << 20) - 4, PAGES + KIB_64 - 4);
        assert_is(&vm, (128 << 20) - KIB_64 - 4, PAGES + KIB_64 + 0xffc);
        wr(&vm, MMU_CONFIG, 0);
        assert_int_equal(bar_rd(&vm, 1, (128 << 20) - 4), BAD_FAULT);
    }
}

static void an_instance_block_says_the_size_of_big_pages_on_gm20x(void **state) {
    ON_EACH_CHIP(vm) {
        if (is(&vm, "GM200-"))
            wr(&vm, MMU_CONFIG, 0x1800);
        put32(&vm, DESCRIPTOR + 0x200, DIRECTORY | 1 << 11);
        put_pde(&vm, 0, FERMI_BIG(BIG_TABLE, IN_VRAM));
        put_pte(&vm, BIG_TABLE, 1, FERMI_PTE(PAGES));
        if (is(&vm, "GM200-"))
            assert_is(&vm, KIB_64, PAGES);
        else
            assert_is(&vm, KIB_128, PAGES);
    }
}

static void the_register_may_overrule_the_instance_block(void **state) {
    ON_EACH_CHIP(vm) {
        if (!is(&vm, "GM200-"))
            continue;
        put32(&vm, DESCRIPTOR + 0x200, DIRECTORY | 1 << 11);
        wr(&vm, MMU_CONFIG, 0);
        put_pde(&vm, 0, FERMI_BIG(BIG_TABLE, IN_VRAM));
        put_pte(&vm, BIG_TABLE, 1, FERMI_PTE(PAGES));
        assert_is(&vm, KIB_128, PAGES);
        put32(&vm, DESCRIPTOR + 0x200, DIRECTORY);
        wr(&vm, MMU_CONFIG, 0x1001);
        assert_is(&vm, KIB_64, PAGES);
    }
}

static void an_absent_table_faults(void **state) {
    ON_EACH_CHIP(vm) {
        assert_read_faults(&vm, 0x7777770, 0);
        put_pde(&vm, 0, BOTH_TABLES & ~(3 | UINT64_C(3) << 32));
        assert_write_faults(&vm, 0, 0);
        put_pde(&vm, 0, FERMI_BIG(BIG_TABLE, IN_VRAM));
        assert_read_faults(&vm, 0, 2);
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        assert_read_faults(&vm, 0, 2);
    }
}

static void tables_may_be_short(void **state) {
    ON_EACH_CHIP(vm) {
        for (unsigned size = 1; size < 4; size++) {
            uint64_t at = size * (UINT64_C(128) << 20), bytes = (128 << 20) >> size;
            put_pde(&vm, size, BOTH_TABLES | size << 2);
            put_pte(&vm, TABLE, (unsigned)(bytes >> 12) - 1, FERMI_PTE(PAGES));
            put_pte(&vm, TABLE, (unsigned)(bytes >> 12), FERMI_PTE(PAGES));
            put_pte(&vm, BIG_TABLE, (unsigned)(bytes >> 17), FERMI_PTE(PAGES));
            assert_is(&vm, at + bytes - 4, PAGES + 0xffc);
            assert_read_faults(&vm, at + bytes, 1);
            put_pte(&vm, TABLE, (unsigned)(bytes >> 12), 0);
            put_pte(&vm, BIG_TABLE, (unsigned)(bytes >> 17), 0);
        }
    }
}

static void tables_may_be_in_system_memory(void **state) {
    ON_EACH_CHIP(vm) {
        for (unsigned target = 2; target < 4; target++) {
            uint64_t at = target * (UINT64_C(128) << 20);
            put_pde(&vm, target, FERMI_BIG(BIG_TABLE, target) | FERMI_SMALL(TABLE, target));
            put_pte(&vm, SYSTEM | TABLE, target, FERMI_PTE(PAGES + 0x1000 * target));
            put_pte(&vm, SYSTEM | BIG_TABLE, target, FERMI_PTE(PAGES + KIB_128 * target));
            assert_is(&vm, at + 0x1000 * target, PAGES + 0x1000 * target);
            assert_is(&vm, at + KIB_128 * target, PAGES + KIB_128 * target);
        }
    }
}

static void a_page_says_in_which_memory_it_is(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        for (unsigned target = 0; target < 4; target++)
            put_pte(&vm, TABLE, target, FERMI_PTE(PAGES + 0x1000 * target) | (uint64_t)target << 33);
        assert_is(&vm, 0, PAGES); /* system memory where there is no other */
        assert_is(&vm, 0x2000, SYSTEM | (PAGES + 0x2000));
        assert_is(&vm, 0x3000, SYSTEM | (PAGES + 0x3000));
        bar_wr(&vm, 1, 0x1000, 5); /* a peer, which is not there */
        assert_int_equal(bar_rd(&vm, 1, 0x1000), 0);
        assert_int_equal(rd(&vm, FAULT_SOURCE), 0);
    }
}

static void the_number_of_a_peer_is_no_address(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM) | UINT64_C(5) << 61);
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES) | 7u << 29);
        assert_is(&vm, 0, PAGES);
    }
}

static void a_big_page_comes_before_small_ones(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, BOTH_TABLES);
        put_pte(&vm, BIG_TABLE, 1, FERMI_PTE(PAGES));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES + 0x40000));
        assert_is(&vm, KIB_128, PAGES);
        assert_is(&vm, 0, PAGES + 0x40000);
    }
}

static void a_big_and_a_small_page_both_valid_fault_from_gk104_on(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, BOTH_TABLES);
        put_pte(&vm, BIG_TABLE, 0, FERMI_PTE(PAGES));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES + 0x40000));
        if (is(&vm, "GK104-"))
            assert_read_faults(&vm, 0, 0xe);
        else
            assert_is(&vm, 0, PAGES);
    }
}

static void an_invalid_big_page_may_hide_small_ones_from_gk104_on(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, BOTH_TABLES);
        put_pte(&vm, BIG_TABLE, 0, 2);
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES));
        if (is(&vm, "GK104-"))
            assert_read_faults(&vm, 0, 2);
        else
            assert_is(&vm, 0, PAGES);
    }
}

/* Bit 32 of an invalid entry of a table; bit 35 of a directory entry without tables. */
static void sparse_pages_read_zero_from_gm20x_on(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, BOTH_TABLES);
        put_pde(&vm, 1, BIT(35));
        put_pte(&vm, TABLE, 0, BIT(32));
        put_pte(&vm, BIG_TABLE, 1, BIT(32));
        const uint64_t places[] = {0, KIB_128, 128 << 20};
        for (unsigned i = 0; i < 3; i++) {
            if (is(&vm, "GM200-")) {
                bar_wr(&vm, 1, places[i], 1);
                assert_int_equal(bar_rd(&vm, 1, places[i]), 0);
                assert_int_equal(rd(&vm, FAULT_SOURCE), 0);
            } else {
                assert_read_faults(&vm, places[i], i == 2 ? 0 : 2);
            }
        }
    }
}

static void a_read_only_page_drops_writes_with_a_fault(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES) | 4);
        put32(&vm, PAGES, 77);
        assert_int_equal(bar_rd(&vm, 1, 0), 77);
        assert_write_faults(&vm, 0, 6);
        assert_int_equal(get32(&vm, PAGES), 77);
    }
}

static void a_privileged_page_faults(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES) | 2);
        assert_read_faults(&vm, 0, 5);
        assert_write_faults(&vm, 0, 5);
    }
}

/* Bits 62 and 63. */
static void reads_and_writes_may_be_disabled_on_maxwell(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES) | BIT(62));
        put_pte(&vm, TABLE, 1, FERMI_PTE(PAGES + 0x1000) | BIT(63));
        if (!is(&vm, "GM107-")) {
            assert_is(&vm, 0, PAGES);
            assert_is(&vm, 0x1000, PAGES + 0x1000);
            continue;
        }
        assert_read_faults(&vm, 0, 7);
        bar_wr(&vm, 1, 0, 5);
        assert_int_equal(get32(&vm, PAGES), 5);
        put32(&vm, PAGES + 0x1000, 6);
        assert_int_equal(bar_rd(&vm, 1, 0x1000), 6);
        assert_write_faults(&vm, 0x1000, 6);
    }
}

static void the_limit_is_the_last_address(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES));
        put64(&vm, DESCRIPTOR + 0x208, 0x7ff);
        assert_is(&vm, 0x7fc, PAGES + 0x7fc);
        assert_read_faults(&vm, 0x800, 3);
    }
}

static void a_kind_that_does_not_exist_faults(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES) | UINT64_C(0xff) << 36);
        put_pte(&vm, TABLE, 1, FERMI_PTE(PAGES) | UINT64_C(0xfe) << 36);
        assert_read_faults(&vm, 0, 0xc);
        assert_is(&vm, 0x1000, PAGES);
    }
}

static void a_compressed_page_of_system_memory_faults(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
        put_pte(&vm, TABLE, 0, FERMI_PTE(PAGES) | UINT64_C(2) << 33 | UINT64_C(1) << 44);
        put_pte(&vm, TABLE, 1, FERMI_PTE(PAGES) | UINT64_C(1) << 44);
        assert_write_faults(&vm, 0, is(&vm, "GK104-") ? 0xb : 0xa);
        assert_is(&vm, 0x1000, PAGES);
    }
}

/* Target 1 of the directory. */
static void a_directory_of_a_peer_is_an_unsupported_aperture(void **state) {
    ON_EACH_CHIP(vm) {
        put32(&vm, DESCRIPTOR + 0x200, DIRECTORY | 1);
        assert_read_faults(&vm, 0, 0xa);
    }
}

static void a_directory_may_be_in_system_memory(void **state) {
    ON_EACH_CHIP(vm) {
        for (unsigned target = 2; target < 4; target++) {
            put32(&vm, DESCRIPTOR + 0x200, (DIRECTORY + 0x1000 * target) | target);
            put64(&vm, SYSTEM | (DIRECTORY + 0x1000 * target), FERMI_SMALL(TABLE, IN_VRAM));
            put_pte(&vm, TABLE, target, FERMI_PTE(PAGES));
            assert_is(&vm, 0x1000 * target, PAGES);
        }
    }
}

static void an_instance_block_may_be_in_system_memory(void **state) {
    ON_EACH_CHIP(vm) {
        for (unsigned target = 2; target < 4; target++) {
            uint64_t block = 0x120000 + 0x1000 * target;
            wr(&vm, BAR_1704, 1u << 31 | target << 28 | (uint32_t)(block >> 12));
            put64(&vm, SYSTEM | (block + 0x200), DIRECTORY);
            put64(&vm, SYSTEM | (block + 0x208), BIT(40) - 1);
            put_pde(&vm, 0, FERMI_SMALL(TABLE, IN_VRAM));
            put_pte(&vm, TABLE, target, FERMI_PTE(PAGES));
            assert_is(&vm, 0x1000 * target, PAGES);
        }
    }
}

static void bar3_and_the_peephole_have_units_of_their_own(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, BAR3_BLOCK, 1u << 31 | DESCRIPTOR >> 12);
        wr(&vm, PEEPHOLE_BLOCK, 1u << 31 | DESCRIPTOR >> 12);
        assert_int_equal(bar_rd(&vm, 3, 0x1000), BAD_FAULT);
        assert_int_equal(rd(&vm, FAULT_SOURCE), 1 << 5);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x54), 0x1000);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x5c), 7 << 8 | 1 << 6);
        wr(&vm, FAULT_SOURCE, ~0u);
        wr(&vm, 0x6000c, 0x12);
        wr(&vm, 0x60010, 0x5000);
        wr(&vm, 0x60014, 1);
        assert_int_equal(rd(&vm, FAULT_SOURCE), 1 << 3);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x30), DESCRIPTOR >> 12);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x34), 0x5000);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x38), 0x12);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x3c), 8 << 8 | 1 << 7 | 1 << 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_entry_covers_128_mib),
        cmocka_unit_test(big_pages_are_128_kib),
        cmocka_unit_test(big_pages_are_64_kib_by_a_register),
        cmocka_unit_test(an_instance_block_says_the_size_of_big_pages_on_gm20x),
        cmocka_unit_test(the_register_may_overrule_the_instance_block),
        cmocka_unit_test(an_absent_table_faults),
        cmocka_unit_test(tables_may_be_short),
        cmocka_unit_test(tables_may_be_in_system_memory),
        cmocka_unit_test(a_page_says_in_which_memory_it_is),
        cmocka_unit_test(the_number_of_a_peer_is_no_address),
        cmocka_unit_test(a_big_page_comes_before_small_ones),
        cmocka_unit_test(a_big_and_a_small_page_both_valid_fault_from_gk104_on),
        cmocka_unit_test(an_invalid_big_page_may_hide_small_ones_from_gk104_on),
        cmocka_unit_test(sparse_pages_read_zero_from_gm20x_on),
        cmocka_unit_test(a_read_only_page_drops_writes_with_a_fault),
        cmocka_unit_test(a_privileged_page_faults),
        cmocka_unit_test(reads_and_writes_may_be_disabled_on_maxwell),
        cmocka_unit_test(the_limit_is_the_last_address),
        cmocka_unit_test(a_kind_that_does_not_exist_faults),
        cmocka_unit_test(a_compressed_page_of_system_memory_faults),
        cmocka_unit_test(a_directory_of_a_peer_is_an_unsupported_aperture),
        cmocka_unit_test(a_directory_may_be_in_system_memory),
        cmocka_unit_test(an_instance_block_may_be_in_system_memory),
        cmocka_unit_test(bar3_and_the_peephole_have_units_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
