/* SPDX-License-Identifier: MIT */
/* Words of what xemu logs: methods behind the puller become the words that would do the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/words.h>

#include "memory/little_endian.h"

static struct pfifo_words *read_text(const char *text) {
    struct pfifo_error error = {0};
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "xemu.log", &error);

    if (!words)
        fail_msg("%s in: %.400s", error.message, text);
    assert_string_equal(pfifo_words_info(words).format, "xemu");
    return words;
}

static void expect_words(const char *text, const uint32_t *expected, size_t count) {
    struct pfifo_words *words = read_text(text);
    size_t bytes;
    const uint8_t *data = pfifo_words_data(words, &bytes);

    for (size_t i = 0; i < count && 4 * i < bytes; i++)
        if (load_le32(data + 4 * i) != expected[i])
            fail_msg("word %zu is %08x, not %08x, in: %s", i, load_le32(data + 4 * i), expected[i], text);
    if (bytes != 4 * count)
        fail_msg("%zu words, not %zu, in: %s", bytes / 4, count, text);
    pfifo_words_free(words);
}

static void expect_refused(const char *text, const char *reason) {
    struct pfifo_error error = {0};
    char whole[256];

    snprintf(whole, sizeof whole, "nv2a_pgraph_method 0: 0x97 -> 0x100 (0x0)\n%s\n", text);
    if (pfifo_words_read(whole, strlen(whole), "xemu.log", &error))
        fail_msg("read: %s", text);
    if (strcmp(error.message, reason) != 0)
        fail_msg("'%s', not '%s'", error.message, reason);
    assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
}

/* All of them are the same method. */
static void all_forms_in_which_xemu_logs_a_method_are_read(void **state) {
    static const char *const lines[] = {
        "nv2a_pgraph_method 0: 0x97 -> 0x1d94 NV097_CLEAR_SURFACE[0] 0xf3\n",
        "4711@1700000000.123456:nv2a_pgraph_method 0: 0x97 -> 0x1d94 NV097_CLEAR_SURFACE[0] 0xf3\n",
        "nv2a_pgraph_method 0: 0x97 -> 0x1d94 ? 0xf3\r\n",
        "nv2a_pgraph_method 0: 0x97 -> 0x1d94 0xF3\n",
        "nv2a_pgraph_method_unhandled (0): 0x97 -> 0x1d94 (0xf3)\n",
        "nv2a: pgraph method (0): 0x97 -> 0x1d94 (0xf3)\n",
        "pgraph method (0): NV097_CLEAR_SURFACE (0xf3)\n",
        "nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_CLEAR_SURFACE<0x1D94> (0xF3 {COLOR, DEPTH})\n",
        "nv2a_pgraph_method 0: 0x97 -> NV097_CLEAR_SURFACE<0x1d94> (243 <0xf3>)\n",
        "nv2a_pgraph_method 0: 0x97 -> NV097_CLEAR_SURFACE (0xf3)",
    };
    static const uint32_t words[] = {0x00040000, 0x00000097, 0x00041d94, 0x000000f3};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_words(lines[i], words, 4);
}

static void an_offset_of_xemus_counts_bytes_from_the_named_method(void **state) {
    static const uint32_t words[] = {0x00040000, 0x97, 0x00040a24, 0x43008800};
    (void)state;
    expect_words("pgraph method (0): NV097_SET_VIEWPORT_OFFSET[4] (0x43008800)\n", words, 4);
}

static void methods_that_follow_each_other_are_a_packet(void **state) {
    static const uint32_t increasing[] = {0x00040000, 0x97, 0x000c0200, 1, 2, 3, 0x00040300, 4};
    static const uint32_t the_same[] = {0x00040000, 0x97, 0x400c1818, 1, 2, 3, 0x0004181c, 4};
    (void)state;
    expect_words("nv2a_pgraph_method 0: 0x97 -> 0x200 0x1\nnv2a_pgraph_method 0: 0x97 -> 0x204 0x2\n"
                 "nv2a_pgraph_method 0: 0x97 -> 0x208 0x3\nnv2a_pgraph_method 0: 0x97 -> 0x300 0x4\n",
                 increasing, 8);
    expect_words("nv2a_pgraph_method 0: 0x97 -> 0x1818 0x1\nnv2a_pgraph_method 0: 0x97 -> 0x1818 0x2\n"
                 "nv2a_pgraph_method 0: 0x97 -> 0x1818 0x3\nnv2a_pgraph_method 0: 0x97 -> 0x181c 0x4\n",
                 the_same, 8);
}

/* Handles have the class in the low half, and the instance, by 16, in the other. */
static void an_object_is_bound_where_the_class_of_a_subchannel_is_another(void **state) {
    static const uint32_t words[] = {0x00040000, 0x97, 0x00040100, 0,          0x00042000, 0x14cf0039, 0x00042100, 0,
                                     0x00040104, 0,    0x00042000, 0x0000009f, 0x00082108, 0,          1};
    (void)state;
    expect_words("nv2a_pgraph_method 0: 0x97 -> 0x100 (0x0)\nnv2a_pgraph_method 1: 0x39 -> 0x0 (0x14cf0)\n"
                 "nv2a_pgraph_method 1: 0x39 -> 0x100 (0x0)\nnv2a_pgraph_method 0: 0x97 -> 0x104 (0x0)\n"
                 "nv2a_pgraph_method 1: 0x9f -> 0x108 (0x0)\nnv2a_pgraph_method 1: 0x9f -> 0x10c (0x1)\n",
                 words, 15);
}

/* The log has instances: of an object that was bound, of a DMA object, and of none. */
static void binding_what_is_bound_ends_a_packet(void **state) {
    static const uint32_t words[] = {0x00040000, 0x00010097, 0x00040100, 0, 0x00040000, 0x00020097};
    (void)state;
    expect_words("nv2a_pgraph_method 0: 0x97 -> 0x0 0x10\nnv2a_pgraph_method 0: 0x97 -> 0x100 0x0\n"
                 "nv2a_pgraph_method 0: 0x97 -> 0x0 0x10\nnv2a_pgraph_method 0: 0x97 -> 0x0 0x20\n",
                 words, 6);
}

static void instances_of_context_methods_become_handles_again(void **state) {
    static const uint32_t words[] = {0x00040000, 0x12340062, 0x00042000, 0x0000009f,
                                     0x000c219c, 0x12340062, 0xbeef0201, 0x00000000};
    (void)state;
    expect_words("nv2a_pgraph_method 0: 0x62 -> 0x0 (0x12340)\nnv2a_pgraph_method 1: 0x9f -> 0x19c (0x12340)\n"
                 "nv2a_pgraph_method 1: 0x9f -> 0x1a0 (0x11a20)\nnv2a_pgraph_method 1: 0x9f -> 0x1a4 (0x0)\n",
                 words, 8);
}

static void a_method_that_xemu_does_not_execute_is_logged_twice_and_counts_once(void **state) {
    static const uint32_t words[] = {0x00040000, 0x97, 0x00040294, 0x20001};
    static const uint32_t three[] = {0x00040000, 0x97, 0x40080294, 1, 1};
    (void)state;
    expect_words("nv2a_pgraph_method 0: 0x97 -> 0x0294 ?[0] 0x20001\n"
                 "nv2a_pgraph_method_unhandled 0: 0x97 -> 0x0294 0x20001\n",
                 words, 4);
    expect_words("nv2a_pgraph_method 0: 0x97 -> 0x294 ? 0x1\nnv2a_pgraph_method_unhandled 0: 0x97 -> 0x294 0x1\n"
                 "nv2a_pgraph_method 0: 0x97 -> 0x294 ? 0x1\nnv2a_pgraph_method_unhandled 0: 0x97 -> 0x294 0x1\n",
                 three, 5);
}

static void frames_of_xemu_are_submissions(void **state) {
    struct pfifo_words *words = read_text("nv2a_pgraph_method 0: 0x97 -> 0x100 0x1\n"
                                          "nv2a_pgraph_method 0: 0x97 -> 0x130 NV097_FLIP_STALL[0] 0x0\n"
                                          "nv2a_pgraph_flip_stall\n"
                                          "nv2a_pgraph_method 0: 0x97 -> 0x100 0x2\n");
    struct pfifo_words_info info = pfifo_words_info(words);
    (void)state;
    assert_string_equal(info.chip, "NV2A");
    assert_true(info.has_channels);
    assert_int_equal(info.submissions, 2);
    assert_int_equal(info.segments, 2);
    assert_int_equal(pfifo_words_segment(words, 1).submission, 2);
    assert_int_equal(pfifo_words_segment(words, 1).line, 4);
    assert_int_equal(pfifo_words_line(words, 7), 4);
    pfifo_words_free(words);
}

/* xemu counts the methods after the first. */
static void data_that_xemu_abbreviates_are_known_to_be_missing(void **state) {
    struct pfifo_words *words = read_text("nv2a_pgraph_method 0: 0x97 -> 0x17fc NV097_SET_BEGIN_END[0] 0x5\n"
                                          "nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1800 NV097_ARRAY_ELEMENT16 * 11\n"
                                          "nv2a_pgraph_method 0: 0x97 -> 0x17fc NV097_SET_BEGIN_END[0] 0x0\n");
    struct pfifo_words_info info = pfifo_words_info(words);
    (void)state;
    assert_int_equal(info.segments, 3);
    assert_int_equal(info.missing, 1);
    assert_int_equal(info.missing_line, 2);
    assert_int_equal(pfifo_words_segment(words, 1).missing, 12);
    assert_int_equal(pfifo_words_segment(words, 1).count, 0);
    assert_int_equal(info.words, 6);
    pfifo_words_free(words);
}

static void other_lines_of_xemu_are_passed_over(void **state) {
    static const uint32_t words[] = {0x00040000, 0x97, 0x00040100, 0};
    (void)state;
    expect_words("xemu_version: 0.8\nnv2a_reg_write PFIFO addr 0x3240 size 4 val 0x1000\n"
                 "nv2a_pgraph_surface_target  Target: [COLOR @ 0x003c0000] (ln) aa:0 clip:x=0,w=640,y=0,h=480\n"
                 "nv2a_pgraph_method -1: 0x0 -> 0x0000 frame_draw 1   [0] 0x0\n"
                 "nv2a_pgraph_method 0: 0x97 -> 0x100 (0x0)\nnv2a_pgraph_flip_increment_write 0x0 -> 0x1\n",
                 words, 4);
}

static void a_line_of_xemu_that_is_damaged_is_refused(void **state) {
    (void)state;
    expect_refused("nv2a_pgraph_method 8: 0x97 -> 0x100 (0x0)", "xemu.log:2: subchannels are 0 to 7");
    expect_refused("nv2a_pgraph_method 0: 97 -> 0x100 (0x0)",
                   "xemu.log:2: no class, such as 0x97, after the subchannel");
    expect_refused("nv2a_pgraph_method 0: 0x97 0x100 (0x0)", "xemu.log:2: no -> after the class");
    expect_refused("nv2a_pgraph_method 0: 0x97 -> NV097_SET_NOTHING (0x0)",
                   "xemu.log:2: no number of a method, such as 0x1d94, and no name that the class has");
    expect_refused("nv2a_pgraph_method 0: 0x97 -> 0x2000 (0x0)",
                   "xemu.log:2: methods are multiples of 4, below 0x2000");
    expect_refused("nv2a_pgraph_method 0: 0x97 -> 0x102 (0x0)", "xemu.log:2: methods are multiples of 4, below 0x2000");
    expect_refused("nv2a_pgraph_method 0: 0x97 -> 0x100 NV097_NO_OPERATION[0]",
                   "xemu.log:2: no data, such as 0x10 or (0x10), after the method");
    expect_refused("nv2a_pgraph_method 0: 0x97 -> 0x100 (0x123456789)",
                   "xemu.log:2: no data, such as 0x10 or (0x10), after the method");
}

/* A log of a program that was ended may stop anywhere in a line. */
static void a_log_of_xemu_may_be_cut_off(void **state) {
    static const char text[] = "nv2a_pgraph_method 0: 0x97 -> 0x100 (0x0)\nnv2a_pgraph_method 0: 0x97 -> 0x104 (0x1";
    struct pfifo_error error = {0};
    struct pfifo_words *words;
    (void)state;
    for (size_t bytes = strlen("nv2a_pgraph_method 0: 0x97 -> 0x100 (0x0)"); bytes < sizeof text; bytes++) {
        words = pfifo_words_read(text, bytes, "xemu.log", &error);
        if (!words)
            fail_msg("%zu bytes: %s", bytes, error.message);
        assert_true(pfifo_words_info(words).words >= 4 && pfifo_words_info(words).words <= 5);
        if (pfifo_words_info(words).cut)
            assert_int_equal(pfifo_words_info(words).cut_line, 2);
        pfifo_words_free(words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_in_which_xemu_logs_a_method_are_read),
        cmocka_unit_test(an_offset_of_xemus_counts_bytes_from_the_named_method),
        cmocka_unit_test(methods_that_follow_each_other_are_a_packet),
        cmocka_unit_test(an_object_is_bound_where_the_class_of_a_subchannel_is_another),
        cmocka_unit_test(binding_what_is_bound_ends_a_packet),
        cmocka_unit_test(instances_of_context_methods_become_handles_again),
        cmocka_unit_test(a_method_that_xemu_does_not_execute_is_logged_twice_and_counts_once),
        cmocka_unit_test(frames_of_xemu_are_submissions),
        cmocka_unit_test(data_that_xemu_abbreviates_are_known_to_be_missing),
        cmocka_unit_test(other_lines_of_xemu_are_passed_over),
        cmocka_unit_test(a_line_of_xemu_that_is_damaged_is_refused),
        cmocka_unit_test(a_log_of_xemu_may_be_cut_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
