/* SPDX-License-Identifier: MIT */
/* By what a machine goes on: "[UNIT] [N]" of next and back. */
#ifndef PFIFO_TOOL_CONSOLE_RUN_UNITS_H
#define PFIFO_TOOL_CONSOLE_RUN_UNITS_H

#include <stdint.h>

#include "face/tool/command/refuse.h"

enum run_unit { RUN_METHOD, RUN_PACKET, RUN_DRAW, RUN_LAUNCH, RUN_SUBMISSION, RUN_UNITS };

/* NULL beyond the last. */
const char *run_unit_name(enum run_unit unit);

/*
 * Words 1 to count - 1: a number from 1 on, and a unit by its name or the beginning of it, in any order. What is not
 * said stays. `parse` takes the number.
 */
bool run_units_parse(unsigned count, char **argument,
                     bool (*parse)(const char *text, uint64_t *number, struct pfifo_error *error), enum run_unit *unit,
                     uint64_t *number, struct pfifo_error *error);

/* The error: it is so far back that it would be before the beginning, which is `most` away. */
bool run_units_far(const char *unit, uint64_t number, uint64_t most, struct pfifo_error *error);

#endif
