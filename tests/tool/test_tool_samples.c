/* SPDX-License-Identifier: MIT */
/* All samples through `pfifo run` and `pfifo decode`, against the digests that came with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

enum { SAMPLES = 62, NAME_BYTES = 96 };

struct sample {
    char name[NAME_BYTES];
    char digest[400]; /* the whole line */
    char *path;
};

static struct sample samples[SAMPLES];

static int read_expected(void **state) {
    char *path = sample_path("expected.tsv"), line[400];
    FILE *file = fopen(path, "r");
    size_t count = 0;

    (void)state;
    free(path);
    if (!file || !fgets(line, sizeof line, file))
        return -1;
    while (fgets(line, sizeof line, file)) {
        char field[4][80], file_name[NAME_BYTES + 10];
        struct sample *sample = &samples[count];
        if (count++ == SAMPLES)
            break;
        if (sscanf(line, "%95s %79s %79s %79s %79s", sample->name, field[0], field[1], field[2], field[3]) != 5)
            return -1;
        snprintf(sample->digest, sizeof sample->digest, "%s submissions=%s words=%s methods=%s sha256=%s", sample->name,
                 field[0], field[1], field[2], field[3]);
        snprintf(file_name, sizeof file_name, "%s.nvcap.xz", sample->name);
        sample->path = sample_path(file_name);
    }
    fclose(file);
    return count == SAMPLES ? 0 : -1;
}

static int free_expected(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        free(samples[i].path);
    return 0;
}

/* In these the GPU writes words of the pushbuffer (results, uploads), which it did not while they were recorded. */
static bool gpu_writes_words(const struct sample *sample) {
    return strstr(sample->name, "qbo") || strstr(sample->name, "tf-count") || strstr(sample->name, "draw_indirect");
}

/* Run a command over all samples: two options, then the files. */
static struct outcome over_all(const char *command, const char *option, const char *other) {
    const char *arguments[SAMPLES + 4] = {command, option};
    size_t count = 2;

    if (other)
        arguments[count++] = other;
    for (size_t i = 0; i < SAMPLES; i++)
        arguments[count++] = samples[i].path;
    return tool_run_to(NULL, arguments);
}

/* The lines of the output are the digests; what the GPU wrote changes the hash, but nothing before it. */
static void expect_digests(const struct outcome *outcome, bool executed) {
    const char *at = outcome->out;

    for (size_t i = 0; i < SAMPLES; i++) {
        const char *end = strchr(at, '\n'), *want = samples[i].digest;
        size_t length =
            executed && gpu_writes_words(&samples[i]) ? (size_t)(strstr(want, "sha256=") - want) : strlen(want);
        assert_non_null(end);
        if (strncmp(at, want, length) != 0)
            fail_msg("%.*s, but expected %s", (int)(end - at), at, want);
        at = end + 1;
    }
    assert_int_equal(*at, 0);
}

static void decode_gives_the_expected_digests(void **state) {
    (void)state;
    struct outcome outcome = over_all("decode", "--digest", NULL);
    expect_status(0, &outcome);
    expect_digests(&outcome, false);
    outcome_free(&outcome);
}

static void run_gives_the_expected_digests_also_with_the_cache_materialised(void **state) {
    (void)state;
    struct outcome bulk = over_all("run", "--digest", NULL), single = over_all("run", "--digest", "--materialise");
    expect_status(0, &bulk);
    expect_status(0, &single);
    expect_digests(&bulk, true);
    assert_string_equal(bulk.out, single.out);
    outcome_free(&bulk);
    outcome_free(&single);
}

/* Nothing that the GPU does here changes commands that the client wrote. */
static void commands_in_memory_are_those_of_the_recording(void **state) {
    (void)state;
    struct outcome outcome = over_all("run", "--json", NULL);
    size_t lines = 0;
    expect_status(0, &outcome);
    for (const char *at = outcome.out; (at = strstr(at, "\"changed\":")); at++, lines++)
        assert_memory_equal(at, "\"changed\":0,", 12);
    assert_int_equal(lines, SAMPLES);
    outcome_free(&outcome);
}

/* An observer that sees everything, twice: text, counts and times. */
static void run_prints_the_same_every_time(void **state) {
    static const char *const names[] = {"nv40-quad", "nva3-quad", "nvc0-quad", "nve4-quad", "nv117-quad", "nv12b-quad"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.nvcap.xz", names[i]);
        char *path = sample_path(name);
        struct outcome one = tool_run("run", "--trace=*", "--stats", path);
        struct outcome two = tool_run("run", "--trace=*", "--stats", path);
        expect_status(0, &one);
        expect_status(0, &two);
        assert_true(one.out_bytes > 20000);
        assert_string_equal(one.out, two.out);
        outcome_free(&one);
        outcome_free(&two);
        free(path);
    }
}

/* A stream of Maxwell on a Fermi: it runs, and the summary says that its classes are not the chip's. */
static void classes_of_another_chip_are_named_in_the_summary(void **state) {
    char *path = sample_path("nv117-clear.nvcap.xz");
    struct outcome outcome = tool_run("run", "--chip", "GF100", path);
    (void)state;
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.out, "foreign       3 classes"));
    outcome_free(&outcome);
    outcome = tool_run("run", path);
    assert_null(strstr(outcome.out, "foreign"));
    outcome_free(&outcome);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_of_another_chip_are_named_in_the_summary),
        cmocka_unit_test(decode_gives_the_expected_digests),
        cmocka_unit_test(run_gives_the_expected_digests_also_with_the_cache_materialised),
        cmocka_unit_test(commands_in_memory_are_those_of_the_recording),
        cmocka_unit_test(run_prints_the_same_every_time),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, read_expected, free_expected);
}
