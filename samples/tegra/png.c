/* SPDX-License-Identifier: MIT */
#include "tegra.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_PNG
#include <png.h>
#endif

void tegra_write_png(const char *path, const uint32_t *pixels, uint32_t size) {
#ifdef HAVE_PNG
    png_image image = {.version = PNG_IMAGE_VERSION, .width = size, .height = size, .format = PNG_FORMAT_RGBA};
    tegra_check(png_image_write_to_file(&image, path, 0, pixels, (png_int_32)(size * 4), NULL), path);
    printf("the picture is in %s\n", path);
#else
    (void)pixels;
    (void)size;
    fprintf(stderr, "%s: not written, this was built without libpng\n", path);
    exit(1);
#endif
}
