/* SPDX-License-Identifier: MIT */
#include "face/tool/view/view.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_COLOR = 1024, KEY_NO_PAGER, PAGER_NOT_FOUND = 127, SIGNALS_MOST = 16 };

/* Standard output belongs to the process, and so does what it is connected to. */
static struct view {
    struct painter *painter;
    FILE *painted; /* what stdout is, NULL: what it was */
    pid_t pager;   /* 0: none */
    const char *command;
    bool no_pager;
    int out, errors; /* of the terminal, while the pager has theirs; errors -1: not changed */
} view;

/* ---- options ---- */

static const struct argp_option color_options[] = {
    {"color", KEY_COLOR, "WHEN", OPTION_ARG_OPTIONAL,
     "Colours: auto (the default: on a terminal, unless NO_COLOR is set), always or never", 0},
    {0},
};

static const struct argp_option listing_options[] = {
    {"color", KEY_COLOR, "WHEN", OPTION_ARG_OPTIONAL,
     "Colours: auto (the default: on a terminal, unless NO_COLOR is set), always or never", 0},
    {"no-pager", KEY_NO_PAGER, NULL, 0, "Do not use a pager (PFIFO_PAGER, PAGER or less -FRX)", 0},
    {0},
};

static error_t view_parse(int key, char *arg, struct argp_state *state) {
    struct view_options *options = state->input;

    switch (key) {
    case KEY_COLOR:
        if (!arg || strcmp(arg, "always") == 0)
            options->color = VIEW_ALWAYS;
        else if (strcmp(arg, "never") == 0)
            options->color = VIEW_NEVER;
        else if (strcmp(arg, "auto") == 0)
            options->color = VIEW_AUTO;
        else
            argp_error(state, "--color is auto, always or never, not '%s'", arg);
        return 0;
    case KEY_NO_PAGER:
        options->no_pager = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp view_color_argp = {color_options, view_parse, NULL, NULL, NULL, NULL, NULL};
const struct argp view_listing_argp = {listing_options, view_parse, NULL, NULL, NULL, NULL, NULL};

/* ---- the pager ---- */

static bool spawn_pager(const char *command, int input, pid_t *pid) {
    char *const shell[] = {"sh", "-c", (char *)(uintptr_t)command, NULL}, *const less[] = {"less", "-FRX", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int failed;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return false;
    }
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* which main() ignores */
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    setenv("LESS", "FRX", 0);
    failed = command ? posix_spawnp(pid, "sh", &actions, &attributes, shell, environ)
                     : posix_spawnp(pid, "less", &actions, &attributes, less, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return !failed;
}

static const char *const pager_variables[] = {"PFIFO_PAGER", "PAGER"};

/* False: none is wanted. NULL: less, if it is there. */
static bool choose_pager(const char **command) {
    *command = NULL;
    for (size_t i = 0; !*command && i < sizeof pager_variables / sizeof pager_variables[0]; i++)
        *command = getenv(pager_variables[i]);
    return !*command || (**command && strcmp(*command, "cat") != 0);
}

/* Ctrl-C is also for the pager, which stays; its terminal must not go to the shell before it ends. */
static void end_with_pager(int number) {
    close(STDOUT_FILENO);
    if (view.errors >= 0)
        close(STDERR_FILENO);
    for (int tries = 0; tries < SIGNALS_MOST && waitpid(view.pager, NULL, 0) < 0; tries++) {
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void begin_pager(void) {
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    int ends[2];
    pid_t pid;

    if (!choose_pager(&view.command) || pipe2(ends, O_CLOEXEC) != 0)
        return;
    view.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    view.errors = isatty(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
    if (view.out >= 0 && spawn_pager(view.command, ends[0], &pid)) {
        view.pager = pid;
        dup2(ends[1], STDOUT_FILENO);
        if (view.errors >= 0) /* messages would be lost among its screen */
            dup2(ends[1], STDERR_FILENO);
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
            signal(signals[i], end_with_pager);
    }
    close(ends[0]);
    close(ends[1]);
}

/* Its exit status. */
static int end_pager(void) {
    int status = 0;

    dup2(view.out, STDOUT_FILENO);
    close(view.out);
    if (view.errors >= 0) {
        fflush(stderr);
        dup2(view.errors, STDERR_FILENO);
        close(view.errors);
    }
    while (waitpid(view.pager, &status, 0) < 0 && errno == EINTR) {
    }
    view.pager = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* ---- colours ---- */

static bool wants_color(const struct view_options *options, bool terminal) {
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");

    if (options->color != VIEW_AUTO)
        return options->color == VIEW_ALWAYS;
    return terminal && !(none && *none) && !(kind && strcmp(kind, "dumb") == 0);
}

static ssize_t write_painted(void *opaque, const char *text, size_t bytes) {
    if (painter_write(opaque, STDOUT_FILENO, text, bytes))
        return (ssize_t)bytes;
    tool_note_output_reason(errno);
    return 0;
}

static void begin_painter(const struct paint_rule *rules) {
    view.painter = painter_new(rules);
    view.painted =
        view.painter ? fopencookie(view.painter, "w", (cookie_io_functions_t){.write = write_painted}) : NULL;
    if (view.painted)
        stdout = view.painted;
}

/* ---- both ---- */

void view_begin(const struct view_options *options, const struct paint_rule *rules, bool pager) {
    bool terminal = isatty(STDOUT_FILENO);

    view.no_pager = options->no_pager;
    if (terminal && pager && !options->no_pager)
        begin_pager();
    if (wants_color(options, terminal))
        begin_painter(rules);
    if (terminal)
        setvbuf(stdout, NULL, _IOLBF, 0);
}

enum tool_status view_end(enum tool_status status) {
    bool whole;

    if (!view.painted && !view.pager)
        return status; /* the end of the process looks after it */
    whole = fflush(stdout) == 0 && !ferror(stdout);
    if (view.painted && whole)
        whole = painter_flush(view.painter, STDOUT_FILENO);
    if (!view.pager)
        return whole ? status : TOOL_FAILED;
    int ended = end_pager();
    if (whole)
        return status;
    __fpurge(stdout);
    clearerr(stdout);
    if (ended == PAGER_NOT_FOUND) {
        tool_message("there is no such pager: %s", view.command ? view.command : "less");
        return TOOL_FAILED;
    }
    return status == TOOL_FAILED ? TOOL_OK : status;
}

void view_page_begin(void) {
    fflush(stdout);
    if (isatty(STDOUT_FILENO) && !view.no_pager)
        begin_pager();
}

void view_page_end(void) {
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    if (!view.pager)
        return;
    fflush(stdout);
    if (view.painted)
        painter_flush(view.painter, STDOUT_FILENO);
    end_pager();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    __fpurge(stdout); /* the user may not have read to the end */
    clearerr(stdout);
}
