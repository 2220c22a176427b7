/* SPDX-License-Identifier: MIT */
/* pfifo run --screenshot and --draws of captures, and what --stats says of draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mesa/png.h"
#include "tool/json.h"
#include "tool/tool.h"

enum { SIZE = 64, FIRST = 16, END = 48, TEXEL = 8 };

static const char *const drawing[] = {"nvc0", "nve4", "nv117", "nv12b"};
static const char *const clearing[] = {"nv40", "nva3"};

/* A quad in the middle, with a texture of 4 x 4 texels, over a colour that was cleared to. Line 0 is the lowest. */
static void expected_pixel(unsigned x, unsigned y, uint8_t pixel[3]) {
    static const uint8_t cleared[3] = {0x40, 0x80, 0xbf};
    memcpy(pixel, cleared, 3);
    if (x < FIRST || x >= END || y < FIRST || y >= END)
        return;
    unsigned s = (x - FIRST) / TEXEL, t = (y - FIRST) / TEXEL;
    pixel[0] = (uint8_t)(0x20 + 0x40 * s);
    pixel[1] = (uint8_t)(0x20 + 0x40 * t);
    pixel[2] = (s ^ t) & 1 ? 0xff : 0;
}

/* Of a target of 64 x 64 pixels; the highest line comes first. */
static void expect_picture(const char *path, bool quad) {
    unsigned width, height;
    uint8_t *pixels = png_read(path, &width, &height), wanted[3];
    assert_int_equal(width, SIZE);
    assert_int_equal(height, SIZE);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        expected_pixel(quad ? i % SIZE : 0, SIZE - 1 - i / SIZE, wanted);
        assert_memory_equal(pixels + (size_t)i * 4, wanted, 3);
    }
    free(pixels);
}

static char *quad_of(const char *chip) {
    char name[64];
    snprintf(name, sizeof name, "%s-quad.nvcap.xz", chip);
    return sample_path(name);
}

static void expect_screenshot(const char *chip, bool quad) {
    char *sample = quad_of(chip), *path = temporary_path(".png"), option[600];
    snprintf(option, sizeof option, "--screenshot=%s", path);
    struct outcome outcome = tool_run("run", option, sample);
    expect_status(0, &outcome);
    assert_string_equal(outcome.err, "");
    expect_picture(path, quad);
    outcome_free(&outcome);
    unlink(path);
    free(path);
    free(sample);
}

static void a_screenshot_is_what_was_drawn_last(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof drawing / sizeof drawing[0]; i++)
        expect_screenshot(drawing[i], true);
}

/* They clear, and do not draw. */
static void a_screenshot_is_what_was_cleared_last(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof clearing / sizeof clearing[0]; i++)
        expect_screenshot(clearing[i], false);
}

static char *read_text(const char *path) {
    char *text = calloc(1, 65536);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

static struct json *read_json(const char *path) {
    char *text = read_text(path);
    struct json *json = json_parse(text, strlen(text));
    if (!json)
        fail_msg("%s is not JSON: %s", path, text);
    free(text);
    return json;
}

/* The index of a folder, which is removed. Each of its `count` elements is a line of docs/json.schema.json. */
static char *read_index(const char *folder, size_t count) {
    char path[1024], why[400];
    struct json *schema = json_schema();
    assert_non_null(schema);
    snprintf(path, sizeof path, "%s/index.json", folder);
    char *text = read_text(path);
    struct json *index = read_json(path);
    assert_int_equal(index->type, JSON_ARRAY);
    for (const struct json *line = index->child; line; line = line->next, count--)
        if (!json_fits(line, schema, schema, why, sizeof why))
            fail_msg("%s: %s", why, text);
    assert_int_equal(count, 0);
    json_free(index);
    json_free(schema);
    unlink(path);
    return text;
}

static void draws_have_pictures_and_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof drawing / sizeof drawing[0]; i++) {
        char *sample = quad_of(drawing[i]), *folder = temporary_path(".d"), option[600], path[600];
        unlink(folder);
        snprintf(option, sizeof option, "--draws=%s", folder);
        snprintf(path, sizeof path, "%s/0000.png", folder);
        struct outcome outcome = tool_run("run", option, sample);
        expect_status(0, &outcome);
        assert_non_null(strstr(outcome.err, ": 1 of 1 draw\n"));
        expect_picture(path, true);
        unlink(path);
        char *index = read_index(folder, 1);
        assert_non_null(strstr(index, "[\n{\"number\":0,\"picture\":\"0000.png\",\"file\":"));
        assert_non_null(strstr(index, "\"topology\":\"triangle_strip\",\"first\":0,\"count\":4,"));
        assert_non_null(strstr(index, "\"format\":\"BGRA8_UNORM\",\"layout\":\"block\""));
        assert_int_equal(rmdir(folder), 0);
        free(index);
        outcome_free(&outcome);
        free(folder);
        free(sample);
    }
}

/* Of how many pixels is a picture of lines white? Others are black, and it is as large as the other picture. */
static unsigned white_of(const char *path, unsigned *width, unsigned *height) {
    uint8_t *pixels = png_read(path, width, height);
    unsigned white = 0;
    for (unsigned i = 0; i < *width * *height; i++) {
        assert_true(pixels[4 * i] == 0 || pixels[4 * i] == 0xff);
        white += pixels[4 * i] == 0xff;
    }
    free(pixels);
    return white;
}

/* A patch becomes 800 triangles in squares of 12.5 pixels; points of two primitives a rectangle with a diagonal. */
static void draws_with_more_stages_have_pictures_of_what_these_made(void **state) {
    static const struct {
        const char *name;
        unsigned least, most;
    } draws[] = {{"tessellation", 12000, 18000}, {"geometry", 700, 1400}};
    (void)state;
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        char name[100], *folder = temporary_path(".d"), option[600], path[600];
        unsigned width, height;
        snprintf(name, sizeof name, "../../tests/tool/captures/%s-gm107.nvcap.zst", draws[i].name);
        char *sample = sample_path(name);
        unlink(folder);
        snprintf(option, sizeof option, "--draws=%s", folder);
        struct outcome outcome = tool_run("run", option, sample);
        expect_status(0, &outcome);
        snprintf(path, sizeof path, "%s/0000-lines.png", folder);
        assert_in_range(white_of(path, &width, &height), draws[i].least, draws[i].most);
        assert_int_equal(width, 250);
        assert_int_equal(height, 250);
        unlink(path);
        snprintf(path, sizeof path, "%s/0000.png", folder);
        unlink(path);
        char *index = read_index(folder, 1);
        assert_non_null(strstr(index, "\"picture\":\"0000.png\",\"wireframe\":\"0000-lines.png\",\"file\":"));
        assert_non_null(strstr(index, "\"stages\":[{\"stage\":\"vertex\",\"program\":"));
        assert_int_equal(rmdir(folder), 0);
        free(index);
        outcome_free(&outcome);
        free(folder);
        free(sample);
    }
}

/* 20 draws: three of them. */
static void draws_can_be_chosen(void **state) {
    char *sample = sample_path("nv117-quad-gbm-20frames.nvcap.xz"), *folder = temporary_path(".d"), option[600];
    (void)state;
    unlink(folder);
    snprintf(option, sizeof option, "--draws=%s", folder);
    struct outcome outcome = tool_run("run", option, "--draws-from=7", "--draws-count=3", sample);
    expect_status(0, &outcome);
    assert_non_null(strstr(outcome.err, ": 3 of 20 draws\n"));
    for (unsigned i = 7; i < 10; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%04u.png", folder, i);
        assert_int_equal(unlink(path), 0);
    }
    char *index = read_index(folder, 3);
    assert_non_null(strstr(index, "\n{\"number\":7,"));
    assert_null(strstr(index, "\"number\":10,"));
    assert_int_equal(rmdir(folder), 0);
    free(index);
    outcome_free(&outcome);
    free(folder);
    free(sample);
}

/* Pictures of the first draws of a capture, in a new folder. */
static char *draw_pictures(const char *chip, const char *capture, unsigned count) {
    char name[64], draws[600], most[64], *folder = temporary_path(".d");
    unlink(folder);
    snprintf(name, sizeof name, "%s-%s.nvcap.xz", chip, capture);
    snprintf(draws, sizeof draws, "--draws=%s", folder);
    snprintf(most, sizeof most, "--draws-count=%u", count);
    char *sample = sample_path(name);
    struct outcome outcome = tool_run("run", draws, most, sample);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    free(sample);
    free(read_index(folder, count));
    return folder;
}

/* The bytes of one, which is removed. */
static char *take_picture(const char *folder, unsigned draw, size_t *bytes) {
    char path[600], *data = malloc(1 << 20);
    snprintf(path, sizeof path, "%s/%04u.png", folder, draw);
    FILE *file = fopen(path, "r");
    assert_non_null(data);
    assert_non_null(file);
    *bytes = fread(data, 1, 1 << 20, file);
    fclose(file);
    unlink(path);
    return data;
}

static void expect_alike(const char *capture, unsigned count) {
    enum { CHIPS = sizeof drawing / sizeof drawing[0] };
    char *folder[CHIPS];
    for (unsigned i = 0; i < CHIPS; i++)
        folder[i] = draw_pictures(drawing[i], capture, count);
    for (unsigned draw = 0; draw < count; draw++) {
        size_t bytes, others;
        char *first = take_picture(folder[0], draw, &bytes);
        for (unsigned i = 1; i < CHIPS; i++) {
            char *other = take_picture(folder[i], draw, &others);
            if (bytes != others || memcmp(first, other, bytes) != 0)
                fail_msg("%s: draw %u of %s is not that of %s", capture, draw, drawing[i], drawing[0]);
            free(other);
        }
        free(first);
    }
    for (unsigned i = 0; i < CHIPS; i++) {
        assert_int_equal(rmdir(folder[i]), 0);
        free(folder[i]);
    }
}

/*
 * Programs of different encodings, textures in different layouts, and the same pixels. Of glmark2 it is the first
 * frame: in later ones windows have moved with the time of each recording.
 */
static void chips_draw_alike(void **state) {
    (void)state;
    expect_alike("piglit-texsubimage", 17);
    expect_alike("glmark2-desktop-3frames", 14);
}

/* Work is counted, so threads make no difference. */
static void stats_tell_of_the_work_of_draws(void **state) {
    static const char *const jobs[] = {"--jobs=1", "--jobs=3"};
    (void)state;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        char *sample = quad_of("nvc0");
        struct outcome outcome = tool_run("run", "--stats", jobs[i], sample);
        expect_status(0, &outcome);
        if (!strstr(outcome.out, "  work of draws\n         1  vertex warps\n        14  vertex instructions\n"
                                 "        34  fragment warps\n       204  fragment instructions\n"
                                 "      1088  texture reads\n"))
            fail_msg("%s", outcome.out);
        outcome_free(&outcome);
        outcome = tool_run("run", "--stats", "--json", jobs[i], sample);
        expect_status(0, &outcome);
        assert_non_null(strstr(outcome.out, ",\"draw_work\":[{\"name\":\"vertex warps\",\"count\":1},"));
        outcome_free(&outcome);
        free(sample);
    }
    char *sample = quad_of("nv40");
    struct outcome outcome = tool_run("run", "--stats", sample);
    assert_null(strstr(outcome.out, "work of draws"));
    outcome_free(&outcome);
    free(sample);
}

static void what_is_drawn_is_the_same_without_the_compiler(void **state) {
    static const char *const options[] = {"--jobs=2", "--no-compile"};
    char *sample = sample_path("nv117-glmark2-desktop-3frames.nvcap.xz"), option[600];
    uint8_t *pixels[2];
    unsigned width[2], height[2];
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char *path = temporary_path(".png");
        snprintf(option, sizeof option, "--screenshot=%s", path);
        struct outcome outcome = tool_run("run", options[i], option, sample);
        expect_status(0, &outcome);
        pixels[i] = png_read(path, &width[i], &height[i]);
        outcome_free(&outcome);
        unlink(path);
        free(path);
    }
    assert_int_equal(width[0], width[1]);
    assert_int_equal(height[0], height[1]);
    assert_memory_equal(pixels[0], pixels[1], (size_t)4 * width[0] * height[0]);
    free(pixels[0]);
    free(pixels[1]);
    free(sample);
}

static void expect_refused(int status, const char *why, const struct outcome *outcome) {
    expect_status(status, outcome);
    if (!strstr(outcome->err, why))
        fail_msg("no '%s' in %s", why, outcome->err);
}

static void errors_name_the_file(void **state) {
    char *sample = quad_of("nv117"), *file = temporary_path(".file"), option[600];
    (void)state;
    write_file(file, "", 0);
    snprintf(option, sizeof option, "--draws=%s", file);
    struct outcome outcome = tool_run("run", option, sample);
    expect_refused(2, "index.json: cannot write: Not a directory", &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", "--screenshot=/nowhere/a.png", sample);
    expect_refused(2, "/nowhere/a.png: cannot write: No such file", &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", "--screenshot=a.png", sample, sample);
    expect_refused(2, "for one capture", &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", "--draws-from=1", sample);
    expect_refused(2, "need --draws", &outcome);
    outcome_free(&outcome);
    unlink(file);
    free(file);
    free(sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_screenshot_is_what_was_drawn_last),
        cmocka_unit_test(a_screenshot_is_what_was_cleared_last),
        cmocka_unit_test(draws_have_pictures_and_lines),
        cmocka_unit_test(draws_with_more_stages_have_pictures_of_what_these_made),
        cmocka_unit_test(draws_can_be_chosen),
        cmocka_unit_test(chips_draw_alike),
        cmocka_unit_test(stats_tell_of_the_work_of_draws),
        cmocka_unit_test(what_is_drawn_is_the_same_without_the_compiler),
        cmocka_unit_test(errors_name_the_file),
    };
    return cmocka_run_group_tests_name("tool_pictures", tests, NULL, NULL);
}
