/* SPDX-License-Identifier: MIT */
/*
 * What libdrm's nouveau prints of each submission with NOUVEAU_LIBDRM_DEBUG=1, and of those that the kernel rejects:
 *
 *   nouveau: ch0: krec 0 pushes 1 bufs 2 relocs 0
 *   nouveau: ch0: buf 00000000 00000003 00000004 00000004 00000000 0x7f12 0x20004000 0x1000   address and size at the
 * end nouveau: ch0: psh 00000000 0000000000 0000000008                          buffer, offset of the first byte and
 * the last nouveau: <tab>0x20010000                                                  a word
 *
 * A segment in a buffer that the program has not mapped is "(unmapped)" and has no words. Bit 23 of the length, which
 * forbids prefetch, is in the second offset. Of a submission that the kernel rejects the listing comes again.
 *
 * Sources: libdrm nouveau/pushbuf.c, nouveau/nouveau.c
 */
#include "stream/listing.h"

#include <pfifo/stream.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 1024 /* of a submission */, LENGTH_MASK = 0x7fffff, NO_PREFETCH = 0x800000, MOST_FRONT = 200 };

struct libdrm_reader {
    struct pfifo_words *words;
    struct pfifo_error *error;
    struct listing_buffer buffer[MOST_BUFFERS];
    bool known[MOST_BUFFERS];
    uint32_t submission, channel;
    uint64_t record; /* "krec" */
    bool rejected;   /* the kernel has rejected the submission */
    bool again;      /* and the one before it: this one may be its second listing */
    size_t first;    /* segment of the submission */
    size_t before;   /* of the one before it */
    uint64_t record_before;
    uint32_t expected; /* words of the segment */
    bool in_segment;
};

/* What follows "nouveau: ", NULL: it is another line. */
static const char *libdrm_text(const struct listing_line *line) {
    static const char name[] = "nouveau: ";
    size_t length = (size_t)(line->end - line->text);
    const char *at = memmem(line->text, length < MOST_FRONT ? length : MOST_FRONT, name, sizeof name - 1);

    return at ? at + sizeof name - 1 : NULL;
}

static bool listing_libdrm_take_decimal(const char **at, const char *end, uint32_t *value) {
    const char *p = *at;

    for (*value = 0; p < end && *p >= '0' && *p <= '9' && *value < 100000000; p++)
        *value = *value * 10 + (uint32_t)(*p - '0');
    if (p == *at)
        return false;
    *at = p;
    return true;
}

/* "ch0: " */
static const char *take_channel(const char *at, const char *end, uint32_t *channel) {
    return listing_skip(&at, end, "ch") && listing_libdrm_take_decimal(&at, end, channel) &&
                   listing_skip(&at, end, ": ")
               ? at
               : NULL;
}

/* The next number after a blank. */
static bool listing_libdrm_take_number(const char **at, const char *end, uint64_t *value) {
    if (!listing_skip(at, end, " "))
        return false;
    listing_skip(at, end, "0x");
    return listing_hex(at, end, value);
}

static enum pfifo_status end_segment(struct libdrm_reader *reader, bool at_end, uint32_t line) {
    struct pfifo_words *words = reader->words;
    struct pfifo_words_segment *segment = words->segments ? &words->segment[words->segments - 1] : NULL;

    if (!reader->in_segment || !segment || segment->count == reader->expected)
        return PFIFO_OK;
    reader->in_segment = false;
    if (!at_end)
        return listing_error(words, segment->line, reader->error, "the segment has %zu of %" PRIu32 " words",
                             segment->count, reader->expected);
    segment->missing = reader->expected - (uint32_t)segment->count;
    words->cut = true;
    words->cut_line = line;
    return PFIFO_OK;
}

static bool same_segments(const struct pfifo_words *words, size_t a, size_t b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct pfifo_words_segment *left = &words->segment[a + i], *right = &words->segment[b + i];
        if (left->channel != right->channel || left->count != right->count || left->missing != right->missing ||
            (left->count &&
             memcmp(words->data.data + 4 * left->first, words->data.data + 4 * right->first, 4 * left->count) != 0))
            return false;
    }
    return true;
}

/* A submission is complete: is it the one before, which is listed again because the kernel rejected it? */
static void listing_libdrm_end_submission(struct libdrm_reader *reader) {
    struct pfifo_words *words = reader->words;
    size_t count = words->segments - reader->first;

    if (reader->again && count && reader->first - reader->before == count &&
        reader->record == reader->record_before + 1 && same_segments(words, reader->before, reader->first, count)) {
        words->data.size = 4 * words->segment[reader->first].first;
        words->segments = reader->first;
        reader->submission--;
        return;
    }
    if (count)
        reader->before = reader->first;
    reader->record_before = reader->record;
}

static enum pfifo_status begin_submission(struct libdrm_reader *reader, const char *at, const char *end,
                                          uint32_t channel, uint32_t line) {
    enum pfifo_status status = end_segment(reader, false, line);
    uint32_t record = 0;

    if (status != PFIFO_OK)
        return status;
    listing_libdrm_end_submission(reader);
    if (!listing_libdrm_take_decimal(&at, end, &record))
        return listing_error(reader->words, line, reader->error, "'krec' without a number");
    reader->record = record;
    reader->again = reader->rejected;
    reader->rejected = false;
    reader->channel = channel;
    reader->first = reader->words->segments;
    reader->in_segment = false;
    memset(reader->known, 0, sizeof reader->known);
    return PFIFO_OK;
}

static enum pfifo_status listing_libdrm_take_buffer(struct libdrm_reader *reader, const char *at, const char *end,
                                                    uint32_t line) {
    uint64_t value[8]; /* index, handle, domains that are valid, read, written; where it is mapped, address, size */
    struct listing_buffer buffer;

    at--;
    for (int i = 0; i < 8; i++)
        if (!(i == 5 && listing_skip(&at, end, " (nil)")) && !listing_libdrm_take_number(&at, end, &value[i]))
            return listing_error(reader->words, line, reader->error, "a buffer with less than eight numbers");
    if (value[0] >= MOST_BUFFERS)
        return listing_error(reader->words, line, reader->error, "a submission has at most %d buffers", MOST_BUFFERS);
    buffer = (struct listing_buffer){.address = value[6], .bytes = value[7], .vram = value[2] == PFIFO_STREAM_VRAM};
    reader->buffer[value[0]] = buffer;
    reader->known[value[0]] = true;
    return listing_buffer(reader->words, &buffer, reader->error);
}

static enum pfifo_status listing_libdrm_take_push(struct libdrm_reader *reader, const char *at, const char *end,
                                                  uint32_t line) {
    bool unmapped = listing_skip(&at, end, "(unmapped) ");
    struct pfifo_words_segment segment = {.channel = reader->channel, .line = line};
    uint64_t index, first, last;
    enum pfifo_status status = end_segment(reader, false, line);

    if (status != PFIFO_OK)
        return status;
    at--;
    if (!listing_libdrm_take_number(&at, end, &index) || !listing_libdrm_take_number(&at, end, &first) ||
        !listing_libdrm_take_number(&at, end, &last) || last < first || (last - first) % 4)
        return listing_error(reader->words, line, reader->error, "not a segment: no buffer and two offsets of words");
    if (reader->first == reader->words->segments)
        reader->submission++;
    segment.submission = reader->submission;
    segment.no_prefetch = (last - first) & NO_PREFETCH;
    reader->expected = (uint32_t)(last - first) & LENGTH_MASK;
    reader->expected /= 4;
    segment.missing = unmapped ? reader->expected : 0;
    reader->in_segment = !unmapped;
    if (index < MOST_BUFFERS && reader->known[index]) {
        segment.has_address = true;
        segment.address = reader->buffer[index].address + first;
    }
    return listing_begin(reader->words, &segment, reader->error);
}

static enum pfifo_status take_word(struct libdrm_reader *reader, const char *at, const struct listing_line *line) {
    struct pfifo_words *words = reader->words;
    const char *digits = at;
    uint64_t word;

    if (!listing_hex(&at, line->end, &word) || at - digits != 8 || at != line->end) {
        if (!line->whole) {
            words->cut = true;
            words->cut_line = line->number;
            return PFIFO_OK;
        }
        return listing_error(words, line->number, reader->error, "not a word of 8 digits");
    }
    if (!reader->in_segment || words->segment[words->segments - 1].count == reader->expected)
        return listing_error(words, line->number, reader->error, "a word that is in no segment");
    return listing_append_word(words, (uint32_t)word, line->number, reader->error);
}

static enum pfifo_status take_listed(struct libdrm_reader *reader, const char *at, const struct listing_line *line) {
    const char *end = line->end;
    uint32_t channel;

    if (listing_skip(&at, end, "\t0x"))
        return take_word(reader, at, line);
    if (listing_skip(&at, end, "kernel rejected pushbuf")) {
        reader->rejected = true;
        return end_segment(reader, false, line->number);
    }
    at = take_channel(at, end, &channel);
    if (!at)
        return PFIFO_OK;
    if (listing_skip(&at, end, "krec "))
        return begin_submission(reader, at, end, channel, line->number);
    if (channel != reader->channel)
        return listing_error(reader->words, line->number, reader->error,
                             "channel %" PRIu32 " inside of a submission of channel %" PRIu32, channel,
                             reader->channel);
    if (listing_skip(&at, end, "buf "))
        return listing_libdrm_take_buffer(reader, at, end, line->number);
    return listing_skip(&at, end, "psh ") ? listing_libdrm_take_push(reader, at, end, line->number) : PFIFO_OK;
}

static bool libdrm_recognise(struct listing_text text) {
    struct listing_line line;
    uint32_t channel;

    while (listing_next_line(&text, &line)) {
        const char *at = libdrm_text(&line);
        at = at ? take_channel(at, line.end, &channel) : NULL;
        if (at && listing_skip(&at, line.end, "psh "))
            return true;
    }
    return false;
}

static enum pfifo_status libdrm_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    struct libdrm_reader *reader = calloc(1, sizeof *reader);
    struct listing_line line = {0};
    enum pfifo_status status = PFIFO_OK;

    if (!reader)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to read a listing");
    reader->words = words;
    reader->error = error;
    words->has_channels = true;
    while (status == PFIFO_OK && listing_next_line(&text, &line)) {
        const char *at = libdrm_text(&line);
        if (at)
            status = take_listed(reader, at, &line);
    }
    if (status == PFIFO_OK)
        status = end_segment(reader, true, line.number);
    listing_libdrm_end_submission(reader);
    free(reader);
    return status;
}

const struct listing_format listing_format_libdrm = {"libdrm", libdrm_recognise, libdrm_read, NULL};
