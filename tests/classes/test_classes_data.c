/* SPDX-License-Identifier: MIT */
/*
 * Sweeps: every row of src/classes/data is found through the API, and the API has exactly as many facts as the sources.
 * The files are read here a second time, by a reader that shares nothing with the generator but the notation.
 */
#include <pfifo/classes.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/*
 * Facts per family, counted in the sources and not in our files (structures left out): ids, pairs of class and
 * method, of class and offset that has a name, of class and field, of class and value.
 */
static const struct {
    const char *family;
    size_t ids, methods, offsets, fields, values;
} counts[] = {
    {"host", 26, 344, 344, 496, 793},
    {"dma", 3, 0, 0, 0, 0},
    {"null", 1, 0, 0, 0, 0},
    {"m2mf", 3, 161, 542, 168, 136},
    {"i2m", 3, 158, 800, 166, 106},
    {"copy", 13, 528, 559, 980, 1677},
    {"nv1-2d", 69, 1044, 34623, 971, 719},
    {"2d", 2, 283, 1198, 411, 601},
    {"nv1-3d", 4, 18, 191, 44, 0},
    {"nv3-3d", 4, 33, 1559, 52, 96},
    {"nv4-3d", 6, 124, 734, 390, 492},
    {"nv4-dvd", 2, 47, 47, 54, 18},
    {"nv10-3d", 4, 783, 2351, 1211, 2736},
    {"nv20-3d", 2, 561, 2143, 841, 1616},
    {"nv30-3d", 6, 1339, 5917, 2130, 3620},
    {"3d", 23, 13188, 46492, 20942, 39368},
    {"compute", 19, 3064, 10655, 4092, 2846},
    {"video", 66, 835, 1097, 979, 369},
    {"sec2", 1, 15, 15, 24, 22},
    {"software", 8, 9, 9, 10, 10},
};

/* The same of what the data has from elsewhere: a comment there names the source. Counted by hand. */
static const struct {
    const char *family;
    size_t methods, offsets, fields, values;
} additions[] = {
    {"nv1-2d", 13, 13, 4, 0}, {"nv20-3d", 52, 328, 16, 0}, {"nv30-3d", 154, 394, 42, 12},
    {"3d", 10, 10, 0, 0},     {"video", 96, 102, 67, 30},
};

static size_t value_count(const struct pfifo_field *field) {
    uint32_t value;
    const char *name;
    size_t count = 0;
    while (pfifo_field_value_at(field, count, &value, &name))
        count++;
    return count;
}

static void the_tables_have_as_many_facts_as_the_sources(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        size_t ids = 0, methods = 0, offsets = 0, fields = 0, values = 0;
        for (size_t i = 0; i < pfifo_class_count(); i++) {
            const struct pfifo_class *class = pfifo_class_at(i);
            struct pfifo_method_name method;
            if (strcmp(class->family, counts[n].family) != 0 || pfifo_class_find(class->id) != class)
                continue;
            ids++;
            for (size_t m = 0; pfifo_method_at(class->id, m, &method); m++) {
                struct pfifo_field field = {0};
                for (methods++; pfifo_field_next(&method, &field); fields++)
                    values += value_count(&field);
            }
            for (uint32_t offset = 0; offset < 0x10000; offset += 4)
                offsets += pfifo_method_find(class->id, offset, &method);
        }
        for (size_t i = 0; i < sizeof additions / sizeof additions[0]; i++) {
            if (strcmp(additions[i].family, counts[n].family) != 0)
                continue;
            methods -= additions[i].methods;
            offsets -= additions[i].offsets;
            fields -= additions[i].fields;
            values -= additions[i].values;
        }
        assert_int_equal(ids, counts[n].ids);
        assert_int_equal(methods, counts[n].methods);
        assert_int_equal(offsets, counts[n].offsets);
        assert_int_equal(fields, counts[n].fields);
        assert_int_equal(values, counts[n].values);
    }
}

static void the_longest_name_fits_where_names_are_kept(void **state) {
    size_t longest = 0;
    (void)state;
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        struct pfifo_method_name method;
        uint32_t id = pfifo_class_at(i)->id;
        for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
            size_t length = pfifo_method_find(id, offset, &method) ? pfifo_method_format(&method, NULL, 0) : 0;
            longest = length > longest ? length : longest;
        }
    }
    assert_in_range(longest, 58, PFIFO_METHOD_NAME_BYTES - 1);
}

/* Or an object of JSON with all of them would have a key twice. */
static void fields_of_a_method_have_names_of_their_own(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        struct pfifo_method_name method;
        uint32_t id = pfifo_class_at(i)->id;
        for (size_t m = 0; pfifo_method_at(id, m, &method); m++) {
            struct pfifo_field field = {0};
            while (pfifo_field_next(&method, &field)) {
                struct pfifo_field other = field;
                while (pfifo_field_next(&method, &other))
                    if (strcmp(field.name, other.name) == 0)
                        fail_msg("0x%x %s has %s twice", (unsigned)id, method.name, field.name);
            }
        }
    }
}

static void every_offset_has_a_name_that_leads_back_to_it(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        uint32_t id = pfifo_class_at(i)->id, back;
        struct pfifo_method_name method;
        char text[128];
        for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
            if (!pfifo_method_find(id, offset, &method))
                continue;
            assert_int_equal(method.offset, offset);
            assert_true(pfifo_method_format(&method, text, sizeof text) < sizeof text);
            assert_true(pfifo_method_by_name(id, text, &back));
            assert_int_equal(back, offset);
            if (pfifo_method_format_alias(&method, text, sizeof text) != 0)
                assert_true(pfifo_method_by_name(id, text, &back));
        }
    }
}

/* The ids that a list of classes of a family means; the result is their number. */
static size_t expand(const char *family, const char *list, uint32_t *ids) {
    size_t count = 0;
    for (const char *at = list; *at != '\0' && *at != ':';) {
        char *end;
        uint32_t first = (uint32_t)strtoul(at, &end, 16), last = first;
        if (*end == '-')
            last = (uint32_t)strtoul(end + 1, &end, 16);
        for (size_t i = 0; i < pfifo_class_count(); i++) {
            const struct pfifo_class *class = pfifo_class_at(i);
            if (class->id >= first && class->id <= last && strcmp(class->family, family) == 0 &&
                pfifo_class_find(class->id) == class)
                ids[count++] = class->id;
        }
        at = *end == ',' ? end + 1 : end;
    }
    assert_true(count != 0);
    return count;
}

struct sweep {
    char family[32], block[128], field[128];
    uint32_t block_ids[2048], field_ids[320];
    size_t block_count, field_count;
    size_t ats, fields, values;
    uint32_t high, low;
};

/* The sources have one name for two methods of a class, SET_SPARE02 of 50c0: the lower offset is found. */
static void expect_by_name(uint32_t id, const char *text, uint32_t offset) {
    uint32_t back = 0;
    if (!pfifo_method_by_name(id, text, &back))
        fail_msg("class %x has no %s for 0x%x", (unsigned)id, text, (unsigned)offset);
    if (back != offset && !(id == 0x50c0 && offset == 0x398))
        fail_msg("class %x has %s at 0x%x, not 0x%x", (unsigned)id, text, (unsigned)back, (unsigned)offset);
}

/* How much of `text` is as `pattern` says, where `#` is a decimal number; 0: not all of the pattern is there. */
static size_t match(const char *text, const char *pattern, unsigned *numbers) {
    const char *at = text;
    for (; *pattern != '\0'; pattern++) {
        size_t length = *at == *pattern;
        if (*pattern == '#') {
            char *end;
            *numbers++ = (unsigned)strtoul(at, &end, 10);
            length = (size_t)(end - at);
        }
        if (length == 0)
            return 0;
        at += length;
    }
    return (size_t)(at - text);
}

/* Every alias of element (i, j) leads to it. `dimensions` are the method's own. */
static void check_aliases(uint32_t id, const char *aliases, unsigned i, unsigned j, int dimensions, uint32_t offset) {
    while (*aliases != '\0') {
        char name[128], text[192];
        unsigned n[2] = {0, 0};
        int name_length = 0;
        size_t length = 0;
        assert_int_equal(sscanf(aliases, "%127[A-Za-z0-9_]%n", name, &name_length), 1);
        aliases += name_length;
        if (*aliases == '@') {
            n[0] = (unsigned)strtoul(aliases + 1, NULL, 10);
            snprintf(text, sizeof text, "%s(%u)", i < n[0] ? "" : name, i - n[0]);
        } else if ((length = match(aliases, "(i,#)", n)) != 0) {
            snprintf(text, sizeof text, "%s(%u,%u)", name, i, n[0]);
        } else if ((length = match(aliases, "(*,#)", n)) != 0) {
            snprintf(text, sizeof text, "%s(%u)", j == n[0] ? name : "", i);
        } else if ((length = match(aliases, "(#i+#)", n)) != 0) {
            snprintf(text, sizeof text, "%s(%u)", name, n[0] * i + n[1]);
        } else if ((length = match(aliases, "(#)", n)) != 0) {
            snprintf(text, sizeof text, "%s(%u)", name, i + n[0]);
        } else if (dimensions == 2) {
            snprintf(text, sizeof text, "%s(%u,%u)", name, i, j);
        } else {
            snprintf(text, sizeof text, "%s", name);
            if (dimensions == 1)
                snprintf(text + strlen(name), sizeof text - strlen(name), "(%u)", i);
        }
        if (text[0] != '(')
            expect_by_name(id, text, offset);
        aliases += length != 0 ? length : strcspn(aliases, ",");
        aliases += strspn(aliases, ",");
    }
}

static void check_element(const struct sweep *sweep, uint32_t id, uint32_t start, uint32_t offset, unsigned i,
                          unsigned j) {
    struct pfifo_method_name method;
    assert_true(pfifo_method_find(id, offset, &method));
    if (strcmp(method.name, sweep->block) != 0) {
        assert_true(method.first > start); /* another array covers this offset too, and starts nearer */
        assert_int_equal(offset, 0x187c);
        return;
    }
    assert_int_equal(method.first, start);
    assert_int_equal(method.index[0], i);
    assert_int_equal(method.index[1], j);
}

static void sweep_at(struct sweep *sweep, char *line) {
    char classes[2048], dimensions[64] = "", *alias = strstr(line, " alias "), *rest;
    unsigned inner[2] = {1, 0}, outer[2] = {1, 0}; /* count and stride */
    uint32_t offset = (uint32_t)strtoul(line + strlen("  at "), &rest, 16);
    assert_true(sscanf(rest, " %2047s %63s", classes, dimensions) >= 1);
    if (dimensions[0] == '[') {
        size_t length = match(dimensions, "[#*#]", outer);
        assert_int_not_equal(length, 0);
        match(dimensions + length, "[#*#]", inner);
    }
    uint32_t *ids = &sweep->block_ids[sweep->block_count];
    size_t ids_count = expand(sweep->family, classes, ids);
    sweep->block_count += ids_count;
    for (size_t n = 0; n < ids_count; n++)
        for (unsigned i = 0; i < outer[0]; i++)
            for (unsigned j = 0; j < inner[0]; j++) {
                uint32_t at = offset + i * outer[1] + j * inner[1];
                check_element(sweep, ids[n], offset, at, i, j);
                if (alias)
                    check_aliases(ids[n], alias + 7, i, j, (outer[1] != 0) + (inner[1] != 0), at);
            }
    sweep->ats++;
}

/* The method or structure that is being swept, in one class. */
static struct pfifo_method_name block_in(const struct sweep *sweep, uint32_t id) {
    struct pfifo_method_name method;
    uint32_t offset;
    if (sweep->block[0] == '@') {
        assert_true(pfifo_structure_find(id, sweep->block, &method));
        return method;
    }
    assert_true(pfifo_method_by_name(id, sweep->block, &offset));
    assert_true(pfifo_method_find(id, offset, &method));
    assert_string_equal(method.name, sweep->block);
    return method;
}

static struct pfifo_field field_in(const struct sweep *sweep, uint32_t id) {
    struct pfifo_method_name method = block_in(sweep, id);
    struct pfifo_field field = {0};
    while (pfifo_field_next(&method, &field)) {
        if (strcmp(field.name, sweep->field) == 0 && field.high == sweep->high && field.low == sweep->low)
            return field;
    }
    fail_msg("class %x %s has no field %s", (unsigned)id, sweep->block, sweep->field);
    return field;
}

static void sweep_field(struct sweep *sweep, char *line) {
    static const char *const types[] = {"-", "uint", "int", "float", "bool", "enum", "address", "object"};
    char type[16], *in = strstr(line, " in ");
    unsigned bits[2] = {0, 0};
    size_t length = match(line, "  field #:#", bits);
    assert_int_not_equal(length, 0);
    assert_int_equal(sscanf(line + length, " %127s %15s", sweep->field, type), 2);
    sweep->high = bits[0];
    sweep->low = bits[1];
    if (in) {
        sweep->field_count = expand(sweep->family, in + 4, sweep->field_ids);
    } else {
        sweep->field_count = sweep->block_count;
        memcpy(sweep->field_ids, sweep->block_ids, sweep->block_count * sizeof sweep->block_ids[0]);
    }
    for (size_t i = 0; i < sweep->field_count; i++) {
        struct pfifo_field field = field_in(sweep, sweep->field_ids[i]);
        if (strcmp(type, "flag") == 0) {
            assert_int_equal(field.type, PFIFO_FIELD_BOOL);
            assert_string_equal(pfifo_field_value_name(&field, 0), "FALSE");
            assert_string_equal(pfifo_field_value_name(&field, 1), "TRUE");
        } else {
            assert_string_equal(types[field.type], type);
        }
    }
    sweep->fields++;
}

static void check_value(const struct pfifo_field *field, uint32_t value, const char *name) {
    uint32_t candidate;
    const char *candidate_name;
    assert_non_null(pfifo_field_value_name(field, value));
    for (size_t i = 0; pfifo_field_value_at(field, i, &candidate, &candidate_name); i++) {
        if (candidate == value && strcmp(candidate_name, name) == 0)
            return;
    }
    fail_msg("%s has no value %s", field->name, name);
}

static void sweep_values(struct sweep *sweep, char *line) {
    uint32_t ids[320];
    size_t count = sweep->field_count;
    char *list = line + strspn(line, " ");
    memcpy(ids, sweep->field_ids, sizeof ids);
    if (strncmp(list, "in ", 3) == 0) {
        count = expand(sweep->family, list + 3, ids);
        list = strchr(list, ':') + 1;
    }
    for (char *save, *item = strtok_r(list, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        char name[128], *end;
        uint32_t value = (uint32_t)strtoul(item, &end, 0);
        assert_int_equal(sscanf(end, "%127s", name), 1);
        for (size_t i = 0; i < count; i++) {
            struct pfifo_field field = field_in(sweep, ids[i]);
            check_value(&field, value, name);
        }
        sweep->values++;
    }
}

static void sweep_line(struct sweep *sweep, char *line) {
    char classes[2048], name[128];
    if (line[0] == '#' || line[0] == '\0')
        return;
    if (sscanf(line, "family %31s", sweep->family) == 1)
        return;
    if (sscanf(line, "method %127s", name) == 1) {
        memcpy(sweep->block, name, sizeof name);
        sweep->block_count = 0;
    } else if (sscanf(line, "structure %127s %2047s", name, classes) == 2) {
        memcpy(sweep->block, name, sizeof name);
        sweep->block_count = expand(sweep->family, classes, sweep->block_ids);
    } else if (strncmp(line, "  at ", 5) == 0) {
        sweep_at(sweep, line);
    } else if (strncmp(line, "  field ", 8) == 0) {
        sweep_field(sweep, line);
    } else {
        assert_memory_equal(line, "    ", 4);
        sweep_values(sweep, line);
    }
}

static void every_row_of_the_data_is_found_by_offset_and_by_name(void **state) {
    static struct sweep sweep;
    const char *tests = getenv("PFIFO_TESTS");
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char path[4096], line[4096];
        snprintf(path, sizeof path, "%s/../src/classes/data/%s.txt", tests ? tests : "tests", counts[i].family);
        if (counts[i].methods == 0)
            continue;
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) {
            line[strcspn(line, "\n")] = '\0';
            sweep_line(&sweep, line);
        }
        fclose(file);
    }
    /* As many as the sources have: rows are neither lost nor doubled on the way. */
    assert_int_equal(sweep.ats, 3737 + 45 + 47);             /* of the sources, and from elsewhere */
    assert_int_equal(sweep.fields, 8435 + 27 + 79 + 50 + 2); /* page tables; textures of Tesla; Kelvin */
    assert_true(sweep.values > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_have_as_many_facts_as_the_sources),
        cmocka_unit_test(the_longest_name_fits_where_names_are_kept),
        cmocka_unit_test(fields_of_a_method_have_names_of_their_own),
        cmocka_unit_test(every_offset_has_a_name_that_leads_back_to_it),
        cmocka_unit_test(every_row_of_the_data_is_found_by_offset_and_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
