/* SPDX-License-Identifier: MIT */
/* Which words are a channel's own pushbuffer, and where PUT is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/words.h>

/* Without a chip of its own: RSX. What PUT is, and GET 0x100000. 0: the words are no ring. */
static const struct row {
    const char *what, *text, *chip;
    uint64_t put;
} rows[] = {
    {"words that only have methods", "00040050 00000001", NULL, 0},
    {"a call, to wherever", "00200002 00040050 00000001", NULL, 0x10000c},
    {"a call after which the words return", "00200002 00020000", NULL, 0},
    {"a jump to elsewhere", "00040050 00000001 20200000", NULL, 0},
    {"a jump to its own beginning", "00040050 00000001 20100000", NULL, 0x100008},
    {"a jump to itself", "00040050 00000001 20100008", NULL, 0x100008},
    {"a jump to itself, and nothing else", "20100000 00040050 00000001", NULL, 0x10000c},
    {"a jump that is data", "00080100 20100000 00100002", NULL, 0},
    {"a jump over words", "20100008 ffffffff 00040050 00000001", NULL, 0x100010},
    {"the same on a chip without calls", "20100008 ffffffff 00040050 00000001", "NV4", 0x100010},
    {"what is a call elsewhere", "00200002 00040050 00000001", "NV4", 0},
    {"a subroutine behind empty words", "00100012 00040050 00000001 00000000 00040050 00000002 00020000", NULL,
     0x10000c},
    {"a subroutine right behind: PUT cannot be at it", "0010000e 00040050 00000001 00040050 00000002 00020000", NULL,
     0x100018},
    {"a subroutine that does not return", "0010000e 00040050 00000001 00040050 00000002", NULL, 0x100014},
    {"a count beyond the end", "20100004 00400050 00000001", NULL, 0x10000c},
    {"a word that is no command", "20100004 e0000000 00040050 00000001", NULL, 0x100010},
};

static void what_is_a_ring_and_where_PUT_is(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_error error = {0};
        struct pfifo_words *words = pfifo_words_read(rows[i].text, strlen(rows[i].text), "text", &error);
        const struct pfifo_words_capture_options options = {
            .chip = pfifo_chip_by_name(rows[i].chip ? rows[i].chip : "RSX"), .runs = true};
        struct pfifo_words_ring ring;

        assert_non_null(words);
        assert_int_equal(pfifo_words_ring(words, &options, &ring, &error), PFIFO_OK);
        if (ring.put != rows[i].put || ring.chosen != (rows[i].put != 0))
            fail_msg("%s: PUT 0x%llx", rows[i].what, (unsigned long long)ring.put);
        if (ring.chosen)
            assert_int_equal(ring.get, 0x100000);
        pfifo_words_free(words);
    }
}

/* The words up to PUT are a PUSH that says it, and the others are in memory. */
static void the_capture_has_words_after_PUT_as_memory(void **state) {
    static const char text[] = "00100012 00040050 00000001 00000000 00040050 00000002 00020000";
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "text", NULL);
    const struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name("NV2A"), .runs = true};
    struct pfifo_stream *stream = pfifo_words_capture(words, &options, NULL);
    struct pfifo_stream_record record;
    unsigned pushes = 0, pages = 0;
    (void)state;

    assert_non_null(stream);
    while (pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        if (record.type == PFIFO_STREAM_BODATA) {
            assert_int_equal(record.bodata.data[24 + 2], 2);
            pages++;
        }
        if (record.type != PFIFO_STREAM_PUSH)
            continue;
        assert_int_equal(record.push.length, 12 | PFIFO_STREAM_PUSH_RING);
        assert_int_equal(record.push.word_count, 3);
        pushes++;
    }
    assert_int_equal(pushes, 1);
    assert_int_equal(pages, 1);
    pfifo_stream_close(stream);
    pfifo_words_free(words);
}

static void a_text_that_tells_channels_apart_has_segments(void **state) {
    static const char text[] = "nouveau: ch1: krec 0 pushes 1 bufs 0 relocs 0\n"
                               "nouveau: ch1: psh 00000000 0000000000 0000000008\n"
                               "nouveau: \t0x00200002\nnouveau: \t0x00000000\n";
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "text", NULL);
    struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name("NV40"), .runs = true};
    struct pfifo_words_ring ring = {.chosen = true};
    struct pfifo_error error = {0};
    (void)state;

    assert_int_equal(pfifo_words_ring(words, &options, &ring, &error), PFIFO_OK);
    assert_false(ring.chosen);
    options.ring = true;
    assert_int_equal(pfifo_words_ring(words, &options, &ring, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "tells channels apart"));
    pfifo_words_free(words);
}

/* The walk follows a jump into a buffer: its last two bytes are no word. */
static void a_buffer_that_is_not_of_pages_is_refused_before_words_are_looked_for_in_it(void **state) {
    static const char text[] = "20200000";
    static const uint8_t data[4];
    const struct pfifo_words_buffer buffer = {0x1ffffe, 4096, data, sizeof data};
    const struct pfifo_words_capture_options options = {
        .chip = pfifo_chip_by_name("RSX"), .runs = true, .buffers = &buffer, .buffer_count = 1};
    struct pfifo_error error = {0};
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "text", &error);
    struct pfifo_words_ring ring;
    (void)state;
    assert_non_null(words);
    assert_int_equal(pfifo_words_ring(words, &options, &ring, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no buffer of 0x1000 bytes at 0x1ffffe"));
    pfifo_words_free(words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_a_ring_and_where_PUT_is),
        cmocka_unit_test(the_capture_has_words_after_PUT_as_memory),
        cmocka_unit_test(a_buffer_that_is_not_of_pages_is_refused_before_words_are_looked_for_in_it),
        cmocka_unit_test(a_text_that_tells_channels_apart_has_segments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
