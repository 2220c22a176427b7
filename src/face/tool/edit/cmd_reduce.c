/* SPDX-License-Identifier: MIT */
/*
 * pfifo reduce: the fewest methods of a capture with which a command still fails.
 *
 * Runs of methods are left out, half of them first, then ever shorter runs, down to single methods; what the command
 * still fails without stays out. [A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE
 * Transactions on Software Engineering 28, 2002]
 */
#include "face/tool/command/command_line.h"
#include "chip/counted.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/source.h"
#include "face/tool/edit/reduce.h"
#include "face/tool/edit/rewrite.h"
#include "face/tool/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum cmd_reduce_option_key { KEY_OUTPUT = 'o', KEY_RUNS = 256, KEY_STATUS, KEY_JOBS };

enum { DEFAULT_RUNS = 1000, MOST_RUNS = 1000000 };

struct cmd_reduce {
    struct source source;
    struct reduce reduce;
    const char *output;
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the smallest capture to FILE, compressed if it ends with .gz, .xz or .zst",
     0},
    {"runs", KEY_RUNS, "N", 0, "Run the command at most N times after the first one (default 1000)", 0},
    {"jobs", KEY_JOBS, "N", 0, "Run up to N commands at once (default 1). The result is the same", 0},
    {"status", KEY_STATUS, "N", 0, "It fails only with exit status N (default: any but 0, and by a signal)", 0},
    {0},
};

static error_t cmd_reduce_parse(int key, char *arg, struct argp_state *state) {
    struct cmd_reduce *command = state->input;
    struct reduce *reduce = &command->reduce;
    uint64_t number;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->source;
        return 0;
    case KEY_OUTPUT:
        command->output = arg;
        return 0;
    case KEY_RUNS:
        reduce->runs_left = tool_amount(state, "runs", arg, MOST_RUNS);
        return 0;
    case KEY_JOBS:
        reduce->jobs = tool_amount(state, "jobs", arg, REDUCE_JOBS);
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
        if (!command->output)
            argp_error(state, "--output=FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp reduce_argp = {
    options,
    cmd_reduce_parse,
    "-o FILE CAPTURE -- COMMAND [ARGUMENT...]",
    "Find the fewest methods of a capture with which a command still fails."
    "\vThe command gets the capture for each {} among its arguments, or as its last one. What it prints is not shown.\n"
    "The exit status is 0, 1 if the command does not fail with the whole capture, and 2 if something could not be "
    "read, written or run.",
    source_capture_children,
    NULL,
    NULL,
};

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

static enum tool_status reduce_it(struct reduce *reduce, const char *output) {
    enum reduce_outcome outcome = reduce_whole(reduce);
    uint64_t left = 0;

    if (outcome == REDUCE_PASSES)
        tool_message_of(reduce->file, "the command does not fail with the whole capture");
    if (outcome != REDUCE_FAILS)
        return outcome == REDUCE_PASSES ? TOOL_FAULTED : TOOL_FAILED;
    if (!reduce_search(reduce))
        return TOOL_FAILED;
    progress_end(&reduce->progress);
    if (!reduce_write(reduce, output))
        return TOOL_FAILED;
    for (uint64_t i = 0; i < reduce->methods; i++)
        left += reduce->keep[i];
    fprintf(rewrite_tells(output), "%s: %" PRIu64 " of %s, after %s\n", output, left,
            counted(reduce->methods, "method").text, counted(reduce->runs, "run").text);
    return TOOL_OK;
}

static enum tool_status reduce_in_folder(struct cmd_reduce *command) {
    struct reduce *reduce = &command->reduce;
    enum tool_status status = TOOL_FAILED;

    interrupt_begin();
    if (reduce_begin(reduce))
        status = reduce_it(reduce, command->output);
    reduce_end(reduce);
    interrupt_end();
    return status;
}

enum tool_status cmd_reduce(int argc, char **argv) {
    struct cmd_reduce *command = calloc(1, sizeof *command);
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;

    if (!command) {
        tool_message("no memory");
        return TOOL_FAILED;
    }
    command->reduce.runs_left = DEFAULT_RUNS;
    command->reduce.jobs = 1;
    command->reduce.wanted = -1;
    command_line_parse(&reduce_argp, argc, argv, ARGP_IN_ORDER, command);
    if (rewrite_can_go_to(command->output)) {
        command->reduce.chip = command->source.options.chip;
        command->reduce.stream = source_capture(&command->source, command->reduce.file, &error);
        if (!command->reduce.stream)
            source_message(&error);
        else if (tool_is_output(command->output) || can_write(command->output))
            status = reduce_in_folder(command);
        pfifo_stream_close(command->reduce.stream);
    }
    free(command);
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
