/* SPDX-License-Identifier: MIT */
/* What the names in a term are, and whether there is anything that they can match. */
#include "query/query.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *alias;
    enum query_key key;
} key_names[] = {
    {"event", "kind", KEY_EVENT},
    {"form", NULL, KEY_FORM},
    {"text", "reason", KEY_TEXT},
    {"class", NULL, KEY_CLASS},
    {"method", NULL, KEY_METHOD},
    {"data", NULL, KEY_DATA},
    {"subchannel", "subc", KEY_SUBCHANNEL},
    {"channel", "chan", KEY_CHANNEL},
    {"submission", "submit", KEY_SUBMISSION},
    {"address", "addr", KEY_ADDRESS},
    {"word", NULL, KEY_WORD},
    {"count", NULL, KEY_COUNT},
    {"target", NULL, KEY_TARGET},
    {"time", NULL, KEY_TIME},
};

/* Keys have no * or ?, so that a glob is a name as it stands. */
static bool term_is_key(const char *name, enum query_key *key) {
    if (strpbrk(name, "*?"))
        return false;
    for (size_t i = 0; i < sizeof key_names / sizeof key_names[0]; i++) {
        if (query_glob(name, key_names[i].name) || (key_names[i].alias && query_glob(name, key_names[i].alias))) {
            *key = key_names[i].key;
            return true;
        }
    }
    return false;
}

void query_list(char *text, size_t size, const char *name) {
    size_t used = strlen(text);

    if (used + strlen(name) + 3 <= size)
        snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
}

void query_list_keys(bool of_lines, char *text, size_t size) {
    text[0] = 0;
    for (size_t i = 0; i < sizeof key_names / sizeof key_names[0]; i++)
        if (!of_lines || key_names[i].key != KEY_TIME)
            query_list(text, size, key_names[i].name);
}

static bool term_is_same(void *opaque, const char *name) {
    const char *const *wanted = opaque;

    return strcmp(*wanted, name) == 0;
}

static bool term_is_like(void *opaque, const char *name) {
    const char *const *glob = opaque;

    return query_glob(*glob, name);
}

static bool is_field_of_events(const char *name) {
    return query_any_event_field(term_is_same, &name);
}

static bool is_event(const char *glob) {
    return query_any_event(term_is_like, &glob);
}

struct wanted_method {
    char method[QUERY_NAME];
    const char *field, *value;
};

static bool term_is_wanted(void *opaque, const struct pfifo_method_name *method) {
    const struct wanted_method *wanted = opaque;
    const char *field = wanted->field ? wanted->field : "V";

    return query_method_like(wanted->method, method) &&
           ((!wanted->field && !wanted->value) || query_has_field(method, field, wanted->value));
}

/*
 * NULL for a class, field or value: any. A value without a field is the whole word's. The first element of an array
 * stands for all of them: an index is left out.
 */
static bool method_exists(const char *class_glob, const char *method_glob, const char *field, const char *value) {
    struct wanted_method wanted = {.field = field, .value = value};

    memcpy(wanted.method, method_glob, sizeof wanted.method);
    wanted.method[strcspn(wanted.method, "(")] = 0;
    return query_any_method(class_glob, term_is_wanted, &wanted);
}

/* Any of the readings that known.c tries. */
static bool name_exists(const struct query_term *term, const char *value) {
    const char(*part)[QUERY_NAME] = term->part;

    if (term->parts == 1)
        return method_exists(NULL, part[0], NULL, value);
    if (term->parts == 3)
        return method_exists(part[0], part[1], part[2], value);
    return method_exists(part[0], part[1], NULL, value) ||
           (term->op != OP_HAS && method_exists(NULL, part[0], part[1], value));
}

static enum pfifo_status term_wrong(const struct query_term *term, const char *what, const char *name,
                                    struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "query, column %zu: %s '%s'", term->column, what, name);
}

static enum pfifo_status misspelt(const struct query_term *term, const char *what, const char *name,
                                  const struct pfifo_nearest *nearest, struct pfifo_error *error) {
    if (!nearest->name[0])
        return term_wrong(term, what, name, error);
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "query, column %zu: %s '%s'; did you mean '%s'?", term->column,
                           what, name, nearest->name);
}

/* Of CLASS.METHOD.FIELD the first part that is not there; of two parts, either reading. */
static void find_nearest_name(const struct query_term *term, struct pfifo_nearest *nearest) {
    const char(*part)[QUERY_NAME] = term->part;
    bool first_is_class = term->parts > 1 && query_is_class(part[0]);
    bool first_is_method = term->parts == 2 && term->op != OP_HAS && method_exists(NULL, part[0], NULL, NULL);

    pfifo_nearest_begin(nearest, term->parts > 1 && !first_is_class && !first_is_method ? part[0] : part[1]);
    if (term->parts == 1) {
        pfifo_nearest_begin(nearest, part[0]);
        for (size_t i = 0; term->op != OP_HAS && i < sizeof key_names / sizeof key_names[0]; i++)
            pfifo_nearest_try(nearest, key_names[i].name);
        if (term->op != OP_HAS)
            query_nearest_event_field(nearest);
        query_nearest_method(nearest, &(struct query_nearest_place){0});
    } else if (!first_is_class && !first_is_method) {
        pfifo_nearest_class(nearest);
        if (term->parts == 2 && term->op != OP_HAS)
            query_nearest_method(nearest, &(struct query_nearest_place){0});
    } else if (term->parts == 3 && method_exists(part[0], part[1], NULL, NULL)) {
        pfifo_nearest_begin(nearest, part[2]);
        query_nearest_method(nearest, &(struct query_nearest_place){.of_class = part[0], .method = part[1]});
    } else {
        if (first_is_class)
            query_nearest_method(nearest, &(struct query_nearest_place){.of_class = part[0]});
        if (first_is_method)
            query_nearest_method(nearest, &(struct query_nearest_place){.method = part[0]});
    }
}

static enum pfifo_status no_such_name(const struct query_term *term, struct pfifo_error *error) {
    struct pfifo_nearest nearest;

    find_nearest_name(term, &nearest);
    if (term->parts == 1 && term->op != OP_HAS && !nearest.name[0]) {
        char keys[160];
        query_list_keys(false, keys, sizeof keys);
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "query, column %zu: no class has a method '%.40s', and the keys are %s", term->column,
                               term->part[0], keys);
    }
    if (term->parts == 1)
        return misspelt(term, "no class has a method", term->part[0], &nearest, error);
    return misspelt(term, term->op == OP_HAS ? "no class of that name has a method" : "no method has a field",
                    term->part[term->parts - 1], &nearest, error);
}

static enum pfifo_status no_such_value(const struct query_term *term, const char *value, struct pfifo_error *error) {
    const char(*part)[QUERY_NAME] = term->part;
    struct pfifo_nearest nearest;

    pfifo_nearest_begin(&nearest, value);
    if (term->parts == 3 || (term->parts == 2 && query_is_class(part[0])))
        query_nearest_method(&nearest, &(struct query_nearest_place){.of_class = part[0],
                                                                     .method = part[1],
                                                                     .field = term->parts == 3 ? part[2] : NULL,
                                                                     .values = true});
    else
        query_nearest_method(&nearest, &(struct query_nearest_place){.method = part[0],
                                                                     .field = term->parts == 2 ? part[1] : NULL,
                                                                     .values = true});
    return misspelt(term, "it never has the value", value, &nearest, error);
}

static enum pfifo_status check_name(const struct query_term *term, struct pfifo_error *error) {
    if (!name_exists(term, NULL))
        return no_such_name(term, error);
    for (unsigned i = 0; i < term->values; i++)
        if (term->value[i].is_name && !name_exists(term, term->value[i].name))
            return no_such_value(term, term->value[i].name, error);
    return PFIFO_OK;
}

/* Ids of classes are hexadecimal without 0x, too, as everywhere in the tool: the digits are a name. */
static void term_read_class(struct query_value *value) {
    value->is_name = value->is_name || !strpbrk(value->name, "xX.-");
}

static enum pfifo_status term_check_value(const struct query_term *term, const struct query_value *value,
                                          struct pfifo_error *error) {
    bool is_text = term->key >= KEY_NUMBERS && term->key < KEY_TEXTS_END;
    struct pfifo_nearest nearest;

    pfifo_nearest_begin(&nearest, value->name);
    if (term->key < KEY_NUMBERS && value->is_name && strcmp(value->name, "*") != 0)
        return term_wrong(term, "a number is wanted, not", value->name, error);
    if (is_text && !value->is_name)
        return term_wrong(term, "a name is wanted for", term->part[0], error);
    if (term->key == KEY_CLASS && value->is_name && !query_is_class(value->name)) {
        pfifo_nearest_class(&nearest);
        return misspelt(term, "there is no class", value->name, &nearest, error);
    }
    if (term->key == KEY_METHOD && value->is_name && !method_exists(NULL, value->name, NULL, NULL)) {
        query_nearest_method(&nearest, &(struct query_nearest_place){0});
        return misspelt(term, "no class has a method", value->name, &nearest, error);
    }
    if (term->key == KEY_EVENT && !is_event(value->name)) {
        pfifo_nearest_event(&nearest);
        return misspelt(term, "there is no event", value->name, &nearest, error);
    }
    return PFIFO_OK;
}

/* < 5..6 and < 5,6 say nothing, and names have no order. */
static bool has_order(const struct query_term *term) {
    return term->op < OP_LESS ||
           (term->values == 1 && !term->value[0].is_name && !(term->value[0].low < term->value[0].high));
}

enum pfifo_status query_resolve(struct query_term *term, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    if (term->parts == 0)
        term->key = KEY_METHOD;
    else if (term->parts > 1 || !term_is_key(term->part[0], &term->key))
        term->key = term->parts == 1 && is_field_of_events(term->part[0]) ? KEY_FIELD : KEY_NAME;
    for (unsigned i = 0; term->key == KEY_CLASS && i < term->values; i++)
        term_read_class(&term->value[i]);
    if (!has_order(term))
        return term_wrong(term, "<, <=, > and >= take one number, of", term->parts ? term->part[0] : "method", error);
    if (term->key == KEY_NAME)
        return check_name(term, error);
    for (unsigned i = 0; status == PFIFO_OK && i < term->values; i++)
        status = term_check_value(term, &term->value[i], error);
    return status;
}
