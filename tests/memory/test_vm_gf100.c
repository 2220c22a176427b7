/* SPDX-License-Identifier: MIT */
/* Virtual memory of Fermi, Kepler and Maxwell: two levels, big and small pages. */
#include "rig.h"

static const struct pfifo_chip gf100 = {.name = "GF100", .vram_bytes = 1, .vm = CHIP_VM_GF100};
static const struct pfifo_chip gk104 = {.name = "GK104", .vram_bytes = 1, .vm = CHIP_VM_GK104};
static const struct pfifo_chip gm200 = {.name = "GM200", .vram_bytes = 1, .vm = CHIP_VM_GM200, .has_page_access = true};
static const struct pfifo_chip gm107 = {.name = "GM107", .vram_bytes = 1, .vm = CHIP_VM_GK104, .has_page_access = true};
static const struct pfifo_chip gm20b = {.name = "GM20B", .vm = CHIP_VM_GM200, .has_page_access = true};

#define INSTANCE  0x10000u
#define DIRECTORY 0x100000u
#define BIG       0x200000u
#define SMALL     0x240000u
#define LAST_VA   ((UINT64_C(1) << 40) - 1)

/* Fields of entries; addresses are in units of 4 KiB, four bits up. */
#define VRAM_TABLE           1u
#define SYSTEM_TABLE         2u
#define PDE(big, small)      ((uint64_t)(big) | (uint64_t)(small) << 32)
#define TABLE(address, type) ((address) >> 8 | (type))
#define BOTH                 PDE(TABLE(BIG, VRAM_TABLE), TABLE(SMALL, VRAM_TABLE))
#define PTE(address)         ((uint64_t)(address) >> 8 | 1)
#define PTE_PRIV             2u
#define PTE_READ_ONLY        4u
#define PTE_NO_SMALL         2u /* without VALID */
#define PTE_SPARSE           (UINT64_C(1) << 32)
#define PTE_PEER             (UINT64_C(1) << 33)
#define PTE_SYSTEM           (UINT64_C(2) << 33)
#define PTE_UNSNOOPED        (UINT64_C(3) << 33)

static struct address_space open_vm(struct rig *rig, uint32_t directory_bits, uint64_t limit) {
    rig_put64(rig, MEMORY_VRAM, INSTANCE + 0x200, DIRECTORY | directory_bits);
    rig_put64(rig, MEMORY_VRAM, INSTANCE + 0x208, limit);
    return address_space_vm(&rig->memory, MEMORY_VRAM, INSTANCE);
}

static struct address_space start(struct rig *rig, const struct pfifo_chip *chip, uint64_t pde) {
    rig_start(rig, chip);
    rig_put64(rig, MEMORY_VRAM, DIRECTORY, pde);
    return open_vm(rig, 0, LAST_VA);
}

static void put_big(struct rig *rig, unsigned index, uint64_t pte) {
    rig_put64(rig, MEMORY_VRAM, BIG + 8 * (uint64_t)index, pte);
}

static void put_small(struct rig *rig, unsigned index, uint64_t pte) {
    rig_put64(rig, MEMORY_VRAM, SMALL + 8 * (uint64_t)index, pte);
}

static void big_page_has_128_kib(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gf100, BOTH);
    (void)state;
    put_big(&rig, 3, PTE(0x400000));
    assert_span(&rig, &vm, 3 * KIB(128), MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, KIB(128));
    assert_maps(&rig, &vm, 3 * KIB(128) + 0x1f004, MEMORY_VRAM, 0x41f004);
    assert_faults(&rig, &vm, 4 * KIB(128), MEMORY_READ, FAULT_PTE, 2, "PAGE_NOT_PRESENT");
    rig_stop(&rig);
}

static void small_pages_are_used_where_no_big_one_is_valid(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gf100, BOTH);
    (void)state;
    put_small(&rig, 0x21, PTE(0x400000));
    assert_span(&rig, &vm, 0x21000, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, 0x1000);
    assert_faults(&rig, &vm, 0x20fff, MEMORY_READ, FAULT_PTE, 2, "PAGE_NOT_PRESENT");
    rig_stop(&rig);
}

static void directory_entry_may_have_one_table_only(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gf100, PDE(0, TABLE(SMALL, VRAM_TABLE)));
    (void)state;
    put_big(&rig, 0, PTE(0x500000));
    put_small(&rig, 0, PTE(0x400000));
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    memory_tlb_flush(&rig.memory);
    rig_put64(&rig, MEMORY_VRAM, DIRECTORY, PDE(TABLE(BIG, VRAM_TABLE), 0));
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x500000);
    rig_stop(&rig);
}

static void directory_entry_covers_1024_big_pages(void **state) {
    static const struct {
        uint32_t bits;
        uint64_t covers;
    } rows[] = {{0, MIB(128)}, {0x800, MIB(64)}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        start(&rig, &gm200, 0);
        struct address_space vm = open_vm(&rig, rows[i].bits, LAST_VA);
        rig_put64(&rig, MEMORY_VRAM, DIRECTORY + 8 * 7, BOTH);
        put_big(&rig, 0x3ff, PTE(0x400000));
        assert_maps(&rig, &vm, 8 * rows[i].covers - 4, MEMORY_VRAM, 0x400000 + rows[i].covers / 1024 - 4);
        assert_faults(&rig, &vm, 8 * rows[i].covers, MEMORY_READ, FAULT_PDE, 0, "PDE");
        rig_stop(&rig);
    }
}

static void big_page_size_is_the_instance_blocks_from_gm200_on(void **state) {
    static const struct {
        const struct pfifo_chip *chip;
        enum memory_big_page forced;
        uint64_t bytes;
    } rows[] = {
        {&gk104, MEMORY_BIG_PAGE_DEFAULT, KIB(128)}, {&gk104, MEMORY_BIG_PAGE_64K, KIB(64)},
        {&gm200, MEMORY_BIG_PAGE_DEFAULT, KIB(64)},  {&gm200, MEMORY_BIG_PAGE_128K, KIB(128)},
        {&gm200, MEMORY_BIG_PAGE_64K, KIB(64)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig rig;
        start(&rig, rows[i].chip, BOTH);
        rig.memory.mmu.big_page = rows[i].forced;
        put_big(&rig, 0, PTE(0x400000));
        struct address_space vm = open_vm(&rig, 0x800, LAST_VA);
        assert_span(&rig, &vm, 0, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, rows[i].bytes);
        rig_stop(&rig);
    }
}

static void shortened_tables_fault_beyond_their_end(void **state) {
    (void)state;
    for (unsigned size = 1; size < 4; size++) {
        struct rig rig;
        struct address_space vm = start(&rig, &gk104, BOTH | size << 2);
        uint64_t end = MIB(128) >> size;
        put_big(&rig, (unsigned)(end / KIB(128)) - 1, PTE(0x400000));
        put_big(&rig, (unsigned)(end / KIB(128)), PTE(0x420000));
        assert_span(&rig, &vm, end - 8, 16, MEMORY_READ, MEMORY_VRAM, 0x41fff8, 8);
        assert_faults(&rig, &vm, end, MEMORY_READ, FAULT_PDE_SIZE, 1, "PDE_SIZE");
        rig_stop(&rig);
    }
}

static void big_and_small_page_both_valid_fault_from_gk104_on(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_big(&rig, 0, PTE(0x400000));
    put_small(&rig, 1, PTE(0x500000));
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_BOTH_PTES, 0xe, "BOTH_PTES_VALID");
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);

    vm = start(&rig, &gf100, BOTH);
    put_big(&rig, 0, PTE(0x400000));
    put_small(&rig, 1, PTE(0x500000));
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x401000);
    rig_stop(&rig);
}

static void invalid_big_page_hides_small_ones_from_gk104_on(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_big(&rig, 0, PTE_NO_SMALL);
    put_small(&rig, 0, PTE(0x400000));
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_PTE, 2, "PTE");
    put_big(&rig, 0, 0);
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);

    vm = start(&rig, &gf100, BOTH);
    put_big(&rig, 0, PTE_NO_SMALL);
    put_small(&rig, 0, PTE(0x400000));
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void sparse_pages_read_zero_from_gm200_on(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gm200, BOTH);
    (void)state;
    rig_put32(&rig, MEMORY_VRAM, 0, 0x12345678);
    put_big(&rig, 0, PTE_SPARSE);
    put_small(&rig, 0, PTE(0x400000)); /* not looked at */
    put_small(&rig, 0x20, PTE_SPARSE);
    rig_put64(&rig, MEMORY_VRAM, DIRECTORY + 8, UINT64_C(1) << 35);
    assert_nothing_there(&rig, &vm, 0);
    assert_nothing_there(&rig, &vm, 0x20000);
    assert_nothing_there(&rig, &vm, MIB(128));
    assert_nothing_there(&rig, &vm, MIB(256) - 4);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, 0), 0x12345678);
    assert_faults(&rig, &vm, 0x21000, MEMORY_READ, FAULT_PTE, 2, "PTE");
    rig_stop(&rig);

    vm = start(&rig, &gk104, BOTH);
    put_big(&rig, 0, PTE_SPARSE);
    rig_put64(&rig, MEMORY_VRAM, DIRECTORY + 8, UINT64_C(1) << 35);
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_PTE, 2, "PTE");
    assert_faults(&rig, &vm, MIB(128), MEMORY_READ, FAULT_PDE, 0, "PDE");
    rig_stop(&rig);
}

static void sparse_pages_do_not_join_pages_with_memory(void **state) {
    struct rig rig;
    struct span span;
    struct address_space vm = start(&rig, &gm200, PDE(0, TABLE(SMALL, VRAM_TABLE)));
    (void)state;
    put_small(&rig, 0, PTE(0x400000));
    put_small(&rig, 1, PTE_SPARSE);
    put_small(&rig, 2, PTE(0x402000));
    assert_span(&rig, &vm, 0, 0x3000, MEMORY_READ, MEMORY_VRAM, 0x400000, 0x1000);
    assert_true(memory_span(&rig.memory, &vm, 0x1000, 0x2000, MEMORY_WRITE, &span, NULL));
    assert_int_equal(span.bytes, 0x1000);
    rig_stop(&rig);
}

static void limit_of_the_instance_block_is_the_last_byte(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_big(&rig, 0, PTE(0x400000));
    vm = open_vm(&rig, 0, 0xffff);
    assert_span(&rig, &vm, 0xfff0, 0x100, MEMORY_READ, MEMORY_VRAM, 0x40fff0, 0x10);
    assert_faults(&rig, &vm, 0x10000, MEMORY_READ, FAULT_VA_LIMIT, 3, "VA_LIMIT_VIOLATION");
    vm = open_vm(&rig, 0, UINT64_MAX);
    assert_faults(&rig, &vm, LAST_VA + 1, MEMORY_READ, FAULT_VA_LIMIT, 3, "VA_LIMIT_VIOLATION");
    rig_stop(&rig);
}

static void pages_have_rights(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_small(&rig, 0, PTE(0x400000) | PTE_READ_ONLY);
    put_small(&rig, 1, PTE(0x401000) | PTE_PRIV);
    assert_span(&rig, &vm, 0, 4, MEMORY_READ, MEMORY_VRAM, 0x400000, 4);
    assert_faults(&rig, &vm, 0, MEMORY_WRITE, FAULT_READ_ONLY, 6, "RO_VIOLATION");
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_PRIVILEGE, 5, "PRIV_VIOLATION");
    vm.flags |= ADDRESS_SPACE_SUPERVISOR;
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x401000);
    rig_stop(&rig);

    vm = start(&rig, &gm200, BOTH);
    put_small(&rig, 0, PTE(0x400000) | UINT64_C(1) << 62);
    put_small(&rig, 1, PTE(0x401000) | UINT64_C(1) << 63);
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_WRITE_ONLY, 7, "WO_VIOLATION");
    assert_span(&rig, &vm, 0, 4, MEMORY_WRITE, MEMORY_VRAM, 0x400000, 4);
    assert_faults(&rig, &vm, 0x1000, MEMORY_WRITE, FAULT_READ_ONLY, 6, "RO_VIOLATION");
    assert_span(&rig, &vm, 0x1000, 4, MEMORY_READ, MEMORY_VRAM, 0x401000, 4);
    rig_stop(&rig);
}

static void targets_of_pages_and_tables(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, PDE(0, TABLE(SMALL, SYSTEM_TABLE)));
    (void)state;
    rig_put64(&rig, MEMORY_SYSTEM, SMALL, PTE(0x400000) | PTE_SYSTEM);
    rig_put64(&rig, MEMORY_SYSTEM, SMALL + 8, PTE(0x402000) | PTE_UNSNOOPED);
    rig_put64(&rig, MEMORY_SYSTEM, SMALL + 16, PTE(0x403000));
    rig_put64(&rig, MEMORY_SYSTEM, SMALL + 24, PTE(0x403000) | PTE_PEER);
    rig_put32(&rig, MEMORY_VRAM, 0x403000, 1);
    assert_maps(&rig, &vm, 0, MEMORY_SYSTEM, 0x400000);
    assert_maps(&rig, &vm, 0x1000, MEMORY_SYSTEM, 0x402000);
    assert_maps(&rig, &vm, 0x2000, MEMORY_VRAM, 0x403000);
    assert_nothing_there(&rig, &vm, 0x3000);
    rig_stop(&rig);
}

static void directory_target_1_does_not_exist(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    vm = open_vm(&rig, 1, LAST_VA);
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_APERTURE, 0xa, "UNSUPPORTED_APERTURE");
    rig_stop(&rig);
}

/* NCOH becomes target 0 there: everything is the shared DRAM. */
static void tegra_has_tables_and_pages_in_system_memory(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gm20b, BOTH);
    (void)state;
    put_big(&rig, 0, PTE(0x400000));
    assert_maps(&rig, &vm, 4, MEMORY_SYSTEM, 0x400004);
    rig_stop(&rig);
}

static void neighbour_pages_of_both_sizes_are_one_span(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_big(&rig, 0, PTE(0x400000));
    put_small(&rig, 0x20, PTE(0x420000));
    put_small(&rig, 0x21, PTE(0x421000));
    put_small(&rig, 0x22, PTE(0x422000) | PTE_SYSTEM);
    assert_span(&rig, &vm, 0x100, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400100, 0x21f00);
    assert_span(&rig, &vm, 0x100, 0x20000, MEMORY_READ, MEMORY_VRAM, 0x400100, 0x20000);
    rig_stop(&rig);
}

static void changed_page_is_seen_after_a_flush_only(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_big(&rig, 0, PTE(0x400000));
    assert_maps(&rig, &vm, 0x1f000, MEMORY_VRAM, 0x41f000);
    put_big(&rig, 0, PTE(0x500000));
    assert_maps(&rig, &vm, 0x1f004, MEMORY_VRAM, 0x41f004);
    assert_maps(&rig, &vm, 0x10000, MEMORY_VRAM, 0x410000);
    memory_tlb_flush(&rig.memory);
    assert_maps(&rig, &vm, 0x1f000, MEMORY_VRAM, 0x51f000);
    rig_stop(&rig);
}

static void fermi_has_its_own_names_for_faults(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gf100, 0);
    (void)state;
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_PDE, 0, "PT_NOT_PRESENT");
    rig_put64(&rig, MEMORY_VRAM, DIRECTORY, BOTH);
    put_small(&rig, 0, PTE(0x400000) | PTE_READ_ONLY);
    put_small(&rig, 1, PTE(0x400000) | PTE_PRIV);
    assert_faults(&rig, &vm, 0, MEMORY_WRITE, FAULT_READ_ONLY, 6, "PAGE_READ_ONLY");
    assert_faults(&rig, &vm, 0x1000, MEMORY_WRITE, FAULT_PRIVILEGE, 5, "PAGE_SYSTEM_ONLY");
    vm = open_vm(&rig, 0, 0xfff);
    assert_faults(&rig, &vm, 0x1000, MEMORY_WRITE, FAULT_VA_LIMIT, 3, "VM_LIMIT_EXCEEDED");
    rig_stop(&rig);
}

static void sparse_page_does_not_hide_its_neighbour(void **state) {
    struct rig rig;
    struct span span;
    struct address_space vm = start(&rig, &gm200, PDE(0, TABLE(SMALL, VRAM_TABLE)));
    (void)state;
    put_small(&rig, 0, PTE_SPARSE);
    put_small(&rig, 1, PTE(0x1000)); /* where a page at physical 0 would go on */
    assert_true(memory_span(&rig.memory, &vm, 0, 0x2000, MEMORY_READ, &span, NULL));
    assert_int_equal(span.bytes, 0x1000);
    rig_stop(&rig);
}

static void number_of_a_peer_is_no_address(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, PDE(0, TABLE(SMALL, VRAM_TABLE) | 5u << 29));
    (void)state;
    put_small(&rig, 0, PTE(0x400000) | 7u << 29);
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void big_page_is_aligned(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH);
    (void)state;
    put_big(&rig, 0, PTE(0x401000));
    assert_maps(&rig, &vm, 4, MEMORY_VRAM, 0x400004);
    rig_stop(&rig);
}

/* Two spaces on one directory that read it differently, page for page. */
static void spaces_of_both_big_page_sizes_do_not_share_tlb_entries(void **state) {
    struct rig rig;
    struct address_space large = start(&rig, &gm200, BOTH), small = open_vm(&rig, 0x800, LAST_VA);
    (void)state;
    put_big(&rig, 0, PTE(0x400000));
    put_big(&rig, 1, PTE(0x800000));
    assert_maps(&rig, &large, 0x10000, MEMORY_VRAM, 0x410000);
    assert_maps(&rig, &small, 0x10000, MEMORY_VRAM, 0x800000);
    assert_maps(&rig, &large, 0x10000, MEMORY_VRAM, 0x410000);
    rig_stop(&rig);
}

static void access_disable_bits_count_on_gm107_and_not_before(void **state) {
    static const struct pfifo_chip *const chips[] = {&gk104, &gm107};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        struct address_space vm = start(&rig, chips[i], BOTH);
        put_small(&rig, 0, PTE(0x400000) | UINT64_C(1) << 62);
        put_small(&rig, 1, PTE(0x401000) | UINT64_C(1) << 63);
        if (chips[i] == &gk104) {
            assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
            assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x401000);
        } else {
            assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_WRITE_ONLY, 7, "WO_VIOLATION");
            assert_faults(&rig, &vm, 0x1000, MEMORY_WRITE, FAULT_READ_ONLY, 6, "RO_VIOLATION");
        }
        rig_stop(&rig);
    }
}

static void kind_ff_is_unsupported(void **state) {
    static const struct {
        const struct pfifo_chip *chip;
        const char *name;
    } rows[] = {{&gf100, "INVALID_STORAGE_TYPE"}, {&gk104, "UNSUPPORTED_KIND"}, {&gm200, "UNSUPPORTED_KIND"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct rig rig;
        struct address_space vm = start(&rig, rows[i].chip, BOTH);
        put_small(&rig, 0, PTE(0x400000) | UINT64_C(0xff) << 36);
        put_small(&rig, 1, PTE(0x401000) | UINT64_C(0xfe) << 36);
        put_big(&rig, 1, PTE(0x420000) | UINT64_C(0xff) << 36);
        assert_faults(&rig, &vm, 0, MEMORY_WRITE, FAULT_KIND, 0xc, rows[i].name);
        assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x401000);
        assert_faults(&rig, &vm, KIB(128), MEMORY_READ, FAULT_KIND, 0xc, rows[i].name);
        rig_stop(&rig);
    }
}

static void compressed_page_in_system_memory_faults(void **state) {
    static const struct {
        const struct pfifo_chip *chip;
        uint32_t code;
        const char *name;
    } rows[] = {{&gf100, 0xa, "COMPRESSED_SYSRAM"}, {&gk104, 0xb, "COMPRESSION_FAILURE"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        struct address_space vm = start(&rig, rows[i].chip, BOTH);
        put_small(&rig, 0, PTE(0x400000) | PTE_SYSTEM | UINT64_C(1) << 60);
        put_small(&rig, 1, PTE(0x401000) | PTE_UNSNOOPED | UINT64_C(1) << 44);
        put_small(&rig, 2, PTE(0x402000) | UINT64_C(0x1ffff) << 44);
        assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_COMPRESSION, rows[i].code, rows[i].name);
        assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_COMPRESSION, rows[i].code, rows[i].name);
        assert_maps(&rig, &vm, 0x2000, MEMORY_VRAM, 0x402000);
        rig_stop(&rig);
    }
}

static void size_of_a_directory_entry_counts_before_its_tables(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, 1 << 2); /* half, and no table */
    (void)state;
    assert_faults(&rig, &vm, MIB(64) - 4, MEMORY_READ, FAULT_PDE, 0, "PDE");
    assert_faults(&rig, &vm, MIB(64), MEMORY_READ, FAULT_PDE_SIZE, 1, "PDE_SIZE");
    rig_stop(&rig);
}

/* VOL, ENCRYPTED, LOCK. */
static void bits_that_say_nothing_about_the_address_do_not_matter(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gk104, BOTH | UINT64_C(3) << 34);
    (void)state;
    put_small(&rig, 0, PTE(0x400000) | 1 << 3 | UINT64_C(1) << 32 | UINT64_C(1) << 35);
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

/* What was looked up in the part that there is says nothing about the rest. */
static void sparse_directory_entry_may_be_short(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, &gm200, UINT64_C(1) << 35 | 1 << 2);
    (void)state;
    assert_nothing_there(&rig, &vm, 0);
    assert_nothing_there(&rig, &vm, MIB(64) - 4);
    assert_faults(&rig, &vm, MIB(64), MEMORY_READ, FAULT_PDE_SIZE, 1, "PDE_SIZE");
    rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(big_page_has_128_kib),
        cmocka_unit_test(small_pages_are_used_where_no_big_one_is_valid),
        cmocka_unit_test(directory_entry_may_have_one_table_only),
        cmocka_unit_test(directory_entry_covers_1024_big_pages),
        cmocka_unit_test(big_page_size_is_the_instance_blocks_from_gm200_on),
        cmocka_unit_test(shortened_tables_fault_beyond_their_end),
        cmocka_unit_test(big_and_small_page_both_valid_fault_from_gk104_on),
        cmocka_unit_test(invalid_big_page_hides_small_ones_from_gk104_on),
        cmocka_unit_test(sparse_pages_read_zero_from_gm200_on),
        cmocka_unit_test(sparse_pages_do_not_join_pages_with_memory),
        cmocka_unit_test(limit_of_the_instance_block_is_the_last_byte),
        cmocka_unit_test(pages_have_rights),
        cmocka_unit_test(targets_of_pages_and_tables),
        cmocka_unit_test(directory_target_1_does_not_exist),
        cmocka_unit_test(tegra_has_tables_and_pages_in_system_memory),
        cmocka_unit_test(neighbour_pages_of_both_sizes_are_one_span),
        cmocka_unit_test(changed_page_is_seen_after_a_flush_only),
        cmocka_unit_test(fermi_has_its_own_names_for_faults),
        cmocka_unit_test(sparse_page_does_not_hide_its_neighbour),
        cmocka_unit_test(number_of_a_peer_is_no_address),
        cmocka_unit_test(big_page_is_aligned),
        cmocka_unit_test(spaces_of_both_big_page_sizes_do_not_share_tlb_entries),
        cmocka_unit_test(access_disable_bits_count_on_gm107_and_not_before),
        cmocka_unit_test(kind_ff_is_unsupported),
        cmocka_unit_test(compressed_page_in_system_memory_faults),
        cmocka_unit_test(size_of_a_directory_entry_counts_before_its_tables),
        cmocka_unit_test(bits_that_say_nothing_about_the_address_do_not_matter),
        cmocka_unit_test(sparse_directory_entry_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
