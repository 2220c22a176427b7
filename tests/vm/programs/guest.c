/* SPDX-License-Identifier: MIT */
/*
 * What runs in a guest with a card: guest [CHECK...], all checks without one; -CHECK leaves one out. Each is a process.
 * Without a driver nothing else is tried. A line "ok CHECK SECONDS" or "FAIL CHECK: REASON" for each; the exit status
 * says whether all passed.
 */
#include "checks.h"
#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK_SECONDS 300
#define GRACE_SECONDS 20 /* the kernel waits so long for a channel that hangs */

static const struct check {
    const char *name;
    void (*function)(void);
    bool complains; /* the kernel has something to say, which the check looks at */
} checks[] = {
    {"driver", check_driver, false}, {"copy", check_copy, false},     {"moves", check_moves, false},
    {"evict", check_evict, false},   {"fences", check_fences, false}, {"channels", check_channels, false},
    {"errors", check_errors, true},  {"unload", check_unload, false}, {"suspend", check_suspend, false},
};

const char *current_check = "?";

_Noreturn void fail(const char *format, ...) {
    va_list list;

    va_start(list, format);
    printf("FAIL %s: ", current_check);
    vprintf(format, list);
    putchar('\n');
    fflush(stdout);
    va_end(list);
    _exit(1);
}

/* ---- processes ---- */

/* False: it still runs. */
static bool wait_for(pid_t child, int seconds, int *status) {
    const struct timespec step = {.tv_nsec = 2000000};
    time_t limit = time(NULL) + seconds;

    while (waitpid(child, status, WNOHANG) == 0) {
        if (time(NULL) > limit)
            return false;
        nanosleep(&step, NULL);
    }
    return true;
}

int in_process(void (*function)(void *opaque), void *opaque) {
    int status = 0;

    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        fail("fork: %s", strerror(errno));
    if (child == 0) {
        function(opaque);
        fflush(stdout);
        _exit(0);
    }
    if (!wait_for(child, CHECK_SECONDS, &status)) {
        kill(child, SIGKILL);
        if (!wait_for(child, GRACE_SECONDS, &status))
            printf("FAIL %s: a process cannot be killed\n", current_check);
        else
            printf("FAIL %s: no end within %d s\n", current_check, CHECK_SECONDS);
        return 128 + SIGKILL;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- checks ---- */

static void look_for_complaints(struct log *log) {
    while (log_next(log))
        if (log_is_complaint(log))
            fail("the kernel says: %s", log->line);
}

static void run_check(void *opaque) {
    const struct check *check = opaque;
    struct log log;

    log_open_at_end(&log);
    check->function();
    if (!check->complains)
        look_for_complaints(&log);
    log_close(&log);
}

static bool is_wanted(const char *name, int argc, char **argv) {
    bool any = false, named = false;

    for (int i = 1; i < argc; i++) {
        bool without = argv[i][0] == '-';
        if (strcmp(argv[i] + without, name) == 0 && without)
            return false;
        any |= !without;
        named |= strcmp(argv[i], name) == 0;
    }
    return named || !any;
}

static bool is_check(const char *name) {
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (strcmp(checks[i].name, name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    unsigned failed = 0;

    for (int i = 1; i < argc; i++) {
        if (!is_check(argv[i] + (argv[i][0] == '-'))) {
            fprintf(stderr, "there is no check '%s'\n", argv[i]);
            return 2;
        }
    }
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        struct timespec begin, end;
        current_check = checks[i].name;
        if (!is_wanted(current_check, argc, argv))
            continue;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        int status = in_process(run_check, (void *)&checks[i]);
        clock_gettime(CLOCK_MONOTONIC, &end);
        if (status == 0)
            printf("ok %s %.1f s\n", current_check,
                   (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
        else if (status > 128)
            printf("FAIL %s: signal %d\n", current_check, status - 128);
        failed += status != 0;
        fflush(stdout);
        if (status != 0 && checks[i].function == check_driver)
            break;
    }
    return failed ? 1 : 0;
}
