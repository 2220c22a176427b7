/* SPDX-License-Identifier: MIT */
#include "query/query.h"

#include <stdio.h>

bool query_class_named(const char *glob, uint32_t class_id) {
    const struct pfifo_class *found = pfifo_class_find(class_id);
    char number[16];

    snprintf(number, sizeof number, "%04x", (unsigned)class_id);
    return query_glob(glob, number) ||
           (found && (query_glob(glob, found->name) || (found->alias && query_glob(glob, found->alias))));
}

/* By both parties' names, with and without the index. */
bool query_method_named(const char *glob, const struct pfifo_method_name *method) {
    char text[PFIFO_METHOD_NAME_BYTES];

    if (query_method_like(glob, method))
        return true;
    pfifo_method_format(method, text, sizeof text);
    if (query_glob(glob, text))
        return true;
    return pfifo_method_format_alias(method, text, sizeof text) && query_glob(glob, text);
}

static bool known_has_value(const struct pfifo_field *field, const char *glob) {
    const char *name;
    uint32_t value;

    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &name); i++)
        if (query_glob(glob, name))
            return true;
    return false;
}

bool query_has_field(const struct pfifo_method_name *method, const char *glob, const char *value) {
    struct pfifo_field field = {0};

    while (pfifo_field_next(method, &field))
        if (field.high <= 31 && query_glob(glob, field.name) && (!value || known_has_value(&field, value)))
            return true;
    return false;
}

/* The readings of a name: METHOD; CLASS.METHOD or METHOD.FIELD; CLASS.METHOD.FIELD. */
static void learn_name(struct query_known *known, const struct query_term *term, uint64_t bit,
                       const struct pfifo_method_name *method) {
    bool of_class =
        query_class_named(term->part[0], known->bound_class) || query_class_named(term->part[0], known->name_class);

    if (term->parts == 1) {
        known->holds |= query_method_named(term->part[0], method) ? bit : 0;
    } else if (term->parts == 2) {
        bool by_field = term->op != OP_HAS && query_method_named(term->part[0], method) &&
                        query_has_field(method, term->part[1], NULL);
        known->holds |= by_field || (of_class && query_method_named(term->part[1], method)) ? bit : 0;
        known->field |= by_field ? bit : 0;
    } else if (of_class && query_method_named(term->part[1], method) && query_has_field(method, term->part[2], NULL)) {
        known->holds |= bit;
        known->field |= bit;
    }
}

/* A method by number or name. */
static bool method_holds(const struct query_term *term, uint32_t number, const struct pfifo_method_name *method) {
    struct query_term names = *term;
    bool any = false;

    names.op = term->op == OP_NOT_EQUAL ? OP_EQUAL : term->op;
    for (unsigned i = 0; method && i < term->values; i++)
        any = any || (term->value[i].is_name && query_method_named(term->value[i].name, method));
    any = any || query_number_matches(&names, number);
    return any != (term->op == OP_NOT_EQUAL);
}

static bool class_holds(const struct query_term *term, const struct query_known *known) {
    bool bound = query_class_matches(term, known->bound_class), name = query_class_matches(term, known->name_class);

    return term->op == OP_NOT_EQUAL ? bound && name : bound || name;
}

static void known_learn(const struct pfifo_query *query, struct query_known *known) {
    struct pfifo_method_name method;
    bool named = pfifo_method_find(known->name_class, known->method, &method);

    for (unsigned i = 0; i < query->terms; i++) {
        const struct query_term *term = &query->term[i];
        uint64_t bit = UINT64_C(1) << i;
        if (term->key == KEY_NAME && named)
            learn_name(known, term, bit, &method);
        else if (term->key == KEY_METHOD)
            known->holds |= method_holds(term, known->method, named ? &method : NULL) ? bit : 0;
        else if (term->key == KEY_CLASS)
            known->holds |= class_holds(term, known) ? bit : 0;
    }
}

const struct query_known *query_known(struct pfifo_query *query, const struct query_subject *subject) {
    struct query_known *known =
        &query->known[(subject->method / 4 ^ subject->name_class * 37 ^ subject->bound_class) % QUERY_KNOWN];

    if (!known->valid || known->bound_class != subject->bound_class || known->name_class != subject->name_class ||
        known->method != subject->method) {
        *known = (struct query_known){.valid = true,
                                      .bound_class = subject->bound_class,
                                      .name_class = subject->name_class,
                                      .method = subject->method};
        known_learn(query, known);
    }
    return known;
}
