/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 3000 /* to end by itself, and again after SIGTERM */

static void child_become(const struct child_config *config, const struct stop *stop, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    for (unsigned i = 0; i < CHILD_FDS; i++)
        if (config->inherit[i] >= 0)
            fcntl(config->inherit[i], F_SETFD, 0);
    if (config->input >= 0)
        dup2(config->input, STDIN_FILENO);
    if (config->output >= 0)
        dup2(config->output, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &stop->before, NULL);
    execvp(config->argv[0], config->argv);
    int reason = errno;
    config->say("%s: cannot run: %s", config->argv[0], strerror(reason));
    _exit(reason == ENOENT ? 127 : 126);
}

pid_t child_start(const struct child_config *config, const struct stop *stop) {
    pid_t parent = getpid();

    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        child_become(config, stop, parent);
    if (child < 0)
        config->say("%s: cannot run: %s", config->argv[0], strerror(errno));
    return child;
}

bool child_has_ended(pid_t child) {
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child;
}

/* False: it still runs after the time. */
static bool wait_child(pid_t child, unsigned milliseconds, int *status) {
    const struct timespec step = {.tv_nsec = 5000000};

    for (unsigned waited = 0; waited <= milliseconds; waited += 5) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno == ECHILD))
            return true;
        nanosleep(&step, NULL);
    }
    return false;
}

int child_end(pid_t child, bool by_itself) {
    int status = 0;

    if (!by_itself || !wait_child(child, GRACE_MS, &status)) {
        kill(child, SIGTERM);
        if (!wait_child(child, GRACE_MS, &status)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
