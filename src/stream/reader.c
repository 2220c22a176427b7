/* SPDX-License-Identifier: MIT */
#include <pfifo/stream.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/format.h"
#include "stream/rules.h"
#include "stream/unpack.h"

struct pfifo_stream {
    struct bytes bytes;
    size_t position; /* of the next record */
    struct rules rules;
    uint32_t version;
    uint32_t chipset;
    bool truncated;
    char *name;
};

static enum pfifo_status malformed(const struct pfifo_stream *stream, struct pfifo_error *error, const char *type,
                                   const struct reason *reason) {
    return pfifo_error_set(error, stream->rules.known.no_memory ? PFIFO_ERROR_MEMORY : PFIFO_ERROR_FORMAT,
                           "%.80s: offset %zu: %s: %s", stream->name, stream->position, type, reason->text);
}

/* Find the record at `position`: its number, and where its payload is. */
static bool frame(const struct pfifo_stream *stream, size_t position, struct pfifo_stream_record *record,
                  struct reason *reason) {
    const uint8_t *header = stream->bytes.data + position;
    size_t left = stream->bytes.size - position;

    if (left < FORMAT_HEADER_BYTES)
        return reason_set(reason, "%zu bytes of a header of %d", left, FORMAT_HEADER_BYTES);
    left -= FORMAT_HEADER_BYTES;
    record->number = format_get_u32(header);
    record->payload_bytes = format_get_u32(header + 4);
    record->payload = header + FORMAT_HEADER_BYTES;
    record->offset = position;
    if (record->payload_bytes > left)
        return reason_set(reason, "payload of %" PRIu32 " bytes, but %zu follow", record->payload_bytes, left);
    return true;
}

static size_t record_bytes(const struct pfifo_stream_record *record) {
    return FORMAT_HEADER_BYTES + (size_t)record->payload_bytes;
}

enum pfifo_status pfifo_stream_next(struct pfifo_stream *stream, struct pfifo_stream_record *record,
                                    struct pfifo_error *error) {
    struct reason reason;

    memset(record, 0, sizeof(*record));
    record->offset = stream->position;
    record->type = PFIFO_STREAM_END;
    if (stream->position == stream->bytes.size) {
        if (!rules_may_end(&stream->rules, &reason))
            return malformed(stream, error, "end", &reason);
        return PFIFO_OK;
    }
    if (!frame(stream, stream->position, record, &reason))
        return malformed(stream, error, "record", &reason);
    if (!format_decode(record, stream->version, &reason) || !rules_accept(&stream->rules, record, &reason))
        return malformed(stream, error, pfifo_stream_type_name(record->type), &reason);
    stream->position += record_bytes(record);
    assert(stream->position <= stream->bytes.size);
    return PFIFO_OK;
}

void pfifo_stream_rewind(struct pfifo_stream *stream) {
    stream->position = FORMAT_MAGIC_BYTES;
    rules_begin(&stream->rules, stream->version);
}

/* Cut off what is behind the last whole submission. What is malformed stays: reading the records will report it. */
static void cut_tail(struct pfifo_stream *stream) {
    struct pfifo_stream_record record;
    struct rules rules = {0};
    struct reason reason;
    size_t at = FORMAT_MAGIC_BYTES, whole = at;
    bool good = true;

    memset(&record, 0, sizeof(record));
    rules_begin(&rules, stream->version);
    for (; at < stream->bytes.size && frame(stream, at, &record, &reason); at += record_bytes(&record)) {
        good = format_decode(&record, stream->version, &reason) && rules_accept(&rules, &record, &reason);
        if (!good)
            break;
        if (rules_may_end(&rules, &reason))
            whole = at + record_bytes(&record);
    }
    rules_free(&rules);
    if (good)
        stream->bytes.size = whole;
}

static bool is_key(const struct pfifo_stream_text *text, const char *key) {
    return text->key_bytes == strlen(key) && memcmp(text->key, key, text->key_bytes) == 0;
}

/* A chipset number, "0xa3"; false if it is not one. */
static bool parse_chipset(const struct pfifo_stream_text *text, uint32_t *chipset) {
    char digits[12], *end;
    unsigned long value;

    if (text->value_bytes == 0 || text->value_bytes >= sizeof(digits))
        return false;
    memcpy(digits, text->value, text->value_bytes);
    digits[text->value_bytes] = 0;
    if (digits[0] < '0' || digits[0] > '9')
        return false;
    value = strtoul(digits, &end, 0);
    if (*end != 0 || value == 0 || value > UINT32_MAX)
        return false;
    *chipset = (uint32_t)value;
    return true;
}

/* Look for the chipset. A malformed record ends the search; reading the records will report it. */
static enum pfifo_status find_chipset(struct pfifo_stream *stream, struct pfifo_error *error) {
    struct pfifo_stream_record record;
    struct reason reason;

    memset(&record, 0, sizeof(record));
    for (size_t at = FORMAT_MAGIC_BYTES; at < stream->bytes.size; at += record_bytes(&record)) {
        if (!frame(stream, at, &record, &reason))
            return PFIFO_OK;
        if (record.number != PFIFO_STREAM_TEXT)
            continue;
        if (!format_decode(&record, stream->version, &reason))
            return PFIFO_OK;
        if (!is_key(&record.text, "chipset"))
            continue;
        if (parse_chipset(&record.text, &stream->chipset))
            return PFIFO_OK;
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.80s: offset %zu: TEXT: chipset is not a number",
                               stream->name, at);
    }
    return PFIFO_OK;
}

/* Cut `suffix` off, if something is left then. */
static void cut_suffix(char *name, const char *suffix) {
    size_t length = strlen(name), suffix_length = strlen(suffix);

    if (length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0)
        name[length - suffix_length] = 0;
}

static char *capture_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash && slash[1] ? slash + 1 : path;
    size_t bytes = strlen(base) + 1;
    char *name = malloc(bytes);

    if (!name)
        return NULL;
    memcpy(name, base, bytes);
    cut_suffix(name, ".xz");
    cut_suffix(name, ".zst");
    cut_suffix(name, ".nvcap");
    return name;
}

static enum pfifo_status reader_load(struct pfifo_stream *stream, const struct unpack_source *source, uint64_t limit,
                                     struct pfifo_error *error) {
    enum pfifo_status status;

    stream->name = capture_name(source->name);
    if (!stream->name)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a capture");
    status =
        unpack_all(source, limit > 0 ? limit : PFIFO_STREAM_DEFAULT_LIMIT, &stream->bytes, &stream->truncated, error);
    if (status != PFIFO_OK)
        return status;
    stream->version = format_version(stream->bytes.data, stream->bytes.size);
    if (!stream->version)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.80s: offset 0: not a capture: no NVPBCAP1 or NVPBCAP2",
                               stream->name);
    if (stream->truncated)
        cut_tail(stream);
    pfifo_stream_rewind(stream);
    return find_chipset(stream, error);
}

static struct pfifo_stream *open_source(const struct unpack_source *source, uint64_t limit, struct pfifo_error *error) {
    struct pfifo_stream *stream = calloc(1, sizeof(*stream));

    if (!stream) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a capture");
        return NULL;
    }
    if (reader_load(stream, source, limit, error) == PFIFO_OK)
        return stream;
    pfifo_stream_close(stream);
    return NULL;
}

struct pfifo_stream *pfifo_stream_open_limited(const char *path, uint64_t limit, struct pfifo_error *error) {
    struct unpack_source source = {.name = path};
    struct pfifo_stream *stream;

    if (!path) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no path of a capture");
        return NULL;
    }
    source.file = fopen(path, "rb");
    if (!source.file) {
        pfifo_error_set(error, PFIFO_ERROR_IO, "%.150s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    stream = open_source(&source, limit, error);
    fclose(source.file);
    return stream;
}

struct pfifo_stream *pfifo_stream_open(const char *path, struct pfifo_error *error) {
    return pfifo_stream_open_limited(path, 0, error);
}

struct pfifo_stream *pfifo_stream_open_memory_limited(const void *data, size_t size, const char *name, uint64_t limit,
                                                      struct pfifo_error *error) {
    /* An empty capture may have no memory; the reader needs a pointer. */
    struct unpack_source source = {.name = name, .data = size > 0 ? data : (const void *)"", .size = size};

    if (!name || !source.data) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no %s of a capture", name ? "data" : "name");
        return NULL;
    }
    return open_source(&source, limit, error);
}

struct pfifo_stream *pfifo_stream_open_memory(const void *data, size_t size, const char *name,
                                              struct pfifo_error *error) {
    return pfifo_stream_open_memory_limited(data, size, name, 0, error);
}

uint32_t pfifo_stream_chipset(const struct pfifo_stream *stream) {
    return stream->chipset;
}

uint32_t pfifo_stream_version(const struct pfifo_stream *stream) {
    return stream->version;
}

const char *pfifo_stream_name(const struct pfifo_stream *stream) {
    return stream->name;
}

bool pfifo_stream_truncated(const struct pfifo_stream *stream) {
    return stream->truncated;
}

uint64_t pfifo_stream_bytes(const struct pfifo_stream *stream) {
    return stream->bytes.size;
}

void pfifo_stream_close(struct pfifo_stream *stream) {
    if (!stream)
        return;
    rules_free(&stream->rules);
    bytes_free(&stream->bytes);
    free(stream->name);
    free(stream);
}
