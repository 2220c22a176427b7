/* SPDX-License-Identifier: MIT */
#include "drm/x_server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* It chooses a number that is free, and writes it to descriptor 3 when it listens. */
static _Noreturn void x_server_become(int told) {
    int quiet = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(told, 3) < 0 || dup2(quiet, 1) < 0 || dup2(quiet, 2) < 0)
        _exit(125);
    fcntl(3, F_SETFD, 0);
    execlp("Xvfb", "Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset", NULL);
    _exit(127);
}

/* A line, which it writes in pieces. Its length; 0: the server has ended. */
static size_t read_number(int from, char *number, size_t room) {
    size_t length = 0;
    while (length < room && read(from, number + length, 1) == 1)
        if (number[length++] == '\n')
            return length - 1;
    return 0;
}

bool x_server_start(struct x_server *server) {
    int told[2];
    char number[16];
    if (pipe2(told, O_CLOEXEC) != 0)
        return false;
    server->pid = fork();
    if (server->pid == 0)
        x_server_become(told[1]);
    close(told[1]);
    size_t length = server->pid > 0 ? read_number(told[0], number, sizeof number) : 0;
    close(told[0]);
    if (length == 0) {
        x_server_stop(server);
        return false;
    }
    snprintf(server->display, sizeof server->display, "DISPLAY=:%.*s", (int)length, number);
    return true;
}

void x_server_stop(const struct x_server *server) {
    if (server->pid <= 0)
        return;
    kill(server->pid, SIGTERM);
    waitpid(server->pid, NULL, 0);
}
