/* SPDX-License-Identifier: MIT */
/*
 * Formats of pixels: colour formats of render targets and of the 2D engine (Tesla and later), and depth formats.
 *
 * Sources: envytools rnndb/g80_defs.xml; NVIDIA open-gpu-doc classes/3d/cl9097.h (SET_COLOR_TARGET_FORMAT,
 * SET_ZT_FORMAT), classes/twod/cl902d.h; Mesa src/gallium/drivers/nouveau/nv50/nv50_formats.c.
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_FORMAT_H
#define PFIFO_SRC_ENGINE_SURFACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum format_type { FORMAT_UNORM, FORMAT_SNORM, FORMAT_UINT, FORMAT_SINT, FORMAT_FLOAT, FORMAT_SRGB };

/* A component's bits in the pixel, which is little endian; bits 0: not there. */
struct format_component {
    uint8_t shift, bits;
};

struct format {
    uint8_t code;
    uint8_t bytes; /* of a pixel: 1, 2, 4, 8, 16 */
    enum format_type type;
    struct format_component component[4]; /* R, G, B, A; depth formats: depth, stencil */
    bool x_is_one;                        /* bits that no component has are written as ones, not zeros */
    bool is_zeta;                         /* a depth format */
    const char *name;                     /* "BGRA8_UNORM" */
};

/*
 * A pixel's value: floats, or integers for UINT and SINT. Components that the format lacks are 0, 0, 0, 1.
 * Of depth formats: depth is f[0], stencil u[1].
 */
union color {
    float f[4];
    uint32_t u[4];
    int32_t i[4];
};

/* NULL: there is no such format. */
const struct format *format_color(uint32_t code);
const struct format *format_zeta(uint32_t code);

/* Whether values are integers (union color .u or .i), not floats. */
static inline bool format_is_integer(const struct format *format) {
    return format->type == FORMAT_UINT || format->type == FORMAT_SINT;
}

/*
 * From and to memory. Normalised values are rounded to nearest, clamped to what fits, NaN to 0; the value v of n bits
 * of unorm is v / (2^n - 1) as a float. Integers are clamped, too. Floats are rounded to nearest even; those of 10 and
 * 11 bits have no sign: less than 0 is 0. sRGB formats convert R, G and B.
 * UNKNOWN: bits of no component that are neither "Z" nor "O" by name; chosen: zeros.
 */
void format_unpack(const struct format *format, const void *pixel, union color *color);
void format_pack(const struct format *format, const union color *color, void *pixel);

/* One component alone: `bits` of a float (32, 16, 11, 10), or of a normalised integer, as above. */
float format_float(uint32_t value, unsigned bits);
float format_unorm(uint32_t value, unsigned bits);
float format_snorm(uint32_t value, unsigned bits);
/* What an sRGB value from 0 to 1 stands for. */
float format_linear(float value);

/* The bits of a pixel that components `mask` (bit 0 R .. bit 3 A) have, as format_pack() lays them out. */
void format_mask(const struct format *format, unsigned mask, uint8_t bits[16]);

#endif
