/* SPDX-License-Identifier: MIT */
#include "face/tool/shell_inside.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool shell_cmd_help(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
static bool cmd_chip(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
static bool cmd_reset(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
static bool cmd_echo(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
static bool cmd_quit(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* What a command needs. */
enum needs {
    NOTHING,
    A_GPU,   /* the model or the card */
    A_MODEL, /* a GPU that is no card */
    NO_CARD, /* the same, but there need be no GPU yet */
    A_LOOK,  /* a model, which it only looks at */
    A_CARD,
};

static const struct shell_command {
    const char *name;
    unsigned least, most; /* arguments */
    enum needs needs;
    shell_command run;
    const char *usage, *text;
    const char *more; /* for help with its name; NULL: that is all */
} commands[] = {
    {"help", 0, 1, NOTHING, shell_cmd_help, "[COMMAND]", "print this"},
    {"chip", 1, 1, NO_CARD, cmd_chip, "NAME", "a fresh GPU of that chip"},
    {"reset", 0, 0, A_MODEL, cmd_reset, "", "a fresh GPU of the same chip"},
    {"r32", 1, 2, A_GPU, shell_cmd_read, "PLACE [COUNT]", "read 32 bits, COUNT times"},
    {"r16", 1, 2, A_GPU, shell_cmd_read, "PLACE [COUNT]", "read 16 bits"},
    {"r8", 1, 2, A_GPU, shell_cmd_read, "PLACE [COUNT]", "read 8 bits"},
    {"w32", 2, SHELL_MAX_WORDS, A_GPU, shell_cmd_write, "PLACE VALUE...", "write 32 bits each, one behind the other"},
    {"w16", 2, SHELL_MAX_WORDS, A_GPU, shell_cmd_write, "PLACE VALUE...", "write 16 bits each"},
    {"w8", 2, SHELL_MAX_WORDS, A_GPU, shell_cmd_write, "PLACE VALUE...", "write 8 bits each"},
    {"expect", 2, 3, A_GPU, shell_cmd_expect, "PLACE VALUE [MASK]", "fail if the 32 bits there, under the mask, differ",
     "  expect stop REASON           fail unless the last run stopped for it: idle, budget, waiting, interrupt, "
     "frozen\n"
     "  expect irq LEVEL             fail unless the interrupt line is asserted (1) or not (0)\n"},
    {"dump", 0, 1, A_GPU, shell_cmd_dump, "[GLOB]", "read the registers with such names",
     "GLOB: CACHE1_*, PMC.*, PCCSR. Windows must match GLOB; of long arrays, only elements that are not 0.\n"},
    {"vram", 1, SHELL_MAX_WORDS, A_GPU, shell_cmd_memory, "ADDRESS [VALUE...]", "read 4 words of VRAM, or write"},
    {"sys", 1, SHELL_MAX_WORDS, A_GPU, shell_cmd_memory, "ADDRESS [VALUE...]", "the same in system memory"},
    {"ramin", 1, SHELL_MAX_WORDS, A_GPU, shell_cmd_memory, "ADDRESS [VALUE...]", "the same in RAMIN"},
    {"bar", 2, SHELL_MAX_WORDS, A_GPU, shell_cmd_bar, "N ADDRESS [VALUE...]", "the same in a BAR"},
    {"run", 0, 1, A_MODEL, shell_cmd_run, "[UNITS]", "run until it stops, or for UNITS of work",
     "A unit is a word fetched, a method executed, or engine work that takes about as long (64 bytes copied). The\n"
     "default is 1048576. The reason of the stop is printed: idle, budget (UNITS), waiting, interrupt or frozen.\n"},
    {"step", 0, 1, A_MODEL, shell_cmd_step, "[STEPS]", "run one unit at a time, and print the events",
     "STEPS is at most 4096.\n"},
    {"until", 2, 3, A_MODEL, shell_cmd_until, "PLACE VALUE [MASK]",
     "run until the 32 bits there, under the mask, are VALUE",
     "  until event GLOBS            run until such an event happens\n"
     "It is looked at after each unit of work. The run is as long as one of the command run; if it ends before, that "
     "is\n"
     "an error.\n"},
    {"watch", 1, 1, A_MODEL, shell_cmd_watch, "PLACE", "run until the 32 bits there have changed",
     "break register and break memory stop each time they have.\n"},
    {"next", 0, 2, A_MODEL, shell_cmd_next, "[packet|method|draw] [N]", "run up to the next packet, or other unit",
     "It stops before the packet is fetched, or the method executed; behind the draw. With N, at the Nth.\n"},
    {"back", 0, 1, A_MODEL, shell_cmd_back, "[N]", "go back by N units of work",
     "Registers, memory and the clock are what they were: the machine was saved before the first run since something\n"
     "else changed it, and there is no way back over that.\n"},
    {"break", 1, SHELL_MAX_WORDS, A_MODEL, shell_cmd_break, "WHERE", "stop runs there, each time",
     "WHERE: QUERY                  before a method that matches, as pfifo grep has it: CLEAR_*, class=*_3D data=0\n"
     "       *ADDRESS               before the word at this address of a pushbuffer is fetched\n"
     "       event GLOBS [QUERY]    behind an event, as pfifo events names it: engine.draw, puller.*\n"
     "       register PLACE         when the register has changed\n"
     "       memory PLACE [BYTES]   when memory has changed\n"
     "run, step, until, watch and next stop there. They do a unit of work at a time then, which takes longer.\n"},
    {"tbreak", 1, SHELL_MAX_WORDS, A_MODEL, shell_cmd_break, "WHERE", "the same, once"},
    {"catch", 1, SHELL_MAX_WORDS, A_MODEL, shell_cmd_break, "GLOBS [QUERY]", "stop behind events: break event"},
    {"delete", 0, 1, A_MODEL, shell_cmd_delete, "[NUMBER]", "take a breakpoint away, or all"},
    {"info", 0, 2, A_GPU, shell_cmd_info, "[THING]", "show what there is",
     "THING: breakpoints, channels, irq, registers [GLOB]; without it, they are listed.\n"},
    {"x", 1, 2, A_GPU, shell_cmd_examine, "[/FMT] PLACE", "print memory or registers",
     "FMT: how many, x d u f or c, and b h w or g for 1, 2, 4 or 8 bytes: x/8xw vram:0x1000\n"},
    {"disassemble", 0, 2, A_LOOK, shell_cmd_disassemble, "[CHANNEL | ADDRESS [COUNT]]",
     "what the words around GET, or at an address, say",
     "CHANNEL is decimal; without it, it is the one on the chip. ADDRESS begins with 0x, and is one of the channel's\n"
     "pushbuffer, or a PLACE in memory: sys:0x1000. COUNT: words, by default 16.\n"},
    {"pass", 0, 1, A_MODEL, shell_cmd_pass, "[NANOSECONDS]", "let time pass without work",
     "Until the alarm of PTIMER or the timeout of an acquire, but for at most NANOSECONDS. The next run shows the\n"
     "effect.\n"},
    {"stop", 0, 0, A_MODEL, shell_cmd_stop, "", "print why the last run stopped"},
    {"irq", 0, 0, A_GPU, shell_cmd_irq, "", "print the interrupt line and the pending interrupts",
     "From PMC through PFIFO to the PBDMAs, bits by name; pending interrupts that are not enabled are marked.\n"},
    {"channels", 0, 0, A_GPU, shell_cmd_channels, "", "print the state of each channel"},
    {"freeze", 0, 1, A_GPU, shell_cmd_freeze, "[MILLISECONDS]", "stop PFIFO, and wait until it has stopped",
     "MILLISECONDS: the timeout, by default 2000, at most 60000. If PFIFO does not stop, FREEZE is restored.\n"},
    {"thaw", 0, 1, A_GPU, shell_cmd_freeze, "[MILLISECONDS]", "let PFIFO continue, and wait until it does"},
    {"card", 0, 0, A_CARD, shell_cmd_card, "", "identify the card, and print its BARs"},
    {"trace", 1, SHELL_MAX_WORDS, NO_CARD, shell_cmd_trace, "GLOBS|off", "print events as they happen",
     "GLOBS: pusher.*,puller.bind. The command 'pfifo events' lists them.\n"},
    {"save", 1, 1, A_LOOK, shell_cmd_save, "FILE", "save the GPU to a file"},
    {"load", 1, 1, A_MODEL, shell_cmd_load, "FILE", "restore a GPU of the same chip from a file",
     "If the file cannot be loaded, the GPU is in the state after reset.\n"},
    {"echo", 0, SHELL_MAX_WORDS, NOTHING, cmd_echo, "TEXT...", "print the text"},
    {"quit", 0, 0, NOTHING, cmd_quit, "", "end the session"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

const char *shell_command_name(size_t index) {
    return index < COMMAND_COUNT ? commands[index].name : NULL;
}

static void shell_put(struct shell *shell, const char *text, size_t bytes) {
    shell->config.write(shell->config.opaque, text, bytes);
}

/* The command is printed before its first output or event. */
static void shell_put_line(struct shell *shell) {
    if (!shell->line)
        return;
    shell_put(shell, "> ", 2);
    shell_put(shell, shell->line, strlen(shell->line));
    shell_put(shell, "\n", 1);
    shell->line = NULL;
}

void shell_print(struct shell *shell, const char *format, ...) {
    char text[2 * SHELL_LINE_BYTES];
    va_list args;

    if (shell->trace)
        pfifo_trace_flush(shell->trace);
    shell_put_line(shell);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    shell_put(shell, text, strlen(text));
}

static bool write_events(void *opaque, const char *text, size_t bytes) {
    struct shell *shell = opaque;

    /* Without memory they are printed, though they may not have happened. */
    if (shell->holds && state_bytes_write(&shell->held, text, bytes))
        return true;
    if (shell->config.write_events)
        return shell->config.write_events(shell->config.events_opaque, text, bytes);
    shell_put_line(shell);
    shell_put(shell, text, bytes);
    return true;
}

void shell_put_events(struct shell *shell, const char *text, size_t bytes) {
    if (bytes)
        write_events(shell, text, bytes);
}

bool shell_trace(struct shell *shell, struct pfifo_error *error) {
    pfifo_trace_free(shell->trace);
    shell->trace = NULL;
    if (!shell->globs || !shell->gpu)
        return true;
    shell->trace = pfifo_trace_new(PFIFO_TRACE_TEXT, write_events, shell, error);
    if (shell->trace && pfifo_trace_attach(shell->trace, shell->gpu, shell->globs, error) == PFIFO_OK)
        return true;
    pfifo_trace_free(shell->trace);
    shell->trace = NULL;
    return false;
}

static bool renew(struct shell *shell, const struct pfifo_chip *chip, struct pfifo_error *error) {
    struct pfifo_config config = shell->config.gpu;
    struct pfifo_gpu *gpu;

    config.chip = chip;
    gpu = pfifo_gpu_new(&config, error);
    if (!gpu)
        return false;
    pfifo_trace_free(shell->trace);
    shell->trace = NULL;
    pfifo_gpu_free(shell->gpu);
    shell->gpu = gpu;
    shell->registers = pfifo_gpu_registers(gpu);
    shell->ran = shell->before = false;
    shell_back_free(shell);
    shell_break_chip(shell);
    return shell_binds_watch(shell, error) && shell_trace(shell, error);
}

static bool cmd_chip(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(argument[1]);

    (void)count;
    return chip ? renew(shell, chip, error) : refuse(error, "there is no chip '%.60s'", argument[1]);
}

static bool cmd_reset(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument;
    return renew(shell, pfifo_registers_chip(shell->registers), error);
}

static bool cmd_echo(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)error;
    shell->line = NULL;
    for (unsigned i = 1; i < count; i++)
        shell_print(shell, "%s%s", i > 1 ? " " : "", argument[i]);
    shell_print(shell, "\n");
    return true;
}

static bool cmd_quit(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    shell->quit = true;
    return true;
}

static const struct shell_command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_command(struct shell *shell, const struct shell_command *command) {
    char usage[64];

    snprintf(usage, sizeof usage, "%s %s", command->name, command->usage);
    shell_print(shell, "  %-28s %s\n", usage, command->text);
}

static const char places[] =
    "PLACE is a register or window (CACHE1_GET, PMC.INTR, CACHE1_CTX[3], USER+0x2010), an offset in BAR0 "
    "(0x3270),\n"
    "or vram:ADDRESS, sys:ADDRESS, ramin:ADDRESS, bar1:ADDRESS. VALUE is a number (0x10, 16), a PLACE, "
    "whose value is\n"
    "read, or several with + | << and ~ between: CACHE1_GET+4, 1<<20|3, ~0. What follows a # is a "
    "comment.\n";

static bool shell_cmd_help(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const struct shell_command *command = count > 1 ? find_command(argument[1]) : NULL;

    if (count > 1 && !command)
        return refuse(error, "there is no command '%.60s'", argument[1]);
    if (command) {
        print_command(shell, command);
        if (command->more)
            shell_print(shell, "%s", command->more);
        if (strstr(command->usage, "PLACE"))
            shell_print(shell, "%s", places);
        return true;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        print_command(shell, &commands[i]);
    shell_print(shell, "%s", places);
    return true;
}

static bool check_needs(const struct shell *shell, const struct shell_command *command, struct pfifo_error *error) {
    enum needs needs = command->needs;

    if (shell->config.lent && (needs == A_MODEL || needs == NO_CARD))
        return refuse(error, "%s would change the machine, which can only be looked at", command->name);
    if (shell->target->is_card && (needs == A_MODEL || needs == NO_CARD || needs == A_LOOK))
        return refuse(error, "%s is for models; this is a card", command->name);
    if (!shell->target->is_card && needs == A_CARD)
        return refuse(error, "%s is for a card; this is a model", command->name);
    if (!shell->registers && (needs == A_GPU || needs == A_MODEL || needs == A_LOOK))
        return refuse(error, "there is no GPU yet: chip NAME makes one");
    return true;
}

static bool shell_execute(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const struct shell_command *command = find_command(argument[0]);

    if (!command)
        return refuse(error, "there is no command '%.60s'; help lists them", argument[0]);
    if (!check_needs(shell, command, error))
        return false;
    if (count - 1 < command->least || count - 1 > command->most)
        return refuse(error, "usage: %s %s", command->name, command->usage);
    shell->doing = command->name;
    return command->run(shell, count, argument, error);
}

/* Split a line into words, in place. A # at the start of a word begins a comment. False: too many words. */
static bool split(char *line, char **word, unsigned *count) {
    static const char blanks[] = " \t\r\f\v";
    char *rest = NULL;

    *count = 0;
    for (char *at = strtok_r(line, blanks, &rest); at && *at != '#'; at = strtok_r(NULL, blanks, &rest)) {
        if (*count == SHELL_MAX_WORDS)
            return false;
        word[(*count)++] = at;
    }
    return true;
}

/* "x/8xw PLACE" is three words. */
static void part_format(char copy[SHELL_LINE_BYTES + 1]) {
    char *at = copy + strspn(copy, " \t");

    if (at[0] == 'x' && at[1] == '/') {
        memmove(at + 2, at + 1, strlen(at + 1) + 1);
        at[1] = ' ';
    }
}

static bool has_control_characters(const char *line) {
    for (; *line; line++)
        if (iscntrl((unsigned char)*line) && !isspace((unsigned char)*line))
            return true;
    return false;
}

enum shell_status shell_line(struct shell *shell, const char *line, struct pfifo_error *error) {
    char copy[SHELL_LINE_BYTES + 1], *word[SHELL_MAX_WORDS];
    unsigned count = 0;
    bool ok;

    if (strlen(line) >= SHELL_LINE_BYTES) {
        refuse(error, "the line is longer than %d bytes", SHELL_LINE_BYTES - 1);
        return SHELL_FAILED;
    }
    if (has_control_characters(line)) {
        refuse(error, "the line is no text");
        return SHELL_FAILED;
    }
    strcpy(copy, line); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy): it fits */
    part_format(copy);
    if (!split(copy, word, &count)) {
        refuse(error, "more than %d words in a line", SHELL_MAX_WORDS);
        return SHELL_FAILED;
    }
    if (!count)
        return SHELL_OK;
    shell->line = shell->config.explain ? line + strspn(line, " \t") : NULL;
    ok = shell_execute(shell, count, word, error);
    if (shell->trace)
        pfifo_trace_flush(shell->trace);
    shell->line = NULL;
    return !ok ? SHELL_FAILED : shell->quit ? SHELL_QUIT : SHELL_OK;
}

struct shell *shell_new(const struct shell_config *config, struct pfifo_error *error) {
    struct shell *shell = calloc(1, sizeof *shell);

    if (!shell) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a shell");
        return NULL;
    }
    shell->config = *config;
    shell->target = config->card ? &shell_card : config->lent ? &shell_lent : &shell_model;
    if (config->lent) {
        shell->gpu = config->lent;
        shell->registers = pfifo_gpu_registers(shell->gpu);
        return shell;
    }
    if (config->card)
        shell->registers = shell->of_card = pfifo_registers_new(config->card->chip, error);
    else
        shell->globs = config->trace ? strdup(config->trace) : NULL;
    if (config->card ? shell->of_card != NULL : !config->gpu.chip || renew(shell, config->gpu.chip, error))
        return shell;
    shell_free(shell);
    return NULL;
}

void shell_free(struct shell *shell) {
    if (!shell)
        return;
    pfifo_trace_free(shell->trace);
    if (!shell->config.lent)
        pfifo_gpu_free(shell->gpu);
    pfifo_registers_free(shell->of_card);
    breaks_free(&shell->breaks);
    shell_back_free(shell);
    free(shell->binds);
    state_bytes_free(&shell->held);
    free(shell->globs);
    free(shell);
}

const char *shell_chip(const struct shell *shell) {
    return shell->registers ? pfifo_chip_info(pfifo_registers_chip(shell->registers)).name : NULL;
}
