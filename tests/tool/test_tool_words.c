/* SPDX-License-Identifier: MIT */
/* `pfifo decode` and its like of words in texts: logs, dumps, listings. */
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

static char *text_file(const char *text) {
    char *path = temporary_path(".log");

    write_file(path, text, strlen(text));
    return path;
}

static void drop(char *path) {
    unlink(path);
    free(path);
}

/* The clear of samples/logs/, as raw words. */
static char *raw_clear(void) {
    static const uint32_t words[] = {0x20010000, 0x00009097, 0x20040360, 0x3e800000, 0x3f000000,
                                     0x3f400000, 0x3f800000, 0x20010674, 0x0000000c};
    char *path = temporary_path(".bin");
    uint8_t bytes[sizeof words];

    for (size_t i = 0; i < sizeof words; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    write_file(path, bytes, sizeof bytes);
    return path;
}

static void words_in_a_log_are_decoded_as_the_same_raw_words(void **state) {
    char *raw = raw_clear(), *log = sample_path("../logs/gf100-clear.dmesg");
    struct outcome expected = tool_run("decode", "--raw", "--chip=GF100", "--base=0", raw);
    (void)state;
    expect_status(0, &expected);
    expect_printed(&expected, "CLEAR_SURFACE");
    struct outcome outcome = tool_run("decode", "--chip=GF100", log);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, expected.out);
    outcome_free(&outcome);
    outcome = tool_run("decode", "--raw", "--chip=GF100", log);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, expected.out);
    outcome_free(&outcome);
    outcome_free(&expected);
    drop(raw);
    free(log);
}

static void all_commands_that_look_at_words_take_a_log(void **state) {
    char *raw = raw_clear(), *log = sample_path("../logs/gf100-clear.dmesg");
    struct outcome outcome = tool_run("grep", "--chip=GF100", "CLEAR_SURFACE", log);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "    0000000020 0000000c   0 9097 FERMI_A");
    outcome_free(&outcome);
    outcome = tool_run("top", "--chip=GF100", log);
    expect_status(0, &outcome);
    expect_printed(&outcome, "0 submissions, 9 words, 3 packets, 6 methods");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--raw", "--chip=GF100", log, raw);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    drop(raw);
    free(log);
}

static void words_of_a_log_come_from_standard_input_too(void **state) {
    char *log = text_file("0x20010000\n0x00009097\n");
    struct outcome outcome = tool_run_from(log, (const char *const[]){"decode", "--chip=GF100", "-", NULL});
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "SET_OBJECT");
    outcome_free(&outcome);
    drop(log);
}

static void addresses_of_a_dump_are_those_of_the_words(void **state) {
    char *log = text_file("00001000: 20010000 00009097\n");
    struct outcome outcome = tool_run("decode", "--chip=GF100", log);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "  segment 0000001000: 2 words\n");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--chip=GF100", "--base=0x20000", log);
    expect_printed(&outcome, "  segment 0000020000: 2 words\n");
    outcome_free(&outcome);
    drop(log);
}

static void dumps_that_go_on_elsewhere_are_submissions(void **state) {
    char *log =
        text_file("00001000: 20010000 00009097\n00003000: 20040360 3e800000 3f000000\n00003010: 3f400000 0000\n");
    struct outcome outcome = tool_run("decode", "--chip=GF100", log);
    (void)state;
    expect_status(2, &outcome);
    expect_said(&outcome, ":3: '0000' is no group of 8 digits");
    outcome_free(&outcome);
    drop(log);
    log = text_file("00001000: 0004e000 beef0007\n00003000: 0004e100 00000001\n");
    outcome = tool_run("decode", "--chip=NV40", "--base=0x10000", "--object=0xbeef0007=NV40_3D", log);
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 1 channel 0: 1 segment\n  segment 00010000: 2 words\n");
    expect_printed(&outcome, "submission 2 channel 0: 1 segment\n  segment 00012000: 2 words\n");
    expect_printed(&outcome, "00000001   7 4097 NV40_3D                   0100 NOP");
    outcome_free(&outcome);
    drop(log);
}

static void words_of_a_log_need_a_chip(void **state) {
    char *log = sample_path("../logs/gf100-clear.dmesg");
    struct outcome outcome = tool_run("decode", log);
    (void)state;
    expect_status(2, &outcome);
    expect_said(&outcome, "gf100-clear.dmesg: words in a text (hex) need --chip=CHIP\n");
    outcome_free(&outcome);
    free(log);
}

static void what_is_only_for_words_is_refused_for_captures(void **state) {
    char *capture = sample_path("nvc0-clear.nvcap.xz");
    struct outcome outcome = tool_run("decode", "--base=4", capture);
    (void)state;
    expect_status(2, &outcome);
    expect_said(&outcome, "--base, --ib and --object apply to words, which need --chip");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--chip=GF100", "--base=4", capture);
    expect_status(2, &outcome);
    expect_said(&outcome, "--base, --ib and --object apply to words, and this is a capture");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=GF100", "--base=4", capture);
    expect_status(2, &outcome);
    assert_string_equal(outcome.out, "");
    expect_said(&outcome, "--base, --object, --bind and --ring apply to words, and this is a capture");
    outcome_free(&outcome);
    free(capture);
}

static void a_file_without_words_is_no_capture(void **state) {
    char *log = text_file("nothing here\n");
    struct outcome outcome = tool_run("decode", "--chip=GF100", log);
    (void)state;
    expect_status(2, &outcome);
    expect_said(&outcome, "not a capture");
    expect_said(&outcome, "if it is pushbuffer words: --raw --chip=CHIP");
    outcome_free(&outcome);
    drop(log);
}

static void what_a_text_does_not_have_is_said(void **state) {
    char *log = text_file("00000000: 00 00 01 20 97 90 00 00 01\n");
    struct outcome outcome = tool_run("decode", "--chip=GF100", log);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "SET_OBJECT");
    expect_said(&outcome, ":1: the text is cut off here; what comes before is used\n");
    outcome_free(&outcome);
    drop(log);
}

static void a_listing_of_libdrm_is_decoded_as_its_capture(void **state) {
    char *log = sample_path("../logs/nv40-clear.libdrm");
    struct outcome outcome = tool_run("decode", "--chip=NV40", log);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 1 channel 0: 1 segment\n  segment 00014000: 60 words\n");
    expect_printed(&outcome, "beef3097   7 4097 NV40_3D                   0000 OBJECT");
    outcome_free(&outcome);
    free(log);
}

static void what_libdrm_could_not_list_is_said(void **state) {
    char *log = text_file("nouveau: ch0: krec 0 pushes 1 bufs 0 relocs 0\n"
                          "nouveau: ch0: psh (unmapped) 00000000 0000000000 0000000010\n");
    struct outcome outcome = tool_run("decode", "--chip=NV40", log);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 1 channel 0: 0 segments\n");
    expect_said(&outcome, ":2: 1 segment with fewer words than the text announces\n");
    outcome_free(&outcome);
    drop(log);
}

static void words_of_a_log_run(void **state) {
    char *clear = sample_path("../logs/gf100-clear.dmesg"), *listing = sample_path("../logs/nv40-clear.libdrm");
    struct outcome outcome = tool_run("run", "--chip=GF100", clear);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, ": GF100, 1 submission, 9 words, 6 methods\n");
    expect_printed(&outcome, "  faults        0\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=NV40", "--json", "--stats", listing);
    expect_status(0, &outcome);
    expect_printed(&outcome, "\"methods\":37");
    expect_printed(&outcome, "\"faults\":0");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=GF100", "--trace=pusher.segment", "--base=0x200000", clear);
    expect_printed(&outcome, "pusher.segment address=0x200000 words=9");
    outcome_free(&outcome);
    free(clear);
    free(listing);
}

static void raw_words_run(void **state) {
    char *raw = raw_clear();
    struct outcome outcome = tool_run("run", "--raw", "--chip=GF100", raw);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, ": GF100, 1 submission, 9 words, 6 methods\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=GF100", raw);
    expect_status(2, &outcome);
    expect_said(&outcome, "not a capture");
    outcome_free(&outcome);
    outcome = tool_run("run", "--raw", raw);
    expect_status(2, &outcome);
    expect_said(&outcome, "--raw needs --chip");
    outcome_free(&outcome);
    outcome = tool_run("run", "--object=1=4097", raw);
    expect_status(2, &outcome);
    expect_said(&outcome, "--base, --object, --bind and --ring apply to words, which need --chip");
    outcome_free(&outcome);
    outcome = tool_run("run", "--raw", "--chip=GF100", "--", "true");
    expect_status(2, &outcome);
    expect_said(&outcome, "--raw, --base, --object, --bind and --ring apply to words");
    outcome_free(&outcome);
    drop(raw);
}

static void a_fault_of_words_in_a_log_has_their_line(void **state) {
    char *log = text_file("something\n0004e000 beef0007\n");
    struct outcome outcome = tool_run("run", "--chip=NV40", log);
    (void)state;
    expect_status(1, &outcome);
    expect_printed(&outcome, "CACHE_ERROR HASH_FAILED");
    expect_printed(&outcome, "word 0xbeef0007 at 0x100004, buffer 1 + 0x4, line 2: subchannel 7");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=NV40", "--json", log);
    expect_status(1, &outcome);
    expect_printed(&outcome, ",\"text_line\":2,");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=NV40", "--object=0xbeef0007=NV40_3D", log);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", log);
    expect_status(2, &outcome);
    expect_said(&outcome, "words in a text (hex) need --chip=CHIP");
    outcome_free(&outcome);
    outcome = tool_run_from(log, (const char *const[]){"run", "--chip=NV40", "-", NULL});
    expect_status(1, &outcome);
    expect_printed(&outcome, "line 2: subchannel 7");
    outcome_free(&outcome);
    drop(log);
}

/* What does this trace do, and what does the model make of it? All of it is of an NV2A. */
static void what_does_this_xemu_trace_do(void **state) {
    char *log = sample_path("../logs/nv2a-frame.xemu");
    struct outcome outcome = tool_run("decode", log);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 1 channel 0: 2 segments\n");
    expect_printed(&outcome, "11aa0097   0 0097 NV20_3D                   0000 OBJECT");
    expect_printed(&outcome, "-> NV20_3D");
    expect_said(&outcome, "nv2a-frame.xemu:21: 1 segment with fewer words than the text announces\n");
    outcome_free(&outcome);
    outcome = tool_run("grep", "CLEAR_SURFACE", log);
    expect_status(0, &outcome);
    expect_printed(&outcome, "000000f3   0 0097 NV20_3D                   1d94 CLEAR_BUFFERS");
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", log);
    expect_status(0, &outcome);
    expect_printed(&outcome, "\"chip\":\"NV2A\"");
    expect_printed(&outcome, "\"faults\":0");
    expect_printed(&outcome, "\"method_name\":\"VERTEX_BEGIN_END\"");
    outcome_free(&outcome);
    outcome = tool_run("image", log);
    expect_status(0, &outcome);
    expect_printed(&outcome, "0x3c0000       target:0     A8R8G8B8          pitch      640x480        2 clears");
    outcome_free(&outcome);
    outcome = tool_run("diff", log, log);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    free(log);
}

/* The same of a frame that RPCS3 has captured, which is packed. */
static void what_does_this_frame_of_rpcs3_do(void **state) {
    char *frame = sample_path("../traces/rsx-frame.rrc.gz");
    struct outcome outcome = tool_run("decode", frame);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 3 channel 0: 1 segment\n");
    expect_printed(&outcome, "-> NV40_3D");
    outcome_free(&outcome);
    outcome = tool_run("grep", "NV4097_CLEAR_SURFACE", frame);
    expect_status(0, &outcome);
    expect_printed(&outcome, "000000f3   0 4097 NV40_3D                   1d94 CLEAR_BUFFERS");
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", frame);
    expect_status(0, &outcome);
    expect_printed(&outcome, "\"chip\":\"RSX\"");
    expect_printed(&outcome, "\"faults\":0");
    expect_printed(&outcome, "\"method_name\":\"VERTEX_BEGIN_END\"");
    outcome_free(&outcome);
    outcome = tool_run("state", "--class=NV40_3D", frame);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("diff", frame, frame);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--base=0x1000", "--chip=RSX", frame);
    expect_status(2, &outcome);
    expect_said(&outcome, "apply to words, and this is a capture");
    outcome_free(&outcome);
    free(frame);
}

/* And of a recording of valgrind-mmt, demmt's input, on nouveau and on NVIDIA's driver. */
static void what_does_this_recording_of_valgrind_mmt_do(void **state) {
    static const char *const verbs[] = {"decode", "run"};
    char *trace = sample_path("../traces/gf100-clear.mmt"), *other = temporary_path(".mmt"),
         *nvidia = sample_path("../../tests/fuzz/corpus/foreign/mmt_nvrm_gf100");
    struct outcome outcome = tool_run("decode", trace);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 1 channel 0: 1 segment\n  segment 0020000040: 17 words\n");
    expect_printed(&outcome, "19d0 CLEAR_SURFACE");
    outcome_free(&outcome);
    outcome = tool_run("run", trace);
    expect_status(0, &outcome);
    expect_printed(&outcome, "gf100-clear.mmt: GF100, 1 submission, 17 words, 11 methods\n");
    expect_printed(&outcome, "  faults        0\n");
    outcome_free(&outcome);
    outcome = tool_run("lint", trace);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", nvidia);
    expect_status(0, &outcome);
    expect_printed(&outcome, "mmt_nvrm_gf100: GF100, 3 submissions, 4 words, 3 methods\n");
    expect_printed(&outcome, "  faults        0\n");
    outcome_free(&outcome);
    write_file(other, "==77== mmt\nnq\0\0\0\n", 17);
    for (size_t i = 0; i < 2; i++) {
        outcome = tool_run(verbs[i], "--chip=NV40", other);
        expect_status(2, &outcome);
        expect_said(&outcome, "offset 11: no message of valgrind-mmt begins with 'n', 0x71");
        outcome_free(&outcome);
    }
    free(trace);
    free(nvidia);
    drop(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_in_a_log_are_decoded_as_the_same_raw_words),
        cmocka_unit_test(all_commands_that_look_at_words_take_a_log),
        cmocka_unit_test(words_of_a_log_come_from_standard_input_too),
        cmocka_unit_test(addresses_of_a_dump_are_those_of_the_words),
        cmocka_unit_test(dumps_that_go_on_elsewhere_are_submissions),
        cmocka_unit_test(words_of_a_log_need_a_chip),
        cmocka_unit_test(what_is_only_for_words_is_refused_for_captures),
        cmocka_unit_test(a_file_without_words_is_no_capture),
        cmocka_unit_test(what_a_text_does_not_have_is_said),
        cmocka_unit_test(a_listing_of_libdrm_is_decoded_as_its_capture),
        cmocka_unit_test(what_libdrm_could_not_list_is_said),
        cmocka_unit_test(words_of_a_log_run),
        cmocka_unit_test(raw_words_run),
        cmocka_unit_test(a_fault_of_words_in_a_log_has_their_line),
        cmocka_unit_test(what_does_this_xemu_trace_do),
        cmocka_unit_test(what_does_this_frame_of_rpcs3_do),
        cmocka_unit_test(what_does_this_recording_of_valgrind_mmt_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
