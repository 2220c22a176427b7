/* SPDX-License-Identifier: MIT */
/* `pfifo events` and docs/events.md: both have every event with its fields, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/event.h>

#include "tool/tool.h"

enum { NAME_BYTES = 64, LINE_BYTES = 512 };

static void every_event_has_a_line_with_its_fields(void **state) {
    (void)state;
    struct outcome text = tool_run("events"), json = tool_run("events", "--json");
    const char *at = text.out, *object = json.out;
    expect_status(0, &text);
    expect_status(0, &json);
    for (size_t id = 0; id < pfifo_event_count(); id++) {
        const struct pfifo_event_info *info = pfifo_event_info(id);
        char want[NAME_BYTES];
        size_t length = strcspn(at, "\n");
        assert_memory_equal(at, info->name, strlen(info->name));
        snprintf(want, sizeof want, "{\"event\":\"%s\",", info->name);
        assert_memory_equal(object, want, strlen(want));
        for (unsigned i = 0; i < info->fields; i++) {
            snprintf(want, sizeof want, " %s=", info->field[i]);
            const char *found = strstr(at, want);
            assert_true(found && found < at + length);
            snprintf(want, sizeof want, "{\"name\":\"%s\",", info->field[i]);
            found = strstr(object, want);
            assert_true(found && found < object + strcspn(object, "\n"));
        }
        at += length + 1;
        object += strcspn(object, "\n") + 1;
    }
    assert_string_equal(at, "");
    assert_string_equal(object, "");
    assert_non_null(strstr(text.out, "\npusher.jump          address=hex word=hex target=hex form=text\n"));
    outcome_free(&text);
    outcome_free(&json);
}

/* Column `index` of a table's row, without blanks and backquotes. */
static void column(const char *line, unsigned index, char name[NAME_BYTES]) {
    size_t used = 0;

    for (unsigned bars = 0; *line && bars <= index + 1; line++) {
        if (*line == '|')
            bars++;
        else if (bars == index + 1 && *line != ' ' && *line != '`' && used + 1 < NAME_BYTES)
            name[used++] = *line;
    }
    name[used] = 0;
}

/* The manual is in the order of the declarations, so that the next row is known. */
static void the_manual_has_every_event_and_no_other(void **state) {
    const struct pfifo_event_info *info = NULL;
    char path[LINE_BYTES], line[LINE_BYTES], event[NAME_BYTES], field[NAME_BYTES], meaning[NAME_BYTES];
    bool seen[256] = {false};
    unsigned next = 0;
    (void)state;
    assert_non_null(getenv("PFIFO_TESTS"));
    snprintf(path, sizeof path, "%s/../docs/events.md", getenv("PFIFO_TESTS"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "| ", 2) != 0 || strncmp(line, "| Event", 7) == 0)
            continue;
        column(line, 0, event);
        column(line, 1, field);
        column(line, 2, meaning);
        if (!meaning[0])
            fail_msg("nothing is said: %s", line);
        if (event[0]) {
            size_t id = pfifo_event_find(event);
            if (id >= pfifo_event_count() || id >= sizeof seen || seen[id])
                fail_msg("'%s' is no event, or is here twice", event);
            if (info && next != info->fields)
                fail_msg("%s has more fields than %u", info->name, next);
            seen[id] = true;
            info = pfifo_event_info(id);
            next = 0;
        } else if (!info || next >= info->fields || strcmp(info->field[next++], field) != 0) {
            fail_msg("'%s' is not the next field of %s", field, info ? info->name : "any event");
        }
    }
    fclose(file);
    assert_true(info && next == info->fields);
    for (size_t id = 0; id < pfifo_event_count(); id++)
        if (!seen[id])
            fail_msg("%s is not in docs/events.md", pfifo_event_info(id)->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_has_a_line_with_its_fields),
        cmocka_unit_test(the_manual_has_every_event_and_no_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
