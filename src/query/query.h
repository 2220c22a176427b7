/* SPDX-License-Identifier: MIT */
/*
 * A query, compiled.
 *
 *   text --parse.c--> nodes over terms        a term: a name or key, an operator, values
 *                        |
 *   line or event --subject.c--> subject --match.c--> which terms hold --> yes or no
 *
 * What a term asks of a class and a method by name does not change: it is found out once per (class, method) and kept
 * in a small direct-mapped table (known.c). Per line, only numbers are compared.
 */
#ifndef PFIFO_QUERY_QUERY_H
#define PFIFO_QUERY_QUERY_H

#include <pfifo/classes.h>
#include <pfifo/nearest.h>
#include <pfifo/query.h>

enum {
    QUERY_TERMS = PFIFO_QUERY_MAX_TERMS,
    QUERY_NODES = 4 * QUERY_TERMS,
    QUERY_VALUES = 16,                /* of a term */
    QUERY_NAME = PFIFO_NEAREST_BYTES, /* bytes of a name, with its end */
    QUERY_PARTS = 3,                  /* CLASS.METHOD.FIELD */
    QUERY_KNOWN = 512,
};

/* What a line or event has. The first ones are numbers. */
enum query_key {
    KEY_DATA,
    KEY_SUBCHANNEL,
    KEY_CHANNEL,
    KEY_SUBMISSION,
    KEY_ADDRESS,
    KEY_WORD,
    KEY_COUNT,
    KEY_TARGET,
    KEY_TIME,
    KEY_NUMBERS, /* how many they are */
    KEY_EVENT = KEY_NUMBERS,
    KEY_FORM,
    KEY_TEXT,
    KEY_TEXTS_END,
    KEY_CLASS = KEY_TEXTS_END,
    KEY_METHOD,
    KEY_NAME,  /* METHOD, CLASS.METHOD, METHOD.FIELD ... */
    KEY_FIELD, /* a field of an event that has no key of its own */
};

enum query_op { OP_HAS, OP_EQUAL, OP_NOT_EQUAL, OP_LESS, OP_LESS_EQUAL, OP_GREATER, OP_GREATER_EQUAL };

/* A number with its neighbours, or a name. Numbers up to 53 bits are exact, and no key has more. */
struct query_value {
    bool is_name;
    double low, high;      /* inclusive; an open end is infinite */
    char name[QUERY_NAME]; /* a number as it was written */
};

struct query_term {
    enum query_key key;
    enum query_op op; /* OP_HAS: no values */
    bool floats;      /* a number has a point or an exponent: only floats are compared with it */
    size_t column;    /* in the text, from 1 */
    unsigned parts, values;
    char part[QUERY_PARTS][QUERY_NAME];
    struct query_value value[QUERY_VALUES];
};

enum query_node_kind { NODE_TERM, NODE_NOT, NODE_AND, NODE_OR };

struct query_node {
    enum query_node_kind kind;
    unsigned left, right; /* nodes; of a term: left is its number */
};

/* What the names in the terms say about a method of a class: a bit per term. */
struct query_known {
    bool valid;
    uint32_t bound_class, name_class, method;
    uint64_t holds; /* all that the term's names ask for is there */
    uint64_t field; /* the last name of the term is a field that the method has */
};

struct pfifo_query {
    struct query_term term[QUERY_TERMS];
    struct query_node node[QUERY_NODES];
    unsigned terms, nodes, root; /* without nodes everything matches */
    bool methods_only;           /* headers do not match */
    struct query_known known[QUERY_KNOWN];
};

/* What is asked about. */
struct query_subject {
    uint32_t has; /* bit per key: numbers, texts, KEY_CLASS, KEY_METHOD */
    uint64_t number[KEY_NUMBERS];
    const char *text[KEY_TEXTS_END - KEY_NUMBERS];
    uint32_t bound_class, name_class, method;
    const struct pfifo_event *event; /* NULL: a decoded line */
    bool is_header;
};

/* parse.c */
enum pfifo_status query_parse(struct pfifo_query *query, const char *text, struct pfifo_error *error);

/* term.c: a term, its name and values being there, gets its key. Errors: no such name anywhere. */
enum pfifo_status query_resolve(struct query_term *term, struct pfifo_error *error);

/* Add a name to a list "a, b, c"; the keys that there are, or only those of lines. What has no room is left out. */
void query_list(char *text, size_t size, const char *name);
void query_list_keys(bool of_lines, char *text, size_t size);

/* glob.c: * and ?, upper and lower case the same. */
bool query_glob(const char *glob, const char *text);
bool query_same(char a, char b); /* but for upper and lower case */

/* value.c: is a number, text or field value among the term's values, as its operator says? */
bool query_number_matches(const struct query_term *term, double number);
bool query_text_matches(const struct query_term *term, const char *text);
bool query_field_matches(const struct query_term *term, const struct pfifo_field *field, uint32_t data);
bool query_class_matches(const struct query_term *term, uint32_t class_id);

/* known.c: names in terms against a method of classes. */
bool query_class_named(const char *glob, uint32_t class_id);
bool query_method_named(const char *glob, const struct pfifo_method_name *method);
/* Has a method a field of the data word of that name, and the field that value (NULL: any)? */
bool query_has_field(const struct pfifo_method_name *method, const char *glob, const char *value);
const struct query_known *query_known(struct pfifo_query *query, const struct query_subject *subject);

/* names.c: is any name one that passes the test? Names of methods are without index; of_class: a glob, NULL: any. */
typedef bool query_name_test(void *opaque, const char *name);
typedef bool query_method_test(void *opaque, const struct pfifo_method_name *method);
bool query_any_event(query_name_test *is, void *opaque); /* of decoded lines and of the machine */
bool query_any_event_field(query_name_test *is, void *opaque);
bool query_any_class(query_name_test *is, void *opaque);
bool query_any_method(const char *of_class, query_method_test *is, void *opaque);
bool query_is_class(const char *glob);                                            /* by name or number */
bool query_method_like(const char *glob, const struct pfifo_method_name *method); /* by its names without index */

/* nearest.c: what may have been meant; pfifo/nearest.h is the rest of it. */

/* Where it is looked for: NULL is any. */
struct query_nearest_place {
    const char *of_class, *method; /* method: among its fields, else among methods */
    const char *field;             /* with values: NULL is the field that is the whole word */
    bool values;                   /* among a field's values */
};

void query_nearest_event_field(struct pfifo_nearest *nearest);
void query_nearest_method(struct pfifo_nearest *nearest, const struct query_nearest_place *place);

/* subject.c */
struct query_subject query_subject_decoded(const struct pfifo_decode_event *event);
struct query_subject query_subject_event(const struct pfifo_event *event, const struct pfifo_query_place *place);

#endif
