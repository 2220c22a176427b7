/* SPDX-License-Identifier: MIT */
#include "decode/decoder.h"

#include "chip/config.h"
#include "chip/family.h"

#include <stdlib.h>

static unsigned grammar_mode(const struct pfifo_chip *chip, const struct pfifo_decode_options *options) {
    return (decoder_uses_ring(chip, options->ib) ? GRAMMAR_IB : GRAMMAR_DMA) | GRAMMAR_SLI |
           (options->old_forms ? GRAMMAR_OLD : 0);
}

enum pfifo_status decode_options_read(struct pfifo_decode_options *to, const struct pfifo_decode_options *given,
                                      struct pfifo_error *error) {
    return config_read(to, sizeof *to, given, sizeof *to, "pfifo_decode_options", error);
}

struct pfifo_decoder *pfifo_decoder_new(const struct pfifo_decode_options *given, pfifo_decode_sink sink,
                                        pfifo_decode_map map, void *opaque, struct pfifo_error *error) {
    struct pfifo_decode_options known, *options = &known;
    struct pfifo_decoder *decoder;

    if (given && decode_options_read(options, given, error) != PFIFO_OK)
        return NULL;
    if (!given || !options->chip || !sink) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "decoding needs a chip and a sink");
        return NULL;
    }
    if (!options->chip->family->grammar) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no pushbuffers", options->chip->name);
        return NULL;
    }
    decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a decoder");
        return NULL;
    }
    decoder->chip = options->chip;
    decoder->grammar = options->chip->family->grammar;
    decoder->mode = grammar_mode(options->chip, options);
    decoder->literal = options->format == PFIFO_DECODE_DIGEST;
    decoder->part = options->part;
    decoder->subdevices = options->subdevices ? options->subdevices : 1;
    decoder->sink = sink;
    decoder->map = map;
    decoder->opaque = opaque;
    decode_default_classes(decoder->chip, decoder->default_class);
    for (size_t i = 0; i < DECODE_SUBCHANNELS; i++)
        if (options->bound[i])
            decoder->default_class[i] = options->bound[i];
    return decoder;
}

void pfifo_decoder_free(struct pfifo_decoder *decoder) {
    if (!decoder)
        return;
    free(decoder->channels);
    free(decoder->objects.slots);
    free(decoder);
}

static enum pfifo_status sink_status(const struct pfifo_decoder *decoder, struct pfifo_error *error) {
    if (decoder->stopped)
        return pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
    return PFIFO_OK;
}

/* Why decode_channel_get() failed: it has filled in `error`, if there is one. */
static enum pfifo_status channel_status(const struct pfifo_decoder *decoder) {
    return decoder->channel_count == PFIFO_DECODE_MAX_CHANNELS ? PFIFO_ERROR_UNSUPPORTED : PFIFO_ERROR_MEMORY;
}

enum pfifo_status pfifo_decoder_object(struct pfifo_decoder *decoder, uint32_t channel, uint32_t handle,
                                       uint32_t oclass, const char *label, struct pfifo_error *error) {
    struct decode_channel *state = decode_channel_get(decoder, channel, error);

    if (!state)
        return channel_status(decoder);
    if (!decode_objects_put(&decoder->objects, &(struct decode_object){state->serial, handle, oclass, label}))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for an object");
    return PFIFO_OK;
}

bool pfifo_decoder_find_object(const struct pfifo_decoder *decoder, uint32_t channel, uint32_t handle, uint32_t *oclass,
                               const char **label) {
    const struct decode_object *object = NULL;

    for (size_t i = 0; i < decoder->channel_count && !object; i++)
        if (decoder->channels[i].id == channel && decoder->channels[i].alive)
            object = decode_objects_get(&decoder->objects, decoder->channels[i].serial, handle);
    if (!object && !decoder->handle_class)
        return false;
    if (oclass)
        *oclass = object ? object->oclass : decoder->handle_class(decoder->handle_opaque, handle);
    if (label)
        *label = object ? object->label : NULL;
    return true;
}

enum pfifo_status pfifo_decoder_submission(struct pfifo_decoder *decoder, uint32_t channel, uint32_t sequence,
                                           uint32_t segments, struct pfifo_error *error) {
    decoder->sequence = sequence;
    decode_emit(decoder,
                &(struct pfifo_decode_event){
                    .kind = PFIFO_DECODE_SUBMISSION, .channel = channel, .sequence = sequence, .count = segments});
    for (size_t i = 0; i < decoder->channel_count; i++)
        if (decoder->channels[i].id == channel)
            decoder->channels[i].begins = true;
    return sink_status(decoder, error);
}

enum pfifo_status pfifo_decoder_segment(struct pfifo_decoder *decoder, const struct pfifo_decode_segment *segment,
                                        struct pfifo_error *error) {
    struct decode_channel *channel = decode_channel_get(decoder, segment->channel, error);

    if (!channel)
        return channel_status(decoder);
    decode_segment(decoder, channel, segment);
    return sink_status(decoder, error);
}

/* Forms that have data words. */
static bool has_data(enum grammar_form form) {
    return form == FORM_INCREASING || form == FORM_NONINCREASING || form == FORM_INCREASE_ONCE ||
           form == FORM_LONG_NONINCREASING;
}

enum pfifo_status pfifo_decoder_resume(struct pfifo_decoder *decoder, uint32_t channel,
                                       const struct pfifo_push_packet *packet, struct pfifo_error *error) {
    struct decode_channel *state = decode_channel_get(decoder, channel, error);
    enum grammar_form form = packet->form ? grammar_form_by_name(packet->form) : FORM_INCREASING;

    if (!state)
        return channel_status(decoder);
    if (!has_data(form) || packet->subchannel >= DECODE_SUBCHANNELS || packet->method % 4 ||
        packet->method >> 2 >> decoder->grammar->method_bits)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no command can be resumed like this");
    state->command = (struct decode_command){.form = form == FORM_LONG_NONINCREASING ? FORM_NONINCREASING : form,
                                             .count = packet->count,
                                             .method = packet->method,
                                             .subchannel = packet->subchannel,
                                             .long_count = packet->long_count};
    state->doubtful = false;
    return PFIFO_OK;
}

/* [39:2] address, [63:42] words; on GF100 and later bit 63 is SYNC, and an entry without words is a control entry. */
bool decode_entry(const struct pfifo_decoder *decoder, uint64_t address, uint32_t low, uint32_t high,
                  struct pfifo_decode_event *event, struct pfifo_decode_segment *segment) {
    bool has_control = decoder->chip->ring_only;

    *event = (struct pfifo_decode_event){
        .kind = PFIFO_DECODE_ENTRY, .sequence = decoder->sequence, .address = address, .word = low, .data = high};
    *segment = (struct pfifo_decode_segment){.entry = PFIFO_DECODE_BY_IB};
    event->target = segment->address = (uint64_t)(high & 0xff) << 32 | (low & ~3u);
    event->count = (has_control ? high & 0x7fffffff : high) >> 10;
    event->no_prefetch = segment->no_prefetch = high >> 31;
    if (has_control && !event->count)
        event->text = "control entry";
    return event->count && (has_control || !(low & 1));
}

enum pfifo_status pfifo_decoder_ib_entry(struct pfifo_decoder *decoder, uint32_t channel, uint64_t address,
                                         uint32_t low, uint32_t high, struct pfifo_error *error) {
    struct pfifo_decode_segment segment;
    struct pfifo_decode_event event;
    bool fetched = decode_entry(decoder, address, low, high, &event, &segment);
    size_t bytes = 0;

    event.channel = segment.channel = channel;
    decode_emit(decoder, &event);
    event.kind = PFIFO_DECODE_ERROR;
    if (!event.count && !event.text) {
        event.text = "an entry without words";
        decode_emit(decoder, &event);
    } else if (event.count && !fetched) {
        event.kind = PFIFO_DECODE_SKIPPED;
        event.text = "not fetched: the entry is disabled";
        decode_emit(decoder, &event);
    } else if (fetched && !decoder->only_entries) {
        segment.words = decoder->map ? decoder->map(decoder->opaque, segment.address, &bytes) : NULL;
        segment.count = segment.words ? bytes / 4 : 0;
        if (segment.count < event.count) {
            event.text = "the entry leaves the memory that the decoder has";
            decode_emit(decoder, &event);
        } else {
            segment.count = event.count;
        }
        if (segment.count)
            return pfifo_decoder_segment(decoder, &segment, error);
    }
    return sink_status(decoder, error);
}

static void decoder_end_channel(struct pfifo_decoder *decoder, struct decode_channel *channel) {
    if (!decoder->part && (channel->command.count || channel->command.long_count))
        decode_emit(decoder, &(struct pfifo_decode_event){.kind = PFIFO_DECODE_ERROR,
                                                          .channel = channel->id,
                                                          .sequence = decoder->sequence,
                                                          .count = channel->command.count,
                                                          .text = "the channel ends inside a command"});
    channel->alive = false;
}

enum pfifo_status pfifo_decoder_channel_end(struct pfifo_decoder *decoder, uint32_t channel,
                                            struct pfifo_error *error) {
    for (size_t i = 0; i < decoder->channel_count; i++)
        if (decoder->channels[i].id == channel && decoder->channels[i].alive)
            decoder_end_channel(decoder, &decoder->channels[i]);
    return sink_status(decoder, error);
}

enum pfifo_status pfifo_decoder_end(struct pfifo_decoder *decoder, struct pfifo_error *error) {
    for (size_t i = 0; i < decoder->channel_count; i++)
        if (decoder->channels[i].alive)
            decoder_end_channel(decoder, &decoder->channels[i]);
    return sink_status(decoder, error);
}
