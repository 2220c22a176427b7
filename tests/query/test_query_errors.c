/* SPDX-License-Identifier: MIT */
/* Queries that are wrong say where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/nearest.h>
#include <pfifo/query.h>

static void refused(const char *text, const char *message) {
    struct pfifo_error error = {0};
    struct pfifo_query *query = pfifo_query_new(text, &error);

    if (query)
        fail_msg("taken: %s", text);
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    if (!strstr(error.message, message))
        fail_msg("%s: %s", text, error.message);
}

static void names_that_nothing_has_are_refused_with_their_column(void **state) {
    (void)state;
    refused("class=FERMI_A LANUCH_DMA", "column 15: no class has a method 'LANUCH_DMA'");
    refused("class=FERMI_AA", "column 1: there is no class 'FERMI_AA'");
    refused("method=LANUCH_DMA", "column 1: no class has a method 'LANUCH_DMA'");
    refused("LAUNCH_DMA.FOO=1", "column 1: no method has a field 'FOO'");
    refused("NV40_3D.LAUNCH_DMA", "no class of that name has a method 'LAUNCH_DMA'");
    refused("LAUNCH_DMA.SRC_MEMORY_LAYOUT=PITHC", "it never has the value 'PITHC'");
    refused("event=pulller.*", "there is no event 'pulller.*'");
}

static void keys_that_there_are_are_named(void **state) {
    (void)state;
    refused("xyzzy=3", "no class has a method 'xyzzy', and the keys are event, form, text, class, method, data, ");
    refused("xyzzy=3", ", target, time");
}

/* They would match no line. */
static void what_only_events_have_is_none_of_the_lines(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"CLEAR_SURFACE event=puller.*", "column 15: 'puller.*' is an event of a run; lines are submission, entry"},
        {"not event=method,engine.draw", "column 5: 'engine.draw' is an event of a run"},
        {"time>=3", "column 1: only events of a run have 'time'; a line has event, form, text"},
        {"data=3 or memory=1", "column 11: only events of a run have 'memory'; a line has event"},
        {"event=method form=incr* text=* class=9097 method=0x100 data=1 subc=1 channel=1 submit=1 address=1 word=1 "
         "count=1 target=1",
         NULL},
        {"event=*", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_error error = {0};
        struct pfifo_query *query = pfifo_query_new(rows[i].text, &error);
        assert_non_null(query);
        assert_int_equal(pfifo_query_check_lines(query, &error), rows[i].message ? PFIFO_ERROR_ARGUMENT : PFIFO_OK);
        if (rows[i].message && !strstr(error.message, rows[i].message))
            fail_msg("%s: %s", rows[i].text, error.message);
        pfifo_query_free(query);
    }
}

static void what_events_have_not_is_an_error_where_they_are_asked(void **state) {
    (void)state;
    static const struct {
        const char *globs, *text, *message;
    } rows[] = {
        {"engine.draw", "topology=tri* and first=* count>=3 class=*_3D|class=FERMI_A time=* text=*", NULL},
        {"puller.*,engine.draw", "topology=*", NULL},
        {"*", "data=* or topology=x", NULL},
        {"puller.bind", "data=3 topology=x", "column 1: puller.bind has no 'data'; it has subchannel, object, class"},
        {"puller.*", "not topology=x", "column 5: none of these events has 'topology'; there are engine.draw"},
        {"bus.line", "CLEAR_SURFACE", "column 1: bus.line has no 'method'; it has asserted"},
        {"engine.*", "first=abc", "column 1: a number is wanted for 'first'"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_error error = {0};
        struct pfifo_query *query = pfifo_query_new(rows[i].text, &error);
        if (!query)
            fail_msg("%s: %s", rows[i].text, error.message);
        enum pfifo_status status = pfifo_query_check_events(query, rows[i].globs, &error);
        if (status != (rows[i].message ? PFIFO_ERROR_ARGUMENT : PFIFO_OK) ||
            (rows[i].message && !strstr(error.message, rows[i].message)))
            fail_msg("%s %s: %s", rows[i].globs, rows[i].text, error.message);
        pfifo_query_free(query);
    }
}

static const char *nearest_of(struct pfifo_nearest *nearest, const char *wanted, const char *const *names) {
    pfifo_nearest_begin(nearest, wanted);
    for (; *names; names++)
        pfifo_nearest_try(nearest, *names);
    return nearest->name;
}

static void the_nearest_is_the_first_of_those_with_the_fewest_changes(void **state) {
    (void)state;
    struct pfifo_nearest nearest;
    char longest[300];

    assert_string_equal(nearest_of(&nearest, "ABCD", (const char *const[]){"AXCY", "ABDC", "ABC", NULL}), "ABDC");
    assert_int_equal(nearest.distance, 1);
    assert_string_equal(nearest_of(&nearest, "abcd", (const char *const[]){"ABCD", NULL}), "ABCD");
    assert_int_equal(nearest.distance, 0);
    assert_string_equal(nearest_of(&nearest, "ABCD", (const char *const[]){"WXYZ", "", NULL}), "");
    /* Names that have no room, or are no names. */
    memset(longest, 'A', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_string_equal(nearest_of(&nearest, longest, (const char *const[]){longest, NULL}), "");
    pfifo_nearest_begin(&nearest, "ABCD");
    pfifo_nearest_try(&nearest, NULL);
    assert_string_equal(nearest.name, "");
    pfifo_nearest_begin(&nearest, "CLAER_SURFACE");
    pfifo_nearest_method(&nearest, "FERMI_A");
    assert_string_equal(nearest.name, "CLEAR_SURFACE");
}

static void names_that_are_misspelt_suggest_the_nearest(void **state) {
    (void)state;
    refused("LANUCH_DMA", "'LANUCH_DMA'; did you mean 'LAUNCH_DMA'?");
    refused("method=lanuch_dma", "did you mean 'LAUNCH_DMA'?");
    refused("class=FERMI_AA", "did you mean 'FERMI_A'?");
    refused("class=FRMI_A", "did you mean 'FERMI_A'?");
    refused("FRMI_A.LAUNCH_DMA", "did you mean 'FERMI_A'?");
    refused("LAUNCH_DMA.SRC_MEMORY_LAYOT=1", "did you mean 'SRC_MEMORY_LAYOUT'?");
    refused("LAUNCH_DMA.SRC_MEMORY_LAYOUT=PITHC", "did you mean 'PITCH'?");
    refused("MAXWELL_DMA_COPY_A.LANUCH_DMA", "did you mean 'LAUNCH_DMA'?");
    refused("MAXWELL_DMA_COPY_A.LAUNCH_DMA.SRC_MEMORY_LAYOT=1", "did you mean 'SRC_MEMORY_LAYOUT'?");
    refused("chanel=3", "did you mean 'channel'?");
    refused("event=puler.reference", "did you mean 'puller.reference'?");
}

static void names_like_no_other_suggest_nothing(void **state) {
    struct pfifo_error error = {0};

    (void)state;
    static const char *const texts[] = {"XYZZY_PLUGH_QWERTY_ZZZ", "class=XYZZY_PLUGH", "event=pulller.*",
                                        "NV40_3D.LAUNCH_DMA"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_null(pfifo_query_new(texts[i], &error));
        assert_null(strstr(error.message, "did you mean"));
    }
}

static void keys_take_what_they_have(void **state) {
    (void)state;
    refused("channel=x", "a number is wanted, not 'x'");
    refused("event=1", "a name is wanted for 'event'");
    refused("form=3..4", "a name is wanted for 'form'");
    refused("data>1..2", "take one number");
    refused("data>1,2", "take one number");
    refused("event<method", "take one number");
}

static void grammar_errors_name_the_column(void **state) {
    (void)state;
    refused("(data=1", "column 8: a parenthesis is not closed");
    refused("data=1)", "column 7: a parenthesis was not opened");
    refused("data=", "column 6: a value is missing");
    refused("data=1,", "column 8: a value is missing");
    refused("data=1 or", "column 10: a term is missing");
    refused("or data=1", "column 1: no class has a method 'or'");
    refused("data=1 $", "column 8: a term is wanted here");
    refused("not", "a term is missing");
    refused("data=5..3", "the range ends before it begins");
    refused("text=\"abc", "a quote is not closed");
    refused("A.B.C.D", "a name is METHOD");
    refused("A..B", "a name is METHOD");
    refused(".A", "a name is METHOD");
}

/* `piece`, so many times, after `text`. */
static void repeat(char *text, size_t size, const char *piece, int times) {
    size_t used = strlen(text);

    for (int i = 0; i < times; i++)
        used += (size_t)snprintf(text + used, size - used, "%s", piece);
    assert_true(used < size);
}

static void long_queries_end_in_an_error_and_not_elsewhere(void **state) {
    char text[4096] = "";
    (void)state;
    memset(text, '(', 40);
    refused(text, "too many parentheses");
    for (int i = 0; i < 40; i++)
        memcpy(text + 4 * i, "not ", 5);
    refused(text, "too many parentheses");
    text[0] = 0;
    repeat(text, sizeof text, "data=1 ", PFIFO_QUERY_MAX_TERMS + 1);
    refused(text, "too many terms");
    text[0] = 0;
    repeat(text, sizeof text, "data=1", 1);
    repeat(text, sizeof text, ",1", 20);
    refused(text, "too many values");
    memset(text, 'A', 200);
    text[200] = 0;
    refused(text, "the name is too long");
}

static void as_many_terms_as_promised_are_taken(void **state) {
    char text[4096] = "";
    struct pfifo_query *query;
    (void)state;
    repeat(text, sizeof text, "not not data=1 ", PFIFO_QUERY_MAX_TERMS);
    query = pfifo_query_new(text, NULL);
    assert_non_null(query);
    pfifo_query_free(query);
    pfifo_query_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_nothing_has_are_refused_with_their_column),
        cmocka_unit_test(keys_that_there_are_are_named),
        cmocka_unit_test(what_only_events_have_is_none_of_the_lines),
        cmocka_unit_test(what_events_have_not_is_an_error_where_they_are_asked),
        cmocka_unit_test(the_nearest_is_the_first_of_those_with_the_fewest_changes),
        cmocka_unit_test(names_that_are_misspelt_suggest_the_nearest),
        cmocka_unit_test(names_like_no_other_suggest_nothing),
        cmocka_unit_test(keys_take_what_they_have),
        cmocka_unit_test(grammar_errors_name_the_column),
        cmocka_unit_test(long_queries_end_in_an_error_and_not_elsewhere),
        cmocka_unit_test(as_many_terms_as_promised_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
