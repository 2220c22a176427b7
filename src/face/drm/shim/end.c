/* SPDX-License-Identifier: MIT */
/*
 * How a program ends, so that what was counted is told: by exit(), which runs destructors; by _exit(), which does not;
 * by a signal such as that of Ctrl-C. If nothing is to be told, none is looked at. If only a line of the log may be,
 * nothing is allocated or freed: exit() in a handler may have interrupted an allocation.
 */
#include "face/drm/shim/shim.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool wanted; /* by the settings of this process */

bool end_tells(const struct settings *settings) {
    return settings->stats || settings->json || settings->report || settings->trace[0] || settings->screenshot[0] ||
           settings->draws[0];
}

static void __attribute__((destructor)) end_of_program(void) {
    if (wanted)
        shim_end();
}

/* ---- _exit() ---- */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names of libc

SHIM void _exit(int status) {
    if (wanted)
        shim_end();
    REAL(_exit)(status);
    abort();
}

SHIM void _Exit(int status) {
    _exit(status);
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

/* ---- signals ---- */

#define PATIENCE 3000 /* milliseconds: then something is wrong, and the program may as well go on */

/*
 * The thread of the device does it, because a handler may not. Meanwhile the program stands still, as one that dies;
 * but not where it has the lock.
 */
static void wait_while_it_tells(void) {
    const struct timespec look = {0, 1000000};
    for (int i = 0; i < PATIENCE && shim_chip() && !shim_session_is_over(); i++)
        nanosleep(&look, NULL);
}

/* A return from a fault repeats the access that failed: the program dies there, so that its memory shows where. */
static bool comes_again(const siginfo_t *info) {
    return info->si_code > 0 && (info->si_signo == SIGSEGV || info->si_signo == SIGBUS || info->si_signo == SIGFPE ||
                                 info->si_signo == SIGILL);
}

/* It is called once: the action is the default one again. */
static void on_end(int number, siginfo_t *info, void *context) {
    (void)context;
    if (service_end())
        wait_while_it_tells();
    if (!comes_again(info))
        kill(getpid(), number); /* waits until the handler is left */
}

/* A program that looks at a signal itself keeps it. */
void end_watch_signals(const struct settings *settings) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    wanted = end_tells(settings) || !settings->quiet || settings->require[0];
    for (size_t i = 0; wanted && i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction now, ours;
        if (sigaction(numbers[i], NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
            continue;
        memset(&ours, 0, sizeof ours);
        ours.sa_sigaction = on_end;
        ours.sa_flags = (int)(SA_RESTART | SA_RESETHAND | SA_SIGINFO);
        sigaction(numbers[i], &ours, NULL);
    }
}
