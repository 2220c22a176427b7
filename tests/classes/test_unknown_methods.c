/* SPDX-License-Identifier: MIT */
/* Counting methods that their class does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "classes/unknown_methods.h"

static struct unknown_methods *of_chip(const char *chip) {
    struct unknown_methods *unknown = calloc(1, sizeof *unknown);
    assert_non_null(unknown);
    unknown->chip = chip ? pfifo_chip_by_name(chip) : NULL;
    return unknown;
}

/* Of a chip before G80, hardware says it: 0x130 of Curie has no name in rnndb, 0x10c of 305c has one and is none. */
static void hardware_says_what_there_is_and_else_names_do(void **state) {
    static const struct {
        const char *chip;
        uint32_t object_class, method;
        bool unknown;
    } cases[] = {
        {"NV40", 0x4097, 0x1ffc, true},  {"NV40", 0x4097, 0x23c, false},   {"NV40", 0x305c, 0x10c, true},
        {NULL, 0x305c, 0x10c, false},    {"GF100", 0x9097, 0x1ffc, false}, {"GF100", 0x9097, 0x1618, false},
        {"GF100", 0x9097, 0x2af0, true}, {"GF100", 0x9097, 0, false},      {"GF100", 0x9097, 0x3bfc, false},
        {"G80", 0x5039, 0x500, true},    {"NV17", 0x39, 0, false},         {"NV17", 0x39, 0x200, true},
        {"GK104", 0xa0b5, 0, false},     {"GK104", 0xa0b5, 4, true}, /* the object has no name there */
        {"GF100", 0x90b1, 0x300, false},                             /* a firmware's: nobody knows */
        {"GF100", 0, 0x300, false},      {"GF100", 0xdead, 0x300, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct unknown_methods *unknown = of_chip(cases[i].chip);
        const struct unknown_method *row = unknown_methods_note(unknown, cases[i].object_class, cases[i].method);
        if ((row != NULL) != cases[i].unknown)
            fail_msg("%s %04x %04x", cases[i].chip ? cases[i].chip : "-", (unsigned)cases[i].object_class,
                     (unsigned)cases[i].method);
        assert_int_equal(unknown->total, cases[i].unknown);
        free(unknown);
    }
}

static void the_same_one_is_counted_in_one_row(void **state) {
    struct unknown_methods *unknown = of_chip("GF100");
    (void)state;
    assert_non_null(unknown_methods_note(unknown, 0x9097, 0x2af0));
    assert_non_null(unknown_methods_note(unknown, 0x902d, 0x1ffc));
    for (unsigned i = 0; i < 3; i++)
        assert_null(unknown_methods_note(unknown, 0x9097, 0x2af0));
    assert_int_equal(unknown->total, 5);
    assert_int_equal(unknown->count, 2);
    assert_int_equal(unknown->row[0].object_class, 0x9097);
    assert_int_equal(unknown->row[0].method, 0x2af0);
    assert_int_equal(unknown->row[0].count, 4);
    assert_int_equal(unknown->row[1].count, 1);
    free(unknown);
}

/* Both would be remembered in one place. */
static void classes_that_take_turns_have_their_own_methods(void **state) {
    struct unknown_methods *unknown = of_chip("GK104");
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(unknown_methods_note(unknown, 0x9097, 0x180) != NULL, i == 0);
        assert_null(unknown_methods_note(unknown, 0xa097, 0x180));
        assert_int_equal(unknown->total, i + 1);
    }
    free(unknown);
}

/* A guest chooses what it sends: all methods of many classes. */
static void rows_are_limited_and_the_total_is_not(void **state) {
    static const uint32_t classes[] = {0x9039, 0xa040, 0xa0b5, 0xb0b5, 0x902d, 0x9097};
    struct unknown_methods *unknown = of_chip("GF100");
    uint64_t rows = 0;
    (void)state;
    for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++)
        for (uint32_t method = 0; method < 0x10000; method += 4)
            rows += unknown_methods_note(unknown, classes[c], method) != NULL;
    assert_int_equal(rows, UNKNOWN_METHODS_ROWS);
    assert_int_equal(unknown->count, UNKNOWN_METHODS_ROWS);
    assert_true(unknown->total > UNKNOWN_METHODS_ROWS);
    assert_null(unknown_methods_note(unknown, unknown->row[7].object_class, unknown->row[7].method));
    assert_int_equal(unknown->row[7].count, 2);
    free(unknown);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hardware_says_what_there_is_and_else_names_do),
        cmocka_unit_test(the_same_one_is_counted_in_one_row),
        cmocka_unit_test(classes_that_take_turns_have_their_own_methods),
        cmocka_unit_test(rows_are_limited_and_the_total_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
