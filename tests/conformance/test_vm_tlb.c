/* SPDX-License-Identifier: MIT */
/*
 * What the host's own accesses keep of page tables, G80 .. GM20B: translations stay until they are flushed, or until
 * the port is bound anew. Sources: envytools docs/hw/memory/g80-vm.rst; nouveau nvkm/subdev/{bar,mmu}.
 */
#include "vm.h"

static const char *const chips[] = {"G80", "G84", "GT215", "GF100", "GK104", "GK20A", "GM107", "GM204", "GM20B"};

/* Each test on each chip: page 0 is PAGES and in the TLB, and the table says PAGES + 0x1000. */
#define ON_EACH_CHIP(vm)                                                                                               \
    (void)state;                                                                                                       \
    struct vm vm;                                                                                                      \
    for (size_t c = 0; c < COUNT_OF(chips) && (start(&(vm), chips[c]), true); c++, vm_stop(&(vm)))

#define OLD 0x01d01d01u
#define NEW 0x0e30e30eu

static void start(struct vm *vm, const char *chip) {
    vm_start(vm, chip);
    put_pde(vm, 0, pde_4k(vm));
    put_pte(vm, TABLE, 0, pte_4k(vm, PAGES));
    put32(vm, PAGES, OLD);
    put32(vm, PAGES + 0x1000, NEW);
    assert_int_equal(bar_rd(vm, 1, 0), OLD);
    put_pte(vm, TABLE, 0, pte_4k(vm, PAGES + 0x1000));
}

static void a_bar_shows_the_old_page_until_the_tlb_is_flushed(void **state) {
    ON_EACH_CHIP(vm) {
        assert_int_equal(bar_rd(&vm, 1, 0), OLD);
        bar_wr(&vm, 1, 4, 7);
        assert_int_equal(get32(&vm, PAGES + 4), 7);
        assert_int_equal(get32(&vm, PAGES + 0x1004), 0);
        flush(&vm);
        assert_int_equal(bar_rd(&vm, 1, 0), NEW);
    }
}

static void a_page_that_is_taken_away_stays_until_the_tlb_is_flushed(void **state) {
    ON_EACH_CHIP(vm) {
        put_pte(&vm, TABLE, 0, 0);
        assert_int_equal(bar_rd(&vm, 1, 0), OLD);
        flush(&vm);
        assert_read_faults(&vm, 0, 2);
    }
}

/* The directory is only looked at when a table is needed. */
static void a_table_that_is_taken_away_stays_until_the_tlb_is_flushed(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, 0);
        assert_int_equal(bar_rd(&vm, 1, 0), OLD);
        flush(&vm);
        assert_read_faults(&vm, 0, 0);
    }
}

static void a_write_without_the_trigger_does_not_flush(void **state) {
    ON_EACH_CHIP(vm) {
        wr(&vm, vm.tesla ? TLB_FLUSH_TESLA : FLUSH, vm.tesla ? 6 << 16 : 1);
        if (!vm.tesla)
            wr(&vm, FLUSH_SPACE, DIRECTORY >> 8);
        assert_int_equal(bar_rd(&vm, 1, 0), OLD);
    }
}

static void a_missing_page_is_not_kept(void **state) {
    ON_EACH_CHIP(vm) {
        assert_read_faults(&vm, 0x5000, 2);
        put_pte(&vm, TABLE, 5, pte_4k(&vm, PAGES));
        assert_int_equal(bar_rd(&vm, 1, 0x5000), OLD);
    }
}

/* 1708 on Tesla, 1704 from GF100 on. */
static void a_bar_that_is_bound_anew_looks_its_tables_up_anew(void **state) {
    ON_EACH_CHIP(vm) {
        uint32_t at = vm.tesla ? BAR1_OBJECT : BAR_1704;
        wr(&vm, at, rd(&vm, at));
        assert_int_equal(bar_rd(&vm, 1, 0), NEW);
        if (chip_in_range(vm.chip, "GM107-"))
            assert_int_equal(rd(&vm, 0x1710) & 0xf, 0); /* no bind is pending */
    }
}

static void the_peephole_sees_the_old_page_until_the_tlb_is_flushed(void **state) {
    ON_EACH_CHIP(vm) {
        uint32_t port = chip_in_range(vm.chip, "G80") ? 0x1570 : 0x60010;
        wr(&vm, vm.tesla ? PEEPHOLE_OBJECT : PEEPHOLE_BLOCK,
           1u << 31 | (vm.tesla ? (OBJECT - DESCRIPTOR) >> 4 : DESCRIPTOR >> 12));
        put_pte(&vm, TABLE, 0, pte_4k(&vm, PAGES));
        wr(&vm, port, 0);
        assert_int_equal(rd(&vm, port + 4), OLD);
        put_pte(&vm, TABLE, 0, pte_4k(&vm, PAGES + 0x1000));
        wr(&vm, port, 0);
        assert_int_equal(rd(&vm, port + 4), OLD);
        if (vm.tesla)
            wr(&vm, TLB_FLUSH_TESLA, 4 << 16 | 1); /* the PEEPHOLE's engine */
        else
            flush(&vm);
        wr(&vm, port, 0);
        assert_int_equal(rd(&vm, port + 4), NEW);
    }
}

/* What the page allows is part of what is kept. */
static void rights_are_kept_too(void **state) {
    ON_EACH_CHIP(vm) {
        put_pte(&vm, TABLE, 0, pte_4k(&vm, PAGES) | (vm.tesla ? 8 : 4));
        bar_wr(&vm, 1, 0, 5);
        assert_int_equal(get32(&vm, PAGES), 5);
        flush(&vm);
        assert_write_faults(&vm, 0, vm.tesla ? 4 : 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_shows_the_old_page_until_the_tlb_is_flushed),
        cmocka_unit_test(a_page_that_is_taken_away_stays_until_the_tlb_is_flushed),
        cmocka_unit_test(a_table_that_is_taken_away_stays_until_the_tlb_is_flushed),
        cmocka_unit_test(a_write_without_the_trigger_does_not_flush),
        cmocka_unit_test(a_missing_page_is_not_kept),
        cmocka_unit_test(a_bar_that_is_bound_anew_looks_its_tables_up_anew),
        cmocka_unit_test(the_peephole_sees_the_old_page_until_the_tlb_is_flushed),
        cmocka_unit_test(rights_are_kept_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
