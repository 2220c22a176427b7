/* SPDX-License-Identifier: MIT */
/* Words in what other tools list: libdrm, Mesa and demmt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/words.h>

#include "memory/little_endian.h"

#define LIBDRM_HEAD                                                                                                    \
    "nouveau: ch3: krec 0 pushes 2 bufs 2 relocs 1\n"                                                                  \
    "nouveau: ch3: buf 00000000 00000007 00000004 00000004 00000000 0x7f3a1000 0x20004000 0x80000\n"                   \
    "nouveau: ch3: buf 00000001 00000008 00000002 00000000 00000002 (nil) 0x30000000 0x1000\n"                         \
    "nouveau: ch3: rel 00000000 00000004 00000001 00000001 00000000 00000000 00000000\n"
#define LIBDRM_PUSH                                                                                                    \
    "nouveau: ch3: psh 00000000 0000000010 0000000018\n"                                                               \
    "nouveau: \t0x20010000\n"                                                                                          \
    "nouveau: \t0x00009097\n"

static struct pfifo_words *read_text(const char *text, const char *format) {
    struct pfifo_error error = {0};
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "a.log", &error);

    if (!words)
        fail_msg("%s in: %.400s", error.message, text);
    assert_true(pfifo_words_recognise(text, strlen(text)));
    assert_string_equal(pfifo_words_info(words).format, format);
    return words;
}

static void expect_refused(const char *text, enum pfifo_status status, const char *reason) {
    struct pfifo_error error = {0};

    if (pfifo_words_read(text, strlen(text), "a.log", &error))
        fail_msg("read: %s", text);
    if (strcmp(error.message, reason) != 0)
        fail_msg("'%s', not '%s'", error.message, reason);
    assert_int_equal(error.status, status);
}

static uint32_t word(const struct pfifo_words *words, size_t index) {
    size_t bytes;
    const uint8_t *data = pfifo_words_data(words, &bytes);

    assert_true(4 * index < bytes);
    return load_le32(data + 4 * index);
}

static void a_listing_of_libdrm_has_channels_submissions_and_segments(void **state) {
    struct pfifo_words *words =
        read_text("glxgears starts\n" LIBDRM_HEAD LIBDRM_PUSH
                  "fps: 60\nnouveau: ch3: psh 00000000 0000000020 0000800024\nnouveau: \t0x00000001\n"
                  "nouveau: ch1: krec 0 pushes 1 bufs 0 relocs 0\n"
                  "nouveau: ch1: psh 00000000 0000000000 0000000004\nnouveau: \t0x00000002\n",
                  "libdrm");
    (void)state;
    struct pfifo_words_info info = pfifo_words_info(words);
    assert_true(info.has_channels);
    assert_int_equal(info.segments, 3);
    assert_int_equal(info.submissions, 2);
    assert_int_equal(info.words, 4);
    assert_int_equal(info.missing, 0);
    assert_false(info.cut);
    struct pfifo_words_segment segment = pfifo_words_segment(words, 0);
    assert_int_equal(segment.channel, 3);
    assert_int_equal(segment.submission, 1);
    assert_true(segment.has_address);
    assert_int_equal(segment.address, 0x20004010);
    assert_int_equal(segment.line, 6);
    assert_false(segment.no_prefetch);
    segment = pfifo_words_segment(words, 1);
    assert_int_equal(segment.address, 0x20004020);
    assert_true(segment.no_prefetch);
    assert_int_equal(segment.submission, 1);
    segment = pfifo_words_segment(words, 2);
    assert_int_equal(segment.channel, 1);
    assert_int_equal(segment.submission, 2);
    assert_false(segment.has_address);
    assert_int_equal(pfifo_words_line(words, 1), 8);
    assert_int_equal(word(words, 1), 0x9097);
    assert_int_equal(word(words, 3), 2);
    pfifo_words_free(words);
}

static void segments_that_are_not_mapped_are_known_to_miss_their_words(void **state) {
    struct pfifo_words *words =
        read_text(LIBDRM_HEAD "nouveau: ch3: psh (unmapped) 00000001 0000000000 0000000100\n" LIBDRM_PUSH, "libdrm");
    (void)state;
    assert_int_equal(pfifo_words_segment(words, 0).missing, 64);
    assert_int_equal(pfifo_words_segment(words, 0).count, 0);
    assert_int_equal(pfifo_words_segment(words, 0).address, 0x30000000);
    assert_int_equal(pfifo_words_segment(words, 1).count, 2);
    assert_int_equal(pfifo_words_info(words).missing, 1);
    assert_int_equal(pfifo_words_info(words).missing_line, 5);
    pfifo_words_free(words);
}

/* With NOUVEAU_LIBDRM_OUT a listing may end anywhere: what was in libdrm's buffer is lost when a program is killed. */
static void a_listing_of_libdrm_may_be_cut_off(void **state) {
    static const char *const texts[] = {
        LIBDRM_HEAD "nouveau: ch3: psh 00000000 0000000010 000000001c\nnouveau: \t0x20010000\nnouveau: \t0x00009097\n",
        LIBDRM_HEAD "nouveau: ch3: psh 00000000 0000000010 000000001c\nnouveau: \t0x20010000\nnouveau: \t0x00009097\n"
                    "nouveau: \t0x0000",
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct pfifo_words *words = read_text(texts[i], "libdrm");
        assert_true(pfifo_words_info(words).cut);
        assert_int_equal(pfifo_words_info(words).cut_line, 7 + i);
        assert_int_equal(pfifo_words_info(words).words, 2);
        assert_int_equal(pfifo_words_segment(words, 0).missing, 1);
        pfifo_words_free(words);
    }
}

/* The kernel's answer comes after a submission, and then libdrm lists it again, as the next krec. */
static void a_submission_that_the_kernel_rejects_comes_once(void **state) {
    static const char again[] = "nouveau: ch3: krec 1 pushes 1 bufs 0 relocs 0\n" LIBDRM_PUSH;
    static const char rejected[] = "nouveau: kernel rejected pushbuf: No such file or directory\n";
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, "%s%s%s%s", LIBDRM_HEAD, LIBDRM_PUSH, rejected, again);
    struct pfifo_words *words = read_text(text, "libdrm");
    assert_int_equal(pfifo_words_info(words).submissions, 1);
    assert_int_equal(pfifo_words_info(words).words, 2);
    pfifo_words_free(words);
    snprintf(text, sizeof text, "%s%s%s", LIBDRM_HEAD, LIBDRM_PUSH, again);
    words = read_text(text, "libdrm");
    assert_int_equal(pfifo_words_info(words).submissions, 2);
    pfifo_words_free(words);
    /* The next ones are not the second listing of anything. */
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", LIBDRM_HEAD, LIBDRM_PUSH, rejected, again, LIBDRM_HEAD, LIBDRM_PUSH,
             again);
    words = read_text(text, "libdrm");
    assert_int_equal(pfifo_words_info(words).submissions, 3);
    pfifo_words_free(words);
    /* Without NOUVEAU_LIBDRM_DEBUG only those are listed that are rejected. */
    snprintf(text, sizeof text, "%s%s%s", rejected, LIBDRM_HEAD, LIBDRM_PUSH);
    words = read_text(text, "libdrm");
    assert_int_equal(pfifo_words_info(words).submissions, 1);
    pfifo_words_free(words);
}

static void a_listing_of_libdrm_that_is_damaged_is_refused(void **state) {
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {LIBDRM_HEAD "nouveau: ch3: psh 00000000 0000000010 000000001c\nnouveau: \t0x20010000\n" LIBDRM_PUSH,
         "a.log:5: the segment has 1 of 3 words"},
        {LIBDRM_HEAD LIBDRM_PUSH "nouveau: \t0x00000000\n", "a.log:8: a word that is in no segment"},
        {LIBDRM_HEAD LIBDRM_PUSH "nouveau: \t0x000000\n", "a.log:8: not a word of 8 digits"},
        {LIBDRM_HEAD "nouveau: ch4: psh 00000000 0000000010 0000000014\n",
         "a.log:5: channel 4 inside of a submission of channel 3"},
        {LIBDRM_HEAD "nouveau: ch3: psh 00000000 0000000014 0000000010\n",
         "a.log:5: not a segment: no buffer and two offsets of words"},
        {"nouveau: ch3: krec 0\nnouveau: ch3: buf 00000000 00000007\nnouveau: ch3: psh 0 0 0\n",
         "a.log:2: a buffer with less than eight numbers"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_refused(rows[i].text, PFIFO_ERROR_FORMAT, rows[i].reason);
}

static void the_text_of_demmt_has_words_and_entries_of_the_ring(void **state) {
    struct pfifo_words *words = read_text("w 4:0x0000, 0x20000000  IB: addrlow: 0x20000000\n"
                                          "w 4:0x0004, 0x00000800  IB: address: 0x20000000, size: 2, buffer id: 3\n"
                                          "PB: 0x20010000 size 1, subchannel 0, offset 0x0000, increment\n"
                                          "LOG: something\n"
                                          "PB: 0x00009097   GF100_3D mapped to subchannel 0\n"
                                          "w 4:0x0008, 0x20001000  IB: addrlow: 0x20001000\n"
                                          "w 4:0x000c, 0x80000400  IB: address: 0x20001000, size: 1, no_prefetch?\n"
                                          "PB: 0x80000040 \n"
                                          "w 4:0x000c, 0x00000400  IB: address: 0x20002000, size: 3, not found!\n",
                                          "demmt");
    (void)state;
    assert_int_equal(pfifo_words_info(words).segments, 3);
    assert_int_equal(pfifo_words_info(words).words, 3);
    assert_int_equal(pfifo_words_segment(words, 0).address, 0x20000000);
    assert_int_equal(pfifo_words_segment(words, 0).count, 2);
    assert_int_equal(pfifo_words_segment(words, 1).address, 0x20001000);
    assert_int_equal(pfifo_words_segment(words, 1).submission, 2);
    assert_true(pfifo_words_segment(words, 1).no_prefetch);
    assert_int_equal(pfifo_words_segment(words, 2).missing, 3);
    assert_int_equal(pfifo_words_info(words).missing_line, 9);
    assert_int_equal(word(words, 2), 0x80000040);
    assert_int_equal(pfifo_words_line(words, 1), 5);
    pfifo_words_free(words);
}

static void the_text_of_demmt_may_have_words_alone(void **state) {
    struct pfifo_words *words = read_text("PB: 0x00000001 NOP\nPB: 0x00000002\nPB: 0x000000", "demmt");
    (void)state;
    assert_int_equal(pfifo_words_info(words).segments, 1);
    assert_false(pfifo_words_segment(words, 0).has_address);
    assert_int_equal(pfifo_words_info(words).words, 2);
    assert_true(pfifo_words_info(words).cut);
    pfifo_words_free(words);
    expect_refused("PB: 0x00000001 NOP\nPB: 0x0000002 NOP\n", PFIFO_ERROR_FORMAT,
                   "a.log:2: not a word of 8 digits after PB:");
}

static void a_jump_that_demmt_does_not_print_is_missing(void **state) {
    struct pfifo_words *words = read_text("PB: 0x00000001 NOP\n"
                                          "LOG: decoding aborted, cmd: \"jump to 0x10000\", nextaddr: 0x00010000\n"
                                          "PB: 0x00000002 NOP\n",
                                          "demmt");
    (void)state;
    assert_int_equal(pfifo_words_info(words).segments, 2);
    assert_int_equal(pfifo_words_segment(words, 0).missing, 1);
    assert_int_equal(pfifo_words_segment(words, 1).count, 1);
    pfifo_words_free(words);
}

#define NVK_BIND                                                                                                       \
    "[0x00000000] HDR 20010000 subch 0 NINC\n\tmthd 0000 NV9097_SET_OBJECT\n\t\t.CLASS_ID = (0x9097)\n"                \
    "\t\t.ENGINE_ID = (0x1f)\n\n"
#define NVK_COLORS                                                                                                     \
    "[0x00000002] HDR 20020360 subch 0 NINC\n\tmthd 0d80 NV9097_SET_COLOR_CLEAR_VALUE(0)\n"                            \
    "\t\t.V = 0.250000f (0x3e800000)\n\tmthd 0d84 NV9097_SET_COLOR_CLEAR_VALUE(1)\n\t\t.V = 0.500000f "                \
    "(0x3f000000)\n\n"
#define NVK_CLEAR                                                                                                      \
    "\tmthd 19d0 NV9097_CLEAR_SURFACE\n\t\t.Z_ENABLE = FALSE\n\t\t.STENCIL_ENABLE = FALSE\n\t\t.R_ENABLE = TRUE\n"     \
    "\t\t.G_ENABLE = TRUE\n\t\t.B_ENABLE = TRUE\n\t\t.A_ENABLE = TRUE\n\t\t.MRT_SELECT = (0x1)\n"                      \
    "\t\t.RT_ARRAY_INDEX = (0x2)\n\n"

/* Numbers, floats, names of values; an immediate header; a method that Mesa does not know. */
static void words_are_put_together_from_mesas_fields(void **state) {
    static const uint32_t expected[] = {0x20010000, 0x001f9097, 0x20020360, 0x3e800000, 0x3f000000,
                                        0x803c0674, 0x20010674, 0x0000087c, 0x60020fff, 0xdeadbeef,
                                        1,          0x20010040, 0x12345678};
    struct pfifo_words *words =
        read_text("MESA: warning\n" NVK_BIND NVK_COLORS "[0x00000005] HDR 803c0674 subch 0 IMMD\n" NVK_CLEAR
                  "[0x00000006] HDR 20010674 subch 0 NINC\n" NVK_CLEAR "[0x00000008] HDR 60020fff subch 0 0INC\n"
                  "\tmthd 3ffc unknown method\n\t\t.VALUE = 0xdeadbeef\nfps: 60\n\tmthd 3ffc unknown method\n"
                  "\t\t.VALUE = 0x1\n\n[0x00000000] HDR 20010040 subch 0 NINC\n\tmthd 0100 NV9097_NO_OPERATION\n"
                  "\t\t.V = (0x12345678)\n",
                  "nvk");
    (void)state;
    assert_int_equal(pfifo_words_info(words).words, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(word(words, i), expected[i]);
    assert_int_equal(pfifo_words_info(words).segments, 2);
    assert_int_equal(pfifo_words_info(words).submissions, 2);
    assert_int_equal(pfifo_words_segment(words, 0).count, 11);
    assert_false(pfifo_words_info(words).cut);
    assert_int_equal(pfifo_words_info(words).missing, 0);
    assert_int_equal(pfifo_words_line(words, 4), 10);
    pfifo_words_free(words);
}

/* Of a method without fields Mesa prints no data. */
static void data_that_mesa_does_not_print_is_missing(void **state) {
    struct pfifo_words *words =
        read_text(NVK_BIND "[0x00000002] HDR 20020360 subch 0 NINC\n\tmthd 0d80 NV9097_SET_COLOR_CLEAR_VALUE(0)\n"
                           "\tmthd 0d84 NV9097_SET_COLOR_CLEAR_VALUE(1)\n\t\t.V = 0.500000f (0x3f000000)\n\n"
                           "[0x00000005] HDR 20010674 subch 0 NINC\n" NVK_CLEAR,
                  "nvk");
    (void)state;
    assert_int_equal(pfifo_words_info(words).segments, 2);
    assert_int_equal(pfifo_words_info(words).submissions, 1);
    assert_int_equal(pfifo_words_segment(words, 0).count, 3);
    assert_int_equal(pfifo_words_segment(words, 0).missing, 2);
    assert_int_equal(pfifo_words_segment(words, 1).count, 2);
    assert_int_equal(pfifo_words_segment(words, 1).missing, 0);
    pfifo_words_free(words);
}

/* The commands before it are whole, so only the header itself says that there was more. */
static void a_header_of_mesas_that_is_cut_off_is_told(void **state) {
    static const char last[] = "[0x00000002] HDR 20010674 subch ";
    (void)state;
    for (size_t bytes = strlen("[0x"); bytes < strlen(last); bytes++) {
        char text[512];
        snprintf(text, sizeof text, NVK_BIND "%.*s", (int)bytes, last);
        struct pfifo_words *words = read_text(text, "nvk");
        assert_int_equal(pfifo_words_info(words).words, 2);
        assert_int_equal(pfifo_words_info(words).missing, 0);
        assert_true(pfifo_words_info(words).cut);
        assert_true(pfifo_words_info(words).cut_line > 1);
        pfifo_words_free(words);
    }
}

/* At whatever byte: a word whose last field is not there is left out. */
static void mesas_fields_may_be_cut_off(void **state) {
    static const char text[] = NVK_BIND NVK_COLORS;
    (void)state;
    for (size_t bytes = strlen("[0x00000000] HDR 20010000 subch "); bytes < sizeof text; bytes++) {
        struct pfifo_error error = {0};
        struct pfifo_words *words = pfifo_words_read(text, bytes, "a.log", &error);
        if (!words)
            fail_msg("%zu bytes: %s", bytes, error.message);
        size_t count = pfifo_words_info(words).words;
        assert_true(count <= 5);
        if (count > 1 && word(words, 1) != 0x001f9097 && word(words, 1) != 0x00009097)
            fail_msg("%zu bytes: %08x", bytes, word(words, 1));
        if (count > 3)
            assert_int_equal(word(words, 3), 0x3e800000);
        if (count > 4)
            assert_int_equal(word(words, 4), 0x3f000000);
        pfifo_words_free(words);
    }
}

static void a_listing_of_mesa_that_is_damaged_is_refused(void **state) {
    (void)state;
    expect_refused(NVK_BIND "[0x00000002] HDR 20020360 subch 0 NINC\n[0x00000005] HDR 803c0674 subch 0 IMMD\n",
                   PFIFO_ERROR_FORMAT, "a.log:6: the packet has 0 of 2 words");
    expect_refused("[0x00000000] HDR 20010000 subch 0 NINC\n\tmthd 0000 NV9097_SET_OBJECT\n\t\t.COLOUR = (0x1)\n",
                   PFIFO_ERROR_FORMAT, "a.log:3: the method has no field 'COLOUR'");
    expect_refused("[0x00000000] HDR 20010000 subch 0 NINC\n\tmthd 0000 NV9097_SET_OBJECT\n\t\t.CLASS_ID = (0x19097)\n",
                   PFIFO_ERROR_FORMAT, "a.log:3: 'CLASS_ID' has no such value");
    expect_refused("[0x00000000] HDR 20010674 subch 0 NINC\n\tmthd 19d0 NV9097_CLEAR_SURFACE\n\t\t.R_ENABLE = MAYBE\n",
                   PFIFO_ERROR_FORMAT, "a.log:3: 'R_ENABLE' has no such value");
    expect_refused("[0x00000000] HDR 20010000 subch 0 NINC\n\tmthd 0000 unknown method\n\t\t.VALUE = 0x1\n"
                   "\tmthd 0004 unknown method\n\t\t.VALUE = 0x1\n",
                   PFIFO_ERROR_FORMAT, "a.log:4: the packet has more words than its header says");
}

static void what_is_not_read_is_named(void **state) {
    (void)state;
    expect_refused("submission 1 channel 0: 1 segment\n  segment 00014000: 1 word\n    00014000 0004e000\n",
                   PFIFO_ERROR_UNSUPPORTED, "a.log: this is the text of pfifo decode: pfifo asm makes words of it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_of_libdrm_has_channels_submissions_and_segments),
        cmocka_unit_test(segments_that_are_not_mapped_are_known_to_miss_their_words),
        cmocka_unit_test(a_listing_of_libdrm_may_be_cut_off),
        cmocka_unit_test(a_submission_that_the_kernel_rejects_comes_once),
        cmocka_unit_test(a_listing_of_libdrm_that_is_damaged_is_refused),
        cmocka_unit_test(the_text_of_demmt_has_words_and_entries_of_the_ring),
        cmocka_unit_test(the_text_of_demmt_may_have_words_alone),
        cmocka_unit_test(a_jump_that_demmt_does_not_print_is_missing),
        cmocka_unit_test(words_are_put_together_from_mesas_fields),
        cmocka_unit_test(data_that_mesa_does_not_print_is_missing),
        cmocka_unit_test(mesas_fields_may_be_cut_off),
        cmocka_unit_test(a_header_of_mesas_that_is_cut_off_is_told),
        cmocka_unit_test(a_listing_of_mesa_that_is_damaged_is_refused),
        cmocka_unit_test(what_is_not_read_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
