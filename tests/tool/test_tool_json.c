/* SPDX-License-Identifier: MIT */
/* What decode and run print with --json, line by line, against docs/json.schema.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/json.h"
#include "tool/tool.h"

enum { GF100 = 0xc0, NV40 = 0x40 };

static struct json *schema;

static int read_schema(void **state) {
    (void)state;
    schema = json_schema();
    return schema ? 0 : -1;
}

static int free_schema(void **state) {
    (void)state;
    json_free(schema);
    return 0;
}

/* How many lines there are; each fits, and comes from `file`. */
static size_t expect_lines(const struct outcome *outcome, const char *file) {
    size_t lines = 0;
    char why[400];

    for (const char *at = outcome->out, *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
        struct json *line = json_parse(at, (size_t)(end - at));
        if (!line)
            fail_msg("not JSON: %.*s", (int)(end - at), at);
        if (!json_fits(line, schema, schema, why, sizeof why))
            fail_msg("%s: %.*s", why, (int)(end - at), at);
        assert_string_equal(json_get(line, "file")->text, file);
        json_free(line);
    }
    assert_int_equal(outcome->out[outcome->out_bytes - 1], '\n');
    return lines;
}

static bool fits(const char *text) {
    struct json *line = json_parse(text, strlen(text));
    char why[400];
    bool fitting = line && json_fits(line, schema, schema, why, sizeof why);

    json_free(line);
    return fitting;
}

static void the_schema_refuses_what_is_not_printed(void **state) {
    static const char *const bad[] = {
        "[1]",
        "{\"file\":\"x\"}",
        "{\"file\":\"x\",\"event\":\"nonsense\",\"channel\":0}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":-1}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":4294967296}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":\"0\"}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"channel\":0}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"colour\":1}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"fields\":\"A=1\"}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"fields\":{\"A\":null}}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"subchannel\":8}",
        "{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"name\":\"A B\"}",
        "{\"event\":\"method\",\"channel\":0}",
        "{\"file\":\"x\",\"event\":\"puller.bind\"}",
        "{\"file\":\"x\",\"event\":\"puller.bind\",\"time\":0,\"what\":{}}",
        "{\"file\":\"x\",\"event\":\"summary\",\"chip\":\"NV40\"}",
    };
    (void)state;
    assert_true(fits("{\"file\":\"x\",\"event\":\"method\",\"channel\":0,\"fields\":{\"A\":-1,\"B\":true,\"C\":0.5}}"));
    assert_true(fits("{\"file\":\"x\",\"event\":\"puller.bind\",\"time\":0,\"from\":null}"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (fits(bad[i]))
            fail_msg("fits: %s", bad[i]);
}

static const char *const names[] = {"nv40-quad",        "nv40-clear-65x63", "nva3-quad",  "nvc0-quad",
                                    "nvc0-clear-65x63", "nve4-quad",        "nv117-quad", "nv12b-quad"};

static void what_decode_prints_of_samples_is_as_the_schema_says(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.nvcap.xz", names[i]);
        char *path = sample_path(name);
        struct outcome outcome = tool_run("decode", "--json", path);
        expect_status(0, &outcome);
        assert_true(expect_lines(&outcome, path) > 60);
        outcome_free(&outcome);
        free(path);
    }
}

static void what_run_prints_of_samples_is_as_the_schema_says(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.nvcap.xz", names[i]);
        char *path = sample_path(name);
        struct outcome outcome = tool_run("run", "--json", "--stats", "--trace=*", path);
        expect_status(0, &outcome);
        assert_true(expect_lines(&outcome, path) > 60);
        outcome_free(&outcome);
        free(path);
    }
}

static void what_debug_prints_is_as_the_schema_says(void **state) {
    char *path = sample_path("nvc0-quad.nvcap.xz");
    struct outcome outcome = tool_run("debug", "-j", "-e", "run", "-e", "back draw", "-e", "step", "-e", "info objects",
                                      "-e", "tbreak SET_OBJECT", "-e", "run", "-e", "until 99", path);

    (void)state;
    expect_status(1, &outcome);
    assert_int_equal(expect_lines(&outcome, path), 7);
    outcome_free(&outcome);
    free(path);
}

static void what_lint_finds_is_as_the_schema_says(void **state) {
    (void)state;
    /* To subchannel 3, and class 9097 on subchannel 0 with a method that it does not have. */
    static const uint32_t words[] = {0x20016040, 5, 0x20010000, 0x9097, 0x20010abc, 1};
    static struct capture capture;

    capture_begin(&capture, GF100, false);
    capture_submit(&capture, words, sizeof words / 4, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("lint", "--json", path);
    expect_status(1, &outcome);
    assert_int_equal(expect_lines(&outcome, path), 2);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static char *words_file(const uint32_t *words, size_t count, const char *suffix) {
    uint8_t bytes[256];
    char *path = temporary_path(suffix);

    assert_true(4 * count <= sizeof bytes);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    write_file(path, bytes, 4 * count + 1); /* and half a word */
    return path;
}

static void drop(char *path) {
    unlink(path);
    free(path);
}

/* Jumps, masks, errors, what is skipped; no submission, and a name with everything that JSON escapes. */
static void raw_words_and_their_errors_are_as_the_schema_says(void **state) {
    static const uint32_t words[] = {0x0004e000, 0xbeef0007, 0x0004fd90, 0xff4080bf,
                                     0x20000019, 0x00020000, 0xffffffff};
    (void)state;
    char *path = words_file(words, 7, " \"\\\n\xff\xc3\xa4.bin");
    struct outcome outcome = tool_run("decode", "--json", "--raw", "--chip=NV40", "--object=0xbeef0007=NV40_3D", path);
    expect_status(1, &outcome);
    const char *suffix = strstr(path, " \"");
    char shown[512];
    snprintf(shown, sizeof shown, "%.*s \"\\\n\xef\xbf\xbd\xc3\xa4.bin", (int)(suffix - path), path);
    assert_true(expect_lines(&outcome, shown) > 7);
    assert_non_null(strstr(outcome.out, "\"event\":\"error\""));
    assert_null(strstr(outcome.out, "\"submission\""));
    /* A colour is four numbers without a sign. */
    assert_non_null(strstr(outcome.out, "\"fields\":{\"B\":191,\"G\":128,\"R\":64,\"A\":255}}"));
    outcome_free(&outcome);
    drop(path);
}

static void values_of_fields_have_their_types(void **state) {
    static const struct {
        const char *chip, *bind;
        uint32_t words[2];
        const char *fields;
    } cases[] = {
        {"GF100", "0=9097", {0x20010000 | 0xd80 / 4, 0x3f000000}, "{\"V\":0.5}"},
        {"GF100", "0=9097", {0x20010000 | 0xd80 / 4, 0x7fc00000}, "{\"V\":\"nan\"}"},
        {"GF100", "0=9097", {0x20010000 | 0xd80 / 4, 0xff800000}, "{\"V\":\"-inf\"}"},
        {"GF100", "0=9097", {0x20010000 | 0x130c / 4, 0x203}, "{\"V\":\"OGL_LEQUAL\"}"},
        {"GF100", "0=9097", {0x20010000 | 0x130c / 4, 0x777}, "{\"V\":1911}"},
        {"GF100", "0=9097", {0x20010000 | 0x1434 / 4, 0xffffffff}, "{\"V\":-1}"}, /* a base that is added to indices */
        {"GF100", "0=9097", {0x20010000 | 0x15e8 / 4, 0xffffffff}, "{\"V\":4294967295}"},
        {"NV40",
         "0=4097",
         {0x00041d94, 0xf1},
         "{\"DEPTH\":true,\"STENCIL\":false,\"COLOR_R\":true,\"COLOR_G\":true,\"COLOR_B\":true,\"COLOR_A\":true}"},
        {"G80", "0=5097", {0x00040840, 0x80ff017f}, "{\"X\":127,\"Y\":1,\"Z\":-1,\"W\":-128}"},
        {"G80", "0=5097", {0x00040600, 0xc0003c00}, "{\"X\":1,\"Y\":-2}"}, /* halves */
        {"GK104", "0=a0c0", {0x20010000 | 0x2b4 / 4, 0x123}, "{\"QMD_ADDRESS_SHIFTED8\":74496}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = words_file(cases[i].words, 2, ".bin"), want[256];
        struct outcome outcome =
            tool_run("decode", "--json", "--raw", "--chip", cases[i].chip, "--bind", cases[i].bind, path);
        snprintf(want, sizeof want, "\"fields\":%s}\n", cases[i].fields);
        expect_lines(&outcome, path);
        if (!strstr(outcome.out, want))
            fail_msg("no %s in %s%s", want, outcome.out, outcome.err);
        outcome_free(&outcome);
        drop(path);
    }
}

/* Everything that a summary may have: a class that is refused, a fault, a wait, an error. */
static void summaries_of_bad_streams_are_as_the_schema_says(void **state) {
    static const uint32_t acquire[] = {0x20040004, 0x7f, 0x20020040, 0x77, 1}, bad[] = {0xc0000000, 0x20010040, 1};
    static const uint32_t *const streams[] = {acquire, bad};
    static const uint32_t counts[] = {5, 3};
    char line[600];
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct capture capture;
        capture_begin(&capture, GF100, false);
        capture_submit(&capture, streams[i], counts[i], NULL);
        char *path = capture_file(&capture);
        struct outcome outcome = tool_run("run", "--json", "--trace=*", path);
        expect_status(1, &outcome);
        assert_true(expect_lines(&outcome, path) > 2);
        assert_non_null(strstr(outcome.out, "\"event\":\"summary\",\"chip\":\"GF100\""));
        /* The lines around a fault are those of the decoder. */
        snprintf(line, sizeof line, "{\"distance\":0,\"line\":{\"file\":\"%s\",\"submission\":1,\"event\":", path);
        assert_non_null(strstr(outcome.out, line));
        outcome_free(&outcome);
        drop(path);
    }
    struct capture capture;
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_OBJ, .obj = {.handle = 0xbeef0001, .oclass = 0x85b5}};
    capture_begin(&capture, NV40, true);
    capture_append(&capture, &record);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("run", "--json", path);
    assert_int_equal(expect_lines(&outcome, path), 1);
    assert_non_null(strstr(outcome.out, "\"objects_not_made\":1,"));
    outcome_free(&outcome);
    drop(path);
}

/* Lines tell which file and which submission they are from. */
static void lines_of_several_files_say_where_they_are_from(void **state) {
    static const uint32_t nops[] = {0x20010000, 0x9097, 0x20010040, 1};
    struct capture capture;
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_submit(&capture, nops, 4, NULL);
    capture_submit(&capture, nops, 4, NULL);
    char *path = capture_file(&capture), want[600];
    for (int run = 0; run < 2; run++) {
        struct outcome outcome = run ? tool_run("run", "--json", "--trace=puller.method", path, "-")
                                     : tool_run("decode", "--json", path, "-");
        const char *form = run ? "{\"file\":\"%s\",\"submission\":%u,\"time\":"
                               : "{\"file\":\"%s\",\"submission\":%u,\"event\":\"method\"";
        for (unsigned submission = 1; submission <= 2; submission++) {
            snprintf(want, sizeof want, form, path, submission); /* NOLINT(clang-diagnostic-format-nonliteral) */
            assert_non_null(strstr(outcome.out, want));
        }
        outcome_free(&outcome);
    }
    drop(path);
}

/* Lines that name no file: each fits that definition. */
static void expect_definition(const char *name, size_t least, const struct outcome *outcome) {
    size_t lines = 0;
    char why[400];
    for (const char *at = outcome->out, *end; (end = strchr(at, '\n')); at = end + 1, lines++)
        if (!json_fits_definition(at, (size_t)(end - at), name, why, sizeof why))
            fail_msg("%s: %.*s", why, (int)(end - at), at);
    assert_true(lines >= least);
}

static void what_objects_hold_is_as_the_schema_says(void **state) {
    char *sample = sample_path("nv117-quad.nvcap.xz");
    (void)state;
    struct outcome outcome = tool_run("state", "--json", "--from=3", sample);
    expect_status(0, &outcome);
    expect_definition("held", 10, &outcome);
    expect_printed(&outcome, ",\"from\":");
    outcome_free(&outcome);
    free(sample);
}

static void what_is_listed_is_as_the_schema_says(void **state) {
    char *sample = sample_path("nv117-quad.nvcap.xz");
    (void)state;
    struct outcome outcome = tool_run("image", "--json", sample);
    expect_status(0, &outcome);
    expect_definition("listed", 2, &outcome);
    expect_printed(&outcome, "\"surface\":\"tic:0\",\"channel\":0,\"shape\":\"2D\",");
    expect_printed(&outcome, ",\"draws\":1,\"clears\":1,\"first_draw\":0,");
    outcome_free(&outcome);
    free(sample);
}

static void what_differs_is_as_the_schema_says(void **state) {
    char *one = sample_path("nv117-quad.nvcap.xz"), *other = sample_path("nv117-clear.nvcap.xz");
    (void)state;
    struct outcome outcome = tool_run("diff", "--state", "--json", one, other);
    expect_status(1, &outcome);
    expect_definition("difference", 3, &outcome);
    expect_printed(&outcome, ",\"kind\":\"memory\",\"buffer\":");
    expect_printed(&outcome, ",\"kind\":\"buffer\",\"buffer\":");
    outcome_free(&outcome);
    outcome = tool_run("run", "--against=GF100", "--json", one);
    expect_status(1, &outcome);
    expect_definition("difference", 4, &outcome);
    expect_printed(&outcome, ",\"kind\":\"class\",\"class\":45207,");
    outcome_free(&outcome);
    free(one);
    free(other);
}

static void the_meaning_of_a_fault_is_that_of_the_text(void **state) {
    static const uint32_t words[] = {0xc0000000, 0x20010040, 1};
    static struct capture capture;
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_submit(&capture, words, 3, NULL);
    char *path = capture_file(&capture), want[600], *line;
    struct outcome text = tool_run("run", path), outcome = tool_run("run", "--json", path);
    expect_status(1, &text);
    expect_status(1, &outcome);
    assert_int_equal(expect_lines(&outcome, path), 1);
    line = strstr(text.out, "PBDMA ");
    assert_non_null(line);
    line = strchr(line, '\n') + 1;
    line += strspn(line, " ");
    snprintf(want, sizeof want, ",\"meaning\":\"%.*s\",", (int)strcspn(line, "\n"), line);
    expect_printed(&outcome, want);
    outcome_free(&text);
    outcome_free(&outcome);
    drop(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_refuses_what_is_not_printed),
        cmocka_unit_test(what_decode_prints_of_samples_is_as_the_schema_says),
        cmocka_unit_test(what_run_prints_of_samples_is_as_the_schema_says),
        cmocka_unit_test(what_debug_prints_is_as_the_schema_says),
        cmocka_unit_test(what_lint_finds_is_as_the_schema_says),
        cmocka_unit_test(raw_words_and_their_errors_are_as_the_schema_says),
        cmocka_unit_test(values_of_fields_have_their_types),
        cmocka_unit_test(summaries_of_bad_streams_are_as_the_schema_says),
        cmocka_unit_test(lines_of_several_files_say_where_they_are_from),
        cmocka_unit_test(what_objects_hold_is_as_the_schema_says),
        cmocka_unit_test(what_is_listed_is_as_the_schema_says),
        cmocka_unit_test(what_differs_is_as_the_schema_says),
        cmocka_unit_test(the_meaning_of_a_fault_is_that_of_the_text),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, read_schema, free_schema);
}
