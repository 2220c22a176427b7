/* SPDX-License-Identifier: MIT */
/* Files of other programs are captures for whoever opens them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/foreign.h>

#include "foreign/pages.h"

static char *sample(const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s", getenv("PFIFO_SAMPLES"), name);
    return path;
}

static void any_file_that_says_its_chip_is_opened(void **state) {
    static const struct {
        const char *name;
        uint32_t chipset;
    } rows[] = {
        {"captures/nv40-clear.nvcap.xz", 0x40}, {"traces/rsx-frame.rrc.gz", 0x4d}, {"logs/nv2a-frame.xemu", 0x2a}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[512];
        struct pfifo_error error = {0};
        struct pfifo_stream *stream = pfifo_foreign_open(sample(rows[i].name, path), &error);
        if (!stream)
            fail_msg("%s", error.message);
        assert_int_equal(pfifo_stream_chipset(stream), rows[i].chipset);
        pfifo_stream_close(stream);
    }
}

static void what_cannot_be_opened_is_said(void **state) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"nothing here\n", "a.log: offset 0: not a capture: no NVPBCAP1, NVPBCAP2 or NVPBCAP3, gzip, xz or zstd"},
        {"0x00040000\n0x00000097\n", "a.log: words in a text (hex) do not say their chip"},
    };
    struct pfifo_error error = {0};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_null(pfifo_foreign_open_memory(rows[i].text, strlen(rows[i].text), "a.log", &error));
        assert_string_equal(error.message, rows[i].message);
    }
    assert_null(pfifo_foreign_read("nothing", 7, "a.log", &error));
    assert_string_equal(error.message, "a.log: not a file of another program that pfifo knows");
    assert_null(pfifo_foreign_open("/nonexistent/frame.rrc", &error));
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    assert_null(pfifo_foreign_recognise(NULL, 0));
}

static void a_damaged_gzip_file_is_told_by_its_offset(void **state) {
    static const uint8_t damaged[] = {0x1f, 0x8b, 8,    0,    0,   0,   0,   0, 0, 3, 1,
                                      4,    0,    0xfb, 0xff, 'R', 'R', 'C', 0, 1, 2, 3};
    struct pfifo_error error = {0};
    (void)state;
    assert_string_equal(pfifo_foreign_recognise(damaged, sizeof damaged), "rpcs3");
    assert_null(pfifo_foreign_open_memory(damaged, sizeof damaged, "frame.rrc.gz", &error));
    assert_string_equal(error.message, "frame.rrc.gz: offset 22 of the gzip data: truncated");
    assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
}

/* A stored block has many bytes at once: more than a file is recognised by. */
static void a_gzip_file_that_begins_with_a_long_stored_block_is_recognised(void **state) {
    uint8_t packed[15 + 200] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 200, 0, 55, 0xff, 'R', 'R', 'C', 0};
    (void)state;
    assert_string_equal(pfifo_foreign_recognise(packed, sizeof packed), "rpcs3");
}

/* ---- pages ---- */

static void pages_have_what_was_written_last(void **state) {
    static uint8_t data[3 * FOREIGN_PAGE], read[3 * FOREIGN_PAGE];
    struct foreign_pages pages = {0};
    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    foreign_pages_read(&pages, 0, 0, read, 100);
    assert_int_equal(read[5], 0);
    for (uint32_t i = 0; i < 200; i++)
        assert_true(foreign_pages_write(&pages, i % 3, i * UINT64_C(0x100000) + 100, data + i, FOREIGN_PAGE));
    for (uint32_t i = 0; i < 200; i++) {
        foreign_pages_read(&pages, i % 3, i * UINT64_C(0x100000) + 100, read, FOREIGN_PAGE);
        assert_memory_equal(read, data + i, FOREIGN_PAGE);
        foreign_pages_read(&pages, (i + 1) % 3, i * UINT64_C(0x100000) + 100, read, 16);
        assert_int_equal(read[3], 0);
    }
    foreign_pages_free(&pages);
}

static void pages_that_change_are_listed_once_and_in_order(void **state) {
    struct foreign_pages pages = {0};
    const uint8_t byte = 1;
    (void)state;
    assert_true(foreign_pages_write(&pages, 1, 0x5000, &byte, 1));
    assert_true(foreign_pages_write(&pages, 0, 0x9000, &byte, 1));
    assert_true(foreign_pages_write(&pages, 1, 0x2000, &byte, 1));
    assert_true(foreign_pages_write(&pages, 1, 0x5004, &byte, 1));
    foreign_pages_sort(&pages);
    assert_int_equal(pages.changes, 3);
    assert_int_equal(pages.changed[0]->number, 9);
    assert_int_equal(pages.changed[1]->number, 2);
    assert_int_equal(pages.changed[2]->number, 5);
    foreign_pages_settle(&pages);
    assert_int_equal(pages.changes, 0);
    assert_true(foreign_pages_write(&pages, 1, 0x5000, &byte, 1));
    assert_int_equal(pages.changes, 1);
    foreign_pages_free(&pages);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_file_that_says_its_chip_is_opened),
        cmocka_unit_test(what_cannot_be_opened_is_said),
        cmocka_unit_test(a_damaged_gzip_file_is_told_by_its_offset),
        cmocka_unit_test(a_gzip_file_that_begins_with_a_long_stored_block_is_recognised),
        cmocka_unit_test(pages_have_what_was_written_last),
        cmocka_unit_test(pages_that_change_are_listed_once_and_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
