/* SPDX-License-Identifier: MIT */
/* `pfifo top`: what somebody asks of a stream as a whole, on the samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

static char *quad, *clear;

static int begin(void **state) {
    (void)state;
    quad = sample_path("nv117-quad.nvcap.xz");
    clear = sample_path("nv40-clear.nvcap.xz");
    return 0;
}

static int end(void **state) {
    (void)state;
    free(quad);
    free(clear);
    return 0;
}

static void what_is_the_stream_made_of(void **state) {
    (void)state;
    struct outcome outcome = tool_run("top", "-n1", quad);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "5 submissions, 2054 words, 312 packets, 1780 methods, 166 same\n"
                                     "5 to 1065 words in a submission\n"
                                     "\n"
                                     "     COUNT       SAME  CLASS                          METHOD\n"
                                     "       606         53  a140 KEPLER_INLINE_TO_MEMORY_B 01b4 LOAD_INLINE_DATA\n"
                                     "414 more rows: --number\n");
    outcome_free(&outcome);
}

static unsigned long number_behind(const char *text, const char *key) {
    const char *at = strstr(text, key);

    assert_non_null(at);
    return strtoul(at + strlen(key), NULL, 10);
}

/* The words and methods of the digest, which are counted in another way. */
static void words_and_methods_are_those_of_the_digest(void **state) {
    (void)state;
    static const char *const samples[] = {"nv117-quad", "nv40-clear", "nva3-quad", "nvc0-clear",
                                          "nv12b-kmscube-8frames"};

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char file[100], wanted[200];
        snprintf(file, sizeof file, "%s.nvcap.xz", samples[i]);
        char *path = sample_path(file);
        struct outcome digest = tool_run("decode", "--digest", path);
        struct outcome top = tool_run("top", "--json", path);
        snprintf(wanted, sizeof wanted, "\"submissions\":%lu,\"words\":%lu,",
                 number_behind(digest.out, " submissions="), number_behind(digest.out, " words="));
        expect_printed(&top, wanted);
        snprintf(wanted, sizeof wanted, "\"methods\":%lu,", number_behind(digest.out, " methods="));
        expect_printed(&top, wanted);
        outcome_free(&digest);
        outcome_free(&top);
        free(path);
    }
}

static void which_forms_have_its_packets(void **state) {
    (void)state;
    struct outcome outcome = tool_run("top", "--by=form", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "\n   PACKETS  FORM\n"
                             "       231  increasing\n"
                             "        42  increase-once\n"
                             "        38  immediate\n"
                             "         1  non-increasing\n");
    outcome_free(&outcome);
}

static void which_classes_in_all_the_files(void **state) {
    (void)state;
    struct outcome outcome = tool_run("top", "--by=class", "--json", "-n", "0", clear, quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "{\"submissions\":8,\"words\":2305,");
    expect_printed(&outcome, "{\"class\":16535,\"class_name\":\"NV40_3D\",\"count\":135,\"same\":14}\n");
    expect_printed(&outcome, "\"class_name\":\"MAXWELL_A\"");
    outcome_free(&outcome);
}

static void how_often_the_clear_colour_only_of_what_matches(void **state) {
    (void)state;
    struct outcome outcome = tool_run("top", "--where=SET_COLOR_CLEAR_VALUE", "--json", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome,
                   "\"submissions\":1,\"words\":4,\"least_words\":4,\"most_words\":4,\"packets\":0,\"methods\":4,");
    expect_printed(&outcome, "\"method\":3456,\"name\":\"SET_COLOR_CLEAR_VALUE(0)\",\"count\":1,\"same\":0}\n");
    outcome_free(&outcome);
}

static void nothing_is_counted_in_files_that_cannot_be_read(void **state) {
    (void)state;
    struct outcome outcome = tool_run("top", "/nowhere/at.all"),
                   json = tool_run("top", "--json", "/nowhere/at.all", "/");
    expect_status(2, &outcome);
    expect_status(2, &json);
    assert_string_equal(outcome.out, "");
    assert_string_equal(json.out, "");
    outcome_free(&outcome);
    outcome_free(&json);
    struct outcome one = tool_run("top", quad), other = tool_run("top", "/nowhere/at.all", quad);
    expect_status(2, &other);
    assert_string_equal(one.out, other.out);
    outcome_free(&one);
    outcome_free(&other);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    struct outcome outcome = tool_run("top", "--by=colour", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--by is method, class or form"));
    outcome_free(&outcome);
    outcome = tool_run("top");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "a file is missing"));
    outcome_free(&outcome);
    outcome = tool_run("top", "/nowhere/at.all", clear);
    expect_status(2, &outcome);
    expect_printed(&outcome, "3 submissions");
    outcome_free(&outcome);
}

/* So that the lines of many runs can be put together: docs/corpora.md. */
static void each_line_says_of_which_file_it_is_if_there_is_one(void **state) {
    (void)state;
    char start[400];
    struct outcome outcome = tool_run("top", "--json", "-n2", quad);
    snprintf(start, sizeof start, "{\"file\":\"%s\",\"", quad);
    expect_status(0, &outcome);
    for (char *line = strtok(outcome.out, "\n"); line; line = strtok(NULL, "\n"))
        assert_ptr_equal(strstr(line, start), line);
    outcome_free(&outcome);
    outcome = tool_run("top", "--json", quad, clear);
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "\"file\""));
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_says_of_which_file_it_is_if_there_is_one),
        cmocka_unit_test(what_is_the_stream_made_of),
        cmocka_unit_test(words_and_methods_are_those_of_the_digest),
        cmocka_unit_test(which_forms_have_its_packets),
        cmocka_unit_test(which_classes_in_all_the_files),
        cmocka_unit_test(how_often_the_clear_colour_only_of_what_matches),
        cmocka_unit_test(nothing_is_counted_in_files_that_cannot_be_read),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
