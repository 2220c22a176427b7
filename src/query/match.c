/* SPDX-License-Identifier: MIT */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

struct pfifo_query *pfifo_query_new(const char *text, struct pfifo_error *error) {
    struct pfifo_query *query = calloc(1, sizeof *query);

    if (!query) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a query");
        return NULL;
    }
    if (query_parse(query, text ? text : "", error) != PFIFO_OK) {
        free(query);
        return NULL;
    }
    return query;
}

void pfifo_query_free(struct pfifo_query *query) {
    free(query);
}

/* The names are those of the method. Do the values hold, of a field or the whole word? */
static bool name_holds(const struct query_term *term, const struct query_subject *subject, bool of_field) {
    uint32_t data = (uint32_t)subject->number[KEY_DATA];
    struct pfifo_method_name method;
    struct pfifo_field field = {0};
    /* A float and its word are one value: it is another one only if neither is the one that is asked for. */
    bool both = !of_field && !term->floats && term->op == OP_NOT_EQUAL;

    if (term->op == OP_HAS)
        return true;
    if (!(subject->has & 1u << KEY_DATA) || !pfifo_method_find(subject->name_class, subject->method, &method))
        return false;
    while (pfifo_field_next(&method, &field)) {
        bool asked = of_field ? query_glob(term->part[term->parts - 1], field.name) : strcmp(field.name, "V") == 0;
        if (field.high <= 31 && asked && query_field_matches(term, &field, data) != both)
            return !both;
    }
    /* The data word itself has no names, and is no float. */
    return !of_field && !term->floats && query_number_matches(term, data);
}

static bool field_of_event_holds(const struct query_term *term, const struct pfifo_event *event) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);

    for (unsigned i = 0; info && i < info->fields; i++) {
        if (strcmp(info->field[i], term->part[0]) != 0)
            continue;
        if (term->op == OP_HAS)
            return true;
        if (info->format[i] == PFIFO_EVENT_DETAIL)
            return query_text_matches(term, event->detail ? event->detail : "");
        return info->format[i] == PFIFO_EVENT_TEXT ? query_text_matches(term, event->text ? event->text : "")
                                                   : query_number_matches(term, (double)event->value[i]);
    }
    return false;
}

static bool key_holds(const struct query_term *term, const struct query_subject *subject) {
    if (!(subject->has & 1u << term->key))
        return false;
    if (term->op == OP_HAS)
        return true;
    return term->key < KEY_NUMBERS ? query_number_matches(term, (double)subject->number[term->key])
                                   : query_text_matches(term, subject->text[term->key - KEY_NUMBERS]);
}

static bool term_holds(struct pfifo_query *query, unsigned number, const struct query_subject *subject) {
    const struct query_term *term = &query->term[number];
    const struct query_known *known;
    uint64_t bit = UINT64_C(1) << number;

    if (term->key < KEY_TEXTS_END)
        return key_holds(term, subject);
    if (term->key == KEY_FIELD)
        return subject->event && field_of_event_holds(term, subject->event);
    if (term->key == KEY_CLASS ? !(subject->has & 1u << KEY_CLASS) : !(subject->has & 1u << KEY_METHOD))
        return false;
    known = query_known(query, subject);
    if (!(known->holds & bit))
        return false;
    return term->key != KEY_NAME || name_holds(term, subject, known->field & bit);
}

/* As deep as the parser has allowed. */
static bool node_holds(struct pfifo_query *query, unsigned number, const struct query_subject *subject) {
    const struct query_node *node = &query->node[number];

    switch (node->kind) {
    case NODE_TERM:
        return term_holds(query, node->left, subject);
    case NODE_NOT:
        return !node_holds(query, node->left, subject);
    case NODE_AND:
        return node_holds(query, node->left, subject) && node_holds(query, node->right, subject);
    case NODE_OR:
        return node_holds(query, node->left, subject) || node_holds(query, node->right, subject);
    }
    return false;
}

static bool match_matches(struct pfifo_query *query, const struct query_subject *subject) {
    /* What is about methods is about nothing else, also if it says which ones not. */
    if (query->methods_only && (subject->is_header || !(subject->has & (1u << KEY_METHOD | 1u << KEY_CLASS))))
        return false;
    return !query->nodes || node_holds(query, query->root, subject);
}

bool pfifo_query_decoded(struct pfifo_query *query, const struct pfifo_decode_event *event) {
    struct query_subject subject = query_subject_decoded(event);

    return match_matches(query, &subject);
}

bool pfifo_query_event(struct pfifo_query *query, const struct pfifo_event *event,
                       const struct pfifo_query_place *place) {
    struct query_subject subject = query_subject_event(event, place);

    return match_matches(query, &subject);
}
