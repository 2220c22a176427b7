/* SPDX-License-Identifier: MIT */
/*
 * Build-time program: data/ *.txt -> a header of src/methods/ with the methods of some classes as constants.
 *
 *   methods-generate <output.h> <scope>,<scope>... <classes.txt> <family>.txt ...
 *
 * A scope is "PREFIX=<classes>", as GF100_3D=9097-ce97: ids of one family with + between them, a-b is all of the family
 * from a to b. All classes of a scope share its names. "*=<classes>" is a scope for each class, with the class's name as
 * the prefix.
 *
 * Names. What the data spells METHOD, FIELD and VALUE becomes, in the scope PREFIX:
 *
 *   PREFIX_METHOD                        byte offset of a method
 *   PREFIX_METHOD(i), (i, j)             the same of an array; __COUNT elements, __STRIDE bytes from one to the next
 *                                        (and __COUNT_J, __STRIDE_J of the inner dimension)
 *   PREFIX_METHOD_FIELD__SHIFT, __MASK   where a field is, in place: METHOD_FIELD(word, PREFIX_METHOD_FIELD) reads it
 *                                        (methods/field.h). A field that is the whole word has none
 *   PREFIX_METHOD_FIELD_VALUE            a value of the field, not shifted; a field of FALSE and TRUE has none
 *   PREFIX_STRUCTURE_FIELD__LOW, __BITS  a field of a structure in memory: bits from its start, and how many; __LOW(i) or
 *                                        (i, j) where the field repeats
 *
 * Where a name means different things in one scope, it means what it does in the oldest class. The others have the first
 * chip of their oldest class in the prefix: GF100_3D_SET_PIPELINE_RESERVED_B(i) was at 0x2014 + 64 i, and
 * GA100_3D_SET_PIPELINE_RESERVED_B(i) is at 0x2004 + 64 i.
 */
#include "classes/generate.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 384, MACRO_SLOTS = 1 << 16 };

struct text {
    char text[NAME_BYTES];
};

/* Classes that share their names. */
struct scope {
    struct text prefix;
    struct classes_set set;
};

static struct generate_tables tables;
static FILE *out;
static char *macros[MACRO_SLOTS]; /* "NAME value", by a hash of NAME */

PFIFO_PRINTF(1, 2) static struct text join(const char *format, ...) {
    struct text joined;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(joined.text, sizeof joined.text, format, args);
    va_end(args);
    if (length < 0 || length >= NAME_BYTES)
        generate_fail("methods", 0, "'%s...' is too long", joined.text);
    return joined;
}

static const char *generate_methods_text_of(uint32_t string) {
    return tables.pool + string;
}

static bool generate_methods_has_class(const struct classes_set *set, size_t ordinal) {
    return set->bits[ordinal / 64] >> (ordinal % 64) & 1;
}

/* The oldest class of the scope that is in a set; the number of classes if there is none. */
static size_t oldest(const struct scope *scope, uint16_t set) {
    for (size_t i = 0; i < tables.id_count; i++) {
        if (generate_methods_has_class(&scope->set, i) && generate_methods_has_class(&tables.sets[set], i))
            return i;
    }
    return tables.id_count;
}

/* Of two classes with one id, the younger. */
static const struct generate_class *generate_methods_class_of(size_t ordinal) {
    const struct generate_class *found = NULL;
    for (size_t i = 0; i < tables.class_count; i++) {
        if (tables.classes[i].id == tables.ids[ordinal])
            found = &tables.classes[i];
    }
    return found;
}

/* Write a macro, but once; that one name has two meanings is an error. */
static void generate_methods_define(const char *name, const char *arguments, const char *value) {
    struct text macro = join("%s%s %s", name, arguments, value);
    uint32_t hash = 2166136261U;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    size_t slot = hash % MACRO_SLOTS, length = strlen(name);
    for (; macros[slot]; slot = (slot + 1) % MACRO_SLOTS) {
        bool same_name = strncmp(macros[slot], name, length) == 0 && strchr("( ", macros[slot][length]);
        if (same_name && strcmp(macros[slot], macro.text) == 0)
            return;
        if (same_name)
            generate_fail("methods", 0, "'%s' and '%s'", macros[slot], macro.text);
    }
    macros[slot] = malloc(strlen(macro.text) + 1);
    if (!macros[slot])
        generate_fail("methods", 0, "no memory");
    memcpy(macros[slot], macro.text, strlen(macro.text) + 1);
    fprintf(out, "#define %s\n", macro.text);
}

static void define_number(const char *name, const char *suffix, const char *format, unsigned value) {
    char number[32];
    snprintf(number, sizeof number, format, value);
    generate_methods_define(join("%s%s", name, suffix).text, "", number);
}

/* `first` and the steps of one index or two. */
static void define_array(const char *name, const char *first, const uint16_t step[2]) {
    if (step[1] != 0)
        generate_methods_define(name, "(i, j)", join("(%s + (i) * %u + (j) * %u)", first, step[0], step[1]).text);
    else
        generate_methods_define(name, "(i)", join("(%s + (i) * %u)", first, step[0]).text);
}

/* The prefix of what begins with class `ordinal` and is not the first of its name. */
static struct text later_prefix(const struct scope *scope, size_t ordinal) {
    const struct generate_class *class = generate_methods_class_of(ordinal);
    const char *rest = strchr(scope->prefix.text, '_');
    if (class->first != 0)
        return join("%s%s", generate_methods_text_of(class->first), rest ? rest : "");
    return join("NV%04X%s", (unsigned)class->id, rest ? rest : "");
}

/* Whether the other of two that share a name is the older one, or comes first in the same class. */
static bool yields(size_t own, size_t own_place, size_t other, size_t other_place) {
    return other < own || (other == own && other_place < own_place);
}

static bool same_place(const struct classes_method *a, const struct classes_method *b) {
    return a->first == b->first && memcmp(a->stride, b->stride, sizeof a->stride) == 0 &&
           memcmp(a->count, b->count, sizeof a->count) == 0;
}

static struct text method_prefix(const struct scope *scope, size_t index) {
    const struct classes_method *method = &tables.methods[index];
    size_t own = oldest(scope, method->set);
    for (size_t i = 0; i < tables.method_count; i++) {
        const struct classes_method *other = &tables.methods[i];
        if (other->name == method->name && !same_place(other, method) &&
            yields(own, index, oldest(scope, other->set), i))
            return later_prefix(scope, own);
    }
    return scope->prefix;
}

static struct text field_prefix(const struct scope *scope, const struct classes_method *method, size_t index,
                                const struct text *prefix) {
    const struct classes_field *fields = &tables.fields[method->fields], *field = &fields[index];
    size_t own = oldest(scope, field->set);
    for (size_t i = 0; i < method->field_count; i++) {
        if (fields[i].name == field->name && (fields[i].low != field->low || fields[i].high != field->high) &&
            yields(own, index, oldest(scope, fields[i].set), i))
            return later_prefix(scope, own);
    }
    return *prefix;
}

/* Whether an older group has another value of this name. */
static bool has_older_value(const struct scope *scope, const struct classes_field *field, size_t group,
                            const struct classes_value *value) {
    const struct classes_group *groups = &tables.groups[field->groups];
    size_t own = oldest(scope, groups[group].set);
    for (size_t i = 0; i < field->group_count; i++) {
        if (!yields(own, group, oldest(scope, groups[i].set), i))
            continue;
        for (size_t k = 0; k < groups[i].value_count; k++) {
            const struct classes_value *other = &tables.values[groups[i].values + k];
            if (other->name == value->name && other->value != value->value)
                return true;
        }
    }
    return false;
}

/* Values FALSE and TRUE need no names. */
static bool is_flag(const struct classes_group *group) {
    const struct classes_value *values = &tables.values[group->values];
    return group->value_count == 2 && strcmp(generate_methods_text_of(values[0].name), "FALSE") == 0 &&
           strcmp(generate_methods_text_of(values[1].name), "TRUE") == 0;
}

/* `member` is the names of the method and of the field. */
static void generate_methods_write_values(const struct scope *scope, const struct classes_field *field,
                                          const struct text *prefix, const char *member) {
    for (size_t i = 0; i < field->group_count; i++) {
        const struct classes_group *group = &tables.groups[field->groups + i];
        size_t own = oldest(scope, group->set);
        if (own == tables.id_count || is_flag(group))
            continue;
        for (size_t k = 0; k < group->value_count; k++) {
            const struct classes_value *value = &tables.values[group->values + k];
            struct text used = has_older_value(scope, field, i, value) ? later_prefix(scope, own) : *prefix;
            define_number(join("%s_%s_%s", used.text, member, generate_methods_text_of(value->name)).text, "",
                          value->value < 10 ? "%u" : "0x%x", value->value);
        }
    }
}

/* Where a field is: in a method's word, or anywhere in a structure. */
static void write_place(const struct classes_field *field, const char *name, bool structure) {
    unsigned bits = field->high - field->low + 1U;
    if (structure) {
        if (field->step[0] != 0)
            define_array(join("%s__LOW", name).text, join("%u", field->low).text, field->step);
        else
            define_number(name, "__LOW", "%u", field->low);
        define_number(name, "__BITS", "%u", bits);
    } else if (bits < 32) {
        define_number(name, "__SHIFT", "%u", field->low);
        define_number(name, "__MASK", "0x%x", ((1U << bits) - 1) << field->low);
    }
}

static void generate_methods_write_fields(const struct scope *scope, const struct classes_method *method,
                                          const struct text *prefix) {
    bool structure = generate_methods_text_of(method->name)[0] == '@';
    for (size_t i = 0; i < method->field_count; i++) {
        const struct classes_field *field = &tables.fields[method->fields + i];
        if (oldest(scope, field->set) == tables.id_count)
            continue;
        struct text own = field_prefix(scope, method, i, prefix);
        struct text member =
            join("%s_%s", generate_methods_text_of(method->name) + structure, generate_methods_text_of(field->name));
        write_place(field, join("%s_%s", own.text, member.text).text, structure);
        generate_methods_write_values(scope, field, &own, member.text);
    }
}

static void write_offset(const struct classes_method *method, const char *name) {
    struct text first = join("0x%x", method->first);
    if (method->stride[0] == 0) {
        generate_methods_define(name, "", first.text);
        return;
    }
    define_array(name, first.text, method->stride);
    define_number(name, "__COUNT", "%u", method->count[0]);
    define_number(name, "__STRIDE", "%u", method->stride[0]);
    if (method->stride[1] != 0) {
        define_number(name, "__COUNT_J", "%u", method->count[1]);
        define_number(name, "__STRIDE_J", "%u", method->stride[1]);
    }
}

static void write_scope(const struct scope *scope) {
    for (size_t i = 0; i < tables.method_count; i++) {
        const struct classes_method *method = &tables.methods[i];
        if (oldest(scope, method->set) == tables.id_count)
            continue;
        struct text prefix = method_prefix(scope, i);
        if (generate_methods_text_of(method->name)[0] != '@')
            write_offset(method, join("%s_%s", prefix.text, generate_methods_text_of(method->name)).text);
        generate_methods_write_fields(scope, method, &prefix);
    }
}

static size_t read_ordinal(const char *text, char **end) {
    unsigned long id = strtoul(text, end, 16);
    for (size_t i = 0; i < tables.id_count; i++) {
        if (tables.ids[i] == id)
            return i;
    }
    generate_fail("methods", 0, "'%s' does not begin with a class", text);
}

static void add_class(struct scope *scope, size_t ordinal) {
    scope->set.bits[ordinal / 64] |= UINT64_C(1) << (ordinal % 64);
}

static void write_class(size_t ordinal) {
    struct scope scope = {.prefix = join("%s", generate_methods_text_of(generate_methods_class_of(ordinal)->name))};
    add_class(&scope, ordinal);
    write_scope(&scope);
}

/* PREFIX=<classes> */
static void read_scope(const char *text) {
    const char *classes = strchr(text, '=');
    if (!classes)
        generate_fail("methods", 0, "'%s' is not PREFIX=classes", text);
    struct scope scope = {.prefix = join("%.*s", (int)(classes - text), text)};
    bool each = strcmp(scope.prefix.text, "*") == 0;
    while (*classes != '\0') {
        char *end;
        size_t first = read_ordinal(classes + 1, &end), last = first;
        if (*end == '-')
            last = read_ordinal(end + 1, &end);
        if (*end != '\0' && *end != '+')
            generate_fail("methods", 0, "'%s' is not a list of classes", classes + 1);
        for (size_t i = first; i <= last; i++) {
            if (tables.family_of[i] != tables.family_of[first])
                continue;
            if (each)
                write_class(i);
            add_class(&scope, i);
        }
        classes = end;
    }
    if (!each)
        write_scope(&scope);
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: methods-generate <output.h> <scope>,... <classes.txt> <family>.txt ...\n");
        return 1;
    }
    for (int i = 3; i < argc; i++)
        generate_read(&tables, argv[i]);
    out = fopen(argv[1], "w");
    if (!out)
        generate_fail(argv[1], 0, "%s", strerror(errno));
    fprintf(out,
            "/* Generated by src/classes/generate_methods.c from src/classes/data: do not edit. */\n#pragma once\n\n"
            "#include \"methods/field.h\"\n\n");
    for (char *text = strtok(argv[2], ","); text; text = strtok(NULL, ","))
        read_scope(text);
    if (ferror(out) || fclose(out) != 0)
        generate_fail(argv[1], 0, "%s", strerror(errno));
    return 0;
}
