/* SPDX-License-Identifier: MIT */
/* Fields of methods and structures, names of their values, and the description of a data word. */
#include "classes/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pfifo_field_next(const struct pfifo_method_name *method, struct pfifo_field *field) {
    const struct classes_tables *t = &classes_tables;
    uint32_t next = field->next;
    memset(field, 0, sizeof *field);
    if (!method->name || method->row >= t->method_count || method->class_index >= t->id_count)
        return false;
    const struct classes_method *row = &t->methods[method->row];
    while (next < row->field_count && !classes_in_set(t->fields[row->fields + next].set, method->class_index))
        next++;
    if (next >= row->field_count) {
        field->next = row->field_count;
        return false;
    }
    const struct classes_field *from = &t->fields[row->fields + next];
    *field = (struct pfifo_field){
        .name = t->pool + from->name,
        .type = (enum pfifo_field_type)from->type,
        .high = from->high,
        .low = from->low,
        .shift = from->shift,
        .step = {from->step[0], from->step[1]},
        .next = next + 1,
        .row = row->fields + next,
        .class_index = method->class_index,
    };
    return true;
}

bool pfifo_field_find(const struct pfifo_method_name *method, const char *name, struct pfifo_field *field) {
    memset(field, 0, sizeof *field);
    while (pfifo_field_next(method, field)) {
        if (classes_compare(field->name, name) == 0)
            return true;
    }
    return false;
}

uint32_t pfifo_field_get(const struct pfifo_field *field, uint32_t data) {
    if (field->high > 31 || field->low > field->high)
        return 0;
    uint32_t width = field->high - field->low + 1;
    return data >> field->low & (UINT32_MAX >> (32 - width));
}

/* The field's row, NULL if `field` did not come from an iteration. */
static const struct classes_field *field_row(const struct pfifo_field *field) {
    const struct classes_tables *t = &classes_tables;
    bool valid = field->name && field->row < t->field_count && field->class_index < t->id_count;
    return valid ? &t->fields[field->row] : NULL;
}

/* The first of a group's values that is not below `value`. */
static size_t first_value(const struct classes_group *group, uint32_t value) {
    size_t low = group->values, high = low + group->value_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (classes_tables.values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *pfifo_field_value_name(const struct pfifo_field *field, uint32_t value) {
    const struct classes_tables *t = &classes_tables;
    const struct classes_field *row = field_row(field);
    for (unsigned i = 0; row && i < row->group_count; i++) {
        const struct classes_group *group = &t->groups[row->groups + i];
        if (!classes_in_set(group->set, field->class_index))
            continue;
        size_t at = first_value(group, value);
        if (at < (size_t)group->values + group->value_count && t->values[at].value == value)
            return t->pool + t->values[at].name;
    }
    return NULL;
}

bool pfifo_field_value_at(const struct pfifo_field *field, size_t index, uint32_t *value, const char **name) {
    const struct classes_tables *t = &classes_tables;
    const struct classes_field *row = field_row(field);
    for (unsigned i = 0; row && i < row->group_count; i++) {
        const struct classes_group *group = &t->groups[row->groups + i];
        if (!classes_in_set(group->set, field->class_index))
            continue;
        if (index < group->value_count) {
            *value = t->values[group->values + index].value;
            *name = t->pool + t->values[group->values + index].name;
            return true;
        }
        index -= group->value_count;
    }
    return false;
}

bool pfifo_field_value_by_name(const struct pfifo_field *field, const char *name, uint32_t *value) {
    const char *candidate;
    for (size_t i = 0; pfifo_field_value_at(field, i, value, &candidate); i++) {
        if (classes_compare(candidate, name) == 0)
            return true;
    }
    return false;
}

const char *pfifo_value_name(uint32_t class_id, uint32_t method, const char *field, uint32_t value) {
    struct pfifo_method_name name;
    struct pfifo_field found;
    if (!pfifo_method_find(class_id, method, &name) || !pfifo_field_find(&name, field, &found))
        return NULL;
    return pfifo_field_value_name(&found, value);
}

static double half_value(uint32_t bits) {
    int exponent = bits >> 10 & 31;
    double sign = bits & 0x8000 ? -1.0 : 1.0, mantissa = bits & 0x3ff;
    if (exponent == 31)
        return mantissa != 0.0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(mantissa, -24);
    return sign * ldexp(mantissa + 1024.0, exponent - 25);
}

/* The caller has checked the width: 32 or 16. */
static double float_value(uint32_t width, uint32_t bits) {
    float single;
    if (width == 16)
        return half_value(bits);
    memcpy(&single, &bits, sizeof single);
    return (double)single;
}

static int64_t integer_value(const struct pfifo_field *field, uint32_t bits) {
    uint32_t width = field->high - field->low + 1;
    bool negative = field->type == PFIFO_FIELD_INT && bits >> (width - 1) != 0;
    return ((int64_t)bits - (negative ? INT64_C(1) << width : 0)) * (INT64_C(1) << field->shift);
}

int64_t pfifo_field_integer(const struct pfifo_field *field, uint32_t data) {
    bool inside = field->high <= 31 && field->low <= field->high;
    return inside ? integer_value(field, pfifo_field_get(field, data)) : 0;
}

double pfifo_field_float(const struct pfifo_field *field, uint32_t data) {
    uint32_t width = field->high - field->low + 1;
    return width == 32 || width == 16 ? float_value(width, pfifo_field_get(field, data)) : 0.0;
}

/* printf() alone would follow the host in the sign of a NaN and the decimal point. */
void classes_float_text(double value, int most, char buf[CLASSES_FLOAT_BYTES]) {
    char *comma;

    if (isnan(value)) {
        snprintf(buf, CLASSES_FLOAT_BYTES, "nan");
        return;
    }
    for (int digits = 6; digits <= most; digits++) {
        snprintf(buf, CLASSES_FLOAT_BYTES, "%.*g", digits, value);
        if (strtof(buf, NULL) == (float)value)
            break;
    }
    comma = strchr(buf, ',');
    if (comma)
        *comma = '.';
}

static void print_float(struct classes_text *text, double value, uint32_t width) {
    char digits[CLASSES_FLOAT_BYTES];

    classes_float_text(value, width == 32 ? CLASSES_FLOAT_DIGITS : CLASSES_HALF_DIGITS, digits);
    classes_text_print(text, "%s", digits);
}

/* A number without a name, formatted by its type. */
static void print_number(struct classes_text *text, const struct pfifo_field *field, uint32_t bits) {
    uint32_t width = field->high - field->low + 1;
    long long number = (long long)integer_value(field, bits);
    if (field->type == PFIFO_FIELD_FLOAT && (width == 32 || width == 16))
        print_float(text, float_value(width, bits), width);
    else if (field->type == PFIFO_FIELD_INT || field->type == PFIFO_FIELD_UINT)
        classes_text_print(text, "%lld", number);
    else
        classes_text_print(text, "0x%llx", (unsigned long long)number);
}

static void describe_field(struct classes_text *text, const struct pfifo_field *field, uint32_t data) {
    uint32_t bits = pfifo_field_get(field, data);
    const char *value = pfifo_field_value_name(field, bits);
    bool whole = strcmp(field->name, "V") == 0;
    if (whole && !value && field->type != PFIFO_FIELD_FLOAT)
        return;
    if (text->length != 0)
        classes_text_print(text, " ");
    if (!whole)
        classes_text_print(text, "%s=", field->name);
    if (value)
        classes_text_print(text, "%s", value);
    else
        print_number(text, field, bits);
}

size_t pfifo_method_describe(uint32_t class_id, uint32_t method, uint32_t data, char *buf, size_t size) {
    struct classes_text text = classes_text_begin(buf, size);
    struct pfifo_method_name name;
    struct pfifo_field field = {0};
    if (!pfifo_method_find(class_id, method, &name))
        return 0;
    while (pfifo_field_next(&name, &field)) {
        if (field.high <= 31)
            describe_field(&text, &field, data);
    }
    return text.length;
}
