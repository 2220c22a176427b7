/* SPDX-License-Identifier: MIT */
/* A capture that is replayed, as the console has it, and lines of commands with --json. */
#include "face/tool/console/replay/target.h"
#include "face/tool/console/machine/model.h"
#include "face/tool/console/replay/debug.h"

#include <stdlib.h>
#include <string.h>

static uint32_t stops(const struct console *console) {
    return console->debug->stop;
}

static const char *not_yet(const struct console *console) {
    return debug_not_yet(console->debug);
}

/* ---- lines ---- */

static const char blanks[] = " \t\r\f\v";

/* Without blanks at the end, of a line that is not too long. */
static const char *tidied(const char *line, char copy[CONSOLE_LINE_BYTES]) {
    size_t length = strlen(line);

    while (length && strchr(blanks, line[length - 1]))
        length--;
    if (length >= CONSOLE_LINE_BYTES)
        return line;
    memcpy(copy, line, length);
    copy[length] = 0;
    return copy;
}

/* What the command prints goes into a text. */
static enum console_status execute_json(struct console *console, const char *line, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    char *text = NULL, copy[CONSOLE_LINE_BYTES];
    enum console_status status;
    size_t bytes = 0;

    debug->out = open_memstream(&text, &bytes);
    if (!debug->out) {
        debug->out = stdout;
        refuse(error, "no memory");
        return CONSOLE_FAILED;
    }
    status = console_execute(console, line, error);
    fclose(debug->out);
    debug->out = stdout;
    debug_json(debug, tidied(line, copy), text ? text : "", status == CONSOLE_FAILED ? error : NULL, stdout);
    free(text);
    return status;
}

/* With --json each command prints an object. */
static enum console_status capture_line(struct console *console, const char *line, struct pfifo_error *error) {
    struct debug *debug = console->debug;

    line += strspn(line, blanks);
    debug->stopped = debug->went_back = false;
    if (debug->json && line[0] && line[0] != '#')
        return execute_json(console, line, error);
    return console_execute(console, line, error);
}

/* ---- the target ---- */

const struct console_target console_capture = {
    .kind = CONSOLE_ON_CAPTURE,
    .is = "a capture, which is only looked at",
    .reach = model_only_look,
    .read = model_read,
    .look = model_look,
    .wait = model_wait,
    .examine = debug_examine,
    .variable = debug_variable,
    .line = capture_line,
    .number_bytes = 8,
    .breaks = &capture_breaks_owner,
    .stops = stops,
    .units_before = debug_units_before,
    .units_back = debug_units_back,
    .units_on = debug_units_on,
    .stop_kinds = RUN_STOPS,
    .not_yet = not_yet,
};
