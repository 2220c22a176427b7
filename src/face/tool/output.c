/* SPDX-License-Identifier: MIT */
#include "face/tool/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void tool_message(const char *format, ...) {
    va_list args;

    fputs("pfifo: ", stderr);
    va_start(args, format);
    /* The analyzer sees va_start only in the first file of a batch. */
    vfprintf(stderr, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    fputc('\n', stderr);
}

/* Bytes of the UTF-8 character at `text`, 0 if there is none. */
static size_t utf8_length(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, beyond U+10FFFF. */
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] >= 0x90))
        return 0;
    return length;
}

void tool_json_string(FILE *file, const char *text) {
    fputc('"', file);
    while (*text) {
        size_t length = utf8_length(text);

        if (!length)
            fputs("\\ufffd", file);
        else if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, length, file);
        text += length ? length : 1;
    }
    fputc('"', file);
}

bool tool_write(void *opaque, const char *text, size_t bytes) {
    return fwrite(text, 1, bytes, opaque) == bytes;
}

bool tool_parse_number(const char *text, uint64_t *number) {
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hexadecimal ? text + 2 : text;
    size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

    errno = 0;
    *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    return length && !digits[length] && !errno;
}

uint64_t tool_number(const struct argp_state *state, const char *option, const char *text) {
    uint64_t number = 0;

    if (!tool_parse_number(text, &number))
        argp_error(state, "--%s takes a number, not '%s'", option, text);
    return number;
}

const struct chip *tool_chip(const struct argp_state *state, const char *text) {
    const struct chip *chip = pfifo_chip_by_name(text);

    if (!chip)
        argp_error(state, "there is no chip '%s'; pfifo chips lists them", text);
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
