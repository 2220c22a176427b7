/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "chip/counted.h"

static void one_is_singular_and_all_else_plural(void **state) {
    (void)state;
    assert_string_equal(counted(0, "word").text, "0 words");
    assert_string_equal(counted(1, "word").text, "1 word");
    assert_string_equal(counted(2, "word").text, "2 words");
    assert_string_equal(counted(UINT64_MAX, "byte").text, "18446744073709551615 bytes");
}

static void nouns_have_their_own_plurals(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"vertex", "2 vertices"},  {"entry", "2 entries"},     {"array", "2 arrays"},
                                           {"key", "2 keys"},         {"launch", "2 launches"},   {"push", "2 pushes"},
                                           {"class", "2 classes"},    {"access", "2 accesses"},   {"box", "2 boxes"},
                                           {"segment", "2 segments"}, {"more row", "2 more rows"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(counted(2, cases[i][0]).text, cases[i][1]);
}

static void a_long_noun_is_cut(void **state) {
    (void)state;
    const char *noun = "noun of many more characters than there is any room for in a message or in a table of counts";
    assert_int_equal(strlen(counted(1, noun).text), sizeof(struct counted) - 1);
    assert_int_equal(strlen(counted(2, noun).text), sizeof(struct counted) - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_singular_and_all_else_plural),
        cmocka_unit_test(nouns_have_their_own_plurals),
        cmocka_unit_test(a_long_noun_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
