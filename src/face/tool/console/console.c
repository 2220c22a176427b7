/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/event_names.h"
#include "face/common/naming.h"
#include "face/tool/console/channels/binds.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/back.h"
#include "face/tool/console/machine/go.h"
#include "face/tool/console/machine/model.h"
#include "face/tool/console/shader/shader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void put(struct console *console, const char *text, size_t bytes) {
    console->config.write(console->config.opaque, text, bytes);
}

/* The command is printed before its first output or event. */
static void console_put_line(struct console *console) {
    if (!console->line)
        return;
    put(console, "> ", 2);
    put(console, console->line, strlen(console->line));
    put(console, "\n", 1);
    console->line = NULL;
}

void console_put(struct console *console, const char *text, size_t bytes) {
    if (console->trace)
        pfifo_trace_flush(console->trace);
    console_put_line(console);
    put(console, text, bytes);
}

void console_print(struct console *console, const char *format, ...) {
    char text[2 * CONSOLE_LINE_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    console_put(console, text, strlen(text));
}

void console_print_text(void *console, const char *text) {
    console_put(console, text, strlen(text));
}

static bool write_events(void *opaque, const char *text, size_t bytes) {
    struct console *console = opaque;

    /* Without memory they are printed, though they may not have happened. */
    if (console->holds && state_bytes_write(&console->held, text, bytes))
        return true;
    if (console->config.write_events)
        return console->config.write_events(console->config.events_opaque, text, bytes);
    console_put_line(console);
    put(console, text, bytes);
    return true;
}

void console_put_events(struct console *console, const char *text, size_t bytes) {
    if (bytes)
        write_events(console, text, bytes);
}

bool console_trace(struct console *console, struct pfifo_error *error) {
    pfifo_trace_free(console->trace);
    console->trace = NULL;
    if (!console->globs || !console->gpu)
        return true;
    console->trace = pfifo_trace_new(PFIFO_TRACE_TEXT, write_events, console, error);
    if (console->trace)
        pfifo_trace_set_names(console->trace, naming());
    if (console->trace && event_names_check(console->globs, error) &&
        pfifo_trace_attach(console->trace, console->gpu, console->globs, error) == PFIFO_OK)
        return true;
    pfifo_trace_free(console->trace);
    console->trace = NULL;
    return false;
}

bool console_cmd_echo(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    console->line = NULL;
    console_print(console, "%s\n", console->rest);
    return true;
}

bool console_cmd_quit(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    console->quit = true;
    return true;
}

/* ---- lines ---- */

static const char blanks[] = " \t\r\f\v";

static bool execute_words(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct console_verb *command = console_verb_find(console, argument[0], error);

    if (!command || !verbs_fit(command->verb, count, error))
        return false;
    console->doing = command->verb->name;
    argument[0] = (char *)(uintptr_t)command->verb->name;
    return command->run(console, count, argument, error);
}

/* Split a line into words, in place. A # at the start of a word begins a comment. False: too many words. */
static bool console_split(char *line, char **word, unsigned *count) {
    char *rest = NULL;

    *count = 0;
    for (char *at = strtok_r(line, blanks, &rest); at && *at != '#'; at = strtok_r(NULL, blanks, &rest)) {
        if (*count == CONSOLE_MAX_WORDS)
            return false;
        word[(*count)++] = at;
    }
    return true;
}

/* "x/8xw PLACE" is three words. */
static void part_format(char copy[CONSOLE_LINE_BYTES + 1]) {
    char *at = copy + strspn(copy, blanks);

    size_t format = verbs_format_at(at);

    if (format) {
        memmove(at + format + 1, at + format, strlen(at + format) + 1);
        at[format] = ' ';
    }
}

/* The text after the first word, without the blanks around it and without a comment. */
static void find_rest(const char *line, char rest[CONSOLE_LINE_BYTES + 1]) {
    const char *begin = line + strspn(line, blanks), *end;

    begin += strcspn(begin, blanks);
    begin += strspn(begin, blanks);
    for (end = begin; *end && !(*end == '#' && (end == begin || strchr(blanks, end[-1]))); end++) {
    }
    while (end > begin && strchr(blanks, end[-1]))
        end--;
    memcpy(rest, begin, (size_t)(end - begin));
    rest[end - begin] = 0;
}

static bool has_control_characters(const char *line) {
    for (; *line; line++)
        if (iscntrl((unsigned char)*line) && !isspace((unsigned char)*line))
            return true;
    return false;
}

enum console_status console_execute(struct console *console, const char *line, struct pfifo_error *error) {
    char copy[CONSOLE_LINE_BYTES + 1], rest[CONSOLE_LINE_BYTES + 1], *word[CONSOLE_MAX_WORDS];
    unsigned count = 0;
    bool ok;

    if (strlen(line) >= CONSOLE_LINE_BYTES) {
        refuse(error, "the line is longer than %d bytes", CONSOLE_LINE_BYTES - 1);
        return CONSOLE_FAILED;
    }
    if (has_control_characters(line)) {
        refuse(error, "the line is not text");
        return CONSOLE_FAILED;
    }
    strcpy(copy, line); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy): it fits */
    part_format(copy);
    find_rest(copy, rest);
    if (!console_split(copy, word, &count)) {
        refuse(error, "more than %d words in a line", CONSOLE_MAX_WORDS);
        return CONSOLE_FAILED;
    }
    if (!count)
        return CONSOLE_OK;
    console->line = console->config.explain ? line + strspn(line, " \t") : NULL;
    console->rest = rest;
    ok = execute_words(console, count, word, error);
    if (console->trace)
        pfifo_trace_flush(console->trace);
    console->line = console->rest = NULL;
    return !ok ? CONSOLE_FAILED : console->quit ? CONSOLE_QUIT : CONSOLE_OK;
}

enum console_status console_line(struct console *console, const char *line, struct pfifo_error *error) {
    return console->target->line ? console->target->line(console, line, error) : console_execute(console, line, error);
}

void console_join(unsigned count, char **argument, char between, char text[CONSOLE_LINE_BYTES]) {
    size_t used = 0;

    text[0] = 0;
    /* Not longer than the line that they come from. */
    for (unsigned i = 1; i < count; i++) {
        if (i > 1)
            text[used++] = between;
        used += (size_t)snprintf(text + used, CONSOLE_LINE_BYTES - used, "%s", argument[i]);
    }
}

bool console_has_enough(const struct console *console) {
    return console->config.enough && console->config.enough(console->config.opaque);
}

/* ---- a session ---- */

struct console *console_new(const struct console_config *config, struct pfifo_error *error) {
    struct console *console = calloc(1, sizeof *console);

    if (!console) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a console");
        return NULL;
    }
    console->config = *config;
    console->target = config->card ? &console_card : &console_model;
    if (config->card)
        console->registers = console->of_card = pfifo_registers_new(config->card->chip, error);
    else
        console->globs = config->trace ? strdup(config->trace) : NULL;
    if (config->card ? console->of_card != NULL : !config->gpu.chip || console_renew(console, config->gpu.chip, error))
        return console;
    console_free(console);
    return NULL;
}

void console_free(struct console *console) {
    if (!console)
        return;
    pfifo_trace_free(console->trace);
    pfifo_gpu_free(console->gpu);
    pfifo_registers_free(console->of_card);
    breaks_free(&console->breaks);
    shader_free(console);
    console_back_free(console);
    free(console->binds);
    state_bytes_free(&console->held);
    free(console->globs);
    free(console);
}

const char *console_chip(const struct console *console) {
    return console->registers ? pfifo_chip_info(pfifo_registers_chip(console->registers)).name : NULL;
}
