/* SPDX-License-Identifier: MIT */
/*
 * A zlib stream of pixels of 3 bytes, or of what they differ by from the line above. Of all repetitions only runs are
 * looked for, of the byte or of the pixel before: in pictures of drawings they are most of them, and cheap to find.
 * Sources: RFC 1950, RFC 1951.
 */
#ifndef PFIFO_SRC_FACE_COMMON_RUNS_H
#define PFIFO_SRC_FACE_COMMON_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUNS_BLOCK 0x20000u /* most bytes of a block: smaller ones have more codes, larger ones fit them less */

/* Bytes that grow. `failed`: there is no memory, and some are missing. */
struct bytes {
    uint8_t *data;
    size_t used, room;
    bool failed;
};

/* Room for some bytes more, behind those that are used. NULL: there is no memory. */
uint8_t *bytes_room(struct bytes *bytes, size_t more);
void bytes_add(struct bytes *bytes, const void *data, size_t count);

/* To be made by malloc(): it is large. */
struct runs {
    struct bytes *to;
    uint64_t bits; /* that are no whole bytes yet */
    unsigned bit_count;
    uint32_t sums[2]; /* Adler-32 */
    uint16_t token[RUNS_BLOCK];
    size_t tokens;
};

void runs_begin(struct runs *runs, struct bytes *to);
/* From 1 to RUNS_BLOCK bytes. */
void runs_block(struct runs *runs, const uint8_t *data, size_t bytes, bool last);
void runs_end(struct runs *runs);

#endif
