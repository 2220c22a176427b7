/* SPDX-License-Identifier: MIT */
#include "face/common/json_writer.h"

#include "decode/json_value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what stands between values ---- */

/* Between what was written and what comes: a comma, a line. */
static void separate(struct json_writer *json, bool comma) {
    if (comma)
        fputc(',', json->file);
    if (json->line)
        fputc('\n', json->file);
    else if (comma && json->spaced)
        fputc(' ', json->file);
    json->line = false;
}

static void put_bytes(void *opaque, const char *bytes, size_t count) {
    fwrite(bytes, 1, count, opaque);
}

static void put_plain(void *opaque, const char *bytes, size_t count) {
    const struct json_writer *json = opaque;

    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '<')
            fputs("\\u003c", json->file);
        else
            fputc(bytes[i], json->file);
}

static void json_writer_put_string(struct json_writer *json, const char *text) {
    if (json->in_markup)
        json_string_to(put_plain, json, text);
    else
        json_string_to(put_bytes, json->file, text);
}

static void begin_value(struct json_writer *json, const char *key) {
    unsigned level = json->depth - 1;

    assert(json->depth || !key);
    assert(!json->depth || !key == (json->close[level] == ']'));
    separate(json, json->depth && json->any[level]);
    if (json->depth)
        json->any[level] = true;
    if (!key)
        return;
    json_writer_put_string(json, key);
    fputs(json->spaced ? ": " : ":", json->file);
}

/* ---- objects and arrays ---- */

void json_open(struct json_writer *json, const char *key, char bracket) {
    begin_value(json, key);
    assert(json->depth < JSON_DEPTH);
    fputc(bracket, json->file);
    json->any[json->depth] = false;
    json->close[json->depth++] = bracket == '{' ? '}' : ']';
}

void json_close(struct json_writer *json) {
    assert(json->depth);
    separate(json, false);
    fputc(json->close[--json->depth], json->file);
}

void json_close_line(struct json_writer *json) {
    json_close(json);
    fputc('\n', json->file);
}

void json_new_line(struct json_writer *json) {
    json->line = true;
}

/* ---- values ---- */

void json_put_text(struct json_writer *json, const char *key, const char *text) {
    begin_value(json, key);
    json_writer_put_string(json, text);
}

void json_put_number(struct json_writer *json, const char *key, uint64_t number) {
    begin_value(json, key);
    fprintf(json->file, "%" PRIu64, number);
}

void json_put_signed(struct json_writer *json, const char *key, int64_t number) {
    begin_value(json, key);
    fprintf(json->file, "%" PRId64, number);
}

void json_put_raw(struct json_writer *json, const char *key, const char *value) {
    begin_value(json, key);
    fputs(value, json->file);
}

void json_put_bool(struct json_writer *json, const char *key, bool value) {
    json_put_raw(json, key, value ? "true" : "false");
}

void json_put_format(struct json_writer *json, const char *key, const char *format, ...) {
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    json_put_text(json, key, text);
}
