/* SPDX-License-Identifier: MIT */
#include "stream/listing_hex.h"

#include <string.h>

enum {
    WORD_DIGITS = 8,
    LEAST_ADDRESS_DIGITS = 4, /* without 0x: shorter ones are numbers, or words such as "add" */
    LEAST_BARE_DIGITS = 6,    /* of dumps, without a colon */
    MOST_ADDRESS_DIGITS = 16,
    MOST_UNITS = 4096, /* of a line */
    MOST_SYMBOL = 200,
};

static bool listing_hex_line_is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Between words of an array in C, too. */
static bool is_separator(char c) {
    return listing_hex_line_is_blank(c) || c == ',' || c == '{' || c == '}';
}

static const char *listing_hex_line_skip_blanks(const char *at, const char *end) {
    while (at < end && listing_hex_line_is_blank(*at))
        at++;
    return at;
}

static size_t listing_hex_line_count_digits(const char *at, const char *end) {
    const char *p = at;

    while (p < end && listing_digit(*p) >= 0)
        p++;
    return (size_t)(p - at);
}

/* ---- units ---- */

/* A number of hexadecimal digits, up to a separator. */
struct token {
    bool has_0x;
    size_t digits; /* 0: something else is here */
    const char *after;
};

static struct token take_token(const char *at, const char *end) {
    struct token token = {.has_0x = end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')};

    if (token.has_0x)
        at += 2;
    token.digits = listing_hex_line_count_digits(at, end);
    token.after = at + token.digits;
    if (token.after < end && !is_separator(*token.after) && *token.after != ';' && *token.after != '|')
        token.digits = 0;
    return token;
}

static bool is_unit(const struct token *token) {
    return token->digits == WORD_DIGITS || (!token->has_0x && (token->digits == 2 || token->digits == 4));
}

/* May other text follow one blank after the last unit? Two blanks are enough for any. */
enum text_behind { NO_TEXT_BEHIND, TEXT_BEHIND_0X, TEXT_BEHIND };

/* The bytes as text follow two blanks, or are between bars. */
static bool is_column(const struct hex_line *line, const char *at, size_t gap) {
    return line->address && gap >= 2 && (size_t)(line->end - at) == (size_t)line->units * line->digits / 2;
}

static bool is_comment(const char *at, const char *end) {
    return *at == '#' || *at == ';' || (*at == '/' && end - at > 1 && (at[1] == '/' || at[1] == '*'));
}

/* The text after the first units: a column, a comment, or a number that should have been a unit. */
static enum hex_kind classify_rest(struct hex_line *line, const char *at, size_t gap, enum text_behind text) {
    struct token token = take_token(at, line->end);

    if (*at == '|' || (*at == '>' && gap >= 2)) {
        line->column = at + 1;
        return HEX_UNITS;
    }
    if (is_comment(at, line->end))
        return HEX_UNITS;
    if (token.digits && (gap < 2 || token.has_0x)) {
        line->bad = at;
        line->bad_length = (size_t)(token.after - at);
        return HEX_BAD;
    }
    if (line->address && !line->colon)
        return HEX_OTHER; /* a listing of another kind */
    return gap >= 2 || text == TEXT_BEHIND ? HEX_UNITS : HEX_OTHER;
}

/*
 * Units from `at` on. The text column is found by its length: what is in it may look like a unit. Blanks at its
 * beginning belong to it.
 */
static enum hex_kind take_units(struct hex_line *line, const char *at, enum text_behind text) {
    const char *before = at;

    for (;;) {
        while (at < line->end && is_separator(*at) && !(line->units && is_column(line, at, (size_t)(at - before))))
            at++;
        size_t gap = (size_t)(at - before) + (at > before && memchr(before, '\t', (size_t)(at - before)) ? 1 : 0);
        if (at == line->end)
            return line->units ? HEX_UNITS : HEX_OTHER;
        if (line->units && is_column(line, at, gap)) {
            line->column = at;
            return HEX_UNITS;
        }
        struct token token = take_token(at, line->end);
        if (!is_unit(&token) || (line->units && token.digits != line->digits) || line->units == MOST_UNITS)
            return line->units ? classify_rest(line, at, gap, text) : HEX_OTHER;
        if (!line->units) {
            line->first = at;
            line->digits = (unsigned)token.digits;
            text = token.has_0x && text == TEXT_BEHIND_0X ? TEXT_BEHIND : text;
        }
        line->units++;
        at = before = token.after;
    }
}

uint32_t hex_line_unit(const struct hex_line *line, const char **at) {
    uint32_t value = 0;
    const char *p = *at;

    while (is_separator(*p))
        p++;
    if (p[1] == 'x' || p[1] == 'X')
        p += 2;
    for (unsigned i = 0; i < line->digits; i++)
        value = value << 4 | (uint32_t)listing_digit(*p++);
    *at = p;
    return value;
}

/* ---- address ---- */

/* gdb says what is at an address: <name+4> */
static const char *skip_symbol(const char *at, const char *end) {
    const char *p = listing_hex_line_skip_blanks(at, end), *last = end - p > MOST_SYMBOL ? p + MOST_SYMBOL : end;
    const char *close = p < end && *p == '<' ? memchr(p, '>', (size_t)(last - p)) : NULL;

    return close ? close + 1 : at;
}

/* Without a colon, an address has another number of digits than the unit after it. */
static bool may_be_bare_address(const struct token *address, const char *at, const char *end) {
    const char *p = listing_hex_line_skip_blanks(at, end);
    struct token unit = take_token(p, end);

    if (p == at || !is_unit(&unit) || (address->digits < LEAST_ADDRESS_DIGITS && !address->has_0x))
        return false;
    return address->digits != unit.digits && (unit.digits == WORD_DIGITS || address->digits >= LEAST_BARE_DIGITS);
}

/* "10:", "0x10:", "+0x10:", "[0x10]", "[0x10]:", "0000010 " in front of units; NULL: none of them. */
static const char *listing_hex_line_take_address(struct hex_line *line, const char *at) {
    const char *end = line->end;
    bool bracket = at < end && *at == '[';
    struct token token;

    at += bracket;
    at += at < end && *at == '+';
    token = take_token(at, end);
    at += token.has_0x ? 2 : 0;
    size_t digits = listing_hex_line_count_digits(at, end);
    const char *after = at + digits;
    if (digits == 0 || digits > MOST_ADDRESS_DIGITS || (bracket && !(after < end && *after == ']')))
        return NULL;
    after = skip_symbol(after + bracket, end);
    bool colon = after < end && *after == ':' && (after + 1 == end || listing_hex_line_is_blank(after[1]));
    if (!colon && !bracket && (token.digits == 0 || !may_be_bare_address(&token, after, end)))
        return NULL;
    line->address = at;
    line->address_digits = digits;
    line->colon = colon || bracket;
    return after + colon;
}

/* ---- prefix ---- */

/* [  12.345], [drm], <6> */
static const char *skip_groups(const char *at, const char *end) {
    for (;;) {
        const char *p = listing_hex_line_skip_blanks(at, end), *close;
        if (p == end || (*p != '[' && *p != '<'))
            return p;
        close = memchr(p, *p == '[' ? ']' : '>', (size_t)(end - p));
        if (!close)
            return p;
        /* A number alone is an address. */
        const char *inside = p + 1 + (end - p > 3 && p[1] == '0' && p[2] == 'x' ? 2 : 0);
        if (*p == '[' && close > inside && listing_hex_line_count_digits(inside, close) == (size_t)(close - inside) &&
            (inside > p + 1 || close - inside >= LEAST_ADDRESS_DIGITS))
            return p;
        at = close + 1;
    }
}

/* Is the place in front of `at` the end of a text such as "push: "? */
static bool ends_prefix(const char *start, const char *at) {
    const char *p = at;

    while (p > start && listing_hex_line_is_blank(p[-1]))
        p--;
    return p > start && p < at && (p[-1] == ':' || p[-1] == ']' || p[-1] == '=' || p[-1] == '>');
}

/* Registers have names between them: "EAX: 00000000 EBX: 00000001" is no list of words. */
static bool listing_hex_line_has_word(const char *start, const char *end) {
    for (const char *at = start; at < end; at++) {
        if (at > start && !is_separator(at[-1]))
            continue;
        struct token token = take_token(at, end);
        if (token.digits == WORD_DIGITS)
            return true;
    }
    return false;
}

static uint32_t hash_prefix(const char *start, const char *end) {
    uint32_t hash = 2166136261u;
    bool any = false;

    for (; start < end; start++) {
        if (listing_hex_line_is_blank(*start) || (*start >= '0' && *start <= '9'))
            continue;
        any = true;
        hash = (hash ^ (uint8_t)*start) * 16777619u;
    }
    return any ? hash | 1 : 0;
}

static struct hex_line try_at(const struct listing_line *line, const char *at, enum text_behind text) {
    struct hex_line hex = {.end = line->end};
    const char *units = listing_hex_line_take_address(&hex, at);

    hex.kind = take_units(&hex, units ? units : at, units && hex.colon && text == TEXT_BEHIND_0X ? TEXT_BEHIND : text);
    if (hex.kind == HEX_UNITS && !hex.address && hex.digits != WORD_DIGITS)
        hex.kind = HEX_OTHER;
    if (hex.kind == HEX_BAD && !hex.address && hex.digits != WORD_DIGITS)
        hex.kind = HEX_OTHER;
    return hex;
}

/* A line of 0x... alone whose digits are not 8. */
static bool is_short_word(const char *at, const char *end, struct hex_line *hex) {
    struct token token = take_token(at, end);

    if (!token.has_0x || !token.digits || listing_hex_line_skip_blanks(token.after, end) != end)
        return false;
    *hex = (struct hex_line){.kind = HEX_BAD, .end = end, .bad = at, .bad_length = (size_t)(token.after - at)};
    return true;
}

/* A number alone, without 0x. */
static bool is_lone(const char *at, const char *end, struct hex_line *hex) {
    struct token token = take_token(at, end);

    if (token.has_0x || token.digits < LEAST_BARE_DIGITS || token.digits > MOST_ADDRESS_DIGITS ||
        listing_hex_line_skip_blanks(token.after, end) != end)
        return false;
    *hex = (struct hex_line){.kind = HEX_LONE,
                             .address = at,
                             .address_digits = token.digits,
                             .digits = WORD_DIGITS,
                             .units = token.digits == WORD_DIGITS,
                             .first = at,
                             .end = end};
    return true;
}

bool hex_line_has_units(const struct hex_line *line, const struct hex_line *last) {
    if (line->kind == HEX_LONE)
        return line->units && !(last->address && !last->colon && last->address_digits == line->address_digits);
    return line->kind == HEX_UNITS;
}

struct hex_line hex_line_parse(const struct listing_line *line) {
    const char *start = skip_groups(line->text, line->end);
    struct hex_line hex;

    if (is_lone(start, line->end, &hex))
        return hex;
    hex = try_at(line, start, TEXT_BEHIND_0X);
    if (hex.kind != HEX_OTHER || is_short_word(start, line->end, &hex))
        return hex;
    if (start < line->end && *start == '*' && listing_hex_line_skip_blanks(start + 1, line->end) == line->end)
        return (struct hex_line){.kind = HEX_REPEAT, .end = line->end};
    for (const char *at = start + 1; at < line->end; at++) {
        if (listing_hex_line_is_blank(*at) || !ends_prefix(start, at))
            continue;
        hex = try_at(line, at, NO_TEXT_BEHIND);
        if (hex.kind == HEX_OTHER)
            continue;
        if (listing_hex_line_has_word(start, at))
            break;
        hex.prefix = hash_prefix(start, at);
        return hex;
    }
    return (struct hex_line){.kind = HEX_OTHER, .end = line->end};
}
