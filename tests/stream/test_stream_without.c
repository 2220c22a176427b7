/* SPDX-License-Identifier: MIT */
/* A library that is built without liblzma, libzstd and zlib: its table of packings is compiled again for this test. */
#include "stream/image.h"

static void refuses(const uint8_t *packed, size_t bytes, const char *message) {
    struct pfifo_error error = {0};

    assert_null(pfifo_stream_open_memory(packed, bytes, "a.nvcap", &error));
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, message);
}

static void test_packed_captures_are_refused_by_the_name_of_the_packing(void **state) {
    (void)state;
    refuses((const uint8_t[]){0xfd, '7', 'z', 'X', 'Z', 0, 0}, 7,
            "a.nvcap: packed with xz: libpfifo was built without it");
    refuses((const uint8_t[]){0x28, 0xb5, 0x2f, 0xfd}, 4, "a.nvcap: packed with zstd: libpfifo was built without it");
    refuses((const uint8_t[]){0x1f, 0x8b, 8}, 3, "a.nvcap: packed with gzip: libpfifo was built without it");
}

static void cannot_pack(enum pfifo_stream_packing packing, const char *message) {
    struct pfifo_error error = {0};

    assert_null(pfifo_stream_writer_open_memory(packing, &error));
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, message);
}

static void test_a_packing_that_is_missing_cannot_be_written(void **state) {
    (void)state;
    cannot_pack(PFIFO_STREAM_XZ, "cannot pack a capture: libpfifo was built without xz");
    cannot_pack(PFIFO_STREAM_ZSTD, "cannot pack a capture: libpfifo was built without zstd");
    cannot_pack(PFIFO_STREAM_GZIP, "cannot pack a capture: libpfifo was built without gzip");
}

static void test_captures_that_are_not_packed_need_nothing(void **state) {
    struct pfifo_error error = {0};
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, &error);
    struct pfifo_stream *stream = pfifo_stream_open_memory("NVPBCAP1", 8, "a.nvcap", &error);

    (void)state;
    assert_non_null(writer);
    assert_non_null(stream);
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_captures_are_refused_by_the_name_of_the_packing),
        cmocka_unit_test(test_a_packing_that_is_missing_cannot_be_written),
        cmocka_unit_test(test_captures_that_are_not_packed_need_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
