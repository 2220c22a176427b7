/* SPDX-License-Identifier: MIT */
/* Captures in .xz, .zst and .gz: whole, in several pieces, cut, damaged, and larger than allowed. */
#include "stream/image.h"
#include "temporary.h"

#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PAGES = 50, BIG_BYTES = 8 + 40 + 56 + 24 + PAGES * 4096 + 12 };

struct packed {
    uint8_t *data;
    size_t size;
};

static struct packed pack_xz(const void *data, size_t size) {
    size_t bound = lzma_stream_buffer_bound(size), used = 0;
    uint8_t *out = malloc(bound);

    assert_non_null(out);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, data, size, out, &used, bound), LZMA_OK);
    return (struct packed){out, used};
}

static struct packed pack_zstd(const void *data, size_t size) {
    struct packed packed = {malloc(ZSTD_compressBound(size)), 0};

    assert_non_null(packed.data);
    packed.size = ZSTD_compress(packed.data, ZSTD_compressBound(size), data, size, 1);
    assert_false(ZSTD_isError(packed.size));
    return packed;
}

static struct packed pack_gzip(const void *data, size_t size) {
    z_stream gzip = {0};
    struct packed packed;

    assert_int_equal(deflateInit2(&gzip, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    packed.size = deflateBound(&gzip, size);
    packed.data = malloc(packed.size);
    assert_non_null(packed.data);
    gzip.next_in = (uint8_t *)data;
    gzip.avail_in = (uInt)size;
    gzip.next_out = packed.data;
    gzip.avail_out = (uInt)packed.size;
    assert_int_equal(deflate(&gzip, Z_FINISH), Z_STREAM_END);
    packed.size -= gzip.avail_out;
    assert_int_equal(deflateEnd(&gzip), Z_OK);
    return packed;
}

static const struct {
    const char *name;
    struct packed (*pack)(const void *, size_t);
    size_t magic_bytes;
    size_t damage; /* a byte that cannot have another value */
} packings[] = {{"xz", pack_xz, 6, 7}, {"zstd", pack_zstd, 4, 7}, {"gzip", pack_gzip, 3, 3}};

enum { PACKINGS = sizeof(packings) / sizeof(packings[0]) };

/* A capture of BIG_BYTES that does not pack well: one submission with a buffer of noise. */
static uint8_t *big_capture(size_t *size) {
    static const uint32_t head[] = {
        7, 32, 1, 0, 1, 0, 0, 0, 0, 0, 8, 48, 1, 0, 0, 0, 0, 0, PAGES * 4096, 0, 0, 0, 0, 0, 9, 16 + PAGES * 4096,
        1, 0,  0, 0};
    static const uint32_t tail[] = {11, 4, 1};
    static const uint8_t magic[] = {'N', 'V', 'P', 'B', 'C', 'A', 'P', '1'};
    uint8_t *data = malloc(BIG_BYTES);
    uint32_t noise = 1;

    assert_non_null(data);
    memcpy(data, magic, sizeof(magic));
    for (size_t i = 0; i < sizeof(head) / 4; i++)
        memcpy(data + 8 + 4 * i, &(uint8_t[4]){(uint8_t)head[i], (uint8_t)(head[i] >> 8), (uint8_t)(head[i] >> 16)}, 4);
    for (size_t i = 0; i < PAGES * 4096; i++) {
        noise = noise * 1664525 + 1013904223;
        data[8 + sizeof(head) + i] = (uint8_t)(noise >> 24);
    }
    memset(data + BIG_BYTES - sizeof(tail), 0, sizeof(tail));
    for (size_t i = 0; i < 3; i++)
        data[BIG_BYTES - sizeof(tail) + 4 * i] = (uint8_t)tail[i];
    assert_int_equal(8 + sizeof(head) + PAGES * 4096 + sizeof(tail), BIG_BYTES);
    *size = BIG_BYTES;
    return data;
}

static void expect_records(const struct packed *packed, uint64_t limit, int count) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory_limited(packed->data, packed->size, "p", limit, &error);

    if (!stream)
        fail_msg("%s", error.message);
    assert_int_equal(read_all(stream, &error), count);
    pfifo_stream_close(stream);
}

static void expect_refused(const struct packed *packed, uint64_t limit, const char *reason) {
    struct pfifo_error error = {0};

    assert_null(pfifo_stream_open_memory_limited(packed->data, packed->size, "p", limit, &error));
    assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
    if (!strstr(error.message, reason))
        fail_msg("'%s' instead of '%s'", error.message, reason);
}

static void packed_captures_are_read(void **state) {
    struct image image;

    (void)state;
    image_every_type(&image);
    for (int i = 0; i < PACKINGS; i++) {
        struct packed packed = packings[i].pack(image.data, image.size);

        expect_records(&packed, 0, IMAGE_EVERY_COUNT);
        free(packed.data);
    }
}

/* Two streams or frames in a row are one file, wherever the cut. */
static void pieces_in_a_row_are_one_capture(void **state) {
    struct image image;

    (void)state;
    image_every_type(&image);
    for (int i = 0; i < PACKINGS; i++)
        for (size_t cut = 1; cut < image.size; cut += 1111) {
            struct packed a = packings[i].pack(image.data, cut);
            struct packed b = packings[i].pack(image.data + cut, image.size - cut);

            a.data = realloc(a.data, a.size + b.size);
            assert_non_null(a.data);
            memcpy(a.data + a.size, b.data, b.size);
            a.size += b.size;
            expect_records(&a, 0, IMAGE_EVERY_COUNT);
            free(a.data);
            free(b.data);
        }
}

static void every_cut_is_an_error_with_an_offset(void **state) {
    struct image image;

    (void)state;
    image_every_type(&image);
    for (int i = 0; i < PACKINGS; i++) {
        struct packed packed = packings[i].pack(image.data, image.size);
        char expected[100];

        snprintf(expected, sizeof(expected), "of the %s data: truncated", packings[i].name);
        for (packed.size--; packed.size >= packings[i].magic_bytes; packed.size--) {
            char offset[100];

            expect_refused(&packed, 0, expected);
            snprintf(offset, sizeof(offset), "p: offset %zu ", packed.size);
            expect_refused(&packed, 0, offset);
        }
        expect_refused(&packed, 0, "not a capture");
        free(packed.data);
    }
}

static void damage_and_rubbish_are_errors_with_an_offset(void **state) {
    struct image image;

    (void)state;
    image_every_type(&image);
    for (int i = 0; i < PACKINGS; i++) {
        struct packed packed = packings[i].pack(image.data, image.size);
        char expected[100];

        snprintf(expected, sizeof(expected), "of the %s data: ", packings[i].name);
        packed.data = realloc(packed.data, packed.size + 8);
        assert_non_null(packed.data);
        memset(packed.data + packed.size, 0xa5, 8);
        packed.size += 8;
        expect_refused(&packed, 0, expected);
        packed.size -= 8;
        packed.data[packings[i].damage] ^= 0xff;
        expect_refused(&packed, 0, expected);
        free(packed.data);
    }
}

/*
 * Any bit of a member of gzip that is wrong is found by its check at the latest, but for those that fill the last byte of
 * its blocks.
 */
static void each_damaged_bit_of_gzip_is_found(void **state) {
    struct packed packed;
    struct image image;
    size_t harmless = 0;

    (void)state;
    image_every_type(&image);
    packed = pack_gzip(image.data, image.size);
    for (size_t bit = 8 * 10; bit < 8 * packed.size; bit++) {
        struct pfifo_error error = {0};
        struct pfifo_stream *stream;

        packed.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        stream = pfifo_stream_open_memory(packed.data, packed.size, "p", &error);
        harmless += stream != NULL;
        if (stream)
            assert_int_equal(read_all(stream, &error), IMAGE_EVERY_COUNT);
        else
            assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        pfifo_stream_close(stream);
        packed.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(harmless < 8);
    free(packed.data);
}

static void what_is_packed_has_to_be_a_capture(void **state) {
    (void)state;
    for (int i = 0; i < PACKINGS; i++) {
        struct packed packed = packings[i].pack("NVPBCAP4", 8), empty = packings[i].pack("", 0);

        expect_refused(&packed, 0, "p: offset 0: not a capture");
        expect_refused(&empty, 0, "p: it is empty");
        free(packed.data);
        free(empty.data);
    }
}

static void the_limit_is_exact(void **state) {
    struct image image;
    struct packed plain;

    (void)state;
    image_every_type(&image);
    plain = (struct packed){image.data, image.size};
    expect_records(&plain, image.size, IMAGE_EVERY_COUNT);
    expect_refused(&plain, image.size - 1, "more than the limit of ");
    expect_records(&plain, UINT64_MAX, IMAGE_EVERY_COUNT);
    for (int i = 0; i < PACKINGS; i++) {
        struct packed packed = packings[i].pack(image.data, image.size);

        expect_records(&packed, image.size, IMAGE_EVERY_COUNT);
        expect_records(&packed, UINT64_MAX, IMAGE_EVERY_COUNT);
        expect_refused(&packed, image.size - 1, "more than the limit of ");
        expect_refused(&packed, 1, "more than the limit of 1 bytes");
        free(packed.data);
    }
}

/* 32 MiB of zeros after the magic pack into a few kilobytes. */
static void a_bomb_stops_at_the_limit(void **state) {
    const size_t size = (size_t)32 << 20;
    uint8_t *zeros = calloc(1, size);

    (void)state;
    assert_non_null(zeros);
    memcpy(zeros, "NVPBCAP1", 8);
    for (int i = 0; i < PACKINGS; i++) {
        struct packed packed = packings[i].pack(zeros, size);

        assert_true(packed.size < 64 * 1024);
        expect_refused(&packed, 1 << 20, "more than the limit of 1048576 bytes");
        free(packed.data);
    }
    free(zeros);
}

/* An .xz whose header asks for a dictionary of 256 MiB, beyond what a decoder may have. */
static void a_huge_dictionary_is_refused(void **state) {
    lzma_options_lzma options;
    lzma_filter filters[2] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    static uint8_t data[4096];
    struct packed packed = {data, 0};
    lzma_stream xz = LZMA_STREAM_INIT;

    (void)state;
    assert_false(lzma_lzma_preset(&options, 0));
    options.dict_size = (uint32_t)1 << 28;
    assert_int_equal(lzma_stream_encoder(&xz, filters, LZMA_CHECK_CRC32), LZMA_OK);
    xz.next_in = (const uint8_t *)"NVPBCAP1";
    xz.avail_in = 8;
    xz.next_out = data;
    xz.avail_out = sizeof(data);
    assert_int_equal(lzma_code(&xz, LZMA_FINISH), LZMA_STREAM_END);
    packed.size = sizeof(data) - xz.avail_out;
    lzma_end(&xz);
    expect_refused(&packed, 0, "dictionary is too large");
}

/* Files are read in chunks: input longer than some, plain and packed, and cut. */
static void files_longer_than_a_chunk_are_read(void **state) {
    char path[TEMPORARY_PATH];
    int fd;
    size_t size;
    uint8_t *data = big_capture(&size);

    (void)state;
    temporary_pattern(path, "");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    for (int i = 0; i <= PACKINGS; i++) {
        struct packed packed = i < PACKINGS ? packings[i].pack(data, size) : (struct packed){data, size};
        struct pfifo_error error = {0};
        struct pfifo_stream *stream;
        char expected[100];

        assert_true(packed.size > 3 * 65536);
        assert_int_equal(pwrite(fd, packed.data, packed.size, 0), packed.size);
        assert_int_equal(ftruncate(fd, (off_t)packed.size), 0);
        stream = pfifo_stream_open(path, &error);
        if (!stream)
            fail_msg("%s", error.message);
        assert_int_equal(pfifo_stream_bytes(stream), size);
        assert_int_equal(read_all(stream, &error), 4);
        pfifo_stream_close(stream);
        assert_null(pfifo_stream_open_limited(path, size - 1, &error));
        for (size_t cut = 65536; cut <= 2 * 65536 + 1 && i < PACKINGS; cut += 32768) {
            assert_int_equal(ftruncate(fd, (off_t)cut), 0);
            assert_null(pfifo_stream_open(path, &error));
            snprintf(expected, sizeof(expected), ": offset %zu of the %s data: truncated", cut, packings[i].name);
            assert_string_equal(error.message + strlen(path), expected);
            assert_int_equal(pwrite(fd, packed.data, packed.size, 0), packed.size);
        }
        if (i < PACKINGS)
            free(packed.data);
    }
    free(data);
    close(fd);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_captures_are_read),
        cmocka_unit_test(pieces_in_a_row_are_one_capture),
        cmocka_unit_test(every_cut_is_an_error_with_an_offset),
        cmocka_unit_test(damage_and_rubbish_are_errors_with_an_offset),
        cmocka_unit_test(each_damaged_bit_of_gzip_is_found),
        cmocka_unit_test(what_is_packed_has_to_be_a_capture),
        cmocka_unit_test(the_limit_is_exact),
        cmocka_unit_test(a_bomb_stops_at_the_limit),
        cmocka_unit_test(a_huge_dictionary_is_refused),
        cmocka_unit_test(files_longer_than_a_chunk_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
