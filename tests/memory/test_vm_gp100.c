/* SPDX-License-Identifier: MIT */
/* Virtual memory of Pascal to Ampere (VER2) and of Hopper (VER3). */
#include "rig.h"

static const struct pfifo_chip gp100 = {.name = "GP100", .vram_bytes = 1, .vm = CHIP_VM_GP100};
static const struct pfifo_chip gv100 = {.name = "GV100", .vram_bytes = 1, .vm = CHIP_VM_GP100, .has_doorbell = true};
static const struct pfifo_chip gh100 = {.name = "GH100", .vram_bytes = 1, .vm = CHIP_VM_GH100, .has_doorbell = true};

#define INSTANCE 0x10000u
#define VER2     0xc00u /* with 64 KiB big pages, as drivers write it */

/* One table per level, all on the path of VA. */
#define PD4   0x100000u
#define PD3   0x101000u
#define PD2   0x102000u
#define PD1   0x103000u
#define PD0   0x104000u
#define BIG   0x105100u /* 256-byte aligned only */
#define SMALL 0x106000u
#define VA    (UINT64_C(1) << 47 | UINT64_C(3) << 38 | UINT64_C(5) << 29 | UINT64_C(7) << 21)

/* Entries of VER2: addresses are in units of 4 KiB from bit 8 on. */
#define POINTER(address)     ((uint64_t)(address) >> 4 | 1 << 1)
#define BIG_POINTER(address) ((uint64_t)(address) >> 4 | 1 << 1)
#define SPARSE               8u
#define PTE(address)         ((uint64_t)(address) >> 4 | 1)
#define PTE_PEER             2u
#define PTE_SYSTEM           4u
#define PTE_PRIVILEGE        0x20u
#define PTE_READ_ONLY        0x40u
#define PTE_NO_SMALL         0x20u /* without VALID */

static void put(struct rig *rig, uint64_t table, uint64_t index, uint64_t entry) {
    rig_put64(rig, MEMORY_VRAM, table + 8 * index, entry);
}

static struct address_space open_vm(struct rig *rig, uint64_t directory, uint64_t limit) {
    rig_put64(rig, MEMORY_VRAM, INSTANCE + 0x200, directory);
    rig_put64(rig, MEMORY_VRAM, INSTANCE + 0x208, limit);
    return address_space_vm(&rig->memory, MEMORY_VRAM, INSTANCE);
}

/* The path to the tables of VA, and both tables of its 2 MiB. */
static struct address_space start(struct rig *rig, const struct pfifo_chip *chip) {
    rig_start(rig, chip);
    put(rig, PD3, 1, POINTER(PD2));
    put(rig, PD2, 3, POINTER(PD1));
    put(rig, PD1, 5, POINTER(PD0));
    put(rig, PD0, 14, BIG_POINTER(BIG));
    put(rig, PD0, 15, POINTER(SMALL));
    return open_vm(rig, PD3 | VER2, UINT64_MAX);
}

static void walk_has_five_levels(void **state) {
    static const struct { uint64_t table, index; } path[] = {{PD3, 1}, {PD2, 3}, {PD1, 5}};
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, SMALL, 9, PTE(0x400000));
    assert_maps(&rig, &vm, VA + 0x9008, MEMORY_VRAM, 0x400008);
    for (size_t i = 0; i < 3; i++) {
        uint64_t entry = memory_physical_rd64(&rig.memory, MEMORY_VRAM, path[i].table + 8 * path[i].index);
        memory_tlb_flush(&rig.memory);
        put(&rig, path[i].table, path[i].index, 0);
        assert_faults(&rig, &vm, VA + 0x9000, MEMORY_READ, FAULT_PDE, 0, "PDE");
        put(&rig, path[i].table, path[i].index, entry | 1); /* a page where none can be */
        assert_faults(&rig, &vm, VA + 0x9000, MEMORY_READ, FAULT_PDE, 0, "PDE");
        put(&rig, path[i].table, path[i].index, SPARSE);
        assert_nothing_there(&rig, &vm, VA + 0x9000);
        memory_tlb_flush(&rig.memory);
        put(&rig, path[i].table, path[i].index, entry);
    }
    assert_maps(&rig, &vm, VA + 0x9008, MEMORY_VRAM, 0x400008);
    rig_stop(&rig);
}

static void pages_have_4_or_64_kib_or_2_mib(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, SMALL, 1, PTE(0x400000));
    put(&rig, BIG, 2, PTE(0x500000));
    put(&rig, PD0, 16, PTE(0x600000));
    assert_span(&rig, &vm, VA + 0x1000, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, KIB(4));
    assert_span(&rig, &vm, VA + 0x20000, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x500000, KIB(64));
    assert_span(&rig, &vm, VA + MIB(2) + 4, MIB(4), MEMORY_READ, MEMORY_VRAM, 0x600004, MIB(2) - 4);
    assert_faults(&rig, &vm, VA, MEMORY_READ, FAULT_PTE, 2, "PTE");
    assert_faults(&rig, &vm, VA + MIB(4), MEMORY_READ, FAULT_PDE, 0, "PDE");
    rig_stop(&rig);
}

static void big_page_wins_over_small_ones(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, BIG, 0, PTE(0x400000));
    put(&rig, SMALL, 0, PTE(0x500000));
    assert_maps(&rig, &vm, VA, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void invalid_big_page_may_hide_small_ones(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, SMALL, 0, PTE(0x500000));
    put(&rig, BIG, 0, PTE_NO_SMALL);
    assert_faults(&rig, &vm, VA, MEMORY_READ, FAULT_PTE, 2, "PTE");
    put(&rig, BIG, 0, 0);
    assert_maps(&rig, &vm, VA, MEMORY_VRAM, 0x500000);
    rig_stop(&rig);
}

static void sparse_at_every_level_below(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, SMALL, 1, SPARSE);
    put(&rig, BIG, 1, SPARSE);
    put(&rig, SMALL, 0x10, PTE(0x500000)); /* below a sparse big page: not looked at */
    put(&rig, PD0, 16, SPARSE);
    assert_nothing_there(&rig, &vm, VA + 0x1000);
    assert_nothing_there(&rig, &vm, VA + 0x10000);
    assert_nothing_there(&rig, &vm, VA + MIB(2));
    rig_stop(&rig);
}

static void pages_have_rights_and_targets(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, SMALL, 0, PTE(0x400000) | PTE_READ_ONLY);
    put(&rig, SMALL, 1, PTE(0x401000) | PTE_PRIVILEGE);
    put(&rig, SMALL, 2, PTE(0x402000) | PTE_SYSTEM);
    put(&rig, SMALL, 3, PTE(0x402000) | PTE_PEER);
    rig_put32(&rig, MEMORY_VRAM, 0x402000, 1);
    assert_span(&rig, &vm, VA, 4, MEMORY_READ, MEMORY_VRAM, 0x400000, 4);
    assert_faults(&rig, &vm, VA, MEMORY_WRITE, FAULT_READ_ONLY, 6, "RO_VIOLATION");
    assert_faults(&rig, &vm, VA + 0x1000, MEMORY_READ, FAULT_PRIVILEGE, 5, "PRIV_VIOLATION");
    assert_maps(&rig, &vm, VA + 0x2000, MEMORY_SYSTEM, 0x402000);
    assert_nothing_there(&rig, &vm, VA + 0x3000);
    vm.flags |= ADDRESS_SPACE_SUPERVISOR;
    assert_maps(&rig, &vm, VA + 0x1000, MEMORY_VRAM, 0x401000);
    rig_stop(&rig);
}

static void tables_may_be_in_system_memory(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, PD0, 15, (SMALL >> 4) | 2 << 1);
    rig_put64(&rig, MEMORY_SYSTEM, SMALL, PTE(0x400000));
    assert_maps(&rig, &vm, VA, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void address_repeats_its_top_bit(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gv100);
    uint64_t high = VA | UINT64_C(1) << 48, sign = UINT64_MAX << 49;
    (void)state;
    put(&rig, PD3, 3, POINTER(PD2));
    put(&rig, PD3, 1, 0);
    put(&rig, SMALL, 0, PTE(0x400000));
    assert_maps(&rig, &vm, high, MEMORY_VRAM, 0x400000);
    assert_maps(&rig, &vm, high | sign, MEMORY_VRAM, 0x400000);
    put(&rig, PD3, 1, POINTER(PD2));
    assert_faults(&rig, &vm, VA | sign, MEMORY_READ, FAULT_PDE, 0, "PDE");
    assert_faults(&rig, &vm, VA | UINT64_C(1) << 50, MEMORY_READ, FAULT_PDE, 0, "PDE");
    rig_stop(&rig);
}

static void limit_counts_before_gv100_only(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, SMALL, 0, PTE(0x400000));
    vm = open_vm(&rig, PD3 | VER2, VA + 7);
    assert_span(&rig, &vm, VA + 4, 8, MEMORY_READ, MEMORY_VRAM, 0x400004, 4);
    assert_faults(&rig, &vm, VA + 8, MEMORY_READ, FAULT_VA_LIMIT, 3, "VA_LIMIT_VIOLATION");
    rig_stop(&rig);

    vm = start(&rig, &gv100);
    put(&rig, SMALL, 0, PTE(0x400000));
    vm = open_vm(&rig, PD3 | VER2, 0);
    assert_maps(&rig, &vm, VA + 8, MEMORY_VRAM, 0x400008);
    rig_stop(&rig);
}

/* A directory of Maxwell: one entry, its big table at BIG's page, one page of 64 KiB. */
static void tables_without_the_ver2_bit(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, 0x200000, 0, 0x201000 >> 8 | 1);
    put(&rig, 0x201000, 1, 0x400000 >> 8 | 1);
    vm = open_vm(&rig, 0x200000 | 0x800, UINT64_MAX);
    assert_maps(&rig, &vm, 0x10000, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);

    vm = start(&rig, &gv100);
    vm = open_vm(&rig, PD3, UINT64_MAX);
    assert_faults(&rig, &vm, VA, MEMORY_READ, FAULT_UNBOUND, 4, "UNBOUND_INST_BLOCK");
    rig_stop(&rig);
}

static void changed_directory_is_seen_after_a_flush_only(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, PD0, 14, PTE(0x400000));
    put(&rig, PD0, 15, 0);
    assert_maps(&rig, &vm, VA + 4, MEMORY_VRAM, 0x400004);
    put(&rig, PD3, 1, 0);
    assert_maps(&rig, &vm, VA, MEMORY_VRAM, 0x400000);
    memory_tlb_flush(&rig.memory);
    assert_faults(&rig, &vm, VA, MEMORY_READ, FAULT_PDE, 0, "PDE");
    rig_stop(&rig);
}

/* Every level is the same page: the walk ends after its five levels. */
static void table_that_points_to_itself_ends(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    for (unsigned i = 0; i < 0x200; i++)
        put(&rig, PD3, i, POINTER(PD3));
    assert_faults(&rig, &vm, VA, MEMORY_READ, FAULT_PTE, 2, "PTE");
    rig_stop(&rig);
}

/* VER3: addresses unshifted, permissions as a code from bit 3 on. */
#define POINTER3(address) ((uint64_t)(address) | 1 << 1)
#define PTE3(address)     ((uint64_t)(address) | 1)
#define PCF(code)         ((uint64_t)(code) << 3)
#define VA3               (UINT64_C(1) << 56 | VA)

static struct address_space start3(struct rig *rig) {
    rig_start(rig, &gh100);
    put(rig, PD4, 1, POINTER3(PD3));
    put(rig, PD3, 1, POINTER3(PD2));
    put(rig, PD2, 3, POINTER3(PD1));
    put(rig, PD1, 5, POINTER3(PD0));
    put(rig, PD0, 14, POINTER3(BIG));
    put(rig, PD0, 15, POINTER3(SMALL));
    return open_vm(rig, PD4 | VER2, 0);
}

static void hopper_walk_has_six_levels(void **state) {
    struct rig rig;
    struct address_space vm = start3(&rig);
    (void)state;
    put(&rig, SMALL, 1, PTE3(0x400000));
    put(&rig, BIG, 2, PTE3(0x500000));
    put(&rig, PD0, 16, PTE3(0x600000));
    put(&rig, PD1, 6, PTE3(0));
    assert_span(&rig, &vm, VA3 + 0x1000, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, KIB(4));
    assert_span(&rig, &vm, VA3 + 0x20000, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x500000, KIB(64));
    assert_span(&rig, &vm, VA3 + MIB(2) + 4, MIB(4), MEMORY_READ, MEMORY_VRAM, 0x600004, MIB(2) - 4);
    uint64_t huge = (VA3 & ~(MIB(512) - 1)) + MIB(512);
    assert_span(&rig, &vm, huge + MIB(16), MIB(1), MEMORY_READ, MEMORY_VRAM, MIB(16), MIB(1));
    assert_faults(&rig, &vm, VA, MEMORY_READ, FAULT_PDE, 0, "PDE");
    rig_stop(&rig);
}

static void hopper_permission_codes(void **state) {
    struct rig rig;
    struct address_space vm = start3(&rig);
    (void)state;
    put(&rig, SMALL, 0, PTE3(0x400000) | PCF(4));
    put(&rig, SMALL, 1, PTE3(0x401000) | PCF(2));
    put(&rig, SMALL, 2, PTE3(0x402000) | PCF(0x19)); /* uncached, no atomics, not counted: still a page */
    put(&rig, SMALL, 3, PCF(1));
    put(&rig, SMALL, 4, PCF(2));
    put(&rig, SMALL, 0x10, PTE3(0x403000));
    put(&rig, BIG, 1, PCF(3));
    put(&rig, PD0, 16, PCF(3));
    assert_faults(&rig, &vm, VA3, MEMORY_WRITE, FAULT_READ_ONLY, 6, "RO_VIOLATION");
    assert_faults(&rig, &vm, VA3 + 0x1000, MEMORY_READ, FAULT_PRIVILEGE, 5, "PRIV_VIOLATION");
    assert_maps(&rig, &vm, VA3 + 0x2000, MEMORY_VRAM, 0x402000);
    assert_nothing_there(&rig, &vm, VA3 + 0x3000);
    assert_faults(&rig, &vm, VA3 + 0x4000, MEMORY_READ, FAULT_PTE, 2, "PTE");
    assert_faults(&rig, &vm, VA3 + 0x10000, MEMORY_READ, FAULT_PTE, 2, "PTE");
    assert_nothing_there(&rig, &vm, VA3 + MIB(2));
    rig_stop(&rig);
}

static void number_of_a_peer_is_no_address(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    uint64_t peer = UINT64_C(5) << 33;
    (void)state;
    put(&rig, PD1, 5, POINTER(PD0) | peer);
    put(&rig, PD0, 14, BIG_POINTER(BIG) | peer);
    put(&rig, BIG, 0, PTE(0x400000) | peer);
    assert_maps(&rig, &vm, VA, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void big_pages_are_aligned(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gp100);
    (void)state;
    put(&rig, BIG, 0, PTE(0x401000));
    put(&rig, PD0, 16, PTE(0x610000));
    assert_maps(&rig, &vm, VA + 4, MEMORY_VRAM, 0x400004);
    assert_maps(&rig, &vm, VA + MIB(2) + 4, MEMORY_VRAM, 0x600004);
    rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_has_five_levels),
        cmocka_unit_test(pages_have_4_or_64_kib_or_2_mib),
        cmocka_unit_test(big_page_wins_over_small_ones),
        cmocka_unit_test(invalid_big_page_may_hide_small_ones),
        cmocka_unit_test(sparse_at_every_level_below),
        cmocka_unit_test(pages_have_rights_and_targets),
        cmocka_unit_test(tables_may_be_in_system_memory),
        cmocka_unit_test(address_repeats_its_top_bit),
        cmocka_unit_test(limit_counts_before_gv100_only),
        cmocka_unit_test(tables_without_the_ver2_bit),
        cmocka_unit_test(changed_directory_is_seen_after_a_flush_only),
        cmocka_unit_test(table_that_points_to_itself_ends),
        cmocka_unit_test(hopper_walk_has_six_levels),
        cmocka_unit_test(hopper_permission_codes),
        cmocka_unit_test(number_of_a_peer_is_no_address),
        cmocka_unit_test(big_pages_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
