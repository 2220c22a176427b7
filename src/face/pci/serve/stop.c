/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/stop.h"

#include <sys/signalfd.h>
#include <unistd.h>

bool stop_begin(struct stop *stop, unsigned seconds, bool child) {
    static const int signals[] = {SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&set, signals[i]);
    if (child) {
        sigaddset(&set, SIGCHLD);
        signal(SIGCHLD, SIG_DFL); /* one that is ignored would not come */
    }
    sigprocmask(SIG_BLOCK, &set, &stop->before);
    stop->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    alarm(seconds);
    return stop->fd >= 0;
}

void stop_end(struct stop *stop) {
    int unused;

    alarm(0);
    /* What has come meanwhile does not kill: the end is on its way. */
    while (stop->fd >= 0 && stop_read(stop, &unused) != STOP_NONE)
        continue;
    if (stop->fd >= 0)
        close(stop->fd);
    stop->fd = -1;
    sigprocmask(SIG_SETMASK, &stop->before, NULL);
}

enum stop_reason stop_read(const struct stop *stop, int *number) {
    struct signalfd_siginfo info;

    while (read(stop->fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        *number = (int)info.ssi_signo;
        return info.ssi_signo == SIGALRM ? STOP_ALARM : STOP_SIGNAL;
    }
    return STOP_NONE;
}
