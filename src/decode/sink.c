/* SPDX-License-Identifier: MIT */
#include "decode/sink.h"

#include "chip/chip.h"
#include "decode/shader.h"

#include <stdlib.h>

static pfifo_decode_sink function_of(enum pfifo_decode_format format) {
    switch (format) {
    case PFIFO_DECODE_TEXT:
        return sink_text;
    case PFIFO_DECODE_JSON:
        return sink_json;
    case PFIFO_DECODE_DIGEST:
        return sink_digest;
    case PFIFO_DECODE_MACROS:
        return sink_macros;
    case PFIFO_DECODE_SHADERS:
        return sink_shaders;
    case PFIFO_DECODE_NOTHING:
        return sink_nothing;
    }
    return NULL;
}

bool sink_nothing(void *opaque, const struct pfifo_decode_event *event) {
    (void)opaque, (void)event;
    return true;
}

/* Others sum up, and need everything. */
static bool has_lines(enum pfifo_decode_format format) {
    return format == PFIFO_DECODE_TEXT || format == PFIFO_DECODE_JSON || format == PFIFO_DECODE_NOTHING;
}

enum pfifo_status sink_check(const struct pfifo_decode_options *options, struct pfifo_error *error) {
    if (!function_of(options->format))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no such format to decode to");
    if (options->query && !has_lines(options->format))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a query selects lines of text or JSON");
    if (options->format == PFIFO_DECODE_MACROS && !pfifo_macro_words(options->chip))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no macros", options->chip->name);
    if (options->format == PFIFO_DECODE_SHADERS && !shader_isa_of(options->chip))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "programs of %s cannot be listed", options->chip->name);
    return PFIFO_OK;
}

unsigned sink_address_digits(const struct pfifo_chip *chip) {
    return chip_has_page_tables(chip) ? 10 : 8;
}

void sink_init(struct sink *sink, const struct pfifo_decode_options *options, pfifo_decode_write write, void *opaque) {
    sink->out.write = write;
    sink->out.opaque = opaque;
    sink->address_digits = sink_address_digits(options->chip);
    sink->function = function_of(options->format);
    sink->event = options->event;
    sink->event_opaque = options->event_opaque;
    sink->errors = options->errors;
    sink->source.file = options->file;
    sink->names.whose = options->names;
    sink->macros.chip = options->chip;
    sink->shaders.chip = options->chip;
    sink->unknown.methods.chip = options->chip;
    method_digest_init(&sink->digest);
}

enum pfifo_status sink_set_filter(struct sink *sink, const struct pfifo_decode_options *options,
                                  struct pfifo_error *error) {
    sink->filter = filter_new(options, error);
    return sink->filter || !options->query ? PFIFO_OK : error->status;
}

enum pfifo_status sink_status_of(const struct sink *sink, enum pfifo_status status) {
    bool satisfied = sink->filter && sink->filter->satisfied && !sink->out.failed;

    return status == PFIFO_ERROR_IO && satisfied ? PFIFO_OK : status;
}

bool sink_no_output(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

bool sink_output(struct sink *sink, const struct pfifo_decode_event *event) {
    if (sink->event && !sink->event(sink->event_opaque, event))
        sink->out.failed = true;
    return !sink->out.failed && sink->function(sink, event);
}

bool sink_event(struct sink *sink, const struct pfifo_decode_event *event) {
    if (event->kind == PFIFO_DECODE_ERROR && sink->errors)
        ++*sink->errors;
    if (sink->around)
        return around_event(sink->around, sink, event);
    if (sink->filter)
        return filter_event(sink->filter, sink, event);
    decode_unknown_event(&sink->unknown, event);
    return sink_output(sink, event);
}

void sink_channel_end(struct sink *sink, uint32_t channel) {
    macros_end(&sink->macros, channel, &sink->out);
    shaders_end(&sink->shaders, channel);
}

bool sink_finish(struct sink *sink, enum pfifo_decode_format format, const char *name) {
    char line[512];

    if (format == PFIFO_DECODE_DIGEST) {
        method_digest_render(&sink->digest, name, line, sizeof line);
        output_text(&sink->out, line);
        output_text(&sink->out, "\n");
    }
    if (format == PFIFO_DECODE_TEXT)
        decode_unknown_text(&sink->unknown, sink->address_digits, &sink->out);
    if (format == PFIFO_DECODE_JSON)
        decode_unknown_json(&sink->unknown, sink->source.file, &sink->out);
    macros_end_all(&sink->macros, &sink->out);
    shaders_end_all(&sink->shaders, &sink->out);
    return output_flush(&sink->out);
}
