/* SPDX-License-Identifier: MIT */
/* The window of a reader: pieces in order are the bytes of the capture, whatever is kept, dropped and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "stream/window.h"

enum { BYTES = 200000 };

static uint8_t *capture(void) {
    static uint8_t bytes[BYTES];
    uint32_t noise = 1;

    for (size_t i = 0; i < BYTES; i++) {
        noise = noise * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(noise >> 24);
    }
    memcpy(bytes, "NVPBCAP1", 8);
    return bytes;
}

static FILE *file_of(const uint8_t *bytes) {
    FILE *file = tmpfile();

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, BYTES, file), BYTES);
    rewind(file);
    return file;
}

/* Read all of it in pieces, each of which is looked at until it is dropped. */
static bool read_pieces(struct window *window, const uint8_t *bytes, struct choice *choice, FILE *report) {
    uint64_t at = 0, kept = 0;
    const uint8_t *first = NULL;
    size_t first_bytes = 0, have = 1;
    bool again = !window->unpack; /* all is here */
    bool lasts = false;           /* what `first` points to */

    while (have) {
        const uint8_t *data = NULL;
        size_t want = choice_once_in(choice, 8) ? choice_below(choice, 50000) + 1 : choice_below(choice, 3000) + 1;
        if (window_get(window, at, want, &data, &have, NULL) != PFIFO_OK)
            return false;
        if (have != (BYTES - at < want ? BYTES - at : want) || (have && memcmp(data, bytes + at, have))) {
            fprintf(report, "%zu of %zu bytes at %zu\n", have, want, (size_t)at);
            return false;
        }
        /* What was given before is still there, but while it is not known whether all is kept. */
        if (lasts && first && memcmp(first, bytes + kept, first_bytes)) {
            fprintf(report, "what was at %zu has gone\n", (size_t)kept);
            return false;
        }
        if (at == kept) {
            first = data;
            first_bytes = have;
            lasts = window->dropping || again;
        }
        at += have;
        if (choice_once_in(choice, 3)) {
            window_drop(window, at);
            kept = at;
            first = NULL;
        }
    }
    return true;
}

static bool play_window(struct choice *choice, FILE *report) {
    static const uint64_t keeps[] = {0, 5000, 100000, BYTES - 1, BYTES, UINT64_MAX};
    const uint8_t *bytes = capture();
    uint64_t keep = keeps[choice_below(choice, sizeof keeps / sizeof *keeps)];
    bool in_file = choice_once_in(choice, 2), right;
    struct unpack_source source = {.name = "w", .data = bytes, .size = BYTES};
    struct window window;

    if (in_file)
        source = (struct unpack_source){.name = "w", .file = file_of(bytes)};
    assert_int_equal(window_open(&window, &source, BYTES, keep, NULL), PFIFO_OK);
    right = read_pieces(&window, bytes, choice, report);
    assert_int_equal(window_seen(&window, NULL), PFIFO_OK);
    for (int i = 0; right && i < 2; i++) {
        right = read_pieces(&window, bytes, choice, report);
        assert_int_equal(window_rewind(&window, NULL), PFIFO_OK);
    }
    if (!right)
        fprintf(report, "kept are %llu bytes%s\n", (unsigned long long)keep, in_file ? " of a file" : "");
    window_close(&window);
    return right;
}

static void pieces_are_the_bytes_of_the_capture(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_window, 300), 0);
}

/* A record may say that it has 4 GiB. */
static void no_more_is_allocated_than_is_there(void **state) {
    (void)state;
    struct window window;
    struct unpack_source source = {.name = "w", .data = capture(), .size = BYTES};
    const uint8_t *data;
    size_t have;

    assert_int_equal(window_open(&window, &source, BYTES, 0, NULL), PFIFO_OK);
    assert_int_equal(window_get(&window, 8, SIZE_MAX / 2, &data, &have, NULL), PFIFO_OK);
    assert_int_equal(have, BYTES - 8);
    window_close(&window);
}

static void what_is_not_larger_is_read_once(void **state) {
    (void)state;
    struct window window;
    struct unpack_source source = {.name = "w", .file = file_of(capture())};
    const uint8_t *data, *again;
    size_t have;

    assert_int_equal(window_open(&window, &source, BYTES, BYTES, NULL), PFIFO_OK);
    assert_int_equal(window_get(&window, 0, BYTES + 1, &data, &have, NULL), PFIFO_OK);
    assert_int_equal(window_seen(&window, NULL), PFIFO_OK);
    assert_null(window.source.file);
    assert_int_equal(window_get(&window, 0, BYTES, &data, &have, NULL), PFIFO_OK);
    window_drop(&window, BYTES);
    assert_int_equal(window_rewind(&window, NULL), PFIFO_OK);
    assert_int_equal(window_get(&window, 0, BYTES, &again, &have, NULL), PFIFO_OK);
    assert_ptr_equal(data, again);
    window_close(&window);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_bytes_of_the_capture),
        cmocka_unit_test(no_more_is_allocated_than_is_there),
        cmocka_unit_test(what_is_not_larger_is_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
