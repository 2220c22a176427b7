/* SPDX-License-Identifier: MIT */
/* A bar on standard error while something takes longer than a second. */
#ifndef PFIFO_TOOL_VIEW_PROGRESS_H
#define PFIFO_TOOL_VIEW_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool wanted;  /* standard error is a terminal */
    bool shown;   /* there is something to erase */
    int64_t next; /* milliseconds of the clock: not before */
};

void progress_begin(struct progress *progress);
/* May be called at any rate: the bar is drawn at most ten times a second. */
void progress_show(struct progress *progress, const char *name, unsigned percent, uint64_t submissions);
/* The same with any text after the name. */
void progress_line(struct progress *progress, const char *name, unsigned percent, const char *text);
void progress_end(struct progress *progress);

#endif
