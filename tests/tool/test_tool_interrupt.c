/* SPDX-License-Identifier: MIT */
/* `pfifo run` of what takes long: a bar on a terminal, and Ctrl-C, after which there is a summary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/tool.h"

enum { NV40 = 0x40, PATIENCE_MS = 60000, TEXT = 65536 };

/* A first submission that ends, and a second that jumps to its own beginning. */
static char *endless_capture(void) {
    struct capture capture;
    uint32_t words[] = {0x00040000, 0};

    capture_begin(&capture, NV40, true);
    words[0] = 0x0004e000;
    words[1] = 0xbeef0301;
    capture_submit(&capture, words, 0, NULL);
    words[0] = 0x20000000 | (uint32_t)(capture.push_address + capture.end);
    capture_submit(&capture, words, 1, NULL);
    return capture_file(&capture);
}

struct process {
    pid_t pid;
    int out, err; /* our ends: of a pipe, and of a terminal or pipe */
    char said[2][TEXT];
    size_t bytes[2];
};

static int open_terminal(int *ours) {
    char name[128];

    *ours = posix_openpt(O_RDWR | O_NOCTTY);
    if (*ours < 0 || grantpt(*ours) != 0 || unlockpt(*ours) != 0 || ptsname_r(*ours, name, sizeof name) != 0)
        return -1;
    return open(name, O_RDWR | O_NOCTTY);
}

static void start(struct process *process, bool terminal, const char *const *arguments) {
    posix_spawn_file_actions_t actions;
    int out[2], err[2];
    char *argv[16] = {(char *)(uintptr_t)tool_name()};

    *process = (struct process){0};
    for (size_t i = 0; arguments[i]; i++)
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

/* Read what it says until `text` is in what `which` (0: output, 1: errors) says, or until both have ended. */
static bool listen_for(struct process *process, int which, const char *text) {
    struct pollfd fds[2] = {{.fd = process->out, .events = POLLIN}, {.fd = process->err, .events = POLLIN}};

    while (!(text && strstr(process->said[which], text)) && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
        if (poll(fds, 2, PATIENCE_MS) <= 0)
            return false;
        for (int i = 0; i < 2; i++) {
            char *to = process->said[i] + process->bytes[i];
            size_t room = TEXT - 1 - process->bytes[i];
            ssize_t got = fds[i].revents ? read(fds[i].fd, to, room) : 1;
            if (got <= 0)
                fds[i].fd = -1;
            else if (fds[i].revents)
                process->bytes[i] += (size_t)got;
        }
    }
    return !text || strstr(process->said[which], text);
}

static int finish(struct process *process) {
    int status;

    assert_true(listen_for(process, 0, NULL));
    assert_int_equal(waitpid(process->pid, &status, 0), process->pid);
    close(process->out);
    close(process->err);
    return status;
}

static void expect(const struct process *process, int which, const char *text) {
    if (!strstr(process->said[which], text))
        fail_msg("no '%s' in: %s%s", text, process->said[0], process->said[1]);
}

static void drop(char *path) {
    unlink(path);
    free(path);
}

/* After a second there is a bar, which is gone in the end. */
static void a_long_run_has_a_bar_on_a_terminal_and_ctrl_c_leaves_a_summary(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    start(&process, true, (const char *const[]){"run", "--budget=1000000000000000", path, "no-such-file", NULL});
    assert_true(listen_for(&process, 1, "submission 2"));
    expect(&process, 1, "[###");
    assert_int_equal(process.bytes[0], 0);
    kill(process.pid, SIGINT);
    int status = finish(&process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    expect(&process, 0, ": NV40, 2 submissions, 1 word,");
    expect(&process, 0, "  interrupted   in submission 2 of the capture\n");
    assert_null(strstr(process.said[1], "no-such-file")); /* which is not run any more */
    assert_string_equal(process.said[1] + process.bytes[1] - 4, "\r\033[K");
    drop(path);
}

static void what_was_traced_before_ctrl_c_is_all_there(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    start(&process, false,
          (const char *const[]){"run", "--json", "--trace=pusher.jump", "--budget=1000000000000000", path, NULL});
    /* Blocks of lines come as long as somebody reads them. */
    assert_true(listen_for(&process, 0, "\"submission\":2,"));
    kill(process.pid, SIGTERM);
    static char last[2 * TEXT];
    size_t kept = 0;
    int status;
    for (ssize_t got; (got = read(process.out, last + kept, TEXT - 1)) > 0;) { /* the end is enough */
        kept += (size_t)got;
        if (kept > TEXT) {
            memmove(last, last + kept - TEXT, TEXT);
            kept = TEXT;
        }
        last[kept] = 0;
    }
    assert_int_equal(waitpid(process.pid, &status, 0), process.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_non_null(strstr(last, "\"event\":\"summary\",\"chip\":\"NV40\",\"submissions\":2,"));
    assert_non_null(strstr(last, ",\"interrupted\":true"));
    assert_string_equal(last + strlen(last) - 2, "}\n");
    close(process.out);
    close(process.err);
    drop(path);
}

static void a_digest_of_half_a_run_is_not_printed(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    start(&process, true, (const char *const[]){"run", "--digest", "--budget=1000000000000000", path, NULL});
    assert_true(listen_for(&process, 1, "submission 2"));
    kill(process.pid, SIGINT);
    int status = finish(&process);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(process.bytes[0], 0);
    expect(&process, 1, "interrupted: no digest");
    drop(path);
}

static void there_is_no_bar_where_nobody_sees_it(void **state) {
    static struct process process;
    char *path = endless_capture();
    (void)state;
    start(&process, false, (const char *const[]){"run", "--budget=30000000", path, NULL});
    int status = finish(&process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    expect(&process, 0, "it did not end within the budget");
    assert_string_equal(process.said[1], "");
    drop(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_run_has_a_bar_on_a_terminal_and_ctrl_c_leaves_a_summary),
        cmocka_unit_test(what_was_traced_before_ctrl_c_is_all_there),
        cmocka_unit_test(a_digest_of_half_a_run_is_not_printed),
        cmocka_unit_test(there_is_no_bar_where_nobody_sees_it),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
