/* SPDX-License-Identifier: MIT */
/* Keys that some events have, and others have not. */
#include "query/query.h"

#include <string.h>

static const struct pfifo_event_info *named(const char *globs, size_t id) {
    return pfifo_event_matches(id, globs) ? pfifo_event_info(id) : NULL;
}

static int field_of(const struct pfifo_event_info *info, const char *name) {
    for (unsigned i = 0; i < info->fields; i++)
        if (strcmp(info->field[i], name) == 0)
            return (int)i;
    return -1;
}

/* Has an event what the term asks for, whatever its value? */
static bool of_events_has(size_t id, const struct query_term *term) {
    const struct pfifo_query_place place = {.submitted = true};
    const struct pfifo_event event = {.id = id, .text = ""};
    const struct query_subject subject = query_subject_event(&event, &place);

    if (term->key == KEY_FIELD)
        return field_of(pfifo_event_info(id), term->part[0]) >= 0;
    return subject.has & 1u << (term->key == KEY_NAME ? KEY_METHOD : term->key);
}

static enum pfifo_status no_such_key(const struct query_term *term, const struct pfifo_event_info *only,
                                     struct pfifo_error *error) {
    const char *key = term->key == KEY_NAME || !term->parts ? "method" : term->part[0];
    char names[200] = "";

    for (unsigned i = 0; only && i < only->fields; i++)
        query_list(names, sizeof names, only->field[i]);
    if (only)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "query, column %zu: %s has no '%.40s'; it has %s",
                               term->column, only->name, key, names[0] ? names : "only a time and a channel");
    for (size_t id = 0; id < pfifo_event_count(); id++)
        if (of_events_has(id, term))
            query_list(names, sizeof names, pfifo_event_info(id)->name);
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "query, column %zu: none of these events has '%.40s'%s%s",
                           term->column, key, names[0] ? "; there are " : "", names);
}

/* A name for a field that is a number in all of them. */
static bool is_no_number(const char *globs, const struct query_term *term) {
    bool name = false;

    for (unsigned i = 0; i < term->values; i++)
        name = name || (term->value[i].is_name && strcmp(term->value[i].name, "*") != 0);
    for (size_t id = 0; name && id < pfifo_event_count(); id++) {
        const struct pfifo_event_info *info = named(globs, id);
        int field = info ? field_of(info, term->part[0]) : -1;
        if (field >= 0 && (info->format[field] == PFIFO_EVENT_TEXT || info->format[field] == PFIFO_EVENT_DETAIL))
            return false;
    }
    return name;
}

static enum pfifo_status check_term(const char *globs, const struct query_term *term, struct pfifo_error *error) {
    const struct pfifo_event_info *info, *only = NULL;
    size_t events = 0, able = 0;

    for (size_t id = 0; id < pfifo_event_count(); id++) {
        info = named(globs, id);
        only = info ? info : only;
        events += info != NULL;
        able += info && of_events_has(id, term);
    }
    if (!able)
        return no_such_key(term, events == 1 ? only : NULL, error);
    if (term->key == KEY_FIELD && is_no_number(globs, term))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "query, column %zu: a number is wanted for '%.40s'",
                               term->column, term->part[0]);
    return PFIFO_OK;
}

enum pfifo_status pfifo_query_check_events(const struct pfifo_query *query, const char *globs,
                                           struct pfifo_error *error) {
    for (unsigned i = 0; i < query->terms; i++)
        if (check_term(globs, &query->term[i], error) != PFIFO_OK)
            return PFIFO_ERROR_ARGUMENT;
    return PFIFO_OK;
}
