/* SPDX-License-Identifier: MIT */
/*
 * Are the words of a text a subroutine, as a kernel driver has segments, or a channel's own pushbuffer, a ring with
 * calls and jumps, as programs of consoles have it? And where is PUT then, which the text does not say?
 *
 *   ring | call S | ... |     PUT at its end: where its words end, or the empty ones before a subroutine that it has
 *   S    | ... | return |     called, or at the jump that would begin it again
 *
 * Before G80: later channels have segments and no calls.
 */
#ifndef PFIFO_DECODE_WORDS_RING_H
#define PFIFO_DECODE_WORDS_RING_H

#include <pfifo/words.h>

#include "chip/chip.h"

/* What becomes of a segment. */
enum words_ring_use {
    WORDS_RING_CALLED, /* by the driver: it is a subroutine */
    WORDS_RING_OWN,    /* submitted as the channel's own pushbuffer */
    WORDS_RING_MEMORY, /* others lead there */
};

struct words_ring_part {
    enum words_ring_use use;
    uint64_t put;  /* of an own pushbuffer: in its segment, or at its end */
    uint64_t back; /* ... and, if its commands end in other memory, where a jump to PUT is put there; else 0 */
};

struct words_ring {
    struct words_ring_part *part; /* of each segment; NULL: all are called */
    struct pfifo_words_ring told; /* of the first that is not */
};

/*
 * `address`: of each segment. Errors: PFIFO_ERROR_MEMORY; if it has to be a ring, PFIFO_ERROR_UNSUPPORTED (the chip has
 * none) and PFIFO_ERROR_ARGUMENT (words are twice at an address, or of several channels).
 */
enum pfifo_status words_ring_find(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                                  const uint64_t *address, struct words_ring *ring, struct pfifo_error *error);
void words_ring_free(struct words_ring *ring);

static inline enum words_ring_use words_ring_use(const struct words_ring *ring, size_t segment) {
    return ring->part ? ring->part[segment].use : WORDS_RING_CALLED;
}

#endif
