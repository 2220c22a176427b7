/* SPDX-License-Identifier: MIT */
/* Files of commands. */
#include "face/tool/shell.h"

#include <ctype.h>
#include <string.h>

enum line { LINE_READ, LINE_LONG, LINE_BINARY, LINE_END };

/* A line without its newline. Of a line that is too long, or not text, only the beginning. */
static enum line shell_script_read_line(FILE *file, char line[SHELL_LINE_BYTES]) {
    size_t used = 0;
    int c = fgetc(file);

    if (c == EOF)
        return LINE_END;
    for (; c != EOF && c != '\n'; c = fgetc(file)) {
        if (c == 0 || used == SHELL_LINE_BYTES - 1)
            return c == 0 ? LINE_BINARY : LINE_LONG;
        line[used++] = (char)c;
    }
    line[used] = 0;
    return LINE_READ;
}

static void pass_over(FILE *file) {
    int c;

    do
        c = fgetc(file);
    while (c != EOF && c != '\n');
}

static enum shell_status shell_script_execute(struct shell *shell, enum line kind, const char *line,
                                              struct pfifo_error *error) {
    if (kind == LINE_READ)
        return shell_line(shell, line, error);
    pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                    kind == LINE_LONG ? "the line is longer than %d bytes" : "the line is no text",
                    SHELL_LINE_BYTES - 1);
    return SHELL_FAILED;
}

static void shell_script_report(const struct shell_script *script, unsigned long number,
                                const struct pfifo_error *error) {
    fflush(stdout);
    if (script->prompt)
        fprintf(stderr, "%s\n", error->message);
    else
        fprintf(stderr, "%s:%lu: %s\n", script->name, number, error->message);
}

/* With a prompt, if somebody is there. */
static enum line next_line(const struct shell *shell, const struct shell_script *script, char line[SHELL_LINE_BYTES]) {
    const char *chip = shell_chip(shell);
    char prompt[32];

    snprintf(prompt, sizeof prompt, "%s> ", chip ? chip : "pfifo");
    if (script->ask)
        return script->ask(script->opaque, prompt, line) ? LINE_READ : LINE_END;
    if (script->prompt) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    return shell_script_read_line(script->file, line);
}

bool shell_run_script(struct shell *shell, const struct shell_script *script) {
    char line[SHELL_LINE_BYTES];
    bool clean = true;

    for (unsigned long number = 1;; number++) {
        struct pfifo_error error = {0};
        enum line kind = next_line(shell, script, line);
        enum shell_status status = kind == LINE_END ? SHELL_QUIT : shell_script_execute(shell, kind, line, &error);
        if (status == SHELL_QUIT)
            break;
        if (status == SHELL_OK)
            continue;
        shell_script_report(script, number, &error);
        clean = false;
        if (!script->prompt && !script->keep_going)
            break;
        if (kind != LINE_READ)
            pass_over(script->file);
    }
    return clean;
}

bool shell_is_script(const char *text, size_t bytes) {
    static const char command[] = "chip";
    size_t length = sizeof command - 1, at = 0;

    while (at < bytes) {
        const char *end;
        while (at < bytes && isspace((unsigned char)text[at]))
            at++;
        if (at < bytes && text[at] != '#')
            break;
        end = memchr(text + at, '\n', bytes - at);
        if (!end)
            return false;
        at = (size_t)(end - text) + 1;
    }
    return bytes - at > length && memcmp(text + at, command, length) == 0 &&
           (text[at + length] == ' ' || text[at + length] == '\t');
}
