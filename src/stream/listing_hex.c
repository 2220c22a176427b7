/* SPDX-License-Identifier: MIT */
/*
 * Words in hexadecimal digits, with or without addresses, and dumps of memory.
 *
 * The text is read twice: first to find out what its units and addresses are, then to take the words.
 *
 *   units of 8 digits   words, most significant digit first, if a text column does not show that they are bytes in
 * order units of 4 digits   after a colon (xxd): bytes in order; else (hexdump, od -x): halves of words, the low one
 * first units of 2 digits   bytes in order addresses           hexadecimal or octal (od) bytes, or numbers of words: as
 * most of them follow each other
 */
#include "stream/listing_hex.h"

#include <string.h>

enum { REPEAT_MOST = 1 << 24 /* bytes that * may stand for, all together */ };

/* What addresses may count. */
static const struct hex_base {
    unsigned radix;
    unsigned bytes;
} bases[] = {{16, 1}, {16, 4}, {8, 1}, {10, 1}};
enum { HEXADECIMAL, OCTAL = 2, BASES = sizeof bases / sizeof bases[0] };

struct hex_shape {
    unsigned digits; /* of the first units, 0: there are none */
    bool colon;
    uint64_t printed, value; /* lines whose text column has the bytes in the one or the other order */
    uint64_t follows[BASES]; /* addresses that follow those before, in each base */
    unsigned usual;          /* base, if none follows */
    bool doubtful;           /* it is a guess */
};

/* False: it has a digit that the base does not have. */
static bool hex_address(const struct hex_line *line, const struct hex_base *base, uint64_t *address) {
    *address = 0;
    for (size_t i = 0; i < line->address_digits; i++) {
        unsigned digit = (unsigned)listing_digit(line->address[i]);
        if (digit >= base->radix)
            return false;
        *address = *address * base->radix + digit;
    }
    *address *= base->bytes;
    return true;
}

static unsigned listing_hex_bytes_of(const struct hex_line *line) {
    return line->units * line->digits / 2;
}

/* Byte `index` of a unit of `bytes`. */
static uint8_t unit_byte(uint32_t unit, unsigned bytes, unsigned index, bool printed) {
    return (uint8_t)(unit >> 8 * (printed ? bytes - 1 - index : index));
}

static bool column_matches(const struct hex_line *line, bool printed) {
    const char *at = line->first, *c = line->column;
    unsigned bytes = line->digits / 2;

    for (unsigned i = 0; i < line->units; i++) {
        uint32_t unit = hex_line_unit(line, &at);
        for (unsigned j = 0; j < bytes; j++, c++) {
            uint8_t byte = unit_byte(unit, bytes, j, printed);
            if (c < line->end && (uint8_t)*c != (byte >= ' ' && byte <= '~' ? byte : '.'))
                return false;
        }
    }
    return true;
}

static void note_order(struct hex_shape *shape, const struct hex_line *line) {
    bool printed, value;

    if (!line->column || line->digits == 2)
        return;
    printed = column_matches(line, true);
    value = column_matches(line, false);
    shape->printed += printed && !value;
    shape->value += value && !printed;
}

/* Does the address of a line follow the line before? */
static void listing_hex_note_address(struct hex_shape *shape, const struct hex_line *last,
                                     const struct hex_line *line) {
    for (int i = 0; i < BASES; i++) {
        uint64_t before, now;
        if (last->address && line->address && hex_address(last, &bases[i], &before) &&
            hex_address(line, &bases[i], &now))
            shape->follows[i] += now == before + listing_hex_bytes_of(last);
    }
}

/* Seven digits without a colon are od's, which are octal, or, with groups of 4 digits, hexdump's. */
static void begin_shape(struct hex_shape *shape, const struct hex_line *line) {
    bool bare = line->address && !line->colon && line->address_digits == 7;

    shape->digits = line->digits;
    shape->colon = line->colon;
    shape->usual = bare && line->digits != 4 ? OCTAL : HEXADECIMAL;
    shape->doubtful = bare && line->digits == 4;
}

static struct hex_shape listing_hex_find_shape(struct listing_text text) {
    struct hex_shape shape = {0};
    struct hex_line last = {0};
    struct listing_line line;

    while (listing_next_line(&text, &line)) {
        struct hex_line hex = hex_line_parse(&line);
        if (hex.kind == HEX_REPEAT)
            last.address = NULL;
        if (!hex_line_has_units(&hex, &last)) {
            if (hex.kind == HEX_LONE)
                listing_hex_note_address(&shape, &last, &hex);
            continue;
        }
        hex.address = hex.kind == HEX_LONE ? NULL : hex.address;
        if (!shape.digits)
            begin_shape(&shape, &hex);
        note_order(&shape, &hex);
        listing_hex_note_address(&shape, &last, &hex);
        last = hex;
    }
    return shape;
}

/* ---- reading ---- */

struct hex_reader {
    struct pfifo_words *words;
    struct pfifo_error *error;
    unsigned digits;
    bool printed, doubtful;
    const struct hex_base *base;
    struct hex_line last; /* with units */
    uint32_t last_line;
    bool repeat;       /* a * came after it */
    uint64_t position; /* address after the last byte */
    size_t repeated;   /* bytes so far */
};

static enum pfifo_status repeat(struct hex_reader *reader, uint64_t bytes, uint32_t line) {
    uint8_t block[4096];
    size_t unit = listing_hex_bytes_of(&reader->last);

    reader->repeat = false;
    if (reader->doubtful)
        return listing_error(reader->words, line, reader->error, "the addresses may be octal or hexadecimal");
    if (unit > sizeof block || unit == 0 || bytes % unit != 0)
        return listing_error(reader->words, line, reader->error, "what * stands for is not whole lines");
    if (bytes > REPEAT_MOST - reader->repeated)
        return listing_error(reader->words, line, reader->error, "* stands for more than %d bytes", REPEAT_MOST);
    reader->repeated += (size_t)bytes;
    for (; bytes; bytes -= unit) {
        memcpy(block, reader->words->data.data + reader->words->data.size - unit, unit);
        enum pfifo_status status = listing_append(reader->words, block, unit, line, reader->error);
        if (status != PFIFO_OK)
            return status;
    }
    return PFIFO_OK;
}

/* Go to an address: a new segment, if it does not follow. */
static enum pfifo_status move_to(struct hex_reader *reader, const struct hex_line *hex, uint32_t line) {
    struct pfifo_words *words = reader->words;
    struct pfifo_words_segment segment = {
        .submission = (uint32_t)words->segments + 1, .line = line, .has_address = hex->address != NULL};
    uint64_t address = reader->position;

    if (hex->address && !hex_address(hex, reader->base, &address))
        return listing_error(words, line, reader->error, "the address is not of the kind of those before");
    if (reader->repeat && (!hex->address || !reader->last.address))
        return listing_error(words, line, reader->error, "what * stands for is not known: there is no address");
    if (reader->repeat && address > reader->position)
        return repeat(reader, address - reader->position, line);
    reader->repeat = false;
    if (words->segments && address == reader->position)
        return PFIFO_OK;
    if (listing_odd_bytes(words))
        return listing_error(words, line, reader->error, "the address goes on elsewhere, inside of a word");
    segment.address = address;
    return listing_begin(words, &segment, reader->error);
}

/* The address after the last line of a dump. */
static enum pfifo_status end_dump(struct hex_reader *reader, const struct hex_line *hex, uint32_t line) {
    uint64_t address;

    if (!reader->repeat || !reader->last.address || !hex_address(hex, reader->base, &address) ||
        address < reader->position)
        return PFIFO_OK;
    enum pfifo_status status = repeat(reader, address - reader->position, line);
    reader->position = address;
    return status;
}

static enum pfifo_status listing_hex_take_line(struct hex_reader *reader, const struct hex_line *hex, uint32_t line) {
    const char *at = hex->first;
    unsigned bytes = hex->digits / 2;
    uint8_t block[4096 * 4];
    enum pfifo_status status;

    if (hex->digits != reader->digits)
        return listing_error(reader->words, line, reader->error, "groups of %u digits, after groups of %u", hex->digits,
                             reader->digits);
    if (reader->last.units && hex->prefix != reader->last.prefix)
        return listing_error(reader->words, line, reader->error,
                             "words after another text than in line %u: keep the lines of one kind",
                             (unsigned)reader->last_line);
    status = move_to(reader, hex, line);
    if (status != PFIFO_OK)
        return status;
    if (hex->address)
        hex_address(hex, reader->base, &reader->position);
    for (unsigned i = 0; i < hex->units; i++) {
        uint32_t unit = hex_line_unit(hex, &at);
        for (unsigned j = 0; j < bytes; j++)
            block[i * bytes + j] = unit_byte(unit, bytes, j, reader->printed);
    }
    reader->position += listing_hex_bytes_of(hex);
    reader->last = *hex;
    reader->last_line = line;
    return listing_append(reader->words, block, listing_hex_bytes_of(hex), line, reader->error);
}

/* Of a line with another text in front, it may be no group at all. */
static enum pfifo_status refuse_group(const struct hex_reader *reader, const struct hex_line *hex, uint32_t line) {
    if (hex->prefix && hex->prefix != reader->last.prefix)
        return PFIFO_OK;
    return listing_error(reader->words, line, reader->error, "'%.*s' is no group of %u digits",
                         (int)(hex->bad_length > 40 ? 40 : hex->bad_length), hex->bad, reader->digits);
}

static enum pfifo_status listing_hex_read_line(struct hex_reader *reader, const struct listing_line *line) {
    struct hex_line hex = hex_line_parse(line);

    switch (hex.kind) {
    case HEX_OTHER:
        return PFIFO_OK;
    case HEX_REPEAT:
        /* In a comment of C it is not at the beginning of the line. */
        reader->repeat = reader->last.address || (reader->last.units && line->text[0] == '*');
        return PFIFO_OK;
    case HEX_BAD:
        return refuse_group(reader, &hex, line->number);
    case HEX_LONE:
        if (!hex_line_has_units(&hex, &reader->last))
            return end_dump(reader, &hex, line->number);
        hex.address = NULL;
        return listing_hex_take_line(reader, &hex, line->number);
    case HEX_UNITS:
        return listing_hex_take_line(reader, &hex, line->number);
    }
    return PFIFO_OK;
}

static bool hex_recognise(struct listing_text text) {
    struct listing_line line;

    while (listing_next_line(&text, &line)) {
        struct hex_line hex = hex_line_parse(&line);
        if (hex_line_has_units(&hex, &(const struct hex_line){0}))
            return true;
    }
    return false;
}

static enum pfifo_status hex_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    struct hex_shape shape = listing_hex_find_shape(text);
    struct hex_reader reader = {.words = words, .error = error, .digits = shape.digits, .base = &bases[shape.usual]};
    enum pfifo_status status = PFIFO_OK;
    struct listing_line line;
    uint64_t most = 0;

    for (int i = 0; i < BASES; i++) {
        reader.base = shape.follows[i] > most ? &bases[i] : reader.base;
        most = shape.follows[i] > most ? shape.follows[i] : most;
    }
    reader.doubtful = shape.doubtful && !most;
    reader.printed = shape.digits == 2 || (shape.digits == 4 && shape.colon);
    if (shape.printed != shape.value)
        reader.printed = shape.printed > shape.value;
    while (status == PFIFO_OK && listing_next_line(&text, &line))
        status = listing_hex_read_line(&reader, &line);
    if (status == PFIFO_OK && reader.repeat) {
        words->cut = true;
        words->cut_line = line.number;
    }
    return status;
}

const struct listing_format listing_format_hex = {"hex", hex_recognise, hex_read, NULL};
