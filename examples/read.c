/* SPDX-License-Identifier: MIT */
/*
 * Reads a capture with libpfifo-capture: prints the lines that match a query.
 *
 *   read samples/captures/nv117-quad.nvcap.xz 'CLEAR_SURFACE or SET_COLOR_CLEAR_VALUE'
 */
#include <pfifo/query.h>
#include <pfifo/stream.h>

#include <stdio.h>

static bool print(void *opaque, const char *text, size_t bytes) {
    return fwrite(text, 1, bytes, opaque) == bytes;
}

int main(int argc, char **argv) {
    struct pfifo_error error = {0};
    uint64_t matches = 0;

    if (argc != 3) {
        fprintf(stderr, "usage: read CAPTURE QUERY\n");
        return 2;
    }
    struct pfifo_query *query = pfifo_query_new(argv[2], &error);
    struct pfifo_stream *stream = query ? pfifo_stream_open(argv[1], &error) : NULL;
    const struct pfifo_decode_options options = {.size = sizeof options, .query = query, .matches = &matches};
    bool read = stream && pfifo_decode_stream(stream, &options, print, stdout, &error) == PFIFO_OK;
    pfifo_stream_close(stream);
    pfifo_query_free(query);
    if (!read) {
        fprintf(stderr, "read: %s\n", error.message);
        return 2;
    }
    return matches == 0;
}
