/* SPDX-License-Identifier: MIT */
/* What another program prints, line by line. */
#ifndef PFIFO_FACE_PCI_CHILD_LINES_H
#define PFIFO_FACE_PCI_CHILD_LINES_H

#include <pfifo/error.h>
#include <stdbool.h>

/* A line, which it may change. False: see the error; no more lines are wanted. */
typedef bool (*child_line)(void *opaque, char *line, struct pfifo_error *error);

/*
 * Run the first of these programs that exists; argv[0] is replaced. *status is its exit status, 127 if there is none,
 * or -1 if a signal killed it. False: the error is that of a line, or of the system.
 */
bool child_lines(const char *const *names, char **argv, child_line take, void *opaque, int *status,
                 struct pfifo_error *error);

#endif
