/* SPDX-License-Identifier: MIT */
/* PNG files of pixels of many kinds, as libpng reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "face/common/png_file.h"

static uint32_t seed = 1;

static uint32_t choose(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

typedef uint32_t pixel_at(uint32_t x, uint32_t y);

static uint32_t black(uint32_t x, uint32_t y) {
    (void)x, (void)y;
    return 0;
}

static uint32_t noise(uint32_t x, uint32_t y) {
    (void)x, (void)y;
    return choose(1u << 31) << 1;
}

/* Differences of many bytes, all the same: runs of pixels. */
static uint32_t shade(uint32_t x, uint32_t y) {
    (void)x;
    return y * 0x030201;
}

static uint32_t checks(uint32_t x, uint32_t y) {
    return (x / 3 ^ y / 5) & 1 ? 0x00ffc0 : 0x402010;
}

/* Symbols of each count from Fibonacci's row: the deepest code there is. */
static uint32_t rare(uint32_t x, uint32_t y) {
    uint32_t value = choose(1u << 31), byte = 0;
    (void)x, (void)y;
    for (uint32_t limit = 1u << 30; value < limit && byte < 24; limit = (uint32_t)((uint64_t)limit * 618 / 1000))
        byte++;
    return (byte * 7) << 8 | byte;
}

/* Runs of all lengths, and what is between them. */
static uint32_t runs(uint32_t x, uint32_t y) {
    static uint32_t left, pixel;
    (void)x, (void)y;
    if (left == 0) {
        left = choose(4) ? choose(6) : choose(400);
        pixel = choose(3) ? choose(1 << 24) : 0x010101 * choose(256);
    }
    left -= left > 0;
    return pixel;
}

static pixel_at *const kinds[] = {black, noise, shade, checks, rare, runs};

static uint8_t *pixels_of(pixel_at *at, uint32_t width, uint32_t height) {
    uint8_t *rgba = malloc((size_t)width * height * 4);
    assert_non_null(rgba);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t pixel = at(x, y);
            uint8_t *to = rgba + ((size_t)y * width + x) * 4;
            for (unsigned c = 0; c < 3; c++)
                to[c] = (uint8_t)(pixel >> 8 * c);
            to[3] = (uint8_t)choose(256);
        }
    return rgba;
}

/* Adler-32 of the lines, byte after byte; libpng only warns if it is wrong. */
static uint32_t sums_of(const uint8_t *rgba, uint32_t width, uint32_t height) {
    uint32_t a = 1, b = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t i = 0; i < 1 + width * 3; i++) {
            const size_t at = ((size_t)y * width + (i - 1) / 3) * 4 + (i - 1) % 3;
            uint8_t byte = i == 0 ? 2 : y == 0 ? rgba[at] : (uint8_t)(rgba[at] - rgba[at - (size_t)width * 4]);
            a = (a + byte) % 65521;
            b = (b + a) % 65521;
        }
    return b << 16 | a;
}

static void expect_pixels(const uint8_t *file, size_t bytes, const uint8_t *rgba, uint32_t width, uint32_t height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    const uint8_t *sums = file + bytes - 12 - 4 - 4; /* before the CRC and the last chunk */
    if (!png_image_begin_read_from_memory(&image, file, bytes))
        fail_msg("%s", image.message);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    uint8_t *read = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(read);
    if (!png_image_finish_read(&image, NULL, read, 0, NULL) || image.warning_or_error)
        fail_msg("%s", image.message);
    for (size_t i = 0; i < (size_t)width * height; i++)
        if (memcmp(read + i * 3, rgba + i * 4, 3) != 0)
            fail_msg("pixel %zu of %u x %u", i, width, height);
    assert_int_equal((uint32_t)sums[0] << 24 | (uint32_t)sums[1] << 16 | (uint32_t)sums[2] << 8 | sums[3],
                     sums_of(rgba, width, height));
    free(read);
}

static void a_file_has_the_pixels(void **state) {
    static const uint32_t sizes[][2] = {{1, 1},  {1, 9},   {2, 1},   {3, 3},    {63, 65},   {255, 3},
                                        {86, 2}, {87, 40}, {1, 700}, {500, 90}, {44000, 3}, {90001, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
            const uint32_t width = sizes[i][0], height = sizes[i][1];
            uint8_t *rgba = pixels_of(kinds[kind], width, height);
            size_t bytes = 0;
            uint8_t *file = png_file(rgba, width, height, &bytes);
            assert_non_null(file);
            expect_pixels(file, bytes, rgba, width, height);
            free(file);
            free(rgba);
        }
}

/* Plain and shaded areas take next to nothing, and noise what it has. */
static void a_file_is_small(void **state) {
    enum { SIZE = 512, ALL = SIZE * SIZE * 3 };
    static const size_t most[] = {ALL / 250, ALL + ALL / 100, ALL / 200, ALL / 20};
    (void)state;
    for (size_t kind = 0; kind < sizeof most / sizeof most[0]; kind++) {
        uint8_t *rgba = pixels_of(kinds[kind], SIZE, SIZE);
        size_t bytes = 0;
        uint8_t *file = png_file(rgba, SIZE, SIZE, &bytes);
        assert_non_null(file);
        assert_in_range(bytes, 1, most[kind]);
        free(file);
        free(rgba);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_the_pixels),
        cmocka_unit_test(a_file_is_small),
    };
    return cmocka_run_group_tests_name("png_file", tests, NULL, NULL);
}
