/* SPDX-License-Identifier: MIT */
/*
 * Signals that are held back while a call is made, and make a wait in it end: as in Linux kernel/signal.c, those that
 * are ignored do not. A call goes on after handlers that were set with SA_RESTART, and where there was none: after a
 * stop such as that of Ctrl-Z.
 */
#include "face/drm/shim/shim.h"

/* By its action or, where that is the default one, by what it is. */
static bool is_ignored(int number, const struct sigaction *action) {
    if (action->sa_handler != SIG_DFL)
        return action->sa_handler == SIG_IGN;
    return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

/* The first that is to be handled, as the kernel takes them; 0: none. */
static int first_signal(const sigset_t *mask, struct sigaction *action) {
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return 0;
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&pending, number) == 1 && sigismember(mask, number) == 0 &&
            sigaction(number, NULL, action) == 0 && !is_ignored(number, action))
            return number;
    return 0;
}

bool signals_wait(const sigset_t *mask) {
    struct sigaction action;
    return first_signal(mask, &action) != 0;
}

bool signals_restart(const sigset_t *mask) {
    struct sigaction action;
    return !first_signal(mask, &action) || action.sa_handler == SIG_DFL || (action.sa_flags & SA_RESTART);
}
