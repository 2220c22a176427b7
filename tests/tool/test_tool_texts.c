/* SPDX-License-Identifier: MIT */
/* Words of a text, or raw ones, in place of a capture: for all commands that run or rewrite one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

/* FERMI_A, the clear value 0.5. */
static const char text[] = "00000000: 20010000 00009097 20010360 3f000000\n";
static const unsigned char words[] = {0x00, 0x00, 0x01, 0x20, 0x97, 0x90, 0, 0, 0x60, 0x03, 0x01, 0x20, 0, 0, 0, 0x3f};
static char *path, *raw, *output;

static int begin(void **state) {
    (void)state;
    path = temporary_path(".txt");
    raw = temporary_path(".bin");
    output = temporary_path(".nvcap");
    write_file(path, text, sizeof text - 1);
    write_file(raw, words, sizeof words);
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(path);
    unlink(raw);
    unlink(output);
    free(path);
    free(raw);
    free(output);
    return 0;
}

static void expect_error(const struct outcome *outcome, const char *message) {
    expect_status(2, outcome);
    if (!strstr(outcome->err, message))
        fail_msg("no '%s' in: %.1000s", message, outcome->err);
}

static void without_a_chip_they_ask_for_it(void **state) {
    (void)state;
    struct outcome outcomes[] = {tool_run("state", path),
                                 tool_run("debug", "-e", "run", path),
                                 tool_run("lint", path),
                                 tool_run("edit", "--drop", "--method=*", "-o", output, path),
                                 tool_run("reduce", "-o", output, path, "--", "false"),
                                 tool_run("timeline", path),
                                 tool_run("diff", "--state", path, path),
                                 tool_run("run", "--against=GK104", path)};

    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        expect_error(&outcomes[i], ": words in a text (hex) need --chip=CHIP\n");
        outcome_free(&outcomes[i]);
    }
}

static void with_a_chip_they_run(void **state) {
    (void)state;
    const char *const chip = "--chip=GF100";
    struct {
        struct outcome outcome;
        const char *printed;
    } rows[] = {
        {tool_run("state", chip, "--method=SET_COLOR_CLEAR_VALUE", path),
         "channel 0: 9097 FERMI_A\n  0d80 SET_COLOR_CLEAR_VALUE(0)             3f000000  0.5\n"},
        {tool_run("state", chip, "--raw", "--method=SET_COLOR_CLEAR_VALUE", raw), "3f000000  0.5\n"},
        {tool_run("debug", chip, "--base=0x200000", "-e", "break 0xd80", "-e", "run", path), "=> 000020000c 3f000000"},
        {tool_run("lint", chip, path), ""},
        {tool_run("timeline", chip, path), "\"chip\":\"GF100\""},
        {tool_run("diff", "--state", chip, path, path), ""},
        {tool_run("diff", "--state", chip, "--raw", raw, path), ""},
        {tool_run("run", chip, "--against=GF119", path), ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_status(0, &rows[i].outcome);
        if (!strstr(rows[i].outcome.out, rows[i].printed))
            fail_msg("%zu: no '%s' in: %.1000s", i, rows[i].printed, rows[i].outcome.out);
        outcome_free(&rows[i].outcome);
    }
}

/* Before GF100, with what its handles are. */
static void with_objects_they_run(void **state) {
    static const char object[] = "00000000: 00040000 beef0007 00040304 00000001\n";
    char *file = temporary_path(".txt");
    (void)state;
    write_file(file, object, sizeof object - 1);
    struct outcome outcome = tool_run("state", "--chip=NV40", "--object=0xbeef0007=NV40_3D", "--method=0x304", file);
    expect_status(0, &outcome);
    expect_printed(&outcome, "channel 0: 4097 NV40_3D\n  0304 ");
    outcome_free(&outcome);
    unlink(file);
    free(file);
}

static void they_are_rewritten_as_captures(void **state) {
    (void)state;
    struct outcome outcome = tool_run("edit", "--chip=GF100", "--drop", "--method=0xd80", "-o", output, path);
    expect_status(0, &outcome);
    expect_printed(&outcome, ": 2 methods, 1 dropped, 0 changed\n");
    outcome_free(&outcome);
    outcome = tool_run("top", output);
    expect_printed(&outcome, "1 submission, 2 words, 1 packet, 1 method");
    outcome_free(&outcome);
    outcome = tool_run("reduce", "--chip=GF100", "--raw", "-o", output, raw, "--", "false");
    expect_status(0, &outcome);
    expect_printed(&outcome, ": 0 of 2 methods, ");
    outcome_free(&outcome);
}

/* Where nobody made objects, decode takes a handle for what run takes it for. */
static void a_handle_with_a_class_in_it_is_of_that_class(void **state) {
    static const char kelvin[] = "00040000 beef0097 00041d6c 00000010 00040000 00000002 00041d6c 00000010\n";
    struct outcome outcome;
    (void)state;

    write_file(path, kelvin, sizeof kelvin - 1);
    outcome = tool_run("decode", "--chip=NV2A", path);
    write_file(path, text, sizeof text - 1);
    expect_status(0, &outcome);
    assert_non_null(strstr(outcome.out, "0097 NV20_3D                   1d6c SET_SEMAPHORE_OFFSET"));
    assert_non_null(strstr(outcome.out, "00000002   0 ----")); /* no class of the chip */
    outcome_free(&outcome);
}

/* Also in a dump of several pieces. */
static void decode_and_run_know_the_same_of_a_handle(void **state) {
    static const char pieces[] = "0x00100000: 00040000 beef0097 00041d6c 00000010\n0x00200000: 00041d70 12345678\n";
    struct outcome outcome;
    (void)state;

    write_file(path, pieces, sizeof pieces - 1);
    outcome = tool_run("decode", "--chip=NV2A", path);
    expect_printed(&outcome, "12345678   0 0097 NV20_3D                   1d70 BACK_END_WRITE_SEMAPHORE_RELEASE");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=NV2A", path);
    write_file(path, text, sizeof text - 1);
    expect_printed(&outcome, "0x0097 NV20_3D, 0x1d70 BACK_END_WRITE_SEMAPHORE_RELEASE, data 0x12345678");
    outcome_free(&outcome);
}

static void what_is_wrong_is_told(void **state) {
    (void)state;
    char *sample = sample_path("nv117-quad.nvcap.xz");
    struct {
        struct outcome outcome;
        const char *message;
    } rows[] = {
        {tool_run("state", raw),
         "not a capture: no NVPBCAP1, NVPBCAP2 or NVPBCAP3, gzip, xz or zstd; if it is pushbuffer words: --raw"},
        {tool_run("state", "--raw", raw), "--raw needs --chip"},
        {tool_run("lint", "--base=0x1000", path),
         "--base, --object, --bind and --ring apply to words, which need --chip"},
        {tool_run("lint", "--chip=GM107", "--base=0x1000", sample),
         ": --base, --object, --bind and --ring apply to words, and this is a capture"},
        {tool_run("diff", "--state", "--chip=G80", "--ib", path, path), "--ib is for words that do not run"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_error(&rows[i].outcome, rows[i].message);
        outcome_free(&rows[i].outcome);
    }
    free(sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_chip_they_ask_for_it),
        cmocka_unit_test(with_a_chip_they_run),
        cmocka_unit_test(with_objects_they_run),
        cmocka_unit_test(they_are_rewritten_as_captures),
        cmocka_unit_test(a_handle_with_a_class_in_it_is_of_that_class),
        cmocka_unit_test(decode_and_run_know_the_same_of_a_handle),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
