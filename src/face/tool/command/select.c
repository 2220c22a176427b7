/* SPDX-License-Identifier: MIT */
#include "face/tool/command/select.h"

#include <stdio.h>
#include <string.h>

enum { KEY_WHERE = 'w', KEY_CLASS = 768, KEY_METHOD, KEY_SUBCHANNEL, KEY_CHANNEL, KEY_SUBMIT, KEY_ADDRESS };

static const struct argp_option options[] = {
    {"where", KEY_WHERE, "QUERY", 0, "%s that match QUERY, as in pfifo grep", 0},
    {"class", KEY_CLASS, "CLASSES", 0, "Only methods of these classes: names, numbers, globs", 0},
    {"method", KEY_METHOD, "METHODS", 0, "Only these methods: names, globs, numbers, ranges (0x1400..0x14ff)", 0},
    {"subchannel", KEY_SUBCHANNEL, "N", 0, "Only methods on these subchannels", 0},
    {"channel", KEY_CHANNEL, "N", 0, "Only these channels", 0},
    {"submit", KEY_SUBMIT, "N", 0, "Only these submissions: numbers, ranges (3..5)", 0},
    {"address", KEY_ADDRESS, "N", 0, "Only words at these addresses", 0},
    {0},
};

void select_add(struct select *select, const char *before, const char *text, const char *after,
                const struct argp_state *state) {
    size_t used = strlen(select->text);
    int length =
        snprintf(select->text + used, sizeof select->text - used, "%s%s%s%s", used ? " and " : "", before, text, after);

    if (length < 0 || (size_t)length >= sizeof select->text - used)
        argp_error(state, "the conditions are too long together: more than %d characters", SELECT_BYTES - 1);
}

static struct pfifo_query *select_for_lines(const char *text, struct pfifo_error *error) {
    struct pfifo_query *query = pfifo_query_new(text, error);

    if (query && pfifo_query_check_lines(query, error) != PFIFO_OK) {
        pfifo_query_free(query);
        query = NULL;
    }
    return query;
}

static struct pfifo_query *new_query(const struct select *select, const char *text, struct pfifo_error *error) {
    return select->of_lines ? select_for_lines(text, error) : pfifo_query_new(text, error);
}

/* Where what was asked for can be seen. */
static const char *hint(const struct select *select, const char *text) {
    struct pfifo_query *query = pfifo_query_new(text, NULL);
    bool of_events = select->of_lines && query;

    pfifo_query_free(query);
    return of_events ? "; pfifo run --trace prints events" : "";
}

struct pfifo_query *select_query(const struct select *select, const struct argp_state *state) {
    struct pfifo_error error = {0};
    struct pfifo_query *query;

    if (!select->text[0])
        return NULL;
    query = new_query(select, select->text, &error);
    if (!query)
        argp_error(state, "%s in: %s%s", error.message, select->text, hint(select, select->text));
    return query;
}

/* By itself, so that columns in the message are those that were typed. */
static void check_where(const struct select *select, const char *text, const struct argp_state *state) {
    struct pfifo_error error = {0};
    struct pfifo_query *query = new_query(select, text, &error);

    if (!query)
        argp_error(state, "--where: %s in: %s%s", error.message, text, hint(select, text));
    pfifo_query_free(query);
}

static error_t select_parse(int key, char *arg, struct argp_state *state) {
    static const struct {
        int key;
        const char *before, *after;
    } rows[] = {
        {KEY_WHERE, "(", ")"},         {KEY_CLASS, "class=", ""},
        {KEY_METHOD, "method=", ""},   {KEY_SUBCHANNEL, "subchannel=", ""},
        {KEY_CHANNEL, "channel=", ""}, {KEY_SUBMIT, "submission=", ""},
        {KEY_ADDRESS, "address=", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].key != key)
            continue;
        if (key == KEY_WHERE)
            check_where(state->input, arg, state);
        select_add(state->input, rows[i].before, arg, rows[i].after, state);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Of --where, with what it does. */
static char *select_help(int key, const char *text, void *input) {
    const struct select *select = input;
    char *help;

    if (key == KEY_WHERE && asprintf(&help, "%s%s", select->help, text + strlen("%s")) >= 0)
        return help;
    return (char *)(uintptr_t)text;
}

const struct argp select_argp = {options, select_parse, NULL, NULL, NULL, select_help, NULL};
