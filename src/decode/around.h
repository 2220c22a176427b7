/* SPDX-License-Identifier: MIT */
/*
 * Decodes a whole capture, but writes only the lines around marked words.
 *
 *   event --> the last few <------- is it a marked word? Then these as lines, itself, and some that follow
 */
#ifndef PFIFO_DECODE_AROUND_H
#define PFIFO_DECODE_AROUND_H

#include <pfifo/decode.h>

struct sink;

enum { AROUND_LINES = PFIFO_DECODE_AROUND_MAX };

struct around_state {
    bool found;
    unsigned after; /* lines still to be written after a mark */
};

struct around {
    const struct pfifo_decode_mark *marks;
    struct around_state *states; /* of each mark */
    size_t count;
    unsigned lines; /* before, and after */
    pfifo_decode_around_line line;
    void *opaque;

    uint32_t sequence; /* of the submission */
    bool wanted;       /* it has a mark that was not reached yet */
    bool stopped;      /* by the receiver of the lines */
    size_t running;    /* marks whose lines are being written */
    size_t left;       /* marks with lines still to come */
    struct pfifo_decode_event last[AROUND_LINES];
    uint32_t last_sequence[AROUND_LINES]; /* the submissions with marks */
    size_t events;                        /* so far */
    size_t mark;                          /* of the line that is being written */
    int distance;
};

/* False: nothing is left to do. */
bool around_event(struct around *around, struct sink *sink, const struct pfifo_decode_event *event);

/* Takes the text of lines; opaque is the `struct around`. */
bool around_write(void *opaque, const char *text, size_t bytes);

#endif
