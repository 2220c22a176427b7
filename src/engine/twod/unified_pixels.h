/* SPDX-License-Identifier: MIT */
/*
 * Pixels as the 2D engine takes them: formats of one component are luminance, A8 and AY8 intensity, as a source.
 *
 * Source: Mesa src/gallium/drivers/nouveau/nvc0/nvc0_surface.c (NV50_ENG2D_LUMINANCE_FORMATS, _INTENSITY_FORMATS, and
 * the factors that a blit from these takes out what they add).
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_UNIFIED_PIXELS_H
#define PFIFO_SRC_ENGINE_TWOD_UNIFIED_PIXELS_H

#include "engine/surface/format.h"

#define PIXELS_MAX_BYTES 16u

enum pixels_reading { PIXELS_PLAIN, PIXELS_LUMINANCE, PIXELS_INTENSITY };

struct pixels {
    const struct format *format;
    enum pixels_reading reading;
};

/* False: no such format. */
bool pixels_of(uint32_t code, struct pixels *pixels);

static inline unsigned pixels_bytes(const struct pixels *pixels) {
    return pixels->format->bytes;
}

/* Always floats, whatever the format's are. */
void pixels_unpack(const struct pixels *pixels, const void *pixel, union color *color);
void pixels_pack(const struct pixels *pixels, const union color *color, void *pixel);

/* From one format to another, decided once for many pixels. */
struct pixels_conversion {
    const struct pixels *from, *to;
    enum { CONVERT_COPY, CONVERT_MOVE_BITS, CONVERT_COLORS } how;
    unsigned pieces; /* MOVE_BITS: components */
    struct {
        uint32_t mask; /* before it is moved, at bit 0 */
        uint8_t from, to;
    } piece[4];
    uint32_t constant;
};

struct pixels_conversion pixels_conversion(const struct pixels *from, const struct pixels *to);
void pixels_convert(const struct pixels_conversion *conversion, const void *from, void *to, uint32_t count);

/* A pixel of up to 4 bytes as a number, and back. */
uint32_t pixels_load(const uint8_t *pixel, unsigned bytes);
void pixels_store(uint8_t *pixel, unsigned bytes, uint32_t value);

#endif
