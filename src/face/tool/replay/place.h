/* SPDX-License-Identifier: MIT */
/* A place of a capture: after a submission of a number, or at a draw, launch or method, counted from 0. */
#ifndef PFIFO_TOOL_REPLAY_PLACE_H
#define PFIFO_TOOL_REPLAY_PLACE_H

#include <pfifo/query.h>

#include "face/tool/tool.h"

enum place_kind { PLACE_SUBMISSION, PLACE_DRAW, PLACE_LAUNCH, PLACE_METHOD };

struct place {
    bool given;
    enum place_kind kind;
    uint64_t number;           /* of a method with a query: among those that match */
    const char *text;          /* after "method:", as it was given */
    struct pfifo_query *query; /* of methods; NULL: every method counts */
};

/* For help, in front of what the default is. */
#define PLACE_HELP                                                                                                     \
    "At PLACE: N, after submission N; draw:N, launch:N or method:N, after such, counted from 0; or method:QUERY, "     \
    "after the first method that matches. "

/* "N", "draw:N", "launch:N", "method:N", "method:QUERY" or "method:QUERY:N"; exits with the usage message if it is none. */
void place_parse(struct place *place, const char *option, const char *arg, const struct argp_state *state);
void place_free(struct place *place);

#define PLACE_NO_DRAWS "draws of %s are not executed, so that none can be reached; a submission can" /* the chip */

/*
 * Why a capture has no such place: it ended before, or its chip's draws are not executed. `seen`: how many draws,
 * launches or methods there were, or the number of the last submission.
 */
void place_missed(const struct place *place, const struct pfifo_chip *chip, uint64_t seen, char *text, size_t size);

#endif
