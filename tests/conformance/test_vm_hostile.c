/* SPDX-License-Identifier: MIT */
/*
 * Page tables that mean harm, G80 .. GM20B: each access ends, in the fault that the chip has for it or in what the
 * tables say, and nothing outside the machine is touched.
 */
#include "vm.h"

#include <string.h>

static const char *const chips[] = {"G80", "G84", "GT215", "GF100", "GK104", "GK20A", "GM107", "GM204", "GM20B"};

/* Each test on each chip. */
#define ON_EACH_CHIP(vm)                                                                                               \
    (void)state;                                                                                                       \
    struct vm vm;                                                                                                      \
    for (size_t c = 0; c < COUNT_OF(chips) && (vm_start(&(vm), chips[c]), true); c++, vm_stop(&(vm)))

#define BEYOND 0x30000000u /* no memory of the bench reaches so far */

static uint32_t directory(const struct vm *vm) {
    return !vm->tesla ? DIRECTORY : chip_in_range(vm->chip, "G80") ? DESCRIPTOR + 0x1400 : DESCRIPTOR + 0x200;
}

/* A directory entry for a table of small pages at `table`, which is at a page. */
static uint64_t entry_for(const struct vm *vm, uint64_t table) {
    return vm->tesla ? table | TESLA_4K : FERMI_SMALL(table, IN_VRAM);
}

/*
 * The table of the first directory entry is the page of the directory. On Tesla that entry is a PTE, too: it maps the
 * directory. From GF100 on its low word is empty, which is no PTE, but on GM20x the high one makes it a sparse one.
 */
static void a_directory_that_is_its_own_table(void **state) {
    ON_EACH_CHIP(vm) {
        uint64_t page = directory(&vm) & ~UINT64_C(0xfff);
        unsigned self = (directory(&vm) & 0xfff) / 8;
        put_pde(&vm, 0, entry_for(&vm, page));
        if (chip_in_range(vm.chip, "GM200-")) {
            assert_int_equal(bar_rd(&vm, 1, 0), 0);
            continue;
        }
        if (!vm.tesla) {
            assert_read_faults(&vm, 0, 2);
            continue;
        }
        uint64_t at = UINT64_C(0x1000) * self; /* the entry by its number in the page */
        assert_int_equal(bar_rd(&vm, 1, at + (directory(&vm) & 0xfff)), (uint32_t)entry_for(&vm, page));
        /* It takes itself away: what is kept stays until the flush. */
        bar_wr(&vm, 1, at + (directory(&vm) & 0xfff), 0);
        assert_int_equal(bar_rd(&vm, 1, at), 0);
        assert_int_equal(rd(&vm, VM_FAULT) >> 31, 0);
        flush(&vm);
        assert_read_faults(&vm, at, 0);
    }
}

/* A PDE that is a PTE of GF100 as well: big table at its own page, valid by its target. */
static void a_directory_that_is_its_own_big_table(void **state) {
    ON_EACH_CHIP(vm) {
        if (vm.tesla)
            continue;
        put_pde(&vm, 0, FERMI_BIG(DIRECTORY, IN_VRAM));
        /* Entry 0 of the big table: a page of 128 KiB at the directory's address, aligned down. */
        uint64_t aligned = DIRECTORY & ~UINT64_C(0x1ffff);
        assert_int_equal(bar_rd(&vm, 1, DIRECTORY - aligned), (uint32_t)FERMI_BIG(DIRECTORY, IN_VRAM));
        bar_wr(&vm, 1, DIRECTORY - aligned, 0);
        assert_int_equal(bar_rd(&vm, 1, DIRECTORY - aligned), 0);
        flush(&vm);
        assert_read_faults(&vm, 0, 0);
    }
}

static void a_table_that_maps_itself_can_be_written_through_itself(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 0, pte_4k(&vm, TABLE));
        put32(&vm, PAGES, 0x1234);
        bar_wr(&vm, 1, 8, (uint32_t)pte_4k(&vm, PAGES)); /* entry 1, through entry 0 */
        assert_int_equal(bar_rd(&vm, 1, 0x1000), 0x1234);
        bar_wr(&vm, 1, 0, 0); /* entry 0, through itself */
        bar_wr(&vm, 1, 8, 0); /* still there */
        flush(&vm);
        assert_read_faults(&vm, 0, 2);
        assert_read_faults(&vm, 0x1000, 2);
    }
}

static void memory_full_of_entries_that_point_at_each_other_ends(void **state) {
    ON_EACH_CHIP(vm) {
        static uint8_t bytes[1 << 16];
        uint64_t entry = vm.tesla ? TABLE | TESLA_4K : FERMI_BIG(TABLE, IN_VRAM) | FERMI_SMALL(TABLE, IN_VRAM);
        for (unsigned i = 0; i < 0x800; i++)
            put_pde(&vm, i, entry);
        for (unsigned i = 0; i < 0x8000; i++)
            put_pte(&vm, TABLE, i, entry);
        for (unsigned bit = 0; bit < 36; bit++) {
            bar_read(&vm, 1, BIT(bit), bytes, sizeof bytes);
            bar_write(&vm, 1, BIT(bit) + 0x100000, bytes, sizeof bytes);
        }
    }
}

static void a_table_beyond_memory_is_empty(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, entry_for(&vm, BEYOND));
        put_pde(&vm, 1, vm.tesla ? BEYOND | TESLA_64K : FERMI_BIG(BEYOND, IN_VRAM));
        assert_read_faults(&vm, 0, 2);
        assert_write_faults(&vm, vm.tesla ? BIT(29) : BIT(27), 2);
    }
}

/* The last entry is half in memory and half not: VRAM of 64 MiB ends after its first word. */
static void a_table_that_ends_with_memory(void **state) {
    ON_EACH_CHIP(vm) {
        put_pde(&vm, 0, entry_for(&vm, (64 << 20) - 0x1000));
        put_pte(&vm, (64 << 20) - 0x1000, 0x1ff, pte_4k(&vm, PAGES));
        put32(&vm, PAGES, 0x77);
        assert_int_equal(bar_rd(&vm, 1, 0x1ff000), 0x77);
        assert_read_faults(&vm, 0x200000, 2);
    }
}

static void a_directory_beyond_memory_is_empty(void **state) {
    ON_EACH_CHIP(vm) {
        if (vm.tesla) {
            wr(&vm, BAR_1704, 1u << 30 | BEYOND >> 12);
            assert_int_equal(bar_rd(&vm, 1, 0), BAD_FAULT); /* an object of zeros: a limit of 0, no table */
            assert_int_equal(fault_word(&vm, 0) & 0xf, 6);
            assert_int_equal(bar_rd(&vm, 1, 4), BAD_FAULT);
            continue;
        }
        put64(&vm, DESCRIPTOR + 0x200, BEYOND);
        assert_read_faults(&vm, 0, 0);
        put64(&vm, DESCRIPTOR + 0x200, UINT64_C(0xfffffffffffff000));
        assert_read_faults(&vm, 0x1000, 0);
    }
}

static void an_instance_block_beyond_memory_has_a_limit_of_0(void **state) {
    ON_EACH_CHIP(vm) {
        if (vm.tesla)
            continue;
        wr(&vm, BAR_1704, 1u << 31 | BEYOND >> 12);
        assert_int_equal(bar_rd(&vm, 1, 4), BAD_FAULT);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x40), BEYOND >> 12);
        assert_int_equal(rd(&vm, FAULT_RECORD + 0x4c) & 0xf, 3);
    }
}

/* Memory that is not there is no fault of the tables. */
static void a_page_beyond_memory_reads_zero(void **state) {
    ON_EACH_CHIP(vm) {
        if (chip_in_range(vm.chip, "GT215:GF100"))
            wr(&vm, VRAM_LIMIT, 1);
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 0, pte_4k(&vm, BEYOND));
        put_pte(&vm, TABLE, 1, pte_4k(&vm, 0xffff000));
        bar_wr(&vm, 1, 0, 1);
        assert_int_equal(bar_rd(&vm, 1, 0), 0);
        bar_wr(&vm, 1, 0x1ffc, 1);
        assert_int_equal(bar_rd(&vm, 1, 0x1ffc), 0);
    }
}

/*
 * One access that writes over the entry of its own second page. Nobody says if that is looked up before or after the
 * write: the old page or the new one has the data, and no other.
 */
static void an_entry_that_changes_in_the_middle_of_an_access(void **state) {
    ON_EACH_CHIP(vm) {
        static uint8_t bytes[0x1004];
        const uint64_t old = PAGES, new = PAGES + 0x8000;
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 0, pte_4k(&vm, TABLE));
        put_pte(&vm, TABLE, 1, pte_4k(&vm, old));
        memset(bytes, 0, sizeof bytes);
        uint64_t entries[2] = {pte_4k(&vm, TABLE), pte_4k(&vm, new)};
        for (unsigned i = 0; i < 16; i++)
            bytes[i] = (uint8_t)(entries[i / 8] >> i % 8 * 8);
        bytes[0x1000] = 0x5a;
        bar_write(&vm, 1, 0, bytes, sizeof bytes);
        assert_int_equal(get32(&vm, old) + get32(&vm, new), 0x5a);
        flush(&vm);
        bar_wr(&vm, 1, 0x1000, 0xa5);
        assert_int_equal(get32(&vm, new), 0xa5);
    }
}

/* The instance block, or the object and the channel, are in the memory that the BAR shows. */
static void a_bar_that_shows_what_it_is_made_of(void **state) {
    ON_EACH_CHIP(vm) {
        uint64_t made_of = vm.tesla ? OBJECT : DESCRIPTOR;
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 0, pte_4k(&vm, made_of & ~UINT64_C(0xfff)));
        if (vm.tesla) {
            bar_wr(&vm, 1, (made_of & 0xfff) + 8, 0x40000000); /* the base of the object: what is there is unmapped */
            bar_rd(&vm, 1, 0);
            assert_int_equal(fault_word(&vm, 4), 0x4000);
        } else {
            bar_wr(&vm, 1, 0x20c, 0);
            bar_wr(&vm, 1, 0x208, 0x203); /* the limit: its own word is beyond it now */
            bar_wr(&vm, 1, 0x208, 0xffffffff);
            assert_int_equal(get32(&vm, DESCRIPTOR + 0x208), 0x203);
            assert_int_equal(rd(&vm, FAULT_RECORD + 0x4c) & 0xf, 3);
            assert_int_equal(bar_rd(&vm, 1, 0x200), DIRECTORY);
        }
    }
}

/* Pages around a missing one are read and written, and it is told once. */
static void a_fault_in_the_middle_of_an_access(void **state) {
    ON_EACH_CHIP(vm) {
        static uint8_t bytes[0x3000];
        put_pde(&vm, 0, pde_4k(&vm));
        put_pte(&vm, TABLE, 0, pte_4k(&vm, PAGES));
        put_pte(&vm, TABLE, 2, pte_4k(&vm, PAGES + 0x5000));
        memset(bytes, 0x11, sizeof bytes);
        bar_write(&vm, 1, 0x800, bytes, 0x2000);
        assert_int_equal(get32(&vm, PAGES + 0x7fc), 0);
        assert_int_equal(get32(&vm, PAGES + 0x800), 0x11111111);
        assert_int_equal(get32(&vm, PAGES + 0x1000), 0);
        assert_int_equal(get32(&vm, PAGES + 0x57fc), 0x11111111);
        assert_int_equal(get32(&vm, PAGES + 0x5800), 0);
        if (vm.tesla)
            assert_int_equal(fault_word(&vm, 3), 0x1000);
        else
            assert_int_equal(rd(&vm, FAULT_RECORD + 0x44), 0x1000);
        bar_read(&vm, 1, 0x800, bytes, 0x2000);
        assert_int_equal(bytes[0x7ff], 0x11);
        assert_int_equal(bytes[0x800], 0x00); /* of 0xbad0ac00 */
        assert_int_equal(bytes[0x17ff], 0xba);
        assert_int_equal(bytes[0x1800], 0x11);
    }
}

static void an_object_that_ends_before_it_begins_faults_at_once(void **state) {
    ON_EACH_CHIP(vm) {
        if (!vm.tesla)
            continue;
        put32(&vm, OBJECT + 4, 0xfff);
        put32(&vm, OBJECT + 8, 0x1000);
        put32(&vm, OBJECT + 12, 0);
        unsigned width = chip_in_range(vm.chip, "GT215:GF100") ? 8 : 4;
        assert_int_equal(bar_rd(&vm, 1, 0), BAD_FAULT);
        assert_int_equal(fault_word(&vm, 0) >> width & 0xf, 0xf);
    }
}

/* Windows that run out of their address space. */
static void pramin_at_the_end_of_all_addresses(void **state) {
    ON_EACH_CHIP(vm) {
        for (unsigned target = 0; target < 4; target++) {
            wr(&vm, PRAMIN_BASE, target << 24 | 0xffffff);
            wr(&vm, PRAMIN + 0xffffc, 1);
            assert_int_equal(rd(&vm, PRAMIN + 0xffffc), 0);
        }
    }
}

/* Tables of noise: whatever they say, every access comes back. */
static void noise(void **state) {
    ON_EACH_CHIP(vm) {
        static uint8_t bytes[0x12345];
        uint64_t random = UINT64_C(0x123456789abcdef) + c;
        for (unsigned round = 0; round < 40; round++) {
            for (unsigned i = 0; i < 256; i++) {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
                put_pde(&vm, i % 64, (random >> 8 & ~UINT64_C(0xfff000)) | (i & 1 ? TABLE : BIG_TABLE));
                put_pte(&vm, i & 1 ? TABLE : BIG_TABLE, i, random >> 4);
            }
            if (!vm.tesla)
                wr(&vm, MMU_CONFIG, (uint32_t)(random >> 40));
            for (unsigned i = 0; i < 24; i++) {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
                uint64_t at = random >> 30 & (BIT(i + 12) - 1);
                if (i & 1)
                    bar_read(&vm, 1, at, bytes, sizeof bytes);
                else
                    bar_write(&vm, 1, at, bytes, sizeof bytes);
            }
            flush(&vm);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_that_is_its_own_table),
        cmocka_unit_test(a_directory_that_is_its_own_big_table),
        cmocka_unit_test(a_table_that_maps_itself_can_be_written_through_itself),
        cmocka_unit_test(memory_full_of_entries_that_point_at_each_other_ends),
        cmocka_unit_test(a_table_beyond_memory_is_empty),
        cmocka_unit_test(a_table_that_ends_with_memory),
        cmocka_unit_test(a_directory_beyond_memory_is_empty),
        cmocka_unit_test(an_instance_block_beyond_memory_has_a_limit_of_0),
        cmocka_unit_test(a_page_beyond_memory_reads_zero),
        cmocka_unit_test(an_entry_that_changes_in_the_middle_of_an_access),
        cmocka_unit_test(a_bar_that_shows_what_it_is_made_of),
        cmocka_unit_test(a_fault_in_the_middle_of_an_access),
        cmocka_unit_test(an_object_that_ends_before_it_begins_faults_at_once),
        cmocka_unit_test(pramin_at_the_end_of_all_addresses),
        cmocka_unit_test(noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
