/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: files of other programs. What is read is a capture that can be read to its end, and is decoded; what is
 * not has a reason. The first byte is how the rest is given: 0 as it is, 1 as one stored block of gzip.
 */
#include <pfifo/decode.h>
#include <pfifo/foreign.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 18, GZIP_BYTES = 15 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static bool write_nothing(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

static void read_all(struct pfifo_stream *stream) {
    const struct pfifo_decode_options with = {.chip = NULL};
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    while (record.type != PFIFO_STREAM_END)
        require(pfifo_stream_next(stream, &record, NULL) == PFIFO_OK);
    pfifo_stream_rewind(stream);
    pfifo_decode_stream(stream, &with, write_nothing, NULL, NULL);
}

static void try_file(const uint8_t *data, size_t size) {
    struct pfifo_error error = {0};
    const bool known = pfifo_foreign_recognise(data, size) != NULL;
    struct pfifo_stream *stream = pfifo_foreign_read(data, size, "fuzz", &error);

    require(known || !stream);
    require(stream || (error.status != PFIFO_OK && error.message[0]));
    if (stream)
        read_all(stream);
    pfifo_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t head[GZIP_BYTES] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1};
    uint8_t *packed;

    if (size < 1 || size > MOST_BYTES)
        return 0;
    if (!(data[0] & 1) || size > 0x10000) {
        try_file(data + 1, size - 1);
        return 0;
    }
    packed = malloc(GZIP_BYTES + size);
    require(packed);
    memcpy(packed, head, GZIP_BYTES);
    packed[11] = (uint8_t)(size - 1);
    packed[12] = (uint8_t)((size - 1) >> 8);
    packed[13] = (uint8_t)~packed[11];
    packed[14] = (uint8_t)~packed[12];
    memcpy(packed + GZIP_BYTES, data + 1, size - 1);
    try_file(packed, GZIP_BYTES + size - 1);
    free(packed);
    return 0;
}
