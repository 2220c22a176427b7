/* SPDX-License-Identifier: MIT */
/* Entries of page tables and directories, format by format. */
#include "structure/read.h"

#define BIT(n) (UINT64_C(1) << (n))

static void a_page_of_tesla(void **state) {
    (void)state;
    read_64("G80", PFIFO_STRUCTURE_PTE, UINT64_C(0x70) << 40 | 0x123000 | 2 << 7 | BIT(6) | 2 << 4 | BIT(3) | 1);
    expect_line("form: entry of a page table, Tesla");
    expect_line("means: a page in system memory, read-only, not for programs (privileged)");
    expect_line("address: 0x123000");
    expect_line("CONTIG_BLOCK_LOG2 = 2");
    expect_line("STORAGE_TYPE = 0x70");
    read_64("G84", PFIFO_STRUCTURE_PTE, UINT64_C(0x7f) << 40 | 1);
    expect_line("odd: kind 0x7f is not a kind of memory: accesses fault");
    read_64("G84", PFIFO_STRUCTURE_PTE, 0);
    expect_line("means: no page: accesses fault");
}

static void a_table_of_tesla(void **state) {
    (void)state;
    read_64("MCP89", PFIFO_STRUCTURE_PDE, 0x1234000 | 3 << 5 | 2 << 2 | 3);
    expect_line("means: a table of pages of 4 KiB in system memory");
    expect_line("address: 0x1234000");
    expect_line("PT_SIZE = 32M");
    read_64("MCP89", PFIFO_STRUCTURE_PDE, UINT64_C(0xdeadcafe) << 32);
    expect_line("means: no table: accesses fault");
}

static void a_page_of_fermi(void **state) {
    const uint64_t pte = UINT64_C(0xfe) << 36 | UINT64_C(0x1234) << 4 | 1;

    (void)state;
    read_64("GF100", PFIFO_STRUCTURE_PTE, pte);
    expect_line("means: a page in VRAM");
    expect_line("address: 0x1234000");
    expect_line("KIND = 0xfe");
    expect_no_line("ADDRESS_SYS");
    expect_no_line("READ_DISABLE");
    read_64("GM107", PFIFO_STRUCTURE_PTE, pte | UINT64_C(2) << 33 | BIT(62));
    expect_line("means: a page in system memory");
    expect_line("ADDRESS_SYS = 0x1234000");
    expect_line("READ_DISABLE = TRUE");
}

/* What an entry that is not valid says has grown over the generations. */
static void an_invalid_page_may_hide_small_ones_or_be_sparse(void **state) {
    static const struct {
        const char *chip;
        uint64_t pte;
        const char *line;
    } cases[] = {
        {"GF100", 2, "means: no page: accesses fault"},
        {"GK104", 2, "means: no page, and in a table of big pages none of the small ones below it"},
        {"GK104", BIT(32), "means: no page: accesses fault"},
        {"GM204", BIT(32), "means: sparse: reads give 0, and writes are dropped"},
        {"GP102", BIT(5), "means: no page, and in a table of big pages none of the small ones below it"},
        {"GA102", BIT(3), "means: sparse: reads give 0, and writes are dropped"},
        {"GH100", 1 << 3, "means: sparse: reads give 0, and writes are dropped"},
        {"GH100", 2 << 3, "means: mapped to nowhere"},
        {"GH100", 3 << 3, "means: no page, and in a table of big pages none of the small ones below it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_64(cases[i].chip, PFIFO_STRUCTURE_PTE, cases[i].pte);
        expect_line(cases[i].line);
    }
}

static void a_pair_of_tables_of_fermi(void **state) {
    (void)state;
    read_64("GK104", PFIFO_STRUCTURE_PDE, UINT64_C(0x50) << 36 | UINT64_C(2) << 32 | 0x30 << 4 | 1 << 2 | 1);
    expect_line("means: a table of big pages in VRAM");
    expect_line("address: 0x30000");
    expect_line("means: a table of small pages in system memory");
    expect_line("address: 0x50000");
    expect_line("SIZE = HALF");
    read_64("GM204", PFIFO_STRUCTURE_PDE, BIT(35));
    expect_line("means: sparse: reads give 0, and writes are dropped");
    read_64("GK104", PFIFO_STRUCTURE_PDE, BIT(35));
    expect_line("means: no table: accesses fault");
}

static void a_page_of_version_2(void **state) {
    (void)state;
    read_64("GP102", PFIFO_STRUCTURE_PTE, UINT64_C(0xfe) << 56 | UINT64_C(0x12345) << 8 | BIT(6) | BIT(5) | 1);
    expect_line("form: entry of a page table, version 2");
    expect_line("means: a page in VRAM, read-only, not for programs (privileged)");
    expect_line("address: 0x12345000");
    read_64("GA102", PFIFO_STRUCTURE_PTE, UINT64_C(6) << 56 | UINT64_C(0x3fffffffffff) << 8 | 2 << 1 | 1);
    expect_line("means: a page in system memory");
    expect_line("address: 0x3fffffffffff000");
    expect_line("KIND = GENERIC_MEMORY");
    expect_no_line("COMPTAGLINE");
    read_64("GA102", PFIFO_STRUCTURE_PTE, UINT64_C(7) << 56 | 1);
    expect_line("odd: kind 0x7 is not a kind of memory: accesses fault");
    read_64("GP102", PFIFO_STRUCTURE_PTE, UINT64_C(7) << 56 | 1);
    expect_no_line("odd");
    read_64("GP102", PFIFO_STRUCTURE_PTE, UINT64_C(5) << 33 | 1 << 1 | 1);
    expect_line("ADDRESS_VID_PEER = 5");
}

static void a_directory_of_version_2(void **state) {
    const uint32_t dual[4] = {0x10 << 4 | 1 << 1, 0, 0x20 << 8 | 2 << 1, 0};

    (void)state;
    read_64("GV100", PFIFO_STRUCTURE_PDE, UINT64_C(0x555) << 8 | 1 << 1);
    expect_line("means: a table in VRAM");
    expect_line("address: 0x555000");
    read_64("GV100", PFIFO_STRUCTURE_PDE, 1);
    expect_line("means: a large page: its words are a PTE");
    read_64("GV100", PFIFO_STRUCTURE_PDE, BIT(3));
    expect_line("means: sparse: reads give 0, and writes are dropped");
    read_words("GA102", PFIFO_STRUCTURE_PDE0, dual, 4);
    expect_line("means: a table of big pages in VRAM");
    expect_line("address: 0x1000");
    expect_line("means: a table of small pages in system memory");
    expect_line("address: 0x20000");
    read_words("GK104", PFIFO_STRUCTURE_PDE0, dual, 4);
    expect_line("refused: GK104 has no page directory entry for two tables (PDE0)");
}

static void version_3_has_codes_of_permissions(void **state) {
    const uint32_t dual[4] = {0x1000 | 1 << 1, 0, 0x5000 | 1 << 1, 1};

    (void)state;
    read_64("GH100", PFIFO_STRUCTURE_PTE, 0x123000 | 6 << 8 | 6 << 3 | 1);
    expect_line("form: entry of a page table, version 3");
    expect_line("means: a page in VRAM, read-only, not for programs (privileged)");
    expect_line("address: 0x123000");
    expect_line("PCF = PRIVILEGE_RO_ATOMIC_CACHED_ACE");
    expect_line("KIND = GENERIC_MEMORY");
    read_64("GH100", PFIFO_STRUCTURE_PTE, UINT64_C(5) << 61 | 0x123000 | 1 << 1 | 1);
    expect_line("means: a page in the VRAM of a peer");
    expect_line("PEER_ID = 5");
    expect_line("ADDRESS_PEER = 0x123000");
    read_words("GH100", PFIFO_STRUCTURE_PDE0, dual, 4);
    expect_line("address: 0x1000");
    expect_line("address: 0x100005000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_of_tesla),           cmocka_unit_test(a_table_of_tesla),
        cmocka_unit_test(a_page_of_fermi),           cmocka_unit_test(an_invalid_page_may_hide_small_ones_or_be_sparse),
        cmocka_unit_test(a_pair_of_tables_of_fermi), cmocka_unit_test(a_page_of_version_2),
        cmocka_unit_test(a_directory_of_version_2),  cmocka_unit_test(version_3_has_codes_of_permissions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
