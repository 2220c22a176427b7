/* SPDX-License-Identifier: MIT */
#include "tool/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/terminal.h"
#include "tool/tool.h"

enum { PATIENCE_MS = 60000 };

void process_start(struct process *process, bool terminal, const char *const *arguments) {
    posix_spawn_file_actions_t actions;
    int out[2], err[2];
    char *argv[32] = {(char *)(uintptr_t)tool_name()};

    *process = (struct process){0};
    for (size_t i = 0; arguments[i] && i < 30; i++)
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    if (terminal)
        err[1] = open_terminal(&err[0]);
    else
        assert_int_equal(pipe2(err, O_CLOEXEC), 0);
    assert_true(err[1] >= 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    assert_int_equal(posix_spawn(&process->pid, tool_name(), &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    process->out = out[0];
    process->err = err[0];
}

bool process_listen(struct process *process, int which, const char *text) {
    struct pollfd fds[2] = {{.fd = process->out, .events = POLLIN}, {.fd = process->err, .events = POLLIN}};

    while (!(text && strstr(process->said[which], text)) && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
        if (poll(fds, 2, PATIENCE_MS) <= 0)
            return false;
        for (int i = 0; i < 2; i++) {
            char *to = process->said[i] + process->bytes[i];
            size_t room = PROCESS_TEXT - 1 - process->bytes[i];
            ssize_t got = fds[i].revents ? read(fds[i].fd, to, room) : 1;
            if (got <= 0)
                fds[i].fd = -1;
            else if (fds[i].revents)
                process->bytes[i] += (size_t)got;
        }
    }
    return !text || strstr(process->said[which], text);
}

int process_finish(struct process *process) {
    int status;

    assert_true(process_listen(process, 0, NULL));
    assert_int_equal(waitpid(process->pid, &status, 0), process->pid);
    close(process->out);
    close(process->err);
    return status;
}

void process_expect(const struct process *process, int which, const char *text) {
    if (!strstr(process->said[which], text))
        fail_msg("no '%s' in: %s%s", text, process->said[0], process->said[1]);
}
