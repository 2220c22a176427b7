/* SPDX-License-Identifier: MIT */
/* A capture that a test makes record by record, and then plays. */
#ifndef TESTS_REPLAY_TAPE_H
#define TESTS_REPLAY_TAPE_H

#include <pfifo/replay.h>

enum { TAPE_BUFFERS = 4 };

struct tape {
    struct pfifo_stream_writer *writer;
    struct pfifo_stream *stream;
    struct pfifo_replay *replay;
    uint32_t sequence, used;
    uint32_t words[TAPE_BUFFERS][4]; /* of buffers when they were freed: the test says which */
};

#define RECORD(kind, member, ...)                                                                                      \
    &(struct pfifo_stream_record) {                                                                                    \
        .type = PFIFO_STREAM_##kind, .member = { __VA_ARGS__ }                                                         \
    }

/* Empty, of a version of the format, for a chip. */
void tape_open(struct tape *tape, uint32_t version, const char *chipset);
void tape_put(struct tape *tape, const struct pfifo_stream_record *record);
/* Play all of it. `gone` is called for buffers that are freed, with the tape. */
enum pfifo_status tape_play(struct tape *tape, void (*gone)(void *opaque, uint32_t handle, struct pfifo_buffer *buffer),
                            struct pfifo_error *error);
void tape_close(struct tape *tape);

#endif
