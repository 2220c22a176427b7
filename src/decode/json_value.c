/* SPDX-License-Identifier: MIT */
#include "decode/json_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ESCAPE_BYTES = 8 };

size_t utf8_length(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, beyond U+10FFFF. */
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] >= 0x90))
        return 0;
    return length;
}

/* Bytes that a string has as they are. */
static size_t json_value_plain_bytes(const char *text) {
    size_t bytes = 0;

    for (size_t length = 1; length && (unsigned char)text[bytes] >= 0x20 && text[bytes] != '"' && text[bytes] != '\\';
         bytes += length)
        length = utf8_length(text + bytes);
    return bytes;
}

/* What stands for a character that a string cannot have as it is. */
static const char *escape(const char *text, char room[ESCAPE_BYTES]) {
    if (*text == '"' || *text == '\\')
        snprintf(room, ESCAPE_BYTES, "\\%c", *text);
    else if ((unsigned char)*text < 0x20)
        snprintf(room, ESCAPE_BYTES, "\\u%04x", (unsigned)*text);
    else
        snprintf(room, ESCAPE_BYTES, "\\ufffd");
    return room;
}

void json_string_to(json_put *put, void *opaque, const char *text) {
    char room[ESCAPE_BYTES];

    put(opaque, "\"", 1);
    for (;; text++) {
        size_t plain = json_value_plain_bytes(text);
        put(opaque, text, plain);
        text += plain;
        if (!*text)
            break;
        escape(text, room);
        put(opaque, room, strlen(room));
    }
    put(opaque, "\"", 1);
}

static void json_value_put_output(void *out, const char *bytes, size_t count) {
    output_bytes(out, bytes, count);
}

void json_string(struct output *out, const char *text) {
    json_string_to(json_value_put_output, out, text);
}

void json_begin(struct output *out, const struct json_source *source) {
    output_text(out, "{");
    if (source->op) {
        output_text(out, "\"op\":\"");
        output_text(out, source->op);
        output_text(out, "\",");
    }
    if (source->file) {
        output_text(out, "\"file\":");
        json_string(out, source->file);
        output_text(out, ",");
    }
    if (source->submitted) {
        output_text(out, "\"submission\":");
        output_decimal(out, source->submission);
        output_text(out, ",");
    }
}

/* JSON has no number for NaN or infinity. */
static void json_value_put_float(struct output *out, double value) {
    char text[40], *comma;

    if (isnan(value) || isinf(value)) {
        output_text(out, isnan(value) ? "\"nan\"" : value < 0.0 ? "\"-inf\"" : "\"inf\"");
        return;
    }
    snprintf(text, sizeof text, "%.9g", value);
    comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    output_text(out, text);
}

static void put_integer(struct output *out, int64_t value) {
    if (value < 0)
        output_text(out, "-");
    output_decimal(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void json_value_put_value(struct output *out, const struct pfifo_field *field, uint32_t data) {
    uint32_t bits = pfifo_field_get(field, data), width = field->high - field->low + 1;
    const char *name = pfifo_field_value_name(field, bits);

    if (field->type == PFIFO_FIELD_BOOL && width == 1)
        output_text(out, bits ? "true" : "false");
    else if (name)
        json_string(out, name);
    else if (field->type == PFIFO_FIELD_FLOAT && (width == 32 || width == 16))
        json_value_put_float(out, pfifo_field_float(field, data));
    else
        put_integer(out, pfifo_field_integer(field, data));
}

static void json_value_put_field(struct output *out, const struct pfifo_field *field, uint32_t data, bool first) {
    output_text(out, first ? "\"" : ",\"");
    output_text(out, field->name);
    output_text(out, "\":");
    json_value_put_value(out, field, data);
}

static void put_all(struct output *out, const struct names_entry *entry, uint32_t data) {
    struct pfifo_method_name method;
    struct pfifo_field field = {0};
    bool first = true;

    pfifo_method_find(entry->class_id, entry->method, &method);
    while (pfifo_field_next(&method, &field)) {
        if (field.high > 31)
            continue;
        json_value_put_field(out, &field, data, first);
        first = false;
    }
}

bool json_has_fields(const struct names_entry *entry) {
    return entry->fields || entry->slow;
}

void json_fields(struct output *out, const struct names_entry *entry, uint32_t data) {
    output_text(out, "{");
    if (entry->slow)
        put_all(out, entry, data);
    else
        for (unsigned i = 0; i < entry->fields; i++)
            json_value_put_field(out, &entry->field[i], data, i == 0);
    output_text(out, "}");
}
