/* SPDX-License-Identifier: MIT */
/* What a profile counts, and what it takes for the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <pfifo/decode.h>
#include <pfifo/profile.h>

#include "decode/small_capture.h"

static struct pfifo_profile *begin(void) {
    struct pfifo_profile *profile = pfifo_profile_new(NULL);

    assert_non_null(profile);
    return profile;
}

static void method(struct pfifo_profile *profile, uint32_t channel, uint32_t class_id, uint16_t offset, uint32_t data) {
    const struct pfifo_decode_event event = {.kind = PFIFO_DECODE_METHOD,
                                             .channel = channel,
                                             .name_class = class_id,
                                             .method = offset,
                                             .data = data,
                                             .form = "increasing"};

    assert_true(pfifo_profile_event(profile, &event));
}

static struct pfifo_profile_totals totals_of(const struct pfifo_profile *profile) {
    struct pfifo_profile_totals totals;

    pfifo_profile_totals(profile, &totals);
    return totals;
}

static bool refuse_output(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    fail_msg("something was written");
    return false;
}

static void a_capture_is_counted_by_submission_packet_and_method(void **state) {
    (void)state;
    struct pfifo_stream *stream = small_capture();
    struct pfifo_profile *profile = begin();
    const struct pfifo_decode_options options = {
        .format = PFIFO_DECODE_NOTHING, .event = pfifo_profile_event, .event_opaque = profile};
    struct pfifo_profile_row row;
    size_t count;

    assert_int_equal(pfifo_decode_stream(stream, &options, refuse_output, NULL, NULL), PFIFO_OK);
    pfifo_stream_close(stream);
    const struct pfifo_profile_totals totals = totals_of(profile);
    assert_int_equal(totals.submissions, 2);
    assert_int_equal(totals.methods, 11);
    assert_int_equal(totals.packets, 11);
    assert_int_equal(totals.same, 0);
    assert_int_equal(totals.errors, 1);
    assert_int_equal(totals.most_words, 6);
    assert_int_equal(pfifo_profile_rows(profile, PFIFO_PROFILE_BY_FORM, &row, 1, &count, NULL), PFIFO_OK);
    assert_int_equal(count, 1);
    assert_string_equal(row.form, "immediate");
    assert_int_equal(row.count, 11);
    pfifo_profile_free(profile);
}

static bool stop_at_12(void *opaque, const struct pfifo_decode_event *event) {
    unsigned *calls = opaque;

    ++*calls;
    return event->kind != PFIFO_DECODE_METHOD || event->data != 12;
}

static void who_takes_values_may_stop_decoding(void **state) {
    (void)state;
    struct pfifo_stream *stream = small_capture();
    unsigned calls = 0;
    const struct pfifo_decode_options options = {
        .format = PFIFO_DECODE_NOTHING, .event = stop_at_12, .event_opaque = &calls};

    assert_int_equal(pfifo_decode_stream(stream, &options, refuse_output, NULL, NULL), PFIFO_ERROR_IO);
    assert_int_equal(calls, 5); /* the submission, the segment, 10, 11, 12 */
    pfifo_stream_close(stream);
}

static void data_is_the_same_only_in_the_same_channel_class_and_method(void **state) {
    (void)state;
    struct pfifo_profile *profile = begin();
    struct pfifo_profile_row rows[4];
    size_t count;

    method(profile, 0, 0x9097, 0x200, 5);
    method(profile, 1, 0x9097, 0x200, 5);
    method(profile, 0, 0xa097, 0x200, 5);
    method(profile, 0, 0x9097, 0x204, 5);
    method(profile, 0, 0x9097, 0x200, 6);
    method(profile, 0, 0x9097, 0x200, 5);
    assert_int_equal(totals_of(profile).same, 0);
    method(profile, 0, 0x9097, 0x200, 5);
    assert_int_equal(totals_of(profile).same, 1);
    assert_int_equal(pfifo_profile_rows(profile, PFIFO_PROFILE_BY_METHOD, rows, 4, &count, NULL), PFIFO_OK);
    assert_int_equal(count, 3);
    assert_int_equal(rows[0].class_id, 0x9097); /* both channels are in one row */
    assert_int_equal(rows[0].method, 0x200);
    assert_int_equal(rows[0].count, 5);
    assert_int_equal(rows[0].same, 1);
    assert_int_equal(rows[1].method, 0x204); /* of equal counts the lower class comes first */
    assert_int_equal(rows[2].class_id, 0xa097);
    assert_int_equal(pfifo_profile_rows(profile, PFIFO_PROFILE_BY_CLASS, rows, 1, &count, NULL), PFIFO_OK);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].count, 6);
    pfifo_profile_free(profile);
}

static void the_channels_of_another_stream_are_others(void **state) {
    (void)state;
    struct pfifo_profile *profile = begin();

    method(profile, 0, 0x9097, 0x200, 5);
    pfifo_profile_begin(profile);
    method(profile, 0, 0x9097, 0x200, 5);
    assert_int_equal(totals_of(profile).same, 0);
    method(profile, 0, 0x9097, 0x200, 5);
    assert_int_equal(totals_of(profile).same, 1);
    assert_int_equal(totals_of(profile).methods, 3);
    pfifo_profile_free(profile);
}

static void a_method_that_a_mask_keeps_away_sets_nothing(void **state) {
    (void)state;
    struct pfifo_profile *profile = begin();
    struct pfifo_decode_event event = {
        .kind = PFIFO_DECODE_METHOD, .name_class = 0x9097, .method = 0x200, .data = 5, .discarded = true};

    pfifo_profile_event(profile, &event);
    method(profile, 0, 0x9097, 0x200, 5);
    pfifo_profile_event(profile, &event);
    assert_int_equal(totals_of(profile).same, 0);
    assert_int_equal(totals_of(profile).masked, 2);
    assert_int_equal(totals_of(profile).methods, 3);
    pfifo_profile_free(profile);
}

static void more_methods_than_the_limit_are_counted_without_a_row(void **state) {
    (void)state;
    struct pfifo_profile *profile = begin();
    size_t count;

    for (uint32_t i = 0; i < PFIFO_PROFILE_MAX_METHODS + 10; i++)
        method(profile, i >> 11, 0x9097, (uint16_t)((i & 0x7ff) * 4), i);
    method(profile, 0, 0x9097, 0, 0); /* one that is there is still found */
    assert_int_equal(totals_of(profile).methods, PFIFO_PROFILE_MAX_METHODS + 11);
    assert_int_equal(totals_of(profile).without_row, 10);
    assert_int_equal(totals_of(profile).same, 1);
    assert_int_equal(pfifo_profile_rows(profile, PFIFO_PROFILE_BY_METHOD, NULL, 0, &count, NULL), PFIFO_OK);
    assert_int_equal(count, 0x800);
    pfifo_profile_free(profile);
}

static void rows_of_nothing_are_refused(void **state) {
    (void)state;
    struct pfifo_profile *profile = begin();
    struct pfifo_error error = {0};
    size_t count = 1;

    assert_int_equal(pfifo_profile_rows(profile, (enum pfifo_profile_by)9, NULL, 0, &count, &error),
                     PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a profile has no such rows");
    assert_int_equal(count, 0);
    pfifo_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_is_counted_by_submission_packet_and_method),
        cmocka_unit_test(who_takes_values_may_stop_decoding),
        cmocka_unit_test(data_is_the_same_only_in_the_same_channel_class_and_method),
        cmocka_unit_test(the_channels_of_another_stream_are_others),
        cmocka_unit_test(a_method_that_a_mask_keeps_away_sets_nothing),
        cmocka_unit_test(more_methods_than_the_limit_are_counted_without_a_row),
        cmocka_unit_test(rows_of_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
