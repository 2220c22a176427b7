/* SPDX-License-Identifier: MIT */
/* The reader of data/ *.txt. data/README.md describes the notation. */
#include "classes/generate.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATE_LINE_BYTES = 4096, GENERATE_LIST_VALUES = 512 };

struct reader {
    struct generate_tables *tables;
    const char *file;
    unsigned line;
    char *cursor; /* the rest of the line */
    uint32_t family;
    /* The method or structure that is being read. */
    uint32_t block;
    size_t first_method;
    struct classes_set block_set;
    bool block_has_fields;
    /* Values of the last field that are not in a group yet. */
    struct classes_value pending[GENERATE_LIST_VALUES];
    size_t pending_count;
    uint16_t pending_set;
};

void generate_fail(const char *file, unsigned line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (line != 0)
        fprintf(stderr, "%s:%u: ", file, line);
    else
        fprintf(stderr, "%s: ", file);
    vfprintf(stderr, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

#define FAIL(reader, ...) generate_fail((reader)->file, (reader)->line, __VA_ARGS__)

static void generate_read_check_room(struct reader *reader, size_t count, size_t limit, const char *what) {
    if (count >= limit)
        FAIL(reader, "more than %zu %s: raise the limit in generate.h", limit, what);
}

/* The next word of the line, NULL at its end. */
static char *generate_read_word(struct reader *reader) {
    reader->cursor += strspn(reader->cursor, " ");
    if (*reader->cursor == '\0')
        return NULL;
    char *start = reader->cursor;
    reader->cursor += strcspn(start, " ");
    if (*reader->cursor != '\0')
        *reader->cursor++ = '\0';
    return start;
}

static char *need_word(struct reader *reader, const char *what) {
    char *text = generate_read_word(reader);
    if (!text)
        FAIL(reader, "the line ends where %s is expected", what);
    return text;
}

static void need_end(struct reader *reader) {
    const char *text = generate_read_word(reader);
    if (text)
        FAIL(reader, "'%s' is not expected here", text);
}

/* A number at the start of `text` up to `limit`; `*end` is what follows it. */
static uint32_t number_prefix(struct reader *reader, const char *text, int base, uint32_t limit, char **end) {
    errno = 0;
    unsigned long long value = strtoull(text, end, base);
    if (*end == text || !isxdigit((unsigned char)text[0]) || errno != 0)
        FAIL(reader, "'%s' is not a number", text);
    if (value > limit)
        FAIL(reader, "%s is more than %u", text, (unsigned)limit);
    return (uint32_t)value;
}

static uint32_t generate_read_number(struct reader *reader, const char *text, int base, uint32_t limit) {
    char *end;
    uint32_t value = number_prefix(reader, text, base, limit, &end);
    if (*end != '\0')
        FAIL(reader, "'%s' is not a number", text);
    return value;
}

/* Offset of a string in the pool, where it is stored once. */
static uint32_t intern(struct reader *reader, const char *text) {
    static uint32_t slots[1 << 16];
    struct generate_tables *tables = reader->tables;
    size_t bytes = strlen(text) + 1;
    uint32_t hash = 2166136261U;
    if (text[0] == '\0')
        return 0;
    for (size_t i = 0; i + 1 < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619U;
    uint32_t slot = hash & 0xffff;
    while (slots[slot] != 0 && strcmp(tables->pool + slots[slot], text) != 0)
        slot = (slot + 1) & 0xffff;
    if (slots[slot] == 0) {
        generate_read_check_room(reader, tables->pool_bytes + bytes, GENERATE_POOL_BYTES, "bytes of names");
        memcpy(tables->pool + tables->pool_bytes, text, bytes);
        slots[slot] = (uint32_t)tables->pool_bytes;
        tables->pool_bytes += bytes;
    }
    return slots[slot];
}

static uint32_t intern_name(struct reader *reader, const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && !(c == text && *c == '@'))
            FAIL(reader, "'%s' is not a name: letters, digits and _ only", text);
    if (*text == '\0')
        FAIL(reader, "a name is missing");
    return intern(reader, text);
}

/* "-" stands for nothing. */
static uint32_t intern_optional(struct reader *reader, const char *text) {
    return strcmp(text, "-") == 0 ? 0 : intern(reader, text);
}

static uint16_t intern_set(struct reader *reader, const struct classes_set *set) {
    struct generate_tables *tables = reader->tables;
    size_t i = 0;
    while (i < tables->set_count && memcmp(&tables->sets[i], set, sizeof *set) != 0)
        i++;
    if (i == tables->set_count) {
        generate_read_check_room(reader, i, GENERATE_SETS, "sets of classes");
        tables->sets[tables->set_count++] = *set;
    }
    return (uint16_t)i;
}

static size_t ordinal_of(struct reader *reader, const char *text, char **end) {
    const struct generate_tables *tables = reader->tables;
    uint32_t id = number_prefix(reader, text, 16, UINT32_MAX, end);
    for (size_t i = 0; i < tables->id_count; i++) {
        if (tables->ids[i] == id && tables->family_of[i] == reader->family)
            return i;
    }
    FAIL(reader, "%04x is not a class of the family %s", (unsigned)id, tables->pool + reader->family);
}

/* "9097-c197,c597": ranges take the classes of the family only. */
static struct classes_set read_set(struct reader *reader, const char *text) {
    const struct generate_tables *tables = reader->tables;
    struct classes_set set = {{0}};
    for (;;) {
        char *end;
        size_t first = ordinal_of(reader, text, &end), last = first;
        if (*end == '-')
            last = ordinal_of(reader, end + 1, &end);
        if (last < first)
            FAIL(reader, "the range of classes '%s' runs backwards", text);
        for (size_t i = first; i <= last; i++) {
            if (tables->family_of[i] == reader->family)
                set.bits[i / 64] |= UINT64_C(1) << (i % 64);
        }
        if (*end == '\0')
            return set;
        if (*end != ',')
            FAIL(reader, "'%s' is not a list of classes", text);
        text = end + 1;
    }
}

static void need_subset(struct reader *reader, const struct classes_set *set, const struct classes_set *of) {
    for (size_t i = 0; i < CLASSES_SET_WORDS; i++) {
        if (set->bits[i] & ~of->bits[i])
            FAIL(reader, "there is a class in the list that does not have this");
    }
}

/* class <id> <name> <first chip> <last chip> [alias] */
static void generate_read_class(struct reader *reader) {
    struct generate_tables *tables = reader->tables;
    generate_read_check_room(reader, tables->class_count, GENERATE_CLASSES, "classes");
    if (reader->family == 0)
        FAIL(reader, "a class before the first 'family'");
    struct generate_class *class = &tables->classes[tables->class_count];
    class->order = tables->class_count++;
    class->family = reader->family;
    class->id = generate_read_number(reader, need_word(reader, "a class"), 16, UINT32_MAX);
    class->name = intern_name(reader, need_word(reader, "a name"));
    class->first = intern_optional(reader, need_word(reader, "the first chip"));
    class->last = intern_optional(reader, need_word(reader, "the last chip"));
    const char *alias = generate_read_word(reader);
    class->alias = alias ? intern_name(reader, alias) : 0;
    for (size_t other = 0; other < class->order; other++) {
        if (tables->classes[other].id == class->id && tables->classes[other].name == class->name)
            FAIL(reader, "class %04x is there twice", (unsigned)class->id);
    }
    size_t i = 0;
    while (i < tables->id_count && tables->ids[i] < class->id)
        i++;
    if (i < tables->id_count && tables->ids[i] == class->id) {
        if (tables->family_of[i] != reader->family)
            FAIL(reader, "class %04x is in two families", (unsigned)class->id);
        return;
    }
    memmove(&tables->ids[i + 1], &tables->ids[i], (tables->id_count - i) * sizeof tables->ids[0]);
    memmove(&tables->family_of[i + 1], &tables->family_of[i], (tables->id_count - i) * sizeof tables->family_of[0]);
    tables->ids[i] = class->id;
    tables->family_of[i] = class->family;
    tables->id_count++;
}

static int compare_values(const void *a, const void *b) {
    const struct classes_value *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Put the pending values into a group of the last field; lists that are equal are stored once. */
static void flush_values(struct reader *reader) {
    struct generate_tables *tables = reader->tables;
    size_t count = reader->pending_count, at = 0;
    if (count == 0)
        return;
    for (size_t i = 1; i < count; i++) {
        /* Insertion sort, because the order of equal values matters. */
        struct classes_value value = reader->pending[i];
        size_t j = i;
        for (; j > 0 && compare_values(&reader->pending[j - 1], &value) > 0; j--)
            reader->pending[j] = reader->pending[j - 1];
        reader->pending[j] = value;
    }
    while (at + count <= tables->value_count &&
           memcmp(&tables->values[at], reader->pending, count * sizeof tables->values[0]) != 0)
        at++;
    if (at + count > tables->value_count) {
        at = tables->value_count;
        generate_read_check_room(reader, at + count, GENERATE_VALUES, "values");
        memcpy(&tables->values[at], reader->pending, count * sizeof tables->values[0]);
        tables->value_count += count;
    }
    generate_read_check_room(reader, tables->group_count, GENERATE_GROUPS, "groups of values");
    tables->groups[tables->group_count++] =
        (struct classes_group){.set = reader->pending_set, .values = (uint16_t)at, .value_count = (uint16_t)count};
    tables->fields[tables->field_count - 1].group_count++;
    reader->pending_count = 0;
}

static void add_value(struct reader *reader, uint16_t set, uint32_t value, uint32_t name) {
    if (reader->pending_count != 0 && reader->pending_set != set)
        flush_values(reader);
    generate_read_check_room(reader, reader->pending_count, GENERATE_LIST_VALUES, "values of a field");
    reader->pending_set = set;
    reader->pending[reader->pending_count++] = (struct classes_value){.value = value, .name = name};
}

/* [in <classes>:] <number> <name>, <number> <name> ... */
static void generate_read_values(struct reader *reader, char *text) {
    struct generate_tables *tables = reader->tables;
    if (!reader->block_has_fields)
        FAIL(reader, "values without a field");
    uint16_t set = tables->fields[tables->field_count - 1].set;
    if (strcmp(text, "in") == 0) {
        char *classes = need_word(reader, "a list of classes");
        size_t length = strlen(classes);
        if (classes[length - 1] != ':')
            FAIL(reader, "a ':' is missing after '%s'", classes);
        classes[length - 1] = '\0';
        struct classes_set restricted = read_set(reader, classes);
        need_subset(reader, &restricted, &tables->sets[set]);
        set = intern_set(reader, &restricted);
        text = need_word(reader, "a value");
    }
    for (;;) {
        uint32_t value = generate_read_number(reader, text, 0, UINT32_MAX);
        char *name = need_word(reader, "the name of a value");
        size_t length = strlen(name);
        bool more = name[length - 1] == ',';
        if (more)
            name[length - 1] = '\0';
        add_value(reader, set, value, intern_name(reader, name));
        if (!more)
            break;
        text = need_word(reader, "a value");
    }
    need_end(reader);
}

static void begin_block(struct reader *reader, const char *name, bool structure) {
    if (reader->family == 0)
        FAIL(reader, "'%s' before the first 'family'", name);
    if ((name[0] == '@') != structure)
        FAIL(reader, "'%s': the name of a structure, and of nothing else, begins with @", name);
    flush_values(reader);
    reader->block = intern_name(reader, name);
    reader->first_method = reader->tables->method_count;
    reader->block_set = (struct classes_set){{0}};
    reader->block_has_fields = false;
}

static struct classes_method *add_method(struct reader *reader, const char *classes) {
    struct generate_tables *tables = reader->tables;
    generate_read_check_room(reader, tables->method_count, GENERATE_METHODS, "methods");
    if (reader->block_has_fields)
        FAIL(reader, "'at' after the fields");
    struct classes_set set = read_set(reader, classes);
    for (size_t i = 0; i < CLASSES_SET_WORDS; i++)
        reader->block_set.bits[i] |= set.bits[i];
    tables->places[tables->method_count].file = reader->file;
    tables->places[tables->method_count].line = reader->line;
    struct classes_method *method = &tables->methods[tables->method_count++];
    *method = (struct classes_method){.name = reader->block, .set = intern_set(reader, &set), .count = {1, 1}};
    method->fields = (uint16_t)tables->field_count;
    method->aliases = (uint16_t)tables->alias_count;
    return method;
}

/* structure <name> <classes> */
static void read_structure(struct reader *reader) {
    begin_block(reader, need_word(reader, "a name"), true);
    add_method(reader, need_word(reader, "a list of classes"));
}

/* What follows an alias's name: "@k", "(k)", "(4i+k)", "(i,k)" or "(*,k)". */
static void read_mark(struct reader *reader, struct classes_alias *alias, bool element, char *mark) {
    char *end = mark;
    alias->kind = element ? CLASSES_ALIAS_ELEMENT : CLASSES_ALIAS_BEGIN;
    if (element && strncmp(mark, "i,", 2) == 0) {
        alias->kind = CLASSES_ALIAS_INNER;
        mark += 2;
    }
    if (element && strncmp(mark, "*,", 2) == 0) {
        alias->kind = CLASSES_ALIAS_ROW;
        mark += 2;
    }
    uint32_t k = number_prefix(reader, mark, 10, UINT16_MAX, &end);
    if (alias->kind == CLASSES_ALIAS_ELEMENT && strncmp(end, "i+", 2) == 0) {
        if (k == 0 || k > UINT8_MAX)
            FAIL(reader, "'%s' does not begin with a step of 1 to 255", mark);
        alias->step = (uint8_t)k;
        k = number_prefix(reader, end + 2, 10, UINT16_MAX, &end);
    }
    alias->k = (uint16_t)k;
    if (strcmp(end, element ? ")" : "") != 0)
        FAIL(reader, "'%s' does not end an alias", end);
}

/* Aliases, separated by commas outside of brackets. */
static void read_aliases(struct reader *reader, struct classes_method *method, char *text) {
    struct generate_tables *tables = reader->tables;
    for (char *next; text; text = next) {
        char *mark = strpbrk(text, "(@,");
        bool element = mark && *mark == '(', marked = mark && *mark != ',';
        next = element ? strchr(mark, ')') : text;
        next = next ? strchr(next, ',') : NULL;
        if (next)
            *next++ = '\0';
        generate_read_check_room(reader, tables->alias_count, GENERATE_METHODS, "aliases");
        struct classes_alias *alias = &tables->aliases[tables->alias_count++];
        alias->step = 1;
        method->alias_count++;
        if (marked)
            *mark++ = '\0';
        alias->name = intern_name(reader, text);
        if (marked)
            read_mark(reader, alias, element, mark);
    }
}

/* "[8*64]" or "[2*64][16*4]" */
static void read_dimensions(struct reader *reader, struct classes_method *method, const char *text) {
    for (size_t i = 0; i < 2 && *text == '['; i++) {
        char *end;
        method->count[i] = (uint16_t)number_prefix(reader, text + 1, 10, UINT16_MAX, &end);
        if (*end != '*')
            FAIL(reader, "'%s' is not [count*stride]", text);
        method->stride[i] = (uint16_t)number_prefix(reader, end + 1, 10, UINT16_MAX, &end);
        if (*end != ']' || method->stride[i] == 0 || method->count[i] == 0)
            FAIL(reader, "'%s' is not [count*stride]", text);
        text = end + 1;
    }
    if (*text != '\0')
        FAIL(reader, "'%s' is not expected here", text);
    if (method->count[1] * method->stride[1] > method->stride[0])
        FAIL(reader, "the inner dimension does not fit into the outer one's stride");
}

/* at <offset> <classes> [dimensions] [chips <range>] [alias <list>] */
static void read_at(struct reader *reader) {
    if (reader->block == 0 || reader->tables->pool[reader->block] == '@')
        FAIL(reader, "'at' without a method");
    uint32_t offset = generate_read_number(reader, need_word(reader, "an offset"), 0, UINT16_MAX);
    struct classes_method *method = add_method(reader, need_word(reader, "a list of classes"));
    method->first = (uint16_t)offset;
    for (char *text; (text = generate_read_word(reader));) {
        if (text[0] == '[')
            read_dimensions(reader, method, text);
        else if (strcmp(text, "chips") == 0)
            method->chips = intern(reader, need_word(reader, "chips"));
        else if (strcmp(text, "alias") == 0)
            read_aliases(reader, method, need_word(reader, "an alias"));
        else
            FAIL(reader, "'%s' is not expected here", text);
    }
    size_t last = offset + (method->count[0] - 1U) * method->stride[0] + (method->count[1] - 1U) * method->stride[1];
    if (offset % 4 != 0 || method->stride[0] % 4 != 0 || method->stride[1] % 4 != 0)
        FAIL(reader, "methods are at multiples of 4");
    if (last > UINT16_MAX)
        FAIL(reader, "the array ends beyond 0xffff");
}

static uint8_t read_type(struct reader *reader, const char *text, bool *flag) {
    static const char *const types[] = {"-", "uint", "int", "float", "bool", "enum", "address", "object"};
    *flag = strcmp(text, "flag") == 0;
    if (*flag)
        return PFIFO_FIELD_BOOL;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(text, types[i]) == 0)
            return (uint8_t)i;
    }
    FAIL(reader, "'%s' is not a type", text);
}

/* field <high>:<low> <name> <type> [shift <n>] [step <n>[,<n>]] [in <classes>] */
static void generate_read_field(struct reader *reader) {
    struct generate_tables *tables = reader->tables;
    if (reader->first_method == tables->method_count)
        FAIL(reader, "a field without a method");
    flush_values(reader);
    generate_read_check_room(reader, tables->field_count, GENERATE_FIELDS, "fields");
    struct classes_field *field = &tables->fields[tables->field_count++];
    char *end;
    bool flag;
    field->high = (uint16_t)number_prefix(reader, need_word(reader, "bits"), 10, UINT16_MAX, &end);
    if (*end != ':')
        FAIL(reader, "bits are <high>:<low>");
    field->low = (uint16_t)generate_read_number(reader, end + 1, 10, UINT16_MAX);
    /* Addresses in the entries of page tables are longer than a word. */
    const bool structure = tables->pool[tables->methods[reader->first_method].name] == '@';
    if (field->low > field->high || field->high - field->low > (structure ? 63 : 31))
        FAIL(reader, "a field has 1 to %d bits", structure ? 64 : 32);
    field->name = intern_name(reader, need_word(reader, "the name of a field"));
    field->type = read_type(reader, need_word(reader, "a type"), &flag);
    struct classes_set set = reader->block_set;
    for (char *text; (text = generate_read_word(reader));) {
        if (strcmp(text, "shift") == 0) {
            field->shift = (uint8_t)generate_read_number(reader, need_word(reader, "a number"), 10, 31);
        } else if (strcmp(text, "step") == 0) {
            field->step[0] = (uint16_t)number_prefix(reader, need_word(reader, "a number"), 10, UINT16_MAX, &end);
            if (*end != '\0')
                field->step[1] = (uint16_t)generate_read_number(reader, end + 1, 10, UINT16_MAX);
        } else if (strcmp(text, "in") == 0) {
            set = read_set(reader, need_word(reader, "a list of classes"));
            need_subset(reader, &set, &reader->block_set);
        } else {
            FAIL(reader, "'%s' is not expected here", text);
        }
    }
    field->set = intern_set(reader, &set);
    field->groups = (uint16_t)tables->group_count;
    for (size_t i = reader->first_method; i < tables->method_count; i++)
        tables->methods[i].field_count++;
    reader->block_has_fields = true;
    if (flag) {
        add_value(reader, field->set, 0, intern(reader, "FALSE"));
        add_value(reader, field->set, 1, intern(reader, "TRUE"));
    }
}

static void generate_read_line(struct reader *reader) {
    char *text = generate_read_word(reader);
    if (!text || text[0] == '#')
        return;
    if (strcmp(text, "in") == 0 || isdigit((unsigned char)text[0])) {
        generate_read_values(reader, text);
        return;
    }
    if (strcmp(text, "family") == 0) {
        flush_values(reader);
        reader->family = intern(reader, need_word(reader, "a family"));
        reader->block = 0;
        reader->block_has_fields = false;
        reader->first_method = reader->tables->method_count;
    } else if (strcmp(text, "class") == 0) {
        generate_read_class(reader);
    } else if (strcmp(text, "method") == 0) {
        begin_block(reader, need_word(reader, "a name"), false);
    } else if (strcmp(text, "structure") == 0) {
        read_structure(reader);
    } else if (strcmp(text, "at") == 0) {
        read_at(reader);
    } else if (strcmp(text, "field") == 0) {
        generate_read_field(reader);
    } else {
        FAIL(reader, "'%s' does not begin any kind of line", text);
    }
    need_end(reader);
}

void generate_read(struct generate_tables *tables, const char *path) {
    static char line[GENERATE_LINE_BYTES];
    static struct reader reader;
    const char *name = strrchr(path, '/');
    reader = (struct reader){.tables = tables, .file = name ? name + 1 : path, .first_method = tables->method_count};
    if (tables->pool_bytes == 0)
        tables->pool_bytes = 1; /* offset 0 is the empty string */
    FILE *file = fopen(path, "r");
    if (!file)
        generate_fail(path, 0, "%s", strerror(errno));
    while (fgets(line, sizeof line, file)) {
        reader.line++;
        size_t length = strcspn(line, "\n");
        if (line[length] != '\n' && !feof(file))
            FAIL(&reader, "the line is longer than %d bytes", GENERATE_LINE_BYTES - 2);
        line[length] = '\0';
        reader.cursor = line;
        generate_read_line(&reader);
    }
    if (ferror(file))
        generate_fail(path, 0, "%s", strerror(errno));
    flush_values(&reader);
    fclose(file);
}
