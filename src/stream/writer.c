/* SPDX-License-Identifier: MIT */
#include <pfifo/stream.h>

#include <assert.h>
#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/bytes.h"
#include "stream/format.h"
#include "stream/rules.h"

enum { CHUNK_BYTES = 64 * 1024 };

struct pfifo_stream_writer {
    FILE *file; /* NULL: into memory */
    struct bytes memory;
    bool packed;
    lzma_stream xz;
    struct rules rules;
    bool finished;
    bool failed; /* a write failed; everything after it would be wrong */
    uint8_t chunk[CHUNK_BYTES];
};

static enum pfifo_status writer_write_out(struct pfifo_stream_writer *writer, const void *data, size_t bytes,
                                          struct pfifo_error *error) {
    bool done =
        writer->file ? fwrite(data, 1, bytes, writer->file) == bytes : bytes_append(&writer->memory, data, bytes);

    if (done)
        return PFIFO_OK;
    writer->failed = true;
    if (writer->file)
        return pfifo_error_set(error, PFIFO_ERROR_IO, "cannot write a capture: %s", strerror(errno));
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to write a capture");
}

static enum pfifo_status writer_pack(struct pfifo_stream_writer *writer, const void *data, size_t bytes,
                                     lzma_action action, struct pfifo_error *error) {
    lzma_stream *xz = &writer->xz;
    enum pfifo_status status = PFIFO_OK;
    lzma_ret ret = LZMA_OK;

    xz->next_in = data;
    xz->avail_in = bytes;
    while (status == PFIFO_OK && ret == LZMA_OK && (xz->avail_in > 0 || action == LZMA_FINISH)) {
        xz->next_out = writer->chunk;
        xz->avail_out = sizeof(writer->chunk);
        ret = lzma_code(xz, action);
        status = writer_write_out(writer, writer->chunk, sizeof(writer->chunk) - xz->avail_out, error);
    }
    if (status == PFIFO_OK && ret != LZMA_OK && ret != LZMA_STREAM_END) {
        writer->failed = true;
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "cannot pack a capture (liblzma says %d)", (int)ret);
    }
    return status;
}

static enum pfifo_status writer_put(struct pfifo_stream_writer *writer, const void *data, size_t bytes,
                                    struct pfifo_error *error) {
    if (bytes == 0)
        return PFIFO_OK;
    return writer->packed ? writer_pack(writer, data, bytes, LZMA_RUN, error)
                          : writer_write_out(writer, data, bytes, error);
}

static struct pfifo_stream_writer *begin(FILE *file, enum pfifo_stream_packing packing, struct pfifo_error *error) {
    static const lzma_stream no_xz = LZMA_STREAM_INIT;
    struct pfifo_stream_writer *writer = calloc(1, sizeof(*writer));
    uint8_t magic[FORMAT_MAGIC_BYTES];

    if (!writer) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to write a capture");
        if (file)
            fclose(file);
        return NULL;
    }
    writer->file = file;
    writer->xz = no_xz;
    writer->packed = packing == PFIFO_STREAM_XZ;
    bytes_init(&writer->memory, SIZE_MAX);
    format_put_magic(magic);
    if (writer->packed && lzma_easy_encoder(&writer->xz, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to pack a capture");
    else if (writer_put(writer, magic, sizeof(magic), error) == PFIFO_OK)
        return writer;
    pfifo_stream_writer_close(writer);
    return NULL;
}

struct pfifo_stream_writer *pfifo_stream_writer_open(const char *path, enum pfifo_stream_packing packing,
                                                     struct pfifo_error *error) {
    FILE *file = path ? fopen(path, "wb") : NULL;

    if (file)
        return begin(file, packing, error);
    if (path)
        pfifo_error_set(error, PFIFO_ERROR_IO, "%.150s: cannot open: %s", path, strerror(errno));
    else
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no path of a capture");
    return NULL;
}

struct pfifo_stream_writer *pfifo_stream_writer_open_memory(enum pfifo_stream_packing packing,
                                                            struct pfifo_error *error) {
    return begin(NULL, packing, error);
}

static enum pfifo_status check_open(const struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    if (writer->failed)
        return pfifo_error_set(error, PFIFO_ERROR_IO, "the capture could not be written before");
    if (writer->finished)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the capture is finished");
    return PFIFO_OK;
}

static enum pfifo_status refuse(struct pfifo_error *error, const char *type, const struct reason *reason) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s: %s", type, reason->text);
}

enum pfifo_status pfifo_stream_writer_append(struct pfifo_stream_writer *writer,
                                             const struct pfifo_stream_record *record, struct pfifo_error *error) {
    struct format_pieces pieces;
    struct reason reason;
    enum pfifo_status status = check_open(writer, error);

    if (status != PFIFO_OK)
        return status;
    if (!format_encode(record, &pieces, &reason) || !rules_accept(&writer->rules, record, &reason))
        return refuse(error, pfifo_stream_type_name(record->type), &reason);
    assert(pieces.head_bytes <= sizeof(pieces.head));
    status = writer_put(writer, pieces.head, pieces.head_bytes, error);
    for (int i = 0; i < 3 && status == PFIFO_OK; i++)
        status = writer_put(writer, pieces.tail[i].data, pieces.tail[i].bytes, error);
    return status;
}

enum pfifo_status pfifo_stream_writer_text(struct pfifo_stream_writer *writer, const char *key, const char *value,
                                           struct pfifo_error *error) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    record.text.key = key;
    record.text.key_bytes = strlen(key);
    record.text.value = value;
    record.text.value_bytes = strlen(value);
    return pfifo_stream_writer_append(writer, &record, error);
}

enum pfifo_status pfifo_stream_writer_finish(struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    struct reason reason;
    enum pfifo_status status = check_open(writer, error);

    if (status != PFIFO_OK)
        return status;
    if (!rules_may_end(&writer->rules, &reason))
        return refuse(error, "finish", &reason);
    if (writer->packed)
        status = writer_pack(writer, NULL, 0, LZMA_FINISH, error);
    if (status == PFIFO_OK && writer->file) {
        FILE *file = writer->file;

        writer->file = NULL;
        if (fclose(file) != 0) {
            writer->failed = true;
            return pfifo_error_set(error, PFIFO_ERROR_IO, "cannot write a capture: %s", strerror(errno));
        }
    }
    writer->finished = status == PFIFO_OK;
    return status;
}

const void *pfifo_stream_writer_memory(const struct pfifo_stream_writer *writer, size_t *size) {
    *size = writer->memory.size;
    return writer->memory.data;
}

void pfifo_stream_writer_close(struct pfifo_stream_writer *writer) {
    if (!writer)
        return;
    if (writer->file)
        fclose(writer->file);
    lzma_end(&writer->xz);
    bytes_free(&writer->memory);
    free(writer);
}
