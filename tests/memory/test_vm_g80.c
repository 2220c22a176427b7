/* SPDX-License-Identifier: MIT */
/* Virtual memory of Tesla. */
#include "rig.h"

static const struct pfifo_chip g80 = {.name = "G80", .vram_bytes = 1, .vm = CHIP_VM_G80};
static const struct pfifo_chip g84 = {.name = "G84", .vram_bytes = 1, .vm = CHIP_VM_G84};

#define DESCRIPTOR 0x100000u
#define DIRECTORY  (DESCRIPTOR + 0x1400u)
#define TABLE      0x200000u
#define LARGE      1u
#define MEDIUM     2u
#define SMALL      3u

static struct address_space start(struct rig *rig, uint64_t pde) {
    rig_start(rig, &g80);
    rig_put64(rig, MEMORY_VRAM, DIRECTORY, pde);
    return address_space_vm(&rig->memory, MEMORY_VRAM, DESCRIPTOR);
}

static void put_pte(struct rig *rig, unsigned index, uint64_t pte) {
    rig_put64(rig, MEMORY_VRAM, TABLE + 8 * (uint64_t)index, pte);
}

static void directory_is_in_the_channel_descriptor(void **state) {
    static const struct {
        const struct pfifo_chip *chip;
        uint32_t offset;
    } rows[] = {{&g80, 0x1400}, {&g84, 0x200}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        rig_start(&rig, rows[i].chip);
        rig_put64(&rig, MEMORY_SYSTEM, DESCRIPTOR + rows[i].offset + 8 * 3, TABLE | SMALL);
        put_pte(&rig, 0, 0x300001);
        struct address_space vm = address_space_vm(&rig.memory, MEMORY_SYSTEM, DESCRIPTOR);
        assert_maps(&rig, &vm, MIB(512) * 3 + 4, MEMORY_VRAM, 0x300004);
        rig_stop(&rig);
    }
}

static void directory_of_g84_can_be_moved(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g84);
    rig.memory.mmu.directory_offset = 0x8000;
    rig_put64(&rig, MEMORY_VRAM, DESCRIPTOR + 0x8000, TABLE | SMALL);
    put_pte(&rig, 0, 0x300001);
    struct address_space vm = address_space_vm(&rig.memory, MEMORY_VRAM, DESCRIPTOR);
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x300000);
    rig_stop(&rig);
}

static void pages_have_4_16_or_64_kib(void **state) {
    static const struct { unsigned type, bits; } rows[] = {{SMALL, 12}, {MEDIUM, 14}, {LARGE, 16}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct rig rig;
        struct address_space vm = start(&rig, TABLE | rows[i].type);
        uint64_t page = UINT64_C(1) << rows[i].bits;
        put_pte(&rig, 5, 0x400001);
        assert_span(&rig, &vm, 5 * page, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, page);
        assert_span(&rig, &vm, 6 * page - 1, 4, MEMORY_READ, MEMORY_VRAM, 0x400000 + page - 1, 1);
        assert_faults(&rig, &vm, 6 * page, MEMORY_READ, FAULT_PTE, 2, "PAGE_NOT_PRESENT");
        rig_stop(&rig);
    }
}

static void contiguous_block_counts_from_its_first_page(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    for (unsigned i = 8; i < 16; i++)
        put_pte(&rig, i, 0x400001 | 3 << 7);
    assert_maps(&rig, &vm, 0xb004, MEMORY_VRAM, 0x403004);
    assert_span(&rig, &vm, 0x8000, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x400000, 0x8000);
    assert_span(&rig, &vm, 0xa010, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x402010, 0x5ff0);
    rig_stop(&rig);
}

static void empty_directory_entry_is_no_page_table(void **state) {
    struct rig rig;
    /* nouveau fills the directory with this; only the type counts. */
    struct address_space vm = start(&rig, 0xdeadcafe00000000);
    (void)state;
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_PDE, 0, "PT_NOT_PRESENT");
    assert_faults(&rig, &vm, UINT64_C(0xffffffffff), MEMORY_WRITE, FAULT_PDE, 0, "PT_NOT_PRESENT");
    rig_stop(&rig);
}

static void short_page_table_ends_early(void **state) {
    static const unsigned entries[4] = {0x20000, 0x8000, 0x4000, 0x2000};
    (void)state;
    for (unsigned length = 1; length < 4; length++) {
        struct rig rig;
        struct address_space vm = start(&rig, TABLE | SMALL | length << 5);
        put_pte(&rig, entries[length] - 1, 0x400001);
        put_pte(&rig, entries[length], 0x401001);
        assert_span(&rig, &vm, entries[length] * KIB(4) - 4, 8, MEMORY_READ, MEMORY_VRAM, 0x400ffc, 4);
        assert_faults(&rig, &vm, entries[length] * KIB(4), MEMORY_READ, FAULT_PDE_SIZE, 1, "PT_TOO_SHORT");
        rig_stop(&rig);
    }
}

static void page_table_in_system_memory(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL | 2 << 2);
    (void)state;
    rig_put64(&rig, MEMORY_SYSTEM, TABLE, 0x400001 | 3 << 4);
    assert_maps(&rig, &vm, 0, MEMORY_SYSTEM, 0x400000);
    rig_stop(&rig);
}

static void page_of_a_peer_reads_zero(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    put_pte(&rig, 0, 0x400001 | 1 << 4);
    rig_put32(&rig, MEMORY_VRAM, 0x400000, 0x1234);
    assert_nothing_there(&rig, &vm, 0);
    rig_stop(&rig);
}

static void read_only_and_supervisor_pages_fault(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    put_pte(&rig, 0, 0x400001 | 8);
    put_pte(&rig, 1, 0x401001 | 0x40);
    assert_span(&rig, &vm, 0, 4, MEMORY_READ, MEMORY_VRAM, 0x400000, 4);
    assert_faults(&rig, &vm, 0, MEMORY_WRITE, FAULT_READ_ONLY, 4, "PAGE_READ_ONLY");
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_PRIVILEGE, 3, "PAGE_SUPERVISOR_ONLY");
    vm.flags |= ADDRESS_SPACE_SUPERVISOR;
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x401000);
    rig_stop(&rig);
}

static void vram_address_of_a_page_has_32_bits(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    put_pte(&rig, 0, 0xab00400001);
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void virtual_address_has_40_bits(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    put_pte(&rig, 0, 0x400001);
    assert_faults(&rig, &vm, UINT64_C(1) << 40, MEMORY_READ, FAULT_VA_LIMIT, 0, "VA_LIMIT");
    rig_stop(&rig);
}

static void changed_page_is_seen_after_a_flush_only(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    put_pte(&rig, 1, 0x400001);
    assert_maps(&rig, &vm, 0x1ff0, MEMORY_VRAM, 0x400ff0);
    put_pte(&rig, 1, 0x500001);
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x400000);
    memory_tlb_flush(&rig.memory);
    assert_int_equal(rig.flushes, 1);
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x500000);
    put_pte(&rig, 1, 0);
    memory_tlb_flush(&rig.memory);
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_PTE, 2, "PAGE_NOT_PRESENT");
    rig_stop(&rig);
}

static void a_fault_is_not_kept(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_PTE, 2, "PAGE_NOT_PRESENT");
    put_pte(&rig, 1, 0x400001);
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void channels_do_not_share_tlb_entries(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    /* More than the TLB has entries, so that some meet in one; in VRAM and in system memory at the same address. */
    for (unsigned i = 0; i < 128; i++) {
        enum memory_target target = i < 64 ? MEMORY_SYSTEM : MEMORY_VRAM;
        uint64_t descriptor = 0x1000000 + 0x10000 * (uint64_t)(i % 64), table = TABLE + 0x1000 * (uint64_t)i;
        rig_put64(&rig, target, descriptor + 0x1400, table | SMALL);
        rig_put64(&rig, MEMORY_VRAM, table + 8, (0x400000 + 0x1000 * (uint64_t)i) | 1);
        struct address_space vm = address_space_vm(&rig.memory, target, descriptor);
        assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x400000 + 0x1000 * (uint64_t)i);
    }
    rig_stop(&rig);
}

/* More pages than the TLB has entries, in both halves, back and forth. */
static void tlb_of_any_load_translates_right(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    rig_put64(&rig, MEMORY_VRAM, DIRECTORY + 8, 0x280000 | LARGE);
    for (unsigned i = 0; i < 128; i++) {
        put_pte(&rig, i, (0x400000 + 0x2000 * ((i * 37) % 128)) | 1);
        rig_put64(&rig, MEMORY_VRAM, 0x280000 + 8 * i, (0x800000 + 0x10000 * ((i * 29) % 128)) | 1);
    }
    for (unsigned n = 0; n < 1000; n++) {
        unsigned i = (n * n * 7 + n * 13) % 128;
        assert_maps(&rig, &vm, i * KIB(4) + n, MEMORY_VRAM, 0x400000 + 0x2000 * ((i * 37) % 128) + n);
        assert_maps(&rig, &vm, MIB(512) + i * KIB(64) + n, MEMORY_VRAM, 0x800000 + 0x10000 * ((i * 29) % 128) + n);
    }
    rig_stop(&rig);
}

static void copy_crosses_pages_and_stops_at_the_fault(void **state) {
    struct rig rig;
    struct fault fault;
    uint8_t data[0x3000], back[0x3000];
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + (i >> 8));
    put_pte(&rig, 0, 0x400001);
    put_pte(&rig, 1, 0x402001);
    put_pte(&rig, 2, 0x400001 | 2 << 4);
    assert_true(memory_write(&rig.memory, &vm, 0x800, data, 0x2800, &fault));
    assert_true(memory_read(&rig.memory, &vm, 0x800, back, 0x2800, &fault));
    assert_memory_equal(data, back, 0x2800);
    assert_memory_equal(rig.memory.vram + 0x402000, data + 0x800, 0x1000);
    assert_memory_equal(rig.memory.system + 0x400000, data + 0x1800, 0x1000);
    assert_false(memory_read(&rig.memory, &vm, 0x800, back, 0x3000, &fault));
    assert_int_equal(fault.address, 0x3000);
    assert_int_equal(fault.reason, FAULT_PTE);
    rig_stop(&rig);
}

/* The directory is its own page table: the walk still ends, after two reads. */
static void table_that_maps_itself_ends(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, 0);
    (void)state;
    for (unsigned i = 0; i < 0x800; i++)
        rig_put64(&rig, MEMORY_VRAM, DIRECTORY + 8 * i, (DIRECTORY & ~0xfffu) | SMALL);
    /* Entry 0x280 of the "table" at 0x101000 is PDE 0x200: a present page with a PDE's bits. */
    assert_maps(&rig, &vm, 0x280 * KIB(4), MEMORY_VRAM, DIRECTORY & ~0xfffu);
    rig_stop(&rig);
}

static void page_table_of_a_peer_does_not_exist(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL | 1 << 2);
    (void)state;
    put_pte(&rig, 0, 0x400001);
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_APERTURE, 0, "APERTURE");
    rig_stop(&rig);
}

static void table_of_any_page_size_covers_512_mib(void **state) {
    static const unsigned types[] = {SMALL, MEDIUM, LARGE}, last[] = {0x1ffff, 0x7fff, 0x1fff};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct rig rig;
        struct address_space vm = start(&rig, TABLE | types[i]);
        put_pte(&rig, last[i], 0x400001);
        assert_span(&rig, &vm, MIB(512) - 0x1000, 4, MEMORY_READ, MEMORY_VRAM,
                    0x400000 + MIB(512) / (last[i] + 1) - 0x1000, 4);
        rig_stop(&rig);
    }
}

static void directory_entry_that_drivers_call_empty_is_no_page_table(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, UINT64_C(0xdeadcafe00000000));
    (void)state;
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_PDE, 0, "PT_NOT_PRESENT");
    rig_stop(&rig);
}

/* Compression, tag, partition cycle, encryption; and bits of which nobody knows what they are. */
static void bits_that_say_nothing_about_the_address_do_not_matter(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL | 1 << 4 | UINT64_C(0xab) << 40);
    (void)state;
    put_pte(&rig, 0, 0x400001 | 3 << 1 | UINT64_C(0xffff) << 47 | UINT64_C(0x70) << 40);
    assert_maps(&rig, &vm, 0, MEMORY_VRAM, 0x400000);
    rig_stop(&rig);
}

static void kind_7f_is_no_memory_type(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    put_pte(&rig, 0, 0x400001 | UINT64_C(0x7f) << 40);
    put_pte(&rig, 1, 0x401001 | UINT64_C(0x7e) << 40);
    assert_faults(&rig, &vm, 0, MEMORY_READ, FAULT_KIND, 7, "WRONG_MEMTYPE");
    assert_maps(&rig, &vm, 0x1000, MEMORY_VRAM, 0x401000);
    rig_stop(&rig);
}

/* 128 pages from 0xffff8000 on: after eight of them the 32 bits of VRAM are over. */
static void contiguous_block_that_leaves_32_bits_of_vram_comes_round(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | SMALL);
    (void)state;
    for (unsigned i = 0; i < 128; i++)
        put_pte(&rig, i, 0xffff8001 | 7 << 7);
    assert_nothing_there(&rig, &vm, 0x7000);
    assert_maps(&rig, &vm, 0x8000, MEMORY_VRAM, 0);
    assert_maps(&rig, &vm, 0x7fffc, MEMORY_VRAM, 0x77ffc);
    rig_stop(&rig);
}

static void vram_beyond_the_limit_faults(void **state) {
    struct rig rig;
    struct address_space vm = start(&rig, TABLE | LARGE);
    (void)state;
    put_pte(&rig, 0, 0x400001);
    rig_put64(&rig, MEMORY_SYSTEM, 0x400000, 0);
    put_pte(&rig, 1, 0x410001 | 2 << 4);
    rig.memory.mmu.vram_limit = 0x402000;
    assert_span(&rig, &vm, 0x1000, 0x8000, MEMORY_READ, MEMORY_VRAM, 0x401000, 0x1000);
    assert_faults(&rig, &vm, 0x2000, MEMORY_READ, FAULT_VRAM_LIMIT, 0xb, "VRAM_LIMIT");
    assert_faults(&rig, &vm, 0xfffc, MEMORY_WRITE, FAULT_VRAM_LIMIT, 0xb, "VRAM_LIMIT");
    assert_maps(&rig, &vm, 0x10000, MEMORY_SYSTEM, 0x410000); /* another memory */
    /* It is not part of what the TLB keeps. */
    rig.memory.mmu.vram_limit = 0x401000;
    assert_faults(&rig, &vm, 0x1000, MEMORY_READ, FAULT_VRAM_LIMIT, 0xb, "VRAM_LIMIT");
    rig.memory.mmu.vram_limit = 0x410000;
    assert_maps(&rig, &vm, 0xfffc, MEMORY_VRAM, 0x40fffc);
    rig_stop(&rig);
}

static uint64_t host_asked;

static void *host_map(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    static uint8_t page[4096];
    (void)opaque, (void)bytes, (void)write;
    host_asked = address;
    return page + address % sizeof page;
}

static void a_register_has_bits_63_40_of_system_addresses(void **state) {
    struct memory_config config = {.chip = &g80, .vram_bytes = RIG_VRAM_BYTES, .host = {.map = host_map}};
    struct memory memory;
    (void)state;
    assert_int_equal(memory_init(&memory, &config, NULL), PFIFO_OK);
    memory.mmu.system_high = UINT64_C(0xabcdef) << 40;
    memory_physical_rd32(&memory, MEMORY_SYSTEM, UINT64_C(0x1234567890));
    assert_int_equal(host_asked, UINT64_C(0xabcdef1234567890));
    memory_free(&memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directory_is_in_the_channel_descriptor),
        cmocka_unit_test(directory_of_g84_can_be_moved),
        cmocka_unit_test(pages_have_4_16_or_64_kib),
        cmocka_unit_test(contiguous_block_counts_from_its_first_page),
        cmocka_unit_test(empty_directory_entry_is_no_page_table),
        cmocka_unit_test(short_page_table_ends_early),
        cmocka_unit_test(page_table_in_system_memory),
        cmocka_unit_test(page_of_a_peer_reads_zero),
        cmocka_unit_test(read_only_and_supervisor_pages_fault),
        cmocka_unit_test(vram_address_of_a_page_has_32_bits),
        cmocka_unit_test(virtual_address_has_40_bits),
        cmocka_unit_test(changed_page_is_seen_after_a_flush_only),
        cmocka_unit_test(a_fault_is_not_kept),
        cmocka_unit_test(channels_do_not_share_tlb_entries),
        cmocka_unit_test(tlb_of_any_load_translates_right),
        cmocka_unit_test(copy_crosses_pages_and_stops_at_the_fault),
        cmocka_unit_test(table_that_maps_itself_ends),
        cmocka_unit_test(page_table_of_a_peer_does_not_exist),
        cmocka_unit_test(table_of_any_page_size_covers_512_mib),
        cmocka_unit_test(directory_entry_that_drivers_call_empty_is_no_page_table),
        cmocka_unit_test(bits_that_say_nothing_about_the_address_do_not_matter),
        cmocka_unit_test(kind_7f_is_no_memory_type),
        cmocka_unit_test(contiguous_block_that_leaves_32_bits_of_vram_comes_round),
        cmocka_unit_test(vram_beyond_the_limit_faults),
        cmocka_unit_test(a_register_has_bits_63_40_of_system_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
