/* SPDX-License-Identifier: MIT */
/* What may have been meant by a thing that is not known. */
#include <pfifo/error_code.h>

#include "face/tool/explain/explain.h"

#include <string.h>
#include <strings.h>

static void try_registers(struct explain *explain, struct pfifo_nearest *nearest, bool with_unit) {
    struct pfifo_register reg;
    char full[2 * EXPLAIN_BYTES];

    for (size_t chip = 0; chip < pfifo_chip_count(); chip++) {
        const struct pfifo_registers *tables;
        if (explain->chip ? explain->chip != pfifo_chip_at(chip) : !explain_covers(chip))
            continue;
        tables = explain_tables(explain, chip);
        for (size_t i = 0; tables && pfifo_registers_at(tables, i, &reg); i++) {
            snprintf(full, sizeof full, "%s.%s", reg.unit, reg.name);
            pfifo_nearest_try(nearest, with_unit ? full : reg.name);
        }
    }
}

static void try_errors(struct pfifo_nearest *nearest, bool with_unit) {
    struct pfifo_error_code code;
    char full[2 * EXPLAIN_BYTES];

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++) {
        snprintf(full, sizeof full, "%s.%s", code.unit, code.name);
        pfifo_nearest_try(nearest, with_unit ? full : code.name);
    }
}

static void try_fields(struct pfifo_nearest *nearest, const struct pfifo_method_name *method) {
    struct pfifo_field field = {0};

    while (pfifo_field_next(method, &field))
        pfifo_nearest_try(nearest, field.name);
}

static void nearest_try_values(struct pfifo_nearest *nearest, const struct pfifo_field *field) {
    const char *name;
    uint32_t value;

    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &name); i++)
        pfifo_nearest_try(nearest, name);
}

/* The part that is not known, among those that can follow what is before it. */
static void nearest_in_class(const struct explain *explain, const struct pfifo_class *class,
                             struct pfifo_nearest *nearest, char *buf, size_t size) {
    const struct explain_thing *thing = explain->thing;
    struct pfifo_method_name method;
    struct pfifo_field field;

    if (!explain_method_of(class->id, thing->part[1], &method)) {
        pfifo_nearest_begin(nearest, thing->part[1]);
        pfifo_nearest_method(nearest, class->name);
        snprintf(buf, size, "%s.%s", thing->part[0], nearest->name);
    } else if (thing->parts == 3 && !pfifo_field_find(&method, thing->part[2], &field)) {
        pfifo_nearest_begin(nearest, thing->part[2]);
        try_fields(nearest, &method);
        snprintf(buf, size, "%s.%s.%s", thing->part[0], thing->part[1], nearest->name);
    } else if (thing->value && pfifo_field_find(&method, thing->parts == 3 ? thing->part[2] : "V", &field)) {
        pfifo_nearest_begin(nearest, thing->value);
        nearest_try_values(nearest, &field);
        snprintf(buf, size, "%s=%s", thing->whole, nearest->name);
    }
}

/* Of METHOD.FIELD the field, or of METHOD.FIELD=VALUE the value, in any class that has the method. */
static void nearest_field(const struct explain *explain, struct pfifo_nearest *nearest, char *buf, size_t size) {
    const struct explain_thing *thing = explain->thing;
    struct pfifo_method_name method;
    struct pfifo_field field;
    bool has_field = false;

    pfifo_nearest_begin(nearest, thing->part[1]);
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        uint32_t id = pfifo_class_at(i)->id, offset;
        if (!pfifo_method_by_name(id, thing->part[0], &offset) || !pfifo_method_find(id, offset, &method))
            continue;
        if (thing->value && pfifo_field_find(&method, thing->part[1], &field)) {
            if (!has_field)
                pfifo_nearest_begin(nearest, thing->value);
            has_field = true;
            nearest_try_values(nearest, &field);
        } else if (!has_field) {
            try_fields(nearest, &method);
        }
    }
    if (has_field)
        snprintf(buf, size, "%s=%s", thing->whole, nearest->name);
    else
        snprintf(buf, size, "%s.%s", thing->part[0], nearest->name);
}

bool explain_nearest(struct explain *explain, char *buf, size_t size) {
    const struct explain_thing *thing = explain->thing;
    const struct pfifo_class *class = thing->parts > 1 ? explain_class_of(explain, thing->part[0]) : NULL;
    struct pfifo_nearest nearest;

    pfifo_nearest_begin(&nearest, thing->whole);
    if (class) {
        nearest.name[0] = 0;
        nearest_in_class(explain, class, &nearest, buf, size);
        return nearest.name[0] != 0;
    }
    if (thing->parts == 2)
        nearest_field(explain, &nearest, buf, size);
    if (nearest.name[0])
        return true;
    pfifo_nearest_begin(&nearest, thing->whole);
    if (thing->parts == 1) {
        explain_nearest_term(&nearest);
        pfifo_nearest_class(&nearest);
        pfifo_nearest_method(&nearest, NULL);
        for (size_t i = 0; i < pfifo_chip_count(); i++)
            pfifo_nearest_try(&nearest, pfifo_chip_info(pfifo_chip_at(i)).name);
    }
    pfifo_nearest_event(&nearest);
    try_errors(&nearest, thing->parts > 1);
    try_registers(explain, &nearest, thing->parts > 1);
    snprintf(buf, size, "%s", nearest.name);
    if (nearest.name[0] || thing->parts == 1)
        return nearest.name[0] != 0;
    pfifo_nearest_begin(&nearest, thing->part[0]);
    pfifo_nearest_class(&nearest);
    snprintf(buf, size, "%s%s", nearest.name, thing->whole + strlen(thing->part[0]));
    return nearest.name[0] != 0;
}
