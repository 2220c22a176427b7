/* SPDX-License-Identifier: MIT */
/* `pfifo diff`: what changed between two recordings of nearly the same program. */
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
#include "tool/tool.h"

static char *small, *odd;

static int begin(void **state) {
    (void)state;
    small = sample_path("nvc0-clear.nvcap.xz");
    odd = sample_path("nvc0-clear-65x63.nvcap.xz");
    return 0;
}

static int end(void **state) {
    (void)state;
    free(small);
    free(odd);
    return 0;
}

static void what_does_another_window_size_change(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "-U1", small, odd);
    expect_status(1, &outcome);
    expect_printed(&outcome, "nvc0-clear.nvcap.xz\n+++ ");
    expect_printed(&outcome, "nvc0-clear-65x63.nvcap.xz\n@@ submission 2, 0101ce0204 | submission 2, 0101ce0204 @@\n"
                             "     0101ce01fc 00000000   0 9097 FERMI_A ");
    expect_printed(&outcome,
                   "\n-    0101ce0218 00000040   0 9097 FERMI_A                   0808 SET_COLOR_TARGET_WIDTH(0) "
                   "           00000040\n");
    expect_printed(&outcome,
                   "\n+    0101ce0218 00000041   0 9097 FERMI_A                   0808 SET_COLOR_TARGET_WIDTH(0) "
                   "           00000041\n");
    outcome_free(&outcome);
}

static void a_stream_is_like_itself(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", small, small);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void how_much_is_different(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "--stat", small, odd);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "1213 same, 13 removed, 13 added\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--stat", "--ignore-addresses", small, odd);
    assert_string_equal(outcome.out, "1214 same, 12 removed, 12 added\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--stat", "--class=FERMI_A", small, odd);
    assert_string_equal(outcome.out, "763 same, 4 removed, 4 added\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "-q", small, odd);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void raw_words_are_compared_without_their_no_ops(void **state) {
    (void)state;
    static const uint8_t one[] = {0x80, 0, 1, 0x80}, two[] = {0, 0, 0, 0, 0x80, 0, 1, 0x80};
    char *a = temporary_path("a"), *b = temporary_path("b");

    write_file(a, one, sizeof one);
    write_file(b, two, sizeof two);
    struct outcome outcome = tool_run("diff", "--raw", "--chip=GF100", a, b);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    remove(a);
    remove(b);
    free(a);
    free(b);
}

static void what_do_two_programs_leave_in_memory(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "--state", small, odd);
    expect_status(1, &outcome);
    expect_printed(&outcome, "\n  buffer 12     13 bytes differ in 0x204..0x318, first 00400000 | 00410000\n");
    expect_printed(&outcome, "0400b0 PSUBFIFO0.UNKB0 ");
    assert_null(strstr(outcome.out, "TIME"));
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", "--json", small, odd);
    expect_status(1, &outcome);
    expect_printed(&outcome, "\"kind\":\"memory\",\"buffer\":12,\"offset\":516,\"end\":793,\"bytes\":13,"
                             "\"value\":[4194304,4259840]}\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", "-q", small, odd);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", small, small);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

/* ---- buffers that are freed ---- */

enum { FREED = 50, LARGE = 51, PAGE_BYTES = 4096 };

static void add_buffer(struct capture *capture, uint32_t handle, uint64_t bytes) {
    const struct pfifo_stream_bonew buffer = {.handle = handle,
                                              .domain = PFIFO_STREAM_GART,
                                              .bytes = bytes,
                                              .address = UINT64_C(0x100000000) + ((uint64_t)handle << 32)};

    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = buffer});
}

static void free_buffer(struct capture *capture, uint32_t handle) {
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL, .bodel = {.handle = handle}});
}

/* Some bytes of a buffer of this size, which is freed then. */
static void use_buffer(struct capture *capture, uint32_t handle, uint64_t bytes, uint32_t word) {
    add_buffer(capture, handle, bytes);
    capture_write(capture, handle, 0x40, word);
    free_buffer(capture, handle);
}

static void submit(struct capture *capture) {
    const uint32_t nothing = 0;

    capture_submit(capture, &nothing, 1, NULL);
    capture_run(capture);
}

/* A buffer of one handle twice, the second time with this word and size; before the last run. */
static char *capture_that_frees(uint32_t word, uint64_t bytes) {
    struct capture capture;

    capture_begin_2(&capture, 0xc0);
    capture.no_dump = true;
    submit(&capture);
    use_buffer(&capture, FREED, PAGE_BYTES, 1);
    submit(&capture);
    use_buffer(&capture, FREED, bytes, word);
    submit(&capture);
    return capture_file(&capture);
}

static void expect_difference(char *a, char *b, int status, const char *out, const char *err) {
    struct outcome outcome = tool_run("diff", "--state", a, b);

    expect_status(status, &outcome);
    if (*out)
        expect_printed(&outcome, out);
    else
        assert_string_equal(outcome.out, "");
    if (!strstr(outcome.err, err) || (!*err && outcome.err[0]))
        fail_msg("%s", outcome.err);
    outcome_free(&outcome);
    unlink(a);
    unlink(b);
    free(a);
    free(b);
}

static void a_buffer_is_compared_as_it_was_when_it_was_freed(void **state) {
    (void)state;
    expect_difference(capture_that_frees(2, PAGE_BYTES), capture_that_frees(2, PAGE_BYTES), 0, "", "");
    expect_difference(capture_that_frees(0x102, PAGE_BYTES), capture_that_frees(0x302, PAGE_BYTES), 1,
                      "\n  buffer 50     1 byte differs in 0x40..0x41, first 00000102 | 00000302, freed after "
                      "submission 2\n",
                      "");
}

static void a_freed_buffer_may_have_another_size_or_be_missing(void **state) {
    struct capture capture;

    (void)state;
    expect_difference(capture_that_frees(2, PAGE_BYTES), capture_that_frees(3, 2 * PAGE_BYTES), 1,
                      "\n  buffer 50     4096 bytes | 8192, freed after submission 2\n"
                      "  buffer 50     1 byte differs in 0x40..0x40, first 00000002 | 00000003, freed after "
                      "submission 2\n",
                      "");
    capture_begin_2(&capture, 0xc0);
    capture.no_dump = true;
    for (int i = 0; i < 3; i++)
        submit(&capture);
    expect_difference(capture_file(&capture), capture_that_frees(2, PAGE_BYTES), 1,
                      "\n  buffer 50     0 bytes | 4096, freed after submission 1\n"
                      "  buffer 50     0 bytes | 4096, freed after submission 2\n",
                      "");
}

static void a_freed_buffer_that_is_too_large_is_counted(void **state) {
    char *file[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct capture capture;
        capture_begin_2(&capture, 0xc0);
        capture.no_dump = true;
        submit(&capture);
        use_buffer(&capture, LARGE, UINT64_C(257) << 20, i);
        submit(&capture);
        file[i] = capture_file(&capture);
    }
    expect_difference(file[0], file[1], 0, "", "not compared: 1 freed buffer, as there are more than 256 MiB in all\n");
}

static void states_of_what_is_no_capture_are_not_compared(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "--state", "--class=FERMI_A", small, odd);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--state is for whole captures"));
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", "--chip=GF100", "--base=0x1000", small, odd);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--base, --object, --bind and --ring apply to words, and this is a capture"));
    outcome_free(&outcome);
    outcome = tool_run("diff", "--json", "--stat", small, odd);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--stat and --json exclude each other"));
    outcome_free(&outcome);
}

static size_t lines_with(const char *text, const char *begin) {
    size_t lines = 0;

    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        lines += strncmp(line, begin, strlen(begin)) == 0;
    return lines;
}

static void differences_are_json_for_other_programs(void **state) {
    char *maxwell = sample_path("nv117-kmscube-8frames.nvcap.xz"),
         *pascal = sample_path("nv12b-kmscube-8frames.nvcap.xz");
    struct outcome text = tool_run("diff", "-U", "2", small, odd), json = tool_run("diff", "-j", "-U", "2", small, odd);

    (void)state;
    expect_status(1, &json);
    assert_int_equal(lines_with(json.out, "{\"op\":\"-\",\"file\":\""), lines_with(text.out, "-") - 1);
    assert_int_equal(lines_with(json.out, "{\"op\":\"+\",\"file\":\""), lines_with(text.out, "+") - 1);
    assert_int_equal(lines_with(json.out, "{\"op\":\"=\",\"file\":\""), lines_with(text.out, " "));
    assert_int_equal(lines_with(json.out, ""), lines_with(json.out, "{\"op\":\""));
    expect_printed(&json, "\"submission\":2,\"event\":\"method\",\"channel\":0,\"address\":4325245444,");
    outcome_free(&text);
    outcome_free(&json);
    json = tool_run("diff", "-j", "-U", "0", maxwell, pascal);
    expect_status(1, &json);
    expect_printed(&json, "\"event\":\"channel\",\"channel\":0,\"class\":41327,"
                          "\"class_name\":\"KEPLER_CHANNEL_GPFIFO_B\"}\n{\"op\":\"+\",");
    outcome_free(&json);
    free(maxwell);
    free(pascal);
}

static void on_which_chip_does_it_go_wrong(void **state) {
    char *old = sample_path("nv40-clear.nvcap.xz");

    (void)state;
    struct outcome outcome = tool_run("run", "--against=NV30", old);
    expect_status(1, &outcome);
    expect_printed(
        &outcome,
        "--- NV40\n+++ NV30\nin submission 1:\n"
        "  class         4097 NV40_3D, which NV30 does not have: channel 0, subchannel 7, bound at 0x14004\n");
    expect_printed(&outcome, "\n  faults        0 PGRAPH ILLEGAL_MTHD | 14\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", "--against=NV30", old);
    expect_status(1, &outcome);
    expect_printed(&outcome,
                   "{\"a\":\"NV40\",\"b\":\"NV30\",\"submission\":1,\"kind\":\"class\",\"class\":16535,"
                   "\"name\":\"NV40_3D\",\"channel\":0,\"subchannel\":7,\"address\":81924,\"value\":[1,0]}\n");
    expect_printed(&outcome, "{\"a\":\"NV40\",\"b\":\"NV30\",\"submission\":1,\"kind\":\"faults\","
                             "\"name\":\"PGRAPH ILLEGAL_MTHD\",\"value\":[0,14]}\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--against=GF119", small);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("run", "--against=GF119", "--stats", small);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--against prints the first difference and nothing else"));
    outcome_free(&outcome);
    free(old);
}

/* Classes that a chip lacks may do the same there: the run goes on, to the first other difference. */
static void which_classes_has_the_other_chip_not(void **state) {
    char *maxwell = sample_path("nv117-quad.nvcap.xz");

    (void)state;
    struct outcome outcome = tool_run("run", "--against=GK104", maxwell);
    expect_status(1, &outcome);
    assert_string_equal(
        outcome.out,
        "--- GM107\n+++ GK104\nin submission 1:\n"
        "  class         a140 KEPLER_INLINE_TO_MEMORY_B, which GK104 does not have: channel 0, subchannel "
        "2, bound at 0x10000400c\n"
        "  class         b097 MAXWELL_A, which GK104 does not have: channel 0, subchannel 0, bound at "
        "0x100004060\n"
        "  class         b0c0 MAXWELL_COMPUTE_A, which GK104 does not have: channel 0, subchannel 1, bound "
        "at 0x100004c1c\n"
        "in submission 2:\n  buffer 16     56 bytes differ in 0x20..0x5f, first 00000000 | ff00a020\n"); /* a gob */
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=GK104", "--against=GM107", maxwell);
    expect_printed(&outcome, "  class         b097 MAXWELL_A, which GK104 does not have: ");
    outcome_free(&outcome);
    outcome = tool_run("run", "--against=GF100", maxwell);
    expect_printed(&outcome, "bound at 0x100004c1c\nin submission 2:\n  faults ");
    outcome_free(&outcome);
    free(maxwell);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", small);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "two files are needed"));
    outcome_free(&outcome);
    outcome = tool_run("diff", small, small, small);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "there are more than two files"));
    outcome_free(&outcome);
    outcome = tool_run("diff", small, "/nowhere/at.all");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "/nowhere/at.all"));
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_another_window_size_change),
        cmocka_unit_test(a_stream_is_like_itself),
        cmocka_unit_test(how_much_is_different),
        cmocka_unit_test(raw_words_are_compared_without_their_no_ops),
        cmocka_unit_test(what_do_two_programs_leave_in_memory),
        cmocka_unit_test(a_buffer_is_compared_as_it_was_when_it_was_freed),
        cmocka_unit_test(a_freed_buffer_may_have_another_size_or_be_missing),
        cmocka_unit_test(a_freed_buffer_that_is_too_large_is_counted),
        cmocka_unit_test(states_of_what_is_no_capture_are_not_compared),
        cmocka_unit_test(differences_are_json_for_other_programs),
        cmocka_unit_test(on_which_chip_does_it_go_wrong),
        cmocka_unit_test(which_classes_has_the_other_chip_not),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
