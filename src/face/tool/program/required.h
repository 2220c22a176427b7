/* SPDX-License-Identifier: MIT */
/* pfifo run --require: has every process that opened a node drawn with the model? They tell it in a file. */
#ifndef PFIFO_TOOL_PROGRAM_REQUIRED_H
#define PFIFO_TOOL_PROGRAM_REQUIRED_H

#include <stdbool.h>

#define REQUIRED_STATUS 3 /* of the tool, if not */

struct required {
    char path[4096]; /* of the file; empty: nothing is required */
};

/* Before the program: make the file, and tell the library of it. False: it cannot be; a message says why. */
bool required_begin(struct required *required);
/* After it. False: a message says what is not as required. `chip` is the model's name. */
bool required_end(const struct required *required, const char *chip);

#endif
