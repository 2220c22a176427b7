/* SPDX-License-Identifier: MIT */
#include "query/query.h"

/* Is the number between the ends of a value? The order operators take the value's low end: `>5..6` is refused before.
 */
static bool value_compare(enum query_op op, const struct query_value *value, double number) {
    switch (op) {
    case OP_LESS:
        return number < value->low;
    case OP_LESS_EQUAL:
        return number <= value->low;
    case OP_GREATER:
        return number > value->low;
    case OP_GREATER_EQUAL:
        return number >= value->low;
    case OP_HAS:
    case OP_EQUAL:
    case OP_NOT_EQUAL:
        return number >= value->low && number <= value->high;
    }
    return false;
}

/* Any value: all numbers, too. */
static bool is_any(const struct query_value *value) {
    return value->is_name && value->name[0] == '*' && !value->name[1];
}

/* Of `any` value of the list; for != of none. */
static bool decide(const struct query_term *term, bool any) {
    return any != (term->op == OP_NOT_EQUAL);
}

bool query_number_matches(const struct query_term *term, double number) {
    bool any = false;

    for (unsigned i = 0; i < term->values; i++)
        any = any || is_any(&term->value[i]) ||
              (!term->value[i].is_name && value_compare(term->op, &term->value[i], number));
    return decide(term, any);
}

bool query_text_matches(const struct query_term *term, const char *text) {
    bool any = false;

    for (unsigned i = 0; i < term->values; i++)
        any = any || (term->value[i].is_name && query_glob(term->value[i].name, text));
    return decide(term, any);
}

/* 0.1 is the float next to it. */
static struct query_value as_float(const struct query_value *value) {
    struct query_value rounded = {.low = (float)value->low, .high = (float)value->high};

    return rounded;
}

bool query_field_matches(const struct query_term *term, const struct pfifo_field *field, uint32_t data) {
    uint32_t bits = pfifo_field_get(field, data);
    const char *name = pfifo_field_value_name(field, bits);
    bool is_float = field->type == PFIFO_FIELD_FLOAT;
    double number = is_float ? pfifo_field_float(field, data) : (double)pfifo_field_integer(field, data);
    bool any = false;

    if (term->floats && !is_float)
        return false;
    for (unsigned i = 0; i < term->values; i++) {
        const struct query_value *value = &term->value[i];
        if (value->is_name) {
            any = any || is_any(value) || (name && query_glob(value->name, name));
        } else {
            const struct query_value exact = is_float ? as_float(value) : *value;
            any = any || value_compare(term->op, &exact, number);
        }
    }
    return decide(term, any);
}

bool query_class_matches(const struct query_term *term, uint32_t class_id) {
    bool any = false;

    for (unsigned i = 0; i < term->values; i++) {
        const struct query_value *value = &term->value[i];
        any = any ||
              (value->is_name ? query_class_named(value->name, class_id) : value_compare(term->op, value, class_id));
    }
    return decide(term, any);
}
