/* SPDX-License-Identifier: MIT */
/*
 * pfifo shell: a GPU's registers, from a terminal, a pipe or a file.
 */
#include "face/tool/shell.h"
#include "face/tool/tool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum option_key { KEY_CHIP = 'c', KEY_KEEP_GOING = 'k', KEY_TRACE = 't' };

struct options {
    struct shell_config shell;
    const char *file;
    bool keep_going;
};

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "Begin with a GPU of this chip", 0},
    {"trace", KEY_TRACE, "GLOBS", 0, "Print events as they happen, as the command trace does", 0},
    {"keep-going", KEY_KEEP_GOING, NULL, 0, "Go on after an error in a script", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct options *shell = state->input;

    switch (key) {
    case KEY_CHIP:
        shell->shell.gpu.chip = tool_chip(state, arg);
        return 0;
    case KEY_TRACE:
        shell->shell.trace = arg;
        return 0;
    case KEY_KEEP_GOING:
        shell->keep_going = true;
        return 0;
    case ARGP_KEY_ARG:
        if (shell->file)
            argp_error(state, "one FILE at a time");
        shell->file = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp shell_argp = {
    options,
    parse,
    "[FILE]",
    "Read and write registers and memory of a GPU, and let it run: what a kernel driver does, by hand."
    "\vCommands come from FILE, or from standard input; the command help lists them. In a file or a pipe the first "
    "error ends it, with exit status 1.",
    NULL,
    NULL,
    NULL,
};

static enum tool_status run(const struct options *choice) {
    bool named = choice->file && strcmp(choice->file, "-") != 0;
    struct shell_script script = {.file = named ? fopen(choice->file, "r") : stdin,
                                  .name = named ? choice->file : "stdin",
                                  .prompt = !named && isatty(STDIN_FILENO),
                                  .keep_going = choice->keep_going};
    struct pfifo_error error = {0};
    struct shell *shell = NULL;
    bool clean = false, broken = true;

    if (!script.file) {
        tool_message("%s: cannot read: %s", script.name, strerror(errno));
        return TOOL_FAILED;
    }
    shell = shell_new(&choice->shell, &error);
    if (shell) {
        clean = shell_run_script(shell, &script);
        broken = ferror(script.file) != 0;
        if (broken)
            tool_message("%s: cannot read", script.name);
    } else {
        tool_message("%s", error.message);
    }
    shell_free(shell);
    if (named)
        fclose(script.file);
    /* Somebody who types has seen the errors. */
    return broken ? TOOL_FAILED : clean || script.prompt ? TOOL_OK : TOOL_FAULTED;
}

enum tool_status cmd_shell(int argc, char **argv) {
    struct options choice = {.shell = {.write = tool_write, .opaque = stdout, .files = true}};

    argp_parse(&shell_argp, argc, argv, 0, NULL, &choice);
    return run(&choice);
}
