/* SPDX-License-Identifier: MIT */
/* A guest gets the libraries that a program of this host loads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "face/pci/vm/child_lines.h"
#include "face/pci/vm/libraries.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned count_of(const struct libraries *libraries, const char *part) {
    unsigned count = 0;

    for (size_t i = 0; i < libraries->count; i++)
        count += strstr(libraries->path[i], part) != NULL;
    return count;
}

static void test_libraries_of_this_program(void **state) {
    (void)state;
    struct libraries libraries = {0};
    struct pfifo_error error = {0};

    /* Also when asked again, each is there once. */
    for (unsigned i = 0; i < 2; i++) {
        assert_true(libraries_of(&libraries, "/proc/self/exe", &error));
        assert_true(libraries_of(&libraries, "/bin/sh", &error));
        assert_int_equal(count_of(&libraries, "/libc.so"), 1);
        assert_int_equal(count_of(&libraries, "/ld-linux") + count_of(&libraries, "/ld.so"), 1);
    }
    for (size_t i = 0; i < libraries.count; i++) {
        assert_int_equal(libraries.path[i][0], '/');
        assert_int_equal(access(libraries.path[i], R_OK), 0);
    }
    libraries_free(&libraries);
    assert_int_equal(libraries.count, 0);
}

static void test_what_has_no_libraries(void **state) {
    (void)state;
    struct libraries libraries = {0};
    struct pfifo_error error = {0};

    assert_true(libraries_of(&libraries, "/dev/null", &error));
    assert_int_equal(libraries.count, 0);
}

/* ---- lines of programs ---- */

struct lines {
    unsigned count, most;
    char last[32];
};

static bool take(void *opaque, char *line, struct pfifo_error *error) {
    struct lines *lines = opaque;

    snprintf(lines->last, sizeof lines->last, "%s", line);
    if (++lines->count <= lines->most)
        return true;
    pfifo_error_set(error, PFIFO_ERROR_FORMAT, "enough");
    return false;
}

static bool run(struct lines *lines, const char *first, const char *script, int *status, struct pfifo_error *error) {
    const char *const names[] = {first, "/bin/sh", NULL};
    char *argv[] = {"sh", "-c", (char *)script, NULL};

    return child_lines(names, argv, take, lines, status, error);
}

static void test_lines_and_status_of_a_program(void **state) {
    (void)state;
    struct lines lines = {.most = 10};
    struct pfifo_error error = {0};
    int status = -2;

    /* The first that there is. */
    assert_true(run(&lines, "/nowhere/sh", "echo one; echo two; exit 3", &status, &error));
    assert_int_equal(status, 3);
    assert_int_equal(lines.count, 2);
    assert_string_equal(lines.last, "two\n");
    assert_true(run(&lines, "/bin/sh", "kill -9 $$", &status, &error));
    assert_int_equal(status, -1);
}

static void test_a_line_that_is_refused_ends_it(void **state) {
    (void)state;
    struct lines lines = {.most = 1};
    struct pfifo_error error = {0};
    int status;

    assert_false(run(&lines, "/bin/sh", "while echo line; do :; done", &status, &error));
    assert_int_equal(lines.count, 2);
    assert_string_equal(error.message, "enough");
}

static void test_no_program(void **state) {
    (void)state;
    const char *const names[] = {"/nowhere/program", NULL};
    char *argv[] = {"program", NULL};
    struct lines lines = {.most = 10};
    struct pfifo_error error = {0};
    int status = -2;

    assert_true(child_lines(names, argv, take, &lines, &status, &error));
    assert_int_equal(status, 127);
    assert_int_equal(lines.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_libraries_of_this_program),
        cmocka_unit_test(test_what_has_no_libraries),
        cmocka_unit_test(test_lines_and_status_of_a_program),
        cmocka_unit_test(test_a_line_that_is_refused_ends_it),
        cmocka_unit_test(test_no_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
