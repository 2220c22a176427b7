/* SPDX-License-Identifier: MIT */
/* Registers, by name or by offset in BAR0. Without a chip, each form that chips have of them. */
#include "face/tool/explain/explain.h"

#include "face/common/text.h"
#include "face/tool/chips/register_text.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { MOST_FORMS = 8 };

/* A register as some chips have it. */
struct form {
    struct pfifo_register reg;
    uint32_t index;
    bool chips[EXPLAIN_CHIPS];
};

const struct pfifo_registers *explain_tables(struct explain *explain, size_t chip) {
    if (chip < EXPLAIN_CHIPS && !explain->tables[chip])
        explain->tables[chip] = pfifo_registers_new(pfifo_chip_at(chip), NULL);
    return chip < EXPLAIN_CHIPS ? explain->tables[chip] : NULL;
}

void explain_free_tables(struct explain *explain) {
    for (size_t i = 0; i < EXPLAIN_CHIPS; i++)
        pfifo_registers_free(explain->tables[i]);
}

static bool same_form(const struct form *form, const struct pfifo_register *reg, uint32_t index) {
    const struct pfifo_register *other = &form->reg;

    return form->index == index && other->offset == reg->offset && other->count == reg->count &&
           other->stride == reg->stride && other->readable == reg->readable && other->writable == reg->writable &&
           other->reset == reg->reset && strcmp(other->unit, reg->unit) == 0 && strcmp(other->name, reg->name) == 0 &&
           strcmp(other->fields ? other->fields : "", reg->fields ? reg->fields : "") == 0;
}

/* Without its index, which may be left out. */
static size_t add_form(struct form *forms, size_t count, const struct pfifo_register *reg, uint32_t index,
                       size_t chip) {
    size_t i = 0;

    while (i < count && !same_form(&forms[i], reg, index))
        i++;
    if (i == MOST_FORMS)
        return count;
    if (i == count)
        forms[count++] = (struct form){.reg = *reg, .index = index};
    forms[i].chips[chip] = true;
    return count;
}

/* All registers of that name: several units may have it. */
static size_t forms_called(struct form *forms, size_t count, const struct pfifo_registers *tables, const char *name,
                           size_t chip) {
    struct pfifo_register reg;
    struct pfifo_window window;
    char full[EXPLAIN_BYTES * 2];

    for (size_t i = 0; pfifo_registers_at(tables, i, &reg); i++) {
        snprintf(full, sizeof full, "%s.%s", reg.unit, reg.name);
        if (strcasecmp(name, reg.name) == 0 || strcasecmp(name, full) == 0)
            count = add_form(forms, count, &reg, 0, chip);
    }
    for (size_t w = 0; pfifo_registers_window(tables, w, &window); w++)
        for (size_t i = 0; pfifo_registers_window_word(tables, w, i, &reg); i++) {
            snprintf(full, sizeof full, "%s.%s", reg.unit, reg.name);
            if (strcasecmp(name, reg.name) == 0 || strcasecmp(name, full) == 0)
                count = add_form(forms, count, &reg, 0, chip);
        }
    return count;
}

/* By name, by name with an index, and by offset. */
static size_t forms_of(struct form *forms, size_t count, const struct pfifo_registers *tables, const char *text,
                       size_t chip) {
    struct pfifo_register reg;
    uint32_t offset, index;
    uint64_t number;

    if (!strchr(text, '[') && !text_to_number(text, &number))
        return forms_called(forms, count, tables, text, chip);
    if (pfifo_registers_find(tables, text, &offset, NULL) == PFIFO_OK &&
        pfifo_registers_describe(tables, offset, &reg, &index))
        return add_form(forms, count, &reg, index, chip);
    return count;
}

static void register_access(struct explain *explain, const struct pfifo_register *reg) {
    explain_number(explain, "readable", "0x%08" PRIx64, reg->readable);
    explain_number(explain, "writable", "0x%08" PRIx64, reg->writable);
    explain_number(explain, "reset", "0x%08" PRIx64, reg->reset);
    explain_list(explain, "access");
    explain_word(explain, "%s", reg->computed ? "the value is computed when it is read" : "reads give what is stored");
    if (reg->write_acts)
        explain_word(explain, "a write does something: it starts, acknowledges or looks up");
    if (reg->read_acts)
        explain_word(explain, "a read does something");
    if (!reg->writable && !reg->write_acts)
        explain_word(explain, "writes are ignored");
    explain_list_end(explain);
}

static void register_fields(struct explain *explain, const struct pfifo_register *reg, const char *only) {
    struct pfifo_register_field field;
    char bits[16];

    if (!reg->fields)
        return;
    explain_list(explain, "fields");
    for (size_t i = 0; pfifo_register_field_at(reg, i, &field); i++)
        if (!only || strcasecmp(only, field.name) == 0)
            explain_line(explain, "%s %s", field.name, explain_bits(field.high, field.low, bits));
    explain_list_end(explain);
}

static void register_value(struct explain *explain, const struct pfifo_register *reg) {
    char text[512];
    uint64_t value;

    if (!explain->thing->value || !text_to_number(explain->thing->value, &value) || value > UINT32_MAX)
        return;
    register_format_names(reg, (uint32_t)value, text, sizeof text);
    explain_number(explain, "value", "0x%08" PRIx64, value);
    explain_text(explain, "says", "%s", text[0] ? text : reg->fields ? "no field is set" : "nothing but the number");
}

static void explain_register(struct explain *explain, const struct form *form, const char *field) {
    const struct pfifo_register *reg = &form->reg;

    if (reg->count > 1)
        explain_begin(explain, "register", "register %s.%s[%" PRIu32 "]", reg->unit, reg->name, form->index);
    else
        explain_begin(explain, "register", "register %s.%s", reg->unit, reg->name);
    explain_number(explain, "offset", "0x%06" PRIx64 " in BAR0", reg->offset + (uint64_t)form->index * reg->stride);
    if (reg->count > 1 && !explain->json)
        explain_text(explain, "array", "element %" PRIu32 " of %" PRIu32 ", one every 0x%" PRIx32 " bytes", form->index,
                     reg->count, reg->stride);
    if (explain->json) {
        explain_text(explain, "unit", "%s", reg->unit);
        explain_text(explain, "name", "%s", reg->name);
        explain_number(explain, "count", "", reg->count);
        explain_number(explain, "stride", "", reg->stride);
    }
    register_value(explain, reg);
    register_access(explain, reg);
    register_fields(explain, reg, field);
    explain_chips(explain, form->chips);
    explain_list(explain, "events");
    explain_word(explain, "bus.read");
    explain_word(explain, "bus.write");
    explain_list_end(explain);
    explain_end(explain);
}

/* An area that a unit decodes itself, by name or by an offset in it. */
static void explain_window(struct explain *explain, const struct pfifo_registers *tables, const char *text,
                           const bool chips[EXPLAIN_CHIPS]) {
    struct pfifo_window window;
    uint64_t number = 0;
    bool by_number = text_to_number(text, &number);

    for (size_t i = 0; pfifo_registers_window(tables, i, &window); i++) {
        if (by_number ? number < window.base || number - window.base >= window.bytes
                      : strcasecmp(text, window.name) != 0)
            continue;
        explain_begin(explain, "window", "window %s", window.name);
        explain_number(explain, "base", "0x%06" PRIx64 " in BAR0", window.base);
        explain_number(explain, "bytes", "0x%" PRIx64, window.bytes);
        if (by_number)
            explain_number(explain, "offset", "0x%" PRIx64 " in the window", number - window.base);
        explain_chips(explain, chips);
        explain_end(explain);
        return;
    }
}

static void windows(struct explain *explain, const char *text) {
    for (size_t chip = 0; chip < pfifo_chip_count(); chip++) {
        bool chips[EXPLAIN_CHIPS] = {false};
        const struct pfifo_registers *tables;
        size_t before = explain->readings;
        if (explain->chip && explain->chip != pfifo_chip_at(chip))
            continue;
        tables = explain_tables(explain, chip);
        chips[chip % EXPLAIN_CHIPS] = true;
        if (tables)
            explain_window(explain, tables, text, chips);
        if (explain->readings > before)
            return;
    }
}

static bool register_has_field(const struct pfifo_register *reg, const char *name) {
    struct pfifo_register_field field;

    for (size_t i = 0; pfifo_register_field_at(reg, i, &field); i++)
        if (strcasecmp(field.name, name) == 0)
            return true;
    return false;
}

static bool window_is_called(const struct pfifo_registers *tables, const char *name) {
    struct pfifo_window window;

    for (size_t i = 0; pfifo_registers_window(tables, i, &window); i++)
        if (strcasecmp(window.name, name) == 0)
            return true;
    return false;
}

/* Has any chip a register or window of that name? An index does not count. */
static bool explain_register_is_known(struct explain *explain, const char *text) {
    struct form forms[MOST_FORMS];
    char name[2 * EXPLAIN_BYTES];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "["), text);
    for (size_t chip = 0; chip < pfifo_chip_count(); chip++) {
        const struct pfifo_registers *tables = explain_covers(chip) ? explain_tables(explain, chip) : NULL;
        if (tables && (forms_called(forms, 0, tables, name, chip) || window_is_called(tables, name)))
            return true;
    }
    return false;
}

/* NV_PFIFO_CACHE1_GET, as NVIDIA's manuals and several emulators write it, is PFIFO.CACHE1_GET. */
static const char *register_plain_name(const char *text, char buf[], size_t size) {
    char *end;

    if (strncasecmp(text, "NV_P", 4) != 0)
        return text;
    snprintf(buf, size, "%s", text + 3);
    end = strchr(buf, '_');
    if (!end)
        return text;
    *end = '.';
    return buf;
}

/* Registers `text`, and of them those that have the field, if one is asked for. */
static void registers(struct explain *explain, const char *text, const char *field) {
    struct form forms[MOST_FORMS];
    size_t count = 0, before;
    bool was_made;

    if (!explain->chip && !explain_register_is_known(explain, text))
        return;
    for (size_t chip = 0; chip < pfifo_chip_count(); chip++) {
        const struct pfifo_registers *tables;
        if (explain->chip && explain->chip != pfifo_chip_at(chip))
            continue;
        was_made = chip < EXPLAIN_CHIPS && explain->tables[chip];
        tables = explain_tables(explain, chip);
        before = count;
        if (tables)
            count = forms_of(forms, count, tables, text, chip);
        /* Memory that is used again has no page faults, which are half of the time. A form has names of its tables. */
        if (tables && !was_made && count == before) {
            pfifo_registers_free(explain->tables[chip]);
            explain->tables[chip] = NULL;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!field || register_has_field(&forms[i].reg, field))
            explain_register(explain, &forms[i], field);
    if (!count && !field && !explain->thing->value)
        windows(explain, text);
}

void explain_registers(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    char name[2 * EXPLAIN_BYTES];
    uint64_t number;

    /* Without a chip, a number may be anything. */
    if (explain_is_number(thing->whole, &number) && !explain->chip)
        return;
    if (thing->value && !text_to_number(thing->value, &number))
        return;
    /* No unit is called like a class: tables of all chips need not be made to see that. */
    if (thing->parts > 1 && pfifo_class_by_name(thing->part[0]))
        return;
    if (thing->parts < 3) {
        registers(explain, register_plain_name(thing->whole, name, sizeof name), NULL);
        return;
    }
    snprintf(name, sizeof name, "%s.%s", thing->part[0], thing->part[1]);
    registers(explain, name, thing->part[2]);
}

/* NAME[N] of an array that has fewer elements, or of a register that is no array. */
static bool is_wrong_index(const struct pfifo_registers *tables, const char *text, struct pfifo_error *error) {
    size_t length = strcspn(text, "["), digits = strspn(text + length + 1, "0123456789");
    char name[EXPLAIN_PARTS * EXPLAIN_BYTES + 4];
    uint32_t offset;

    if (!digits || strcmp(text + length + 1 + digits, "]") != 0 ||
        pfifo_registers_find(tables, text, &offset, error) == PFIFO_OK)
        return false;
    snprintf(name, sizeof name, "%.*s[0]", (int)length, text);
    if (pfifo_registers_find(tables, name, &offset, NULL) == PFIFO_OK)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return pfifo_registers_find(tables, name, &offset, NULL) == PFIFO_OK;
}

bool explain_wrong_index(struct explain *explain, struct pfifo_error *error) {

    for (size_t chip = 0; chip < pfifo_chip_count() && strchr(explain->thing->whole, '['); chip++) {
        const struct pfifo_registers *tables;
        if (explain->chip ? explain->chip != pfifo_chip_at(chip) : !explain_covers(chip))
            continue;
        tables = explain_tables(explain, chip);
        if (tables && is_wrong_index(tables, explain->thing->whole, error))
            return true;
    }
    return false;
}

void explain_register_members(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    char names[EXPLAIN_MOST][2 * EXPLAIN_BYTES], name[2 * EXPLAIN_BYTES];
    struct pfifo_register reg;
    size_t count = 0;

    for (size_t chip = 0; chip < pfifo_chip_count() && thing->parts == 1 && !thing->value; chip++) {
        const struct pfifo_registers *tables;
        if (explain->chip ? explain->chip != pfifo_chip_at(chip) : !explain_covers(chip))
            continue;
        tables = explain_tables(explain, chip);
        for (size_t i = 0; tables && pfifo_registers_at(tables, i, &reg) && count < EXPLAIN_MOST; i++) {
            size_t known = 0;
            if (!register_has_field(&reg, thing->part[0]))
                continue;
            snprintf(name, sizeof name, "%s.%s", reg.unit, reg.name);
            while (known < count && strcmp(names[known], name) != 0)
                known++;
            if (known == count)
                memcpy(names[count++], name, sizeof name);
        }
    }
    if (!count)
        return;
    explain_begin(explain, "field", "field %s of registers", thing->part[0]);
    explain_list(explain, "of");
    for (size_t i = 0; i < count; i++)
        explain_line(explain, "%s.%s", names[i], thing->part[0]);
    if (count == EXPLAIN_MOST)
        explain_line(explain, "and maybe more");
    explain_list_end(explain);
    explain_end(explain);
}
