/* SPDX-License-Identifier: MIT */
/* One object per line. Numbers are decimal; names and fields are present if they are known. */
#include "decode/json_value.h"

static void json_put_key(struct output *out, const char *key) {
    output_text(out, ",\"");
    output_text(out, key);
    output_text(out, "\":");
}

static void json_put_number(struct output *out, const char *key, uint64_t value) {
    json_put_key(out, key);
    output_decimal(out, value);
}

static void json_put_string(struct output *out, const char *key, const char *value) {
    json_put_key(out, key);
    json_string(out, value);
}

static void json_put_method(struct sink *sink, const struct pfifo_decode_event *event) {
    const struct names_entry *entry = names_method(&sink->names, event->name_class, event->method);
    const char *class_name = names_class(&sink->names, event->subchannel, event->bound_class);
    struct output *out = &sink->out;

    json_put_number(out, "subchannel", event->subchannel);
    json_put_number(out, "class", event->bound_class);
    if (class_name[0])
        json_put_string(out, "class_name", class_name);
    json_put_number(out, "method", event->method);
    if (entry->length)
        json_put_string(out, "name", entry->text);
    if (event->kind != PFIFO_DECODE_METHOD) {
        json_put_number(out, "count", event->count);
        return;
    }
    json_put_number(out, "data", event->data);
    if (json_has_fields(entry)) {
        json_put_key(out, "fields");
        json_fields(out, entry, event->data);
    }
    if (event->discarded) {
        json_put_key(out, "discarded");
        output_text(out, "true");
    }
}

static void put_segment(struct output *out, const struct pfifo_decode_event *event) {
    json_put_number(out, "words", event->count);
    json_put_key(out, "no_prefetch");
    output_text(out, event->no_prefetch ? "true" : "false");
}

static void put_details(struct sink *sink, const struct pfifo_decode_event *event) {
    struct output *out = &sink->out;

    switch (event->kind) {
    case PFIFO_DECODE_SUBMISSION:
        json_put_number(out, "segments", event->count);
        break;
    case PFIFO_DECODE_ENTRY:
        json_put_number(out, "low", event->word);
        json_put_number(out, "high", event->data);
        json_put_number(out, "target", event->target);
        put_segment(out, event);
        break;
    case PFIFO_DECODE_SEGMENT:
        put_segment(out, event);
        break;
    case PFIFO_DECODE_HEADER:
    case PFIFO_DECODE_COUNT:
    case PFIFO_DECODE_METHOD:
        json_put_method(sink, event);
        break;
    case PFIFO_DECODE_JUMP:
        json_put_number(out, "target", event->target);
        break;
    case PFIFO_DECODE_CONTROL:
        json_put_number(out, "mask", event->data);
        break;
    case PFIFO_DECODE_SKIPPED:
        json_put_number(out, "words", event->count);
        break;
    case PFIFO_DECODE_ERROR:
        break;
    case PFIFO_DECODE_SYNCPOINT:
        json_put_number(out, "syncpoint", event->count);
        json_put_number(out, "value", event->data);
        break;
    case PFIFO_DECODE_SYNC:
        json_put_number(out, "object", event->count);
        json_put_number(out, "point", event->target);
        break;
    }
}

/* What is in a pushbuffer has an "address". */
static bool json_has_address(enum pfifo_decode_kind kind) {
    return kind != PFIFO_DECODE_SUBMISSION && kind != PFIFO_DECODE_SYNCPOINT && kind != PFIFO_DECODE_SYNC;
}

/* Events that do not stand for a word have no "word". */
static bool json_has_word(enum pfifo_decode_kind kind) {
    return json_has_address(kind) && kind != PFIFO_DECODE_ENTRY && kind != PFIFO_DECODE_SEGMENT &&
           kind != PFIFO_DECODE_SKIPPED;
}

const char *pfifo_decode_kind_name(enum pfifo_decode_kind kind) {
    static const char *const kinds[] = {
        [PFIFO_DECODE_SUBMISSION] = "submission",
        [PFIFO_DECODE_ENTRY] = "entry",
        [PFIFO_DECODE_SEGMENT] = "segment",
        [PFIFO_DECODE_HEADER] = "header",
        [PFIFO_DECODE_COUNT] = "count",
        [PFIFO_DECODE_METHOD] = "method",
        [PFIFO_DECODE_JUMP] = "jump",
        [PFIFO_DECODE_CONTROL] = "control",
        [PFIFO_DECODE_SKIPPED] = "skipped",
        [PFIFO_DECODE_ERROR] = "error",
        [PFIFO_DECODE_SYNCPOINT] = "syncpoint",
        [PFIFO_DECODE_SYNC] = "sync",
    };

    return (unsigned)kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : NULL;
}

bool sink_json(void *opaque, const struct pfifo_decode_event *event) {
    struct sink *sink = opaque;
    struct output *out = &sink->out;

    if (event->kind == PFIFO_DECODE_SUBMISSION) {
        sink->source.submitted = true;
        sink->source.submission = event->sequence;
    }
    json_begin(out, &sink->source);
    output_text(out, "\"event\":\"");
    output_text(out, pfifo_decode_kind_name(event->kind));
    output_text(out, "\"");
    json_put_number(out, "channel", event->channel);
    if (json_has_address(event->kind))
        json_put_number(out, "address", event->address);
    if (json_has_word(event->kind))
        json_put_number(out, "word", event->word);
    if (event->form)
        json_put_string(out, "form", event->form);
    put_details(sink, event);
    if (event->text)
        json_put_string(out, "text", event->text);
    output_text(out, "}\n");
    return !out->failed;
}
