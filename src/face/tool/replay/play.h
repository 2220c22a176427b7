/* SPDX-License-Identifier: MIT */
/*
 * A capture that runs, and a command that looks at it on the way.
 *
 *   replay --observer--> sees          each event that it asked for
 *          --watch-----> reached       a place that it asked for, once; after the last submission, too
 *                        closes, gone  memory is about to go: a channel's, a buffer's
 *                        enough        it needs no more; so does Ctrl-C
 */
#ifndef PFIFO_TOOL_REPLAY_PLAY_H
#define PFIFO_TOOL_REPLAY_PLAY_H

#include <pfifo/event.h>
#include <pfifo/replay.h>

#include "face/tool/replay/place.h"

enum { PLAY_PLACES = 2 };

struct play {
    /* What is asked for. Functions that are NULL are not called. */
    const struct pfifo_chip *chip; /* NULL: the capture's */
    bool locate;
    const char *
        events; /* globs; places at draws and launches need engine.draw and engine.launched, and places at methods take puller.method away */
    struct place place[PLAY_PLACES];
    void (*sees)(void *opaque, const struct pfifo_event *event);
    void (*reached)(void *opaque, unsigned number); /* place[number]. At a draw, `sees` was called before */
    void (*closes)(void *opaque);
    void (*gone)(void *opaque, uint32_t handle, struct pfifo_buffer *buffer);
    bool (*enough)(void *opaque);
    void *opaque;
    /* The run, as far as it has come. */
    struct pfifo_replay *replay;
    struct pfifo_gpu *gpu;
    uint32_t sequence; /* of the submission that runs */
    uint64_t draws, launches;
    bool is_reached[PLAY_PLACES];
    struct play_method {
        bool begun;       /* the place's method came, and may not be done */
        uint32_t channel; /* of it */
        uint64_t seen;    /* methods that count for the place */
    } method[PLAY_PLACES];
    bool runs;
    size_t draw, launch, take; /* numbers of events: of a draw, a launch, a method that the puller takes */
};

/* Make the machine: then `replay` and `gpu` are there. False: there is none, `error` says why. */
bool play_begin(struct play *play, struct pfifo_stream *stream, struct pfifo_error *error);

/* Run it. Interrupted, which is no error, it reaches no more places. */
enum pfifo_status play_run(struct play *play, struct pfifo_error *error);

/* Why place[number] was not reached, in words. */
void play_missed(const struct play *play, unsigned number, char *text, size_t size);

/* Also of one that did not begin. */
void play_end(struct play *play);

#endif
