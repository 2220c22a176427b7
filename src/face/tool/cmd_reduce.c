/* SPDX-License-Identifier: MIT */
/*
 * pfifo reduce: the fewest methods of a capture with which a command still fails.
 *
 * Runs of methods are left out, half of them first, then ever shorter runs, down to single methods; what the command
 * still fails without stays out. [A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE
 * Transactions on Software Engineering 28, 2002]
 */
#include "face/tool/command_line.h"
#include "face/tool/interrupt.h"
#include "face/tool/rewrite.h"
#include "face/tool/source.h"
#include "face/tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum cmd_reduce_option_key { KEY_OUTPUT = 'o', KEY_RUNS = 256, KEY_STATUS };

enum { DEFAULT_RUNS = 1000, MOST_RUNS = 1000000, MOST_METHODS = 1 << 26 };

static const char placeholder[] = "{}";

struct reduce {
    struct source source;
    const char *output;
    char *file;
    char **command;
    unsigned runs_left, runs;
    int wanted; /* exit status, -1: any but 0 */

    struct pfifo_stream *stream;
    bool *keep; /* of each method of the capture */
    uint64_t methods, at;
    char path[4096]; /* of the capture that is tried */
    char **argv;     /* the command with it */
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the smallest capture to FILE, compressed if it ends with .xz or .zst", 0},
    {"runs", KEY_RUNS, "N", 0, "Run the command at most N times (default 1000)", 0},
    {"status", KEY_STATUS, "N", 0, "It fails only with exit status N (default: any but 0, and by a signal)", 0},
    {0},
};

static error_t cmd_reduce_parse(int key, char *arg, struct argp_state *state) {
    struct reduce *reduce = state->input;
    uint64_t number;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &reduce->source;
        return 0;
    case KEY_OUTPUT:
        reduce->output = arg;
        return 0;
    case KEY_RUNS:
        reduce->runs_left = tool_amount(state, "runs", arg, MOST_RUNS);
        return 0;
    case KEY_STATUS:
        number = tool_number(state, "status", arg);
        if (!number || number > 255)
            argp_error(state, "--status is from 1 to 255");
        reduce->wanted = (int)number;
        return 0;
    case ARGP_KEY_ARGS:
        reduce->file = state->argv[state->next];
        reduce->command = state->argv + state->next + 1;
        if (reduce->command[0] && !strcmp(reduce->command[0], "--"))
            reduce->command++;
        return 0;
    case ARGP_KEY_END:
        if (!reduce->file)
            argp_error(state, "a capture is missing, and the command that fails with it");
        else if (!reduce->command[0])
            argp_error(state, "the command that fails with the capture is missing: -- COMMAND");
        if (!reduce->output)
            argp_error(state, "--output=FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_capture_argp, 0, "What the file is:", 1},
    {0},
};

static const struct argp reduce_argp = {
    options,
    cmd_reduce_parse,
    "-o FILE CAPTURE -- COMMAND [ARGUMENT...]",
    "Find the fewest methods of a capture with which a command still fails."
    "\vThe command gets the capture for each {} among its arguments, or as its last one. What it prints is not shown.\n"
    "The exit status is 0, 1 if the command does not fail with the whole capture, and 2 if something could not be "
    "read, written or run.",
    children,
    NULL,
    NULL,
};

static enum pfifo_edit_action decide(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    struct reduce *reduce = opaque;
    uint64_t at = reduce->at++;

    (void)event, (void)data;
    return at < reduce->methods && !reduce->keep[at] ? PFIFO_EDIT_DROP : PFIFO_EDIT_KEEP;
}

static bool write_capture(struct reduce *reduce, const char *path, uint64_t *methods) {
    struct pfifo_edit_result result;
    struct pfifo_error error = {0};

    reduce->at = 0;
    if (rewrite(reduce->stream, reduce->source.options.chip, path, decide, reduce, &result, &error) != PFIFO_OK) {
        if (!ferror(stdout))
            tool_message("%s", error.message);
        return false;
    }
    *methods = result.methods;
    return true;
}

/* The exit status of the command, 128 + the signal that ended it; -1: it cannot be run, a message was printed. */
static int run_command(const struct reduce *reduce) {
    posix_spawn_file_actions_t actions;
    int status = 0, reason;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    reason = posix_spawnp(&child, reduce->argv[0], &actions, NULL, reduce->argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (reason) {
        errno = reason;
        tool_cannot(reduce->argv[0], "run");
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

enum outcome { OUTCOME_FAILS, OUTCOME_PASSES, OUTCOME_BROKEN };

/* Does the command fail with what is kept? */
static enum outcome try(struct reduce *reduce, uint64_t *methods) {
    int status;

    if (!write_capture(reduce, reduce->path, methods))
        return OUTCOME_BROKEN;
    reduce->runs++;
    status = run_command(reduce);
    if (status < 0)
        return OUTCOME_BROKEN;
    return (reduce->wanted < 0 ? status != 0 : status == reduce->wanted) ? OUTCOME_FAILS : OUTCOME_PASSES;
}

/* Leave out the methods from `first` on; put back those that were there if the command then passes. */
static enum outcome try_without(struct reduce *reduce, uint64_t first, uint64_t count, bool *before) {
    uint64_t methods, any = 0;
    enum outcome outcome;

    if (count > reduce->methods - first)
        count = reduce->methods - first;
    memcpy(before, reduce->keep + first, count * sizeof *before);
    for (uint64_t i = 0; i < count; i++)
        any += before[i];
    if (!any)
        return OUTCOME_PASSES;
    memset(reduce->keep + first, 0, count * sizeof *before);
    reduce->runs_left--;
    outcome = try(reduce, &methods);
    if (outcome != OUTCOME_FAILS)
        memcpy(reduce->keep + first, before, count * sizeof *before);
    return outcome;
}

static bool may_go_on(const struct reduce *reduce) {
    return reduce->runs_left && !interrupt_seen();
}

/* Runs of this length, from the last one to the first: what is at the end often only follows. */
static enum outcome pass(struct reduce *reduce, uint64_t length, bool *before, bool *less) {
    uint64_t runs = (reduce->methods + length - 1) / length;

    *less = false;
    for (uint64_t i = runs; i-- > 0 && may_go_on(reduce);) {
        enum outcome outcome = try_without(reduce, i * length, length, before);
        if (outcome == OUTCOME_BROKEN)
            return outcome;
        *less = *less || outcome == OUTCOME_FAILS;
    }
    return OUTCOME_FAILS;
}

static bool search(struct reduce *reduce) {
    bool *before = malloc(reduce->methods * sizeof *before + 1), less = true, fine = before != NULL;

    for (uint64_t length = (reduce->methods + 1) / 2; fine && length && may_go_on(reduce);) {
        fine = pass(reduce, length, before, &less) != OUTCOME_BROKEN;
        if (length > 1 || !less)
            length /= 2;
    }
    free(before);
    return fine;
}

/* All the runs would be for nothing if the last step failed. */
static bool can_write(const char *path) {
    struct stat about;
    bool is_there = stat(path, &about) == 0;
    FILE *file;

    if (is_there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) /* a reader of a pipe would see its end */
        return true;
    file = fopen(path, "ab");
    if (!file)
        return tool_cannot(path, "write");
    fclose(file);
    if (!is_there)
        unlink(path);
    return true;
}

static enum tool_status reduce_it(struct reduce *reduce) {
    uint64_t left = 0, methods;
    enum outcome outcome = try(reduce, &methods);

    if (outcome == OUTCOME_PASSES)
        tool_message_of(reduce->file, "the command does not fail with the whole capture");
    if (outcome != OUTCOME_FAILS)
        return outcome == OUTCOME_PASSES ? TOOL_FAULTED : TOOL_FAILED;
    if (methods > MOST_METHODS) {
        tool_message_of(reduce->file, "more than %d methods", MOST_METHODS);
        return TOOL_FAILED;
    }
    reduce->keep = malloc(methods * sizeof *reduce->keep + 1);
    if (!reduce->keep) {
        tool_message("no memory for %" PRIu64 " methods", methods);
        return TOOL_FAILED;
    }
    memset(reduce->keep, 1, methods * sizeof *reduce->keep);
    reduce->methods = methods;
    if (!search(reduce) || !write_capture(reduce, reduce->output, &methods))
        return TOOL_FAILED;
    for (uint64_t i = 0; i < methods; i++)
        left += reduce->keep[i];
    fprintf(rewrite_tells(reduce->output), "%s: %" PRIu64 " of %" PRIu64 " methods, after %u runs\n", reduce->output,
            left, methods, reduce->runs);
    return TOOL_OK;
}

/* The command with the capture's path. */
static bool make_argv(struct reduce *reduce) {
    size_t count = 0, named = 0;

    while (reduce->command[count])
        count++;
    reduce->argv = calloc(count + 2, sizeof *reduce->argv);
    if (!reduce->argv)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool is_path = !strcmp(reduce->command[i], placeholder);
        reduce->argv[i] = is_path ? reduce->path : reduce->command[i];
        named += is_path;
    }
    if (!named)
        reduce->argv[count] = reduce->path;
    return true;
}

static enum tool_status reduce_in_folder(struct reduce *reduce) {
    const char *parent = getenv("TMPDIR");
    char folder[sizeof reduce->path - 32];
    enum tool_status status;

    if (snprintf(folder, sizeof folder, "%s/pfifo-reduce-XXXXXX", parent && *parent ? parent : "/tmp") >=
            (int)sizeof folder ||
        !mkdtemp(folder)) {
        tool_cannot(folder, "make a folder");
        return TOOL_FAILED;
    }
    snprintf(reduce->path, sizeof reduce->path, "%s/reduced.nvcap", folder);
    interrupt_begin();
    status = make_argv(reduce) ? reduce_it(reduce) : TOOL_FAILED;
    interrupt_end();
    unlink(reduce->path);
    rmdir(folder);
    return status;
}

enum tool_status cmd_reduce(int argc, char **argv) {
    struct reduce reduce = {.runs_left = DEFAULT_RUNS, .wanted = -1};
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;

    command_line_parse(&reduce_argp, argc, argv, ARGP_IN_ORDER, &reduce);
    if (!rewrite_can_go_to(reduce.output))
        return TOOL_FAILED;
    reduce.stream = source_capture(&reduce.source, reduce.file, &error);
    if (!reduce.stream)
        source_message(&error);
    else if (tool_is_output(reduce.output) || can_write(reduce.output))
        status = reduce_in_folder(&reduce);
    pfifo_stream_close(reduce.stream);
    free(reduce.keep);
    free(reduce.argv);
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
