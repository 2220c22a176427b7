/* SPDX-License-Identifier: MIT */
#include "foreign/foreign.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/words.h>

#include "chip/error.h"
#include "memory/little_endian.h"
#include "stream/codec.h"
#include "stream/format.h"

static const struct foreign_format *const formats[] = {&foreign_format_rpcs3, &foreign_format_mmt};
#define FORMATS (sizeof formats / sizeof formats[0])

enum { HEAD_BYTES = 64 /* unpacked, to recognise a file by */ };

/* ---- for the formats ---- */

const uint8_t *foreign_take(struct foreign_file *file, size_t bytes) {
    if (file->failed || bytes > file->size - file->at) {
        file->failed_at = file->failed ? file->failed_at : file->at;
        file->ended = file->ended || !file->failed;
        file->failed = true;
        return NULL;
    }
    file->at += bytes;
    return file->data + file->at - bytes;
}

uint32_t foreign_u8(struct foreign_file *file) {
    const uint8_t *at = foreign_take(file, 1);

    return at ? *at : 0;
}

uint32_t foreign_u32(struct foreign_file *file) {
    const uint8_t *at = foreign_take(file, 4);

    return at ? load_le32(at) : 0;
}

uint64_t foreign_u64(struct foreign_file *file) {
    const uint8_t *at = foreign_take(file, 8);

    return at ? load_le64(at) : 0;
}

enum pfifo_status foreign_error(const struct foreign_file *file, size_t offset, struct pfifo_error *error,
                                const char *format, ...) {
    char reason[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.80s: offset %zu: %s", file->name, offset, reason);
}

enum pfifo_status foreign_no_memory(const struct foreign_file *file, struct pfifo_error *error, const char *what) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory for %s", file->name, what);
}

int foreign_compare_ranges(uint64_t first, uint64_t first_bytes, uint64_t second, uint64_t second_bytes) {
    if (first < second)
        return second - first >= first_bytes ? -1 : 0;
    return first - second >= second_bytes;
}

enum pfifo_status foreign_note(struct pfifo_stream_writer *writer, struct pfifo_error *error, const char *format, ...) {
    char note[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    return pfifo_stream_writer_text(writer, "note", note, error);
}

void foreign_leave_out(struct foreign_left_out *left_out, size_t at, const char *why) {
    if (!left_out->count++) {
        left_out->at = at;
        left_out->why = why;
    }
}

enum pfifo_status foreign_note_left_out(const struct foreign_left_out *left_out, const char *what,
                                        struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    if (!left_out->count)
        return PFIFO_OK;
    return foreign_note(writer, error, "%zu %s are not here; the first is at offset %zu: %s", left_out->count, what,
                        left_out->at, left_out->why);
}

bool foreign_has_room(const struct foreign_file *file, const struct pfifo_stream_writer *writer, size_t at,
                      uint64_t bytes, struct pfifo_error *error) {
    size_t used;

    pfifo_stream_writer_memory(writer, &used);
    if (used <= PFIFO_STREAM_WHOLE_LIMIT && bytes <= PFIFO_STREAM_WHOLE_LIMIT - used)
        return true;
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                           "%.80s: offset %zu: from here on its capture would have more than 1 GiB", file->name,
                           at) == PFIFO_OK;
}

/* ---- unpacking ---- */

/* *out is empty if the file is not packed. */
static enum pfifo_status foreign_unpack(const uint8_t *data, size_t bytes, const char *name, struct bytes *out,
                                        struct pfifo_error *error) {
    const struct unpack_source source = {.name = name, .data = data, .size = bytes};
    bool truncated;

    bytes_init(out, 0);
    return codec_find(data, bytes) ? unpack_all(&source, PFIFO_STREAM_WHOLE_LIMIT, out, &truncated, error) : PFIFO_OK;
}

/* The first bytes of a packed file. */
static size_t unpack_head(const uint8_t *data, size_t bytes, uint8_t head[HEAD_BYTES]) {
    const struct unpack_source source = {.name = "", .data = data, .size = bytes};
    struct unpack unpack;
    size_t got = 0, part = 1;
    bool good = unpack_begin(&unpack, &source, HEAD_BYTES, NULL) == PFIFO_OK;

    while (good && part && got < HEAD_BYTES) {
        good = unpack_some(&unpack, head + got, HEAD_BYTES - got, &part, NULL) == PFIFO_OK;
        got += part;
    }
    unpack_end(&unpack);
    return got;
}

/* ---- the interface ---- */

static const struct foreign_format *find_foreign(const uint8_t *data, size_t bytes) {
    uint8_t head[HEAD_BYTES];

    if (data && codec_find(data, bytes)) {
        bytes = unpack_head(data, bytes, head);
        data = head;
    } else if (!data || !memchr(data, 0, bytes)) { /* all of these formats have zeros, and no text has one */
        return NULL;
    }
    bytes = bytes < HEAD_BYTES ? bytes : HEAD_BYTES;
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->recognise(data, bytes))
            return formats[i];
    return NULL;
}

const char *pfifo_foreign_recognise(const void *data, size_t bytes) {
    const struct foreign_format *format = find_foreign(data, bytes);

    return format ? format->name : NULL;
}

static struct pfifo_stream *foreign_read(const struct foreign_format *format, struct foreign_file *file,
                                         struct pfifo_error *error) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, error);
    struct pfifo_stream *stream = NULL;
    const void *capture;
    size_t bytes;

    if (writer && format->read(file, writer, error) == PFIFO_OK &&
        pfifo_stream_writer_finish(writer, error) == PFIFO_OK) {
        capture = pfifo_stream_writer_memory(writer, &bytes);
        stream = pfifo_stream_open_memory(capture, bytes, file->name, error);
    }
    pfifo_stream_writer_close(writer);
    return stream;
}

struct pfifo_stream *pfifo_foreign_read(const void *data, size_t bytes, const char *name, struct pfifo_error *error) {
    const struct foreign_format *format = find_foreign(data, bytes);
    struct pfifo_stream *stream = NULL;
    struct pfifo_error local = {0};
    struct bytes unpacked;

    error = error ? error : &local;
    name = name ? name : "file";
    if (!format) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.100s: not a file of another program that pfifo knows", name);
        return NULL;
    }
    if (foreign_unpack(data, bytes, name, &unpacked, error) != PFIFO_OK)
        return NULL;
    struct foreign_file file = {.name = name, .data = data, .size = bytes};
    if (unpacked.data) {
        file.data = unpacked.data;
        file.size = unpacked.size;
    }
    stream = foreign_read(format, &file, error);
    bytes_free(&unpacked);
    return stream;
}

static bool is_no_capture(const struct pfifo_error *error) {
    return error->status == PFIFO_ERROR_FORMAT && strstr(error->message, FORMAT_NOT_ONE);
}

/* A text that says of which chip it is. */
static struct pfifo_stream *read_text(const void *data, size_t bytes, const char *name, struct pfifo_error *error) {
    const struct pfifo_words_capture_options with = {.size = sizeof with, .runs = true};
    struct pfifo_words *words = pfifo_words_read(data, bytes, name, error);
    struct pfifo_stream *stream = NULL;

    if (words && pfifo_words_info(words).chip)
        stream = pfifo_words_capture(words, &with, error);
    else if (words)
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.100s: words in a text (%s) do not say their chip", name,
                        pfifo_words_info(words).format);
    pfifo_words_free(words);
    return stream;
}

struct pfifo_stream *pfifo_foreign_open_memory(const void *data, size_t bytes, const char *name,
                                               struct pfifo_error *error) {
    struct pfifo_error local = {0};
    struct pfifo_stream *stream;

    error = error ? error : &local;
    stream = pfifo_stream_open_memory(data, bytes, name, error);
    if (stream || !is_no_capture(error))
        return stream;
    if (find_foreign(data, bytes))
        return pfifo_foreign_read(data, bytes, name, error);
    return pfifo_words_recognise(data, bytes) ? read_text(data, bytes, name, error) : NULL;
}

/* All of a file. False: why not is said. */
static bool read_file(const char *path, struct bytes *out, struct pfifo_error *error) {
    FILE *file = fopen(path, "rb");
    size_t got = 1;
    bool good = file != NULL;

    bytes_init(out, PFIFO_STREAM_WHOLE_LIMIT);
    while (good && got) {
        good = bytes_reserve(out, 1);
        got = good ? fread(out->data + out->size, 1, out->capacity - out->size, file) : 0;
        out->size += got;
    }
    if (!good && file)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.160s: it is too large", path);
    else if (!good || ferror(file))
        good = error_cannot(error, path, "read") == PFIFO_OK;
    if (file)
        fclose(file);
    return good;
}

struct pfifo_stream *pfifo_foreign_open(const char *path, struct pfifo_error *error) {
    struct pfifo_error local = {0};
    struct pfifo_stream *stream;
    struct bytes data;

    error = error ? error : &local;
    stream = pfifo_stream_open(path, error);
    if (stream || !is_no_capture(error))
        return stream;
    if (read_file(path, &data, error))
        stream = pfifo_foreign_open_memory(data.data, data.size, path, error);
    bytes_free(&data);
    return stream;
}
