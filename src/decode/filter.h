/* SPDX-License-Identifier: MIT */
/*
 * Writes only the lines that a query asks for, with some before and after.
 *
 *   event --> does it match? --no--> the last few, which may come before a match
 *                \--yes--> headings not written yet, the last few, itself; the next few follow
 */
#ifndef PFIFO_DECODE_FILTER_H
#define PFIFO_DECODE_FILTER_H

#include <pfifo/decode.h>
#include <pfifo/query.h>

struct sink;

/* A line that was not written. */
struct filter_line {
    struct pfifo_decode_event event;
    uint64_t segment; /* number of its segment */
};

struct filter {
    struct pfifo_query *query;
    unsigned before, after;
    uint64_t *matches; /* NULL: nobody counts */
    uint64_t match_max, found;
    bool has_headings; /* the text has them, and marks where lines are left out */
    bool satisfied;    /* nothing more is wanted */

    unsigned following; /* lines still to be written after a match */
    bool written, left_out;
    bool submitted; /* a submission has begun */
    bool submission_due, segment_due;
    struct pfifo_decode_event submission, segment;
    uint64_t segments;
    struct filter_line *last; /* a ring of `before` lines, of which `held` are there */
    size_t held, next;
};

/* NULL: there is no query (then `error` is untouched), no memory, or more lines than are allowed. */
struct filter *filter_new(const struct pfifo_decode_options *options, struct pfifo_error *error);
void filter_free(struct filter *filter);

/* False: nothing more is wanted, or the output failed. */
bool filter_event(struct filter *filter, struct sink *sink, const struct pfifo_decode_event *event);

#endif
