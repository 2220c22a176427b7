/* SPDX-License-Identifier: MIT */
/* Shared by the files of words-overwritten: which words are queued, in which memory, and how far they are executed. */
#ifndef PFIFO_LINT_WORDS_H
#define PFIFO_LINT_WORDS_H

#include "gpu/guard.h"
#include "lint/lint.h"

enum { WORDS_PIECES = 4096, WORDS_PIECES_BYTES = 64 << 20, WORDS_CHUNK_SHIFT = 12, WORDS_CHUNKS = 1 << 16 };
enum { WORD_BYTES = 4, WORDS_PART_BYTES = 256 };

/* Bytes of a piece. */
struct words_part {
    uint64_t begin, end;
};

/*
 * Words that the pusher reads one after the other: a PUSH, or from a jump to the next one. The pieces of a channel are
 * executed in the order of the list.
 */
struct words_piece {
    uint32_t channel; /* the hardware's number */
    uint32_t number;  /* in the capture */
    uint32_t submission;
    struct pfifo_stream_push push; /* with a copy of its words; */
    bool in_push;                  /* false: of memory to which the PUSH jumps, in whatever buffer that is */
    uint8_t *words;
    struct gpu_extent memory; /* where they are, from the first one on; no bytes: not known */
    uint64_t executed;        /* bytes from its beginning */
    uint64_t run;             /* the run of the machine that it was queued before */
    struct words_part dirty;  /* may be written by the method that is executed at `writer`: not all between */
    uint64_t *parts;          /* which of it, in parts of WORDS_PART_BYTES: bits */
    struct lint_place writer;
    uint32_t writer_channel; /* the hardware's number */
};

struct lint_words {
    /* Beyond WORDS_PIECES, and WORDS_PIECES_BYTES of words, pieces are not watched. */
    size_t count, dirty;
    uint64_t bytes;
    uint64_t run;
    struct words_piece *piece[WORDS_PIECES];
    uint64_t chunk[WORDS_CHUNKS / 64]; /* a bit for each chunk with words of a piece; many chunks share a bit */
    uint32_t number;                   /* channel of the submission that is recorded */
    struct gpu_guard guard;
};

static inline uint64_t words_piece_bytes(const struct words_piece *piece) {
    return WORD_BYTES * (uint64_t)piece->push.word_count;
}

/* How many words of `parts` there are for a piece of so many bytes. */
static inline size_t words_parts(uint64_t bytes) {
    return (size_t)(bytes / WORDS_PART_BYTES / 64 + 1);
}

/* ---- words_queue.c ---- */

void words_queue(struct lint *lint, const struct pfifo_stream_push *push);
void words_piece_free(struct words_piece *piece);
void words_drop(struct lint_words *words, size_t index);
/* May a piece be in this memory? */
bool words_near(const struct lint_words *words, const struct gpu_extent *extent);

#endif
