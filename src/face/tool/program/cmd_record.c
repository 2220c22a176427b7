/* SPDX-License-Identifier: MIT */
/*
 * pfifo record: a program runs on the card and the kernel that are there, and what it submits is written down.
 */
#include "face/drm/session/names.h"
#include "face/tool/command/command_line.h"
#include "face/tool/program/launch.h"
#include "face/tool/tool.h"

#include <stdlib.h>

struct record {
    const char *output;
    char **argv; /* of the program */
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the capture to FILE; further clients of the program get FILE.2, ...", 0},
    {0},
};

static error_t cmd_record_parse(int key, char *arg, struct argp_state *state) {
    struct record *record = state->input;

    switch (key) {
    case 'o':
        if (tool_is_output(arg))
            argp_error(state, "a recording goes to a file: standard output is the program's");
        record->output = arg;
        return 0;
    case ARGP_KEY_ARGS:
        record->argv = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        if (!record->argv)
            argp_error(state, "a program is missing");
        if (!record->output)
            argp_error(state, "-o FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp record_argp = {
    options,
    cmd_record_parse,
    "-o FILE -- PROGRAM [ARGUMENT...]",
    "Run a program on a card that the kernel's nouveau drives, and record what it submits, with the buffers that the "
    "submissions refer to. pfifo run replays the capture on a model."
    "\vThe exit status is the program's; 128 + N if signal N killed it; 126 if it cannot run, 127 if there is no such "
    "program.",
    NULL,
    NULL,
    NULL,
};

enum tool_status cmd_record(int argc, char **argv) {
    struct record record = {0};

    command_line_parse(&record_argp, argc, argv, ARGP_IN_ORDER, &record);
    if (!launch_set_path(SETTING_RECORD, record.output) || !launch_preload("libpfifo-record.so") ||
        !launch_begin_capture(record.output))
        return TOOL_FAILED;
    int status = launch(record.argv);
    launch_end_capture(record.output, record.argv[0], status);
    exit(status);
}
