/* SPDX-License-Identifier: MIT */
/* Fields of methods, and their values. */
#include "face/tool/explain/explain.h"
#include "face/common/naming.h"

#include "face/common/text.h"

#include <inttypes.h>
#include <string.h>

enum { FEW_VALUES = 8 }; /* of each field of a method */

static const char *const type_texts[] = {
    [PFIFO_FIELD_PLAIN] = "bits",
    [PFIFO_FIELD_UINT] = "a number",
    [PFIFO_FIELD_INT] = "a number with a sign",
    [PFIFO_FIELD_FLOAT] = "a floating-point number",
    [PFIFO_FIELD_BOOL] = "0 or 1",
    [PFIFO_FIELD_ENUM] = "a number that stands for something",
    [PFIFO_FIELD_ADDRESS] = "part of an address",
    [PFIFO_FIELD_OBJECT] = "handle of an object",
};

static void field_format_value(uint32_t value, const char *name, char *buf, size_t size) {
    snprintf(buf, size, value < 10 ? "%" PRIu32 " %s" : "0x%" PRIx32 " %s", value, name);
}

/* "0 FALSE, 1 TRUE", and how many more there are. */
static void format_values(const struct pfifo_field *field, char *buf, size_t size) {
    char one[PFIFO_METHOD_NAME_BYTES + 16];
    const char *name;
    uint32_t value;
    size_t used = 0, count = 0;

    buf[0] = 0;
    for (; pfifo_field_value_at(field, count, &value, &name); count++) {
        if (count >= FEW_VALUES)
            continue;
        field_format_value(value, name, one, sizeof one);
        used += (size_t)snprintf(buf + used, size - used, "%s%s", count ? ", " : "", one);
    }
    if (count > FEW_VALUES)
        snprintf(buf + used, size - used, " and %zu more", count - FEW_VALUES);
}

/* Where values have names, these say what it is. */
void explain_field_line(struct explain *explain, const struct pfifo_field *field) {
    char bits[16], values[FEW_VALUES * (PFIFO_METHOD_NAME_BYTES + 18) + 32], unit[40] = "";
    bool named = field->type == PFIFO_FIELD_BOOL || field->type == PFIFO_FIELD_ENUM;

    format_values(field, values, sizeof values);
    if (field->shift)
        snprintf(unit, sizeof unit, ", in units of 0x%" PRIx64, UINT64_C(1) << (field->shift & 31));
    named = named && values[0];
    explain_line(explain, "%s %s: %s%s%s%s", field->name, explain_bits(field->high, field->low, bits),
                 named ? "" : type_texts[field->type], unit, values[0] && !named ? ": " : "", values);
}

/* All of them. */
static void explain_field_list_values(struct explain *explain, const struct pfifo_field *field) {
    char one[PFIFO_METHOD_NAME_BYTES + 16];
    const char *name;
    uint32_t value;

    if (!pfifo_field_value_at(field, 0, &value, &name))
        return;
    explain_list(explain, "values");
    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &name); i++) {
        field_format_value(value, name, one, sizeof one);
        explain_word(explain, "%s", one);
    }
    explain_list_end(explain);
}

static void field_title(struct explain *explain, const char *is, const struct pfifo_class *class,
                        const struct pfifo_method_name *method, const struct pfifo_field *field, const char *value) {
    char name[PFIFO_METHOD_NAME_BYTES];

    naming_method(method, name, sizeof name);
    explain_begin(explain, is, "%s %s.%s.%s%s%s", is, class->name, name, field->name, value[0] ? "=" : "", value);
    explain_number(explain, "method", "0x%04" PRIx64, method->offset);
    if (explain->json) {
        explain_number(explain, "high", "", field->high);
        explain_number(explain, "low", "", field->low);
    }
}

static void field_end(struct explain *explain, const struct pfifo_class *class, const struct pfifo_method_name *method,
                      const struct pfifo_field *field, const char *value) {
    char name[PFIFO_METHOD_NAME_BYTES];

    pfifo_method_format(method, name, sizeof name);
    explain_text(explain, "ask", "pfifo grep '%s.%s.%s=%s' CAPTURE", class->name, name, field->name, value);
    explain_text(explain, "source", "src/classes/data/%s.txt", class->family);
    explain_end(explain);
}

static void explain_field(struct explain *explain, const struct pfifo_class *class,
                          const struct pfifo_method_name *method, const struct pfifo_field *field) {
    const char *name = NULL;
    uint32_t value;

    field_title(explain, "field", class, method, field, "");
    explain_list(explain, "means");
    explain_field_line(explain, field);
    explain_list_end(explain);
    explain_field_list_values(explain, field);
    pfifo_field_value_at(field, 0, &value, &name);
    field_end(explain, class, method, field, name ? name : "NUMBER");
}

void explain_value(struct explain *explain, const struct pfifo_class *class, const struct pfifo_method_name *method,
                   const struct pfifo_field *field) {
    const char *text = explain->thing->value, *name;
    uint64_t number = 0;
    uint32_t value;

    if (pfifo_field_value_by_name(field, text, &value))
        number = value;
    else if (!text_to_number(text, &number) || number > UINT32_MAX)
        return;
    value = (uint32_t)number;
    name = pfifo_field_value_name(field, value);
    field_title(explain, "value", class, method, field, text);
    explain_number(explain, "value", "0x%" PRIx64, value);
    if (name)
        explain_text(explain, "name", "%s", name);
    else
        explain_text(explain, "name", "none: the sources do not name this value");
    if (field->high < 32)
        explain_number(explain, "word", "0x%08" PRIx64, (uint64_t)value << field->low & UINT32_MAX);
    explain_list(explain, "of");
    explain_field_line(explain, field);
    explain_list_end(explain);
    field_end(explain, class, method, field, text);
}

static bool field_or_value(struct explain *explain, const struct pfifo_class *class,
                           const struct pfifo_method_name *method, const char *name) {
    struct pfifo_field field;

    if (!pfifo_field_find(method, name, &field))
        return false;
    if (explain->thing->value)
        explain_value(explain, class, method, &field);
    else
        explain_field(explain, class, method, &field);
    return true;
}

void explain_fields(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    struct pfifo_method_name method;

    if (thing->parts == 3) {
        const struct pfifo_class *class = explain_class_of(explain, thing->part[0]);
        if (class && explain_method_of(class->id, thing->part[1], &method))
            field_or_value(explain, class, &method, thing->part[2]);
    }
    /* The first class that has it speaks for all. */
    for (size_t i = 0; thing->parts == 2 && i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        uint32_t offset;
        if (explain_chip_has_class(explain->chip, class) && pfifo_method_by_name(class->id, thing->part[0], &offset) &&
            pfifo_method_find(class->id, offset, &method) && field_or_value(explain, class, &method, thing->part[1]))
            return;
    }
}

/* ---- members: a field or value without its method ---- */

static bool field_has_value(const struct pfifo_method_name *method, const char *name, struct pfifo_field *found) {
    struct pfifo_field field = {0};
    uint32_t value;

    while (pfifo_field_next(method, &field))
        if (pfifo_field_value_by_name(&field, name, &value)) {
            *found = field;
            return true;
        }
    return false;
}

static bool has_member(const struct pfifo_method_name *method, const char *name, bool values,
                       struct pfifo_field *found) {
    return values ? field_has_value(method, name, found) : pfifo_field_find(method, name, found);
}

/* Classes repeat what those before them have. */
static bool is_repeated(const struct explain *explain, size_t class, const char *method, const char *name,
                        bool values) {
    struct pfifo_method_name other;
    struct pfifo_field field;
    uint32_t offset;

    for (size_t i = 0; i < class; i++) {
        const struct pfifo_class *before = pfifo_class_at(i);
        if (pfifo_method_by_name(before->id, method, &offset) && pfifo_method_find(before->id, offset, &other) &&
            has_member(&other, name, values, &field) && explain_chip_has_class(explain->chip, before))
            return true;
    }
    return false;
}

/* The first methods that have it, and how many more there are. */
static void list_members(struct explain *explain, const char *name, bool values) {
    struct pfifo_method_name method;
    struct pfifo_field field;
    size_t count = 0;

    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        for (size_t m = 0; pfifo_method_at(class->id, m, &method); m++) {
            if (!has_member(&method, name, values, &field) || !explain_chip_has_class(explain->chip, class) ||
                is_repeated(explain, i, method.name, name, values))
                continue;
            if (count++ == 0) {
                explain_begin(explain, values ? "value" : "field", "%s %s", values ? "value" : "field", name);
                explain_list(explain, "of");
            }
            if (count <= EXPLAIN_MOST)
                explain_line(explain, "%s.%s.%s", class->name, method.name, field.name);
        }
    }
    if (!count)
        return;
    if (count > EXPLAIN_MOST)
        explain_line(explain, "and %zu more", count - EXPLAIN_MOST);
    explain_list_end(explain);
    explain_end(explain);
}

void explain_members(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    uint64_t number;

    if (thing->parts != 1 || thing->value || text_to_number(thing->part[0], &number))
        return;
    list_members(explain, thing->part[0], false);
    list_members(explain, thing->part[0], true);
}
