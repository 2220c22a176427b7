/* SPDX-License-Identifier: MIT */
/*
 * A program of OpenGL ES that clears, copies, blits and reads back, on Mesa's driver of each generation: the images are
 * those of the same program on llvmpipe, to the pixel. So are those that it draws, on chips whose draws are executed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesa/client.h"
#include "mesa/summary.h"

/* No powers of two: those are swizzled before G80, and Mesa reads them back by drawing. */
static const char *const small[] = {"65", "63"}, *const large[] = {"330", "243"};

/* What paint leaves: images, each a line "NAME:WIDTHxHEIGHT" and its pixels. */
struct images {
    char *bytes;
    size_t size;
};

/* Everything was done by the model: nothing was left out. */
static void expect_all_executed(const char *path) {
    struct summary summary = summary_read(path);
    assert_int_equal(summary.unknown, 0);
    assert_int_equal(summary.faults, 0);
    assert_int_equal(summary.not_executed, 0);
}

struct order {
    int version;
    const char *const *size;
    bool drawn; /* only what is drawn; else only what is not */
};

static struct images paint(const char *chip, const char *renderer, const struct order *order) {
    char *directory = client_directory(), path[400], summary[400], output[440], number[16];
    snprintf(number, sizeof number, "%d", order->version);
    snprintf(path, sizeof path, "%s/images", directory);
    snprintf(summary, sizeof summary, "%s/summary", directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
    struct client client = {.chip = chip,
                            .arguments = ARGUMENTS(client_program("PFIFO_MESA_PAINT"), "-e", number,
                                                   order->drawn ? "-D" : "--", order->size[0], order->size[1], path),
                            .variables = ARGUMENTS("PFIFO_DRM_JSON=1", output)};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    /* Mesa falls back to llvmpipe in silence. */
    if (strncmp(end.out, renderer, strlen(renderer)) != 0 || !strchr(" \n", end.out[strlen(renderer)]))
        fail_msg("GL_RENDERER is %s, not %s", end.out, renderer);
    if (chip)
        expect_all_executed(summary);
    unlink(summary);
    struct images images;
    images.bytes = client_slurp(path, &images.size);
    client_end_free(&end);
    assert_true(client_directory_remove(directory, "images"));
    return images;
}

/* The first pixel of an image that differs. True: none does. */
static bool same_pixels(const char *title, const uint8_t *seen, const uint8_t *wanted, unsigned width, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 4) {
        if (memcmp(seen + i, wanted + i, 4) == 0)
            continue;
        print_error("%s: pixel %zu,%zu is %02x%02x%02x%02x, not %02x%02x%02x%02x\n", title, i / 4 % width,
                    i / 4 / width, seen[i], seen[i + 1], seen[i + 2], seen[i + 3], wanted[i], wanted[i + 1],
                    wanted[i + 2], wanted[i + 3]);
        return false;
    }
    return true;
}

/* "NAME:WIDTHxHEIGHT" */
static void read_size(const char *line, unsigned *width, unsigned *height) {
    const char *colon = strchr(line, ':');
    char *x;
    assert_non_null(colon);
    *width = (unsigned)strtoul(colon + 1, &x, 10);
    assert_int_equal(*x, 'x');
    *height = (unsigned)strtoul(x + 1, NULL, 10);
}

/* The line that begins the next image. */
static size_t next_title(const struct images *images, size_t at, char title[64]) {
    size_t length = strcspn(images->bytes + at, "\n");
    assert_true(length < 63);
    memcpy(title, images->bytes + at, length);
    title[length] = '\0';
    return length + 1;
}

static bool is_one_of(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Mesa 25 does not read stencil on these (programs/scenes_targets.c). */
static bool is_left_out(const char *chip, const char *title, const char *seen) {
    static const char *const without[] = {"g80", "g84", NULL};
    bool left_out = is_one_of(chip, without) && strncmp(title, "stencil ", 8) == 0 && strcmp(title, seen) != 0;
    if (left_out)
        print_message("%s: this Mesa does not read %s\n", chip, title);
    return left_out;
}

/* Both have the same images in the same order, but for those that are left out. */
static void compare(const char *chip, const struct images *seen, const struct images *wanted) {
    size_t seen_at = 0;
    bool same = true;
    assert_true(wanted->size > 0);
    for (size_t at = 0; at < wanted->size;) {
        char title[64], seen_title[64] = "";
        unsigned width, height;
        at += next_title(wanted, at, title);
        size_t length = seen_at < seen->size ? next_title(seen, seen_at, seen_title) : 0;
        read_size(title, &width, &height);
        size_t bytes = (size_t)width * height * 4;
        assert_true(bytes <= wanted->size - at);
        if (!is_left_out(chip, title, seen_title)) {
            assert_string_equal(seen_title, title);
            assert_true(length + bytes <= seen->size - seen_at);
            same &= same_pixels(title, (const uint8_t *)seen->bytes + seen_at + length,
                                (const uint8_t *)wanted->bytes + at, width, bytes);
            seen_at += length + bytes;
        }
        at += bytes;
    }
    assert_int_equal(seen_at, seen->size);
    assert_true(same);
}

static struct images references[2][40]; /* of small images, not drawn and drawn, by the version of OpenGL ES */

static void expect_small_images_of_llvmpipe(const struct mesa_chip *chip, bool drawn) {
    const struct order order = {chip->version, small, drawn};
    struct images *wanted = &references[drawn][chip->version];
    if (!wanted->bytes)
        *wanted = paint(NULL, "llvmpipe", &order);
    struct images seen = paint(chip->name, chip->renderer, &order);
    compare(chip->name, &seen, wanted);
    free(seen.bytes);
}

static void images_are_those_of_llvmpipe(void **state) {
    expect_small_images_of_llvmpipe(*state, false);
}

static void drawn_images_are_those_of_llvmpipe(void **state) {
    expect_small_images_of_llvmpipe(*state, true);
}

static void large_images_are_those_of_llvmpipe(void **state) {
    const struct mesa_chip *chip = *state;
    const struct order order = {chip->version, large, false};
    struct images wanted = paint(NULL, "llvmpipe", &order);
    struct images seen = paint(chip->name, chip->renderer, &order);
    compare(chip->name, &seen, &wanted);
    free(seen.bytes);
    free(wanted.bytes);
}

int main(void) {
    static const char *const with_large[] = {"nv40", "g84", "gf100", "gm20b", "gp102", NULL};
    struct CMUnitTest tests[64] = {0};
    size_t count = 0;
    if (!client_has_mesa())
        return 77;
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++) {
        void *state = (void *)(uintptr_t)chip;
        if (!client_wants(chip))
            continue;
        tests[count++] = (struct CMUnitTest){chip->name, images_are_those_of_llvmpipe, NULL, NULL, state};
        if (is_one_of(chip->name, with_large))
            tests[count++] = (struct CMUnitTest){chip->name, large_images_are_those_of_llvmpipe, NULL, NULL, state};
        if (chip->version >= 31)
            tests[count++] = (struct CMUnitTest){chip->name, drawn_images_are_those_of_llvmpipe, NULL, NULL, state};
    }
    int failed = _cmocka_run_group_tests("mesa_images", tests, count, NULL, NULL);
    for (size_t i = 0; i < 80; i++)
        free(references[i / 40][i % 40].bytes);
    return failed;
}
