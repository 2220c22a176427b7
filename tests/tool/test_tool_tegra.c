/* SPDX-License-Identifier: MIT */
/* The programs of a Switch are recorded as they run, and the recording is replayed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/stream.h>

#include "tool/tool.h"

/* Runs build/samples/tegra/NAME with RECORD; the capture's path, to be removed and freed. */
static char *record(const char *name) {
    const char *build = getenv("PFIFO_LIBRARIES");
    char *path = temporary_path(".nvcap.zst"), command[1000];

    snprintf(command, sizeof command, "RECORD='%s' '%s/samples/tegra/%s' >/dev/null", path, build ? build : "build",
             name);
    assert_int_equal(system(command), 0);
    return path;
}

static char *line_of(const char *command, const char *option, const char *path) {
    struct outcome outcome = tool_run(command, option, path);
    char *line;

    expect_status(0, &outcome);
    line = strchr(outcome.out, ' '); /* after the name */
    line = strdup(line ? line : outcome.out);
    outcome_free(&outcome);
    return line;
}

static void each_program_is_recorded_and_replayed(void **state) {
    static const char *const names[] = {"copy", "modes", "macro", "pictures", "square", "compute", "patches"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = record(names[i]);
        char *decoded = line_of("decode", "--digest", path), *run = line_of("run", "--digest", path);
        assert_string_equal(decoded, run);
        struct outcome outcome = tool_run("run", path);
        expect_status(0, &outcome);
        assert_non_null(strstr(outcome.out, "faults        0"));
        outcome_free(&outcome);
        unlink(path);
        free(path);
        free(decoded);
        free(run);
    }
}

static char *kept(const char *name) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char *path = malloc(1000);

    assert_non_null(path);
    snprintf(path, 1000, "%s/tegra/%s.nvcap.zst", samples ? samples : "samples", name);
    return path;
}

static void the_recordings_among_the_samples_are_those_of_today(void **state) {
    static const char *const names[] = {"fences", "square", "compute", "patches"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *now = record(names[i]), *then = kept(names[i]);
        char *one = line_of("run", "--digest", now), *other = line_of("run", "--digest", then);
        assert_string_equal(one, other);
        unlink(now);
        free(now);
        free(then);
        free(one);
        free(other);
    }
}

static void a_trace_says_which_channel_waits_for_what(void **state) {
    char *path = kept("fences");

    (void)state;
    struct outcome outcome = tool_run("run", "--trace=puller.syncpoint", path);
    expect_status(0, &outcome);
    assert_non_null(strstr(outcome.out, " 1 puller.syncpoint syncpoint=1 threshold=2 value=0 state=waits\n"));
    assert_non_null(strstr(outcome.out, " 1 puller.syncpoint syncpoint=1 threshold=2 value=2 state=reached\n"));
    assert_non_null(strstr(outcome.out, "  waits         8\n"));
    outcome_free(&outcome);
    free(path);
}

/* The square's capture, but that it hands only a corner of its picture to the display. */
static char *square_with_present(const char *size) {
    char *from = kept("square"), *path = temporary_path(".nvcap");
    struct pfifo_stream *stream = pfifo_stream_open(from, NULL);
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open(path, PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    char buffer[40], offset[40], rest[100], text[240];

    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    while (pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        if (record.type == PFIFO_STREAM_TEXT && strncmp(record.text.key, "present", record.text.key_bytes) == 0) {
            snprintf(text, sizeof text, "%.*s", (int)record.text.value_bytes, record.text.value);
            assert_int_equal(sscanf(text, "%39s %39s size=128x128 %99[^\n]", buffer, offset, rest), 3);
            snprintf(text, sizeof text, "%s %s size=%s %s", buffer, offset, size, rest);
            record.text.value = text;
            record.text.value_bytes = (uint32_t)strlen(text);
        }
        assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    }
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
    free(from);
    return path;
}

/* Of a PNG file of libpng: the eight bytes of width and height. */
static void expect_size_of_screenshot(const char *capture, const char *size) {
    char *picture = temporary_path(".png");
    struct outcome outcome = tool_run("run", "--screenshot", picture, capture);
    uint8_t head[24] = {0};

    if (strstr(outcome.err, "libpng")) {
        outcome_free(&outcome);
        free(picture);
        skip();
    }
    expect_status(0, &outcome);
    outcome_free(&outcome);
    FILE *file = fopen(picture, "rb");
    assert_true(file && fread(head, 1, sizeof head, file) == sizeof head);
    fclose(file);
    assert_memory_equal(head + 16, size, 8);
    unlink(picture);
    free(picture);
}

static void a_screenshot_is_what_the_program_handed_to_the_display(void **state) {
    char *capture = kept("square");

    (void)state;
    expect_size_of_screenshot(capture, "\0\0\0\x80\0\0\0\x80"); /* 128 x 128, not the texture's copy */
    free(capture);
}

static void a_screenshot_is_what_was_handed_over_and_not_what_was_drawn_last(void **state) {
    char *capture = square_with_present("5x3");

    (void)state;
    expect_size_of_screenshot(capture, "\0\0\0\x05\0\0\0\x03");
    unlink(capture);
    free(capture);
}

static void presented_as(const char *text, const char *message) {
    const struct pfifo_stream_record buffer = {.type = PFIFO_STREAM_BONEW,
                                               .bonew = {.handle = 1, .domain = PFIFO_STREAM_GART, .bytes = 0x1000}};
    char *path = temporary_path(".nvcap"), *picture = temporary_path(".png");
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open(path, PFIFO_STREAM_PLAIN, NULL);

    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0x12b", NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_append(writer, &buffer, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "present", text, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
    struct outcome outcome = tool_run("run", "--screenshot", picture, path);
    expect_status(message ? 2 : 0, &outcome);
    if (message && !strstr(outcome.err, message))
        fail_msg("%s", outcome.err);
    outcome_free(&outcome);
    unlink(path);
    unlink(picture);
    free(path);
    free(picture);
}

static void a_text_that_presents_nothing_is_refused(void **state) {
    (void)state;
    presented_as("buffer=1 offset=0x0 size=4x4 format=0xd5 pitch=64 block_height=-1", NULL);
    presented_as("buffer=1 offset=0x0 size=4x4 format=0xd5 pitch=64 block_height=1", NULL);
    presented_as("buffer=2 offset=0x0 size=4x4 format=0xd5 pitch=64 block_height=-1", "are not in buffer 2");
    presented_as("buffer=1 offset=0xfff size=4x4 format=0xd5 pitch=64 block_height=-1", "are not in buffer 1");
    presented_as("buffer=1 offset=0x0 size=4x4 format=0x3 pitch=64 block_height=-1", "are not in buffer 1");
    presented_as("buffer=1 offset=0x0 size=4x4 format=0xd5 pitch=64 block_height=-2", "not a picture");
    presented_as("buffer=1 offset=0x0 size=4x4 format=0xd5 pitch=64 block_height=1 ", "not a picture");
    presented_as("square", "not a picture");
}

/* A capture that waits for what nobody has recorded. */
static void a_wait_for_a_syncpoint_that_never_comes_is_named(void **state) {
    static const struct pfifo_stream_record records[] = {
        {.type = PFIFO_STREAM_BONEW, .bonew = {.handle = 1, .domain = PFIFO_STREAM_GART, .bytes = 0x1000}},
        {.type = PFIFO_STREAM_SPACE, .space = {.space = 1, .first = 0x10000000, .bytes = 0x10000000}},
        {.type = PFIFO_STREAM_MAP, .map = {.space = 1, .handle = 1, .address = 0x10000000, .bytes = 0x1000}},
        {.type = PFIFO_STREAM_CHANIN, .chanin = {.channel = 5, .space = 1}},
        {.type = PFIFO_STREAM_CHAN, .chan = {.channel = 5}},
        {.type = PFIFO_STREAM_SUBMIT, .submit = {.sequence = 1, .channel = 5, .pushes = 1}},
        {.type = PFIFO_STREAM_WAIT, .wait = {.syncpoint = 9, .threshold = 4}},
        {.type = PFIFO_STREAM_PUSH,
         .push = {.handle = 1,
                  .length = 16,
                  .address = 0x10000000,
                  .word_count = 4,
                  .words = (const uint8_t *)"\x1c\0\x01\x20\x04\0\0\0\x1d\0\x01\x20\x10\x09\0\0"}},
        {.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = 1}},
        {.type = PFIFO_STREAM_RUN, .run = {.units = 0}},
    };
    char *path = temporary_path(".nvcap");
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open(path, PFIFO_STREAM_PLAIN, NULL);

    (void)state;
    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0x12b", NULL), PFIFO_OK);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        assert_int_equal(pfifo_stream_writer_append(writer, &records[i], NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
    struct outcome outcome = tool_run("run", path);
    expect_status(1, &outcome);
    if (!strstr(outcome.out, "in submission 1: channel 0 waits for syncpoint 9 to reach 4, it is 0\n"))
        fail_msg("%s%s", outcome.out, outcome.err);
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", path);
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.out, "\"stop\":\"waiting\""));
    assert_non_null(strstr(outcome.out, "\"wait_syncpoint\":9,\"wait_expected\":4,\"wait_found\":0"));
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_is_recorded_and_replayed),
        cmocka_unit_test(the_recordings_among_the_samples_are_those_of_today),
        cmocka_unit_test(a_screenshot_is_what_the_program_handed_to_the_display),
        cmocka_unit_test(a_screenshot_is_what_was_handed_over_and_not_what_was_drawn_last),
        cmocka_unit_test(a_text_that_presents_nothing_is_refused),
        cmocka_unit_test(a_wait_for_a_syncpoint_that_never_comes_is_named),
        cmocka_unit_test(a_trace_says_which_channel_waits_for_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
