/* SPDX-License-Identifier: MIT */
/*
 * The hub with more events than a word has bits. The hub is compiled here once more, with the declarations in
 * many_events.def, under names that do not meet those of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#define EVENT_DECLARATIONS  "event/many_events.def"
#define pfifo_event_count   many_event_count
#define pfifo_event_info    many_event_info /* the struct, too */
#define pfifo_event_find    many_event_find
#define pfifo_event_matches many_event_matches
#define event_deliver       many_event_deliver
#define event_set_detail    many_event_set_detail
#define event_observe       many_event_observe
#define event_unobserve     many_event_unobserve
#include "event/event.c" /* NOLINT(bugprone-suspicious-include) */

static uint64_t seen[2][EVENT_COUNT];

static void count(void *opaque, const struct pfifo_event *event) {
    uint64_t *counts = opaque;
    assert_true(event->id < EVENT_COUNT);
    counts[event->id] += event->value[0];
}

static struct event_hub new_hub(void) {
    memset(seen, 0, sizeof seen);
    return (struct event_hub){0};
}

static void observe(struct event_hub *hub, const char *globs, uint64_t *counts) {
    struct pfifo_error error;
    assert_int_equal(event_observe(hub, globs, count, counts, &error), PFIFO_OK);
}

/* The numbers at both ends of each word, and the last one. */
static void an_event_beyond_the_first_word_reaches_its_observer(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum event_id id;
    } cases[] = {{"test.00", EVENT_TEST_00}, {"test.3f", EVENT_TEST_3f}, {"test.40", EVENT_TEST_40},
                 {"test.7f", EVENT_TEST_7f}, {"test.80", EVENT_TEST_80}, {"test.bf", EVENT_TEST_bf},
                 {"test.c0", EVENT_TEST_c0}, {"test.cf", EVENT_TEST_cf}};
    assert_true(EVENT_COUNT > 3 * 64);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct event_hub hub = new_hub();
        observe(&hub, cases[i].name, seen[0]);
        assert_int_equal(pfifo_event_find(cases[i].name), cases[i].id);
        for (unsigned id = 0; id < EVENT_COUNT; id++) {
            assert_int_equal(event_wanted(&hub, (enum event_id)id), id == cases[i].id);
            event_send(&hub, (enum event_id)id, 0, NULL, 1);
            assert_int_equal(seen[0][id], id == cases[i].id);
        }
        assert_int_equal(hub.sent, 1);
    }
}

static void a_glob_takes_events_of_every_word(void **state) {
    (void)state;
    struct event_hub hub = new_hub();
    observe(&hub, "test.?5", seen[0]);
    for (unsigned id = 0; id < EVENT_COUNT; id++)
        event_send(&hub, (enum event_id)id, 0, NULL, id + 1);
    for (unsigned id = 0; id < EVENT_COUNT; id++)
        assert_int_equal(seen[0][id], id % 16 == 5 ? id + 1 : 0);
}

/* The same events as an observer of these globs gets; what is too long is none, and in no other's way. */
static void an_event_matches_one_of_several_globs(void **state) {
    (void)state;
    char globs[128];
    snprintf(globs, sizeof globs, "%080d,test.?5,test.c0", 0);
    for (unsigned id = 0; id < EVENT_COUNT; id++)
        assert_int_equal(pfifo_event_matches(id, globs), id % 16 == 5 || id == EVENT_TEST_c0);
    assert_false(pfifo_event_matches(0, ""));
    assert_false(pfifo_event_matches(EVENT_COUNT, "*"));
}

/* They are in different words, and the same bit of these. */
static void observers_of_different_words_do_not_meet(void **state) {
    (void)state;
    struct event_hub hub = new_hub();
    observe(&hub, "test.05", seen[0]);
    observe(&hub, "test.45", seen[1]);
    event_send(&hub, EVENT_TEST_05, 0, NULL, 1);
    event_send(&hub, EVENT_TEST_45, 0, NULL, 1);
    event_send(&hub, EVENT_TEST_85, 0, NULL, 1);
    assert_int_equal(seen[0][EVENT_TEST_05], 1);
    assert_int_equal(seen[0][EVENT_TEST_45], 0);
    assert_int_equal(seen[1][EVENT_TEST_05], 0);
    assert_int_equal(seen[1][EVENT_TEST_45], 1);
}

static void somebody_observes_until_the_last_observer_leaves(void **state) {
    (void)state;
    struct event_hub hub = new_hub();
    assert_false(event_any_wanted(&hub));
    observe(&hub, "test.c0", seen[0]);
    observe(&hub, "test.00", seen[1]);
    event_unobserve(&hub, count, seen[1]);
    assert_true(event_any_wanted(&hub));
    assert_true(event_wanted(&hub, EVENT_TEST_c0));
    assert_false(event_wanted(&hub, EVENT_TEST_00));
    event_unobserve(&hub, count, seen[0]);
    assert_false(event_any_wanted(&hub));
    assert_false(event_wanted(&hub, EVENT_TEST_c0));
}

/* A glob that matches nothing is refused although one before it matched. */
static void a_name_that_no_event_has_is_refused(void **state) {
    (void)state;
    struct event_hub hub = new_hub();
    struct pfifo_error error;
    assert_int_equal(event_observe(&hub, "test.c0,test.d0", count, seen[0], &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(event_observe(&hub, "", count, seen[0], &error), PFIFO_ERROR_ARGUMENT);
    assert_false(event_any_wanted(&hub));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_beyond_the_first_word_reaches_its_observer),
        cmocka_unit_test(a_glob_takes_events_of_every_word),
        cmocka_unit_test(an_event_matches_one_of_several_globs),
        cmocka_unit_test(observers_of_different_words_do_not_meet),
        cmocka_unit_test(somebody_observes_until_the_last_observer_leaves),
        cmocka_unit_test(a_name_that_no_event_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
