/* SPDX-License-Identifier: MIT */
/* Any bytes as a capture, packed or not: every record is read, and every byte that a record points to. What can be
 * read can be written again, and gives the same bytes. */
#include <pfifo/stream.h>

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch(const void *data, size_t size) {
    const uint8_t *p = data;
    uint64_t sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += p[i];
    return sum;
}

static uint64_t touch_record(const struct pfifo_stream_record *r) {
    switch (r->type) {
    case PFIFO_STREAM_TEXT:
        return touch(r->text.key, r->text.key_bytes) + touch(r->text.value, r->text.value_bytes);
    case PFIFO_STREAM_BODATA:
        return touch(r->bodata.data, r->bodata.bytes);
    case PFIFO_STREAM_PUSH:
        return r->push.word_count > 0 ? pfifo_stream_word(&r->push, r->push.word_count - 1) : 0;
    case PFIFO_STREAM_WRITE:
        return touch(r->write.data, r->write.bytes);
    default:
        return touch(r->payload, r->payload_bytes);
    }
}

/* The last word of a SUBMIT means nothing, and is written as 0. */
static void compare(const struct pfifo_stream_record *record, const uint8_t *written, size_t written_bytes) {
    size_t bytes = record->type == PFIFO_STREAM_SUBMIT ? record->payload_bytes - 4 : record->payload_bytes;

    if (record->offset + 8 + record->payload_bytes != written_bytes)
        abort();
    if (bytes > 0 && memcmp(written + record->offset + 8, record->payload, bytes) != 0)
        abort();
}

static uint64_t read_records(struct pfifo_stream *stream, struct pfifo_stream_writer *writer) {
    struct pfifo_stream_record record;
    struct pfifo_error error;
    uint64_t sum = 0;

    while (pfifo_stream_next(stream, &record, &error) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        const uint8_t *written;
        size_t bytes;

        sum += touch_record(&record);
        if (pfifo_stream_writer_append(writer, &record, &error) != PFIFO_OK)
            abort();
        written = pfifo_stream_writer_memory(writer, &bytes);
        compare(&record, written, bytes);
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static volatile uint64_t sink;
    struct pfifo_error error;
    struct pfifo_stream *stream = pfifo_stream_open_memory_limited(data, size, "fuzz", LIMIT, &error);
    struct pfifo_stream_writer *writer;

    if (!stream)
        return 0;
    writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    if (!writer || pfifo_stream_bytes(stream) > LIMIT ||
        pfifo_stream_writer_version(writer, pfifo_stream_version(stream), NULL) != PFIFO_OK)
        abort();
    sink = read_records(stream, writer);
    pfifo_stream_rewind(stream);
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
    (void)sink;
    return 0;
}
