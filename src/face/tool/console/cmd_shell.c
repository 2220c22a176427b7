/* SPDX-License-Identifier: MIT */
/*
 * pfifo shell: the registers of a GPU or a card, from a terminal, a pipe or a file.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/console/console.h"
#include "face/tool/console/first_commands.h"
#include "face/tool/console/line_edit.h"
#include "face/tool/tool.h"
#include "face/tool/view/view.h"

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

/* Asks again after a line that is too long. After Ctrl-C the line is empty, so nothing is done. */
static bool ask(void *opaque, const char *prompt, char line[CONSOLE_LINE_BYTES]) {
    enum line_edit_result result;

    while ((result = line_edit_read(opaque, prompt, line, CONSOLE_LINE_BYTES)) == LINE_EDIT_LONG)
        tool_message("the line is longer than %d bytes, or not text", CONSOLE_LINE_BYTES - 1);
    if (result == LINE_EDIT_INTERRUPTED)
        line[0] = 0;
    return result != LINE_EDIT_END;
}

/* A command at a terminal. */
static void page(bool shows, bool begins) {
    if (begins)
        interrupt_forget();
    if (!shows && begins)
        interrupt_begin();
    else if (!shows)
        interrupt_end();
    else if (begins)
        view_page_begin();
    else
        view_page_end();
}

/* Commands of a file, or of somebody at a terminal. */
static bool run_lines(struct console *console, struct console_script *script) {
    const struct line_edit_config config = {.name = "shell", .word = console_word, .opaque = console};
    struct line_edit *edit = script->prompt ? line_edit_new(&config) : NULL;
    bool clean;

    if (script->prompt)
        script->page = page;
    if (edit) {
        script->ask = ask;
        script->opaque = edit;
    }
    clean = console_run_script(console, script);
    line_edit_free(edit);
    return clean;
}

/* Commands from an open file. */
static enum tool_status run_file(struct console *console, struct console_script *script) {
    bool clean = run_lines(console, script);

    if (ferror(script->file)) {
        tool_cannot(script->name, "read");
        return TOOL_FAILED;
    }
    /* In an interactive session the errors were seen already. */
    return clean || script->prompt ? TOOL_OK : TOOL_FAULTED;
}

static enum tool_status run_named(struct console *console, const struct options *choice, const char *name, bool *quit) {
    struct console_script script = {.file = fopen(name, "r"), .name = name, .keep_going = choice->keep_going};
    enum tool_status status;

    if (!script.file) {
        tool_cannot(name, "read");
        return TOOL_FAILED;
    }
    status = run_file(console, &script);
    *quit = script.quit;
    fclose(script.file);
    return status;
}

static enum tool_status run_command(struct console *console, const char *command, bool *quit) {
    struct pfifo_error error = {0};
    enum console_status status = console_line(console, command, &error);

    *quit = status == CONSOLE_QUIT;
    if (status != CONSOLE_FAILED)
        return TOOL_OK;
    fflush(stdout);
    tool_message("%s: %s", command, error.message);
    return TOOL_FAULTED;
}

/* The worst of them; without --keep-going the first that is not good. */
static enum tool_status run_firsts(struct console *console, const struct options *choice, bool *quit) {
    enum tool_status worst = TOOL_OK;

    for (size_t i = 0; i < choice->first.count && !*quit && (worst == TOOL_OK || choice->keep_going); i++) {
        const struct first_command *first = &choice->first.list[i];
        enum tool_status status =
            first->is_file ? run_named(console, choice, first->text, quit) : run_command(console, first->text, quit);
        worst = status > worst ? status : worst;
    }
    return worst;
}

static enum tool_status run_rest(struct console *console, const struct options *choice) {
    struct console_script script = {
        .file = stdin, .name = "stdin", .prompt = isatty(STDIN_FILENO), .keep_going = choice->keep_going};
    bool quit;

    if (choice->file && strcmp(choice->file, "-") != 0)
        return run_named(console, choice, choice->file, &quit);
    if (!choice->file && choice->first.count && !script.prompt)
        return TOOL_OK;
    if (choice->console.card && script.prompt)
        console_line(console, "card", &(struct pfifo_error){0});
    return run_file(console, &script);
}

static enum tool_status cmd_shell_execute(const struct options *choice) {
    struct pfifo_error error = {0};
    struct console *console = console_new(&choice->console, &error);
    enum tool_status status, rest;
    bool quit = false;

    if (!console) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    if (choice->console.card && (choice->file || !isatty(STDIN_FILENO)))
        tell_card(choice->console.card);
    status = run_firsts(console, choice, &quit);
    if (!quit && (status == TOOL_OK || choice->keep_going || (!choice->file && isatty(STDIN_FILENO)))) {
        rest = run_rest(console, choice);
        status = rest > status ? rest : status;
    }
    console_free(console);
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
