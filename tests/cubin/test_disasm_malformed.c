/* SPDX-License-Identifier: MIT */
/* Files that are damaged are refused with the place, and never read outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cubin/listed.h"
#include "differential/choice.h"

static struct listed listed;

static void nothing_is_refused_as_empty(void **state) {
    (void)state;
    expect_refused("", 0, PFIFO_ERROR_FORMAT, "it: it is empty");
}

/* A copy of exactly the length, so that a read outside shows. */
static void each_cut_is_refused(const char *name) {
    uint8_t whole[CUBIN_ROOM];
    size_t bytes = read_cubin(name, whole);
    for (size_t cut = 0; cut < bytes; cut++) {
        uint8_t *part = malloc(cut + 1);
        assert_non_null(part);
        memcpy(part, whole, cut);
        list(&listed, part, cut, &(struct pfifo_disasm_options){.name = "cut"});
        assert_int_not_equal(listed.status, PFIFO_OK);
        assert_memory_equal(listed.error.message, "cut: ", 5);
        free(part);
    }
}

static void a_cubin_that_is_cut_off_anywhere_is_refused(void **state) {
    (void)state;
    each_cut_is_refused("vadd.cubin");
}

static void a_fatbin_that_is_cut_off_anywhere_is_refused(void **state) {
    (void)state;
    each_cut_is_refused("vadd.fatbin");
}

static void headers_that_lie_are_refused_with_the_place(void **state) {
    static const struct {
        uint16_t at;
        uint8_t bytes;
        uint64_t value;
        const char *what;
    } rows[] = {
        {4, 1, 3, "it: 0x4: an ELF that is not little endian"},
        {5, 1, 2, "it: 0x4: an ELF that is not little endian"},
        {18, 2, 62, "it: 0x12: an ELF for machine 62"},
        {40, 8, UINT64_MAX, "it: 0x28: 8 headers of sections at 0xffffffffffffffff are beyond the end"},
        {58, 2, 40, "it: 0x3a: headers of sections have 40 bytes, not 64"},
        {60, 2, 1000, "it: 0x28: 1000 headers of sections at 0x2f8 are beyond the end"},
        {60, 2, 0, NULL},
        {62, 2, 99, "it: section 0 has no name"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t cubin[CUBIN_ROOM];
        size_t bytes = read_cubin("vadd.cubin", cubin);
        put_number(cubin + 40, bytes - 8 * 64, 8);
        put_number(cubin + rows[i].at, rows[i].value, rows[i].bytes);
        if (rows[i].what)
            expect_refused(cubin, bytes, PFIFO_ERROR_FORMAT, rows[i].what);
        list(&listed, cubin, bytes, NULL);
    }
}

static void a_section_outside_the_file_is_refused(void **state) {
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin), text = bytes - 7 * 64;
    (void)state;
    put_number(cubin + text + 32, UINT64_MAX, 8);
    expect_refused(cubin, bytes, PFIFO_ERROR_FORMAT, "it: section 1, of 0xffffffffffffffff bytes at 0x40, is beyond");
    put_number(cubin + text + 24, UINT64_MAX - 1, 8);
    expect_refused(cubin, bytes, PFIFO_ERROR_FORMAT,
                   "it: section 1, of 0xffffffffffffffff bytes at 0xfffffffffffffffe");
    put_number(cubin + text + 24, bytes + 1, 8);
    put_number(cubin + text + 32, 0, 8);
    expect_refused(cubin, bytes, PFIFO_ERROR_FORMAT, "it: section 1, of 0x0 bytes at");
    put_number(cubin + text + 24, 0x40, 8);
    put_number(cubin + text, 0xffff, 4);
    expect_refused(cubin, bytes, PFIFO_ERROR_FORMAT, "it: section 1 has no name: section 7 has none at 0xffff");
}

/* Else a small file would have a listing without end. */
static void sections_that_lie_on_each_other_are_refused(void **state) {
    uint8_t cubin[CUBIN_ROOM];
    size_t bytes = read_cubin("vadd.cubin", cubin);
    (void)state;
    for (unsigned i = 1; i < 7; i++) {
        put_number(cubin + bytes - (8 - i) * 64 + 24, 0, 8);
        put_number(cubin + bytes - (8 - i) * 64 + 32, bytes / 4, 8);
    }
    expect_refused(cubin, bytes, PFIFO_ERROR_FORMAT,
                   "it: section 5: up to here the sections have more bytes than the file");
}

/* A name that all sections share, or most of it, would make a small file a long listing, and take hours to be sorted. */
static void names_that_are_longer_than_the_file_are_refused(void **state) {
    enum { SECTIONS = 400, NAME = 60000, AT_NAME = 64 + SECTIONS * 64, BYTES = AT_NAME + NAME };
    uint8_t *elf = calloc(BYTES, 1);
    (void)state;
    assert_non_null(elf);
    memcpy(elf, "\177ELF\2\1\1", 7);
    put_number(elf + 18, 190, 2);
    put_number(elf + 40, 64, 8);
    put_number(elf + 48, 52, 4);
    put_number(elf + 58, 64, 2);
    put_number(elf + 60, SECTIONS, 2);
    memset(elf + AT_NAME, 'n', NAME - 1);
    put_number(elf + 64 + 4, 3, 4); /* of section 0, which has the names */
    put_number(elf + 64 + 24, AT_NAME, 8);
    put_number(elf + 64 + 32, NAME, 8);
    for (unsigned i = 0; i < SECTIONS; i++)
        put_number(elf + 64 + 64 * i, i % 100, 4);
    expect_refused(elf, BYTES, PFIFO_ERROR_FORMAT,
                   "it: section 22: up to here the names of sections are longer than the file");
    memset(elf + AT_NAME + 200, 0, NAME - 200);
    list(&listed, elf, BYTES, NULL);
    assert_int_equal(listed.status, PFIFO_OK);
    free(elf);
}

static void damaged_files_end_with_an_answer(void **state) {
    static const char *const names[] = {"vadd.cubin", "vadd.fatbin"};
    struct choice c = choice_from_seed(0xc0b1);
    (void)state;
    for (unsigned round = 0; round < 4000; round++) {
        uint8_t data[CUBIN_ROOM];
        size_t bytes = read_cubin(names[round & 1], data);
        for (unsigned i = choice_word(&c) % 8 + 1; i; i--)
            data[choice_word(&c) % bytes] = (uint8_t)choice_word(&c);
        listed.most = 100;
        list(&listed, data, bytes, NULL);
        assert_int_equal(listed.status != PFIFO_OK, listed.error.message[0] != 0);
    }
    listed.most = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_refused_as_empty),
        cmocka_unit_test(a_cubin_that_is_cut_off_anywhere_is_refused),
        cmocka_unit_test(a_fatbin_that_is_cut_off_anywhere_is_refused),
        cmocka_unit_test(headers_that_lie_are_refused_with_the_place),
        cmocka_unit_test(a_section_outside_the_file_is_refused),
        cmocka_unit_test(sections_that_lie_on_each_other_are_refused),
        cmocka_unit_test(names_that_are_longer_than_the_file_are_refused),
        cmocka_unit_test(damaged_files_end_with_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
