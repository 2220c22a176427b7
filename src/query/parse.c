/* SPDX-License-Identifier: MIT */
/* The grammar is in <pfifo/query.h>. */
#include "query/query.h"

#include <math.h>
#include <string.h>

struct query_parser {
    struct pfifo_query *query;
    const char *text, *at;
    unsigned depth;
    struct pfifo_error *error;
    enum pfifo_status status; /* of the first error */
};

static void parse_fail(struct query_parser *parser, const char *what) {
    if (parser->status == PFIFO_OK)
        parser->status = pfifo_error_set(parser->error, PFIFO_ERROR_ARGUMENT, "query, column %zu: %s",
                                         (size_t)(parser->at - parser->text) + 1, what);
}

static bool parse_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("_*?@.-", c));
}

static void parse_skip_blanks(struct query_parser *parser) {
    while (parse_is_blank(*parser->at))
        parser->at++;
}

/* Is there an index, "(3)" or "(1,0x1f)", at `at`? Its length, 0 if not. */
static size_t index_length(const char *at) {
    size_t length = 1;

    if (*at != '(')
        return 0;
    while (is_digit(at[length]) || (at[length] && strchr(",xabcdefABCDEF*?", at[length])))
        length++;
    return length > 1 && at[length] == ')' ? length + 1 : 0;
}

/* The length of the word at `at`. A parenthesis after a keyword is none of the word's. */
static size_t word_length(const char *at) {
    size_t length = 0, index;

    while (is_word(at[length]))
        length++;
    index = length ? index_length(at + length) : 0;
    if (index) {
        length += index;
        while (is_word(at[length]))
            length++;
    }
    return length;
}

static bool word_is(const char *at, size_t length, const char *keyword) {
    return length == strlen(keyword) && strncmp(at, keyword, length) == 0;
}

/* "and", "or" and "not" are keywords in lower case only; a sign for each. */
static bool parse_take(struct query_parser *parser, const char *keyword, char sign) {
    size_t length = 0;

    parse_skip_blanks(parser);
    while (is_word(parser->at[length]))
        length++;
    if (word_is(parser->at, length, keyword)) {
        parser->at += length;
        return true;
    }
    if (*parser->at != sign || (sign == '!' && parser->at[1] == '='))
        return false;
    parser->at += parser->at[1] == sign && sign != '!' ? 2 : 1;
    return true;
}

static unsigned parse_hex_digit(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

    return found ? (unsigned)(found - digits) : 16;
}

static bool parse_hex(const char *text, size_t length, double *number) {
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (parse_hex_digit(text[i]) > 15)
            return false;
        *number = *number * 16 + parse_hex_digit(text[i]);
    }
    return length > 0 && length <= 16;
}

/* [-]digits[.digits][e[+-]digits], whatever the locale's decimal point is. */
static bool parse_number(const char *text, size_t length, double *number) {
    bool minus = length && text[0] == '-', any = false;
    size_t at = minus, fraction = 0;
    int exponent = 0;

    if (length - at > 2 && text[at] == '0' && (text[at + 1] | 0x20) == 'x') {
        any = parse_hex(text + at + 2, length - at - 2, number);
        *number = minus ? -*number : *number;
        return any;
    }
    for (*number = 0; at < length && (is_digit(text[at]) || (text[at] == '.' && !fraction)); at++) {
        if (text[at] == '.') {
            fraction = at + 1;
            continue;
        }
        any = true;
        *number = *number * 10 + (text[at] - '0');
        exponent -= fraction != 0;
    }
    if (any && at + 1 < length && (text[at] | 0x20) == 'e') {
        bool down = text[++at] == '-';
        int given = 0;
        for (at += down; at < length && is_digit(text[at]); at++)
            given = given < 400 ? given * 10 + (text[at] - '0') : given;
        exponent += down ? -given : given;
    }
    *number = (minus ? -*number : *number) * pow(10, exponent);
    return any && at == length;
}

/* A number, or a range of numbers. */
static bool parse_range(const char *text, size_t length, struct query_value *value) {
    size_t dots = 0;

    while (dots + 1 < length && !(text[dots] == '.' && text[dots + 1] == '.'))
        dots++;
    if (dots + 1 >= length) {
        bool is_number = parse_number(text, length, &value->low);
        value->high = value->low;
        return is_number;
    }
    value->low = -HUGE_VAL;
    value->high = HUGE_VAL;
    return length > 2 && (dots == 0 || parse_number(text, dots, &value->low)) &&
           (dots + 2 == length || parse_number(text + dots + 2, length - dots - 2, &value->high));
}

/* Does one of the numbers have a point or an exponent? The dots of a range are no points. */
static bool parse_has_fraction(const char *text, size_t length) {
    bool is_hex = false;

    for (size_t at = 0; at < length; at++) {
        if (text[at] == '.' && at + 1 < length && text[at + 1] == '.') {
            is_hex = false;
            at++;
        } else if (text[at] == '.' || ((text[at] | 0x20) == 'e' && !is_hex)) {
            return true;
        }
        is_hex = is_hex || (text[at] | 0x20) == 'x';
    }
    return false;
}

static bool parse_copy_name(struct query_parser *parser, char *name, const char *text, size_t length) {
    if (length >= QUERY_NAME) {
        parse_fail(parser, "the name is too long");
        return false;
    }
    memcpy(name, text, length);
    name[length] = 0;
    return true;
}

static void parse_value(struct query_parser *parser, struct query_term *term) {
    struct query_value *value = &term->value[term->values];
    const char *end;
    size_t length;

    parse_skip_blanks(parser);
    if (term->values == QUERY_VALUES) {
        parse_fail(parser, "too many values");
        return;
    }
    if (*parser->at == '"') {
        end = strchr(parser->at + 1, '"');
        value->is_name = true;
        if (!end)
            parse_fail(parser, "a quote is not closed");
        else if (parse_copy_name(parser, value->name, parser->at + 1, (size_t)(end - parser->at) - 1))
            parser->at = end + 1;
        term->values++;
        return;
    }
    length = word_length(parser->at);
    if (!length) {
        parse_fail(parser, "a value is missing");
        return;
    }
    value->is_name = !parse_range(parser->at, length, value);
    term->floats = term->floats || (!value->is_name && parse_has_fraction(parser->at, length));
    if (parse_copy_name(parser, value->name, parser->at, length))
        parser->at += length;
    if (!value->is_name && value->low > value->high)
        parse_fail(parser, "the range ends before it begins");
    term->values++;
}

static void parse_values(struct query_parser *parser, struct query_term *term) {
    parse_value(parser, term);
    while (parser->status == PFIFO_OK && *parser->at == ',') {
        parser->at++;
        parse_value(parser, term);
    }
}

static enum query_op take_op(struct query_parser *parser) {
    static const struct {
        const char *sign;
        enum query_op op;
    } signs[] = {
        {"!=", OP_NOT_EQUAL}, {"<=", OP_LESS_EQUAL}, {">=", OP_GREATER_EQUAL}, {"==", OP_EQUAL},
        {"=", OP_EQUAL},      {"<", OP_LESS},        {">", OP_GREATER},
    };

    parse_skip_blanks(parser);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(parser->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
            parser->at += strlen(signs[i].sign);
            return signs[i].op;
        }
    }
    return OP_HAS;
}

/* NAME.NAME.NAME; dots in an index or at the ends are none. */
static void parse_name(struct query_parser *parser, struct query_term *term, size_t length) {
    const char *text = parser->at, *end = text + length;

    while (parser->status == PFIFO_OK && text <= end) {
        size_t part = 0;
        while (text + part < end && text[part] != '.')
            part++;
        if (!part || term->parts == QUERY_PARTS) {
            parse_fail(parser, "a name is METHOD, METHOD.FIELD, CLASS.METHOD or CLASS.METHOD.FIELD");
            return;
        }
        if (!parse_copy_name(parser, term->part[term->parts++], text, part))
            return;
        text += part + 1;
    }
    parser->at = end;
}

static unsigned add_node(struct query_parser *parser, enum query_node_kind kind, unsigned left, unsigned right) {
    struct pfifo_query *query = parser->query;

    if (query->nodes == QUERY_NODES) {
        parse_fail(parser, "the query is too long");
        return 0;
    }
    query->node[query->nodes] = (struct query_node){kind, left, right};
    return query->nodes++;
}

static unsigned parse_term(struct query_parser *parser) {
    struct pfifo_query *query = parser->query;
    struct query_term *term = &query->term[query->terms];
    size_t length = word_length(parser->at);
    struct query_value number;

    if (!length || query->terms == QUERY_TERMS) {
        parse_fail(parser, length ? "too many terms" : *parser->at ? "a term is wanted here" : "a term is missing");
        return 0;
    }
    term->column = (size_t)(parser->at - parser->text) + 1;
    if (parse_range(parser->at, length, &number)) {
        term->op = OP_EQUAL;
        parse_values(parser, term);
    } else {
        parse_name(parser, term, length);
        if (parser->status == PFIFO_OK)
            term->op = take_op(parser);
        if (parser->status == PFIFO_OK && term->op != OP_HAS)
            parse_values(parser, term);
    }
    if (parser->status == PFIFO_OK)
        parser->status = query_resolve(term, parser->error);
    return add_node(parser, NODE_TERM, query->terms++, 0);
}

static unsigned parse_any(struct query_parser *parser);

static unsigned parse_one(struct query_parser *parser) {
    unsigned node;

    if (++parser->depth > PFIFO_QUERY_MAX_DEPTH) {
        parse_fail(parser, "too many parentheses inside each other");
        node = 0;
    } else if (parse_take(parser, "not", '!')) {
        node = add_node(parser, NODE_NOT, parse_one(parser), 0);
    } else if (*parser->at == '(') {
        parser->at++;
        node = parse_any(parser);
        parse_skip_blanks(parser);
        if (*parser->at == ')')
            parser->at++;
        else
            parse_fail(parser, "a parenthesis is not closed");
    } else {
        node = parse_term(parser);
    }
    parser->depth--;
    return node;
}

/* Does an "or", a closing parenthesis or the end follow? */
static bool parse_ends(struct query_parser *parser) {
    const char *before = parser->at;
    bool is_or = parse_take(parser, "or", '|');

    if (is_or)
        parser->at = before;
    return is_or || !*parser->at || *parser->at == ')';
}

static unsigned parse_all(struct query_parser *parser) {
    unsigned node = parse_one(parser);

    while (parser->status == PFIFO_OK && !parse_ends(parser)) {
        parse_take(parser, "and", '&');
        unsigned right = parse_one(parser);
        node = add_node(parser, NODE_AND, node, right);
    }
    return node;
}

static unsigned parse_any(struct query_parser *parser) {
    unsigned node = parse_all(parser);

    while (parser->status == PFIFO_OK && parse_take(parser, "or", '|')) {
        unsigned right = parse_all(parser);
        node = add_node(parser, NODE_OR, node, right);
    }
    return node;
}

/* See <pfifo/query.h>: headers only announce methods. */
static bool is_about_methods(const struct pfifo_query *query) {
    bool methods = false, others = false;

    for (unsigned i = 0; i < query->terms; i++) {
        enum query_key key = query->term[i].key;
        methods = methods || key == KEY_DATA || key == KEY_SUBCHANNEL || key == KEY_CLASS || key == KEY_METHOD ||
                  key == KEY_NAME;
        others = others || key == KEY_EVENT || key == KEY_FORM;
    }
    return methods && !others;
}

enum pfifo_status query_parse(struct pfifo_query *query, const char *text, struct pfifo_error *error) {
    struct query_parser parser = {.query = query, .text = text, .at = text, .error = error};

    parse_skip_blanks(&parser);
    if (!*parser.at)
        return PFIFO_OK;
    query->root = parse_any(&parser);
    parse_skip_blanks(&parser);
    if (*parser.at)
        parse_fail(&parser, *parser.at == ')' ? "a parenthesis was not opened" : "a term is wanted here");
    query->methods_only = is_about_methods(query);
    return parser.status;
}
