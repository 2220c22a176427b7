/* SPDX-License-Identifier: MIT */
/* What cubins, fatbins and bare words have in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cubin/listed.h"
#include "cubin/lz4.h"
#include "cubin/zstd.h"

static struct listed listed;

static void expect(const char *text) {
    if (!strstr(listed.text, text))
        fail_msg("no \"%s\" in:\n%s", text, listed.text);
}

static void what_does_this_cubin_do(void **state) {
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    (void)state;
    listed.all = true;
    list(&listed, cubin, bytes, NULL);
    listed.all = false;
    assert_int_equal(listed.status, PFIFO_OK);
    expect("program ELF64 sm_52 GM204\n");
    expect("section 1 .text.vadd at 0x40, 192\n");
    expect("constants 0, 336\n");
    expect("constants 3, 8\n");
    expect("function vadd\n  kernel, 6 registers, 0 barriers, 0 shared, 0 stack, 0x140+0x10\n");
    expect("0008 MOV R1, c[0x0][0x20]\n");
    expect("0050 @P0 EXIT\n");
    expect("0090 FADD R3, R2, R4\n");
    expect("00b8 BRA 0xb8\n");
}

static void a_fatbin_lists_its_cubins_and_names_the_rest(void **state) {
    uint8_t cubin[CUBIN_ROOM], fatbin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin), fat_bytes = read_cubin("vadd.fatbin", fatbin);
    static char alone[LISTED_ROOM];
    (void)state;
    list(&listed, cubin, bytes, NULL);
    strcpy(alone, listed.text);
    assert_true(pfifo_disasm_recognise(fatbin, fat_bytes));
    list(&listed, fatbin, fat_bytes, NULL);
    assert_int_equal(listed.status, PFIFO_OK);
    expect("skipped PTX sm_52: it is text for a compiler\n");
    expect(alone);
}

/* A member as LZ4 has it, of literals only. */
static size_t pack_literals(uint8_t *out, const uint8_t *data, size_t bytes) {
    size_t used = 0, rest = bytes - 15;
    out[used++] = 0xf0;
    for (; rest >= 255; rest -= 255)
        out[used++] = 255;
    out[used++] = (uint8_t)rest;
    memcpy(out + used, data, bytes);
    return used + bytes;
}

static size_t make_fatbin(uint8_t *out, const uint8_t *data, size_t bytes, uint64_t flags, size_t unpacked) {
    memset(out, 0, 80);
    put_number(out, 0xba55ed50, 4);
    put_number(out + 4, 1, 2);
    put_number(out + 6, 16, 2);
    put_number(out + 8, 64 + bytes, 8);
    put_number(out + 16, 2, 2);
    put_number(out + 20, 64, 4);
    put_number(out + 24, bytes, 8);
    put_number(out + 32, bytes, 4);
    put_number(out + 44, 52, 4);
    put_number(out + 56, flags, 8);
    put_number(out + 72, unpacked, 8);
    memcpy(out + 80, data, bytes);
    return 80 + bytes;
}

static void a_compressed_member_is_unpacked(void **state) {
    uint8_t cubin[CUBIN_ROOM], packed[CUBIN_ROOM], fatbin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    size_t packed_bytes = pack_literals(packed, cubin, bytes);
    (void)state;
    list(&listed, fatbin, make_fatbin(fatbin, packed, packed_bytes, 0x2000, bytes), NULL);
    assert_int_equal(listed.status, PFIFO_OK);
    expect("function vadd\n");
    list(&listed, fatbin, make_fatbin(fatbin, packed, packed_bytes, 0x2000, bytes + 1), NULL);
    assert_int_equal(listed.status, PFIFO_ERROR_UNSUPPORTED);
    expect("skipped ELF sm_52: it cannot be unpacked: its LZ4 data is malformed\n");
}

/* A frame of one block that is not compressed: how long it is, is in the header. */
static size_t frame_whole(uint8_t *out, const uint8_t *data, size_t bytes) {
    static const uint8_t magic[] = {0x28, 0xb5, 0x2f, 0xfd, 0x60};
    memcpy(out, magic, sizeof magic);
    put_number(out + 5, bytes - 256, 2);
    put_number(out + 7, bytes << 3 | 1, 3);
    memcpy(out + 10, data, bytes);
    return bytes + 10;
}

static void a_member_that_zstandard_compressed_is_unpacked(void **state) {
    uint8_t cubin[CUBIN_ROOM], packed[CUBIN_ROOM], fatbin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin), packed_bytes = frame_whole(packed, cubin, bytes);
    (void)state;
    list(&listed, fatbin, make_fatbin(fatbin, packed, packed_bytes, 0x8000, bytes), NULL);
    if (!zstd_is_built_in) {
        expect("skipped ELF sm_52: it is compressed with Zstandard, and this build is without libzstd\n");
        return;
    }
    assert_int_equal(listed.status, PFIFO_OK);
    expect("function vadd\n");
    for (int more = -1; more <= 1; more += 2) {
        list(&listed, fatbin, make_fatbin(fatbin, packed, packed_bytes, 0x8000, bytes + (size_t)more), NULL);
        assert_int_equal(listed.status, PFIFO_ERROR_UNSUPPORTED);
        expect("skipped ELF sm_52: it cannot be unpacked: its Zstandard data is malformed\n");
    }
    list(&listed, fatbin, make_fatbin(fatbin, packed, packed_bytes - 1, 0x8000, bytes), NULL);
    expect("skipped ELF sm_52: it cannot be unpacked: its Zstandard data is malformed\n");
}

static void lz4_repeats_what_it_has_unpacked(void **state) {
    static const uint8_t block[] = {0x2b, 'a', 'b', 2, 0, 0x10, 'c'}, far[] = {0x10, 'a', 2, 0, 0x10, 'c'};
    uint8_t out[32];
    (void)state;
    assert_true(lz4_unpack(block, sizeof block, out, 18));
    assert_memory_equal(out, "abababababababab", 16);
    assert_int_equal(out[17], 'c');
    assert_false(lz4_unpack(block, sizeof block, out, 17));
    assert_false(lz4_unpack(block, sizeof block, out, 19));
    assert_false(lz4_unpack(far, sizeof far, out, 6));
    for (size_t bytes = 0; bytes < sizeof block; bytes++)
        assert_false(lz4_unpack(block, bytes, out, 18));
}

static void put_section(uint8_t *at, uint64_t name, uint64_t type, uint64_t offset, uint64_t size, uint64_t link,
                        uint64_t info) {
    put_number(at, name, 4);
    put_number(at + 4, type, 4);
    put_number(at + 8, type == 1 ? 6 : 0, 8);
    put_number(at + 24, offset, 8);
    put_number(at + 32, size, 8);
    put_number(at + 40, link, 4);
    put_number(at + 44, info, 4);
}

/* Out of order, one between two instructions, one behind the last, of symbols with a name, of a section, and without. */
static void relocations_follow_what_they_change(void **state) {
    static const char names[] = "\0.text.k\0.rel.text.k\0.rela.text.k\0.symtab\0.strtab\0.names";
    static const char symbols[] = "\0printf";
    static const struct {
        uint64_t at, info, addend;
    } entries[] = {{0x10, UINT64_C(1) << 32 | 44, 8},
                   {0x08, UINT64_C(2) << 32 | 42, UINT64_MAX},
                   {0x100, UINT64_C(77) << 32 | 99, 0}};
    enum {
        NAMES = 64 + 7 * 64,
        STRINGS = NAMES + 64,
        CODE = STRINGS + 16,
        SYMBOLS = CODE + 32,
        REL = SYMBOLS + 72,
        RELA = REL + 16,
        BYTES = RELA + 72
    };
    uint8_t elf[BYTES] = "\177ELF\2\1\1";
    (void)state;
    put_number(elf + 18, 190, 2);
    put_number(elf + 40, 64, 8);
    put_number(elf + 48, 52, 4);
    put_number(elf + 58, 64, 2);
    put_number(elf + 60, 7, 2);
    put_number(elf + 62, 6, 2);
    memcpy(elf + NAMES, names, sizeof names);
    memcpy(elf + STRINGS, symbols, sizeof symbols);
    put_section(elf + 64 + 1 * 64, 1, 1, CODE, 32, 0, 0);
    put_section(elf + 64 + 2 * 64, 9, 9, REL, 16, 4, 1);
    put_section(elf + 64 + 3 * 64, 21, 4, RELA, 72, 4, 1);
    put_section(elf + 64 + 4 * 64, 34, 2, SYMBOLS, 72, 5, 0);
    put_section(elf + 64 + 5 * 64, 42, 3, STRINGS, sizeof symbols, 0, 0);
    put_section(elf + 64 + 6 * 64, 50, 3, NAMES, sizeof names, 0, 0);
    put_number(elf + CODE + 8, 0x0100000000070004, 8);
    put_number(elf + CODE + 16, 0x0100000000070005, 8);
    put_number(elf + CODE + 24, 0xe30000000007000f, 8);
    put_number(elf + SYMBOLS + 24, 1, 4);
    put_number(elf + SYMBOLS + 48 + 4, 3, 1);
    put_number(elf + SYMBOLS + 48 + 6, 1, 2);
    put_number(elf + REL, 0x14, 8);
    put_number(elf + REL + 8, UINT64_C(1) << 32 | 43, 8);
    for (size_t i = 0; i < 3; i++) {
        put_number(elf + RELA + 24 * i, entries[i].at, 8);
        put_number(elf + RELA + 24 * i + 8, entries[i].info, 8);
        put_number(elf + RELA + 24 * i + 16, entries[i].addend, 8);
    }
    list(&listed, elf, sizeof elf, NULL);
    assert_int_equal(listed.status, PFIFO_OK);
    expect("function k\n0000 schedule\n0008 MOV32I R4, 0x0, 0x0\n0008 R_CUDA_ABS32_20 .text.k+-1\n"
           "0010 MOV32I R5, 0x0, 0x0\n0010 R_CUDA_ABS32_HI_20 printf+8\n0014 R_CUDA_ABS32_LO_20 printf+0\n0018 EXIT\n"
           "0100 R_CUDA_?99 +0\n");
    /* those of another section are not its */
    put_number(elf + 64 + 2 * 64 + 44, 2, 4);
    put_number(elf + 64 + 3 * 64 + 44, 2, 4);
    list(&listed, elf, sizeof elf, NULL);
    assert_null(strstr(listed.text, "R_CUDA"));
}

/* An ELF of a host, whose only section but its names is the fatbin. */
static void a_host_program_lists_the_fatbin_in_it(void **state) {
    static const char names[] = "\0.nv_fatbin\0.names";
    static uint8_t host[2 * CUBIN_ROOM];
    uint8_t fatbin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.fatbin", fatbin), at = 64 + 3 * 64;
    (void)state;
    memset(host, 0, sizeof host);
    memcpy(host, "\177ELF\2\1\1", 7);
    put_number(host + 18, 62, 2);
    put_number(host + 40, 64, 8);
    put_number(host + 58, 64, 2);
    put_number(host + 60, 3, 2);
    put_number(host + 62, 2, 2);
    for (unsigned i = 1; i < 3; i++) {
        uint8_t *section = host + 64 + (size_t)i * 64;
        size_t length = i == 1 ? bytes : sizeof names;
        put_number(section, i == 1 ? 1 : 12, 4);
        put_number(section + 4, i == 1 ? 1 : 3, 4);
        put_number(section + 24, at, 8);
        put_number(section + 32, length, 8);
        memcpy(host + at, i == 1 ? (const void *)fatbin : names, length);
        at += length;
    }
    assert_true(pfifo_disasm_recognise(host, at));
    list(&listed, host, at, NULL);
    assert_int_equal(listed.status, PFIFO_OK);
    expect("function vadd\n");
    memcpy(host + 64, host + 64 + 64, 64); /* a second section for the same bytes */
    expect_refused(host, at, PFIFO_ERROR_FORMAT, "it: section 1: up to here the fatbins have more bytes than the file");
    memset(host + 64, 0, 64);
    host[64 + 64] = 2; /* "nv_fatbin" */
    assert_false(pfifo_disasm_recognise(host, at));
    expect_refused(host, at, PFIFO_ERROR_FORMAT, "it: 0x12: an ELF for machine 62, not for a GPU (190)");
}

static void other_sm_are_refused_by_number_and_place(void **state) {
    static const unsigned refused[] = {0, 13, 70, 75, 86, 90};
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    char what[100];
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        cubin[48] = (uint8_t)refused[i];
        snprintf(what, sizeof what, "it: 0x30: it is for sm_%u (e_flags 0x003401%02x)", refused[i], refused[i]);
        expect_refused(cubin, bytes, PFIFO_ERROR_UNSUPPORTED, what);
    }
}

/* From version 8 of the ABI on. */
static void the_sm_of_newer_files_is_a_byte_higher(void **state) {
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    (void)state;
    cubin[8] = 8;
    put_number(cubin + 48, 0x06006402, 4);
    expect_refused(cubin, bytes, PFIFO_ERROR_UNSUPPORTED, "it is for sm_100 (e_flags 0x06006402)");
    put_number(cubin + 48, 0x06003d02, 4);
    list(&listed, cubin, bytes, NULL);
    expect("program ELF64 sm_61 GP104\n");
}

static void each_sm_has_its_instruction_set(void **state) {
    static const struct {
        uint8_t sm;
        const char *chip;
        uint64_t exit;
    } rows[] = {
        {20, "GF100", 0x8000000000001de7}, {21, "GF104", 0x8000000000001de7}, {30, "GK104", 0x8000000000001de7},
        {32, "GK20A", 0x18000000001c003c}, {35, "GK110", 0x18000000001c003c}, {37, "GK110", 0x18000000001c003c},
        {50, "GM107", 0xe30000000007000f}, {53, "GM20B", 0xe30000000007000f}, {62, "GP10B", 0xe30000000007000f}};
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    char line[60];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cubin[48] = rows[i].sm;
        put_number(cubin + 64 + 8, rows[i].exit, 8);
        list(&listed, cubin, bytes, NULL);
        snprintf(line, sizeof line, "program ELF64 sm_%u %s\n", rows[i].sm, rows[i].chip);
        expect(line);
        expect("0008 EXIT\n");
    }
}

static void bare_words_need_a_chip_and_begin_at_the_base(void **state) {
    static const uint8_t code[] = {0x0f, 0, 7, 0, 0, 0, 0, 0xe3, 1, 2, 3};
    (void)state;
    expect_refused(code, sizeof code, PFIFO_ERROR_FORMAT, "it: no ELF, no fatbin, and no text");
    list(&listed, code, sizeof code,
         &(struct pfifo_disasm_options){.chip = pfifo_chip_by_name("GM107"), .base = 0x108, .raw = true});
    assert_int_equal(listed.status, PFIFO_OK);
    assert_string_equal(listed.text, "program words sm_0 GM107\nfunction -\n0108 EXIT\n0110 cut off\n");
    list(&listed, code, sizeof code, &(struct pfifo_disasm_options){.raw = true, .name = "it"});
    assert_string_equal(listed.error.message, "it: words of code need --chip=CHIP");
    list(&listed, code, sizeof code, &(struct pfifo_disasm_options){.chip = pfifo_chip_by_name("GV100"), .raw = true});
    assert_int_equal(listed.status, PFIFO_ERROR_ARGUMENT);
    assert_string_equal(listed.error.message,
                        "the instructions of GV100 have no decoder; those of Fermi to Pascal have");
}

static void a_sink_that_has_enough_is_asked_no_more(void **state) {
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    (void)state;
    list(&listed, cubin, bytes, NULL);
    size_t all = listed.events;
    for (listed.most = 1; listed.most <= all; listed.most++) {
        list(&listed, cubin, bytes, NULL);
        assert_int_equal(listed.status, PFIFO_OK);
        assert_int_equal(listed.events, listed.most);
    }
    listed.most = 0;
}

static void kinds_have_the_names_of_the_json(void **state) {
    (void)state;
    assert_string_equal(pfifo_disasm_kind_name(PFIFO_DISASM_PROGRAM), "program");
    assert_string_equal(pfifo_disasm_kind_name(PFIFO_DISASM_CONTROL), "control");
    assert_string_equal(pfifo_disasm_kind_name(PFIFO_DISASM_INSTRUCTION), "instruction");
    assert_string_equal(pfifo_disasm_kind_name(PFIFO_DISASM_RELOCATION), "relocation");
    assert_null(pfifo_disasm_kind_name(PFIFO_DISASM_RELOCATION + 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_this_cubin_do),
        cmocka_unit_test(a_fatbin_lists_its_cubins_and_names_the_rest),
        cmocka_unit_test(a_compressed_member_is_unpacked),
        cmocka_unit_test(a_member_that_zstandard_compressed_is_unpacked),
        cmocka_unit_test(lz4_repeats_what_it_has_unpacked),
        cmocka_unit_test(relocations_follow_what_they_change),
        cmocka_unit_test(a_host_program_lists_the_fatbin_in_it),
        cmocka_unit_test(other_sm_are_refused_by_number_and_place),
        cmocka_unit_test(the_sm_of_newer_files_is_a_byte_higher),
        cmocka_unit_test(each_sm_has_its_instruction_set),
        cmocka_unit_test(bare_words_need_a_chip_and_begin_at_the_base),
        cmocka_unit_test(a_sink_that_has_enough_is_asked_no_more),
        cmocka_unit_test(kinds_have_the_names_of_the_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
