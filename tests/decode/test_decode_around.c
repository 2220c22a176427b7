/* SPDX-License-Identifier: MIT */
/* Lines around words of a capture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/decode.h>

#include "decode/small_capture.h"

struct lines {
    char text[8000];
    size_t used, count, stop_after;
};

static bool keep(void *opaque, size_t mark, int distance, const char *text, size_t bytes) {
    struct lines *lines = opaque;

    lines->used += (size_t)snprintf(lines->text + lines->used, sizeof lines->text - lines->used, "%zu %d %.*s\n", mark,
                                    distance, (int)bytes, text);
    assert_true(lines->used < sizeof lines->text);
    return ++lines->count != lines->stop_after;
}

static struct lines around(const struct pfifo_decode_mark *marks, size_t count, unsigned n,
                           enum pfifo_decode_format format) {
    const struct pfifo_decode_options options = {.format = format};
    struct pfifo_stream *stream = small_capture();
    struct lines lines = {0};

    assert_int_equal(pfifo_decode_around(stream, &options, marks, count, n, keep, &lines, NULL), PFIFO_OK);
    pfifo_stream_close(stream);
    return lines;
}

static void expect_line(const struct lines *lines, const char *text) {
    if (!strstr(lines->text, text))
        fail_msg("no '%s' in: %s", text, lines->text);
}

static void a_word_is_found_in_its_submission_with_the_lines_around_it(void **state) {
    static const struct pfifo_decode_mark marks[] = {{2, 0x1008}};
    (void)state;
    struct lines lines = around(marks, 1, 2, PFIFO_DECODE_TEXT);
    assert_int_equal(lines.count, 5);
    expect_line(&lines, "0 -2     0000001000 80140040 ");
    expect_line(&lines, "0 -1     0000001004 80150040 ");
    expect_line(&lines, "0 0     0000001008 80160040 ");
    expect_line(&lines, "0 1     000000100c c0000000 ERROR: no command has this form\n");
    expect_line(&lines, "0 2     0000001010 80180040 ");
}

static void every_mark_has_its_own_lines(void **state) {
    static const struct pfifo_decode_mark marks[] = {{2, 0x100c}, {1, 0x1014}, {1, 0x1000}, {2, 0x1010}};
    (void)state;
    struct lines lines = around(marks, 4, 1, PFIFO_DECODE_TEXT);
    assert_int_equal(lines.count, 12);
    expect_line(&lines, "2 -1   segment 0000001000: 6 words\n2 0     0000001000 800a0040 ");
    expect_line(&lines, "1 0     0000001014 800f0040 ");
    expect_line(&lines, "1 1 submission 2 channel 0: 1 segment\n");
    expect_line(&lines, "0 0     000000100c c0000000 ERROR");
    expect_line(&lines, "3 -1     000000100c c0000000 ERROR");
    expect_line(&lines, "3 0     0000001010 80180040 ");
}

static void words_that_are_nowhere_have_no_lines(void **state) {
    static const struct pfifo_decode_mark marks[] = {{1, 0x2000}, {3, 0x1000}, {2, 0x1000}};
    (void)state;
    struct lines lines = around(marks, 3, 0, PFIFO_DECODE_TEXT);
    assert_int_equal(lines.count, 1);
    expect_line(&lines, "2 0     0000001000 80140040 ");
    lines = around(marks, 0, 0, PFIFO_DECODE_TEXT);
    assert_int_equal(lines.count, 0);
}

static void lines_may_be_objects(void **state) {
    static const struct pfifo_decode_mark mark = {1, 0x1004};
    (void)state;
    struct lines lines = around(&mark, 1, 1, PFIFO_DECODE_JSON);
    assert_int_equal(lines.count, 3);
    expect_line(&lines, "0 0 {\"file\":\"test\",\"submission\":1,\"event\":\"method\"");
    expect_line(&lines, "\"data\":11");
}

static void who_wants_no_more_lines_stops_it(void **state) {
    static const struct pfifo_decode_mark mark = {1, 0x1004};
    struct pfifo_stream *stream = small_capture();
    struct lines lines = {.stop_after = 2};
    (void)state;
    assert_int_equal(pfifo_decode_around(stream, NULL, &mark, 1, 3, keep, &lines, NULL), PFIFO_ERROR_IO);
    assert_int_equal(lines.count, 2);
    pfifo_stream_close(stream);
}

static void only_lines_can_be_around_a_word(void **state) {
    static const struct pfifo_decode_mark mark = {1, 0x1004};
    const struct pfifo_decode_options digest = {.format = PFIFO_DECODE_DIGEST};
    struct pfifo_stream *stream = small_capture();
    struct lines lines = {0};
    (void)state;
    assert_int_equal(pfifo_decode_around(stream, &digest, &mark, 1, 3, keep, &lines, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_decode_around(stream, NULL, &mark, 1, PFIFO_DECODE_AROUND_MAX + 1, keep, &lines, NULL),
                     PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_decode_around(stream, NULL, NULL, 1, 3, keep, &lines, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_decode_around(stream, NULL, &mark, 1, 3, NULL, &lines, NULL), PFIFO_ERROR_ARGUMENT);
    pfifo_stream_close(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_found_in_its_submission_with_the_lines_around_it),
        cmocka_unit_test(every_mark_has_its_own_lines),
        cmocka_unit_test(words_that_are_nowhere_have_no_lines),
        cmocka_unit_test(lines_may_be_objects),
        cmocka_unit_test(who_wants_no_more_lines_stops_it),
        cmocka_unit_test(only_lines_can_be_around_a_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
