/* SPDX-License-Identifier: MIT */
#include "decode/words_capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/config.h"

enum {
    FB_HANDLE = 0xbeef0201, /* nouveau's, before GF100 */
    TT_HANDLE = 0xbeef0202,
    NO_PREFETCH = 1 << 23,
    MOST_BYTES = 0x7ffffc, /* of a PUSH */
    NOTIFIER_BYTES = 4096,
    DMA_IN_MEMORY = 0x3d,
    MOST_CHANNELS = 512,
    PAGE_BYTES = 4096,
};

struct making {
    const struct pfifo_words *words;
    const struct pfifo_words_capture_options *options;
    const struct words_objects *objects;
    struct words_place place;
    struct pfifo_stream_writer *writer;
    struct pfifo_error *error;
    uint32_t notifiers; /* handle of a buffer for them, 0: there is none */
};

static bool words_capture_append(const struct making *making, struct pfifo_stream_record record) {
    return pfifo_stream_writer_append(making->writer, &record, making->error) == PFIFO_OK;
}

/* ---- what is there before the first submission ---- */

static bool make_object(const struct making *making, uint32_t channel, const struct pfifo_decode_object *object) {
    const struct pfifo_stream_ntfy memory = {channel, object->handle, NOTIFIER_BYTES, 0};
    const struct pfifo_stream_obj other = {channel, object->handle, object->oclass};

    if (object->oclass == DMA_IN_MEMORY)
        return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_NTFY, .ntfy = memory});
    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ, .obj = other});
}

/* Those that the caller knows come first: what is found out does not replace them. */
static bool make_objects(const struct making *making, uint32_t channel) {
    const struct pfifo_words_capture_options *options = making->options;
    bool ok = true;

    for (size_t i = 0; i < options->object_count && ok; i++)
        ok = make_object(making, channel, &options->objects[i]);
    for (size_t i = 0; making->objects && i < making->objects->count && ok; i++) {
        const struct pfifo_decode_object *object = &making->objects->object[i];
        bool known = making->objects->channel[i] != channel;
        for (size_t j = 0; j < options->object_count; j++)
            known = known || options->objects[j].handle == object->handle;
        ok = known || make_object(making, channel, object);
    }
    return ok;
}

static bool words_capture_make_channel(const struct making *making, uint32_t channel) {
    bool dma_objects = !making->options->chip->binds_classes;
    const struct pfifo_stream_chan chan = {.channel = channel,
                                           .fb_ctxdma = dma_objects ? FB_HANDLE : 0,
                                           .tt_ctxdma = dma_objects ? TT_HANDLE : 0,
                                           .pushbuf_domains = PFIFO_STREAM_GART,
                                           .notifier_bo = making->notifiers};

    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = chan}) &&
           make_objects(making, channel);
}

static bool words_capture_is_among(const uint32_t *numbers, size_t count, uint32_t number) {
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

static bool make_channels(const struct making *making) {
    const struct pfifo_words *words = making->words;
    uint32_t made[MOST_CHANNELS];
    size_t count = 0;

    for (size_t i = 0; i < words->segments; i++) {
        uint32_t channel = words->segment[i].channel;
        if (words_capture_is_among(made, count, channel))
            continue;
        if (count == MOST_CHANNELS)
            return listing_error(words, words->segment[i].line, making->error, "more than %d channels",
                                 MOST_CHANNELS) == PFIFO_OK;
        if (!words_capture_make_channel(making, channel))
            return false;
        made[count++] = channel;
    }
    return true;
}

static bool make_buffer(const struct making *making, uint32_t handle, const struct words_range *range) {
    const struct pfifo_stream_bonew buffer = {.handle = handle,
                                              .domain = range->vram ? PFIFO_STREAM_VRAM : PFIFO_STREAM_GART,
                                              .bytes = range->bytes,
                                              .address = range->address};

    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = buffer});
}

/* Memory for notifiers is after all other. */
static bool make_buffers(struct making *making) {
    const struct words_place *place = &making->place;
    struct words_range notifiers = {.address = PFIFO_WORDS_BASE, .bytes = NOTIFIER_BYTES};
    bool ok = true;

    for (size_t i = 0; i < place->ranges && ok; i++) {
        ok = make_buffer(making, (uint32_t)i + 1, &place->range[i]);
        if (!place->range[i].vram)
            notifiers.address = place->range[i].address + place->range[i].bytes;
    }
    if (!ok || !making->options->runs || making->options->chip->binds_classes)
        return ok;
    making->notifiers = (uint32_t)place->ranges + 1;
    return make_buffer(making, making->notifiers, &notifiers);
}

/* ---- submissions ---- */

static bool append_push(const struct making *making, size_t index, const uint8_t *words, size_t count) {
    const struct pfifo_words_segment *segment = &making->words->segment[index];
    const struct words_range *range = words_place_find(&making->place, making->place.address[index]);
    struct pfifo_stream_push push = {.handle = (uint64_t)(range - making->place.range) + 1,
                                     .offset = making->place.address[index] - range->address,
                                     .address = making->place.address[index],
                                     .length = 4 * (uint64_t)count,
                                     .words = words,
                                     .word_count = (uint32_t)count,
                                     .no_prefetch = segment->no_prefetch};

    push.length |= segment->no_prefetch ? NO_PREFETCH : 0;
    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = push});
}

static bool words_capture_push_segment(const struct making *making, size_t index) {
    static const uint8_t command_return[4] = {0, 0, 2, 0};
    const struct pfifo_words_segment *segment = &making->words->segment[index];
    const uint8_t *words = words_of_segment(making->words, segment);
    bool returns = words_needs_return(making->words, segment, making->options);
    uint8_t *longer;
    bool ok;

    if (segment->count + returns > MOST_BYTES / 4)
        return listing_error(making->words, segment->line, making->error, "a segment of %zu words: at most %d",
                             segment->count, MOST_BYTES / 4) == PFIFO_OK;
    if (!returns)
        return append_push(making, index, words, segment->count);
    longer = malloc(4 * (segment->count + 1));
    if (!longer)
        return pfifo_error_set(making->error, PFIFO_ERROR_MEMORY, "no memory for a segment") == PFIFO_OK;
    memcpy(longer, words, 4 * segment->count);
    memcpy(longer + 4 * segment->count, command_return, sizeof command_return);
    ok = append_push(making, index, longer, segment->count + 1);
    free(longer);
    return ok;
}

/* What is in a buffer at first, as whole pages. */
static bool fill_buffer(const struct making *making, const struct pfifo_words_buffer *buffer) {
    const struct words_range *range = words_place_find(&making->place, buffer->address);
    const uint32_t handle = (uint32_t)(range - making->place.range) + 1;
    const size_t bytes = (buffer->data_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    const struct pfifo_stream_boref boref = {.handle = handle,
                                             .valid_domains = PFIFO_STREAM_GART,
                                             .read_domains = PFIFO_STREAM_GART,
                                             .write_domains = PFIFO_STREAM_GART,
                                             .address = range->address,
                                             .bytes = range->bytes};
    uint8_t *pages = bytes ? calloc(1, bytes) : NULL;
    bool ok = words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF, .boref = boref});

    if (bytes && !pages)
        return pfifo_error_set(making->error, PFIFO_ERROR_MEMORY, "no memory for a buffer") == PFIFO_OK;
    if (pages) {
        const struct pfifo_stream_bodata data = {handle, buffer->address - range->address, pages, bytes};
        memcpy(pages, buffer->data, buffer->data_bytes);
        ok = ok &&
             words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA, .bodata = data});
    }
    free(pages);
    return ok;
}

/* The segments of the submission that `first` begins; *end is after them. */
static bool make_submission(const struct making *making, size_t first, size_t *end) {
    const struct pfifo_words *words = making->words;
    struct pfifo_stream_submit submit = {.sequence = words->segment[first].submission,
                                         .channel = words->segment[first].channel};
    const struct pfifo_stream_subend subend = {submit.sequence};
    const size_t buffers = first ? 0 : making->options->buffer_count;
    bool ok;

    submit.buffers = (uint32_t)buffers;
    for (*end = first; *end < words->segments && words->segment[*end].submission == submit.sequence; ++*end)
        submit.pushes += words->segment[*end].count != 0;
    ok = words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit});
    for (size_t i = 0; i < buffers && ok; i++)
        ok = fill_buffer(making, &making->options->buffers[i]);
    for (size_t i = first; i < *end && ok; i++)
        ok = !words->segment[i].count || words_capture_push_segment(making, i);
    return ok &&
           words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = subend});
}

static bool make_records(struct making *making) {
    char number[16];
    size_t next = 0;

    snprintf(number, sizeof number, "0x%" PRIx32, pfifo_chip_info(making->options->chip).id);
    if (pfifo_stream_writer_text(making->writer, "chipset", number, making->error) != PFIFO_OK ||
        !make_buffers(making) || !make_channels(making))
        return false;
    while (next < making->words->segments)
        if (!make_submission(making, next, &next))
            return false;
    return pfifo_stream_writer_finish(making->writer, making->error) == PFIFO_OK;
}

static struct pfifo_stream *make_capture(const struct pfifo_words *words,
                                         const struct pfifo_words_capture_options *options,
                                         const struct words_objects *objects, struct pfifo_error *error) {
    struct making making = {.words = words, .options = options, .objects = objects, .error = error};
    struct pfifo_stream *stream = NULL;

    making.writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, error);
    if (making.writer && words_place(words, options, &making.place, error) == PFIFO_OK && make_records(&making)) {
        size_t bytes;
        const void *data = pfifo_stream_writer_memory(making.writer, &bytes);
        stream = pfifo_stream_open_memory(data, bytes, words->name, error);
    }
    pfifo_stream_writer_close(making.writer);
    words_place_free(&making.place);
    return stream;
}

/* ---- objects ---- */

static bool words_capture_write_nothing(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

/* What words bind is found out by decoding them. */
static bool find_objects(struct pfifo_stream *stream, struct words_objects *objects, struct pfifo_error *error) {
    const struct pfifo_decode_options with = {
        .chip = objects->chip, .format = PFIFO_DECODE_NOTHING, .event = words_objects_note, .event_opaque = objects};

    if (pfifo_decode_stream(stream, &with, words_capture_write_nothing, NULL, error) == PFIFO_OK)
        return true;
    if (objects->no_memory)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for objects");
    return false;
}

/* In this version's form. */
static enum pfifo_status read_capture_options(const struct pfifo_words *words,
                                              struct pfifo_words_capture_options *options,
                                              const struct pfifo_words_capture_options *given,
                                              struct pfifo_error *error) {
    if (given &&
        config_read(options, sizeof *options, given, sizeof *options, "pfifo_words_capture_options", error) != PFIFO_OK)
        return PFIFO_ERROR_ARGUMENT;
    if (!words || !given || !options->chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a capture needs words and a chip");
    if (!options->chip->has_dma)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.80s: %s has no pushbuffers", words->name,
                               options->chip->name);
    if (options->base % 4)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "words are at multiples of 4");
    return PFIFO_OK;
}

struct pfifo_stream *pfifo_words_capture(const struct pfifo_words *words,
                                         const struct pfifo_words_capture_options *given, struct pfifo_error *error) {
    struct pfifo_words_capture_options known = {0}, *options = &known;
    struct pfifo_error local = {0};
    struct words_objects objects = {0};
    struct pfifo_stream *stream, *complete = NULL;

    if (!error)
        error = &local;
    if (read_capture_options(words, options, given, error) != PFIFO_OK)
        return NULL;
    stream = make_capture(words, options, NULL, error);
    if (!stream || (!options->runs && !words->has_channels))
        return stream;
    objects.chip = options->chip;
    if (find_objects(stream, &objects, error))
        complete = make_capture(words, options, &objects, error);
    pfifo_stream_close(stream);
    words_objects_free(&objects);
    return complete;
}

uint32_t pfifo_words_capture_line(const struct pfifo_words *words, const struct pfifo_words_capture_options *given,
                                  uint32_t sequence, uint64_t address) {
    struct pfifo_words_capture_options known = {0}, *options = &known;
    struct words_place place = {0};
    uint32_t line = 0;

    if (read_capture_options(words, options, given, NULL) != PFIFO_OK)
        return 0;
    if (words_place(words, options, &place, NULL) == PFIFO_OK)
        for (size_t i = 0; i < words->segments && !line; i++) {
            uint64_t offset = address - place.address[i];
            if (words->segment[i].submission == sequence && offset < 4 * (uint64_t)words->segment[i].count)
                line = pfifo_words_line(words, words->segment[i].first + (size_t)(offset / 4));
        }
    words_place_free(&place);
    return line;
}
