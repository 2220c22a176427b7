/* SPDX-License-Identifier: MIT */
/* Files of commands. */
#include "face/tool/console/lines.h"
#include "face/tool/console/machine/inside.h"

#include <ctype.h>
#include <string.h>

static enum shell_status shell_script_execute(struct shell *shell, const struct shell_script *script, enum line kind,
                                              const char *line, struct pfifo_error *error) {
    enum shell_status status;

    if (kind != LINE_READ) {
        line_wrong(kind, SHELL_LINE_BYTES, error);
        return SHELL_FAILED;
    }
    if (script->page)
        script->page(verbs_shows(&shell_verbs, line), true);
    status = shell_line(shell, line, error);
    if (script->page)
        script->page(verbs_shows(&shell_verbs, line), false);
    return status;
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
    return line_read(script->file, line, SHELL_LINE_BYTES);
}

/* An empty line of somebody at a terminal does the last command again, if it is one to be repeated. */
static void repeat(char line[SHELL_LINE_BYTES], char last[SHELL_LINE_BYTES]) {
    if (!line[strspn(line, " \t")] && verbs_repeats(&shell_verbs, last))
        memcpy(line, last, SHELL_LINE_BYTES);
    else
        memcpy(last, line, SHELL_LINE_BYTES);
}

bool shell_run_script(struct shell *shell, struct shell_script *script) {
    char line[SHELL_LINE_BYTES], last[SHELL_LINE_BYTES] = "";
    bool clean = true;

    for (unsigned long number = 1;; number++) {
        struct pfifo_error error = {0};
        enum line kind = next_line(shell, script, line);
        if (script->prompt && kind == LINE_READ)
            repeat(line, last);
        enum shell_status status =
            kind == LINE_END ? SHELL_QUIT : shell_script_execute(shell, script, kind, line, &error);
        script->quit = status == SHELL_QUIT && kind != LINE_END;
        if (status == SHELL_QUIT)
            break;
        if (status == SHELL_OK)
            continue;
        shell_script_report(script, number, &error);
        clean = false;
        if (!script->prompt && !script->keep_going)
            break;
        if (kind != LINE_READ)
            line_pass_over(script->file);
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
