/* SPDX-License-Identifier: MIT */
#include <pfifo/stream.h>

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chip/error.h"
#include "stream/format.h"
#include "stream/rules.h"
#include "stream/window.h"

/* What is not larger is kept in memory once it is unpacked. Builds for tests have little, to try both ways. */
#ifndef STREAM_KEEP_BYTES
#define STREAM_KEEP_BYTES ((uint64_t)32 << 20)
#endif

struct pfifo_stream {
    struct window window;
    uint64_t position; /* of the next record */
    uint64_t begin;    /* of the submission that it is in */
    uint64_t size;     /* of what is read of the unpacked file; UINT64_MAX: not known yet */
    bool moved;        /* since it was at the first record */
    struct rules rules;
    uint32_t version;
    uint32_t chipset;
    bool truncated;
    struct pfifo_error failed; /* it could not be rewound */
    char *path;
    char *name;
};

static enum pfifo_status reader_malformed(const struct pfifo_stream *stream, struct pfifo_error *error,
                                          const char *type, const struct reason *reason) {
    return pfifo_error_set(error, stream->rules.known.no_memory ? PFIFO_ERROR_MEMORY : PFIFO_ERROR_FORMAT,
                           "%.100s: offset %" PRIu64 ": %s: %s", stream->path, stream->position, type, reason->text);
}

/*
 * Find the record at `position`: its number, and where its payload is. *framed: there is one; else the reason says what
 * is wrong. Errors: those of unpacking.
 */
static enum pfifo_status frame(struct pfifo_stream *stream, uint64_t position, struct pfifo_stream_record *record,
                               bool *framed, struct reason *reason, struct pfifo_error *error) {
    uint64_t left = stream->size - position;
    const uint8_t *header;
    size_t have;
    enum pfifo_status status = window_get(&stream->window, position, FORMAT_HEADER_BYTES, &header, &have, error);

    *framed = false;
    if (status != PFIFO_OK)
        return status;
    have = have < left ? have : (size_t)left;
    if (have < FORMAT_HEADER_BYTES) {
        reason_set(reason, "%zu bytes of a header of %d", have, FORMAT_HEADER_BYTES);
        return PFIFO_OK;
    }
    record->number = format_get_u32(header);
    record->payload_bytes = format_get_u32(header + 4);
    record->offset = position;
    left -= FORMAT_HEADER_BYTES;
    if (record->payload_bytes <= left && record->payload_bytes > PFIFO_STREAM_WHOLE_LIMIT) {
        reason_set(reason, "payload of %" PRIu32 " bytes: a record has 1 GiB at most", record->payload_bytes);
        return PFIFO_OK;
    }
    if (record->payload_bytes <= left) {
        status = window_get(&stream->window, position, FORMAT_HEADER_BYTES + (size_t)record->payload_bytes, &header,
                            &have, error);
        if (status != PFIFO_OK)
            return status;
        left = have - FORMAT_HEADER_BYTES;
    }
    record->payload = header + FORMAT_HEADER_BYTES;
    *framed = record->payload_bytes <= left;
    if (!*framed)
        reason_set(reason, "payload of %" PRIu32 " bytes, but %" PRIu64 " follow", record->payload_bytes, left);
    return PFIFO_OK;
}

static size_t reader_record_bytes(const struct pfifo_stream_record *record) {
    return FORMAT_HEADER_BYTES + (size_t)record->payload_bytes;
}

enum pfifo_status pfifo_stream_next(struct pfifo_stream *stream, struct pfifo_stream_record *record,
                                    struct pfifo_error *error) {
    enum pfifo_status status;
    struct reason reason;
    bool framed;

    memset(record, 0, sizeof(*record));
    record->offset = stream->position;
    record->type = PFIFO_STREAM_END;
    if (stream->failed.status != PFIFO_OK)
        return pfifo_error_set(error, stream->failed.status, "%s", stream->failed.message);
    if (stream->position == stream->size) {
        if (!rules_may_end(&stream->rules, &reason))
            return reader_malformed(stream, error, "end", &reason);
        return PFIFO_OK;
    }
    stream->moved = true;
    if (stream->rules.place == RULES_BETWEEN) {
        stream->begin = stream->position;
        window_drop(&stream->window, stream->position);
    }
    status = frame(stream, stream->position, record, &framed, &reason, error);
    if (status != PFIFO_OK)
        return status;
    if (framed && stream->position + reader_record_bytes(record) - stream->begin > PFIFO_STREAM_WHOLE_LIMIT)
        framed = reason_set(&reason, "a submission has 1 GiB at most");
    if (!framed)
        return reader_malformed(stream, error, "record", &reason);
    if (!format_decode(record, stream->version, &reason) || !rules_accept(&stream->rules, record, &reason))
        return reader_malformed(stream, error, pfifo_stream_type_name(record->type), &reason);
    stream->position += reader_record_bytes(record);
    assert(stream->position <= stream->size);
    return PFIFO_OK;
}

void pfifo_stream_rewind(struct pfifo_stream *stream) {
    if (stream->moved) {
        stream->moved = false;
        stream->failed.status = PFIFO_OK;
        window_rewind(&stream->window, &stream->failed);
    }
    stream->position = FORMAT_MAGIC_BYTES;
    rules_begin(&stream->rules, stream->version);
}

static bool reader_is_key(const struct pfifo_stream_text *text, const char *key) {
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

/* What is found out when a capture is opened, record by record. */
struct survey {
    struct pfifo_stream_record record;
    struct rules rules;
    bool good;           /* all records so far belong where they are */
    bool searches;       /* the chipset is not found yet, and no TEXT is malformed */
    uint64_t at, whole;  /* of the next record; after the last submission that is whole */
    uint64_t chipset_at; /* of the record that says it */
};

/* Malformed records are reported when they are read. */
static enum pfifo_status survey_record(struct pfifo_stream *stream, struct survey *survey, struct pfifo_error *error) {
    struct pfifo_stream_record *record = &survey->record;
    uint64_t next = survey->at + reader_record_bytes(record);
    struct reason reason;
    bool decodes = format_decode(record, stream->version, &reason);

    survey->good = survey->good && decodes && rules_accept(&survey->rules, record, &reason);
    if (survey->good && rules_may_end(&survey->rules, &reason))
        survey->whole = next;
    survey->searches = survey->searches && (decodes || record->number != PFIFO_STREAM_TEXT);
    if (survey->searches && record->number == PFIFO_STREAM_TEXT && reader_is_key(&record->text, "chipset")) {
        if (!parse_chipset(&record->text, &stream->chipset))
            return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                                   "%.100s: offset %" PRIu64 ": TEXT: chipset is not a number", stream->path,
                                   survey->at);
        survey->searches = false;
        survey->chipset_at = survey->at;
    }
    survey->at = next;
    return PFIFO_OK;
}

/* Records up to one that is not whole, and bytes up to the end: damage anywhere is told when a capture is opened. */
static enum pfifo_status survey_all(struct pfifo_stream *stream, struct survey *survey, struct pfifo_error *error) {
    enum { STEP_BYTES = 65536 };
    struct reason reason;
    bool framed = true;
    const uint8_t *data;
    size_t have = 1;
    enum pfifo_status status = PFIFO_OK;

    while (framed && status == PFIFO_OK) {
        window_drop(&stream->window, survey->at);
        status = frame(stream, survey->at, &survey->record, &framed, &reason, error);
        if (status == PFIFO_OK && framed)
            status = survey_record(stream, survey, error);
    }
    stream->size = survey->at;
    while (have && status == PFIFO_OK) {
        window_drop(&stream->window, stream->size);
        status = window_get(&stream->window, stream->size, STEP_BYTES, &data, &have, error);
        stream->size += have;
    }
    return status;
}

static enum pfifo_status reader_survey(struct pfifo_stream *stream, struct pfifo_error *error) {
    struct survey survey = {.good = true, .searches = true, .at = FORMAT_MAGIC_BYTES, .whole = FORMAT_MAGIC_BYTES};
    enum pfifo_status status;

    stream->size = UINT64_MAX;
    rules_begin(&survey.rules, stream->version);
    status = survey_all(stream, &survey, error);
    rules_free(&survey.rules);
    if (status == PFIFO_OK)
        status = window_seen(&stream->window, error);
    stream->truncated = stream->window.truncated;
    /* What is malformed stays, to be reported. */
    if (stream->truncated && survey.good)
        stream->size = survey.whole;
    if (survey.chipset_at >= stream->size)
        stream->chipset = 0;
    return status;
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
    cut_suffix(name, ".gz");
    cut_suffix(name, ".nvcap");
    return name;
}

/* The source's file is the stream's. */
static enum pfifo_status reader_load(struct pfifo_stream *stream, struct unpack_source source, uint64_t limit,
                                     struct pfifo_error *error) {
    enum pfifo_status status;
    const uint8_t *magic;
    size_t have;

    stream->path = malloc(strlen(source.name) + 1);
    stream->name = capture_name(source.name);
    if (!stream->name || !stream->path) {
        if (source.file)
            fclose(source.file);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a capture");
    }
    source.name = strcpy(stream->path, source.name);
    status =
        window_open(&stream->window, &source, limit > 0 ? limit : PFIFO_STREAM_DEFAULT_LIMIT, STREAM_KEEP_BYTES, error);
    if (status == PFIFO_OK)
        status = window_get(&stream->window, 0, FORMAT_MAGIC_BYTES, &magic, &have, error);
    if (status != PFIFO_OK)
        return status;
    if (!have && stream->window.truncated)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.150s: it is cut off before its first byte", stream->path);
    if (!have)
        return error_empty(error, stream->path);
    stream->version = format_version(magic, have);
    if (!stream->version)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.100s: offset 0: " FORMAT_NOT_ONE, stream->path);
    stream->position = FORMAT_MAGIC_BYTES;
    rules_begin(&stream->rules, stream->version);
    return reader_survey(stream, error);
}

static struct pfifo_stream *reader_open_source(const struct unpack_source *source, uint64_t limit,
                                               struct pfifo_error *error) {
    struct pfifo_stream *stream = calloc(1, sizeof(*stream));

    if (!stream) {
        if (source->file)
            fclose(source->file);
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a capture");
        return NULL;
    }
    if (reader_load(stream, *source, limit, error) == PFIFO_OK)
        return stream;
    pfifo_stream_close(stream);
    return NULL;
}

struct pfifo_stream *pfifo_stream_open_limited(const char *path, uint64_t limit, struct pfifo_error *error) {
    struct unpack_source source = {.name = path};

    if (!path) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no path of a capture");
        return NULL;
    }
    source.file = fopen(path, "rb");
    if (!source.file) {
        error_cannot(error, path, "read");
        return NULL;
    }
    return reader_open_source(&source, limit, error);
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
    return reader_open_source(&source, limit, error);
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

const char *pfifo_stream_path(const struct pfifo_stream *stream) {
    return stream->path;
}

bool pfifo_stream_truncated(const struct pfifo_stream *stream) {
    return stream->truncated;
}

uint64_t pfifo_stream_bytes(const struct pfifo_stream *stream) {
    return stream->size;
}

void pfifo_stream_close(struct pfifo_stream *stream) {
    if (!stream)
        return;
    rules_free(&stream->rules);
    window_close(&stream->window);
    free(stream->path);
    free(stream->name);
    free(stream);
}
