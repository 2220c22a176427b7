/* SPDX-License-Identifier: MIT */
#include "face/drm/node/packets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "chip/counted.h"
#include "decode/sink.h"
#include "face/drm/node/buffer.h"

#include <nouveau_drm.h>

enum { LINES_BEFORE = 10, LINES_AFTER = 3, SEGMENTS_BEFORE = 3, LINE_BYTES = 200 };
#define MAX_BYTES (UINT64_C(4) << 20) /* of a segment that is decoded */

/* The lines before the word, of which the last ones stay, and some after it. */
struct packets {
    struct sink *sink;
    uint64_t get;
    bool current, passed; /* in the segment that has the word; beyond it */
    char before[LINES_BEFORE][LINE_BYTES];
    unsigned before_count; /* so far */
    char after[LINES_AFTER][LINE_BYTES];
    unsigned after_count;
};

static bool packets_keep_line(void *opaque, const char *text, size_t bytes) {
    struct packets *packets = opaque;
    char *line;
    while (bytes && *text == ' ') {
        text++;
        bytes--;
    }
    if (packets->passed)
        line = packets->after[packets->after_count++];
    else
        line = packets->before[packets->before_count++ % LINES_BEFORE];
    if (bytes >= LINE_BYTES)
        bytes = LINE_BYTES - 1;
    memcpy(line, text, bytes);
    line[bytes] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static bool show_event(void *opaque, const struct pfifo_decode_event *event) {
    struct packets *packets = opaque;
    if (event->kind == PFIFO_DECODE_SEGMENT || event->kind == PFIFO_DECODE_SUBMISSION)
        return true;
    if (packets->current && event->address >= packets->get)
        packets->passed = true;
    if (packets->passed && packets->after_count == LINES_AFTER)
        return false;
    sink_text(packets->sink, event);
    return output_flush(&packets->sink->out);
}

/* ---- segments ---- */

/* The words of a segment, to be freed. NULL: its buffer is gone, or it is too long. */
static uint8_t *read_segment(const struct drm_channel *channel, const struct drm_segment *segment) {
    const struct drm_file *file = channel->file;
    if (segment->bytes > MAX_BYTES)
        return NULL;
    for (uint32_t i = 0; i < file->handle_room; i++) {
        const struct drm_handle *handle = &file->handles[i];
        if (!handle->buffer || segment->address < handle->address ||
            segment->address - handle->address >= handle->buffer->bytes)
            continue;
        /* Without page tables the domains have offsets of their own; commands are in GART. */
        if (!file->vm && handle->buffer->domain != NOUVEAU_GEM_DOMAIN_GART)
            continue;
        uint8_t *words = malloc(segment->bytes);
        if (words &&
            pfifo_buffer_read(handle->buffer->memory, segment->address - handle->address, words, segment->bytes))
            return words;
        free(words);
        return NULL;
    }
    return NULL;
}

/* Which of the trail's segments has the word at `get`: counted from the first that the channel ever got. */
static uint64_t find_segment(const struct drm_trail *trail, uint64_t first, uint64_t get, bool *found) {
    for (uint64_t i = trail->count; i-- > first;) {
        const struct drm_segment *segment = &trail->segments[i % DRM_TRAIL];
        *found = get >= segment->address && get - segment->address <= segment->bytes;
        if (*found)
            return i;
    }
    return trail->count - 1;
}

static bool has_ring(const struct drm_channel *channel) {
    return channel->file->device->config.chip->has_ib;
}

static void decode_segment(const struct drm_channel *channel, struct pfifo_decoder *decoder,
                           const struct drm_segment *segment) {
    uint8_t *words = read_segment(channel, segment);
    const struct pfifo_decode_segment piece = {.channel = channel->id,
                                               .address = segment->address,
                                               .words = words,
                                               .count = segment->bytes / 4,
                                               .entry = has_ring(channel) ? PFIFO_DECODE_BY_IB : PFIFO_DECODE_BY_CALL};
    if (words)
        pfifo_decoder_segment(decoder, &piece, NULL);
    free(words);
}

/* ---- the decoder ---- */

static bool discard(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

static struct pfifo_decoder *new_decoder(const struct drm_channel *channel, struct packets *packets) {
    const struct pfifo_chip *chip = channel->file->device->config.chip;
    struct pfifo_decode_options options = {.size = sizeof options, .chip = chip, .ib = has_ring(channel)};
    memcpy(options.bound, channel->trail.bound, sizeof options.bound);
    struct pfifo_decoder *decoder = pfifo_decoder_new(&options, show_event, NULL, packets, NULL);
    if (!decoder)
        return NULL;
    sink_init(packets->sink, &options, packets_keep_line, packets);
    packets->sink->decoder = decoder;
    for (const struct drm_object *object = channel->objects; object; object = object->next)
        pfifo_decoder_object(decoder, channel->id, object->handle, object->object_class, NULL, NULL);
    return decoder;
}

static void packets_print_lines(const struct packets *packets, bool idle, FILE *file) {
    unsigned first = packets->before_count > LINES_BEFORE ? packets->before_count - LINES_BEFORE : 0;
    for (unsigned i = first; i < packets->before_count; i++)
        fprintf(file, "    %c %s\n", i + 1 == packets->before_count && !idle ? '>' : ' ',
                packets->before[i % LINES_BEFORE]);
    for (unsigned i = 0; i < packets->after_count; i++)
        fprintf(file, "      %s\n", packets->after[i]);
}

static void print_segments(const struct drm_channel *channel, struct packets *packets, bool idle, FILE *file) {
    const struct drm_trail *trail = &channel->trail;
    uint64_t first = trail->count > DRM_TRAIL ? trail->count - DRM_TRAIL : 0;
    bool found = false;
    uint64_t at = find_segment(trail, first, packets->get, &found);
    const struct drm_segment *segment = &trail->segments[at % DRM_TRAIL];
    struct pfifo_decoder *decoder = new_decoder(channel, packets);
    if (!decoder)
        return;
    for (uint64_t i = at > first + SEGMENTS_BEFORE ? at - SEGMENTS_BEFORE : first; i <= at; i++) {
        packets->current = i == at && found && !idle;
        decode_segment(channel, decoder, &trail->segments[i % DRM_TRAIL]);
    }
    fprintf(file, "  %s segment 0x%" PRIx64 ", %s; %" PRIu64 " after it\n", idle ? "last" : "in", segment->address,
            counted(segment->bytes / 4, "word").text, trail->count - 1 - at);
    packets_print_lines(packets, idle, file);
    packets->sink->out.write = discard; /* what the decoder says at its end */
    pfifo_decoder_free(decoder);
}

void drm_packets_print(const struct drm_channel *channel, uint64_t get, bool idle, FILE *file) {
    struct packets *packets = calloc(1, sizeof *packets);
    if (packets)
        packets->sink = calloc(1, sizeof *packets->sink);
    if (packets && packets->sink && channel->trail.count) {
        packets->get = get;
        print_segments(channel, packets, idle, file);
    }
    if (packets)
        free(packets->sink);
    free(packets);
}
