/* SPDX-License-Identifier: MIT */
#include "mesa/png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <png.h>
#include <stdlib.h>

uint8_t *png_read(const char *path, unsigned *width, unsigned *height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL))
        fail_msg("%s: %s", path, image.message);
    *width = image.width;
    *height = image.height;
    return pixels;
}
