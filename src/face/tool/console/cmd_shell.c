/* SPDX-License-Identifier: MIT */
/*
 * pfifo shell: the registers of a GPU or a card, from a terminal, a pipe or a file.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/names_option.h"
#include "face/tool/console/lines/session.h"
#include "face/tool/tool.h"

#include <string.h>
#include <unistd.h>

enum cmd_shell_option_key {
    KEY_CHIP = 'c',
    KEY_KEEP_GOING = 'k',
    KEY_PCI = 'p',
    KEY_TRACE = 't',
    KEY_WRITE = 'w',
    KEY_SYSFS = 256,
    KEY_BAR1
};

struct options {
    struct console_config console;
    struct first_commands first;
    const char *file;
    bool keep_going;
    const char *pci, *sysfs; /* address of a card; where the tree is, NULL: where Linux has it */
    bool write;
};

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "Start with a GPU of this chip", 0},
    {"bar1", KEY_BAR1, "BYTES", 0, "Size of BAR1, a power of two. Default: what a board of the chip has, as info says",
     0},
    {"trace", KEY_TRACE, "GLOBS", OPTION_ARG_OPTIONAL,
     "Print events as they happen, as the command trace does. Default: all but accesses to registers and "
     "memory.tlb_flush. No blank before GLOBS: -tGLOBS",
     0},
    {"pci", KEY_PCI, "ADDRESS", 0, "Open the card at 01:00.0 or 0000:01:00.0 instead of a model", 0},
    {"write", KEY_WRITE, NULL, 0, "Let commands write to the card", 0},
    {"sysfs", KEY_SYSFS, "DIR", 0, "Find cards in this tree instead of /sys", 0},
    {"keep-going", KEY_KEEP_GOING, NULL, 0, "Continue after an error in a script", 0},
    {0},
};

static error_t cmd_shell_parse(int key, char *arg, struct argp_state *state) {
    struct options *console = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &console->first;
        return 0;
    case KEY_CHIP:
        console->console.gpu.chip = tool_chip(state, arg);
        return 0;
    case KEY_BAR1:
        console->console.gpu.bar1_bytes = tool_number(state, "bar1", arg);
        return 0;
    case KEY_TRACE:
        console->console.trace = arg ? arg : CONSOLE_EVENTS;
        return 0;
    case KEY_KEEP_GOING:
        console->keep_going = true;
        return 0;
    case KEY_PCI:
        console->pci = arg;
        return 0;
    case KEY_WRITE:
        console->write = true;
        return 0;
    case KEY_SYSFS:
        console->sysfs = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (console->file)
            argp_error(state, "one FILE at a time");
        console->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (console->pci && (console->console.gpu.chip || console->console.gpu.bar1_bytes || console->console.trace))
            argp_error(state, "--chip, --bar1 and --trace are for models, not for a card");
        if (!console->pci && (console->write || console->sysfs))
            argp_error(state, "--write and --sysfs need --pci");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&first_commands_argp, 0, NULL, 0},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp console_argp = {
    options,
    cmd_shell_parse,
    "[FILE]",
    "Read and write registers and memory of a GPU, and run it: do what a kernel driver does, by hand."
    "\vWith --pci the GPU is a real card, which is only read unless --write is given. "
    "Commands come from the options, and then from FILE or the terminal; without any of these, from standard input. "
    "The command help lists them. In options, a file or a pipe the first error ends the session, with exit status 1.",
    children,
    NULL,
    NULL,
};

static void print_device(void *opaque, const struct pci_device *device) {
    (void)opaque;
    tool_message("%s: %04x:%04x%s%s%s%s", device->address, device->vendor, device->device,
                 device->driver[0] ? ", driver " : "", device->driver, device->asleep ? ", switched off: " : "",
                 device->asleep ? device->asleep : "");
}

/* The card of the options. If there is none at the address, list the existing ones. */
static struct pci_card *open_card(const struct options *choice) {
    const char *root = choice->sysfs ? choice->sysfs : "/sys";
    struct pfifo_error error = {0};
    struct pci_card *card = pci_open(root, choice->pci, choice->write, &error);

    if (card)
        return card;
    tool_message("%s", error.message);
    if ((error.status == PFIFO_ERROR_ARGUMENT || error.status == PFIFO_ERROR_UNSUPPORTED) &&
        !pci_each(root, print_device, NULL))
        tool_message("no graphics chip of NVIDIA is to be found in %s; --chip=CHIP, instead of --pci, opens a model",
                     root);
    return NULL;
}

/* Only what the commands print: for programs, and for files to compare. */
static void tell_card(const struct pci_card *card) {
    tool_message("%s: %s, %s", card->device.address, pfifo_chip_info(card->chip).name,
                 card->writable ? "can be written" : "read-only");
}

static enum tool_status run_rest(struct console_session *session, const struct options *choice) {
    bool terminal = isatty(STDIN_FILENO);

    if (choice->file && strcmp(choice->file, "-") != 0)
        return session_file(session, choice->file);
    if (!choice->file && choice->first.count && !terminal)
        return TOOL_OK;
    if (choice->console.card && terminal)
        console_line(session->console, "card", &(struct pfifo_error){0});
    return session_input(session, terminal);
}

static enum tool_status cmd_shell_execute(const struct options *choice) {
    struct console_session session = {.name = "shell", .keep_going = choice->keep_going, .runs_stop = true};
    struct pfifo_error error = {0};
    enum tool_status status, rest;

    session.console = console_new(&choice->console, &error);
    if (!session.console) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    if (choice->console.card && (choice->file || !isatty(STDIN_FILENO)))
        tell_card(choice->console.card);
    status = session_first(&session, &choice->first);
    if (!session.quit && (status == TOOL_OK || choice->keep_going || (!choice->file && isatty(STDIN_FILENO)))) {
        rest = run_rest(&session, choice);
        status = rest > status ? rest : status;
    }
    console_free(session.console);
    return status;
}

static enum tool_status cmd_shell_run(struct options *choice) {
    enum tool_status status = TOOL_FAILED;

    choice->console.card = choice->pci ? open_card(choice) : NULL;
    if (choice->console.card || !choice->pci)
        status = cmd_shell_execute(choice);
    pci_close(choice->console.card);
    return status;
}

enum tool_status cmd_shell(int argc, char **argv) {
    struct options choice = {.console = {.write = tool_write, .files = true}};

    command_line_parse_console(&console_argp, argc, argv, paint_debug, &choice);
    if (isatty(STDIN_FILENO) && !choice.file)
        choice.console.enough = interrupt_enough;
    choice.console.opaque = stdout; /* which may be painted now */
    return cmd_shell_run(&choice);
}
