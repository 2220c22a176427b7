/* SPDX-License-Identifier: MIT */
/* Sixels, by libsixel, which is loaded for the first picture. A picture of at most 256 colours has just these. */
#include "face/tool/image/terminal.h"

#ifdef PFIFO_SIXEL

#include <sixel.h>

#include <limits.h>
#include <stdlib.h>

#include "face/tool/command/library.h"

enum { COLORS = 256, RGB_BYTES = 3, PLACES = 4096 };

#define SIXEL_FUNCTIONS(F)                                                                                             \
    F(sixel_output_new)                                                                                                \
    F(sixel_output_unref)                                                                                              \
    F(sixel_dither_new)                                                                                                \
    F(sixel_dither_unref)                                                                                              \
    F(sixel_dither_initialize)                                                                                         \
    F(sixel_dither_set_palette)                                                                                        \
    F(sixel_dither_set_pixelformat)                                                                                    \
    F(sixel_encode)

struct sixel {
    SIXEL_FUNCTIONS(LIBRARY_MEMBER)
};

static bool sixel_load(struct sixel *sixel) {
    static const struct library_function functions[] = {SIXEL_FUNCTIONS(LIBRARY_ROW)};

    return library_load("libsixel.so.1", functions, sizeof functions / sizeof functions[0], sixel);
}

const char *sixel_missing(void) {
    struct sixel sixel;

    return sixel_load(&sixel) ? NULL : "there is no libsixel.so.1";
}

static int write_some(char *data, int bytes, void *file) {
    return fwrite(data, 1, (size_t)bytes, file) == (size_t)bytes ? bytes : 0;
}

/* ---- palettes ---- */

/* Colours that were seen, by a hash of them. */
struct seen {
    uint32_t color[PLACES]; /* plus 1; 0: the place is free */
    uint8_t index[PLACES];
};

/* The number of a colour, which becomes the next one if it is new. COLORS: there are too many. */
static size_t sixel_index_of(struct seen *seen, uint32_t color, uint8_t palette[COLORS * RGB_BYTES], size_t *count) {
    size_t at = color * UINT32_C(2654435761) >> 20;

    while (seen->color[at] && seen->color[at] != color + 1)
        at = (at + 1) % PLACES;
    if (seen->color[at])
        return seen->index[at];
    if (*count == COLORS)
        return COLORS;
    seen->color[at] = color + 1;
    seen->index[at] = (uint8_t)*count;
    for (unsigned c = 0; c < RGB_BYTES; c++)
        palette[*count * RGB_BYTES + c] = (uint8_t)(color >> 8 * c);
    return (*count)++;
}

/* The colours of the picture, if they fit into a palette, and the number of that of each pixel. 0: they do not. */
static size_t exact_palette(const uint8_t *rgb, size_t pixels, uint8_t palette[COLORS * RGB_BYTES], uint8_t *indices) {
    static const struct seen none;
    struct seen seen = none;
    size_t count = 0;

    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *pixel = rgb + RGB_BYTES * i;
        uint32_t color = pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16;
        size_t index = sixel_index_of(&seen, color, palette, &count);
        if (index == COLORS)
            return 0;
        indices[i] = (uint8_t)index;
    }
    return count;
}

/* ---- pictures ---- */

struct picture {
    int width, height;
    uint8_t *rgb, *indices;
};

/* libsixel looks only at some pixels when it makes a palette, so that small pictures would lose colours. */
static SIXELSTATUS make_palette(const struct sixel *sixel, sixel_dither_t **dither, const struct picture *picture,
                                bool *exact) {
    uint8_t palette[COLORS * RGB_BYTES];
    size_t count =
        exact_palette(picture->rgb, (size_t)picture->width * (size_t)picture->height, palette, picture->indices);
    SIXELSTATUS status = sixel->sixel_dither_new(dither, count ? (int)count : COLORS, NULL);

    *exact = count != 0;
    if (SIXEL_FAILED(status))
        return status;
    if (!count)
        return sixel->sixel_dither_initialize(*dither, picture->rgb, picture->width, picture->height,
                                              SIXEL_PIXELFORMAT_RGB888, SIXEL_LARGE_AUTO, SIXEL_REP_AUTO,
                                              SIXEL_QUALITY_AUTO);
    sixel->sixel_dither_set_palette(*dither, palette);
    sixel->sixel_dither_set_pixelformat(*dither, SIXEL_PIXELFORMAT_PAL8);
    return status;
}

static bool encode(const struct sixel *sixel, FILE *file, const struct picture *picture) {
    sixel_output_t *output = NULL;
    sixel_dither_t *dither = NULL;
    bool exact = false;
    bool done = SIXEL_SUCCEEDED(sixel->sixel_output_new(&output, write_some, file, NULL)) &&
                SIXEL_SUCCEEDED(make_palette(sixel, &dither, picture, &exact)) &&
                SIXEL_SUCCEEDED(sixel->sixel_encode(exact ? picture->indices : picture->rgb, picture->width,
                                                    picture->height, exact ? 1 : RGB_BYTES, dither, output));

    sixel->sixel_dither_unref(dither);
    sixel->sixel_output_unref(output);
    return done;
}

bool sixel_show(FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba) {
    size_t count = (size_t)width * height;
    struct picture picture = {(int)width, (int)height, malloc(count * RGB_BYTES + 1), malloc(count + 1)};
    struct sixel sixel;
    bool done = false;

    for (size_t i = 0; picture.rgb && i < count; i++)
        for (size_t c = 0; c < RGB_BYTES; c++)
            picture.rgb[RGB_BYTES * i + c] = rgba[4 * i + c];
    if (picture.rgb && picture.indices && width <= INT_MAX && height <= INT_MAX && sixel_load(&sixel))
        done = encode(&sixel, file, &picture);
    free(picture.rgb);
    free(picture.indices);
    fputc('\n', file);
    return done;
}

#else

const char *sixel_missing(void) {
    return "this pfifo was built without libsixel";
}

bool sixel_show(FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba) {
    (void)file;
    (void)width;
    (void)height;
    (void)rgba;
    return false;
}

#endif
