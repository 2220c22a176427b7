/* SPDX-License-Identifier: MIT */
/*
 * What envytools' demmt prints of a trace:
 *
 *   w 4:0x0004, 0x00001401  IB: address: 0x0120000000, size: 5      a segment, if demmt prints what is written to
 * memory PB: 0x20010000 size 1, subchannel 0, offset 0x0000, increment   a word LOG: decoding aborted, cmd: "jump to
 * 0x10000", nextaddr: ...    a word that is not shown
 *
 * Channels are not told apart.
 *
 * Sources: envytools demmt/pushbuf.c, demmt/buffer_decode.c, demmt/log.h
 */
#include "stream/listing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 21 /* of an entry of a ring: its length has 21 bits */ };

struct demmt_reader {
    struct pfifo_words *words;
    struct pfifo_error *error;
    uint64_t expected; /* words of the segment, 0: it is not known */
    bool open;         /* a word goes on in the last segment */
};

/* After `text` in a line, NULL: it does not have it. */
static const char *find_in_line(const struct listing_line *line, const char *text) {
    const char *at = memmem(line->text, (size_t)(line->end - line->text), text, strlen(text));

    return at ? at + strlen(text) : NULL;
}

static void demmt_end_segment(struct demmt_reader *reader) {
    struct pfifo_words *words = reader->words;
    struct pfifo_words_segment *segment = words->segments ? &words->segment[words->segments - 1] : NULL;

    if (segment && segment->count < reader->expected)
        segment->missing = (uint32_t)(reader->expected - segment->count);
    reader->expected = 0;
    reader->open = false;
}

static enum pfifo_status demmt_begin(struct demmt_reader *reader, struct pfifo_words_segment segment, uint32_t line) {
    demmt_end_segment(reader);
    segment.line = line;
    segment.submission = (uint32_t)reader->words->segments + 1;
    reader->open = true;
    return listing_begin(reader->words, &segment, reader->error);
}

/* ADDRESS, size: N */
static enum pfifo_status take_entry(struct demmt_reader *reader, const char *at, const struct listing_line *line) {
    struct pfifo_words_segment segment = {.has_address = true,
                                          .no_prefetch = find_in_line(line, ", no_prefetch") != NULL};
    enum pfifo_status status;
    uint64_t size = 0;

    if (!listing_hex(&at, line->end, &segment.address) || !listing_skip(&at, line->end, ", size: "))
        return listing_error(reader->words, line->number, reader->error, "an IB entry without address and size");
    for (; at < line->end && *at >= '0' && *at <= '9' && size < MOST_WORDS; at++)
        size = size * 10 + (uint64_t)(*at - '0');
    if (size >= MOST_WORDS)
        return listing_error(reader->words, line->number, reader->error, "an IB entry of more than %d words",
                             MOST_WORDS - 1);
    status = demmt_begin(reader, segment, line->number);
    reader->expected = size;
    return status;
}

/* Words that are more than the entry has are from elsewhere. */
static enum pfifo_status demmt_word(struct demmt_reader *reader, const char *at, const struct listing_line *line) {
    struct pfifo_words *words = reader->words;
    const char *digits = at;
    enum pfifo_status status = PFIFO_OK;
    uint64_t word;

    if (!listing_hex(&at, line->end, &word) || at - digits != 8 || (at < line->end && *at != ' ')) {
        words->cut = !line->whole;
        words->cut_line = line->number;
        return words->cut ? PFIFO_OK
                          : listing_error(words, line->number, reader->error, "not a word of 8 digits after PB:");
    }
    if (!reader->open || (reader->expected && words->segment[words->segments - 1].count == reader->expected))
        status = demmt_begin(reader, (struct pfifo_words_segment){0}, line->number);
    return status == PFIFO_OK ? listing_append_word(words, (uint32_t)word, line->number, reader->error) : status;
}

static enum pfifo_status demmt_line(struct demmt_reader *reader, const struct listing_line *line) {
    const char *at = line->text;

    if (listing_skip(&at, line->end, "PB: 0x"))
        return demmt_word(reader, at, line);
    at = find_in_line(line, "IB: address: 0x");
    if (at)
        return take_entry(reader, at, line);
    if (find_in_line(line, "DMA_PUT: 0x"))
        demmt_end_segment(reader);
    if (find_in_line(line, "decoding aborted") && reader->open) {
        struct pfifo_words_segment *segment = &reader->words->segment[reader->words->segments - 1];
        reader->expected = reader->expected ? reader->expected : segment->count + 1;
        demmt_end_segment(reader);
    }
    return PFIFO_OK;
}

static bool demmt_recognise(struct listing_text text) {
    struct listing_line line;
    uint64_t word;

    while (listing_next_line(&text, &line)) {
        const char *at = line.text;
        if (listing_skip(&at, line.end, "PB: 0x") && listing_hex(&at, line.end, &word))
            return true;
    }
    return false;
}

static enum pfifo_status demmt_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    struct demmt_reader reader = {.words = words, .error = error};
    enum pfifo_status status = PFIFO_OK;
    struct listing_line line;

    while (status == PFIFO_OK && listing_next_line(&text, &line))
        status = demmt_line(&reader, &line);
    demmt_end_segment(&reader);
    return status;
}

const struct listing_format listing_format_demmt = {"demmt", demmt_recognise, demmt_read, NULL};
