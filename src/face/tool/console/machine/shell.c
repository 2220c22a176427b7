/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/event_names.h"
#include "face/tool/console/machine/inside.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
    if (shell->trace && event_names_check(shell->globs, error) &&
        pfifo_trace_attach(shell->trace, shell->gpu, shell->globs, error) == PFIFO_OK)
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

bool shell_cmd_chip(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(argument[1]);

    (void)count;
    return chip ? renew(shell, chip, error) : refuse(error, "there is no chip '%.60s'", argument[1]);
}

bool shell_cmd_reset(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument;
    return renew(shell, pfifo_registers_chip(shell->registers), error);
}

bool shell_cmd_echo(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)error;
    shell->line = NULL;
    for (unsigned i = 1; i < count; i++)
        shell_print(shell, "%s%s", i > 1 ? " " : "", argument[i]);
    shell_print(shell, "\n");
    return true;
}

bool shell_cmd_quit(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    shell->quit = true;
    return true;
}

static bool check_needs(const struct shell *shell, const struct shell_verb *command, struct pfifo_error *error) {
    enum shell_needs needs = command->needs;

    if (shell->config.lent && (needs == SHELL_NEEDS_MODEL || needs == SHELL_NEEDS_NO_CARD))
        return refuse(error, "%s would change the machine, which can only be looked at", command->verb->name);
    if (shell->target->is_card &&
        (needs == SHELL_NEEDS_MODEL || needs == SHELL_NEEDS_NO_CARD || needs == SHELL_NEEDS_LOOK))
        return refuse(error, "%s is for models; this is a card", command->verb->name);
    if (!shell->target->is_card && needs == SHELL_NEEDS_CARD)
        return refuse(error, "%s works on a card only, and this is a model; pfifo shell --pci=ADDRESS opens a card",
                      command->verb->name);
    if (!shell->registers && (needs == SHELL_NEEDS_GPU || needs == SHELL_NEEDS_MODEL || needs == SHELL_NEEDS_LOOK))
        return refuse(error, "there is no GPU yet: chip NAME makes one");
    return true;
}

static bool shell_execute(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const struct shell_verb *command = shell_verb_find(argument[0], error);

    if (!command || !check_needs(shell, command, error) || !verbs_fit(command->verb, count, error))
        return false;
    shell->doing = command->verb->name;
    argument[0] = (char *)(uintptr_t)command->verb->name;
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

    size_t format = verbs_format_at(at);

    if (format) {
        memmove(at + format + 1, at + format, strlen(at + format) + 1);
        at[format] = ' ';
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
        refuse(error, "the line is not text");
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
