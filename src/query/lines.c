/* SPDX-License-Identifier: MIT */
/* Keys and names that events of a run have, and lines of the decoder have not. */
#include "query/query.h"

#include <stdio.h>

static bool is_kind(const char *glob) {
    const char *name;

    for (int kind = 0; (name = pfifo_decode_kind_name((enum pfifo_decode_kind)kind)); kind++)
        if (query_glob(glob, name))
            return true;
    return false;
}

static void list_kinds(char *text, size_t size) {
    const char *name;

    text[0] = 0;
    for (int kind = 0; (name = pfifo_decode_kind_name((enum pfifo_decode_kind)kind)); kind++)
        query_list(text, size, name);
}

static enum pfifo_status check_kinds(const struct query_term *term, struct pfifo_error *error) {
    char kinds[160];

    for (unsigned i = 0; i < term->values; i++) {
        if (is_kind(term->value[i].name))
            continue;
        list_kinds(kinds, sizeof kinds);
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "query, column %zu: '%.40s' is an event of a run; lines are %s", term->column,
                               term->value[i].name, kinds);
    }
    return PFIFO_OK;
}

enum pfifo_status pfifo_query_check_lines(const struct pfifo_query *query, struct pfifo_error *error) {
    char keys[160];

    for (unsigned i = 0; i < query->terms; i++) {
        const struct query_term *term = &query->term[i];
        if (term->key == KEY_EVENT && check_kinds(term, error) != PFIFO_OK)
            return PFIFO_ERROR_ARGUMENT;
        if (term->key != KEY_TIME && term->key != KEY_FIELD)
            continue;
        query_list_keys(true, keys, sizeof keys);
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "query, column %zu: only events of a run have '%.24s'; a line has %s", term->column,
                               term->part[0], keys);
    }
    return PFIFO_OK;
}
