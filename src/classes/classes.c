/* SPDX-License-Identifier: MIT */
/* Classes and methods by number. */
#include "classes/tables.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int classes_ordinal(uint32_t class_id) {
    const struct classes_tables *t = &classes_tables;
    size_t low = 0, high = t->id_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->ids[middle] < class_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->id_count && t->ids[low] == class_id ? (int)low : -1;
}

bool classes_in_set(uint16_t set, uint32_t ordinal) {
    assert(ordinal < classes_tables.id_count);
    return classes_tables.sets[set].bits[ordinal / 64] >> (ordinal % 64) & 1;
}

size_t pfifo_class_count(void) {
    return classes_tables.class_count;
}

const struct pfifo_class *pfifo_class_at(size_t index) {
    return index < classes_tables.class_count ? &classes_tables.classes[index] : NULL;
}

const struct pfifo_class *pfifo_class_find(uint32_t id) {
    int ordinal = classes_ordinal(id);
    return ordinal < 0 ? NULL : &classes_tables.classes[classes_tables.records[ordinal]];
}

/* The element of the array at `offset`, if there is one. The generator has checked that dimensions nest. */
static bool element_at(const struct classes_method *method, uint32_t offset, uint32_t index[2]) {
    assert(offset >= method->first);
    uint32_t rest = offset - method->first;
    index[0] = index[1] = 0;
    if (method->stride[0] != 0) {
        index[0] = rest / method->stride[0];
        rest %= method->stride[0];
    }
    if (method->stride[1] != 0) {
        index[1] = rest / method->stride[1];
        rest %= method->stride[1];
    }
    return rest == 0 && index[0] < method->count[0] && index[1] < method->count[1];
}

/*
 * The alias of an element. A list such as "A,B@4" gives B for element 4 itself and A(i) elsewhere.
 * UNKNOWN: how many elements a name covers that begins inside an array; chosen: when it is shown, one.
 */
static void set_alias(const struct classes_method *method, struct pfifo_method_name *out) {
    const struct classes_alias *aliases = &classes_tables.aliases[method->aliases];
    const struct classes_alias *best = NULL;
    uint32_t i = out->index[0];
    for (unsigned n = 0; n < method->alias_count; n++) {
        if (aliases[n].kind == CLASSES_ALIAS_BEGIN ? aliases[n].k == i
            : aliases[n].kind == CLASSES_ALIAS_ROW ? aliases[n].k == out->index[1]
                                                   : best == NULL)
            best = &aliases[n];
    }
    /* Both sources may have the same name. */
    if (!best || best->name == method->name)
        return;
    out->alias = classes_tables.pool + best->name;
    bool first_of_list = method->alias_count > 1 && aliases[1].kind == CLASSES_ALIAS_BEGIN && aliases[1].k == 1;
    if (best->kind == CLASSES_ALIAS_BEGIN || (first_of_list && i == 0))
        return;
    out->alias_indices = out->indices;
    out->alias_index[0] = i;
    out->alias_index[1] = out->index[1];
    if (best->kind == CLASSES_ALIAS_ELEMENT) {
        out->alias_indices = 1;
        out->alias_index[0] = best->step * i + best->k;
    } else if (best->kind == CLASSES_ALIAS_ROW) {
        out->alias_indices = 1;
    } else if (best->kind == CLASSES_ALIAS_INNER) {
        out->alias_indices = 2;
        out->alias_index[1] = best->k;
    }
}

/* Fill in everything about the element out->index of a row. */
static void describe_row(uint32_t ordinal, uint32_t row, struct pfifo_method_name *out) {
    const struct classes_method *method = &classes_tables.methods[row];
    out->name = classes_tables.pool + method->name;
    out->chips = method->chips != 0 ? classes_tables.pool + method->chips : NULL;
    out->first = method->first;
    out->offset = method->first;
    out->indices = method->stride[0] == 0 ? 0 : method->stride[1] == 0 ? 1 : 2;
    for (size_t i = 0; i < 2; i++) {
        out->count[i] = method->count[i];
        out->stride[i] = method->stride[i];
        out->offset += out->index[i] * method->stride[i];
    }
    out->row = row;
    out->class_index = ordinal;
    set_alias(method, out);
}

bool pfifo_method_find(uint32_t class_id, uint32_t method, struct pfifo_method_name *out) {
    const struct classes_tables *t = &classes_tables;
    int ordinal = classes_ordinal(class_id);
    memset(out, 0, sizeof *out);
    if (ordinal < 0)
        return false;
    size_t begin = t->slices[ordinal], low = begin, high = t->slices[ordinal + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->methods[t->refs[middle]].first <= method)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == begin)
        return false;
    size_t nearest = low - 1;
    for (size_t steps = 0; steps <= t->reach[nearest]; steps++) {
        assert(steps <= nearest - begin);
        uint32_t row = t->refs[nearest - steps];
        if (element_at(&t->methods[row], method, out->index)) {
            describe_row((uint32_t)ordinal, row, out);
            return true;
        }
    }
    memset(out, 0, sizeof *out);
    return false;
}

size_t pfifo_method_count(uint32_t class_id) {
    int ordinal = classes_ordinal(class_id);
    return ordinal < 0 ? 0 : classes_tables.slices[ordinal + 1] - classes_tables.slices[ordinal];
}

bool pfifo_method_at(uint32_t class_id, size_t index, struct pfifo_method_name *out) {
    memset(out, 0, sizeof *out);
    if (index >= pfifo_method_count(class_id))
        return false;
    uint32_t ordinal = (uint32_t)classes_ordinal(class_id);
    describe_row(ordinal, classes_tables.refs[classes_tables.slices[ordinal] + index], out);
    return true;
}

struct classes_text classes_text_begin(char *buf, size_t size) {
    if (size != 0)
        buf[0] = '\0';
    return (struct classes_text){.buf = buf, .size = size};
}

void classes_text_print(struct classes_text *text, const char *format, ...) {
    va_list args;
    bool room = text->length < text->size;
    va_start(args, format);
    int length = vsnprintf(room ? text->buf + text->length : NULL, room ? text->size - text->length : 0, format, args);
    va_end(args);
    if (length > 0)
        text->length += (size_t)length;
}

static size_t classes_format_name(const char *name, uint32_t indices, const uint32_t index[2], char *buf, size_t size) {
    struct classes_text text = classes_text_begin(buf, size);
    if (!name)
        return 0;
    if (indices == 0)
        classes_text_print(&text, "%s", name);
    else if (indices == 1)
        classes_text_print(&text, "%s(%u)", name, (unsigned)index[0]);
    else
        classes_text_print(&text, "%s(%u,%u)", name, (unsigned)index[0], (unsigned)index[1]);
    return text.length;
}

size_t pfifo_method_format(const struct pfifo_method_name *method, char *buf, size_t size) {
    return classes_format_name(method->name, method->indices, method->index, buf, size);
}

/* An alias that is the name itself. */
static bool is_of_both(const struct pfifo_method_name *method) {
    const struct classes_method *row = &classes_tables.methods[method->row];
    for (unsigned n = 0; n < row->alias_count; n++)
        if (classes_tables.aliases[row->aliases + n].name == row->name)
            return true;
    return false;
}

enum { FERMI = 0x9000 };

/* Whose the name is, and not the alias. Before Fermi it is NVIDIA's only where rnndb has none. */
static bool name_is_nvidias(const struct pfifo_method_name *method) {
    return classes_tables.ids[method->class_index] >= FERMI || (method->alias && strstr(method->alias, "UNK"));
}

size_t pfifo_method_format_as(const struct pfifo_method_name *method, enum pfifo_names names, char *buf, size_t size) {
    if (names == PFIFO_NAMES_OWN)
        return pfifo_method_format(method, buf, size);
    bool nvidias = name_is_nvidias(method), wants = names != PFIFO_NAMES_NOUVEAU;
    struct classes_text text = classes_text_begin(buf, size);
    char name[PFIFO_METHOD_NAME_BYTES];

    if (nvidias == wants || !method->alias || strstr(method->alias, "UNK"))
        pfifo_method_format(method, name, sizeof name);
    else
        pfifo_method_format_alias(method, name, sizeof name);
    if (names == PFIFO_NAMES_NXDK && (nvidias || method->alias || is_of_both(method)))
        classes_text_print(&text, "NV%03X_", (unsigned)classes_tables.ids[method->class_index]);
    classes_text_print(&text, "%s", name);
    return text.length;
}

size_t pfifo_method_format_alias(const struct pfifo_method_name *method, char *buf, size_t size) {
    return classes_format_name(method->alias, method->alias_indices, method->alias_index, buf, size);
}
