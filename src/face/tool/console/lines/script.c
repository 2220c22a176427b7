/* SPDX-License-Identifier: MIT */
/* Files of commands. */
#include "face/tool/console/command.h"
#include "face/tool/console/lines/lines.h"

#include <ctype.h>
#include <string.h>

static enum console_status console_script_execute(struct console *console, const struct console_script *script,
                                                  enum line kind, const char *line, struct pfifo_error *error) {
    enum console_status status;

    if (kind != LINE_READ) {
        line_wrong(kind, CONSOLE_LINE_BYTES, error);
        return CONSOLE_FAILED;
    }
    if (script->page)
        script->page(script->opaque, verbs_shows(console_verbs(console), line), true);
    status = console_line(console, line, error);
    if (script->page)
        script->page(script->opaque, verbs_shows(console_verbs(console), line), false);
    return status;
}

static void console_script_report(const struct console_script *script, unsigned long number,
                                  const struct pfifo_error *error) {
    fflush(stdout);
    if (script->prompt)
        fprintf(stderr, "%s\n", error->message);
    else
        fprintf(stderr, "%s:%lu: %s\n", script->name, number, error->message);
}

/* With a prompt, if a user is at the terminal. */
static enum line script_next_line(const struct console *console, const struct console_script *script,
                                  char line[CONSOLE_LINE_BYTES]) {
    const char *chip = console_chip(console);
    char prompt[32];

    snprintf(prompt, sizeof prompt, "%s> ", chip ? chip : "pfifo");
    if (script->prompt_text)
        snprintf(prompt, sizeof prompt, "%s", script->prompt_text);
    if (script->ask)
        return script->ask(script->opaque, prompt, line) ? LINE_READ : LINE_END;
    if (script->prompt) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    return line_read(script->file, line, CONSOLE_LINE_BYTES);
}

/* An empty line at a terminal repeats the last command, if that may be repeated. */
static void script_repeat(const struct console *console, char line[CONSOLE_LINE_BYTES], char last[CONSOLE_LINE_BYTES]) {
    if (!line[strspn(line, " \t")] && verbs_repeats(console_verbs(console), last))
        memcpy(line, last, CONSOLE_LINE_BYTES);
    else
        memcpy(last, line, CONSOLE_LINE_BYTES);
}

bool console_run_script(struct console *console, struct console_script *script) {
    char line[CONSOLE_LINE_BYTES], last[CONSOLE_LINE_BYTES] = "";
    bool clean = true;

    for (unsigned long number = 1; script->prompt || !console_has_enough(console); number++) {
        struct pfifo_error error = {0};
        enum line kind = script_next_line(console, script, line);
        if (script->prompt && kind == LINE_READ)
            script_repeat(console, line, last);
        enum console_status status =
            kind == LINE_END ? CONSOLE_QUIT : console_script_execute(console, script, kind, line, &error);
        script->quit = status == CONSOLE_QUIT && kind != LINE_END;
        if (status == CONSOLE_QUIT)
            break;
        if (status == CONSOLE_OK)
            continue;
        console_script_report(script, number, &error);
        clean = false;
        if (!script->prompt && !script->keep_going)
            break;
        if (kind != LINE_READ)
            line_pass_over(script->file);
    }
    return clean;
}

bool console_is_script(const char *text, size_t bytes) {
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
