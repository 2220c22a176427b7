/* SPDX-License-Identifier: MIT */
/* A buffer for text that is written in blocks. */
#ifndef PFIFO_DECODE_OUTPUT_H
#define PFIFO_DECODE_OUTPUT_H

#include <pfifo/decode.h>

#include <string.h>

enum {
    OUTPUT_BYTES = 32768,
    OUTPUT_LINE = 4096, /* longest possible line */
};

struct output {
    pfifo_decode_write write;
    void *opaque;
    bool failed;
    size_t used;
    char bytes[OUTPUT_BYTES];
};

bool output_flush(struct output *out);
void output_line(struct output *out); /* a line begins; a block is never written with half a line */
void output_many(struct output *out, const char *text, size_t bytes); /* what the buffer has no room for */
void output_padded(struct output *out, const char *text, unsigned width);
void output_hex(struct output *out, uint64_t value, unsigned digits);
void output_decimal(struct output *out, uint64_t value);

/* Inline, so that the compiler knows the length of constant text. */
static inline void output_bytes(struct output *out, const char *text, size_t bytes) {
    if (bytes > sizeof out->bytes || out->used > sizeof out->bytes - bytes) {
        output_many(out, text, bytes);
        return;
    }
    memcpy(out->bytes + out->used, text, bytes);
    out->used += bytes;
}

static inline void output_text(struct output *out, const char *text) {
    output_bytes(out, text, strlen(text));
}

#endif
