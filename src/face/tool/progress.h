/* SPDX-License-Identifier: MIT */
/* A bar on standard error while something takes long. */
#ifndef PFIFO_TOOL_PROGRESS_H
#define PFIFO_TOOL_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;       /* standard error is a terminal, and it is worth while */
    unsigned percent; /* as shown last */
};

/* `wanted`: the work is long enough for a bar. */
void progress_begin(struct progress *progress, bool wanted);
void progress_show(struct progress *progress, const char *name, unsigned percent);
void progress_end(struct progress *progress);

#endif
