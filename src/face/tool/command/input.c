/* SPDX-License-Identifier: MIT */
/* Reads files; the name - is standard input. */
#include "face/tool/tool.h"

#include "chip/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_standard_input(const char *path) {
    return strcmp(path, "-") == 0;
}

bool tool_reads_once(const char *path) {
    struct stat about;

    return is_standard_input(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

const char *tool_input_name(const char *path) {
    const char *slash = strrchr(path, '/');

    return is_standard_input(path) ? "stdin" : slash ? slash + 1 : path;
}

const char *tool_input_path(const char *path) {
    return is_standard_input(path) ? "stdin" : path;
}

/* The rest of a file, to be freed; NULL: it could not be read, or it is too large. */
static char *input_read_all(FILE *file, size_t *bytes) {
    char *data = NULL;
    size_t room = 0, part = 1;

    *bytes = 0;
    while (part) {
        if (*bytes == room) {
            char *grown = room < PFIFO_STREAM_WHOLE_LIMIT ? realloc(data, room = room ? 2 * room : 65536) : NULL;
            if (!grown)
                break;
            data = grown;
        }
        part = fread(data + *bytes, 1, room - *bytes, file);
        *bytes += part;
    }
    if (!part && !ferror(file))
        return data;
    free(data);
    return NULL;
}

/* Standard input belongs to the process. */
static bool has_read_standard_input;

void *tool_read(const char *path, size_t *bytes, struct pfifo_error *error) {
    if (is_standard_input(path) && has_read_standard_input) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "standard input, -, can be read only once");
        return NULL;
    }
    has_read_standard_input = has_read_standard_input || is_standard_input(path);
    FILE *file = is_standard_input(path) ? stdin : fopen(path, "rb");
    char *data = file ? input_read_all(file, bytes) : NULL;

    if (!data && file && !ferror(file))
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.160s: it is too large", tool_input_path(path));
    else if (!data)
        error_cannot(error, tool_input_path(path), "read");
    if (file && file != stdin)
        fclose(file);
    return data;
}

struct pfifo_stream *tool_open(const char *path, struct pfifo_error *error) {
    struct pfifo_stream *stream;
    size_t bytes;
    void *data;

    if (!is_standard_input(path))
        return pfifo_stream_open(path, error);
    data = tool_read(path, &bytes, error);
    stream = data ? pfifo_stream_open_memory(data, bytes, tool_input_path(path), error) : NULL;
    free(data);
    return stream;
}
