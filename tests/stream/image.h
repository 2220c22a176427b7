/* SPDX-License-Identifier: MIT */
/* Captures laid out by hand, word by word, without the writer: what the reader is tested with. */
#ifndef TESTS_STREAM_IMAGE_H
#define TESTS_STREAM_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/stream.h>

enum { IMAGE_WORDS_MAX = 16, IMAGE_BYTES_MAX = 32 * 1024 };

struct image {
    uint8_t data[IMAGE_BYTES_MAX];
    size_t size;
    size_t last; /* offset of the last record */
};

/* A record: words, then `extra` bytes that count up from 1. */
struct image_record {
    uint32_t type;
    uint32_t count;
    uint32_t words[IMAGE_WORDS_MAX];
    uint32_t extra;
};

/* A TEXT. */
struct image_text {
    const char *bytes;
    size_t size;
};

static inline void image_bytes(struct image *image, const void *data, size_t size) {
    assert_true(size <= sizeof(image->data) - image->size);
    memcpy(image->data + image->size, data, size);
    image->size += size;
}

static inline void image_word(struct image *image, uint32_t word) {
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};

    image_bytes(image, bytes, sizeof(bytes));
}

static inline void image_begin_version(struct image *image, int version) {
    const char digit = (char)('0' + version);

    image->size = 0;
    image_bytes(image, "NVPBCAP", 7);
    image_bytes(image, &digit, 1);
}

static inline void image_begin(struct image *image) {
    image_begin_version(image, 1);
}

static inline void image_add(struct image *image, const struct image_record *record) {
    image->last = image->size;
    image_word(image, record->type);
    image_word(image, record->count * 4 + record->extra);
    for (uint32_t i = 0; i < record->count; i++)
        image_word(image, record->words[i]);
    for (uint32_t i = 0; i < record->extra; i++) {
        uint8_t byte = (uint8_t)(i + 1);

        image_bytes(image, &byte, 1);
    }
}

static inline void image_add_text(struct image *image, const char *text, size_t size) {
    image->last = image->size;
    image_word(image, PFIFO_STREAM_TEXT);
    image_word(image, (uint32_t)size);
    image_bytes(image, text, size);
}

/* A capture with every record type, the fields of which all differ, of `image_every_count` records. */
enum { IMAGE_EVERY_COUNT = 16 };

static inline void image_every_type(struct image *image) {
    static const struct image_record records[] = {
        {2, 5, {0x201, 0x202, 0x203, 0x204, 0x205}, 0},
        {3, 3, {0x301, 0x302, 0xfffffff9}, 0},
        {4, 4, {0x401, 0x402, 0x403, 0x404}, 0},
        {5, 8, {0x501, 0x502, 0x503, 0x504, 0x505, 0x506, 0x507, 0x508}, 0},
        {7, 8, {1, 0x702, 2, 1, 1, 0x706, 0x707, 0}, 0},
        {8, 12, {0x801, 0x802, 0x803, 0x804, 0x805, 0x806, 0x3000, 0x808, 0x809, 0x80a, 0x80b, 0x80c}, 0},
        {9, 4, {0x801, 0, 0x1000, 0}, 8192},
        {8, 12, {0x901, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0},
        {13, 7, {1, 0xd02, 0, 0xd04, 0xd05, 0xd06, 0xd07}, 0},
        {10, 8, {0xa01, 0xa02, 0xa03, 0xa04, 0x80000c, 0xa06, 0xa07, 0xa08}, 12},
        {11, 1, {1}, 0},
        {12, 2, {0xc01, 0xc02}, 0},
        {6, 1, {0x601}, 0},
        {0x12345, 1, {0x777}, 3},
        {14, 1, {0xe01}, 0},
    };

    image_begin(image);
    image_add_text(image, "chipset=0xa3", 12);
    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        image_add(image, &records[i]);
}

/* Read all records; their number, or -1 and the error. */
static inline int read_all(struct pfifo_stream *stream, struct pfifo_error *error) {
    struct pfifo_stream_record record;
    int count = 0;

    for (;; count++) {
        if (pfifo_stream_next(stream, &record, error) != PFIFO_OK)
            return -1;
        if (record.type == PFIFO_STREAM_END)
            return count;
    }
}

/* A writer of that version makes the same bytes of the image's records. */
static inline void image_expect_written(const struct image *image, int version) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, "image", &error);
    struct pfifo_stream_record record;
    size_t size;

    assert_non_null(stream);
    assert_int_equal(pfifo_stream_writer_version(writer, version, &error), PFIFO_OK);
    while (pfifo_stream_next(stream, &record, &error) == PFIFO_OK && record.type != PFIFO_STREAM_END)
        if (pfifo_stream_writer_append(writer, &record, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_OK);
    const void *written = pfifo_stream_writer_memory(writer, &size);
    assert_int_equal(size, image->size);
    assert_memory_equal(written, image->data, size);
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
}

/* None of the records is of a type that the image's version has. */
static inline void image_expect_unknown(struct image *image, int version, const struct image_record *records,
                                        size_t count) {
    struct pfifo_stream_record record;

    image_begin_version(image, version);
    for (size_t i = 0; i < count; i++)
        image_add(image, &records[i]);
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, "image", NULL);
    assert_non_null(stream);
    assert_int_equal(pfifo_stream_version(stream), version);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        assert_int_equal(record.type, PFIFO_STREAM_UNKNOWN);
        assert_int_equal(record.number, records[i].type);
    }
    pfifo_stream_close(stream);
}

#endif
