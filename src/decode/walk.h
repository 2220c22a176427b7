/* SPDX-License-Identifier: MIT */
/*
 * The walk through a segment.
 *
 *   segment.c   words in the order in which the hardware reads them
 *   recover.c   where it goes on when they make no sense
 */
#ifndef PFIFO_DECODE_WALK_H
#define PFIFO_DECODE_WALK_H

#include "decode/decoder.h"
#include "decode/resync.h"

/* Everything that the words after a jump depend on: the same state again means an endless loop. */
struct jump_state {
    uint64_t target, return_address;
    uint32_t bound[DECODE_SUBCHANNELS];
    uint32_t stored_mask;
    bool subroutine, inactive;
};

struct walk {
    struct pfifo_decoder *decoder;
    struct decode_channel *channel;
    struct decode_window window, segment;
    uint64_t budget; /* words */
    uint64_t pause;  /* of the budget: when so much is left, the walk stops for now */
    uint64_t search; /* words that may be examined to find commands again */
    size_t data_at;  /* first word of the window that the last command took for data */
    size_t left_at;  /* word of the segment after the jump that has left it */
    unsigned jumps, remember_at;
    struct jump_state remembered; /* of a jump before, if remember_at is not 0 */
    uint64_t callee;              /* the first subroutine of the segment that it has called; 0: none */
    bool empty;                   /* the last command had no data */
    bool by_ib;                   /* an entry of the ring: a command may go on in the next */
    bool by_call;                 /* entered by a call: its return is the end */
    bool outside;                 /* a jump has left the segment */
};

/*
 * segment.c: begin with a segment of a channel, which must stay as they are until the end. Then go on, by `words` at
 * most; true: the segment is done.
 */
void walk_begin(struct walk *walk, struct pfifo_decoder *decoder, struct decode_channel *channel,
                const struct pfifo_decode_segment *segment);
bool walk_go_on(struct walk *walk, uint64_t words);

/*
 * segment.c: an event about the word at `at` of the window; about `words` from there on, if there are any;
 * shown: other events have them.
 */
void walk_emit_error(struct walk *walk, size_t at, uint32_t word, const char *text);
void walk_emit_skipped(struct walk *walk, size_t at, size_t words, bool shown, const char *text);

/* recover.c */

/* The word before the window's `at` is not a command: report why, and go on at the next commands. */
void walk_take_bad_word(struct walk *walk, uint32_t word, const char *text);

/* The bad word, or end of the segment, is at `end`. True: commands that were taken for data are read again. */
bool walk_go_back(struct walk *walk, size_t end);

/*
 * A command that the hardware would accept, but that is most likely data of a command with a wrong count. The channel
 * knows from here on whether the command is doubtful.
 */
bool walk_looks_like_data(struct walk *walk, const struct grammar_word *word);

/* Do commands follow soon that make more sense than the word before the window's `at`? */
bool walk_follows_better(struct walk *walk);

/* The segment begins: does the command of the segment before really go on in it? */
void walk_check_pending(struct walk *walk);

#endif
