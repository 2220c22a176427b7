/* SPDX-License-Identifier: MIT */
/*
 * Clears, slowly: sample after sample, bit after bit, by what the documents say. Shares no code with the model.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; envytools rnndb/g80_defs.xml, docs/hw/memory/g80-surface.rst.
 */
#ifndef PFIFO_TESTS_REFERENCE_CLEAR_H
#define PFIFO_TESTS_REFERENCE_CLEAR_H

#include "reference/surface.h"

enum reference_type {
    REFERENCE_UNORM,
    REFERENCE_SNORM,
    REFERENCE_UINT,
    REFERENCE_SINT,
    REFERENCE_FLOAT,
    REFERENCE_SRGB
};

/* Components from bit 0 up, with their sizes: "B5G6R5"; D depth, S stencil, X nothing, O nothing but written as ones.
 */
struct reference_format {
    uint32_t code;
    const char *components;
    enum reference_type type;
};

extern const struct reference_format reference_colors[], reference_zetas[]; /* up to code 0 */

struct reference_box {
    bool used;
    int64_t x0, y0, x1, y1; /* pixels; the ends are outside */
};

struct reference_clear {
    const struct reference_format *format;
    struct layout layout;
    uint64_t address;
    uint64_t layer_bytes; /* of those before it */
    uint64_t z;
    int64_t width, height; /* samples */
    int64_t across, down;  /* samples of a pixel */
    struct reference_box box[4];
    int windows; /* 0: none; 1: inside any, 2: outside all, 3: nowhere */
    struct reference_box window[8];
    bool srgb;           /* SET_SRGB_WRITE: of no effect */
    const char *written; /* components: "RGBA", "D" */
    uint32_t value[4];   /* R, G, B, A; or depth, stencil */
    uint32_t stencil_mask;
};

unsigned reference_pixel_bytes(const struct reference_format *format);

/* A whole pixel of these values, bits of no component included. */
void reference_pixel(const struct reference_format *format, const uint32_t value[4], uint8_t *pixel);

/* Clear in `memory`, which is what addresses from 0 on hold. False: something would be outside of it. */
bool reference_clear(const struct reference_clear *clear, uint8_t *memory, uint64_t bytes);

#endif
