/* SPDX-License-Identifier: MIT */
/*
 * A capture is edited: what is written can be read again.
 *
 *   byte 0     seed of the decisions
 *   the rest   a capture, packed or not
 */
#include <pfifo/edit.h>

#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CAPTURE_LIMIT = 1 << 20 };

static enum pfifo_edit_action decide(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    uint32_t *seed = opaque;

    *seed = *seed * 1664525 + 1013904223 + event->method;
    *data = *seed >> 20;
    if ((*seed >> 24) % 4 == PFIFO_EDIT_REPEAT)
        *data %= 5;
    return (enum pfifo_edit_action)((*seed >> 24) % 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size)
        return 0;
    uint32_t seed = data[0];
    struct pfifo_stream *stream = pfifo_stream_open_memory_limited(data + 1, size - 1, "fuzz", CAPTURE_LIMIT, NULL);
    struct pfifo_stream_writer *writer = stream ? pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL) : NULL;
    struct pfifo_edit_result result;

    if (writer && pfifo_edit(stream, NULL, decide, &seed, writer, &result, NULL) == PFIFO_OK &&
        pfifo_stream_writer_finish(writer, NULL) == PFIFO_OK) {
        struct pfifo_stream_record record;
        size_t bytes;
        const void *written = pfifo_stream_writer_memory(writer, &bytes);
        struct pfifo_stream *again = pfifo_stream_open_memory(written, bytes, "again", NULL);
        require(again);
        do
            require(pfifo_stream_next(again, &record, NULL) == PFIFO_OK);
        while (record.type != PFIFO_STREAM_END);
        pfifo_stream_close(again);
        require(result.dropped + result.changed + result.repeated + result.left <= result.methods);
    }
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
    return 0;
}
