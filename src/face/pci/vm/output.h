/* SPDX-License-Identifier: MIT */
/*
 * What comes out of a guest's second serial port: the output of its program, any bytes, and at the very end
 *
 *   NUL "status " NUMBER newline
 *
 * A NUL is held back until it is known whether it begins that end; all else is written at once.
 */
#ifndef PFIFO_FACE_PCI_OUTPUT_H
#define PFIFO_FACE_PCI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OUTPUT_END_BYTES 12u /* of the end, at most */

struct output {
    FILE *file; /* where the program's bytes go; it stays the caller's */
    char held[OUTPUT_END_BYTES];
    size_t held_bytes;
};

void output_take(struct output *output, const char *data, size_t bytes);

/* Nothing more comes. True: *status is what the end said, 0 to 255. False: there was none; what was held is written. */
bool output_end(struct output *output, int *status);

#endif
