/* SPDX-License-Identifier: MIT */
/* The errors that units show: pfifo/error_code.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <pfifo/error_code.h>

#include "unit/error_names.h"

static bool same_chips(const struct pfifo_error_code *a, const struct pfifo_error_code *b) {
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        if (pfifo_error_code_on(a, pfifo_chip_at(i)) && pfifo_error_code_on(b, pfifo_chip_at(i)))
            return true;
    return false;
}

static void no_chip_has_two_errors_with_one_number(void **state) {
    (void)state;
    struct pfifo_error_code a, b;

    for (size_t i = 0; pfifo_error_code_at(i, &a); i++)
        for (size_t k = i + 1; pfifo_error_code_at(k, &b); k++)
            if (strcmp(a.unit, b.unit) == 0 && strcmp(a.where, b.where) == 0 && a.code == b.code &&
                strcmp(a.name, b.name) != 0 && same_chips(&a, &b))
                fail_msg("%s %s: %s and %s", a.unit, a.where, a.name, b.name);
}

/* A unit whose register moved has one error. */
static void no_trap_is_listed_twice(void **state) {
    (void)state;
    struct pfifo_error_code a, b;

    for (size_t i = 0; pfifo_error_code_at(i, &a); i++)
        for (size_t k = i + 1; strcmp(a.where, "TRAP") == 0 && pfifo_error_code_at(k, &b); k++)
            if (strcmp(b.where, "TRAP") == 0 && strcmp(a.name, b.name) == 0 && a.code == b.code &&
                strcmp(a.chips, "GF100-") != 0 && strcmp(b.chips, "GF100-") != 0)
                fail_msg("%s: %s and %s", a.name, a.chips, b.chips);
}

static void each_error_is_on_a_chip_and_a_bit_is_one_bit(void **state) {
    (void)state;
    struct pfifo_error_code code;
    size_t count = 0;

    for (; pfifo_error_code_at(count, &code); count++) {
        assert_true(code.name && code.name[0] && code.unit && code.where && code.source);
        if (!same_chips(&code, &code))
            fail_msg("no chip has %s %s", code.unit, code.name);
        if (code.is_bit && (!code.code || (code.code & (code.code - 1))))
            fail_msg("%s %s is not a bit", code.unit, code.name);
    }
    assert_true(count > 150);
    assert_false(pfifo_error_code_at(SIZE_MAX, &code));
}

static void an_error_of_a_fault_is_found_by_its_unit(void **state) {
    (void)state;
    const struct pfifo_chip *gk104 = pfifo_chip_by_name("GK104"), *g84 = pfifo_chip_by_name("G84");
    struct pfifo_error_code code;

    assert_true(pfifo_error_code_find(gk104, "PCOPY1", "SRC_LINE_EXCEEDS_PITCH", &code));
    assert_int_equal(code.code, 4);
    assert_true(pfifo_error_code_find(gk104, "MMU", "PTE", &code));
    assert_false(pfifo_error_code_find(g84, "MMU", "PTE", &code));
    assert_false(pfifo_error_code_find(gk104, "MMUX", "PTE", &code));
    assert_false(pfifo_error_code_find(gk104, "", "", &code));
}

static void of_several_bits_the_first_row_names_the_error(void **state) {
    (void)state;
    assert_string_equal(error_name(&errors_graph_source, 0x42), "ILLEGAL_MTHD");
    assert_string_equal(error_name(&errors_graph_source, 0x02), "DATA_ERROR");
    assert_string_equal(error_name(&errors_graph_source, 0), "INTERRUPT");
    assert_string_equal(error_name(&errors_pbdma, 1u << 18), "PBENTRY");
    assert_string_equal(error_name(&errors_pbdma_copy, 1u << 31), "UNKNOWN");
    assert_string_equal(error_name(&errors_graph_data, 0x0c), "INVALID_BITFIELD");
    assert_string_equal(error_name(&errors_graph_data, 0xff), "DATA_ERROR");
    assert_string_equal(error_name(&errors_mmu_g80, 8), "UNKNOWN");
}

static bool is_error_of(const char *name, const char *chip) {
    struct pfifo_error_code code;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++)
        if (strcmp(code.name, name) == 0 && pfifo_error_code_on(&code, pfifo_chip_by_name(chip)))
            return true;
    return false;
}

/* As headers of nvgpu have them: of Volta and Turing, and of Ampere, which has no stack of branches. */
static void errors_of_warps_are_those_of_their_chips(void **state) {
    (void)state;
    assert_false(is_error_of("STACK_OVERFLOW", "GP100"));
    assert_true(is_error_of("STACK_OVERFLOW", "GV100"));
    assert_false(is_error_of("STACK_OVERFLOW", "GA100"));
    assert_false(is_error_of("MMU_FAULT", "GP100"));
    assert_true(is_error_of("MMU_FAULT", "GA100"));
    assert_false(is_error_of("ARRIVE", "GV100"));
    assert_true(is_error_of("ARRIVE", "GA100"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_warps_are_those_of_their_chips),
        cmocka_unit_test(no_chip_has_two_errors_with_one_number),
        cmocka_unit_test(no_trap_is_listed_twice),
        cmocka_unit_test(each_error_is_on_a_chip_and_a_bit_is_one_bit),
        cmocka_unit_test(an_error_of_a_fault_is_found_by_its_unit),
        cmocka_unit_test(of_several_bits_the_first_row_names_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
