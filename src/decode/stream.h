/* SPDX-License-Identifier: MIT */
/* The decoding of a capture, step by step. */
#ifndef PFIFO_DECODE_STREAM_H
#define PFIFO_DECODE_STREAM_H

#include <pfifo/decode.h>

struct around;
struct stream_replay;

/* `given` may be NULL, and of another version. `around`: see decode_stream(). NULL on error, which has a place. */
struct stream_replay *stream_replay_new(struct pfifo_stream *stream, const struct pfifo_decode_options *given,
                                        struct around *around, pfifo_decode_write write, void *opaque,
                                        struct pfifo_error *error);
void stream_replay_free(struct stream_replay *replay);

const struct pfifo_decoder *stream_replay_decoder(const struct stream_replay *replay);
const struct pfifo_chip *stream_replay_chip(const struct stream_replay *replay);

/* Decode one record. *more: it was not the end, and no error. */
enum pfifo_status stream_replay_next(struct stream_replay *replay, bool *more, struct pfifo_error *error);

/* Decode a record that the caller has read. */
enum pfifo_status stream_replay_take(struct stream_replay *replay, const struct pfifo_stream_record *record,
                                     struct pfifo_error *error);

/* Output what comes at the end; `status` is of the last step. */
enum pfifo_status stream_replay_end(struct stream_replay *replay, enum pfifo_status status, struct pfifo_error *error);

#endif
