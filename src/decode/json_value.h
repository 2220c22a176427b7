/* SPDX-License-Identifier: MIT */
/* JSON values, for the lines of the decoder and of the trace. docs/json.schema.json describes the lines. */
#ifndef PFIFO_DECODE_JSON_VALUE_H
#define PFIFO_DECODE_JSON_VALUE_H

#include "decode/sink.h"

/* Bytes of the UTF-8 character at `text`, 0 if there is none. */
size_t utf8_length(const char *text);

/* A string with its quotes, in parts. Bytes that are not UTF-8 become U+FFFD. */
typedef void json_put(void *opaque, const char *bytes, size_t count);
void json_string_to(json_put *put, void *opaque, const char *text);
void json_string(struct output *out, const char *text);

/* The opening brace, "file" and "submission"; if anything was written, the next key needs a comma. */
void json_begin(struct output *out, const struct json_source *source);

/* {"NAME":value,...}: the fields of a method's data, values by their type. */
void json_fields(struct output *out, const struct names_entry *entry, uint32_t data);
/* False: the method has no fields. */
bool json_has_fields(const struct names_entry *entry);

#endif
