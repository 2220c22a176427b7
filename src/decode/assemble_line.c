/* SPDX-License-Identifier: MIT */
/* Tokens of a line, and numbers. */
#include "decode/assemble.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool assemble_line_is_blank(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

static bool is_brace(char c) {
    return c == '{' || c == '}';
}

/* A comma between the indices of a method separates nothing: MODELVIEW_MATRIX(1,15). */
static const char *token_end(const struct assembler *assembler) {
    const char *at = assembler->at;
    bool indices = false;

    if (is_brace(*at))
        return at + 1;
    for (; at < assembler->end && *at != '#' && !is_brace(*at); at++) {
        if (assemble_line_is_blank(*at) && !(indices && *at == ','))
            break;
        indices = *at == '(' || (indices && *at != ')');
    }
    return at;
}

bool assemble_token(struct assembler *assembler) {
    static const char cut[] = "...";
    const char *end;
    size_t bytes;

    while (assembler->at < assembler->end && assemble_line_is_blank(*assembler->at))
        assembler->at++;
    assembler->column = (size_t)(assembler->at - assembler->begin) + 1;
    assembler->token[0] = 0;
    assembler->token_bytes = 0;
    if (assembler->at == assembler->end || *assembler->at == '#')
        return false;
    end = token_end(assembler);
    bytes = assembler->token_bytes = (size_t)(end - assembler->at);
    if (bytes >= ASSEMBLE_TOKEN) {
        bytes = ASSEMBLE_TOKEN - 1;
        memcpy(assembler->token, assembler->at, bytes);
        memcpy(assembler->token + bytes - 3, cut, 3);
    } else {
        memcpy(assembler->token, assembler->at, bytes);
    }
    assembler->token[bytes] = 0;
    /* A zero would end what is looked at, but not what stands there. */
    for (size_t i = 0; i < bytes; i++)
        if (!assembler->token[i])
            assembler->token[i] = '?';
    assembler->at = end;
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

bool assemble_integer(const char *text, int64_t *value) {
    bool minus = text[0] == '-';
    uint64_t number;

    if (!parse_unsigned(text + minus, UINT64_C(1) << 56, &number))
        return false;
    *value = minus ? -(int64_t)number : (int64_t)number;
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

/* The point is a point, whatever the locale has. */
static bool parse_decimal(const char *text, double *value) {
    const char *point = localeconv()->decimal_point;
    char local[ASSEMBLE_TOKEN], *at, *end;

    if (strspn(text, "+-.0123456789eE") != strlen(text) || strlen(text) >= sizeof local)
        return false;
    memcpy(local, text, strlen(text) + 1);
    at = strchr(local, '.');
    if (at && point[0] && !point[1])
        *at = point[0];
    *value = strtod(local, &end);
    return end != local && !*end;
}

bool assemble_float(const char *text, bool any, double *value) {
    bool minus = text[0] == '-';

    if (!any && !strpbrk(text, ".eE"))
        return false;
    if (any && strcmp(text, "nan") == 0)
        *value = (double)NAN;
    else if (any && strcmp(text + minus, "inf") == 0)
        *value = minus ? -(double)INFINITY : (double)INFINITY;
    else
        return parse_decimal(text, value);
    return true;
}

bool assemble_data(const char *text, uint32_t *value) {
    uint64_t number;
    double real;
    float single;

    if (assemble_number(text, UINT32_MAX, value))
        return true;
    if (text[0] == '-' && parse_unsigned(text + 1, UINT64_C(1) << 31, &number)) {
        *value = (uint32_t)(UINT64_C(0x100000000) - number);
        return true;
    }
    if (!assemble_float(text, false, &real))
        return false;
    single = (float)real;
    memcpy(value, &single, sizeof *value);
    return true;
}
