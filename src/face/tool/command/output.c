/* SPDX-License-Identifier: MIT */
#include "face/tool/tool.h"

#include "chip/error.h"
#include "face/common/text.h"
#include "face/tool/chips/boards.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* What was printed before comes first where both go to the same place. Names may have anything in them. */
static void output_put_message(const char *file, const char *format, va_list args) {
    char text[8192] = "";
    size_t used = 0;

    if (fflush(stdout) != 0)
        tool_note_output_reason(errno);
    if (file)
        used = (size_t)snprintf(text, sizeof text / 2, "%s: ", tool_input_path(file));
    used = used < sizeof text / 2 ? used : sizeof text / 2 - 1;
    vsnprintf(text + used, sizeof text - used, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    for (char *at = text; *at; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
    fprintf(stderr, "pfifo: %s\n", text);
}

void tool_message(const char *format, ...) {
    va_list args;

    va_start(args, format);
    output_put_message(NULL, format, args);
    va_end(args);
}

void tool_message_of(const char *file, const char *format, ...) {
    va_list args;

    va_start(args, format);
    output_put_message(file, format, args);
    va_end(args);
}

void tool_message_error(const char *file, const char *part, const struct pfifo_error *error) {
    const char *path = tool_input_path(file);
    size_t length = strlen(path);

    if (strncmp(error->message, path, length) == 0 && error->message[length] == ':')
        tool_message("%s", error->message);
    else
        tool_message_of(file, part ? "%s: %s" : "%.0s%s", part ? part : "", error->message);
}

bool tool_cannot(const char *path, const char *what) {
    struct pfifo_error error;

    error_cannot(&error, tool_input_path(path), what);
    tool_message("%s", error.message);
    return false;
}

void tool_note_truncated(const struct pfifo_stream *stream, const char *file) {
    if (pfifo_stream_truncated(stream))
        tool_message_of(file, "the recording was cut off: this is what was written before");
}

/* Of standard output, which belongs to the process. */
static int output_reason;

bool tool_write(void *opaque, const char *text, size_t bytes) {
    bool written = fwrite(text, 1, bytes, opaque) == bytes;

    if (!written && opaque == stdout)
        tool_note_output_reason(errno);
    return written;
}

void tool_note_output_reason(int reason) {
    if (!output_reason)
        output_reason = reason;
}

int tool_output_reason(void) {
    return output_reason;
}

bool tool_write_output(void *opaque, const char *text, size_t bytes) {
    struct tool_output *output = opaque;
    bool written = tool_write(output->file, text, bytes);

    if (!written && !output->reason)
        output->reason = errno;
    return written;
}

bool tool_is_output(const char *path) {
    return strcmp(path, "-") == 0;
}

bool tool_create(struct tool_output *output, const char *path) {
    *output = (struct tool_output){.file = path && !tool_is_output(path) ? fopen(path, "wb") : stdout};
    return output->file || tool_cannot(path, "write");
}

bool tool_close(struct tool_output *output, const char *name) {
    if (output->file == stdout)
        return true;
    if (fclose(output->file) != 0 && !output->reason)
        output->reason = errno;
    errno = output->reason;
    return !output->reason || tool_cannot(name, "write");
}

uint64_t tool_number(const struct argp_state *state, const char *option, const char *text) {
    uint64_t number = 0;

    if (!text_to_number(text, &number))
        argp_error(state, "--%s takes a number, not '%s'", option, text);
    return number;
}

unsigned tool_amount(const struct argp_state *state, const char *option, const char *text, unsigned most) {
    uint64_t number = tool_number(state, option, text);

    if (number == 0 || number > most)
        argp_error(state, "--%s is from 1 to %u", option, most);
    return (unsigned)number;
}

const struct pfifo_chip *tool_chip(const struct argp_state *state, const char *text) {
    char why[240] = "";
    const struct pfifo_chip *chip = boards_chip(text, why, sizeof why);

    if (!chip)
        argp_error(state, "%s", why);
    return chip;
}

const struct argp_option tool_json_options[] = {
    {"json", 'j', NULL, 0, "Print JSON, an object per line", 0},
    {0},
};

error_t tool_parse_json(int key, char *arg, struct argp_state *state) {
    bool *json = state->input;

    (void)arg;
    if (key != 'j')
        return ARGP_ERR_UNKNOWN;
    *json = true;
    return 0;
}
