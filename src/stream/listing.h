/* SPDX-License-Identifier: MIT */
/*
 * What the readers of texts share: lines, and words as they are collected.
 *
 *   listing.c --> format: recognise() --> read() --> listing_begin(), listing_append() ... --> struct pfifo_words
 *
 * A format is a row of the table in listing.c and a file, listing_*.c.
 */
#ifndef PFIFO_STREAM_LISTING_H
#define PFIFO_STREAM_LISTING_H

#include <pfifo/words.h>

#include "stream/bytes.h"

/* A text, or the rest of one. */
struct listing_text {
    const char *at, *end;
    uint32_t line; /* of the line that was taken last */
};

/* A line without its end (LF or CR LF). */
struct listing_line {
    const char *text, *end;
    uint32_t number;
    bool whole; /* a line end follows */
};

struct listing_format {
    const char *name;
    bool (*recognise)(struct listing_text text);
    enum pfifo_status (*read)(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error);
    const char *chip; /* that all such texts are of; NULL: any */
};

/* A buffer that the text says is there. */
struct listing_buffer {
    uint64_t address, bytes;
    bool vram;
};

struct pfifo_words {
    const struct listing_format *format;
    char *name;
    struct bytes data;
    uint32_t *line; /* of each word */
    size_t line_room;
    struct pfifo_words_segment *segment;
    size_t segments, segment_room;
    struct listing_buffer *buffer;
    size_t buffers, buffer_room;
    bool has_channels, are_entries, cut;
    uint32_t cut_line;
};

/* The next line; false: there is none. */
bool listing_next_line(struct listing_text *text, struct listing_line *line);

/* Does [at, end) begin with `start`? Then *at is after it. */
bool listing_skip(const char **at, const char *end, const char *start);

/* A number of 1 to 16 hexadecimal digits; *at is after it. False: there is none, or it has more. */
bool listing_hex(const char **at, const char *end, uint64_t *value);

/* Value of a hexadecimal digit, -1: it is none. */
int listing_digit(char c);

/* A segment begins. Its count is set as words come. */
enum pfifo_status listing_begin(struct pfifo_words *words, const struct pfifo_words_segment *segment,
                                struct pfifo_error *error);

/* Bytes of the last segment, from a line. */
enum pfifo_status listing_append(struct pfifo_words *words, const uint8_t *bytes, size_t count, uint32_t line,
                                 struct pfifo_error *error);

enum pfifo_status listing_append_word(struct pfifo_words *words, uint32_t word, uint32_t line,
                                      struct pfifo_error *error);

/* A buffer; what is there already is passed over, if it came shortly before. */
enum pfifo_status listing_buffer(struct pfifo_words *words, const struct listing_buffer *buffer,
                                 struct pfifo_error *error);

/* Bytes of the last segment that are not a whole word yet. */
size_t listing_odd_bytes(const struct pfifo_words *words);

/* PFIFO_ERROR_FORMAT with name and line. */
enum pfifo_status listing_error(const struct pfifo_words *words, uint32_t line, struct pfifo_error *error,
                                const char *format, ...) PFIFO_PRINTF(4, 5);

extern const struct listing_format listing_format_libdrm, listing_format_nvk, listing_format_demmt, listing_format_xemu;
extern const struct listing_format listing_format_hex;
extern const struct listing_format listing_format_pfifo; /* listing_other.c: not read */
extern const struct listing_format listing_format_entries;

#endif
