/* SPDX-License-Identifier: MIT */
#include "decode/words_capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    struct words_memory memory;
    uint32_t notifiers, binding; /* handles of buffers for them, and for commands; 0: there is none */
    uint64_t binding_address;
    uint32_t sequence;             /* of the last submission */
    uint32_t bound[MOST_CHANNELS]; /* channels whose classes are bound */
    size_t bound_count;
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
    for (unsigned i = 0; i < PFIFO_DECODE_SUBCHANNELS && ok; i++) {
        const struct pfifo_decode_object object = words_bound_object(options, i);
        ok = !options->bound[i] || make_object(making, channel, &object);
    }
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

/* A page after all other memory. *handle: of its buffer. */
static bool make_page(const struct making *making, uint32_t *handles, uint64_t *end, uint32_t *handle) {
    const struct words_range page = {.address = *end, .bytes = NOTIFIER_BYTES};

    *handle = ++*handles;
    *end += page.bytes;
    return make_buffer(making, *handle, &page);
}

static bool make_buffers(struct making *making) {
    const struct words_place *place = &making->place;
    uint64_t end = PFIFO_WORDS_BASE;
    uint32_t handles = 0;
    uint8_t binds[4 * WORDS_BIND_MOST];
    bool ok = true;

    for (size_t i = 0; i < place->ranges && ok; i++) {
        ok = make_buffer(making, ++handles, &place->range[i]);
        if (!place->range[i].vram)
            end = place->range[i].address + place->range[i].bytes;
    }
    if (ok && making->options->runs && !making->options->chip->binds_classes)
        ok = make_page(making, &handles, &end, &making->notifiers);
    making->binding_address = end;
    return ok && (!words_bind(making->options, binds) || make_page(making, &handles, &end, &making->binding));
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
    push.length |= words_ring_use(&making->place.ring, index) == WORDS_RING_OWN ? PFIFO_STREAM_PUSH_RING : 0;
    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = push});
}

static bool words_capture_push_segment(const struct making *making, size_t index) {
    static const uint8_t command_return[4] = {0, 0, 2, 0};
    const struct pfifo_words_segment *segment = &making->words->segment[index];
    const uint8_t *words = words_of_segment(making->words, segment);
    const struct words_ring *ring = &making->place.ring;
    bool returns = words_needs_return(making->words, index, ring, making->options);
    uint8_t *longer;
    bool ok;

    if (words_ring_use(ring, index) == WORDS_RING_OWN &&
        ring->part[index].put - making->place.address[index] <= MOST_BYTES)
        return append_push(making, index, words, (size_t)(ring->part[index].put - making->place.address[index]) / 4);
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

/* Of a ring: all that is in a range at first. */
static bool fill_range(const struct making *making, size_t index) {
    const struct words_range *range = &making->place.range[index];
    const struct pfifo_stream_boref boref = {.handle = (uint32_t)index + 1,
                                             .valid_domains = PFIFO_STREAM_GART,
                                             .read_domains = PFIFO_STREAM_GART,
                                             .write_domains = PFIFO_STREAM_GART,
                                             .address = range->address,
                                             .bytes = range->bytes};
    const struct pfifo_stream_bodata data = {(uint32_t)index + 1, 0, making->memory.image[index], (size_t)range->bytes};

    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF, .boref = boref}) &&
           words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA, .bodata = data});
}

/* How many buffers the first submission fills. */
static size_t filled(const struct making *making) {
    size_t count = 0;

    if (!making->memory.image)
        return making->options->buffer_count;
    for (size_t i = 0; i < making->place.ranges; i++)
        count += !making->place.range[i].vram;
    return count;
}

static bool fill(const struct making *making) {
    bool ok = true;

    for (size_t i = 0; !making->memory.image && i < making->options->buffer_count && ok; i++)
        ok = fill_buffer(making, &making->options->buffers[i]);
    for (size_t i = 0; making->memory.image && i < making->place.ranges && ok; i++)
        ok = making->place.range[i].vram || fill_range(making, i);
    return ok;
}

/* Does the channel have to bind classes first? Asked once. */
static bool begins_channel(struct making *making, uint32_t channel) {
    if (!making->binding || words_capture_is_among(making->bound, making->bound_count, channel))
        return false;
    making->bound[making->bound_count++] = channel;
    return true;
}

static bool push_binds(const struct making *making) {
    uint8_t bytes[4 * WORDS_BIND_MOST];
    const size_t count = words_bind(making->options, bytes);
    const struct pfifo_stream_push push = {.handle = making->binding,
                                           .length = 4 * (uint64_t)count,
                                           .address = making->binding_address,
                                           .words = bytes,
                                           .word_count = (uint32_t)count};

    return words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = push});
}

/* Is the segment submitted? */
static bool is_pushed(const struct making *making, size_t index) {
    return making->words->segment[index].count && words_ring_use(&making->place.ring, index) != WORDS_RING_MEMORY;
}

static bool make_submission(struct making *making, size_t first, size_t end) {
    const struct pfifo_words *words = making->words;
    struct pfifo_stream_submit submit = {.sequence = ++making->sequence, .channel = words->segment[first].channel};
    const struct pfifo_stream_subend subend = {submit.sequence};
    const bool binds = begins_channel(making, submit.channel);
    bool ok;

    submit.buffers = submit.sequence == 1 ? (uint32_t)filled(making) : 0;
    submit.pushes = binds;
    for (size_t i = first; i < end; i++)
        submit.pushes += is_pushed(making, i);
    ok = words_capture_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit}) &&
         (!submit.buffers || fill(making)) && (!binds || push_binds(making));
    for (size_t i = first; i < end && ok; i++)
        ok = !is_pushed(making, i) || words_capture_push_segment(making, i);
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
    while (next < making->words->segments) {
        const size_t first = next;
        if (words_submission(making->words, &making->place.ring, first, &next) && !make_submission(making, first, next))
            return false;
    }
    return pfifo_stream_writer_finish(making->writer, making->error) == PFIFO_OK;
}

/* Of words that are placed, with these objects; NULL: none but those of the options. */
static struct pfifo_stream *make_capture(const struct making *placed, const struct words_objects *objects) {
    struct making making = *placed;
    struct pfifo_stream *stream = NULL;

    making.objects = objects;
    making.writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, making.error);
    if (making.writer && make_records(&making)) {
        size_t bytes;
        const void *data = pfifo_stream_writer_memory(making.writer, &bytes);
        stream = pfifo_stream_open_memory(data, bytes, making.words->name, making.error);
    }
    pfifo_stream_writer_close(making.writer);
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

/* A first capture says which objects the words bind; if there are any, a second one has them. */
static struct pfifo_stream *make_complete(const struct making *placed) {
    struct words_objects objects = {.chip = placed->options->chip};
    struct pfifo_stream *stream = make_capture(placed, NULL), *complete = NULL;

    const bool known = stream && find_objects(stream, &objects, placed->error);

    if (known && objects.count) {
        complete = make_capture(placed, &objects);
    } else if (known) {
        pfifo_stream_rewind(stream);
        complete = stream;
    }
    if (complete != stream)
        pfifo_stream_close(stream);
    words_objects_free(&objects);
    return complete;
}

struct pfifo_stream *pfifo_words_capture(const struct pfifo_words *words,
                                         const struct pfifo_words_capture_options *given, struct pfifo_error *error) {
    struct pfifo_words_capture_options options = {0};
    struct pfifo_error local = {0};
    struct making making = {.words = words, .options = &options, .error = error ? error : &local};
    struct pfifo_stream *stream = NULL;

    if (words_options_read(words, &options, given, making.error) != PFIFO_OK)
        return NULL;
    if (words_place(words, &options, &making.place, making.error) == PFIFO_OK &&
        words_memory_make(words, &options, &making.place, &making.memory, making.error) == PFIFO_OK)
        stream = make_complete(&making);
    words_memory_free(&making.memory);
    words_place_free(&making.place);
    return stream;
}
