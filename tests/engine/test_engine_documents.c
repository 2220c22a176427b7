/* SPDX-License-Identifier: MIT */
/* docs/nv2a.md and docs/rsx.md say which methods of the 3D class do something: are these the rows that the machine has? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/classes.h>

#include "engine/core/kinds.h"
#include "engine/rig.h"

enum { DOCUMENT_BYTES = 65536, COLUMNS = 3 };

static const struct document {
    const char *file, *chip, *row; /* the row of the class begins so */
    uint32_t object_class;
} documents[] = {
    {"nv2a.md", "NV2A", "| 0x97 NV20_3D", 0x97},
    {"rsx.md", "RSX", "| 0x4097 NV40_3D", 0x4097},
};

/* The row of the class, cut into columns: what is in backticks there are methods. */
static void document_columns(const struct document *document, char text[DOCUMENT_BYTES], char *column[COLUMNS]) {
    const char *tests = getenv("PFIFO_TESTS");
    char path[1024], *end;
    FILE *file;

    snprintf(path, sizeof path, "%s/../docs/%s", tests ? tests : "tests", document->file);
    file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, DOCUMENT_BYTES - 1, file)] = 0;
    fclose(file);
    column[0] = strstr(text, document->row);
    assert_non_null(column[0]);
    end = strchr(column[0], '\n');
    assert_non_null(end);
    *end = 0;
    for (unsigned i = 1; i < COLUMNS; i++) {
        column[i] = strstr(column[i - 1] + 2, " | ");
        assert_non_null(column[i]);
        *column[i]++ = 0;
    }
}

/* Its name in backticks; an element of an array by the name without its index. */
static bool column_names(const char *column, const char *method) {
    char name[PFIFO_METHOD_NAME_BYTES + 2];

    snprintf(name, sizeof name, "`%.*s`", (int)strcspn(method, "("), method);
    return strstr(column, name) != NULL;
}

/* As NVIDIA calls it, without the class: what the documents have. False: the class has no such method. */
static bool plain_name(uint32_t object_class, uint32_t method, char name[PFIFO_METHOD_NAME_BYTES]) {
    struct pfifo_method_name found;

    return pfifo_method_find(object_class, method, &found) &&
           pfifo_method_format_as(&found, PFIFO_NAMES_NVIDIA, name, PFIFO_METHOD_NAME_BYTES);
}

/* What checks the state, and then reports that it is not executed, is among these. */
static bool is_executed(const struct action *action) {
    return action->type != ACTION_NOT_EXECUTED && action->type != ACTION_NOT_EXECUTED_BEGIN;
}

static unsigned check_rows(const struct document *document, const struct kind *kind, char *const column[COLUMNS]) {
    char name[PFIFO_METHOD_NAME_BYTES];
    unsigned missing = 0;

    for (unsigned g = 0; g < KIND_MAX_GROUPS && kind->groups[g]; g++)
        for (const struct action *action = kind->groups[g]; action->method; action++) {
            if (!plain_name(document->object_class, action->method, name) || column_names(column[2], name) ||
                (is_executed(action) && column_names(column[1], name)))
                continue;
            print_error("%s does not have %s (0x%04x) as %s\n", document->file, name, action->method,
                        is_executed(action) ? "executed" : "reported");
            missing++;
        }
    return missing;
}

/* Is there a row that executes a method of this name, or any row? Nothing is to be done for a NOP. */
static bool has_row(const struct document *document, const struct kind *kind, const char *named, bool executed) {
    char name[PFIFO_METHOD_NAME_BYTES];

    if (strcmp(named, "NO_OPERATION") == 0)
        return executed;
    for (unsigned g = 0; g < KIND_MAX_GROUPS && kind->groups[g]; g++)
        for (const struct action *action = kind->groups[g]; action->method; action++)
            if ((!executed || is_executed(action)) && plain_name(document->object_class, action->method, name) &&
                strcspn(name, "(") == strlen(named) && strncmp(name, named, strlen(named)) == 0)
                return true;
    return false;
}

static unsigned check_names(const struct document *document, const struct kind *kind, const char *column,
                            bool executed) {
    char named[PFIFO_METHOD_NAME_BYTES];
    unsigned wrong = 0;

    for (const char *at = column; (at = strchr(at, '`')); at += strcspn(at, "`") + 1) {
        at++;
        snprintf(named, sizeof named, "%.*s", (int)strcspn(at, "`"), at);
        if (has_row(document, kind, named, executed))
            continue;
        print_error("%s has %s as %s, and the machine has not\n", document->file, named,
                    executed ? "executed" : "reported");
        wrong++;
    }
    return wrong;
}

static void the_tables_are_what_the_machine_has(void **state) {
    static char text[DOCUMENT_BYTES];
    static struct engine_rig rig;
    (void)state;

    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        const struct document *document = &documents[i];
        const struct engine *engine;
        const struct kind *kind;
        char *column[COLUMNS];
        unsigned wrong;
        document_columns(document, text, column);
        assert_true(engine_rig_start(&rig, document->chip));
        engine = rig.fifo.engines[engine_rig_id(&rig, CHIP_UNIT_PGRAPH)].engine;
        kind = kind_of_class(engine->family, CHIP_UNIT_PGRAPH, document->object_class);
        wrong = check_rows(document, kind, column) + check_names(document, kind, column[1], true) +
                check_names(document, kind, column[2], false);
        engine_rig_stop(&rig);
        assert_int_equal(wrong, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_tables_are_what_the_machine_has)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
