/* SPDX-License-Identifier: MIT */
/*
 * What Mesa prints of pushbuffers of GF100 and later with NVK_DEBUG=push, newer Mesa's own libdrm with
 * NOUVEAU_LIBDRM_DEBUG=1, and nv_push_dump:
 *
 *   [0x00000000] HDR 20020360 subch 0 NINC                      place in words, and the word
 *   <tab>mthd 0d80 NV9097_SET_COLOR_CLEAR_VALUE(0)              a word of data begins: class and method
 *   <tab><tab>.V = 0.250000f (0x3e800000)                       its fields: numbers, or names of values
 *
 * A word of data is put together from its fields. Bits that no field has are not printed; they are 0, as Mesa's macros
 * make words of these very fields. A method that Mesa knows and that has no fields is printed without its data: then
 * the rest of the packet is missing. A place of 0 begins another submission.
 *
 * Sources: Mesa src/nouveau/headers/nv_push.c, class_parser.py
 */
#include "stream/listing.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <string.h>

enum { NAME_BYTES = 80 };

struct nvk_reader {
    struct pfifo_words *words;
    struct pfifo_error *error;
    uint32_t submission;
    uint64_t place;                /* of the next header, if nothing is missing */
    uint32_t line, expected, made; /* of the packet: its header, words of data */
    bool lost;                     /* the rest of the packet is not in the text */
    /* The word of data that is being read. */
    bool in_word, has_fields;
    uint32_t word_line, word;
    bool is_known;
    struct pfifo_method_name method;
};

/* "[0x00000000] HDR " */
static bool take_place(const char **at, const char *end, uint64_t *place) {
    return listing_skip(at, end, "[0x") && listing_hex(at, end, place) && listing_skip(at, end, "] HDR ");
}

static bool nvk_recognise(struct listing_text text) {
    struct listing_line line;
    uint64_t number;

    while (listing_next_line(&text, &line)) {
        const char *at = line.text;
        if (take_place(&at, line.end, &number) && listing_hex(&at, line.end, &number) &&
            listing_skip(&at, line.end, " subch "))
            return true;
    }
    return false;
}

/* Words of data that Mesa prints after a header: by bits 31:29 and, of old forms, 17:16. */
static uint32_t listing_nvk_data_words(uint32_t header) {
    switch (header >> 29) {
    case 1:
    case 3:
    case 5:
        return header >> 16 & 0x1fff;
    case 0:
        if (header >> 16 & 3)
            return 0;
        return header >> 18 & 0x3ff;
    case 2:
        return header >> 18 & 0x3ff;
    default:
        return 0;
    }
}

static enum pfifo_status nvk_end_word(struct nvk_reader *reader) {
    if (!reader->in_word || reader->lost)
        return PFIFO_OK;
    reader->in_word = false;
    if (!reader->has_fields) {
        reader->lost = true;
        return PFIFO_OK;
    }
    reader->made++;
    return listing_append_word(reader->words, reader->word, reader->word_line, reader->error);
}

static enum pfifo_status nvk_end_packet(struct nvk_reader *reader) {
    struct pfifo_words *words = reader->words;
    enum pfifo_status status = nvk_end_word(reader);

    if (status != PFIFO_OK || reader->made == reader->expected)
        return status;
    if (!reader->lost)
        return listing_error(words, reader->line, reader->error, "the packet has %" PRIu32 " of %" PRIu32 " words",
                             reader->made, reader->expected);
    words->segment[words->segments - 1].missing = reader->expected - reader->made;
    return PFIFO_OK;
}

/* The text ends. A word that is not the last of its packet may have had more fields. */
static enum pfifo_status end_text(struct nvk_reader *reader, const struct listing_line *last) {
    struct pfifo_words *words = reader->words;

    if (reader->in_word && (reader->made + 1 < reader->expected || !last->whole))
        reader->in_word = false;
    if (reader->lost || (reader->in_word && reader->made + 1 == reader->expected))
        return nvk_end_packet(reader);
    if (reader->made == reader->expected)
        return PFIFO_OK;
    words->segment[words->segments - 1].missing = reader->expected - reader->made;
    words->cut = true;
    words->cut_line = last->number;
    return PFIFO_OK;
}

/* The text ends inside a header, which is left out; the packet before it is whole. */
static enum pfifo_status cut_header(struct nvk_reader *reader, const struct listing_line *line) {
    enum pfifo_status status = reader->submission ? nvk_end_packet(reader) : PFIFO_OK;

    reader->words->cut = true;
    reader->words->cut_line = line->number;
    return status;
}

static enum pfifo_status listing_nvk_take_header(struct nvk_reader *reader, const char *at,
                                                 const struct listing_line *line, uint64_t place) {
    struct pfifo_words *words = reader->words;
    struct pfifo_words_segment segment = {.line = line->number};
    bool follows;
    uint64_t header;
    enum pfifo_status status;

    if (!listing_hex(&at, line->end, &header) || header > UINT32_MAX || !listing_skip(&at, line->end, " subch "))
        return line->whole ? listing_error(words, line->number, reader->error, "not a header: no word and subchannel")
                           : cut_header(reader, line);
    status = reader->submission ? nvk_end_packet(reader) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    follows = reader->submission && place && place == reader->place && !reader->lost;
    if (!place || !reader->submission)
        reader->submission++;
    segment.submission = reader->submission;
    reader->line = line->number;
    reader->expected = listing_nvk_data_words((uint32_t)header);
    reader->made = 0;
    reader->lost = reader->in_word = false;
    reader->place = place + 1 + reader->expected;
    if (!follows)
        status = listing_begin(words, &segment, reader->error);
    return status == PFIFO_OK ? listing_append_word(words, (uint32_t)header, line->number, reader->error) : status;
}

/* "0d80 NV9097_SET_COLOR_CLEAR_VALUE(0)"; of the values of an immediate header only the header is needed. */
static enum pfifo_status take_method(struct nvk_reader *reader, const char *at, const struct listing_line *line) {
    enum pfifo_status status = nvk_end_word(reader);
    uint64_t method, class = 0;

    if (status != PFIFO_OK || !reader->submission || !reader->expected || reader->lost)
        return status;
    if (reader->made == reader->expected)
        return listing_error(reader->words, line->number, reader->error,
                             "the packet has more words than its header says");
    if (!listing_hex(&at, line->end, &method) || method > UINT32_MAX || !listing_skip(&at, line->end, " "))
        return line->whole
                   ? listing_error(reader->words, line->number, reader->error, "not a method: no number and name")
                   : PFIFO_OK;
    reader->in_word = true;
    reader->has_fields = false;
    reader->word = 0;
    reader->word_line = line->number;
    reader->is_known = listing_skip(&at, line->end, "NV") && listing_hex(&at, line->end, &class) &&
                       pfifo_method_find((uint32_t) class, (uint32_t)method, &reader->method);
    return PFIFO_OK;
}

/* "0x1", "(0x1)", "0.250000f (0x3e800000)" or the name of a value. */
static bool take_value(const char *at, const char *end, const struct pfifo_field *field, uint64_t *value) {
    const char *digits = memmem(at, (size_t)(end - at), "0x", 2);
    char name[NAME_BYTES];
    uint32_t named;

    if (digits && (digits == at || digits[-1] == '(')) {
        digits += 2;
        return listing_hex(&digits, end, value);
    }
    if (!field || (size_t)(end - at) >= sizeof name)
        return false;
    memcpy(name, at, (size_t)(end - at));
    name[end - at] = 0;
    if (!pfifo_field_value_by_name(field, name, &named))
        return false;
    *value = named;
    return true;
}

/* After the point: "V = 0x1" */
static enum pfifo_status take_field(struct nvk_reader *reader, const char *at, const struct listing_line *line) {
    const char *equals = memmem(at, (size_t)(line->end - at), " = ", 3);
    size_t bytes = equals ? (size_t)(equals - at) : 0;
    struct pfifo_field field = {.high = 31};
    char name[NAME_BYTES];
    bool found;
    uint64_t value;

    if (!reader->in_word)
        return PFIFO_OK;
    if (!bytes || bytes >= sizeof name)
        return line->whole ? listing_error(reader->words, line->number, reader->error, "not a field: no name and value")
                           : PFIFO_OK;
    memcpy(name, at, bytes);
    name[bytes] = 0;
    found = reader->is_known && pfifo_field_find(&reader->method, name, &field) && field.high <= 31;
    if (!found && strcmp(name, "VALUE") != 0)
        return listing_error(reader->words, line->number, reader->error, "the method has no field '%s'", name);
    if (!found)
        field = (struct pfifo_field){.high = 31};
    if (!take_value(equals + 3, line->end, found ? &field : NULL, &value) || value >> (field.high - field.low + 1))
        return line->whole ? listing_error(reader->words, line->number, reader->error, "'%s' has no such value", name)
                           : PFIFO_OK;
    reader->word |= (uint32_t)(value << field.low);
    reader->has_fields = true;
    return PFIFO_OK;
}

static enum pfifo_status nvk_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    struct nvk_reader reader = {.words = words, .error = error};
    enum pfifo_status status = PFIFO_OK;
    struct listing_line line = {0};
    uint64_t place;

    while (status == PFIFO_OK && listing_next_line(&text, &line)) {
        const char *at = line.text, *begin = at;
        if (take_place(&at, line.end, &place))
            status = listing_nvk_take_header(&reader, at, &line, place);
        else if (!line.whole && listing_skip(&begin, line.end, "[0x"))
            status = cut_header(&reader, &line);
        else if (listing_skip(&at, line.end, "\tmthd "))
            status = take_method(&reader, at, &line);
        else if (listing_skip(&at, line.end, "\t\t."))
            status = take_field(&reader, at, &line);
    }
    if (status == PFIFO_OK && reader.submission)
        status = end_text(&reader, &line);
    return status;
}

const struct listing_format listing_format_nvk = {"nvk", nvk_recognise, nvk_read, NULL};
