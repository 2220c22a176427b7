/* SPDX-License-Identifier: MIT */
#include "decode/output.h"

#include <assert.h>
#include <string.h>

bool output_flush(struct output *out) {
    if (out->used && !out->failed && !out->write(out->opaque, out->bytes, out->used))
        out->failed = true;
    out->used = 0;
    return !out->failed;
}

/* Room for `bytes` in one piece. */
static char *output_reserve(struct output *out, size_t bytes) {
    assert(bytes <= sizeof out->bytes);
    if (sizeof out->bytes - out->used < bytes)
        output_flush(out);
    return out->bytes + out->used;
}

void output_line(struct output *out) {
    output_reserve(out, OUTPUT_LINE);
}

void output_many(struct output *out, const char *text, size_t bytes) {
    while (bytes) {
        size_t part = bytes < sizeof out->bytes ? bytes : sizeof out->bytes;
        memcpy(output_reserve(out, part), text, part);
        out->used += part;
        text += part;
        bytes -= part;
    }
}

void output_padded(struct output *out, const char *text, unsigned width) {
    size_t length = strlen(text);

    output_bytes(out, text, length);
    if (length < width) {
        memset(output_reserve(out, width - length), ' ', width - length);
        out->used += width - length;
    }
}

/* The number of hexadecimal digits of a value, at least one. */
static unsigned output_count_digits(uint64_t value) {
    unsigned count = 1;

    while (count < 16 && value >> (4 * count))
        count++;
    return count;
}

/* At least `digits` digits, with leading zeros. */
void output_hex(struct output *out, uint64_t value, unsigned digits) {
    static const char hex[] = "0123456789abcdef";
    unsigned length = digits < 16 && value >> (4 * digits) ? output_count_digits(value) : digits;
    char *at = output_reserve(out, length);

    for (unsigned i = length; i-- > 0; value >>= 4)
        at[i] = hex[value & 15];
    out->used += length;
}

void output_decimal(struct output *out, uint64_t value) {
    char digits[20];
    unsigned at = sizeof digits;

    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    output_bytes(out, digits + at, sizeof digits - at);
}
