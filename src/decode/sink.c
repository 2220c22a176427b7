/* SPDX-License-Identifier: MIT */
#include "decode/sink.h"

#include "chip/chip.h"

#include <stdlib.h>

pfifo_decode_sink sink_function(enum pfifo_decode_format format) {
    switch (format) {
    case PFIFO_DECODE_TEXT:
        return sink_text;
    case PFIFO_DECODE_JSON:
        return sink_json;
    case PFIFO_DECODE_DIGEST:
        return sink_digest;
    }
    return NULL;
}

void sink_init(struct sink *sink, const struct pfifo_decode_options *options, pfifo_decode_write write, void *opaque) {
    sink->out.write = write;
    sink->out.opaque = opaque;
    sink->address_digits = options->chip->has_ib || options->chip->has_gpfifo ? 10 : 8;
    sink->function = sink_function(options->format);
    sink->errors = options->errors;
    method_digest_init(&sink->digest);
}

bool sink_event(struct sink *sink, const struct pfifo_decode_event *event) {
    if (event->kind == PFIFO_DECODE_ERROR && sink->errors)
        ++*sink->errors;
    return sink->function(sink, event);
}

bool sink_finish(struct sink *sink, enum pfifo_decode_format format, const char *name) {
    char line[512];

    if (format == PFIFO_DECODE_DIGEST) {
        method_digest_render(&sink->digest, name, line, sizeof line);
        output_text(&sink->out, line);
        output_text(&sink->out, "\n");
    }
    return output_flush(&sink->out);
}
