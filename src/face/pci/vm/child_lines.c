/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/child_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool child_lines_take(int fd, child_line take, void *opaque, struct pfifo_error *error) {
    FILE *text = fdopen(fd, "r");
    char *line = NULL;
    size_t room = 0;
    bool taken = text != NULL;

    while (taken && getline(&line, &room, text) > 0)
        taken = take(opaque, line, error);
    free(line);
    if (text)
        fclose(text);
    else
        close(fd);
    return taken;
}

static bool child_lines_start(pid_t *child, int output, const char *name, char **argv) {
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool started = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0 &&
                   posix_spawnp(child, name, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

bool child_lines(const char *const *names, char **argv, child_line take, void *opaque, int *status,
                 struct pfifo_error *error) {
    int ends[2], ended = 0;
    bool started = false;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        pfifo_error_set(error, PFIFO_ERROR_IO, "cannot make a pipe: %s", strerror(errno));
        return false;
    }
    for (; *names && !started; names++)
        started = child_lines_start(&child, ends[1], *names, argv);
    close(ends[1]);
    bool taken = child_lines_take(ends[0], take, opaque, error);
    *status = 127;
    if (!started)
        return taken;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return taken;
}
