/* SPDX-License-Identifier: MIT */
/*
 * The last known contents of pages, by page number: the targets of jumps that leave a segment of a capture.
 *
 *   page number --hash--> slot --> a copy of the 4096 bytes in the capture
 */
#ifndef PFIFO_DECODE_PAGES_H
#define PFIFO_DECODE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECODE_PAGE_BYTES 4096u

struct decode_page {
    uint64_t number;
    uint8_t *data; /* NULL: the slot is free */
};

struct decode_pages {
    struct decode_page *slots; /* open addressing, a power of two, at most half full */
    size_t size, used;
};

/* False: no memory. `data` is copied. */
bool decode_pages_put(struct decode_pages *pages, uint64_t number, const uint8_t *data);
const uint8_t *decode_pages_get(const struct decode_pages *pages, uint64_t number);
void decode_pages_free(struct decode_pages *pages);

#endif
