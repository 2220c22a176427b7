/* SPDX-License-Identifier: MIT */
/* Only the lines of a capture that a query asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/decode.h>
#include <pfifo/query.h>

#include "decode/small_capture.h"

struct text {
    char bytes[16000];
    size_t used;
};

static bool keep(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;

    assert_true(text->used + count < sizeof text->bytes);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = 0;
    return true;
}

/* Only what stands before the fields: "1:11" is the method with data 11 of submission 1, S and G are headings. */
static void shorten(const struct text *text, char *shape, size_t size) {
    unsigned sequence = 0, data;
    size_t used = 0;

    shape[0] = 0;
    for (const char *line = text->bytes; *line; line = strchr(line, '\n') + 1) {
        const char *at = strstr(line, " 0100 ");
        if (sscanf(line, "submission %u", &sequence) == 1)
            used += (size_t)snprintf(shape + used, size - used, "S%u ", sequence);
        else if (strncmp(line, "  segment", 9) == 0)
            used += (size_t)snprintf(shape + used, size - used, "G ");
        else if (strncmp(line, "--", 2) == 0)
            used += (size_t)snprintf(shape + used, size - used, "-- ");
        else if (at && at < strchr(line, '\n') && sscanf(at, " 0100 %*s %x", &data) == 1)
            used += (size_t)snprintf(shape + used, size - used, "%u ", data);
        else
            used += (size_t)snprintf(shape + used, size - used, "? ");
        assert_true(used < size);
    }
}

/* Decode with a query and expect lines; how many matched is the result. */
static uint64_t expect_shape(const char *query, struct pfifo_decode_options options, const char *wanted) {
    struct pfifo_stream *stream = small_capture();
    struct text text = {.used = 0};
    struct pfifo_error error = {0};
    uint64_t matches = 0;
    char shape[1000];

    options.query = pfifo_query_new(query, NULL);
    assert_non_null(options.query);
    options.matches = &matches;
    if (pfifo_decode_stream(stream, &options, keep, &text, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    shorten(&text, shape, sizeof shape);
    if (strcmp(shape, wanted) != 0)
        fail_msg("%s: '%s', not '%s'", query, shape, wanted);
    pfifo_query_free(options.query);
    pfifo_stream_close(stream);
    return matches;
}

static void a_match_comes_with_the_lines_of_its_submission_and_segment(void **state) {
    const struct pfifo_decode_options none = {0};
    (void)state;
    assert_int_equal(expect_shape("data=12,15", none, "S1 G 12 15 "), 2);
    assert_int_equal(expect_shape("data=12,22", none, "S1 G 12 S2 G 22 "), 2);
    assert_int_equal(expect_shape("data=99", none, ""), 0);
    assert_int_equal(expect_shape("submission=2 data<22", none, "S2 G 20 21 "), 2);
}

static void a_heading_that_matches_itself_comes_once(void **state) {
    const struct pfifo_decode_options none = {0};
    (void)state;
    expect_shape("event=segment", none, "S1 G S2 G ");
    expect_shape("event=submission", none, "S1 S2 ");
    expect_shape("event=submission or data=10", none, "S1 G 10 S2 ");
    expect_shape("", none, "S1 G 10 11 12 13 14 15 S2 G 20 21 22 ? 24 25 ");
}

static void lines_before_and_after_belong_to_a_match(void **state) {
    (void)state;
    expect_shape("data=12", (struct pfifo_decode_options){.before = 1, .after = 1}, "S1 G 11 12 13 ");
    expect_shape("data=12", (struct pfifo_decode_options){.after = 2}, "S1 G 12 13 14 ");
    expect_shape("data=12", (struct pfifo_decode_options){.before = 9}, "S1 G 10 11 12 ");
    /* A submission before the match has no heading for what comes before it. */
    expect_shape("data=20", (struct pfifo_decode_options){.before = 3}, "15 S2 G 20 ");
    expect_shape("data=15", (struct pfifo_decode_options){.after = 3}, "S1 G 15 S2 G 20 ");
}

static void gaps_between_groups_are_marked(void **state) {
    (void)state;
    expect_shape("data=11,14", (struct pfifo_decode_options){.after = 1}, "S1 G 11 12 -- 14 15 ");
    expect_shape("data=11,13", (struct pfifo_decode_options){.before = 1}, "S1 G 10 11 12 13 ");
    expect_shape("data=11,14", (struct pfifo_decode_options){.before = 1}, "S1 G 10 11 -- 13 14 ");
    expect_shape("data=11,21", (struct pfifo_decode_options){.after = 1}, "S1 G 11 12 -- S2 G 21 22 ");
}

static void a_limit_ends_it_with_the_lines_after_the_last_match(void **state) {
    (void)state;
    assert_int_equal(expect_shape("data>10", (struct pfifo_decode_options){.match_max = 2}, "S1 G 11 12 "), 2);
    assert_int_equal(
        expect_shape("data>10", (struct pfifo_decode_options){.match_max = 1, .after = 2}, "S1 G 11 12 13 "), 1);
}

static void nothing_may_be_written_and_is_counted(void **state) {
    (void)state;
    assert_int_equal(expect_shape("data>10", (struct pfifo_decode_options){.format = PFIFO_DECODE_NOTHING}, ""), 10);
}

static void json_has_neither_headings_nor_gaps(void **state) {
    struct pfifo_stream *stream = small_capture();
    struct pfifo_decode_options options = {.format = PFIFO_DECODE_JSON, .after = 1};
    struct text text = {.used = 0};
    (void)state;
    options.query = pfifo_query_new("data=15,25", NULL);
    assert_int_equal(pfifo_decode_stream(stream, &options, keep, &text, NULL), PFIFO_OK);
    assert_null(strstr(text.bytes, "--"));
    assert_non_null(strstr(text.bytes, "\"submission\":1,\"event\":\"method\""));
    assert_non_null(strstr(text.bytes, "\"submission\":2,\"event\":\"submission\""));
    assert_non_null(strstr(text.bytes, "\"submission\":2,\"event\":\"method\""));
    assert_null(strstr(text.bytes, "segment\""));
    pfifo_query_free(options.query);
    pfifo_stream_close(stream);
}

static void sums_take_no_query_and_contexts_have_a_bound(void **state) {
    struct pfifo_stream *stream = small_capture();
    struct pfifo_decode_options options = {.format = PFIFO_DECODE_DIGEST};
    struct text text = {.used = 0};
    (void)state;
    options.query = pfifo_query_new("", NULL);
    assert_int_equal(pfifo_decode_stream(stream, &options, keep, &text, NULL), PFIFO_ERROR_ARGUMENT);
    options.format = PFIFO_DECODE_TEXT;
    options.after = PFIFO_DECODE_CONTEXT_MAX + 1;
    assert_int_equal(pfifo_decode_stream(stream, &options, keep, &text, NULL), PFIFO_ERROR_ARGUMENT);
    pfifo_query_free(options.query);
    pfifo_stream_close(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_comes_with_the_lines_of_its_submission_and_segment),
        cmocka_unit_test(a_heading_that_matches_itself_comes_once),
        cmocka_unit_test(lines_before_and_after_belong_to_a_match),
        cmocka_unit_test(gaps_between_groups_are_marked),
        cmocka_unit_test(a_limit_ends_it_with_the_lines_after_the_last_match),
        cmocka_unit_test(nothing_may_be_written_and_is_counted),
        cmocka_unit_test(json_has_neither_headings_nor_gaps),
        cmocka_unit_test(sums_take_no_query_and_contexts_have_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
