/* SPDX-License-Identifier: MIT */
/* Raw words: a block of memory at some address, decoded from its start or through an IB ring inside it. */
#include "decode/decoder.h"
#include "decode/sink.h"
#include "memory/little_endian.h"

#include <stdlib.h>

struct raw {
    struct pfifo_decoder *decoder;
    const uint8_t *bytes;
    size_t size; /* whole words */
    uint64_t base;
    uint8_t *seen; /* text with jumps: a bit per word that a line has; NULL: nobody asks */
    struct sink sink;
};

static const uint8_t *map_raw(void *opaque, uint64_t address, size_t *bytes) {
    const struct raw *raw = opaque;
    uint64_t offset = address - raw->base;

    if (address < raw->base || offset >= raw->size)
        return NULL;
    *bytes = raw->size - (size_t)offset;
    return raw->bytes + offset;
}

static void note_seen(const struct raw *raw, const struct pfifo_decode_event *event) {
    uint64_t at = (event->address - raw->base) / 4, words = raw->size / 4;
    uint64_t count = event->kind == PFIFO_DECODE_SKIPPED ? event->count : 1;

    /* An error without a word is about a place, not about a word that is there. */
    if (event->kind == PFIFO_DECODE_SEGMENT || (event->kind == PFIFO_DECODE_ERROR && !event->word) ||
        event->address < raw->base)
        return;
    for (; count && at < words; count--, at++)
        raw->seen[at / 8] |= (uint8_t)(1u << at % 8);
}

static bool raw_forward(void *opaque, const struct pfifo_decode_event *event) {
    struct raw *raw = opaque;

    if (raw->seen)
        note_seen(raw, event);
    return sink_event(&raw->sink, event);
}

static enum pfifo_status decode_ring(struct raw *raw, const struct pfifo_decode_options *options,
                                     struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    for (uint32_t i = 0; i < options->entries && status == PFIFO_OK; i++) {
        uint64_t address = options->ring + 8 * (uint64_t)i;
        size_t bytes = 0;
        const uint8_t *entry = map_raw(raw, address, &bytes);
        if (!entry || bytes < 8)
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "IB entry %u is not in the file", (unsigned)i);
        status = pfifo_decoder_ib_entry(raw->decoder, 0, address, load_le32(entry), load_le32(entry + 4), error);
    }
    return status;
}

static enum pfifo_status decode_words(struct raw *raw, const struct pfifo_decode_options *options,
                                      struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    bool ib = decoder_uses_ring(options->chip, options->ib);
    struct pfifo_decode_segment segment = {
        .address = raw->base,
        .words = raw->bytes,
        .count = raw->size / 4,
        .entry = ib ? PFIFO_DECODE_BY_IB : PFIFO_DECODE_BY_GET,
    };

    for (size_t i = 0; i < options->object_count && status == PFIFO_OK; i++)
        status =
            pfifo_decoder_object(raw->decoder, 0, options->objects[i].handle, options->objects[i].oclass, NULL, error);
    if (status == PFIFO_OK)
        status =
            options->entries ? decode_ring(raw, options, error) : pfifo_decoder_segment(raw->decoder, &segment, error);
    return status == PFIFO_OK ? pfifo_decoder_end(raw->decoder, error) : status;
}

static bool is_seen(const struct raw *raw, size_t at) {
    return raw->seen[at / 8] >> at % 8 & 1;
}

/* Words that jumps went past, so that the text has all words. */
static void report_unseen(struct raw *raw) {
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

static void report_odd_bytes(struct raw *raw, size_t bytes) {
    if (bytes)
        raw_forward(raw, &(struct pfifo_decode_event){.kind = PFIFO_DECODE_ERROR,
                                                      .address = raw->base + raw->size,
                                                      .text = "the file ends inside a word"});
}

static enum pfifo_status run_raw(struct raw *raw, size_t odd, const struct pfifo_decode_options *options,
                                 struct pfifo_error *error) {
    enum pfifo_status status;

    raw->decoder = pfifo_decoder_new(options, raw_forward, map_raw, raw, error);
    if (!raw->decoder)
        return error->status;
    raw->sink.decoder = raw->decoder;
    status = decode_words(raw, options, error);
    if (status == PFIFO_OK && raw->seen)
        report_unseen(raw);
    if (status == PFIFO_OK)
        report_odd_bytes(raw, odd);
    status = sink_status_of(&raw->sink, status);
    if (!sink_finish(&raw->sink, options->format, options->name ? options->name : "raw") && status == PFIFO_OK)
        status = pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
    pfifo_decoder_free(raw->decoder);
    return status;
}

enum pfifo_status pfifo_decode_raw(const void *data, size_t bytes, const struct pfifo_decode_options *options,
                                   pfifo_decode_write write, void *opaque, struct pfifo_error *error) {
    struct pfifo_decode_options with;
    struct pfifo_error local = {0};
    enum pfifo_status status;
    struct raw *raw;

    if (!error)
        error = &local;
    if (options && decode_options_read(&with, options, error) != PFIFO_OK)
        return error->status;
    if (!options || !with.chip || !write || (!data && bytes))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "decoding needs words, a chip and a place to write");
    if (with.base & 3)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "words are at multiples of 4");
    if (sink_check(&with, error) != PFIFO_OK)
        return error->status;
    if (with.entries && !with.chip->has_ib)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has no IB ring", with.chip->name);
    with.ib = with.ib || with.entries;
    raw = calloc(1, sizeof *raw);
    if (!raw)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to decode");
    raw->bytes = data;
    raw->size = bytes & ~(size_t)3;
    raw->base = with.base;
    sink_init(&raw->sink, &with, write, opaque);
    raw->sink.shows_skipped = !with.query;
    status = sink_set_filter(&raw->sink, &with, error);
    /* With an IB there are no jumps; an IB's ring chooses words. */
    if (status == PFIFO_OK && with.format == PFIFO_DECODE_TEXT && !with.query && !with.event &&
        !decoder_uses_ring(with.chip, with.ib) && raw->size / 4 <= UINT32_MAX) {
        raw->seen = calloc(raw->size / 32 + 1, 1);
        if (!raw->seen)
            status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to decode");
    }
    if (status == PFIFO_OK)
        status = run_raw(raw, bytes & 3, &with, error);
    filter_free(raw->sink.filter);
    free(raw->seen);
    free(raw);
    return status;
}
