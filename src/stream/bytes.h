/* SPDX-License-Identifier: MIT */
/*
 * A growing piece of memory with an upper bound.
 *
 * Modelled: append at the end, or reserve room for the caller to write; doubling growth, never beyond the limit.
 */
#ifndef PFIFO_STREAM_BYTES_H
#define PFIFO_STREAM_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
    size_t limit; /* capacity never exceeds it */
};

void bytes_init(struct bytes *bytes, size_t limit);

/* Make room for at least `more` bytes after `size`. False: no memory, or beyond the limit; nothing has changed. */
bool bytes_reserve(struct bytes *bytes, size_t more);

/* Append; false as for bytes_reserve. */
bool bytes_append(struct bytes *bytes, const void *data, size_t size);

/* Give back what is not used. */
void bytes_trim(struct bytes *bytes);

void bytes_free(struct bytes *bytes);

#endif
