/* SPDX-License-Identifier: MIT */
#include <pfifo/stream.h>

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chip/error.h"
#include "stream/format.h"
#include "stream/pack.h"
#include "stream/rules.h"
#include "nvgpu/writer.h"

struct pfifo_stream_writer {
    struct stream_writer_head head; /* the first */
    struct rules rules;
    uint32_t version;
    bool begun; /* the magic is written */
    bool finished;
    struct pack pack;
};

/* Where a capture goes to. */
struct target {
    enum pfifo_stream_packing packing;
    FILE *file;
    const char *path; /* of the file */
    pfifo_stream_writer_sink *sink;
    void *opaque;
};

static bool writer_mapping(const struct pfifo_stream_writer *writer, uint32_t space, uint64_t address,
                           struct stream_mapping *mapping) {
    const struct known_map *map = known_map_at(&writer->rules.known, space, address);

    if (!map)
        return false;
    uint64_t inside = address - map->range.address;
    *mapping = (struct stream_mapping){map->buffer->handle, map->offset + inside, map->range.bytes - inside};
    return true;
}

static const struct stream_writer_ops writer_ops = {
    .version = pfifo_stream_writer_version,
    .append = pfifo_stream_writer_append,
    .text = pfifo_stream_writer_text,
    .mapping = writer_mapping,
};

/* Takes the file, also if it fails. */
static struct pfifo_stream_writer *writer_begin(const struct target *target, struct pfifo_error *error) {
    struct pfifo_stream_writer *writer = calloc(1, sizeof(*writer));

    if (!writer) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to write a capture");
        if (target->file)
            fclose(target->file);
        return NULL;
    }
    writer->head.ops = &writer_ops;
    writer->pack.packing = target->packing;
    writer->pack.file = target->file;
    writer->pack.sink = target->sink;
    writer->pack.opaque = target->opaque;
    writer->pack.path = target->path ? strdup(target->path) : NULL;
    writer->version = 1;
    rules_begin(&writer->rules, writer->version);
    if (pack_begin(&writer->pack, error) == PFIFO_OK)
        return writer;
    pfifo_stream_writer_close(writer);
    return NULL;
}

struct pfifo_stream_writer *pfifo_stream_writer_open(const char *path, enum pfifo_stream_packing packing,
                                                     struct pfifo_error *error) {
    struct target target = {.packing = packing, .file = path ? fopen(path, "wb") : NULL, .path = path};

    if (target.file)
        return writer_begin(&target, error);
    if (path)
        error_cannot(error, path, "write");
    else
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no path of a capture");
    return NULL;
}

struct pfifo_stream_writer *pfifo_stream_writer_open_memory(enum pfifo_stream_packing packing,
                                                            struct pfifo_error *error) {
    return writer_begin(&(const struct target){.packing = packing}, error);
}

struct pfifo_stream_writer *pfifo_stream_writer_open_sink(pfifo_stream_writer_sink *sink, void *opaque,
                                                          enum pfifo_stream_packing packing,
                                                          struct pfifo_error *error) {
    const struct target target = {.packing = packing, .sink = sink, .opaque = opaque};

    if (sink)
        return writer_begin(&target, error);
    pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no function for a capture");
    return NULL;
}

static enum pfifo_status check_open(const struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    if (writer->pack.failed)
        return pfifo_error_set(error, PFIFO_ERROR_IO, "the capture could not be written before");
    if (writer->finished)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the capture is finished");
    return PFIFO_OK;
}

/* The magic comes before the first that is written. */
static enum pfifo_status writer_begin_file(struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    uint8_t magic[FORMAT_MAGIC_BYTES];
    enum pfifo_status status = check_open(writer, error);

    if (status != PFIFO_OK || writer->begun)
        return status;
    writer->begun = true;
    format_put_magic(magic, writer->version);
    return pack_put(&writer->pack, magic, sizeof(magic), error);
}

enum pfifo_status pfifo_stream_writer_version(struct pfifo_stream_writer *writer, uint32_t version,
                                              struct pfifo_error *error) {
    if (version < 1 || version > FORMAT_VERSIONS)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "captures have no version %" PRIu32, version);
    if (writer->begun)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the capture has begun");
    writer->version = version;
    rules_begin(&writer->rules, version);
    return PFIFO_OK;
}

static enum pfifo_status writer_refuse(struct pfifo_error *error, const char *type, const struct reason *reason) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s: %s", type, reason->text);
}

enum pfifo_status pfifo_stream_writer_append(struct pfifo_stream_writer *writer,
                                             const struct pfifo_stream_record *record, struct pfifo_error *error) {
    struct format_pieces pieces;
    struct reason reason;
    enum pfifo_status status = writer_begin_file(writer, error);

    if (status != PFIFO_OK)
        return status;
    if (!format_encode(record, writer->version, &pieces, &reason) || !rules_accept(&writer->rules, record, &reason))
        return writer->rules.known.no_memory ? pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%s", reason.text)
                                             : writer_refuse(error, pfifo_stream_type_name(record->type), &reason);
    assert(pieces.head_bytes <= sizeof(pieces.head));
    status = pack_put(&writer->pack, pieces.head, pieces.head_bytes, error);
    for (int i = 0; i < 3 && status == PFIFO_OK; i++)
        status = pack_put(&writer->pack, pieces.tail[i].data, pieces.tail[i].bytes, error);
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

enum pfifo_status pfifo_stream_writer_flush(struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    enum pfifo_status status = writer_begin_file(writer, error);

    return status == PFIFO_OK ? pack_flush(&writer->pack, error) : status;
}

enum pfifo_status pfifo_stream_writer_finish(struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    struct reason reason;
    enum pfifo_status status = writer_begin_file(writer, error);

    if (status != PFIFO_OK)
        return status;
    if (!rules_may_end(&writer->rules, &reason))
        return writer_refuse(error, "finish", &reason);
    status = pack_finish(&writer->pack, error);
    writer->finished = status == PFIFO_OK;
    return status;
}

const void *pfifo_stream_writer_memory(const struct pfifo_stream_writer *writer, size_t *size) {
    *size = writer->pack.memory.size;
    return writer->pack.memory.data;
}

void pfifo_stream_writer_close(struct pfifo_stream_writer *writer) {
    if (!writer)
        return;
    rules_free(&writer->rules);
    pack_free(&writer->pack);
    free(writer);
}
