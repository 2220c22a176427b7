/* SPDX-License-Identifier: MIT */
/* Captures: each record is passed to the decoder as the kernel would pass it to PFIFO. */
#include "decode/decoder.h"
#include "decode/pages.h"
#include "decode/sink.h"
#include "decode/stream.h"

#include <stdlib.h>

struct stream_replay {
    struct pfifo_stream *stream;
    enum pfifo_decode_format format;
    const struct pfifo_chip *chip;
    struct pfifo_decoder *decoder;
    struct decode_pages pages;
    uint32_t channel, sequence; /* of the submission */
    bool old_forms;             /* the channel that the next CHAN opens has them */
    uint64_t bo_address;
    uint32_t bo_domain;
    struct sink sink;
};

/* Before G80, VRAM and GART are two spaces with overlapping addresses; pushbuffers are in GART. */
static uint64_t page_number(const struct stream_replay *replay, uint32_t domain, uint64_t address) {
    uint64_t number = address / DECODE_PAGE_BYTES;

    return !chip_has_page_tables(replay->chip) && domain == PFIFO_STREAM_VRAM ? number | UINT64_C(1) << 63 : number;
}

static const uint8_t *stream_map_page(void *opaque, uint64_t address, size_t *bytes) {
    const struct stream_replay *replay = opaque;
    size_t offset = (size_t)(address % DECODE_PAGE_BYTES);
    const uint8_t *page = decode_pages_get(&replay->pages, page_number(replay, PFIFO_STREAM_GART, address));

    *bytes = DECODE_PAGE_BYTES - offset;
    return page ? page + offset : NULL;
}

static bool stream_forward(void *opaque, const struct pfifo_decode_event *event) {
    struct stream_replay *replay = opaque;

    return sink_event(&replay->sink, event);
}

static enum pfifo_status stream_end_channel(struct stream_replay *replay, uint32_t channel, struct pfifo_error *error) {
    enum pfifo_status status = pfifo_decoder_channel_end(replay->decoder, channel, error);

    sink_channel_end(&replay->sink, channel);
    return status;
}

static enum pfifo_status allow_old_forms(struct stream_replay *replay, uint32_t number, struct pfifo_error *error) {
    struct decode_channel *channel = decode_channel_get(replay->decoder, number, error);

    replay->old_forms = false;
    if (!channel)
        return error->status;
    channel->mode |= GRAMMAR_OLD;
    return PFIFO_OK;
}

static enum pfifo_status stream_open_channel(struct stream_replay *replay, const struct pfifo_stream_chan *chan,
                                             struct pfifo_error *error) {
    enum pfifo_status status = stream_end_channel(replay, chan->channel, error);

    if (status == PFIFO_OK && replay->old_forms)
        status = allow_old_forms(replay, chan->channel, error);
    if (status == PFIFO_OK && chan->fb_ctxdma)
        status = pfifo_decoder_object(replay->decoder, chan->channel, chan->fb_ctxdma, 0x3d, "VRAM", error);
    if (status == PFIFO_OK && chan->tt_ctxdma)
        status = pfifo_decoder_object(replay->decoder, chan->channel, chan->tt_ctxdma, 0x3d, "GART", error);
    return status;
}

/* How the driver of a capture gave its pieces to PFIFO; `length` of a PUSH. */
static enum pfifo_decode_entry pushes_by(const struct pfifo_chip *chip, uint64_t length) {
    if (chip->has_ib)
        return PFIFO_DECODE_BY_IB;
    if (length & PFIFO_STREAM_PUSH_RING)
        return PFIFO_DECODE_BY_GET;
    return chip->has_call ? PFIFO_DECODE_BY_CALL : PFIFO_DECODE_BY_GET;
}

static enum pfifo_status keep_pages(struct stream_replay *replay, const struct pfifo_stream_bodata *bodata,
                                    struct pfifo_error *error) {
    /* With an IB there are no jumps out of a segment. */
    if (pushes_by(replay->chip, 0) == PFIFO_DECODE_BY_IB)
        return PFIFO_OK;
    for (size_t at = 0; at + DECODE_PAGE_BYTES <= bodata->bytes; at += DECODE_PAGE_BYTES) {
        uint64_t number = page_number(replay, replay->bo_domain, replay->bo_address + bodata->offset + at);
        if (!decode_pages_put(&replay->pages, number, bodata->data + at))
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a page of the capture");
    }
    return PFIFO_OK;
}

/* The commands for it are in the PUSHes, or, of a fence, may be. */
static enum pfifo_status tell_syncpoint(struct stream_replay *replay, const char *form, uint32_t syncpoint,
                                        uint32_t value, struct pfifo_error *error) {
    const struct pfifo_decode_event event = {.kind = PFIFO_DECODE_SYNCPOINT,
                                             .channel = replay->channel,
                                             .sequence = replay->sequence,
                                             .count = syncpoint,
                                             .data = value,
                                             .form = form};

    return stream_forward(replay, &event) ? PFIFO_OK
                                          : pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
}

/* What the program does with the object between submissions is not told. */
static enum pfifo_status tell_sync(struct stream_replay *replay, const struct pfifo_stream_sync *sync,
                                   struct pfifo_error *error) {
    const struct pfifo_decode_event event = {.kind = PFIFO_DECODE_SYNC,
                                             .channel = replay->channel,
                                             .sequence = replay->sequence,
                                             .count = sync->object,
                                             .target = sync->point,
                                             .form = sync->how == PFIFO_STREAM_SYNC_WAIT ? "wait" : "signal"};

    return sync->how > PFIFO_STREAM_SYNC_SIGNAL || stream_forward(replay, &event)
               ? PFIFO_OK
               : pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
}

static enum pfifo_status push(struct stream_replay *replay, const struct pfifo_stream_push *push,
                              struct pfifo_error *error) {
    const struct pfifo_decode_segment segment = {
        .channel = replay->channel,
        .address = push->address,
        .words = push->words,
        .count = push->word_count,
        .no_prefetch = push->no_prefetch,
        .entry = pushes_by(replay->chip, push->length),
    };

    return pfifo_decoder_segment(replay->decoder, &segment, error);
}

enum pfifo_status stream_replay_take(struct stream_replay *replay, const struct pfifo_stream_record *record,
                                     struct pfifo_error *error) {
    struct pfifo_decoder *decoder = replay->decoder;

    switch (record->type) {
    case PFIFO_STREAM_CHAN:
        return stream_open_channel(replay, &record->chan, error);
    case PFIFO_STREAM_CHANIN:
        replay->old_forms = record->chanin.flags & PFIFO_STREAM_CHANIN_OLD_HEADERS;
        return PFIFO_OK;
    case PFIFO_STREAM_CHANFREE:
        return stream_end_channel(replay, record->chanfree.channel, error);
    case PFIFO_STREAM_OBJ:
        return pfifo_decoder_object(decoder, record->obj.channel, record->obj.handle, record->obj.oclass, NULL, error);
    case PFIFO_STREAM_NTFY:
        return pfifo_decoder_object(decoder, record->ntfy.channel, record->ntfy.handle, 0x3d, "notifier", error);
    case PFIFO_STREAM_BOREF:
        replay->bo_address = record->boref.address;
        replay->bo_domain = record->boref.presumed_domain;
        return PFIFO_OK;
    case PFIFO_STREAM_BODATA:
        return keep_pages(replay, &record->bodata, error);
    case PFIFO_STREAM_SUBMIT:
        replay->channel = record->submit.channel;
        replay->sequence = record->submit.sequence;
        return pfifo_decoder_submission(decoder, replay->channel, record->submit.sequence, record->submit.pushes,
                                        error);
    case PFIFO_STREAM_PUSH:
        return push(replay, &record->push, error);
    case PFIFO_STREAM_WAIT:
        return tell_syncpoint(replay, "wait", record->wait.syncpoint, record->wait.threshold, error);
    case PFIFO_STREAM_FENCE:
        return tell_syncpoint(replay, "fence", record->fence.syncpoint, record->fence.value, error);
    case PFIFO_STREAM_SYNC:
        return tell_sync(replay, &record->sync, error);
    default:
        return PFIFO_OK;
    }
}

enum pfifo_status stream_replay_next(struct stream_replay *replay, bool *more, struct pfifo_error *error) {
    struct pfifo_stream_record record;
    enum pfifo_status status = pfifo_stream_next(replay->stream, &record, error);

    *more = status == PFIFO_OK && record.type != PFIFO_STREAM_END;
    if (status == PFIFO_OK)
        status = *more ? stream_replay_take(replay, &record, error) : pfifo_decoder_end(replay->decoder, error);
    *more = *more && status == PFIFO_OK;
    return status;
}

static const struct pfifo_chip *capture_chip(const struct pfifo_stream *stream, struct pfifo_error *error) {
    uint32_t chipset = pfifo_stream_chipset(stream);
    const struct pfifo_chip *chip = pfifo_chip_by_id(chipset);

    if (!chip && chipset)
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.150s: there is no chip 0x%x", pfifo_stream_path(stream),
                        (unsigned)chipset);
    else if (!chip)
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.150s: the capture does not name its chipset",
                        pfifo_stream_path(stream));
    return chip;
}

/* Of the options' version here. */
static enum pfifo_status read_options(struct pfifo_decode_options *with, const struct pfifo_stream *stream,
                                      const struct pfifo_decode_options *given, struct pfifo_error *error) {
    *with = (struct pfifo_decode_options){0};
    if (given && decode_options_read(with, given, error) != PFIFO_OK)
        return error->status;
    if (!with->chip)
        with->chip = capture_chip(stream, error);
    if (!with->chip || sink_check(with, error) != PFIFO_OK)
        return error->status;
    with->ib = pushes_by(with->chip, 0) == PFIFO_DECODE_BY_IB;
    with->file = with->file ? with->file : pfifo_stream_name(stream);
    return PFIFO_OK;
}

struct stream_replay *stream_replay_new(struct pfifo_stream *stream, const struct pfifo_decode_options *given,
                                        struct around *around, pfifo_decode_write write, void *opaque,
                                        struct pfifo_error *error) {
    struct pfifo_decode_options with;
    struct stream_replay *replay;

    if (!stream || !write) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "decoding needs a capture and a place to write");
        return NULL;
    }
    if (read_options(&with, stream, given, error) != PFIFO_OK)
        return NULL;
    replay = calloc(1, sizeof *replay);
    if (!replay) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to decode %s", pfifo_stream_path(stream));
        return NULL;
    }
    replay->stream = stream;
    replay->chip = with.chip;
    replay->format = with.format;
    sink_init(&replay->sink, &with, write, opaque);
    replay->sink.around = around;
    replay->sink.shows_skipped = !around && !with.query;
    if (sink_set_filter(&replay->sink, &with, error) == PFIFO_OK)
        replay->decoder = pfifo_decoder_new(&with, stream_forward, stream_map_page, replay, error);
    replay->sink.decoder = replay->decoder;
    if (!replay->decoder) {
        stream_replay_free(replay);
        return NULL;
    }
    return replay;
}

void stream_replay_free(struct stream_replay *replay) {
    if (!replay)
        return;
    pfifo_decoder_free(replay->decoder);
    decode_pages_free(&replay->pages);
    filter_free(replay->sink.filter);
    free(replay);
}

const struct pfifo_decoder *stream_replay_decoder(const struct stream_replay *replay) {
    return replay->decoder;
}

const struct pfifo_chip *stream_replay_chip(const struct stream_replay *replay) {
    return replay->chip;
}

enum pfifo_status stream_replay_end(struct stream_replay *replay, enum pfifo_status status, struct pfifo_error *error) {
    status = sink_status_of(&replay->sink, status);
    if (!sink_finish(&replay->sink, replay->format, pfifo_stream_name(replay->stream)) && status == PFIFO_OK)
        status = pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
    return status;
}

enum pfifo_status decode_stream(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                struct around *around, pfifo_decode_write write, void *opaque,
                                struct pfifo_error *error) {
    struct pfifo_error local = {0};
    enum pfifo_status status = PFIFO_OK;
    struct stream_replay *replay;
    bool more = true;

    if (!error)
        error = &local;
    replay = stream_replay_new(stream, options, around, write, opaque, error);
    if (!replay)
        return error->status;
    while (more)
        status = stream_replay_next(replay, &more, error);
    status = stream_replay_end(replay, status, error);
    stream_replay_free(replay);
    return status;
}

enum pfifo_status pfifo_decode_stream(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                      pfifo_decode_write write, void *opaque, struct pfifo_error *error) {
    return decode_stream(stream, options, NULL, write, opaque, error);
}

struct stream_line {
    char *text;
    size_t size, used;
};

static bool stream_write_line(void *opaque, const char *text, size_t bytes) {
    struct stream_line *line = opaque;

    for (size_t i = 0; i < bytes && text[i] != '\n'; i++)
        if (line->used + 1 < line->size)
            line->text[line->used++] = text[i];
    return true;
}

enum pfifo_status pfifo_decode_digest(struct pfifo_stream *stream, char *line, size_t size, struct pfifo_error *error) {
    struct pfifo_decode_options options = {.format = PFIFO_DECODE_DIGEST};
    struct stream_line out = {.text = line, .size = size};
    enum pfifo_status status = pfifo_decode_stream(stream, &options, stream_write_line, &out, error);

    if (size)
        line[out.used] = 0;
    return status;
}
