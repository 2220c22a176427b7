/* SPDX-License-Identifier: MIT */
#include "face/tool/tool.h"
#include "face/tool/version.h"
#include "face/tool/view/view.h"

#include <pfifo/nearest.h>

#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum tool_status main_cmd_help(int argc, char **argv);
static enum tool_status cmd_version(int argc, char **argv);

static const struct {
    const char *name;
    char *title; /* as messages of the command begin */
    tool_command run;
} commands[] = {
    {"run", "pfifo run", cmd_run},
    {"record", "pfifo record", cmd_record},
    {"debug", "pfifo debug", cmd_debug},
    {"decode", "pfifo decode", cmd_decode},
    {"disasm", "pfifo disasm", cmd_disasm},
    {"grep", "pfifo grep", cmd_grep},
    {"diff", "pfifo diff", cmd_diff},
    {"state", "pfifo state", cmd_state},
    {"image", "pfifo image", cmd_image},
    {"report", "pfifo report", cmd_report},
    {"top", "pfifo top", cmd_top},
    {"timeline", "pfifo timeline", cmd_timeline},
    {"lint", "pfifo lint", cmd_lint},
    {"explain", "pfifo explain", cmd_explain},
    {"asm", "pfifo asm", cmd_asm},
    {"edit", "pfifo edit", cmd_edit},
    {"reduce", "pfifo reduce", cmd_reduce},
    {"chips", "pfifo chips", cmd_chips},
    {"info", "pfifo info", cmd_info},
    {"events", "pfifo events", cmd_events},
    {"regs", "pfifo regs", cmd_regs},
    {"shell", "pfifo shell", cmd_shell},
    {"serve", "pfifo serve", cmd_serve},
    {"vm", "pfifo vm", cmd_vm},
    /* These have no options of their own. */
    {"help", "pfifo help", main_cmd_help},
    {"version", "pfifo version", cmd_version},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

bool tool_has_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run != main_cmd_help && commands[i].run != cmd_version;
    return false;
}

struct choice {
    enum tool_status status;
};

static enum tool_status main_run_command(size_t index, int argc, char **argv) {
    argv[0] = commands[index].title;
    return view_end(commands[index].run(argc, argv));
}

static void no_such_command(const char *name, char *text, size_t size) {
    struct pfifo_nearest nearest;

    pfifo_nearest_begin(&nearest, name);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        pfifo_nearest_try(&nearest, commands[i].name);
    snprintf(text, size, "there is no command '%.80s'%s%s%s", name, nearest.name[0] ? "; did you mean '" : "",
             nearest.name, nearest.name[0] ? "'?" : "");
}

static error_t main_parse(int key, char *arg, struct argp_state *state) {
    struct choice *choice = state->input;
    char wrong[240];

    switch (key) {
    case 'V':
        choice->status = cmd_version(1, (char *[]){"pfifo version", NULL});
        exit(choice->status);
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            if (strcmp(commands[i].name, arg) != 0)
                continue;
            choice->status = main_run_command(i, state->argc - state->next + 1, state->argv + state->next - 1);
            state->next = state->argc;
            return 0;
        }
        no_such_command(arg, wrong, sizeof wrong);
        argp_error(state, "%s", wrong);
        return EINVAL;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a command is missing");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"version", 'V', NULL, 0, "Print the version and exit", -1},
    {0},
};

/* A line of the list must fit: argp breaks longer ones without regard to the columns. */
static const struct argp main_argp = {
    options,
    main_parse,
    "COMMAND [ARGUMENT...]",
    "A model of PFIFO, NVIDIA's command submission engine. Command streams of chips from NV1 to Pascal can be run, "
    "those "
    "of all chips up to Hopper can be read."
    "\vCommands:\n"
    "  run CAPTURE...             run recorded command streams on a model\n"
    "  run -- PROGRAM             run an OpenGL program on the model of --chip=CHIP\n"
    "  debug CAPTURE              go through a capture step by step, and back\n"
    "  record PROGRAM             record what a program submits to a real card\n"
    "  decode FILE...             print command streams without running them\n"
    "  disasm FILE...             list compiled programs: cubins, words of code\n"
    "  grep QUERY FILE...         print the lines of streams that match a query\n"
    "  state CAPTURE              print the state of objects at some place\n"
    "  image CAPTURE [SURFACE]    list surfaces, or write a picture of one\n"
    "  report CAPTURE             write a page about a capture, for a browser\n"
    "  diff A B                   compare two command streams by what they say\n"
    "  edit CAPTURE               copy a capture with methods changed or left out\n"
    "  reduce CAPTURE -- COMMAND  find the fewest methods that make a command fail\n"
    "  top FILE...                count the methods of streams, and what repeats\n"
    "  timeline CAPTURE           write a run as a timeline, for Perfetto\n"
    "  lint CAPTURE...            find what may go wrong or hang on hardware\n"
    "  explain THING...           say what a method, register, error or word means\n"
    "  asm FILE                   assemble text into the words of a pushbuffer\n"
    "  chips                      list the chips\n"
    "  info CHIP                  print everything about a chip\n"
    "  events                     list the events that run --trace can print\n"
    "  regs CHIP [GLOB]           list the registers of a chip\n"
    "  shell [FILE]               read and write registers of a model or a card\n"
    "  serve -- VMM               give the guest of a VMM a card in a PCI slot\n"
    "  vm                         boot Linux with nouveau and a card of --chip=CHIP\n"
    "  help [COMMAND]             print this, or the help of a command\n"
    "  version                    print the version\n"
    "\n"
    "A file called - is standard input. The exit status is 0 if all went well, 1 if a command stream has errors, "
    "faulted or never ended, and 2 if something could not be done at all.",
    NULL,
    NULL,
    NULL,
};

/* ---- help and version ---- */

static error_t help_parse(int key, char *arg, struct argp_state *state) {
    const char **about = state->input;

    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*about)
        argp_error(state, "one command at a time");
    *about = arg;
    return 0;
}

static const struct argp help_argp = {
    NULL, help_parse, "[COMMAND]", "Print the list of commands, or the help of one.", NULL, NULL, NULL,
};

static const struct argp version_argp = {NULL, NULL, NULL, "Print the version of pfifo.", NULL, NULL, NULL};

static enum tool_status main_cmd_help(int argc, char **argv) {
    const char *about = NULL;
    char wrong[240];

    argp_parse(&help_argp, argc, argv, 0, NULL, &about);
    if (!about) {
        argp_parse(&main_argp, 2, (char *[]){"pfifo", "--help", NULL}, 0, NULL, NULL);
        return TOOL_FAILED; /* not reached */
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, about) == 0)
            return main_run_command(i, 2, (char *[]){NULL, "--help", NULL});
    no_such_command(about, wrong, sizeof wrong);
    tool_message("%s", wrong);
    return TOOL_FAILED;
}

static enum tool_status cmd_version(int argc, char **argv) {
    argp_parse(&version_argp, argc, argv, 0, NULL, NULL);
    puts("pfifo " PFIFO_TOOL_VERSION);
    return TOOL_OK;
}

/* ---- the end ---- */

/* The process was started with SIGPIPE ignored. */
static bool pipes_are_ignored;

static bool reader_is_gone(int reason) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return reason == EPIPE || (poll(&output, 1, 0) == 1 && (output.revents & POLLERR));
}

/* However the process ends, lost output is an error. If its reader has gone away (head), SIGPIPE says so, late. */
static void check_output(void) {
    bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return;
    int reason = tool_output_reason() ? tool_output_reason() : errno;
    if (!pipes_are_ignored && reader_is_gone(reason)) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    tool_message("cannot write to standard output%s%s", reason ? ": " : "", reason ? strerror(reason) : "");
    _exit(TOOL_FAILED);
}

int main(int argc, char **argv) {
    struct choice choice = {TOOL_OK};
    char name[] = "pfifo";

    /* A reader that goes away must not kill the process before other files are complete. */
    pipes_are_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
    if (atexit(check_output) != 0 || argc < 1)
        return TOOL_FAILED;
    argp_err_exit_status = TOOL_FAILED;
    argv[0] = name;
    if (argp_parse(&main_argp, argc, argv, ARGP_IN_ORDER, NULL, &choice) != 0)
        return TOOL_FAILED;
    return choice.status;
}
