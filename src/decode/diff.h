/* SPDX-License-Identifier: MIT */
/*
 * Two streams side by side.
 *
 *   diff_side.c: records --> lines that are compared, as many as are wanted
 *   diff_align.c: lines of both, from the first difference on --> groups: so many removed, added, then alike
 *   diff.c: groups --> output
 */
#ifndef PFIFO_DECODE_DIFF_H
#define PFIFO_DECODE_DIFF_H

#include <pfifo/diff.h>

#include "decode/sink.h"

/* What is compared of an event, and the event to print. */
struct diff_line {
    uint64_t key;  /* hash of what is compared */
    uint32_t data; /* without the bits that are ignored */
    struct pfifo_decode_event event;
};

bool diff_same(const struct diff_line *a, const struct diff_line *b);

struct raw_replay;
struct stream_replay;

struct diff_side {
    const struct pfifo_diff_side *given;
    struct pfifo_decode_options options;
    struct stream_replay *replay; /* NULL: raw words */
    struct raw_replay *raw;
    bool more; /* not all is read */
    bool out_of_memory;
    struct names *names; /* NULL: addresses are compared */
    unsigned address_digits;
    struct diff_line *lines; /* `count` of them from `first` on are there */
    size_t first, count, room;
};

/* Begin to read. `names`: addresses are ignored. Errors as pfifo_diff() has them. */
enum pfifo_status diff_side_open(struct diff_side *side, const struct pfifo_diff_side *given, struct names *names,
                                 struct pfifo_error *error);
void diff_side_close(struct diff_side *side);

/* Read until there are `wanted` lines, or the stream ends. */
enum pfifo_status diff_side_fill(struct diff_side *side, size_t wanted, struct pfifo_error *error);

static inline const struct diff_line *diff_line_at(const struct diff_side *side, size_t index) {
    return &side->lines[side->first + index];
}

/* The first lines are done with. */
static inline void diff_side_drop(struct diff_side *side, size_t lines) {
    side->first += lines;
    side->count -= lines;
}

/* Lines of A that B has not, then lines of B that A has not, then lines of both. */
struct diff_group {
    size_t removed, added, same;
};

enum {
    DIFF_NEAR = 1024, /* lines that are compared line by line */
    DIFF_EDITS = 256, /* of them different, at most */
    DIFF_AGREE = 8,   /* lines that are alike in a row end that */
    DIFF_ANCHOR = 16, /* of more lines, so many in a row are looked for */
    DIFF_GROUPS = DIFF_EDITS + 1,
};

struct diff_aligner;

/* NULL: no memory. */
struct diff_aligner *diff_aligner_new(void);
void diff_aligner_free(struct diff_aligner *aligner);

/*
 * Groups from the first lines of both sides on, which differ; how many: 0, if more than DIFF_EDITS of the DIFF_NEAR
 * lines that are there would be different before both agree.
 */
size_t diff_align_near(struct diff_aligner *aligner, const struct diff_side *a, const struct diff_side *b,
                       struct diff_group groups[DIFF_GROUPS]);

/* One group, up to where DIFF_ANCHOR lines in a row are alike, or of all lines that are there. */
struct diff_group diff_align_far(struct diff_aligner *aligner, const struct diff_side *a, const struct diff_side *b);

#endif
