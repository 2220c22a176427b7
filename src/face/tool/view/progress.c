/* SPDX-License-Identifier: MIT */
#include "face/tool/view/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_COLUMNS = 30, WAIT_MS = 1000, STEP_MS = 100 };

static int64_t milliseconds(void) {
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress) {
    *progress = (struct progress){.wanted = isatty(STDERR_FILENO) != 0};
    progress->next = progress->wanted ? milliseconds() + WAIT_MS : 0;
}

void progress_line(struct progress *progress, const char *name, unsigned percent, const char *text) {
    static const char full[] = "##############################";
    int columns = (int)(percent * BAR_COLUMNS / 100);
    int64_t now = progress->wanted ? milliseconds() : 0;

    if (!progress->wanted || now < progress->next)
        return;
    progress->next = now + STEP_MS;
    progress->shown = true;
    fprintf(stderr, "\r\033[K[%-*.*s] %3u%% %.30s, %s", BAR_COLUMNS, columns, full, percent, name, text);
}

void progress_show(struct progress *progress, const char *name, unsigned percent, uint64_t submissions) {
    char text[64];

    snprintf(text, sizeof text, "submission %" PRIu64, submissions);
    progress_line(progress, name, percent, text);
}

/* Remove the bar: go to the start of the line and erase it. */
void progress_end(struct progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
