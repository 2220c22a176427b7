/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of a replay.
 *
 *   replay.c    records, until a run begins      run.c       the run, at once or in steps
 *   spaces.c, buffers.c, present.c: of records   progress.c  where the machine is in the words   chip.c  which it is
 */
#ifndef PFIFO_REPLAY_INSIDE_H
#define PFIFO_REPLAY_INSIDE_H

#include "replay/locate.h"
#include "replay/replay.h"
#include "replay/spaces.h"

struct replay_channel {
    struct pfifo_channel *channel; /* NULL: the slot is free */
    uint32_t number;               /* in the capture */
    uint32_t notifier_bo;
    struct pfifo_vm *vm; /* NULL: the device's own, or none */
};

struct pfifo_replay {
    struct pfifo_stream *stream;
    struct pfifo_replay_mark *marks; /* a list, of those that lead back */
    struct pfifo_device *device;
    uint32_t version; /* of the capture */
    struct replay_buffers buffers;
    struct replay_spaces spaces;
    struct pfifo_stream_chanin opening; /* of the channel that the next CHAN opens; no space: none came before it */
    struct locator *locator;            /* NULL: nobody wants to know words */
    struct replay_channel *channel;
    size_t channels;
    struct replay_channel *submitting; /* between SUBMIT and SUBEND */
    uint32_t *used;                    /* buffers that the last submission names */
    size_t used_count, used_room;
    bool used_all; /* it names more than there can be at a time */
    uint32_t sequence;
    struct pfifo_replay_watch watch;
    replay_record_seen *seen; /* NULL: nobody wants to know records */
    void *seen_opaque;
    uint64_t budget;      /* of each submission */
    uint64_t left, slice; /* of the run that is under way, of its slice; 0: the next slice begins */
    uint64_t position;    /* in the capture */
    struct pfifo_replay_result result;
};

/* chip.c: the one that is wanted, NULL: the capture's. NULL: an error was set. */
const struct pfifo_chip *replay_chip(struct pfifo_stream *stream, const struct pfifo_chip *wanted,
                                     struct pfifo_error *error);

/* replay.c: up to where the next run begins, or the end of the capture. */
enum pfifo_status replay_play_records(struct pfifo_replay *replay, bool *more, struct pfifo_error *error);

/* ---- run.c ---- */

/* A run of at most so many units; what has no way to be queued is not run. */
void replay_begin_run(struct pfifo_replay *replay, uint64_t units);
void replay_note_stop(struct pfifo_replay *replay, enum pfifo_stop stop);
/* Does the observer want to stop? Once it does, it stays so. */
bool replay_interrupted(struct pfifo_replay *replay);
/* Is there to be another run? */
bool replay_goes_on(const struct pfifo_replay *replay);

/* mark.c: the replay ends, and no mark leads back to it. */
void replay_forget_marks(struct pfifo_replay *replay);

#endif
