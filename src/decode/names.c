/* SPDX-License-Identifier: MIT */
#include "classes/tables.h"
#include "decode/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fields of the data word; fields of a structure beyond bit 31 do not apply to a method. */
static void load_fields(struct names_entry *entry, const struct pfifo_method_name *method) {
    struct pfifo_field field = {0};

    while (pfifo_field_next(method, &field)) {
        if (field.high > 31)
            continue;
        if (entry->fields == NAMES_FIELDS || (field.type == PFIFO_FIELD_FLOAT && field.high - field.low != 31)) {
            entry->slow = true;
            return;
        }
        entry->field[entry->fields++] = field;
    }
}

static void load_entry(struct names_entry *entry, enum pfifo_names whose, uint32_t class_id, uint32_t method) {
    struct pfifo_method_name name;

    *entry = (struct names_entry){.known = true, .class_id = class_id, .method = (uint16_t)method};
    if (!pfifo_method_find(class_id, method, &name))
        return;
    pfifo_method_format_as(&name, whose, entry->text, sizeof entry->text);
    entry->length = (uint8_t)strlen(entry->text);
    load_fields(entry, &name);
}

const struct names_entry *names_method(struct names *names, uint32_t class_id, uint32_t method) {
    struct names_entry *entry = &names->slots[(method / 4 ^ class_id * 37) % NAMES_SLOTS];

    if (!entry->known || entry->class_id != class_id || entry->method != method)
        load_entry(entry, names->whose, class_id, method);
    return entry;
}

const char *names_class(struct names *names, unsigned subchannel, uint32_t class_id) {
    const struct pfifo_class **last = &names->last_class[subchannel % 8];

    if (!*last || (*last)->id != class_id)
        *last = pfifo_class_find(class_id);
    return *last ? (*last)->name : "";
}

const struct pfifo_field *names_handle(const struct names_entry *entry) {
    for (unsigned i = 0; i < entry->fields; i++)
        if (entry->field[i].type == PFIFO_FIELD_OBJECT)
            return &entry->field[i];
    return NULL;
}

/* Most values are small whole numbers. */
static void names_put_float(struct output *out, uint32_t bits) {
    char text[CLASSES_FLOAT_BYTES];
    float value;

    memcpy(&value, &bits, sizeof value);
    if (value >= 0.0f && value < 1e5f && (float)(uint32_t)value == value && !signbit(value)) {
        output_decimal(out, (uint32_t)value);
    } else {
        classes_float_text((double)value, CLASSES_FLOAT_DIGITS, text);
        output_text(out, text);
    }
}

static void put_int(struct output *out, const struct pfifo_field *field, uint32_t bits) {
    unsigned width = field->high - field->low + 1;
    uint64_t magnitude = bits;

    if (bits >> (width - 1) & 1) {
        output_text(out, "-");
        magnitude = (UINT64_C(1) << width) - bits;
    }
    output_decimal(out, magnitude << field->shift);
}

static void names_put_number(struct output *out, const struct pfifo_field *field, uint32_t bits) {
    if (field->type == PFIFO_FIELD_FLOAT) {
        names_put_float(out, bits);
    } else if (field->type == PFIFO_FIELD_INT) {
        put_int(out, field, bits);
    } else if (field->type == PFIFO_FIELD_UINT) {
        output_decimal(out, (uint64_t)bits << field->shift);
    } else {
        output_text(out, "0x");
        output_hex(out, (uint64_t)bits << field->shift, 1);
    }
}

/* True if anything was written. */
static bool names_put_field(struct output *out, const struct pfifo_field *field, uint32_t data, bool first) {
    uint32_t bits = pfifo_field_get(field, data);
    const char *value = pfifo_field_value_name(field, bits);
    bool whole = field->name[0] == 'V' && !field->name[1];

    if (whole && !value && field->type != PFIFO_FIELD_FLOAT)
        return false;
    if (!first)
        output_text(out, " ");
    if (!whole) {
        output_text(out, field->name);
        output_text(out, "=");
    }
    if (value)
        output_text(out, value);
    else
        names_put_number(out, field, bits);
    return true;
}

void names_describe(const struct names_entry *entry, uint32_t data, struct output *out) {
    char text[1024];
    bool first = true;

    if (entry->slow) {
        pfifo_method_describe(entry->class_id, entry->method, data, text, sizeof text);
        output_text(out, text);
        return;
    }
    for (unsigned i = 0; i < entry->fields; i++)
        if (names_put_field(out, &entry->field[i], data, first))
            first = false;
}
