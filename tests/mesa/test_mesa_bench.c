/* SPDX-License-Identifier: MIT */
/* The program of `make bench` that draws with OpenGL draws on the model what it means to, and says how much. No times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mesa/client.h"

#define ROWS 15

/* Red grows to the right, green upwards; textures show a place of theirs, and what is blended was on black. */
static const struct pixel {
    const char *row, *color;
} pixels[] = {
    {"pixels", "bf2000"},        {"pixels, blended", "601000"},          {"pixels, texture, nearest", "e7a700"},
    {"multiply-adds", "151515"}, {"vertices, lit and culled", "cf5840"}, {"draws, program", "bf2000"},
};

static struct client_end run(const char *const *arguments) {
    struct client client = {.chip = "gm107", .arguments = arguments};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    return end;
}

/* What follows NAME and a tab in a line, up to its end. NULL: there is no such line. */
static char *field_after(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == '\t')
            return strndup(line + length + 1, strcspn(line + length + 1, "\n"));
    }
    return NULL;
}

static void expect_field(const char *text, const char *name, const char *wanted) {
    char *field = field_after(text, name);
    if (!field)
        fail_msg("no line '%s' in:\n%s", name, text);
    assert_string_equal(field, wanted);
    free(field);
}

static unsigned lines_of(const char *text) {
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void each_row_draws_what_it_means_to(void **state) {
    (void)state;
    struct client_end end = run(ARGUMENTS(client_program("PFIFO_MESA_BENCH_GL"), "--once"));
    assert_non_null(strstr(end.out, client_renderer("gm107")));
    assert_int_equal(lines_of(end.out), 1 + ROWS);
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        expect_field(end.out, pixels[i].row, pixels[i].color);
    client_end_free(&end);
}

/* The rows that are asked for, each with its unit and a rate. */
static void rates_are_said(void **state) {
    (void)state;
    const char *program = client_program("PFIFO_MESA_BENCH_GL");
    struct client_end end = run(ARGUMENTS(program, "--seconds=0.001", "pixels", "draws, u*"));
    assert_int_equal(lines_of(end.out), 3);
    static const char *const rows[] = {"pixels\tpixels", "draws, uniform\tdraws"};
    for (size_t i = 0; i < 2; i++) {
        char *rate = field_after(end.out, rows[i]);
        assert_non_null(rate);
        assert_true(strtod(rate, NULL) > 0);
        free(rate);
    }
    client_end_free(&end);
}

int main(void) {
    if (!client_has_mesa())
        return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_row_draws_what_it_means_to),
                                       cmocka_unit_test(rates_are_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
