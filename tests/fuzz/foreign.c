/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: files of other programs, packed or not. What is read is a capture that can be read to its end, and is
 * decoded; what is not has a reason.
 */
#include <pfifo/decode.h>
#include <pfifo/foreign.h>

#include <stdlib.h>

enum { MOST_BYTES = 1 << 18 };

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct pfifo_error error = {0};
    bool known;
    struct pfifo_stream *stream;

    if (size > MOST_BYTES)
        return 0;
    known = pfifo_foreign_recognise(data, size) != NULL;
    stream = pfifo_foreign_read(data, size, "fuzz", &error);
    require(known || !stream);
    require(stream || (error.status != PFIFO_OK && error.message[0]));
    if (stream)
        read_all(stream);
    pfifo_stream_close(stream);
    return 0;
}
