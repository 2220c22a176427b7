/* SPDX-License-Identifier: MIT */
#include "face/tool/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_COLUMNS = 30 };

void progress_begin(struct progress *progress, bool wanted) {
    *progress = (struct progress){.shown = wanted && isatty(STDERR_FILENO), .percent = ~0u};
}

void progress_show(struct progress *progress, const char *name, unsigned percent) {
    static const char full[] = "##############################";
    int columns = (int)(percent * BAR_COLUMNS / 100);

    if (!progress->shown || percent == progress->percent)
        return;
    progress->percent = percent;
    fprintf(stderr, "\r[%-*.*s] %3u%% %.40s", BAR_COLUMNS, columns, full, percent, name);
}

/* The bar leaves nothing behind: to the line's start, erase it. */
void progress_end(struct progress *progress) {
    if (progress->shown && progress->percent != ~0u)
        fputs("\r\033[K", stderr);
}
