/* SPDX-License-Identifier: MIT */
/* What a guest's program writes comes out whole and at once, its status apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "face/pci/vm/output.h"

#include <stdlib.h>
#include <string.h>

#define BYTES(text) text, sizeof(text) - 1

struct rig {
    struct output output;
    char *text; /* written so far */
    size_t bytes;
};

static void begin(struct rig *rig) {
    *rig = (struct rig){0};
    rig->output.file = open_memstream(&rig->text, &rig->bytes);
    assert_non_null(rig->output.file);
}

static void expect(struct rig *rig, const char *text, size_t bytes) {
    assert_int_equal(rig->bytes, bytes);
    assert_memory_equal(rig->text, text, bytes);
}

static void finish(struct rig *rig) {
    fclose(rig->output.file);
    free(rig->text);
}

static void test_lines_come_at_once(void **state) {
    (void)state;
    struct rig rig;

    begin(&rig);
    output_take(&rig.output, BYTES("one\n"));
    expect(&rig, BYTES("one\n"));
    output_take(&rig.output, BYTES("two"));
    expect(&rig, BYTES("one\ntwo"));
    finish(&rig);
}

static void test_status_is_not_output(void **state) {
    (void)state;
    static const char all[] = "text\0status 17\n";

    /* However it is cut. */
    for (size_t cut = 0; cut < sizeof all; cut++) {
        struct rig rig;
        int status = -1;
        begin(&rig);
        output_take(&rig.output, all, cut);
        output_take(&rig.output, all + cut, sizeof all - 1 - cut);
        assert_true(output_end(&rig.output, &status));
        assert_int_equal(status, 17);
        expect(&rig, BYTES("text"));
        finish(&rig);
    }
}

static void test_any_bytes_pass(void **state) {
    (void)state;
    enum { SIZE = 3000 };
    char data[SIZE];

    for (unsigned i = 0; i < SIZE; i++)
        data[i] = i % 7 ? 0 : (char)(i * 5);
    for (size_t step = 1; step < SIZE; step = step * 3 + 1) {
        struct rig rig;
        int status = -1;
        begin(&rig);
        for (size_t at = 0; at < SIZE; at += step)
            output_take(&rig.output, data + at, at + step <= SIZE ? step : SIZE - at);
        output_take(&rig.output, BYTES("\0status 255\n"));
        assert_true(output_end(&rig.output, &status));
        assert_int_equal(status, 255);
        expect(&rig, data, SIZE);
        finish(&rig);
    }
}

static void test_only_the_last_status_counts(void **state) {
    (void)state;
    struct rig rig;
    int status = -1;

    begin(&rig);
    output_take(&rig.output, BYTES("\0status 0\n\0status 3\n"));
    assert_true(output_end(&rig.output, &status));
    assert_int_equal(status, 3);
    expect(&rig, BYTES("\0status 0\n"));
    finish(&rig);
}

static void test_what_is_no_status(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
    } rows[] = {
        {BYTES("")},
        {BYTES("status 1\n")},
        {BYTES("\0status 1")},
        {BYTES("\0status 256\n")},
        {BYTES("\0status -1\n")},
        {BYTES("\0status  1\n")},
        {BYTES("\0status x\n")},
        {BYTES("\0status 1\n\n")},
        {BYTES("\0status 1\nmore")},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig rig;
        int status = -1;
        begin(&rig);
        output_take(&rig.output, rows[i].text, rows[i].bytes);
        assert_false(output_end(&rig.output, &status));
        assert_int_equal(status, -1);
        expect(&rig, rows[i].text, rows[i].bytes);
        finish(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_come_at_once), cmocka_unit_test(test_status_is_not_output),
        cmocka_unit_test(test_any_bytes_pass),     cmocka_unit_test(test_only_the_last_status_counts),
        cmocka_unit_test(test_what_is_no_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
