/* SPDX-License-Identifier: MIT */
/*
 * The difference of two command streams by meaning: what the objects get, not how it is packed.
 *
 *   stream A --decoder--> methods --.
 *                                    compare --> lines with - and +, as diff prints them
 *   stream B --decoder--> methods --'
 *
 * Compared are the methods of each channel with class, subchannel and data, waits and fences of syncpoints, and what
 * is wrong in a stream. Headers, forms, jumps, calls, segments, addresses of words, and where one submission ends and
 * the next begins, are not. A channel of another class whose own methods mean the same is one difference.
 *
 * Streams are read side by side, and memory does not grow with their length: where they differ, they are compared over
 * the next PFIFO_DIFF_WINDOW methods. If there are no equal ones, all of these count as different.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_DIFF_H
#define PFIFO_DIFF_H

#include <pfifo/decode.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many methods ahead equal ones are searched for. */
#define PFIFO_DIFF_WINDOW 65536

/* Lines around each difference, at most. */
#define PFIFO_DIFF_CONTEXT_MAX 1000

/* One of the two: a capture, or raw words. */
struct pfifo_diff_side {
    struct pfifo_stream *stream;                /* NULL: raw words */
    const void *words;                          /* raw words, little endian */
    size_t bytes;                               /* of them */
    const struct pfifo_decode_options *options; /* as for pfifo_decode_stream(), pfifo_decode_raw(); may be NULL */
};

struct pfifo_diff_options {
    size_t size;           /* sizeof(struct pfifo_diff_options), see struct pfifo_config; 0 is the same */
    unsigned context;      /* lines around each difference */
    bool ignore_addresses; /* parts of addresses in data are not compared: buffers may lie elsewhere */
    bool brief;            /* nothing is written, and comparing ends at the first difference */
    bool json;             /* lines are JSON objects as those of decoding, with "op" in front: "-", "+", or "=" */
};

struct pfifo_diff_result {
    uint64_t same;    /* lines that both have */
    uint64_t removed; /* that only A has */
    uint64_t added;   /* that only B has */
};

/*
 * Compare. What is written is a line `--- NAME`, a line `+++ NAME`, and for each difference a line `@@ PLACE | PLACE
 * @@` and lines as pfifo_decode_stream() has them, after a blank, - or +; nothing if there is no difference.
 *
 * Errors: PFIFO_ERROR_ARGUMENT, PFIFO_ERROR_MEMORY, those of decoding, with what came before being written, and
 * PFIFO_ERROR_IO if it could not be. Of the sides' options, format, events and context are not used.
 */
PFIFO_API enum pfifo_status pfifo_diff(const struct pfifo_diff_side *a, const struct pfifo_diff_side *b,
                                       const struct pfifo_diff_options *options, pfifo_decode_write write, void *opaque,
                                       struct pfifo_diff_result *result, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
