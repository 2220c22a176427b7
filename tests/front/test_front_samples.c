/* SPDX-License-Identifier: MIT */
/* The samples that draw a quad: the picture that the program reads back is the same on every chip, and the right one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

enum { SIZE = 64, FIRST = 16, END = 48, TEXEL = 8, BYTES = SIZE * SIZE * 4 };

/*
 * A quad in the middle, with a texture of 4 x 4 texels that is not filtered, over a colour that was cleared to. Bytes
 * are R G B A, the first line is the lowest one.
 */
static void expected_pixel(unsigned x, unsigned y, uint8_t pixel[4]) {
    static const uint8_t cleared[4] = {0x40, 0x80, 0xbf, 0xff};
    memcpy(pixel, cleared, 4);
    if (x < FIRST || x >= END || y < FIRST || y >= END)
        return;
    unsigned s = (x - FIRST) / TEXEL, t = (y - FIRST) / TEXEL;
    pixel[0] = (uint8_t)(0x20 + 0x40 * s);
    pixel[1] = (uint8_t)(0x20 + 0x40 * t);
    pixel[2] = (s ^ t) & 1 ? 0xff : 0;
}

/* `red`: where in a pixel it is. Tegra's Mesa copies the target: B G R A, the highest line first. */
static bool is_picture(const char *path, unsigned red) {
    uint8_t data[BYTES + 1], pixel[4];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    if (bytes != BYTES)
        return false;
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        expected_pixel(i % SIZE, red ? SIZE - 1 - i / SIZE : i / SIZE, pixel);
        const uint8_t *found = data + (size_t)i * 4;
        if (found[red] != pixel[0] || found[1] != pixel[1] || found[2 - red] != pixel[2] || found[3] != pixel[3])
            return false;
    }
    return true;
}

/* How many of the buffers are the picture. The folder is removed. */
static unsigned pictures(const char *folder, unsigned red) {
    unsigned found = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        char path[1200];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        found += is_picture(path, red);
        unlink(path);
    }
    closedir(entries);
    assert_int_equal(rmdir(folder), 0);
    return found;
}

/* How the tool draws on several threads. */
static void the_number_of_jobs_changes_no_picture(void **state) {
    static const char *const jobs[] = {"--jobs=1", "--jobs=3"};
    char option[1100], *path = sample_path("nv117-quad.nvcap.xz");
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char *folder = temporary_path("-buffers");
        unlink(folder);
        snprintf(option, sizeof option, "--dump-buffers=%s", folder);
        struct outcome outcome = tool_run("run", jobs[i], option, path);
        expect_status(0, &outcome);
        assert_int_equal(pictures(folder, 0), 1);
        outcome_free(&outcome);
        free(folder);
    }
    struct outcome outcome = tool_run("run", "--jobs=0", path);
    assert_non_null(strstr(outcome.err, "--jobs is from 1 to 256"));
    outcome_free(&outcome);
    free(path);
}

static void expect_quad(const char *sample, unsigned red) {
    char option[1100], *path = sample_path(sample), *folder = temporary_path("-buffers");
    unlink(folder);
    snprintf(option, sizeof option, "--dump-buffers=%s", folder);
    struct outcome outcome = tool_run("run", option, path);
    expect_status(0, &outcome);
    assert_non_null(strstr(outcome.out, "not executed  0"));
    assert_int_equal(pictures(folder, red), 1);
    outcome_free(&outcome);
    free(folder);
    free(path);
}

static void a_textured_quad_is_drawn_on_each_instruction_set(void **state) {
    (void)state;
    expect_quad("nvc0-quad.nvcap.xz", 0);
    expect_quad("nve4-quad.nvcap.xz", 0);
    expect_quad("nv117-quad.nvcap.xz", 0);
    expect_quad("nv12b-quad.nvcap.xz", 2);
}

/* What they read back is what makes the tests pass; here: that nothing was left out, and nothing faulted. */
static void tests_of_piglit_draw_all_that_they_ask_for(void **state) {
    static const char *const chips[] = {"nvc0", "nve4", "nv117", "nv12b"};
    static const char *const tests[] = {"copy-pixels", "occlusion_query", "texsubimage",
                                        "arb_draw_indirect-draw-elements", "arb_query_buffer_object-qbo"};
    (void)state;
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned t = 0; t < 5; t++) {
            char name[100];
            snprintf(name, sizeof name, "%s-piglit-%s.nvcap.xz", chips[c], tests[t]);
            char *path = sample_path(name);
            struct outcome outcome = tool_run("run", path);
            expect_status(0, &outcome);
            assert_non_null(strstr(outcome.out, "not executed  0"));
            assert_non_null(strstr(outcome.out, "faults        0"));
            outcome_free(&outcome);
            free(path);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_textured_quad_is_drawn_on_each_instruction_set),
        cmocka_unit_test(the_number_of_jobs_changes_no_picture),
        cmocka_unit_test(tests_of_piglit_draw_all_that_they_ask_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
