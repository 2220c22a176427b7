/* SPDX-License-Identifier: MIT */
/*
 * pfifo shell: the registers of a GPU or a card, from a terminal, a pipe or a file.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/console/first_commands.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/console/line_edit.h"
#include "face/tool/console/machine/shell.h"
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
    struct shell_config shell;
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
    struct options *shell = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &shell->first;
        return 0;
    case KEY_CHIP:
        shell->shell.gpu.chip = tool_chip(state, arg);
        return 0;
    case KEY_BAR1:
        shell->shell.gpu.bar1_bytes = tool_number(state, "bar1", arg);
        return 0;
    case KEY_TRACE:
        shell->shell.trace = arg ? arg : SHELL_EVENTS;
        return 0;
    case KEY_KEEP_GOING:
        shell->keep_going = true;
        return 0;
    case KEY_PCI:
        shell->pci = arg;
        return 0;
    case KEY_WRITE:
        shell->write = true;
        return 0;
    case KEY_SYSFS:
        shell->sysfs = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (shell->file)
            argp_error(state, "one FILE at a time");
        shell->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (shell->pci && (shell->shell.gpu.chip || shell->shell.gpu.bar1_bytes || shell->shell.trace))
            argp_error(state, "--chip, --bar1 and --trace are for models, not for a card");
        if (!shell->pci && (shell->write || shell->sysfs))
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

static const struct argp shell_argp = {
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

/* A line that is too long is asked for again; of one that was broken off nothing is done. */
static bool ask(void *opaque, const char *prompt, char line[SHELL_LINE_BYTES]) {
    enum line_edit_result result;

    while ((result = line_edit_read(opaque, prompt, line, SHELL_LINE_BYTES)) == LINE_EDIT_LONG)
        tool_message("the line is longer than %d bytes, or not text", SHELL_LINE_BYTES - 1);
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
static bool run_lines(struct shell *shell, struct shell_script *script) {
    const struct line_edit_config config = {.name = "shell", .word = shell_word, .opaque = shell};
    struct line_edit *edit = script->prompt ? line_edit_new(&config) : NULL;
    bool clean;

    if (script->prompt)
        script->page = page;
    if (edit) {
        script->ask = ask;
        script->opaque = edit;
    }
    clean = shell_run_script(shell, script);
    line_edit_free(edit);
    return clean;
}

/* Commands from an open file. */
static enum tool_status run_file(struct shell *shell, struct shell_script *script) {
    bool clean = run_lines(shell, script);

    if (ferror(script->file)) {
        tool_cannot(script->name, "read");
        return TOOL_FAILED;
    }
    /* In an interactive session the errors were seen already. */
    return clean || script->prompt ? TOOL_OK : TOOL_FAULTED;
}

static enum tool_status run_named(struct shell *shell, const struct options *choice, const char *name, bool *quit) {
    struct shell_script script = {.file = fopen(name, "r"), .name = name, .keep_going = choice->keep_going};
    enum tool_status status;

    if (!script.file) {
        tool_cannot(name, "read");
        return TOOL_FAILED;
    }
    status = run_file(shell, &script);
    *quit = script.quit;
    fclose(script.file);
    return status;
}

static enum tool_status run_command(struct shell *shell, const char *command, bool *quit) {
    struct pfifo_error error = {0};
    enum shell_status status = shell_line(shell, command, &error);

    *quit = status == SHELL_QUIT;
    if (status != SHELL_FAILED)
        return TOOL_OK;
    fflush(stdout);
    tool_message("%s: %s", command, error.message);
    return TOOL_FAULTED;
}

/* The worst of them; without --keep-going the first that is not good. */
static enum tool_status run_firsts(struct shell *shell, const struct options *choice, bool *quit) {
    enum tool_status worst = TOOL_OK;

    for (size_t i = 0; i < choice->first.count && !*quit && (worst == TOOL_OK || choice->keep_going); i++) {
        const struct first_command *first = &choice->first.list[i];
        enum tool_status status =
            first->is_file ? run_named(shell, choice, first->text, quit) : run_command(shell, first->text, quit);
        worst = status > worst ? status : worst;
    }
    return worst;
}

static enum tool_status run_rest(struct shell *shell, const struct options *choice) {
    struct shell_script script = {
        .file = stdin, .name = "stdin", .prompt = isatty(STDIN_FILENO), .keep_going = choice->keep_going};
    bool quit;

    if (choice->file && strcmp(choice->file, "-") != 0)
        return run_named(shell, choice, choice->file, &quit);
    if (!choice->file && choice->first.count && !script.prompt)
        return TOOL_OK;
    if (choice->shell.card && script.prompt)
        shell_line(shell, "card", &(struct pfifo_error){0});
    return run_file(shell, &script);
}

static enum tool_status cmd_shell_execute(const struct options *choice) {
    struct pfifo_error error = {0};
    struct shell *shell = shell_new(&choice->shell, &error);
    enum tool_status status, rest;
    bool quit = false;

    if (!shell) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    if (choice->shell.card && (choice->file || !isatty(STDIN_FILENO)))
        tell_card(choice->shell.card);
    status = run_firsts(shell, choice, &quit);
    if (!quit && (status == TOOL_OK || choice->keep_going || (!choice->file && isatty(STDIN_FILENO)))) {
        rest = run_rest(shell, choice);
        status = rest > status ? rest : status;
    }
    shell_free(shell);
    return status;
}

static enum tool_status cmd_shell_run(struct options *choice) {
    enum tool_status status = TOOL_FAILED;

    choice->shell.card = choice->pci ? open_card(choice) : NULL;
    if (choice->shell.card || !choice->pci)
        status = cmd_shell_execute(choice);
    pci_close(choice->shell.card);
    return status;
}

enum tool_status cmd_shell(int argc, char **argv) {
    struct options choice = {.shell = {.write = tool_write, .files = true}};

    command_line_parse_console(&shell_argp, argc, argv, paint_debug, &choice);
    if (isatty(STDIN_FILENO) && !choice.file)
        choice.shell.enough = interrupt_enough;
    choice.shell.opaque = stdout; /* which may be painted now */
    return cmd_shell_run(&choice);
}
