/* SPDX-License-Identifier: MIT */
/* Raw words: a block of memory at some address, decoded from its start or through an IB ring inside it. */
#include "decode/raw.h"

#include "decode/sink.h"
#include "decode/walk.h"
#include "memory/little_endian.h"

#include <stdlib.h>

enum { STEP_WORDS = 4096 };

struct raw_replay {
    struct pfifo_decode_options with;
    struct pfifo_decoder *decoder;
    const uint8_t *bytes;
    size_t size; /* whole words */
    size_t odd;  /* bytes after them */
    uint64_t base;
    uint32_t entry; /* the next of the ring */
    struct raw_place place;
    bool walking;
    size_t walked;    /* words of walks that are over, ... */
    struct walk walk; /* without a ring: ... and the walk through the next words */
    uint8_t *seen;    /* text with jumps: a bit per word that a line has; NULL: nobody asks */
    struct sink sink;
};

static const uint8_t *map_raw(void *opaque, uint64_t address, size_t *bytes) {
    const struct raw_replay *raw = opaque;
    uint64_t offset = address - raw->base;

    if (address < raw->base || offset >= raw->size)
        return NULL;
    *bytes = raw->size - (size_t)offset;
    return raw->bytes + offset;
}

static void note_seen(const struct raw_replay *raw, const struct pfifo_decode_event *event) {
    uint64_t at = (event->address - raw->base) / 4, words = raw->size / 4;
    uint64_t count = event->kind == PFIFO_DECODE_SKIPPED ? event->count : 1;

    /* An error without a word is about a place, not about a word that is there. */
    if (event->kind == PFIFO_DECODE_SEGMENT || (event->kind == PFIFO_DECODE_ERROR && !event->word) ||
        event->address < raw->base)
        return;
    for (; count && at < words; count--, at++)
        raw->seen[at / 8] |= (uint8_t)(1u << at % 8);
}

/* Is the event about a word that is not shown? Of skipped words those that are remain. */
static bool is_hidden(const struct raw_replay *raw, struct pfifo_decode_event *event) {
    uint64_t words = (raw->place.shown - event->address) / 4;

    if (event->address >= raw->place.shown)
        return false;
    if (event->kind != PFIFO_DECODE_SKIPPED || event->count <= words)
        return true;
    event->address = raw->place.shown;
    event->count -= (uint32_t)words;
    event->words = event->words ? event->words + 4 * words : NULL;
    return false;
}

static bool raw_forward(void *opaque, const struct pfifo_decode_event *event) {
    struct raw_replay *raw = opaque;
    struct pfifo_decode_event rest = *event;

    if (raw->place.shown && is_hidden(raw, &rest))
        return true;
    event = &rest;
    if (raw->seen)
        note_seen(raw, event);
    return sink_event(&raw->sink, event);
}

static enum pfifo_status next_entry(struct raw_replay *raw, bool *more, struct pfifo_error *error) {
    uint64_t address = raw->with.ring + 8 * (uint64_t)raw->entry;
    size_t bytes = 0;
    const uint8_t *entry = map_raw(raw, address, &bytes);

    if (!entry || bytes < 8)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "IB entry %u is not in the file", (unsigned)raw->entry);
    *more = ++raw->entry < raw->with.entries;
    return pfifo_decoder_ib_entry(raw->decoder, 0, address, load_le32(entry), load_le32(entry + 4), error);
}

/* All words, or first those before GET, and then the others as GET has them. */
static enum pfifo_status begin_words(struct raw_replay *raw, struct pfifo_error *error) {
    const struct raw_place *place = &raw->place;
    bool at_get = place->has_get && place->get == raw->base + 4 * (uint64_t)raw->walked;
    size_t end = place->has_get && !at_get && !raw->walked ? (size_t)(place->get - raw->base) / 4 : raw->size / 4;
    const struct pfifo_decode_segment segment = {
        .address = raw->base + 4 * (uint64_t)raw->walked,
        .words = raw->walked ? raw->bytes + 4 * raw->walked : raw->bytes,
        .count = end - raw->walked,
        .entry = decoder_uses_ring(raw->with.chip, raw->with.ib) ? PFIFO_DECODE_BY_IB : PFIFO_DECODE_BY_GET,
    };
    struct decode_channel *channel = decode_channel_get(raw->decoder, 0, error);

    if (!channel)
        return error->status;
    if ((at_get || !raw->walked) &&
        pfifo_decoder_resume(raw->decoder, 0, at_get ? &place->packet : &raw->with.packet, error) != PFIFO_OK)
        return error->status;
    walk_begin(&raw->walk, raw->decoder, channel, &segment);
    raw->walking = true;
    raw->walked = end;
    return PFIFO_OK;
}

static enum pfifo_status raw_go_on(struct raw_replay *raw, bool *more, struct pfifo_error *error) {
    enum pfifo_status status = raw->walking ? PFIFO_OK : begin_words(raw, error);

    if (status != PFIFO_OK)
        return status;
    raw->walking = !walk_go_on(&raw->walk, STEP_WORDS);
    *more = raw->walking || raw->walked < raw->size / 4;
    return raw->decoder->stopped ? pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written") : PFIFO_OK;
}

enum pfifo_status raw_replay_next(struct raw_replay *raw, bool *more, struct pfifo_error *error) {
    enum pfifo_status status;

    *more = false;
    status = raw->with.entries ? next_entry(raw, more, error) : raw_go_on(raw, more, error);
    *more = *more && status == PFIFO_OK;
    if (*more || status != PFIFO_OK)
        return status;
    raw->place.shown = 0;
    if (raw->place.more)
        status = raw->place.more(raw->place.opaque, raw->decoder, error);
    return status == PFIFO_OK ? pfifo_decoder_end(raw->decoder, error) : status;
}

void raw_replay_set_place(struct raw_replay *raw, const struct raw_place *place) {
    raw->place = *place;
}

static bool is_seen(const struct raw_replay *raw, size_t at) {
    return raw->seen[at / 8] >> at % 8 & 1;
}

/* Words that jumps went past, so that the text has all words. */
static void report_unseen(struct raw_replay *raw) {
    size_t words = raw->size / 4, end;

    for (size_t at = 0; at < words; at = end + 1) {
        for (end = at; end < words && !is_seen(raw, end);)
            end++;
        if (end > at)
            sink_event(&raw->sink, &(struct pfifo_decode_event){.kind = PFIFO_DECODE_SKIPPED,
                                                                .address = raw->base + 4 * (uint64_t)at,
                                                                .count = (uint32_t)(end - at),
                                                                .words = raw->bytes + 4 * at,
                                                                .text = "never reached"});
    }
}

static void report_odd_bytes(struct raw_replay *raw) {
    if (raw->odd)
        raw_forward(raw, &(struct pfifo_decode_event){.kind = PFIFO_DECODE_ERROR,
                                                      .address = raw->base + raw->size,
                                                      .text = "the file ends inside a word"});
}

enum pfifo_status raw_replay_end(struct raw_replay *raw, enum pfifo_status status, struct pfifo_error *error) {
    const struct pfifo_decode_options *with = &raw->with;

    if (status == PFIFO_OK && raw->seen && !with->part)
        report_unseen(raw);
    if (status == PFIFO_OK)
        report_odd_bytes(raw);
    status = sink_status_of(&raw->sink, status);
    /* What is said of the whole is not said of a part. */
    if (!sink_finish(&raw->sink, with->part ? PFIFO_DECODE_NOTHING : with->format, with->name ? with->name : "raw") &&
        status == PFIFO_OK)
        status = pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
    return status;
}

void raw_replay_free(struct raw_replay *raw) {
    if (!raw)
        return;
    pfifo_decoder_free(raw->decoder);
    filter_free(raw->sink.filter);
    free(raw->seen);
    free(raw);
}

static enum pfifo_status raw_check_options(struct pfifo_decode_options *with, const struct pfifo_decode_options *given,
                                           struct pfifo_error *error) {
    if (given && decode_options_read(with, given, error) != PFIFO_OK)
        return error->status;
    if (!given || !with->chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "decoding needs words, a chip and a place to write");
    if (with->base & 3)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "words are at multiples of 4");
    if (sink_check(with, error) != PFIFO_OK)
        return error->status;
    if (with->entries && !with->chip->has_ib)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has no IB ring", with->chip->name);
    with->ib = with->ib || with->entries;
    return PFIFO_OK;
}

/* With an IB there are no jumps; an IB's ring chooses words. */
static bool tells_unseen(const struct raw_replay *raw) {
    const struct pfifo_decode_options *with = &raw->with;

    return with->format == PFIFO_DECODE_TEXT && !with->query && !with->event &&
           !decoder_uses_ring(with->chip, with->ib) && raw->size / 4 <= UINT32_MAX;
}

static enum pfifo_status raw_begin(struct raw_replay *raw, pfifo_decode_write write, void *opaque,
                                   struct pfifo_error *error) {
    const struct pfifo_decode_options *with = &raw->with;
    enum pfifo_status status = PFIFO_OK;

    sink_init(&raw->sink, with, write, opaque);
    raw->sink.shows_skipped = !with->query;
    if (sink_set_filter(&raw->sink, with, error) != PFIFO_OK)
        return error->status;
    if (tells_unseen(raw)) {
        raw->seen = calloc(raw->size / 32 + 1, 1);
        if (!raw->seen)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to decode");
    }
    raw->decoder = pfifo_decoder_new(with, raw_forward, map_raw, raw, error);
    if (!raw->decoder)
        return error->status;
    raw->decoder->only_entries = with->entries && with->ring == raw->base && 8 * (uint64_t)with->entries >= raw->size;
    raw->sink.decoder = raw->decoder;
    raw->decoder->handle_class = with->handle_class;
    raw->decoder->guesses_handles = !raw->decoder->literal;
    raw->decoder->handle_opaque = with->handle_opaque;
    for (size_t i = 0; i < with->object_count && status == PFIFO_OK; i++)
        status = pfifo_decoder_object(raw->decoder, 0, with->objects[i].handle, with->objects[i].oclass, NULL, error);
    return status;
}

struct raw_replay *raw_replay_new(const void *data, size_t bytes, const struct pfifo_decode_options *options,
                                  pfifo_decode_write write, void *opaque, struct pfifo_error *error) {
    struct pfifo_decode_options with = {0};
    struct raw_replay *raw = NULL;

    if (!write || (!data && bytes))
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "decoding needs words, a chip and a place to write");
    else if (raw_check_options(&with, options, error) == PFIFO_OK && !(raw = calloc(1, sizeof *raw)))
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to decode");
    if (!raw)
        return NULL;
    raw->with = with;
    raw->bytes = data;
    raw->size = bytes & ~(size_t)3;
    raw->odd = bytes & 3;
    raw->base = with.base;
    if (raw_begin(raw, write, opaque, error) == PFIFO_OK)
        return raw;
    raw_replay_free(raw);
    return NULL;
}

enum pfifo_status pfifo_decode_raw(const void *data, size_t bytes, const struct pfifo_decode_options *options,
                                   pfifo_decode_write write, void *opaque, struct pfifo_error *error) {
    struct pfifo_error local = {0};
    enum pfifo_status status = PFIFO_OK;
    struct raw_replay *raw;
    bool more = true;

    error = error ? error : &local;
    raw = raw_replay_new(data, bytes, options, write, opaque, error);
    if (!raw)
        return error->status;
    while (more && status == PFIFO_OK)
        status = raw_replay_next(raw, &more, error);
    status = raw_replay_end(raw, status, error);
    raw_replay_free(raw);
    return status;
}
