/* SPDX-License-Identifier: MIT */
/*
 * Copies of captures with some methods left out, repeated, or with other data.
 *
 *   capture --decoder--> each method --you: keep, drop, repeat, other data--> packets made anew --> writer
 *
 * Everything else stays as it is. A packet from which methods are dropped is split where necessary, and never gets
 * longer. The words that it no longer needs are removed where segments come from a ring (G80 and later), and become
 * no-ops where jumps may lead to later words. Repeated packets are not copied: they are submitted again from where they
 * are.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_EDIT_H
#define PFIFO_EDIT_H

#include <pfifo/decode.h>
#include <pfifo/error.h>
#include <pfifo/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pfifo_edit_action {
    PFIFO_EDIT_KEEP,
    PFIFO_EDIT_DROP,
    PFIFO_EDIT_DATA, /* keep it with the data that was put in *data */
    /*
     * Its packet comes as many times as was put in *data (0 means 1). Packets in a row with the same number are
     * repeated together, up to the end of their PUSH.
     */
    PFIFO_EDIT_REPEAT,
};

/* PUSH records that a submission may have because of repeated packets. */
#define PFIFO_EDIT_PUSHES_MAX (1u << 20)

/* Called for each method in order; *data is its data. */
typedef enum pfifo_edit_action (*pfifo_edit_decide)(void *opaque, const struct pfifo_decode_event *event,
                                                    uint32_t *data);

struct pfifo_edit_result {
    uint64_t methods; /* in all */
    uint64_t dropped;
    uint64_t changed; /* got other data */
    uint64_t repeated;
    /*
     * Methods that should have been dropped, changed or repeated and were left as they are: their packet goes on in
     * another segment, lies outside of what was submitted, or is not reached word by word; or an immediate method
     * should have got more than 13 bits. Before G80 only all of a PUSH can be repeated.
     */
    uint64_t left;
};

/*
 * Write the rest of a capture, with what `decide` says of each method, to a writer to which nothing was appended. It
 * is not finished. Of the options chip, subdevices and bound are used; NULL: defaults. Errors: those of reading,
 * decoding and writing, and PFIFO_ERROR_ARGUMENT: a submission would have more than PFIFO_EDIT_PUSHES_MAX.
 */
PFIFO_API enum pfifo_status pfifo_edit(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                       pfifo_edit_decide decide, void *opaque, struct pfifo_stream_writer *writer,
                                       struct pfifo_edit_result *result, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
