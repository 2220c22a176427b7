/* SPDX-License-Identifier: MIT */
/*
 * Words as a capture has them. What the machine fetched may be another word: something has overwritten it before.
 */
#ifndef PFIFO_FACE_TOOL_REPLAY_RECORDED_H
#define PFIFO_FACE_TOOL_REPLAY_RECORDED_H

#include <pfifo/replay.h>
#include <pfifo/stream.h>

struct recorded_word {
    bool differs;  /* the capture has another word than was fetched: */
    uint32_t word; /* this one */
};

/*
 * Compare up to PFIFO_REPLAY_FAULTS words with those of a capture, which is read from its beginning. NULL: no capture;
 * nothing differs.
 */
void recorded_words(struct pfifo_stream *stream, const struct pfifo_replay_word *const *words, size_t count,
                    struct recorded_word *recorded);

#endif
