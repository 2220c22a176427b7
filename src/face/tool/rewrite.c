/* SPDX-License-Identifier: MIT */
#include "face/tool/rewrite.h"

#include <string.h>

static enum pfifo_stream_packing packing_of(const char *path) {
    const char *dot = strrchr(path, '.');

    if (dot && !strcmp(dot, ".xz"))
        return PFIFO_STREAM_XZ;
    return dot && !strcmp(dot, ".zst") ? PFIFO_STREAM_ZSTD : PFIFO_STREAM_PLAIN;
}

enum pfifo_status rewrite(struct pfifo_stream *stream, const char *path, pfifo_edit_decide decide, void *opaque,
                          struct pfifo_edit_result *result, struct pfifo_error *error) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open(path, packing_of(path), error);
    enum pfifo_status status;

    if (!writer)
        return error->status;
    pfifo_stream_rewind(stream);
    status = pfifo_edit(stream, NULL, decide, opaque, writer, result, error);
    if (status == PFIFO_OK)
        status = pfifo_stream_writer_finish(writer, error);
    pfifo_stream_writer_close(writer);
    return status;
}
