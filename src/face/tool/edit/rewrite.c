/* SPDX-License-Identifier: MIT */
#include "face/tool/edit/rewrite.h"

#include "face/tool/tool.h"

#include <string.h>
#include <unistd.h>

static enum pfifo_stream_packing packing_of(const char *path) {
    static const struct {
        const char *suffix;
        enum pfifo_stream_packing packing;
    } rows[] = {{".gz", PFIFO_STREAM_GZIP}, {".xz", PFIFO_STREAM_XZ}, {".zst", PFIFO_STREAM_ZSTD}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(dot, rows[i].suffix))
            return rows[i].packing;
    return PFIFO_STREAM_PLAIN;
}

static bool rewrite_put(void *opaque, const void *data, size_t bytes) {
    return tool_write(opaque, data, bytes);
}

bool rewrite_can_go_to(const char *path) {
    if (!tool_is_output(path) || !isatty(STDOUT_FILENO))
        return true;
    tool_message("a capture is not for a terminal: --output=FILE");
    return false;
}

FILE *rewrite_tells(const char *path) {
    return tool_is_output(path) ? stderr : stdout;
}

enum pfifo_status rewrite(struct pfifo_stream *stream, const struct pfifo_chip *chip, const char *path,
                          pfifo_edit_decide decide, void *opaque, struct pfifo_edit_result *result,
                          struct pfifo_error *error) {
    struct pfifo_stream_writer *writer =
        tool_is_output(path) ? pfifo_stream_writer_open_sink(rewrite_put, stdout, PFIFO_STREAM_PLAIN, error)
                             : pfifo_stream_writer_open(path, packing_of(path), error);
    const struct pfifo_decode_options with = {.size = sizeof with, .chip = chip};
    enum pfifo_status status;

    if (!writer)
        return error->status;
    pfifo_stream_rewind(stream);
    status = pfifo_edit(stream, &with, decide, opaque, writer, result, error);
    if (status == PFIFO_OK)
        status = pfifo_stream_writer_finish(writer, error);
    pfifo_stream_writer_close(writer);
    return status;
}
