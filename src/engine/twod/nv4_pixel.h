/* SPDX-License-Identifier: MIT */
/*
 * Pixels of the 2D objects before Tesla.
 *
 * Between a source and the destination a pixel is A8R8G8B8, or, where the destination is an index (Y8, Y16, Y32), its
 * bits as they are: there, whatever format the source says, its pixels are of the destination's. [envytools
 * nvhw/pgraph_xy4.c, nv04_pgraph_formats]
 *
 * Modelled:     formats of surfaces, of solid colours, of images, of context objects; expansion by replication,
 *               conversion down by truncation.
 * Not modelled: dithering (COLOR_CONVERSION): UNKNOWN: the matrix of it; chosen: all conversions truncate.
 * Sources:      envytools rnndb/graph/nv1_ifc.xml, nv1_ifm.xml, nv1_solid.xml, hwtest/pgraph_class_solid.cc; NVIDIA
 *               open-gpu-doc classes/twod/cl0042.h, cl004a.h, cl0065.h, cl0077.h.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_PIXEL_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_PIXEL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* What pixels mean. */
enum nv4_meaning {
    NV4_COLOR,
    NV4_INDEX,  /* a destination's pixels without components */
    NV4_GRAY,   /* red, green and blue are one component: that of red here */
    NV4_PACKED, /* two pixels share their chroma: YUY2, UYVY */
};

struct nv4_component {
    uint8_t shift, bits;
};

struct nv4_format {
    uint8_t bytes; /* of a pixel */
    enum nv4_meaning meaning;
    struct nv4_component red, green, blue, alpha; /* alpha without bits: all is opaque */
    uint32_t ones;                                /* bits of no component that are written as ones; others as zeros */
};

/* Formats by the number that a method gives them. NULL: there is no such format, or nobody knows what it is. */
const struct nv4_format *nv4_surface_format(uint32_t code);   /* SURF2D, SWZSURF */
const struct nv4_format *nv4_solid_format(uint32_t code);     /* RECT, LIN, TRI, GDI */
const struct nv4_format *nv4_old_solid_format(uint32_t code); /* the same of NV1's classes */
const struct nv4_format *nv4_image_format(uint32_t code);     /* IFC, INDEX, SIFC, TEXTURE */
const struct nv4_format *nv4_old_image_format(uint32_t code); /* the same of NV1's classes */
const struct nv4_format *nv4_scaled_format(uint32_t code);    /* SIFM */
const struct nv4_format *nv4_context_format(uint32_t code);   /* PATTERN, CHROMA */

/* A pixel of a source to A8R8G8B8. Not of NV4_INDEX or NV4_PACKED formats. */
uint32_t nv4_unpack(const struct nv4_format *format, uint32_t pixel);

/* A8R8G8B8 to a pixel of a destination; an index keeps as many bits as it has. */
uint32_t nv4_pack(const struct nv4_format *format, uint32_t color);

/* The bits of a destination's pixel that mean something. */
uint32_t nv4_format_mask(const struct nv4_format *format);

/* A pixel of a source as it goes to a destination. */
static inline uint32_t nv4_convert(const struct nv4_format *to, const struct nv4_format *from, uint32_t pixel) {
    return to->meaning == NV4_INDEX ? pixel & nv4_format_mask(to) : nv4_unpack(from, pixel);
}

/* Two pixels of a packed format (5 YUY2, 6 UYVY): which = 0 or 1. */
uint32_t nv4_unpack_pair(const struct nv4_format *format, uint32_t pair, unsigned which);

/* Pixel `at` of pixels of `bytes` each, little endian. */
static inline uint32_t nv4_load(const uint8_t *pixels, unsigned bytes, uint64_t at) {
    const uint8_t *p = pixels + at * bytes;
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    switch (bytes) {
    case 1:
        return p[0];
    case 2:
        return (uint32_t)p[0] | (uint32_t)p[1] << 8;
    default:
        return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
}

static inline void nv4_store(uint8_t *pixels, unsigned bytes, uint64_t at, uint32_t pixel) {
    uint8_t *p = pixels + at * bytes;
    assert(bytes <= 4);
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(pixel >> 8 * i);
}

#endif
