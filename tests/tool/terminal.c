/* SPDX-License-Identifier: MIT */
#include "tool/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, ROOM = 1 << 20, MAX_ARGUMENTS = 16 };

int open_terminal(int *ours) {
    char name[128];

    *ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*ours < 0 || grantpt(*ours) != 0 || unlockpt(*ours) != 0 || ptsname_r(*ours, name, sizeof name) != 0)
        return -1;
    return open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

/* What comes until the other end is closed, with a zero after it. Of the terminal's \r\n, the \r is left out. */
static char *read_until_closed(int fd, size_t *bytes) {
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    char *text = malloc(ROOM), *to = text;
    ssize_t got;

    assert_non_null(text);
    for (*bytes = 0; poll(&waiting, 1, PATIENCE_MS) == 1; *bytes += (size_t)got) {
        got = read(fd, text + *bytes, ROOM - 1 - *bytes);
        if (got <= 0)
            break;
    }
    for (size_t i = 0; i < *bytes; i++)
        if (text[i] != '\r')
            *to++ = text[i];
    *bytes = (size_t)(to - text);
    *to = 0;
    return text;
}

struct outcome terminal_run_to(bool errors, const char *const *arguments) {
    const char *tool = tool_name();
    char *argv[MAX_ARGUMENTS] = {(char *)(uintptr_t)tool};
    struct outcome outcome = {0};
    posix_spawn_file_actions_t actions;
    int ours, theirs = open_terminal(&ours), pipe_ends[2], status;
    size_t err_bytes;
    pid_t pid;

    assert_true(theirs >= 0);
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    for (size_t i = 0; arguments[i]; i++) {
        assert_true(i + 2 < MAX_ARGUMENTS);
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, theirs, 1);
    posix_spawn_file_actions_adddup2(&actions, errors ? theirs : pipe_ends[1], 2);
    assert_int_equal(posix_spawn(&pid, tool, &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(theirs);
    close(pipe_ends[1]);
    outcome.out = read_until_closed(ours, &outcome.out_bytes);
    outcome.err = read_until_closed(pipe_ends[0], &err_bytes);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    close(ours);
    close(pipe_ends[0]);
    return outcome;
}
