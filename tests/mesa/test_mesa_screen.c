/* SPDX-License-Identifier: MIT */
/* What a program has painted and brought on the screen by a page flip is what the screenshot shows. */
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
#include "mesa/png.h"

#define MODE "208x130" /* neither is a multiple of a block */

enum { WIDTH = 208, HEIGHT = 130 };

/* Without alpha, which no screen has; GL's rows come from the bottom. */
static void compare(const char *chip, const char *image, const char *picture) {
    size_t bytes;
    unsigned width, height;
    char *painted = client_slurp(image, &bytes);
    const char *pixels = memchr(painted, '\n', bytes);
    uint8_t *seen = png_read(picture, &width, &height);
    assert_non_null(pixels);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_int_equal(bytes - (size_t)(pixels + 1 - painted), WIDTH * HEIGHT * 4);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        size_t x = i % WIDTH, y = i / WIDTH;
        const char *wanted = pixels + 1 + ((HEIGHT - 1 - y) * WIDTH + x) * 4;
        if (memcmp(seen + i * 4, wanted, 3) != 0)
            fail_msg("%s: pixel %zu,%zu of the screen is not as painted", chip, x, y);
    }
    free(seen);
    free(painted);
}

static void screen_shows_what_was_painted(void **state) {
    const struct mesa_chip *chip = *state;
    char *directory = client_directory(), image[400], picture[400], screenshot[440];
    snprintf(image, sizeof image, "%s/image", directory);
    snprintf(picture, sizeof picture, "%s/picture.png", directory);
    snprintf(screenshot, sizeof screenshot, "PFIFO_DRM_SCREENSHOT=%s", picture);
    struct client client = {.chip = chip->name,
                            .arguments = ARGUMENTS(client_program("PFIFO_MESA_SHOW"), image),
                            .variables = ARGUMENTS("PFIFO_DRM_MODE=" MODE, screenshot)};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    client_end_free(&end);
    compare(chip->name, image, picture);
    unlink(picture);
    assert_true(client_directory_remove(directory, "image"));
}

/*
 * While a frame is drawn the program is in no call, and in no lock of Mesa: it waits for the display, as on a GPU. One
 * that is in a submission all that time would hang. Chips that draw; the frames take long enough on all of them.
 */
static void handler_that_shuts_opengl_down_ends_the_program(void **state) {
    static const char *const chips[] = {"gf100", "gm107"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        if (!client_wants(client_chip(chips[i])))
            continue;
        struct client client = {.chip = chips[i], .arguments = ARGUMENTS(client_program("PFIFO_MESA_ENDING"))};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

int main(void) {
    struct CMUnitTest tests[32] = {0};
    size_t count = 0;
    if (!client_has_mesa())
        return 77;
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++)
        if (client_wants(chip))
            tests[count++] =
                (struct CMUnitTest){chip->name, screen_shows_what_was_painted, NULL, NULL, (void *)(uintptr_t)chip};
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(handler_that_shuts_opengl_down_ends_the_program);
    return _cmocka_run_group_tests("mesa_screen", tests, count, NULL, NULL);
}
