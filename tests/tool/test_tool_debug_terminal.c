/* SPDX-License-Identifier: MIT */
/* `pfifo debug` and `pfifo shell` on a terminal: lines are edited, completed and remembered, and Ctrl-C gives the
 * prompt. */
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/tool.h"

enum { NV40 = 0x40, PATIENCE_MS = 60000, TEXT = 1 << 18, MAX_ARGUMENTS = 8 };

struct talk {
    pid_t pid;
    int fd;
    char said[TEXT];
    size_t bytes, heard; /* heard: what was waited for ends here */
};

static struct talk talk;

/* The tool on a terminal of its own, which is that of its Ctrl-C. */
static void start(const char *const *arguments) {
    char *argv[MAX_ARGUMENTS] = {(char *)(uintptr_t)tool_name()}, name[128];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    talk.bytes = talk.heard = 0;
    talk.fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(talk.fd >= 0 && grantpt(talk.fd) == 0 && unlockpt(talk.fd) == 0);
    assert_int_equal(ptsname_r(talk.fd, name, sizeof name), 0);
    for (size_t i = 0; arguments[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_addopen(&actions, i, name, O_RDWR, 0);
    assert_int_equal(posix_spawn(&talk.pid, tool_name(), &actions, &attributes, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static bool hear_more(int patience) {
    struct pollfd waiting = {.fd = talk.fd, .events = POLLIN};
    size_t room = TEXT - 1 - talk.bytes;
    ssize_t got = poll(&waiting, 1, patience) == 1 ? read(talk.fd, talk.said + talk.bytes, room) : 0;

    if (got <= 0)
        return false;
    talk.bytes += (size_t)got;
    talk.said[talk.bytes] = 0;
    return true;
}

/* Wait until it has said this, after what was waited for before. */
static bool heard(const char *text, int patience) {
    const char *found;

    talk.said[talk.bytes] = 0;
    while (!(found = strstr(talk.said + talk.heard, text)))
        if (!hear_more(patience))
            return false;
    talk.heard = (size_t)(found - talk.said) + strlen(text);
    return true;
}

static void hear(const char *text) {
    if (!heard(text, PATIENCE_MS))
        fail_msg("'%s' has not come behind:\n%s", text, talk.said);
}

static void say(const char *text) {
    assert_int_equal(write(talk.fd, text, strlen(text)), strlen(text));
}

static void expect_end(void) {
    int status;

    while (hear_more(PATIENCE_MS)) {
    }
    if (poll(&(struct pollfd){.fd = talk.fd, .events = POLLIN}, 1, 0) == 0) {
        kill(talk.pid, SIGKILL);
        fail_msg("it has not ended, behind:\n%s", talk.said);
    }
    assert_int_equal(waitpid(talk.pid, &status, 0), talk.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(talk.fd);
}

static char *state_home(void) {
    char *path = temporary_path("state");

    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    setenv("XDG_STATE_HOME", path, 1);
    return path;
}

static char *history_of(const char *home, const char *name) {
    char *path;

    assert_true(asprintf(&path, "%s/pfifo/%s_history", home, name) > 0);
    return path;
}

static void drop_state(char *home, char *history) {
    char *folder;

    assert_true(asprintf(&folder, "%s/pfifo", home) > 0);
    unlink(history);
    rmdir(folder);
    rmdir(home);
    free(folder);
    free(history);
    free(home);
}

static void lines_are_completed_and_remembered(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz"), *home = state_home(), *history = history_of(home, "debug"),
         text[1024] = "";

    (void)state;
    if (!getenv("PFIFO_LIBEDIT"))
        skip();
    START("debug", path);
    hear("(pfifo) ");
    say("ste\t\n");
    hear("after 1 method,");
    hear("(pfifo) ");
    say("\n"); /* the same again */
    hear("after 2 methods,");
    hear("(pfifo) ");
    say("bre CLEAR_BUF\t\n");
    hear("Breakpoint 1: CLEAR_BUFFERS");
    hear("(pfifo) ");
    say("catch engine.dr\t\n");
    hear("Catchpoint 2: engine.draw");
    hear("(pfifo) ");
    say("inf bre\t\n");
    hear("1   method   CLEAR_BUFFERS, hit 0 times");
    say("quit\n");
    expect_end();
    FILE *file = fopen(history, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "CLEAR_BUFFERS"));
    START("debug", path);
    hear("(pfifo) ");
    say("\x10\x10\n"); /* Ctrl-P: the line before quit */
    hear("There are no breakpoints.");
    hear("(pfifo) ");
    say("\x04"); /* Ctrl-D */
    expect_end();
    drop_state(home, history);
    free(path);
}

/* Keys that mean something else to a terminal in its usual mode, as Ctrl-D, may come as soon as the prompt is seen. */
static void the_terminal_is_ready_before_the_prompt(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz"), *home = state_home(), *history = history_of(home, "debug");
    struct termios mode;

    (void)state;
    if (!getenv("PFIFO_LIBEDIT"))
        skip();
    START("debug", path);
    for (int i = 0; i < 100; i++) {
        hear("(pfifo) ");
        assert_int_equal(tcgetattr(talk.fd, &mode), 0);
        assert_false(mode.c_lflag & ICANON);
        say("echo again\n");
        hear("again\r\n");
    }
    hear("(pfifo) ");
    say("\x04");
    expect_end();
    drop_state(home, history);
    free(path);
}

static void a_shell_completes_names_of_registers_methods_and_events(void **state) {
    char *home = state_home(), *history = history_of(home, "shell");

    (void)state;
    if (!getenv("PFIFO_LIBEDIT"))
        skip();
    START("shell", "--chip=NV40");
    hear("NV40> ");
    say("r3\tCACHE1_DMA_GE\t\n");
    hear("0x003244 CACHE1_DMA_GET = 0x00000000");
    hear("NV40> ");
    say("trace engine.dr\t\n");
    hear("NV40> ");
    say("bre\tREF_CN\t\n");
    hear("Breakpoint 1: REF_CNT");
    hear("NV40> ");
    say("tbreak event engine.dr\t\n");
    hear("Temporary breakpoint 2: engine.draw");
    hear("NV40> ");
    say("inf\tbre\t\n");
    hear("1   method   REF_CNT, hit 0 times");
    hear("NV40> ");
    say("next pack\t\n");
    hear("stopped after 0 units");
    hear("NV40> ");
    say("quit\n");
    expect_end();
    drop_state(home, history);
}

/* A submission that jumps to its own beginning. */
static char *endless_capture(void) {
    struct capture capture;

    capture_begin(&capture, NV40, true);
    const uint32_t word = 0x20000000 | (uint32_t)(capture.push_address + capture.end);
    capture_submit(&capture, &word, 1, NULL);
    return capture_file(&capture);
}

static void ctrl_c_stops_a_run_and_gives_the_prompt(void **state) {
    char *path = endless_capture(), *home = state_home(), *history = history_of(home, "debug");

    (void)state;
    START("debug", "-e", "echo begun", path);
    hear("begun");
    hear("(pfifo) ");
    /* It runs for minutes. Before it has read the line, Ctrl-C takes that away: then again. */
    for (int tries = 0; tries < 20; tries++) {
        say("run\n");
        poll(NULL, 0, 50);
        say("\003");
        if (heard("Interrupted", 2000))
            break;
    }
    hear("submission 1");
    hear("(pfifo) ");
    say("whe");
    say("\003"); /* at the prompt: this line is nothing */
    hear("(pfifo) ");
    say("echo on\n");
    hear("on");
    hear("(pfifo) ");
    say("quit\n");
    expect_end();
    drop_state(home, history);
    unlink(path);
    free(path);
}

static void ctrl_c_stops_a_run_of_the_shell(void **state) {
    static const char *const lines[] = {"w32 PMC.ENABLE 0x01101100\n", "ramin 0x1000 0x0002303d 0xfff 0x3\n",
                                        "sys 0 0x20000000\n",          "w32 MODE 1\n",
                                        "w32 CACHE1_PUSH1 0x10000\n",  "w32 CACHE1_DMA_INSTANCE 0x100\n",
                                        "w32 CACHE1_DMA_CTL 0\n",      "w32 CACHE1_DMA_PUSH 1\n",
                                        "w32 CACHE1_PUSH0 1\n",        "w32 CACHE1_PULL0 1\n",
                                        "w32 CACHE1_DMA_PUT 0x1c\n",   "break register CACHE1_REF\n"};
    char *home = state_home(), *history = history_of(home, "shell");

    (void)state;
    START("shell", "--chip=NV40");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        hear("NV40> ");
        say(lines[i]);
    }
    hear("Watchpoint 1");
    hear("NV40> ");
    for (int tries = 0; tries < 20; tries++) {
        say("run 67108864\n");
        poll(NULL, 0, 50);
        say("\003");
        if (heard(": interrupted", 2000))
            break;
    }
    hear("NV40> ");
    say("expect stop ctrl-c\n");
    hear("NV40> ");
    say("quit\n");
    expect_end();
    drop_state(home, history);
}

/* Whatever ends it at the prompt: what is typed after that is seen. */
static void the_terminal_echoes_after_the_end(void **state) {
    static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT};
    char *path = sample_path("nv40-clear.nvcap.xz"), *home = state_home(), *history = history_of(home, "debug"),
         name[128];
    struct termios mode;
    int status;

    (void)state;
    if (!getenv("PFIFO_LIBEDIT"))
        skip();
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        START("debug", path);
        assert_int_equal(ptsname_r(talk.fd, name, sizeof name), 0);
        int terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
        hear("(pfifo) ");
        say("whe");
        hear("whe");
        assert_int_equal(kill(talk.pid, ends[i]), 0);
        assert_int_equal(waitpid(talk.pid, &status, 0), talk.pid);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == ends[i]);
        assert_int_equal(tcgetattr(terminal, &mode), 0);
        assert_true(mode.c_lflag & ECHO);
        assert_true(mode.c_lflag & ICANON);
        close(terminal);
        close(talk.fd);
    }
    drop_state(home, history);
    free(path);
}

static void an_error_does_not_end_a_session_on_a_terminal(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz"), *home = state_home(), *history = history_of(home, "debug");

    (void)state;
    START("debug", path);
    hear("(pfifo) ");
    say("brake\n");
    hear("did you mean break?");
    hear("(pfifo) ");
    say("step\n");
    hear("after 1 method,");
    say("quit\n");
    expect_end();
    drop_state(home, history);
    free(path);
}

static void without_libedit_lines_come_as_they_are(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz"), *home = state_home(), *history = history_of(home, "debug");
    struct hidden hidden = hide_library("libedit.so.2");
    struct termios mode;

    (void)state;
    START("debug", path);
    hear("(pfifo) ");
    assert_int_equal(tcgetattr(talk.fd, &mode), 0);
    assert_true(mode.c_lflag & ICANON); /* nobody but the terminal edits them */
    say("step\n");
    hear("after 1 method,");
    hear("(pfifo) ");
    say("quit\n");
    expect_end();
    assert_int_equal(access(history, F_OK), -1);
    show_library(&hidden);
    drop_state(home, history);
    free(path);
}

static void run_begins_again_behind_what_is_wrong(void **state) {
    static const uint32_t words[] = {0x20010014, 1, 0x20010014, 2}; /* SET_REFERENCE */
    char *home = state_home(), *history = history_of(home, "debug"), *path;
    struct capture capture;

    (void)state;
    capture_begin(&capture, 0xc0, false);
    capture_submit(&capture, words, 4, NULL);
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_CHANFREE, .chanfree = {77}});
    path = capture_file(&capture);
    START("debug", path);
    hear("(pfifo) ");
    say("run\n");
    hear("there is no channel 77");
    hear("(pfifo) ");
    say("back\n");
    hear("the capture is wrong here");
    hear("(pfifo) ");
    say("break data=2\n");
    hear("(pfifo) ");
    say("run\n");
    hear("after 1 method,");
    hear("(pfifo) ");
    say("back\n");
    hear("after 0 methods,");
    hear("(pfifo) ");
    say("quit\n");
    expect_end();
    drop_state(home, history);
    unlink(path);
    free(path);
}

/* Nobody typed it. */
static void nothing_is_remembered_of_a_pipe(void **state) {
    char *path = sample_path("nv40-clear.nvcap.xz"), *home = state_home(), *history = history_of(home, "debug");
    struct outcome outcome = tool_run_from("/dev/null", (const char *const[]){"debug", path, NULL});

    (void)state;
    expect_status(0, &outcome);
    assert_int_not_equal(access(history, F_OK), 0);
    outcome_free(&outcome);
    drop_state(home, history);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_completed_and_remembered),
        cmocka_unit_test(the_terminal_is_ready_before_the_prompt),
        cmocka_unit_test(a_shell_completes_names_of_registers_methods_and_events),
        cmocka_unit_test(ctrl_c_stops_a_run_and_gives_the_prompt),
        cmocka_unit_test(ctrl_c_stops_a_run_of_the_shell),
        cmocka_unit_test(the_terminal_echoes_after_the_end),
        cmocka_unit_test(an_error_does_not_end_a_session_on_a_terminal),
        cmocka_unit_test(without_libedit_lines_come_as_they_are),
        cmocka_unit_test(run_begins_again_behind_what_is_wrong),
        cmocka_unit_test(nothing_is_remembered_of_a_pipe),
    };

    setenv("TERM", "dumb", 1);
    setenv("PFIFO_PAGER", "", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
