/* SPDX-License-Identifier: MIT */
/* Fields of forms, by the class tables. */
#include "structure/structure.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chip/chip.h"

enum { TEXT_BYTES = 256, NAME_BYTES = 96, STRUCTURE_NAME_BYTES = 48, WORD_BITS = 32 };

uint64_t structure_bits(const struct structure *structure, uint32_t high, uint32_t low) {
    uint64_t value = 0;

    for (uint32_t at = low / WORD_BITS; at <= high / WORD_BITS && at < structure->count; at++) {
        const uint64_t word = structure->words[at];
        const int64_t place = (int64_t)at * WORD_BITS - low;
        if (place < 64)
            value |= place >= 0 ? word << place : word >> -place;
    }
    return high - low >= 63 ? value : value & ((UINT64_C(1) << (high - low + 1)) - 1);
}

/* ---- items ---- */

void structure_item(struct structure *structure, const struct pfifo_structure_item *item) {
    if (!structure->stopped)
        structure->stopped = !structure->sink(structure->opaque, item);
}

static void put_text(struct structure *structure, enum pfifo_structure_item_kind kind, const char *name,
                     const char *format, va_list args) {
    char text[TEXT_BYTES];

    vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    structure_item(structure, &(struct pfifo_structure_item){.kind = kind, .name = name, .text = text});
}

void structure_form_begin(struct structure *structure, const char *format, ...) {
    va_list args;

    va_start(args, format);
    put_text(structure, PFIFO_STRUCTURE_FORM, "", format, args);
    va_end(args);
}

void structure_says(struct structure *structure, const char *name, const char *format, ...) {
    va_list args;

    va_start(args, format);
    put_text(structure, PFIFO_STRUCTURE_SAYS, name, format, args);
    va_end(args);
}

void structure_says_number(struct structure *structure, const char *name, const char *format, uint64_t value) {
    char text[TEXT_BYTES];

    snprintf(text, sizeof text, format, (unsigned long long)value); /* NOLINT(clang-diagnostic-format-nonliteral) */
    structure_item(structure,
                   &(struct pfifo_structure_item){
                       .kind = PFIFO_STRUCTURE_SAYS, .name = name, .value = value, .has_value = true, .text = text});
}

void structure_odd(struct structure *structure, const char *format, ...) {
    va_list args;

    va_start(args, format);
    put_text(structure, PFIFO_STRUCTURE_ODD, "", format, args);
    va_end(args);
}

/* ---- forms ---- */

/* The structure of part `part` of a form. False: there are no more parts. */
static bool form_part(const struct structure_form *form, unsigned part, struct pfifo_method_name *found) {
    const char *mark = strchr(form->name, '#');
    char name[STRUCTURE_NAME_BYTES];

    if (!mark)
        return part == 0 && pfifo_structure_find(form->class_id, form->name, found);
    snprintf(name, sizeof name, "%.*s%u", (int)(mark - form->name), form->name, part);
    return pfifo_structure_find(form->class_id, name, found);
}

bool structure_exists(const struct structure_form *form) {
    struct pfifo_method_name part;
    return form_part(form, 0, &part);
}

/* A field, its bits counted from the start of the form. */
static bool field_of(const struct structure_form *form, const char *name, struct pfifo_field *field) {
    struct pfifo_method_name part;

    for (unsigned i = 0; form_part(form, i, &part); i++)
        if (pfifo_field_find(&part, name, field)) {
            field->low += i * WORD_BITS;
            field->high += i * WORD_BITS;
            return true;
        }
    return false;
}

bool structure_value(const struct structure *structure, const struct structure_form *form, const char *field,
                     uint64_t *value) {
    struct pfifo_field found;

    *value = 0;
    if (!field_of(form, field, &found))
        return false;
    *value = structure_bits(structure, found.high, found.low) << found.shift;
    return true;
}

uint64_t structure_value_or_0(const struct structure *structure, const struct structure_form *form, const char *field) {
    uint64_t value;

    structure_value(structure, form, field, &value);
    return value;
}

uint64_t structure_element(const struct structure *structure, const struct structure_form *form, const char *field,
                           unsigned index) {
    struct pfifo_field found;

    if (!field_of(form, field, &found))
        return 0;
    return structure_bits(structure, found.high + index * found.step[0], found.low + index * found.step[0])
           << found.shift;
}

uint32_t structure_class(const struct pfifo_chip *chip, const char *family, const char *name) {
    struct structure_form form = {.name = name};
    uint32_t last = 0;

    for (size_t i = 0; i < CHIP_MAX_CLASSES && chip->classes[i]; i++) {
        const struct pfifo_class *class = pfifo_class_find(chip->classes[i]);
        form.class_id = chip->classes[i];
        if (class && class->id > last && strcmp(class->family, family) == 0 && structure_exists(&form))
            last = class->id;
    }
    return last;
}

/* ---- fields ---- */

static bool field_applies(const struct structure *structure, const struct structure_form *form, const char *field) {
    for (const struct structure_condition *at = form->conditions; at && at->field; at++) {
        uint64_t value;
        if (strcmp(at->field, field) != 0 || !structure_value(structure, form, at->other, &value))
            continue;
        if (!(at->values >> (value < 31 ? value : 31) & 1))
            return false;
    }
    return true;
}

static bool is_reserved(const char *name) {
    return strstr(name, "RESERVED") || strstr(name, "SPARE") || strncmp(name, "PADDING", 7) == 0;
}

/* What the value is, as its type says. True: it is a name. */
static bool format_value(const struct pfifo_field *field, uint64_t value, char *buf, size_t size) {
    const unsigned width = field->high - field->low + 1;
    const char *name = width <= WORD_BITS ? pfifo_field_value_name(field, (uint32_t)value) : NULL;
    struct pfifo_field whole = *field;

    whole.low = 0;
    whole.high = width - 1;
    if (name)
        snprintf(buf, size, "%s", name);
    else if (field->type == PFIFO_FIELD_FLOAT && (width == 32 || width == 16))
        snprintf(buf, size, "%.9g", pfifo_field_float(&whole, (uint32_t)value));
    else if (field->type == PFIFO_FIELD_INT && width <= WORD_BITS)
        snprintf(buf, size, "%" PRId64, pfifo_field_integer(&whole, (uint32_t)value));
    else if (field->type == PFIFO_FIELD_UINT)
        snprintf(buf, size, "%" PRIu64, value << field->shift);
    else
        snprintf(buf, size, "0x%" PRIx64, value << field->shift);
    return name != NULL;
}

static void put_field(struct structure *structure, const struct pfifo_field *field, const char *name) {
    struct pfifo_structure_item item = {
        .kind = PFIFO_STRUCTURE_FIELD, .name = name, .high = field->high, .low = field->low};
    char text[TEXT_BYTES];

    item.value = structure_bits(structure, field->high, field->low);
    item.has_name = format_value(field, item.value, text, sizeof text);
    item.text = text;
    structure_item(structure, &item);
    if (is_reserved(name) && item.value)
        structure_odd(structure, "the reserved field %s is 0x%" PRIx64, name, item.value);
}

/* A field repeats until it meets another one, or the end of the structure. */
static bool element_is_there(const struct pfifo_method_name *part, const struct pfifo_field *element, size_t words) {
    struct pfifo_field other = {0};

    if (element->high >= words * WORD_BITS)
        return false;
    while (pfifo_field_next(part, &other))
        if (other.low <= element->high && other.high >= element->low)
            return false;
    return true;
}

static void mark_bits(uint32_t seen[PFIFO_STRUCTURE_WORDS], uint32_t high, uint32_t low) {
    for (uint32_t bit = low; bit <= high && bit < PFIFO_STRUCTURE_WORDS * WORD_BITS; bit++)
        seen[bit / WORD_BITS] |= UINT32_C(1) << bit % WORD_BITS;
}

/* The field, or all elements of it; its bits count from the part, which begins at bit `base`. */
static void put_elements(struct structure *structure, const struct pfifo_method_name *part,
                         const struct pfifo_field *field, uint32_t base, size_t words,
                         uint32_t seen[PFIFO_STRUCTURE_WORDS]) {
    struct pfifo_field element = *field, placed;
    unsigned index = 0;
    char name[NAME_BYTES];

    do {
        placed = element;
        placed.low += base;
        placed.high += base;
        if (field->step[0])
            snprintf(name, sizeof name, "%s(%u)", field->name, index);
        else
            snprintf(name, sizeof name, "%s", field->name);
        put_field(structure, &placed, name);
        mark_bits(seen, placed.high, placed.low);
        element.low += field->step[0];
        element.high += field->step[0];
        index++;
    } while (field->step[0] && !structure->stopped && element_is_there(part, &element, words));
}

/* Runs of bits that are set and in no field. */
static void put_unknown(struct structure *structure, const uint32_t seen[PFIFO_STRUCTURE_WORDS]) {
    for (size_t i = 0; i < structure->count; i++) {
        const uint32_t bits = structure->words[i] & ~seen[i];
        if (bits && structure->count > 1)
            structure_odd(structure, "bits 0x%08" PRIx32 " of word %zu are in no field", bits, i);
        else if (bits)
            structure_odd(structure, "bits 0x%08" PRIx32 " are in no field", bits);
    }
}

void structure_fields(struct structure *structure, const struct structure_form *form, size_t words) {
    uint32_t seen[PFIFO_STRUCTURE_WORDS] = {0};
    struct pfifo_method_name part;

    for (unsigned i = 0; form_part(form, i, &part) && !structure->stopped; i++) {
        struct pfifo_field field = {0};
        while (pfifo_field_next(&part, &field) && !structure->stopped)
            if (field_applies(structure, form, field.name))
                put_elements(structure, &part, &field, i * WORD_BITS, strchr(form->name, '#') ? 1 : words, seen);
    }
    put_unknown(structure, seen);
}
