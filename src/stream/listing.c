/* SPDX-License-Identifier: MIT */
#include "stream/listing.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/stream.h>

#include "memory/little_endian.h"

enum { WORD_BYTES = 4, NAME_MOST = 4096, BUFFERS_BACK = 64 };

/* Those that are sure of a text by what it says come first. */
static const struct listing_format *const formats[] = {
    &listing_format_nvk,   &listing_format_libdrm, &listing_format_demmt,  &listing_format_xemu,
    &listing_format_pfifo, &listing_format_hex,    &listing_format_entries};
static const struct listing_format format_raw = {"raw", NULL, NULL, NULL};
#define FORMATS (sizeof formats / sizeof formats[0])

/* ---- lines ---- */

bool listing_next_line(struct listing_text *text, struct listing_line *line) {
    const char *lf;

    if (text->at == text->end || text->line == UINT32_MAX)
        return false;
    lf = memchr(text->at, '\n', (size_t)(text->end - text->at));
    *line = (struct listing_line){
        .text = text->at, .end = lf ? lf : text->end, .number = ++text->line, .whole = lf != NULL};
    text->at = lf ? lf + 1 : text->end;
    while (line->end > line->text && line->end[-1] == '\r')
        line->end--;
    return true;
}

bool listing_skip(const char **at, const char *end, const char *start) {
    size_t length = strlen(start);

    if ((size_t)(end - *at) < length || memcmp(*at, start, length) != 0)
        return false;
    *at += length;
    return true;
}

int listing_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool listing_hex(const char **at, const char *end, uint64_t *value) {
    const char *p = *at;

    for (*value = 0; p < end && listing_digit(*p) >= 0; p++) {
        if (p - *at == 16)
            return false;
        *value = *value << 4 | (uint64_t)listing_digit(*p);
    }
    if (p == *at)
        return false;
    *at = p;
    return true;
}

/* ---- collecting ---- */

enum pfifo_status listing_error(const struct pfifo_words *words, uint32_t line, struct pfifo_error *error,
                                const char *format, ...) {
    char reason[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.60s:%u: %s", words->name, (unsigned)line, reason);
}

static enum pfifo_status listing_no_memory(const struct pfifo_words *words, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.80s: no memory for its words", words->name);
}

enum pfifo_status listing_begin(struct pfifo_words *words, const struct pfifo_words_segment *segment,
                                struct pfifo_error *error) {
    assert(words->data.size % WORD_BYTES == 0);
    if (words->segments == words->segment_room) {
        size_t room = words->segment_room ? 2 * words->segment_room : 16;
        struct pfifo_words_segment *grown = realloc(words->segment, room * sizeof *grown);
        if (!grown)
            return listing_no_memory(words, error);
        words->segment = grown;
        words->segment_room = room;
    }
    words->segment[words->segments] = *segment;
    words->segment[words->segments].first = words->data.size / WORD_BYTES;
    words->segment[words->segments++].count = 0;
    return PFIFO_OK;
}

/* The lines of all words up to `count`. */
static bool note_lines(struct pfifo_words *words, size_t from, size_t count, uint32_t line) {
    if (count > words->line_room) {
        size_t room = count > 2 * words->line_room ? count + 64 : 2 * words->line_room;
        uint32_t *grown = realloc(words->line, room * sizeof *grown);
        if (!grown)
            return false;
        words->line = grown;
        words->line_room = room;
    }
    for (size_t i = from; i < count; i++)
        words->line[i] = line;
    return true;
}

enum pfifo_status listing_append(struct pfifo_words *words, const uint8_t *bytes, size_t count, uint32_t line,
                                 struct pfifo_error *error) {
    size_t before = (words->data.size + WORD_BYTES - 1) / WORD_BYTES;
    struct pfifo_words_segment *segment;

    assert(words->segments > 0);
    if (!bytes_append(&words->data, bytes, count))
        return listing_no_memory(words, error);
    if (!note_lines(words, before, (words->data.size + WORD_BYTES - 1) / WORD_BYTES, line))
        return listing_no_memory(words, error);
    segment = &words->segment[words->segments - 1];
    segment->count = words->data.size / WORD_BYTES - segment->first;
    return PFIFO_OK;
}

enum pfifo_status listing_append_word(struct pfifo_words *words, uint32_t word, uint32_t line,
                                      struct pfifo_error *error) {
    uint8_t bytes[WORD_BYTES];

    store_le32(bytes, word);
    return listing_append(words, bytes, sizeof bytes, line, error);
}

enum pfifo_status listing_buffer(struct pfifo_words *words, const struct listing_buffer *buffer,
                                 struct pfifo_error *error) {
    for (size_t i = 0; i < words->buffers && i < BUFFERS_BACK; i++) {
        const struct listing_buffer *known = &words->buffer[words->buffers - 1 - i];
        if (known->address == buffer->address && known->bytes == buffer->bytes && known->vram == buffer->vram)
            return PFIFO_OK;
    }
    if (words->buffers == words->buffer_room) {
        size_t room = words->buffer_room ? 2 * words->buffer_room : 16;
        struct listing_buffer *grown = realloc(words->buffer, room * sizeof *grown);
        if (!grown)
            return listing_no_memory(words, error);
        words->buffer = grown;
        words->buffer_room = room;
    }
    words->buffer[words->buffers++] = *buffer;
    return PFIFO_OK;
}

size_t listing_odd_bytes(const struct pfifo_words *words) {
    return words->data.size % WORD_BYTES;
}

/* ---- the interface ---- */

/* Escapes are there where a tool prints in colours. */
static bool is_text(const uint8_t *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if ((data[i] < ' ' && !(data[i] >= '\t' && data[i] <= '\r') && data[i] != '\033') || data[i] == 0x7f)
            return false;
    return bytes > 0;
}

static const struct listing_format *listing_find_format(struct listing_text text) {
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->recognise(text))
            return formats[i];
    return NULL;
}

bool pfifo_words_recognise(const void *data, size_t bytes) {
    return data && is_text(data, bytes) &&
           listing_find_format((struct listing_text){data, (const char *)data + bytes, 0});
}

static struct pfifo_words *make_words(const char *name, struct pfifo_error *error) {
    struct pfifo_words *words = calloc(1, sizeof *words);

    if (words)
        words->name = strndup(name ? name : "text", NAME_MOST);
    if (words && words->name) {
        bytes_init(&words->data, PFIFO_STREAM_WHOLE_LIMIT);
        return words;
    }
    free(words);
    pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for words");
    return NULL;
}

/* A word that is not whole does not count. */
static void drop_odd_bytes(struct pfifo_words *words) {
    size_t odd = listing_odd_bytes(words);

    if (!odd)
        return;
    words->cut = true;
    words->cut_line = words->line[words->data.size / WORD_BYTES];
    words->data.size -= odd;
}

struct pfifo_words *pfifo_words_read(const void *data, size_t bytes, const char *name, struct pfifo_error *error) {
    const struct listing_text text = {data, data ? (const char *)data + bytes : NULL, 0};
    struct pfifo_words *words = make_words(name, error);
    enum pfifo_status status;

    if (!words)
        return NULL;
    words->format = data && is_text(data, bytes) ? listing_find_format(text) : NULL;
    if (words->format)
        status = words->format->read(text, words, error);
    else
        status =
            pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.80s: not a text with words that pfifo knows", words->name);
    if (status != PFIFO_OK) {
        pfifo_words_free(words);
        return NULL;
    }
    drop_odd_bytes(words);
    return words;
}

struct pfifo_words *pfifo_words_raw(const void *data, size_t bytes, const char *name, struct pfifo_error *error) {
    const struct pfifo_words_segment segment = {.submission = 1};
    struct pfifo_words *words = make_words(name, error);

    if (!words)
        return NULL;
    words->format = &format_raw;
    if (listing_begin(words, &segment, error) != PFIFO_OK || listing_append(words, data, bytes, 0, error) != PFIFO_OK) {
        pfifo_words_free(words);
        return NULL;
    }
    drop_odd_bytes(words);
    return words;
}

void pfifo_words_free(struct pfifo_words *words) {
    if (!words)
        return;
    bytes_free(&words->data);
    free(words->line);
    free(words->segment);
    free(words->buffer);
    free(words->name);
    free(words);
}

struct pfifo_words_info pfifo_words_info(const struct pfifo_words *words) {
    struct pfifo_words_info info = {.format = words->format->name,
                                    .chip = words->format->chip,
                                    .words = words->data.size / WORD_BYTES,
                                    .segments = words->segments,
                                    .has_channels = words->has_channels,
                                    .are_entries = words->are_entries,
                                    .cut = words->cut,
                                    .cut_line = words->cut_line};

    for (size_t i = words->segments; i-- > 0;) {
        if (!words->segment[i].missing)
            continue;
        info.missing++;
        info.missing_line = words->segment[i].line;
    }
    if (words->segments)
        info.submissions = words->segment[words->segments - 1].submission;
    return info;
}

const void *pfifo_words_data(const struct pfifo_words *words, size_t *bytes) {
    *bytes = words->data.size;
    return words->data.data;
}

struct pfifo_words_segment pfifo_words_segment(const struct pfifo_words *words, size_t index) {
    assert(index < words->segments);
    return words->segment[index];
}

uint32_t pfifo_words_line(const struct pfifo_words *words, size_t word) {
    return word < words->data.size / WORD_BYTES ? words->line[word] : 0;
}
