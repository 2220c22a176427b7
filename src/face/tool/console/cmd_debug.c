/* SPDX-License-Identifier: MIT */
/*
 * pfifo debug: a capture, step by step.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/source.h"
#include "face/tool/console/lines/session.h"
#include "face/tool/console/replay/debug.h"
#include "face/tool/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum cmd_debug_option_key { KEY_JSON = 'j' };

struct cmd_debug {
    const char *file;
    struct source source;
    struct first_commands first;
    bool json;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per command: what it printed, and where it stopped", 0},
    {0},
};

static error_t cmd_debug_parse(int key, char *arg, struct argp_state *state) {
    struct cmd_debug *choice = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &choice->first;
        state->child_inputs[1] = &choice->source;
        return 0;
    case KEY_JSON:
        choice->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (choice->file)
            argp_error(state, "one capture at a time");
        choice->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!choice->file)
            argp_error(state, "a capture is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&first_commands_argp, 0, NULL, 0},
    {&source_capture_argp, 0, "What the file is:", 1},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp debug_argp = {
    options,
    cmd_debug_parse,
    "CAPTURE",
    "Go through a capture step by step: breakpoints, memory, registers, and back."
    "\vCommands come from the options, and then from the terminal; without either, from standard input. Their names "
    "are "
    "gdb's; help lists them. In a file or a pipe the first error ends the session, with exit status 1.",
    children,
    NULL,
    NULL,
};

static enum tool_status debug_with(const struct cmd_debug *choice, struct debug *debug) {
    bool terminal = isatty(STDIN_FILENO) && !choice->json;
    struct console_session session = {
        .console = &debug->console, .name = "debug", .prompt = "(pfifo) ", .keep_going = terminal};
    enum tool_status status;

    if (terminal && strcmp(choice->file, "-") != 0)
        printf("%s: %s. help lists the commands.\n", choice->file, pfifo_chip_info(debug->chip).name);
    status = session_first(&session, &choice->first);
    session.keep_going = false;
    if (session.quit || (interrupt_seen() && !terminal) || (status != TOOL_OK && !terminal))
        return terminal ? TOOL_OK : status;
    if (terminal || !choice->first.count)
        return session_input(&session, terminal);
    return TOOL_OK;
}

enum tool_status cmd_debug(int argc, char **argv) {
    struct cmd_debug choice = {0};
    struct debug *debug = calloc(1, sizeof *debug);
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;

    if (!debug) {
        tool_message("no memory");
        return TOOL_FAILED;
    }
    command_line_parse_console(&debug_argp, argc, argv, paint_debug, &choice);
    if (debug_open(debug, choice.file, &choice.source, choice.json, &error))
        status = debug_with(&choice, debug);
    else
        source_message(&error);
    debug_close(debug);
    free(debug);
    if (fflush(stdout) == 0 && !isatty(STDIN_FILENO))
        interrupt_die();
    return status;
}
