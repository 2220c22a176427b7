/* SPDX-License-Identifier: MIT */
/* The meaning of the tokens of a line. */
#include "decode/assemble.h"

#include <pfifo/classes.h>

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

bool assemble_token(struct line_tokens *tokens, char *text, size_t size) {
    size_t length = 0;

    while (tokens->at < tokens->end && is_blank(*tokens->at))
        tokens->at++;
    if (tokens->at == tokens->end || *tokens->at == '#')
        return false;
    for (; tokens->at < tokens->end && !is_blank(*tokens->at) && *tokens->at != '#'; tokens->at++)
        if (length + 1 < size)
            text[length++] = *tokens->at;
    text[length] = 0;
    return true;
}

/* Digits of one base and nothing else. */
static bool parse_digits(const char *text, unsigned base, uint64_t max, uint64_t *value) {
    *value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        char lower = (char)(*text | 0x20);
        unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                         : lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10
                                                        : 16;
        if (digit >= base)
            return false;
        *value = *value * base + digit;
        if (*value > max)
            return false;
    }
    return true;
}

static bool parse_unsigned(const char *text, uint64_t max, uint64_t *value) {
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return parse_digits(text + 2, 16, max, value);
    return parse_digits(text, 10, max, value);
}

bool assemble_number(const char *text, uint32_t max, uint32_t *value) {
    uint64_t number;

    if (!parse_unsigned(text, max, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

bool assemble_hex(const char *text, uint32_t *value) {
    uint64_t number;
    bool prefix = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

    if (!parse_digits(prefix ? text + 2 : text, 16, UINT32_MAX, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

/* 1.0, -0.5, 1e3: with a point or an exponent, so that 1 stays an integer. */
static bool parse_float(const char *text, uint32_t *value) {
    char *end;
    float number;

    if (strspn(text, "+-.0123456789eE") != strlen(text) || !strpbrk(text, ".eE"))
        return false;
    number = strtof(text, &end);
    if (end == text || *end)
        return false;
    memcpy(value, &number, sizeof *value);
    return true;
}

bool assemble_data(const char *text, uint32_t *value) {
    uint64_t number;

    if (assemble_number(text, UINT32_MAX, value))
        return true;
    if (text[0] == '-' && parse_unsigned(text + 1, UINT64_C(1) << 31, &number)) {
        *value = (uint32_t)(UINT64_C(0x100000000) - number);
        return true;
    }
    return parse_float(text, value);
}

bool assemble_method(const struct pfifo_chip *chip, const char *text, uint32_t *method) {
    const char *dot = strchr(text, '.');
    const struct pfifo_class *found;
    char name[64];

    if (!dot)
        return assemble_number(text, 0xffff, method);
    if (dot == text)
        return pfifo_method_by_name(chip->host_class, text + 1, method);
    if ((size_t)(dot - text) >= sizeof name)
        return false;
    memcpy(name, text, (size_t)(dot - text));
    name[dot - text] = 0;
    found = pfifo_class_by_name(name);
    return found && pfifo_method_by_name(found->id, dot + 1, method);
}
