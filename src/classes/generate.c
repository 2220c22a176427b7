/* SPDX-License-Identifier: MIT */
/*
 * Build-time program: data/ *.txt -> C files of constant tables: with all names (see tables.h), the ids alone (ids.h),
 * and which methods there are (lists.h).
 *
 *   classes-generate <tables.c> <ids.c> <lists.c> <classes.txt> <family>.txt ...
 */
#include "classes/generate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATE_OFFSETS = 0x10000 / 4, GENERATE_REFS = 1 << 16 };

/* What is derived from the tables: each class's methods in order, and the index of names. */
struct derived {
    uint32_t slices[GENERATE_CLASSES + 1];
    uint16_t refs[GENERATE_REFS];
    uint8_t reach[GENERATE_REFS];
    struct classes_name names[GENERATE_NAMES];
    size_t name_count;
};

static struct generate_tables tables;
static struct derived derived;

static bool in_set(uint16_t set, size_t ordinal) {
    return tables.sets[set].bits[ordinal / 64] >> (ordinal % 64) & 1;
}

static bool is_structure(const struct classes_method *method) {
    return tables.pool[method->name] == '@';
}

static int compare_refs(const void *a, const void *b) {
    const struct classes_method *x = &tables.methods[*(const uint16_t *)a];
    const struct classes_method *y = &tables.methods[*(const uint16_t *)b];
    return (int)x->first - (int)y->first;
}

/* For each ref: how many refs to the left the owner of an offset before the next ref can be. */
static void derive_reach(uint32_t begin, uint32_t end) {
    static uint32_t owner[GENERATE_OFFSETS]; /* ref + 1; 0: nobody */
    memset(owner, 0, sizeof owner);
    for (uint32_t ref = begin; ref < end; ref++) {
        const struct classes_method *method = &tables.methods[derived.refs[ref]];
        for (unsigned i = 0; i < method->count[0]; i++)
            for (unsigned j = 0; j < method->count[1]; j++)
                owner[(method->first + i * method->stride[0] + j * method->stride[1]) / 4] = ref + 1;
    }
    uint32_t nearest = begin;
    for (uint32_t word = 0; word < GENERATE_OFFSETS; word++) {
        while (nearest + 1 < end && tables.methods[derived.refs[nearest + 1]].first / 4 <= word)
            nearest++;
        if (owner[word] == 0)
            continue;
        uint32_t steps = nearest - (owner[word] - 1);
        if (steps > UINT8_MAX)
            generate_fail("generate", 0, "arrays are interleaved more than %d deep", UINT8_MAX);
        if (steps > derived.reach[nearest])
            derived.reach[nearest] = (uint8_t)steps;
    }
}

static void derive_slices(void) {
    uint32_t count = 0;
    for (size_t ordinal = 0; ordinal < tables.id_count; ordinal++) {
        uint32_t begin = count;
        derived.slices[ordinal] = begin;
        for (size_t i = 0; i < tables.method_count; i++) {
            if (is_structure(&tables.methods[i]) || !in_set(tables.methods[i].set, ordinal))
                continue;
            if (count == GENERATE_REFS)
                generate_fail("generate", 0, "more than %d pairs of class and method", GENERATE_REFS);
            derived.refs[count++] = (uint16_t)i;
        }
        qsort(&derived.refs[begin], count - begin, sizeof derived.refs[0], compare_refs);
        for (uint32_t ref = begin; ref + 1 < count; ref++) {
            uint16_t a = derived.refs[ref], b = derived.refs[ref + 1];
            if (tables.methods[a].first == tables.methods[b].first)
                generate_fail(tables.places[b].file, tables.places[b].line, "class %04x has %s at 0x%x already",
                              (unsigned)tables.ids[ordinal], tables.pool + tables.methods[a].name,
                              (unsigned)tables.methods[a].first);
        }
        if (count > begin)
            derive_reach(begin, count);
    }
    derived.slices[tables.id_count] = count;
}

static int generate_compare_names(const void *a, const void *b) {
    const struct classes_name *x = a, *y = b;
    int order = classes_compare(tables.pool + x->name, tables.pool + y->name);
    if (order == 0)
        order = (x->alias != 0) - (y->alias != 0);
    if (order == 0)
        order = (int)x->method - (int)y->method;
    return order != 0 ? order : (int)x->alias - (int)y->alias;
}

static void add_name(struct classes_name name) {
    if (derived.name_count == GENERATE_NAMES)
        generate_fail("generate", 0, "more than %d names of methods", GENERATE_NAMES);
    derived.names[derived.name_count++] = name;
}

static void derive_names(void) {
    for (size_t i = 0; i < tables.method_count; i++) {
        const struct classes_method *method = &tables.methods[i];
        add_name((struct classes_name){.name = method->name, .method = (uint16_t)i});
        for (size_t k = method->aliases; k < (size_t)method->aliases + method->alias_count; k++)
            add_name((struct classes_name){tables.aliases[k].name, (uint16_t)i, (uint16_t)(k + 1)});
    }
    qsort(derived.names, derived.name_count, sizeof derived.names[0], generate_compare_names);
}

static int compare_classes(const void *a, const void *b) {
    const struct generate_class *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void write_pool(FILE *out) {
    fprintf(out, "static const char pool[] = {\n    0,\n");
    for (size_t i = 1; i < tables.pool_bytes; i++) {
        if (tables.pool[i] == '\0')
            fprintf(out, "0,\n");
        else
            fprintf(out, "%s'%c',", tables.pool[i - 1] == '\0' ? "    " : "", tables.pool[i]);
    }
    fprintf(out, "};\n\n");
}

static void write_string(FILE *out, uint32_t string) {
    if (string == 0)
        fprintf(out, ", NULL");
    else
        fprintf(out, ", pool + %u", (unsigned)string);
}

static void write_classes(FILE *out) {
    fprintf(out, "static const struct pfifo_class all_classes[] = {\n");
    for (size_t i = 0; i < tables.class_count; i++) {
        const struct generate_class *class = &tables.classes[i];
        fprintf(out, "    {0x%x", (unsigned)class->id);
        write_string(out, class->name);
        write_string(out, class->alias);
        write_string(out, class->family);
        write_string(out, class->first);
        write_string(out, class->last);
        fprintf(out, "}, /* %s */\n", tables.pool + class->name);
    }
    fprintf(out, "};\n\nstatic const uint32_t ids[] = {");
    for (size_t i = 0; i < tables.id_count; i++)
        fprintf(out, "%s0x%x,", i % 12 == 0 ? "\n    " : " ", (unsigned)tables.ids[i]);
    fprintf(out, "\n};\n\nstatic const uint16_t records[] = {");
    for (size_t i = 0, n = 0; i < tables.class_count; i++) {
        if (i + 1 == tables.class_count || tables.classes[i + 1].id != tables.classes[i].id)
            fprintf(out, "%s%zu,", n++ % 20 == 0 ? "\n    " : " ", i);
    }
    fprintf(out, "\n};\n\nstatic const uint32_t slices[] = {");
    for (size_t i = 0; i <= tables.id_count; i++)
        fprintf(out, "%s%u,", i % 16 == 0 ? "\n    " : " ", (unsigned)derived.slices[i]);
    fprintf(out, "\n};\n\n");
}

static void write_refs(FILE *out) {
    size_t count = derived.slices[tables.id_count];
    fprintf(out, "static const uint16_t refs[] = {");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%u,", i % 20 == 0 ? "\n    " : " ", derived.refs[i]);
    fprintf(out, "\n};\n\nstatic const uint8_t reach[] = {");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%u,", i % 32 == 0 ? "\n    " : " ", derived.reach[i]);
    fprintf(out, "\n};\n\n");
}

static void write_methods(FILE *out) {
    fprintf(out, "static const struct classes_set sets[] = {\n");
    for (size_t i = 0; i < tables.set_count; i++) {
        fprintf(out, "    {{");
        for (size_t k = 0; k < CLASSES_SET_WORDS; k++)
            fprintf(out, "%s0x%llx", k ? ", " : "", (unsigned long long)tables.sets[i].bits[k]);
        fprintf(out, "}},\n");
    }
    fprintf(out, "};\n\nstatic const struct classes_method methods[] = {\n");
    for (size_t i = 0; i < tables.method_count; i++) {
        const struct classes_method *m = &tables.methods[i];
        fprintf(out, "    {%u, %u, %u, 0x%x, {%u, %u}, {%u, %u}, %u, %u, %u, %u},\n", (unsigned)m->name,
                (unsigned)m->chips, m->set, m->first, m->count[0], m->count[1], m->stride[0], m->stride[1], m->aliases,
                m->alias_count, m->fields, m->field_count);
    }
    fprintf(out, "};\n\nstatic const struct classes_alias aliases[] = {\n");
    for (size_t i = 0; i < tables.alias_count; i++) {
        const struct classes_alias *alias = &tables.aliases[i];
        fprintf(out, "    {%u, %u, %u, %u},\n", (unsigned)alias->name, alias->k, alias->kind, alias->step);
    }
    fprintf(out, "};\n\nstatic const struct classes_name names[] = {\n");
    for (size_t i = 0; i < derived.name_count; i++) {
        const struct classes_name *name = &derived.names[i];
        fprintf(out, "    {%u, %u, %u},\n", (unsigned)name->name, name->method, name->alias);
    }
    fprintf(out, "};\n\n");
}

static void generate_write_fields(FILE *out) {
    fprintf(out, "static const struct classes_field fields[] = {\n");
    for (size_t i = 0; i < tables.field_count; i++) {
        const struct classes_field *f = &tables.fields[i];
        fprintf(out, "    {%u, %u, %u, %u, {%u, %u}, %u, %u, %u, %u},\n", (unsigned)f->name, f->high, f->low, f->set,
                f->step[0], f->step[1], f->groups, f->group_count, f->type, f->shift);
    }
    fprintf(out, "};\n\nstatic const struct classes_group groups[] = {\n");
    for (size_t i = 0; i < tables.group_count; i++)
        fprintf(out, "    {%u, %u, %u},\n", tables.groups[i].set, tables.groups[i].values,
                tables.groups[i].value_count);
    fprintf(out, "};\n\nstatic const struct classes_value values[] = {\n");
    for (size_t i = 0; i < tables.value_count; i++)
        fprintf(out, "    {0x%x, %u},\n", (unsigned)tables.values[i].value, (unsigned)tables.values[i].name);
    fprintf(out, "};\n\n");
}

static void generate_write_all(FILE *out) {
    fprintf(out, "/* Generated by src/classes/generate.c from src/classes/data: do not edit. */\n"
                 "#include \"classes/tables.h\"\n\n");
    write_pool(out);
    write_classes(out);
    write_refs(out);
    write_methods(out);
    generate_write_fields(out);
    fprintf(out,
            "const struct classes_tables classes_tables = {\n"
            "    .pool = pool,\n    .classes = all_classes,\n    .class_count = %zu,\n    .ids = ids,\n"
            "    .records = records,\n    .slices = slices,\n    .id_count = %zu,\n    .refs = refs,\n"
            "    .reach = reach,\n    .sets = sets,\n    .methods = methods,\n    .method_count = %zu,\n"
            "    .aliases = aliases,\n    .fields = fields,\n    .field_count = %zu,\n    .groups = groups,\n"
            "    .values = values,\n    .names = names,\n    .name_count = %zu,\n};\n",
            tables.class_count, tables.id_count, tables.method_count, tables.field_count, derived.name_count);
}

static void write_chip(FILE *out, uint32_t name) {
    if (name)
        fprintf(out, ", \"%s\"", tables.pool + name);
    else
        fprintf(out, ", NULL");
}

static void generate_write_ids(FILE *out) {
    fprintf(out, "/* Generated by src/classes/generate.c from src/classes/data: do not edit. */\n"
                 "#include \"classes/ids.h\"\n\nconst struct class_id class_ids[] = {\n");
    for (size_t i = 0; i < tables.class_count; i++) {
        fprintf(out, "    {0x%x", (unsigned)tables.classes[i].id);
        write_chip(out, tables.classes[i].first);
        write_chip(out, tables.classes[i].last);
        fprintf(out, "},\n");
    }
    fprintf(out, "};\n\nconst size_t class_id_count = %zu;\n", tables.class_count);
}

static void write_lists(FILE *out) {
    generate_write_lists(out, &tables, derived.slices, derived.refs);
}

static void generate_file(const char *path, void write(FILE *out)) {
    FILE *out = fopen(path, "w");
    if (!out)
        generate_fail(path, 0, "%s", strerror(errno));
    write(out);
    if (ferror(out) || fclose(out) != 0)
        generate_fail(path, 0, "%s", strerror(errno));
}

int main(int argc, char **argv) {
    if (argc < 5 || argc > GENERATE_FILES) {
        fprintf(stderr, "usage: classes-generate <tables.c> <ids.c> <lists.c> <classes.txt> <family>.txt ...\n");
        return 1;
    }
    for (int i = 4; i < argc; i++)
        generate_read(&tables, argv[i]);
    derive_slices();
    derive_names();
    qsort(tables.classes, tables.class_count, sizeof tables.classes[0], compare_classes);
    generate_file(argv[1], generate_write_all);
    generate_file(argv[2], generate_write_ids);
    generate_file(argv[3], write_lists);
    return 0;
}
