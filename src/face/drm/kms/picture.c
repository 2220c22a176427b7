/* SPDX-License-Identifier: MIT */
/* What is on the screen, as an eye would see it: pixels read out of their layout, in R, G, B, A. */
#include <stdlib.h>
#include <string.h>

#include "face/drm/kms/kms.h"

/* Few bits to 8: all of them set is 255. */
static uint8_t picture_widen(uint32_t value, unsigned bits) {
    uint32_t most = (1u << bits) - 1;
    return (uint8_t)(((value & most) * 255 + most / 2) / most);
}

static void picture_convert(const struct kms_format *format, const uint8_t *line, uint8_t *rgba, uint32_t width) {
    for (uint32_t x = 0; x < width; x++) {
        uint32_t pixel = 0;
        memcpy(&pixel, line + (size_t)x * format->bytes, format->bytes);
        for (unsigned i = 0; i < 3; i++)
            rgba[4 * x + i] = picture_widen(pixel >> format->channel[i].shift, format->channel[i].bits);
        rgba[4 * x + 3] = 255;
    }
}

/* ---- the cursor ---- */

/* Its colours are multiplied by its alpha already, and linear in memory. */
static void picture_blend(uint8_t *rgba, uint32_t argb) {
    unsigned rest = 255 - (argb >> 24);
    for (unsigned i = 0; i < 3; i++) {
        unsigned value = (argb >> (16 - 8 * i) & 0xff) + (rgba[i] * rest + 127) / 255;
        rgba[i] = (uint8_t)(value < 255 ? value : 255);
    }
}

static void draw_cursor(const struct kms_cursor *cursor, struct drm_picture *picture) {
    const uint8_t *memory = cursor->buffer ? pfifo_buffer_map(cursor->buffer->memory, NULL) : NULL;
    if (!memory)
        return;
    for (uint32_t row = 0; row < cursor->height; row++)
        for (uint32_t column = 0; column < cursor->width; column++) {
            int64_t x = (int64_t)cursor->x + column, y = (int64_t)cursor->y + row;
            uint32_t argb;
            if (x < 0 || x >= picture->width || y < 0 || y >= picture->height)
                continue;
            memcpy(&argb, memory + ((size_t)row * cursor->width + column) * sizeof argb, sizeof argb);
            picture_blend(picture->rgba + ((size_t)y * picture->width + (size_t)x) * 4, argb);
        }
}

/* ---- all of it ---- */

static bool read_screen(const struct kms *kms, const struct kms_source *source, struct drm_picture *picture) {
    uint32_t left, top;
    if (!kms_view_origin(&kms->view, &kms->mode, &left, &top))
        return false;
    const struct kms_format *format = kms->screen->format;
    uint64_t bytes = (uint64_t)picture->width * format->bytes;
    uint8_t *line = malloc(bytes);
    for (uint32_t y = 0; line && y < picture->height; y++) {
        kms_source_line(source, (uint64_t)left * format->bytes, (uint64_t)top + y, line, bytes, false);
        picture_convert(format, line, picture->rgba + (size_t)y * picture->width * 4, picture->width);
    }
    free(line);
    return line != NULL;
}

bool drm_device_picture(struct drm_device *device, struct drm_picture *picture) {
    const struct kms *kms = device->kms;
    struct kms_source source;
    if (!kms_is_active(kms) || !kms->screen || kms_is_console(kms->screen) ||
        !kms_source_open(kms, kms->screen, &source))
        return false;
    *picture = (struct drm_picture){.width = kms->mode.hdisplay, .height = kms->mode.vdisplay};
    picture->rgba = malloc((size_t)picture->width * picture->height * 4);
    if (!picture->rgba || !read_screen(kms, &source, picture)) {
        free(picture->rgba);
        return false;
    }
    draw_cursor(&kms->cursor, picture);
    return true;
}
