/* SPDX-License-Identifier: MIT */
/* A place of a capture: behind a submission of a number, or at a draw, counted from 0. */
#ifndef PFIFO_TOOL_PLACE_H
#define PFIFO_TOOL_PLACE_H

#include "face/tool/tool.h"

struct place {
    bool given, is_draw;
    uint64_t number;
};

/* "N" or "draw:N"; exits with the usage message if it is neither. */
void place_parse(struct place *place, const char *option, const char *arg, const struct argp_state *state);

#define PLACE_NO_DRAWS "draws of %s are not executed, so that none can be reached; a submission can" /* the chip */

/* Why a capture has no such place: it ended before, after so many draws, or its chip's draws are not executed. */
void place_missed(const struct place *place, const struct pfifo_chip *chip, uint64_t draws, char *text, size_t size);

#endif
