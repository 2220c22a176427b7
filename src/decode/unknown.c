/* SPDX-License-Identifier: MIT */
#include "decode/unknown.h"

#include <pfifo/classes.h>

#include "decode/json_value.h"

void decode_unknown_event(struct decode_unknown *unknown, const struct pfifo_decode_event *event) {
    struct unknown_method *row;

    if (event->kind == PFIFO_DECODE_SUBMISSION) {
        unknown->has_submissions = true;
        unknown->submission = event->sequence;
    }
    if (event->kind != PFIFO_DECODE_METHOD || event->discarded)
        return;
    row = unknown_methods_note(&unknown->methods, event->name_class, event->method);
    if (row)
        row->first = (struct unknown_method_place){event->address, event->channel, unknown->submission};
}

static const char *unknown_class_name(uint32_t object_class) {
    const struct pfifo_class *class = pfifo_class_find(object_class);

    return class ? class->name : "";
}

static void unknown_row_text(const struct decode_unknown *unknown, const struct unknown_method *row,
                             unsigned address_digits, struct output *out) {
    output_text(out, "  class ");
    output_hex(out, row->object_class, 4);
    output_text(out, " ");
    output_text(out, unknown_class_name(row->object_class));
    output_text(out, " has no method 0x");
    output_hex(out, row->method, 4);
    output_text(out, ": ");
    output_decimal(out, row->count);
    output_text(out, row->count == 1 ? " time, first at " : " times, first at ");
    output_hex(out, row->first.at, address_digits);
    if (unknown->has_submissions) {
        output_text(out, " in submission ");
        output_decimal(out, row->first.submission);
        output_text(out, " of channel ");
        output_decimal(out, row->first.channel);
    }
    output_text(out, "\n");
}

void decode_unknown_text(const struct decode_unknown *unknown, unsigned address_digits, struct output *out) {
    if (!unknown->methods.total)
        return;
    output_text(out, "methods that their class does not have: ");
    output_decimal(out, unknown->methods.total);
    output_text(out, "\n");
    for (size_t i = 0; i < unknown->methods.count; i++)
        unknown_row_text(unknown, &unknown->methods.row[i], address_digits, out);
}

static void unknown_put_number(struct output *out, const char *key, uint64_t value) {
    output_text(out, ",\"");
    output_text(out, key);
    output_text(out, "\":");
    output_decimal(out, value);
}

static void unknown_row_json(const struct decode_unknown *unknown, const char *file, const struct unknown_method *row,
                             struct output *out) {
    const struct json_source source = {file, unknown->has_submissions, row->first.submission};
    const char *name = unknown_class_name(row->object_class);

    json_begin(out, &source);
    output_text(out, "\"event\":\"unknown_method\"");
    unknown_put_number(out, "channel", row->first.channel);
    unknown_put_number(out, "address", row->first.at);
    unknown_put_number(out, "class", row->object_class);
    if (name[0]) {
        output_text(out, ",\"class_name\":\"");
        output_text(out, name);
        output_text(out, "\"");
    }
    unknown_put_number(out, "method", row->method);
    unknown_put_number(out, "count", row->count);
    output_text(out, "}\n");
}

void decode_unknown_json(const struct decode_unknown *unknown, const char *file, struct output *out) {
    for (size_t i = 0; i < unknown->methods.count; i++)
        unknown_row_json(unknown, file, &unknown->methods.row[i], out);
}
