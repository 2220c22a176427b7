/* SPDX-License-Identifier: MIT */
/*
 * pfifo debug: a capture, step by step. The commands are in replay/commands.c; here are the lines: of files, of options,
 * of a pipe, or from a terminal.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/source.h"
#include "face/tool/console/first_commands.h"
#include "face/tool/console/line_edit.h"
#include "face/tool/console/lines.h"
#include "face/tool/console/replay/debug.h"
#include "face/tool/tool.h"
#include "face/tool/view/view.h"

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

/* ---- files and pipes ---- */

static enum tool_status run_lines(struct debug *debug, FILE *file, const char *name) {
    char line[CONSOLE_LINE_BYTES];

    for (unsigned long number = 1; !debug->console.quit && !interrupt_seen(); number++) {
        struct pfifo_error error = {0};
        enum line kind = line_read(file, line, sizeof line);
        if (kind == LINE_END)
            break;
        if (kind == LINE_READ ? debug_line(debug, line, &error) : line_wrong(kind, sizeof line, &error))
            continue;
        fflush(stdout);
        fprintf(stderr, "%s:%lu: %s\n", name, number, error.message);
        return TOOL_FAULTED;
    }
    if (!ferror(file) || interrupt_seen())
        return TOOL_OK;
    tool_cannot(name, "read");
    return TOOL_FAILED;
}

static enum tool_status run_script(struct debug *debug, const struct first_command *script) {
    enum tool_status status;
    struct pfifo_error error = {0};
    FILE *file;
    bool done;

    if (!script->is_file) {
        done = debug_line(debug, script->text, &error);
        fflush(stdout);
        if (!done)
            tool_message("%s: %s", script->text, error.message);
        return done ? TOOL_OK : TOOL_FAULTED;
    }
    file = fopen(script->text, "r");
    if (!file) {
        tool_cannot(script->text, "read");
        return TOOL_FAILED;
    }
    status = run_lines(debug, file, script->text);
    fclose(file);
    return status;
}

/* ---- a terminal ---- */

static void talk_line(struct debug *debug, const char *line) {
    struct pfifo_error error = {0};
    bool paged = verbs_shows(console_verbs(&debug->console), line);

    interrupt_forget();
    if (paged)
        view_page_begin();
    if (!debug_line(debug, line, &error)) {
        fflush(stdout);
        fprintf(stderr, "%s\n", error.message);
    }
    if (paged)
        view_page_end();
}

static void talk(struct debug *debug) {
    const struct line_edit_config config = {.name = "debug", .word = console_word, .opaque = &debug->console};
    struct line_edit *edit = line_edit_new(&config);
    char line[CONSOLE_LINE_BYTES], last[CONSOLE_LINE_BYTES] = "";

    while (edit && !debug->console.quit) {
        enum line_edit_result result = line_edit_read(edit, "(pfifo) ", line, sizeof line);
        if (result == LINE_EDIT_END)
            break;
        if (result == LINE_EDIT_INTERRUPTED)
            continue;
        if (result == LINE_EDIT_LONG) {
            tool_message("the line is longer than %d bytes, or not text", CONSOLE_LINE_BYTES - 1);
            continue;
        }
        if (!line[0] && verbs_repeats(console_verbs(&debug->console), last))
            memcpy(line, last, sizeof line);
        memcpy(last, line, sizeof last);
        talk_line(debug, line);
    }
    line_edit_free(edit);
}

static enum tool_status debug_with(const struct cmd_debug *choice, struct debug *debug) {
    enum tool_status status = TOOL_OK;
    bool terminal = isatty(STDIN_FILENO) && !choice->json;

    if (terminal && strcmp(choice->file, "-") != 0)
        printf("%s: %s. help lists the commands.\n", choice->file, pfifo_chip_info(debug->chip).name);
    for (size_t i = 0; i < choice->first.count && !debug->console.quit && !interrupt_seen(); i++) {
        status = run_script(debug, &choice->first.list[i]);
        if (status != TOOL_OK && !terminal)
            return status;
    }
    if (debug->console.quit || (interrupt_seen() && !terminal))
        return TOOL_OK;
    if (terminal)
        talk(debug);
    else if (!choice->first.count)
        return run_lines(debug, stdin, "stdin");
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
