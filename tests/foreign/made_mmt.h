/* SPDX-License-Identifier: MIT */
/*
 * Recordings of valgrind-mmt that tests put together, message by message, as envytools' demmt reads them
 * (demmt/mmt_bin_decode.h). Nothing of the reader is used.
 */
#ifndef TESTS_FOREIGN_MADE_MMT_H
#define TESTS_FOREIGN_MADE_MMT_H

#include "foreign/made.h"

#include <pfifo/foreign.h>

/* ---- making a log ---- */

static inline void add_byte(struct made *made, int byte) {
    const uint8_t value = (uint8_t)byte;

    add(made, &value, 1);
}

static inline void add_bytes(struct made *made, const void *data, size_t bytes) {
    add_u32(made, (uint32_t)bytes);
    add(made, data, bytes);
}

static inline void begin(struct made *made) {
    made->size = 0;
    add(made, "==12== mmt\n", 11);
}

/* An ioctl of the newer form, before ('i') or after ('j') it; `kind`: 'd' of DRM, 'F' of NVIDIA's resource manager. */
static inline void add_ioctl_of(struct made *made, int type, int kind, unsigned number, const uint32_t *data,
                                size_t words) {
    uint8_t bytes[256];

    for (size_t i = 0; i < words; i++)
        store_le32(bytes + 4 * i, data[i]);
    add_byte(made, type);
    add_u32(made, 5);
    add_u32(made, 0xc0000000u | (uint32_t)(4 * words) << 16 | (uint32_t)kind << 8 | number);
    if (type == 'j') {
        add_u64(made, 0);
        add_u64(made, 0);
    }
    add_bytes(made, bytes, 4 * words);
    add_byte(made, '\n');
}

static inline void add_ioctl(struct made *made, int type, unsigned number, const uint32_t *data, size_t words) {
    add_ioctl_of(made, type, 'd', number, data, words);
}

static inline void add_memory(struct made *made, uint64_t address, const uint32_t *data, size_t words) {
    add_byte(made, 'y');
    add_u64(made, address);
    add_u32(made, (uint32_t)(4 * words));
    for (size_t i = 0; i < words; i++)
        add_u32(made, data[i]);
    add_byte(made, '\n');
}

static inline void add_map(struct made *made, uint32_t id, uint64_t offset, uint64_t start, uint64_t bytes) {
    add_byte(made, 'm');
    add_u64(made, offset);
    add_u32(made, id);
    add_u64(made, start);
    add_u64(made, bytes);
    add_byte(made, '\n');
}

static inline void add_write(struct made *made, uint32_t id, uint32_t offset, uint32_t word) {
    add_byte(made, 'w');
    add_u32(made, id);
    add_u32(made, offset);
    add_byte(made, 4);
    add_u32(made, word);
    add_byte(made, '\n');
}

static inline void add_write_at(struct made *made, uint64_t address, uint32_t word) {
    add_byte(made, 'W');
    add_u64(made, address);
    add_byte(made, 4);
    add_u32(made, word);
    add_byte(made, '\n');
}

/* ---- reading it ---- */

static inline struct pfifo_stream *read_made(const struct made *made) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_foreign_read(made->data, made->size, "a.mmt", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* The next record of a type; all of them before are passed over. */
static inline struct pfifo_stream_record next(struct pfifo_stream *stream, enum pfifo_stream_type type) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    do
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
    while (record.type != type && record.type != PFIFO_STREAM_END);
    assert_int_equal(record.type, type);
    return record;
}

static inline bool has_note(struct pfifo_stream *stream, const char *text) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    pfifo_stream_rewind(stream);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type == PFIFO_STREAM_TEXT && memmem(record.text.value, record.text.value_bytes, text, strlen(text)))
            return true;
    }
    return false;
}

static inline void expect_refused(const struct made *made, enum pfifo_status status, const char *reason) {
    struct pfifo_error error = {0};

    if (pfifo_foreign_read(made->data, made->size, "a.mmt", &error))
        fail_msg("read, not '%s'", reason);
    if (!strstr(error.message, reason))
        fail_msg("'%s', not '%s'", error.message, reason);
    assert_int_equal(error.status, status);
}

#endif
