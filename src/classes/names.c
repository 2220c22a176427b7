/* SPDX-License-Identifier: MIT */
/* Lookup of classes, methods and structures by name. */
#include "classes/tables.h"

#include <string.h>

/* The longest name has 45 characters. */
enum { NAME_BYTES = 128 };

/* A digit's value, 99 for anything else. */
static uint32_t digit(char c) {
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (uint32_t)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10 : 99;
}

/* An unsigned number at `*text`, which is advanced. */
static bool names_parse_number(const char **text, uint32_t base, uint32_t *number) {
    const char *start = *text;
    uint64_t value = 0;
    while (digit(**text) < base) {
        value = value * base + digit(**text);
        if (value > UINT32_MAX)
            return false;
        ++*text;
    }
    *number = (uint32_t)value;
    return *text != start;
}

static bool skip_hex_prefix(const char **text) {
    if ((*text)[0] != '0' || ((*text)[1] != 'x' && (*text)[1] != 'X'))
        return false;
    *text += 2;
    return true;
}

const struct pfifo_class *pfifo_class_by_name(const char *text) {
    for (size_t i = 0; i < classes_tables.class_count; i++) {
        const struct pfifo_class *class = &classes_tables.classes[i];
        if (classes_compare(class->name, text) == 0 || (class->alias && classes_compare(class->alias, text) == 0))
            return class;
    }
    uint32_t id;
    skip_hex_prefix(&text);
    return names_parse_number(&text, 16, &id) && *text == '\0' ? pfifo_class_find(id) : NULL;
}

/* The first entry of the index that is not before `name`. */
static size_t first_entry(const char *name) {
    const struct classes_tables *t = &classes_tables;
    size_t low = 0, high = t->name_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (classes_compare(t->pool + t->names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether an entry of the index has this name and belongs to a method of the class. */
static bool entry_matches(size_t entry, const char *name, uint32_t ordinal) {
    const struct classes_tables *t = &classes_tables;
    return classes_compare(t->pool + t->names[entry].name, name) == 0 &&
           classes_in_set(t->methods[t->names[entry].method].set, ordinal);
}

/* "NAME", "NAME(1)", "NAME(1,0x2)": the name is copied to `name`. */
static bool names_parse_method(const char *text, char name[NAME_BYTES], uint32_t *indices, uint32_t index[2]) {
    size_t length = strcspn(text, "(");
    *indices = index[0] = index[1] = 0;
    if (length == 0 || length >= NAME_BYTES || text[0] == '@')
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    text += length;
    if (*text == '\0')
        return true;
    do {
        text++;
        text += strspn(text, " ");
        if (*indices == 2 || !names_parse_number(&text, skip_hex_prefix(&text) ? 16 : 10, &index[*indices]))
            return false;
        ++*indices;
    } while (*text == ',');
    return text[0] == ')' && text[1] == '\0';
}

/* Turn indices of an alias into those of the method; false if the element does not exist. */
static bool alias_to_own(const struct classes_alias *alias, uint32_t index[2]) {
    switch ((enum classes_alias_kind)alias->kind) {
    case CLASSES_ALIAS_SAME:
        return true;
    case CLASSES_ALIAS_BEGIN:
        if (index[0] > UINT16_MAX)
            return false;
        index[0] += alias->k;
        return true;
    case CLASSES_ALIAS_ELEMENT:
        if (index[0] < alias->k || (index[0] - alias->k) % alias->step != 0)
            return false;
        index[0] = (index[0] - alias->k) / alias->step;
        return true;
    case CLASSES_ALIAS_ROW:
        index[1] = alias->k;
        return true;
    case CLASSES_ALIAS_INNER:
        if (index[1] != alias->k)
            return false;
        index[1] = 0;
        return true;
    }
    return false;
}

/* The offset of an entry's element, if the method has it. */
static bool entry_offset(const struct classes_name *entry, uint32_t indices, const uint32_t index[2],
                         uint32_t *offset) {
    const struct classes_method *method = &classes_tables.methods[entry->method];
    uint32_t dimensions = method->stride[0] == 0 ? 0 : method->stride[1] == 0 ? 1 : 2;
    uint32_t own[2] = {index[0], index[1]};
    if (entry->alias != 0) {
        const struct classes_alias *alias = &classes_tables.aliases[entry->alias - 1];
        if (alias->kind != CLASSES_ALIAS_SAME)
            dimensions = alias->kind == CLASSES_ALIAS_INNER ? 2 : 1;
        if (!alias_to_own(alias, own))
            return false;
    }
    if (indices > dimensions || own[0] >= method->count[0] || own[1] >= method->count[1])
        return false;
    if (offset)
        *offset = method->first + own[0] * method->stride[0] + own[1] * method->stride[1];
    return true;
}

static bool method_called(uint32_t ordinal, const char *text, uint32_t *offset) {
    char name[NAME_BYTES];
    uint32_t indices, index[2];

    if (!names_parse_method(text, name, &indices, index))
        return false;
    for (size_t i = first_entry(name); i < classes_tables.name_count; i++) {
        if (classes_compare(classes_tables.pool + classes_tables.names[i].name, name) != 0)
            return false;
        if (entry_matches(i, name, ordinal) && entry_offset(&classes_tables.names[i], indices, index, offset))
            return true;
    }
    return false;
}

bool pfifo_method_by_name(uint32_t class_id, const char *text, uint32_t *offset) {
    int ordinal = classes_ordinal(class_id);
    const char *rest;

    if (ordinal < 0)
        return false;
    if (method_called((uint32_t)ordinal, text, offset))
        return true;
    rest = classes_without_prefix(class_id, text);
    return rest && method_called((uint32_t)ordinal, rest, offset);
}

bool classes_method_is_called(const struct pfifo_method_name *method, const char *text) {
    uint32_t class_id = classes_tables.ids[method->class_index], offset;
    struct pfifo_method_name found;

    if (!pfifo_method_by_name(class_id, text, &offset) || !pfifo_method_find(class_id, offset, &found))
        return false;
    return strchr(text, '(') ? offset == method->offset : found.row == method->row && found.first == method->first;
}

bool pfifo_structure_find(uint32_t class_id, const char *name, struct pfifo_method_name *out) {
    const struct classes_tables *t = &classes_tables;
    int ordinal = classes_ordinal(class_id);
    memset(out, 0, sizeof *out);
    if (ordinal < 0 || name[0] != '@')
        return false;
    for (size_t i = first_entry(name); i < t->name_count; i++) {
        const struct classes_method *method = &t->methods[t->names[i].method];
        if (classes_compare(t->pool + t->names[i].name, name) != 0)
            return false;
        if (!classes_in_set(method->set, (uint32_t)ordinal))
            continue;
        out->name = t->pool + method->name;
        out->count[0] = out->count[1] = 1;
        out->row = t->names[i].method;
        out->class_index = (uint32_t)ordinal;
        return true;
    }
    return false;
}
