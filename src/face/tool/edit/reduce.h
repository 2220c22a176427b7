/* SPDX-License-Identifier: MIT */
/*
 * Which of the methods of a capture a command still fails without: several candidates are tried at once.
 *
 *   keep: what is certain      ahead: what is expected when all that runs has ended
 *
 *   ahead - a sequence --launch--> slots, each a capture and a command --in their order--> keep
 *                                          a command ended otherwise than expected: the later ones are for nothing
 *
 * Only what would have been tried one after the other counts, so the result does not depend on the number of slots.
 */
#ifndef PFIFO_TOOL_EDIT_REDUCE_H
#define PFIFO_TOOL_EDIT_REDUCE_H

#include "face/tool/tool.h"
#include "face/tool/view/progress.h"

#include <signal.h>
#include <sys/types.h>

enum { REDUCE_JOBS = 64, REDUCE_PATH = 4096 };

enum reduce_outcome { REDUCE_FAILS, REDUCE_PASSES, REDUCE_BROKEN, REDUCE_INTERRUPTED };

/* A command that runs with a capture. */
struct reduce_slot {
    pid_t child; /* 0: none */
    uint64_t first, count;
    bool expected; /* to fail */
    char path[REDUCE_PATH];
    char **argv;
};

struct reduce {
    /* What is asked for. */
    struct pfifo_stream *stream;
    const struct pfifo_chip *chip; /* NULL: the capture's */
    const char *file;
    char *const *command;
    int wanted; /* exit status, -1: any but 0 */
    unsigned jobs, runs_left;
    /* The result. */
    bool *keep; /* of each method of the capture */
    uint64_t methods;
    unsigned runs;

    bool *ahead, *before;
    const bool *writes; /* what write_capture() keeps, NULL: all */
    uint64_t at;
    bool failed; /* the last one: the next ones are expected to do the same */
    struct reduce_slot slot[REDUCE_JOBS];
    unsigned head, running;
    sigset_t mask;             /* that commands have */
    void (*before_child)(int); /* of SIGCHLD */
    char folder[REDUCE_PATH - 64];
    struct progress progress;
    unsigned percent;
};

/* A folder for captures, and the commands. False: a message was printed. reduce_end() it all the same. */
bool reduce_begin(struct reduce *reduce);
void reduce_end(struct reduce *reduce);

/* How the command ends with the whole capture: then `methods` is known. Of BROKEN a message was printed. */
enum reduce_outcome reduce_whole(struct reduce *reduce);

/* Leave out all that the command fails without, as long as runs are left. False: a message was printed. */
bool reduce_search(struct reduce *reduce);

/* Write what is kept. False: a message was printed. */
bool reduce_write(struct reduce *reduce, const char *path);

#endif
