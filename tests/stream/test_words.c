/* SPDX-License-Identifier: MIT */
/* Words in texts: logs and dumps of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/words.h>

#include "memory/little_endian.h"

enum { WORDS = 8 };

/* Two of them have bytes that are text. */
static const uint32_t example[WORDS] = {0x20022000, 0x00009097, 0x64636261, 0x20040360,
                                        0x3e800000, 0x3f000000, 0x3f400000, 0x3f800000};

static struct pfifo_words *read_text(const char *text) {
    struct pfifo_error error = {0};
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "a.log", &error);

    if (!words)
        fail_msg("%s in: %.400s", error.message, text);
    return words;
}

static void expect_words(const struct pfifo_words *words, const uint32_t *expected, size_t count, const char *text) {
    size_t bytes;
    const uint8_t *data = pfifo_words_data(words, &bytes);

    if (bytes != 4 * count)
        fail_msg("%zu bytes, not %zu words in: %s", bytes, count, text);
    for (size_t i = 0; i < count; i++)
        if (load_le32(data + 4 * i) != expected[i])
            fail_msg("word %zu is %08x, not %08x in: %s", i, load_le32(data + 4 * i), expected[i], text);
}

static void expect_text(const char *text, const uint32_t *expected, size_t count) {
    struct pfifo_words *words = read_text(text);

    assert_true(pfifo_words_recognise(text, strlen(text)));
    assert_int_equal(pfifo_words_info(words).segments, 1);
    expect_words(words, expected, count, text);
    pfifo_words_free(words);
}

static void expect_refused(const char *text, const char *reason) {
    struct pfifo_error error = {0};
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "a.log", &error);

    if (words)
        fail_msg("read: %s", text);
    assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
    if (strcmp(error.message, reason) != 0)
        fail_msg("'%s', not '%s'", error.message, reason);
}

static void words_of_logs_are_found_behind_what_logs_have_in_front(void **state) {
    static const char *const texts[] = {
        "20022000 00009097 64636261 20040360\n3e800000 3f000000 3f400000 3f800000\n",
        "20022000\r\n00009097\r\n64636261\r\n20040360\r\n3e800000\r\n3f000000\r\n3f400000\r\n3f800000",
        "{ 0x20022000, 0x00009097, 0x64636261, 0x20040360 },\n{ 0x3e800000, 0x3f000000, 0X3F400000, 0x3f800000 }, // "
        "end\n",
        "[   12.000001] 0x20022000 size 2, subchannel 1\n[   12.100000] 0x00009097 Fermi\n[   12.2] 0x64636261\n"
        "<4>[  100.2] 0x20040360 # colour\n0x3e800000 0.25\n0x3f000000\t0.5\n0x3f400000;\n0x3f800000 /* 1 */\n",
        "[    1.0] nouveau 0000:01:00.0: push: 20022000 00009097 64636261 20040360\n"
        "[    1.1] nouveau 0000:01:00.0: gr: TRAP ch 2 [00ff123000 Xorg[123]]\n"
        "[   10.1] nouveau 0000:01:00.0: push: 3e800000 3f000000 3f400000 3f800000\n",
        "Nov 28 01:02:03 host kernel: [drm] 00000000: 20022000 00009097 64636261 20040360  . . ....abcd`.. \n"
        "Nov 28 01:02:14 host kernel: [drm] 00000010: 3e800000 3f000000 3f400000 3f800000  ...>...?..@?...?\n",
        "0x7ffff7f00000 <buffer>:\t0x20022000\t0x00009097\t0x64636261\t0x20040360\n"
        "0x7ffff7f00010 <buffer+16>:\t0x3e800000\t0x3f000000\t0x3f400000\t0x3f800000\n",
        "[0x0000] 20022000\n[0x0001] 00009097\n[0x0002] 64636261\n[0x0003] 20040360\n[0x0004] 3e800000\n"
        "[0x0005] 3f000000\n[0x0006] 3f400000\n[0x0007] 3f800000\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_text(texts[i], example, WORDS);
}

static void dumps_of_memory_have_the_byte_order_of_their_tool(void **state) {
    static const char *const texts[] = {
        /* xxd, -e, -g4, -g1 */
        "00000000: 0020 0220 9790 0000 6162 6364 6003 0420  . . ....abcd`.. \n"
        "00000010: 0000 803e 0000 003f 0000 403f 0000 803f  ...>...?..@?...?\n",
        "00000000: 20022000 00009097 64636261 20040360  . . ....abcd`.. \n"
        "00000010: 3e800000 3f000000 3f400000 3f800000  ...>...?..@?...?\n",
        "00000000: 00200220 97900000 61626364 60030420  . . ....abcd`.. \n"
        "00000010: 0000803e 0000003f 0000403f 0000803f  ...>...?..@?...?\n",
        "00000000: 00 20 02 20 97 90 00 00 61 62 63 64 60 03 04 20  . . ....abcd`..\n"
        "00000010: 00 00 80 3e 00 00 00 3f 00 00 40 3f 00 00 80 3f  ...>...?..@?...?\n",
        /* hexdump -C, hexdump, od -x, od -t x4, od -A d -t x4, od -t x1 */
        "00000000  00 20 02 20 97 90 00 00  61 62 63 64 60 03 04 20  |. . ....abcd`.. |\n"
        "00000010  00 00 80 3e 00 00 00 3f  00 00 40 3f 00 00 80 3f  |...>...?..@?...?|\n00000020\n",
        "0000000 2000 2002 9097 0000 6261 6463 0360 2004\n0000010 0000 3e80 0000 3f00 0000 3f40 0000 3f80\n0000020\n",
        "0000000 2000 2002 9097 0000 6261 6463 0360 2004\n0000020 0000 3e80 0000 3f00 0000 3f40 0000 3f80\n0000040\n",
        "0000000 20022000 00009097 64636261 20040360\n0000020 3e800000 3f000000 3f400000 3f800000\n0000040\n",
        "0000000 20022000 00009097 64636261 20040360\n0000016 3e800000 3f000000 3f400000 3f800000\n0000032\n",
        "000000 20022000 00009097 64636261 20040360  >. . ....abcd`.. <\n"
        "000010 3e800000 3f000000 3f400000 3f800000  >...>...?..@?...?<\n000020\n",
        "0000000 00 20 02 20 97 90 00 00 61 62 63 64 60 03 04 20\n"
        "0000020 00 00 80 3e 00 00 00 3f 00 00 40 3f 00 00 80 3f\n0000040\n",
        /* 9 bytes in a line: words go on in the next */
        "00000000: 00 20 02 20 97 90 00 00 61\n00000009: 62 63 64 60 03 04 20 00 00\n"
        "00000012: 80 3e 00 00 00 3f 00 00 40\n0000001b: 3f 00 00 80 3f\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_text(texts[i], example, WORDS);
}

static void the_last_line_of_xxd_is_short(void **state) {
    (void)state;
    expect_text("00000000: 0020 0220 9790 0000 6162 6364 6003 0420  . . ....abcd`.. \n"
                "00000010: 0000 803e                                ...>\n",
                example, 5);
    expect_text("00000000: 20022000                             . . \n", example, 1);
}

/* "  deadbeef" would be a group, if it were not as long as the bytes of the line. */
static void a_text_column_that_looks_like_words_is_none(void **state) {
    static const uint32_t words[] = {0x64616564, 0x66656562};
    (void)state;
    expect_text("00000000: 6465 6164 6265 6566  deadbeef\n", words, 2);
    expect_text("00000000: 64616564 66656562  deadbeef\n", words, 2);
}

static void repeated_lines_are_repeated(void **state) {
    static const uint32_t zeros[16] = {[12] = 7};
    (void)state;
    expect_text("00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n"
                "00000030  07 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000040\n",
                zeros, 16);
    expect_text("0000000 00000000 00000000 00000000 00000000\n*\n0000060\n", zeros, 12);
    expect_text("00000000  00 00 00 00 00 00 00 00\n*\n00000030\n", zeros, 12);
    expect_refused("0000000 0000 0000 0000 0000\n*\n0000060\n", "a.log:3: the addresses may be octal or hexadecimal");
    expect_refused("00000000: 00000000\n*\n01000008: 00000000\n", "a.log:3: * stands for more than 16777216 bytes");
    expect_refused("00000000: 00000000 00000000\n*\n0000000c: 00000000\n",
                   "a.log:3: what * stands for is not whole lines");
    expect_refused("00000000: 00000000\n*\n00000000\n", "a.log:3: what * stands for is not known: there is no address");
    /* As hexdump -e '"%08x\n"' prints. */
    expect_refused("20022000\n00000000\n*\n00009097\n", "a.log:4: what * stands for is not known: there is no address");
    expect_text("0x00000000,\n/*\n *\n */\n0x00000000,\n", zeros, 2);
    expect_refused("20022000\n*\n00000010: 00009097\n", "a.log:3: what * stands for is not known: there is no address");
}

static void a_repetition_without_an_end_is_cut_off(void **state) {
    static const char *const texts[] = {"00000000: 00000000 00000000\n*\n", "00000000 00000000\n*\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct pfifo_words *words = read_text(texts[i]);
        assert_true(pfifo_words_info(words).cut);
        assert_int_equal(pfifo_words_info(words).cut_line, 2);
        assert_int_equal(pfifo_words_info(words).words, 2);
        pfifo_words_free(words);
    }
}

static void each_word_has_its_line(void **state) {
    struct pfifo_words *words = read_text("log begins\n20022000 00009097\nsomething else\n\n64636261\n");
    (void)state;
    assert_string_equal(pfifo_words_info(words).format, "hex");
    assert_int_equal(pfifo_words_line(words, 0), 2);
    assert_int_equal(pfifo_words_line(words, 1), 2);
    assert_int_equal(pfifo_words_line(words, 2), 5);
    assert_int_equal(pfifo_words_line(words, 3), 0);
    assert_int_equal(pfifo_words_segment(words, 0).line, 2);
    assert_false(pfifo_words_segment(words, 0).has_address);
    pfifo_words_free(words);
}

static void addresses_that_go_on_elsewhere_begin_a_segment(void **state) {
    struct pfifo_words *words = read_text("00001000: 20022000 00009097\n00002000: 64636261\n00001000: 20040360\n");
    (void)state;
    assert_int_equal(pfifo_words_info(words).segments, 3);
    assert_false(pfifo_words_info(words).has_channels);
    for (size_t i = 0; i < 3; i++) {
        struct pfifo_words_segment segment = pfifo_words_segment(words, i);
        assert_int_equal(segment.submission, i + 1);
        assert_int_equal(segment.address, i == 1 ? 0x2000 : 0x1000);
        assert_true(segment.has_address);
        assert_int_equal(segment.first, i == 0 ? 0 : i + 1);
        assert_int_equal(segment.count, i == 0 ? 2 : 1);
        assert_int_equal(segment.line, i + 1);
    }
    expect_words(words, example, 4, "three segments");
    pfifo_words_free(words);
}

static void bytes_that_are_no_whole_word_are_left_out(void **state) {
    struct pfifo_words *words = read_text("00000000: 00 20 02 20 97 90\n");
    (void)state;
    expect_words(words, example, 1, "six bytes");
    assert_true(pfifo_words_info(words).cut);
    assert_int_equal(pfifo_words_info(words).cut_line, 1);
    pfifo_words_free(words);
    expect_refused("00000000: 00 20 02 20 97 90\n00000010: 00 00 00 00\n",
                   "a.log:2: the address goes on elsewhere, inside of a word");
}

static void a_line_that_has_words_but_cannot_be_read_is_named(void **state) {
    (void)state;
    expect_refused("20022000\n00009097 2004036\n", "a.log:2: '2004036' is no group of 8 digits");
    expect_refused("x\n0x20022000\n0x2004036\n", "a.log:3: '0x2004036' is no group of 8 digits");
    expect_refused("20022000\n0x20022000 0x000000010\n", "a.log:2: '0x000000010' is no group of 8 digits");
    expect_refused("00000000: 20022000\n00000004: 0000 9097\n", "a.log:2: groups of 4 digits, after groups of 8");
    expect_refused("kernel: push: 20022000\nkernel: DCB outp 00: 01000302 00020030\n",
                   "a.log:2: words after another text than in line 1: keep the lines of one kind");
    expect_refused("0000010 20022000\n0000018 2003 \n", "a.log:2: groups of 4 digits, after groups of 8");
}

/* Registers of a crash are numbers of 8 digits, too, but not words that follow each other. */
static void other_numbers_are_no_words(void **state) {
    static const char *const texts[] = {
        "EAX: 00000000 EBX: 00000001 ECX: 00000002\n",
        "add\ndead\nface\n1234\n",
        "nouveau 0000:01:00.0: fifo: read fault at 0000000000 engine 00 [GR]\n",
        "Code: 48 8b 05 00 00 00 00 48 8b 05 00 00\n",
        "RIP: 0010:[<ffffffff81000000>]  [<ffffffff81000000>] f+0x10/0x20\n",
        "    0000000004 00009097   1 9097 FERMI_A\n",
        "000000000020012000\n",
        "ffff88007c9a3d58 0000000000000000\n",
        "",
        "\n\n*\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (pfifo_words_recognise(texts[i], strlen(texts[i])))
            fail_msg("taken for words: %s", texts[i]);
        expect_refused(texts[i], "a.log: not a text with words that pfifo knows");
    }
}

/* They point to words, low half first in memory as all words. */
static void groups_of_16_digits_are_entries_of_a_ring(void **state) {
    static const char *const texts[] = {"0000600100002000 0000a00100003000\n",
                                        "0x0000600100002000, 0x0000a00100003000\n",
                                        "# two\n0x7f3a00020000:\t0x0000600100002000\t0x0000a00100003000\r\n",
                                        "100000: 0000600100002000\n100008: 0000a00100003000"};
    static const uint8_t expected[] = {0, 0x20, 0, 0, 1, 0x60, 0, 0, 0, 0x30, 0, 0, 1, 0xa0, 0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct pfifo_words *words = pfifo_words_read(texts[i], strlen(texts[i]), "a.log", NULL);
        size_t bytes;
        assert_non_null(words);
        assert_true(pfifo_words_info(words).are_entries);
        assert_memory_equal(pfifo_words_data(words, &bytes), expected, sizeof expected);
        assert_int_equal(bytes, sizeof expected);
        pfifo_words_free(words);
    }
}

static void what_is_not_text_is_not_looked_at(void **state) {
    static const char text[] = "20022000\n\0";
    (void)state;
    assert_true(pfifo_words_recognise(text, sizeof text - 2));
    assert_false(pfifo_words_recognise(text, sizeof text - 1));
    assert_false(pfifo_words_recognise("20022000 \x01\n", 11));
    assert_true(pfifo_words_recognise("20022000 # \xc3\xa9\n", 14));
    assert_false(pfifo_words_recognise(NULL, 0));
}

static void raw_words_are_one_segment_without_lines(void **state) {
    static const uint8_t bytes[] = {0, 0x20, 2, 0x20, 0x97, 0x90, 0, 0, 9};
    struct pfifo_words *words = pfifo_words_raw(bytes, sizeof bytes, "w.bin", NULL);
    (void)state;
    assert_non_null(words);
    expect_words(words, example, 2, "raw");
    assert_string_equal(pfifo_words_info(words).format, "raw");
    assert_true(pfifo_words_info(words).cut);
    assert_int_equal(pfifo_words_line(words, 0), 0);
    pfifo_words_free(words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_logs_are_found_behind_what_logs_have_in_front),
        cmocka_unit_test(dumps_of_memory_have_the_byte_order_of_their_tool),
        cmocka_unit_test(the_last_line_of_xxd_is_short),
        cmocka_unit_test(a_text_column_that_looks_like_words_is_none),
        cmocka_unit_test(repeated_lines_are_repeated),
        cmocka_unit_test(a_repetition_without_an_end_is_cut_off),
        cmocka_unit_test(each_word_has_its_line),
        cmocka_unit_test(addresses_that_go_on_elsewhere_begin_a_segment),
        cmocka_unit_test(bytes_that_are_no_whole_word_are_left_out),
        cmocka_unit_test(a_line_that_has_words_but_cannot_be_read_is_named),
        cmocka_unit_test(other_numbers_are_no_words),
        cmocka_unit_test(groups_of_16_digits_are_entries_of_a_ring),
        cmocka_unit_test(what_is_not_text_is_not_looked_at),
        cmocka_unit_test(raw_words_are_one_segment_without_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
