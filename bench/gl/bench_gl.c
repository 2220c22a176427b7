/* SPDX-License-Identifier: MIT */
/*
 * pfifo-bench-gl [--seconds=S] [--cpu] [--once] [--list] [ROW...]: what OpenGL draws in a second, whichever driver it is.
 * Rows are globs. Each is drawn for S seconds at least (0.3), with glFinish() at both ends; its line is
 *
 *   NAME<TAB>UNIT<TAB>MILLIONS OF THEM IN A SECOND
 *
 * after a line "renderer<TAB>GL_RENDERER". --cpu: the seconds are those that the process has used. --once: each is drawn
 * once, and its line is NAME<TAB>RRGGBB, a pixel. A pixel that is not as it must be ends the program with 1, with and without
 * --once. --list: names and units, and nothing is drawn.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "context.h"
#include "rows.h"

static struct options {
    double seconds;
    clockid_t clock;
    bool once, list;
} options = {.seconds = 0.3, .clock = CLOCK_MONOTONIC};

static double now(void) {
    struct timespec time;
    clock_gettime(options.clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/*
 * As glFinish(), for which nouveau would have a thread spin while others work, in seconds that count: look now and then
 * before.
 */
static void finish(void) {
    const struct timespec while_others_work = {.tv_nsec = 200000};
    GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLint status = GL_UNSIGNALED;
    glFlush();
    for (;;) {
        glGetSynciv(sync, GL_SYNC_STATUS, 1, NULL, &status);
        if (status == GL_SIGNALED)
            break;
        nanosleep(&while_others_work, NULL);
    }
    glDeleteSync(sync);
    glFinish();
}

static double seconds_of(const struct row *row, uint64_t portions) {
    finish();
    double start = now();
    for (uint64_t i = 0; i < portions; i++)
        row_draw(row);
    finish();
    return now() - start;
}

/* As many portions as are needed; the first one is drawn before, since drivers compile programs then. */
static double rate_of(const struct row *row) {
    double seconds = 0;
    uint64_t portions = 1;
    for (seconds_of(row, 1); (seconds = seconds_of(row, portions)) < options.seconds;) {
        double enough = (double)portions * options.seconds * 1.1 / (seconds > 1e-6 ? seconds : 1e-6);
        portions = enough < (double)portions * 16 ? (uint64_t)enough + 1 : portions * 16;
    }
    return (double)row->count * (double)portions / seconds;
}

static void measure(const struct row *row) {
    uint8_t rgba[4];
    row_begin(row);
    double rate = options.once ? 0 : rate_of(row);
    context_check(row->name);
    row_look(row, rgba);
    if (options.once)
        printf("%s\t%02x%02x%02x\n", row->name, rgba[0], rgba[1], rgba[2]);
    else
        printf("%s\t%s\t%.6g\n", row->name, row->unit, rate / 1e6);
    fflush(stdout);
    if (!row_is_right(row, rgba))
        context_fail(row->name, "the pixel has another colour");
}

static bool is_asked_for(const struct row *row, char *const *globs) {
    bool any = !*globs;
    for (; *globs && !any; globs++)
        any = fnmatch(*globs, row->name, 0) == 0;
    return any;
}

static void read_options(int count, char **arguments) {
    static const struct option known[] = {{"seconds", required_argument, NULL, 's'},
                                          {"cpu", no_argument, NULL, 'c'},
                                          {"once", no_argument, NULL, 'o'},
                                          {"list", no_argument, NULL, 'l'},
                                          {0}};
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        if (option == 's')
            options.seconds = strtod(optarg, NULL);
        else if (option == 'c')
            options.clock = CLOCK_PROCESS_CPUTIME_ID;
        else if (option == 'o')
            options.once = true;
        else if (option == 'l')
            options.list = true;
        else
            exit(2);
    }
}

static void list(const struct row *row) {
    printf("%s\t%s\n", row->name, row->unit);
}

static void open_rows(void) {
    context_open();
    printf("renderer\t%s\n", (const char *)glGetString(GL_RENDERER));
    fflush(stdout);
    rows_open();
}

int main(int count, char **arguments) {
    read_options(count, arguments);
    if (!options.list)
        open_rows();
    for (const struct row *row = rows; row->name; row++)
        if (is_asked_for(row, arguments + optind))
            (options.list ? list : measure)(row);
    if (!options.list)
        context_close();
    return 0;
}
