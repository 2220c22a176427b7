/* SPDX-License-Identifier: MIT */
/*
 * A replay: a capture, record by record, through the driver layer of a machine.
 *
 *   CHAN OBJ NTFY ------> channel and its objects
 *   BONEW BODATA BODEL -> buffers, at the recorded addresses
 *   PUSH ---------------> words to their place, submission of a segment
 *   SUBEND -------------> run until there is nothing left to do
 *
 * Of version 2:
 *
 *   SPACE SPARSE MAP ---> address spaces (replay_spaces.h), which CHANIN puts a channel into
 *   SYNCPT WRITE -------> what the CPU does between two runs
 *   RUN ----------------> run so long, and not at SUBEND
 *
 * Modelled:     everything that decides what the GPU does
 * Not modelled: PREP (the replay always waits), WAIT and FENCE (their commands are in the PUSHes), RELOC (buffers are
 * where they were presumed), tiling of a buffer. Where the GPU has written words of a PUSH, memory is believed.
 */
#ifndef PFIFO_TOOL_REPLAY_H
#define PFIFO_TOOL_REPLAY_H

#include <pfifo/driver.h>
#include <pfifo/stream.h>

#include "face/tool/locate.h"
#include "face/tool/replay_present.h"
#include "face/tool/replay_spaces.h"

#define REPLAY_DEFAULT_BUDGET (UINT64_C(1) << 28) /* 4.3 s of a GPU, and seconds of a processor at most */
#define REPLAY_MAX_FAULTS     64
#define REPLAY_MAX_REFUSED    16

struct replay_config {
    const struct pfifo_chip *chip; /* NULL: the one that the capture names */
    bool materialise;
    unsigned jobs;                   /* threads that draw, 0: as many as there are cores */
    bool locate;                     /* locate the words that fault */
    uint64_t budget;                 /* per submission, 0: REPLAY_DEFAULT_BUDGET */
    replay_buffer_gone *buffer_gone; /* NULL: nobody wants to see buffers */
    void *opaque;                    /* of buffer_gone() */
};

/* Equal faults, counted. */
struct replay_fault {
    uint64_t count;
    uint32_t submission;             /* of the first: the one that its word is from, if that is known, else what ran */
    struct pfifo_device_fault first; /* its strings are constants */
    struct located word;             /* that the first is about */
};

/* An object that the driver refused. The replay goes on, and faults if the stream uses the object. */
struct replay_refused {
    uint32_t handle, oclass;
    char message[120];
};

struct replay_result {
    uint64_t submissions;
    uint32_t sequence; /* of the last of them */
    uint64_t words;    /* of all segments */
    uint64_t changed;  /* segments that may be prefetched, and whose words are not those of the recording */
    uint64_t refused;  /* the first of them are in `refusal` */
    struct replay_refused refusal[REPLAY_MAX_REFUSED];
    uint64_t faults;
    size_t fault_kinds; /* that fit into `fault` */
    struct replay_fault fault[REPLAY_MAX_FAULTS];
    /*
     * Why the last run ended, and the submission it belongs to. A replay ends early at anything but IDLE, WAITING, and,
     * in version 2, BUDGET.
     */
    enum pfifo_stop stop;
    struct pfifo_stop_info stop_info;
    uint32_t stop_submission;
    bool interrupted;       /* by who watches, in that submission or behind it */
    uint64_t budget;        /* that each submission had */
    char stop_message[240]; /* what the driver says about a submission that it could not queue, or empty */
};

struct replay;

/* Make the machine that `stream` needs. The stream must stay open as long as the replay. NULL on error. */
struct replay *replay_new(struct pfifo_stream *stream, const struct replay_config *config, struct pfifo_error *error);
void replay_free(struct replay *replay);

/* The observer of a replay. */
struct replay_watch {
    /* A submission with this number in the capture begins; nothing of it has run. NULL: not called. */
    void (*submission)(void *opaque, uint32_t sequence);
    /* A channel is about to be closed, with its address space. NULL: not called. */
    void (*closes)(void *opaque);
    /* What the program hands to the display, of a capture that says so: to be freed. NULL: nobody wants it. */
    void (*presents)(void *opaque, const struct pfifo_picture *picture, uint8_t *rgba);
    /* Called a few times a second. True: interrupt the replay here. NULL: never. */
    bool (*enough)(void *opaque);
    void *opaque;
};

void replay_set_watch(struct replay *replay, const struct replay_watch *watch);

struct pfifo_gpu *replay_gpu(struct replay *replay);
const struct replay_result *replay_result(const struct replay *replay);

/*
 * Go on up to the end of a submission, or run, or of the capture: then *more is false. An error names the capture, the
 * offset and the record.
 */
enum pfifo_status replay_next(struct replay *replay, bool *more, struct pfifo_error *error);

/* Progress through the capture, 0 .. 100. */
unsigned replay_percent(const struct replay *replay);

#endif
