/* SPDX-License-Identifier: MIT */
/* Commands in a file or a pipe, a line each. */
#ifndef PFIFO_TOOL_CONSOLE_LINES_LINES_H
#define PFIFO_TOOL_CONSOLE_LINES_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "face/tool/command/refuse.h"

enum line { LINE_READ, LINE_LONG, LINE_BINARY, LINE_END };

/* A line without its newline. Of a line that is too long, or not text, only the beginning: the rest is still there. */
enum line line_read(FILE *file, char *line, size_t size);
/* Pass over what is left of a line. */
void line_pass_over(FILE *file);
/* What is wrong about it; false. */
bool line_wrong(enum line kind, size_t size, struct pfifo_error *error);

#endif
