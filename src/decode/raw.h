/* SPDX-License-Identifier: MIT */
/* The decoding of raw words, step by step. */
#ifndef PFIFO_DECODE_RAW_H
#define PFIFO_DECODE_RAW_H

#include <pfifo/decode.h>

struct raw_replay;

/* Arguments and errors: those of pfifo_decode_raw(). The words must stay. NULL on error. */
struct raw_replay *raw_replay_new(const void *data, size_t bytes, const struct pfifo_decode_options *options,
                                  pfifo_decode_write write, void *opaque, struct pfifo_error *error);
/* What is known of the channel that reads the words, and which of them are shown. */
struct raw_place {
    uint64_t shown; /* words before this address are decoded, and not shown */
    bool has_get;   /* at `get`, which is among the words, the channel is in the middle of `packet`, ... */
    uint64_t get;
    struct pfifo_push_packet packet; /* ... whatever the words before say */
    /* After the words, with the decoder as they left it. NULL: there is no more. */
    enum pfifo_status (*more)(void *opaque, struct pfifo_decoder *decoder, struct pfifo_error *error);
    void *opaque;
};

/* Before the first step; copied. Not with a ring. */
void raw_replay_set_place(struct raw_replay *raw, const struct raw_place *place);

void raw_replay_free(struct raw_replay *raw);

/* Decode some thousand words, or an entry of the ring. *more: that was not all, and no error. */
enum pfifo_status raw_replay_next(struct raw_replay *raw, bool *more, struct pfifo_error *error);

/* Output what comes at the end; `status` is of the last step. */
enum pfifo_status raw_replay_end(struct raw_replay *raw, enum pfifo_status status, struct pfifo_error *error);

#endif
