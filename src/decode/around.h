/* SPDX-License-Identifier: MIT */
/*
 * Lines around words, of all that a capture says.
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
    unsigned after; /* lines that are still to come */
};

struct around {
    const struct pfifo_decode_mark *marks;
    struct around_state *states; /* of each mark */
    size_t count;
    unsigned lines; /* before, and after */
    pfifo_decode_around_line line;
    void *opaque;

    uint32_t sequence; /* of the submission */
    bool wanted;       /* a mark is in it, and was not found yet */
    bool stopped;      /* by who gets the lines */
    size_t running;    /* marks of which lines are being written */
    size_t left;       /* marks of which something is still to come */
    struct pfifo_decode_event last[AROUND_LINES];
    uint32_t last_sequence[AROUND_LINES]; /* the submissions that these are in */
    size_t events;                        /* so far */
    size_t mark;                          /* that a line is written for */
    int distance;
};

/* False: nothing is left to do. */
bool around_event(struct around *around, struct sink *sink, const struct pfifo_decode_event *event);

/* Takes the text of lines; opaque is the `struct around`. */
bool around_write(void *opaque, const char *text, size_t bytes);

#endif
