/* SPDX-License-Identifier: MIT */
/*
 * The 2D object of Tesla (502d) and of everything since (902d). Three ways to draw share surfaces and operations:
 *
 *   solid   points, lines, triangles, rectangles of one colour   0x580-0x7fc, drawn by their last vertex
 *   upload  pixels from the CPU ("SIFC"), scaled                 0x800-0x860, drawn as they come
 *   blit    pixels from memory, scaled and filtered              0x880-0x8dc, drawn by the last method
 *
 *   --> pixels in a source's format --> operation: convert, key, ROP or blend, clip --> destination surface
 *
 * Modelled:     all formats of the headers but Y1_8X8, all layouts, all operations, patterns, colour keys, clipping,
 *               conditions, order of overlapping blits.
 * Not modelled: the cache and traversal hints; the endianness of the channel (0x870 acts with its OVERRIDE only).
 *               Invalid values are refused when they are used; hardware refuses many of them when they come.
 *               The pixels of an upload are drawn when KEPT_WORDS words or all have come. So the last pixels of an
 *               upload that is never finished are not drawn.
 * Sources:      NVIDIA open-gpu-doc classes/twod/cl502d.h, cl902d.h; envytools rnndb/graph/g80_2d.xml,
 *               docs/hw/graph/2d; Mesa src/gallium/drivers/nouveau/nv50/nv50_surface.c, nv50_transfer.c,
 *               nvc0/nvc0_surface.c; nouveau nvkm/engine/gr/ctxnv50.c, ctxgf100.c (values of a new context),
 *               nv50_fbcon.c; deko3d source/maxwell/gpu_transfer.cpp.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_UNIFIED_H
#define PFIFO_SRC_ENGINE_TWOD_UNIFIED_H

#include <assert.h>

#include "engine/core/action.h"
#include "engine/surface/surface.h"
#include "engine/twod/unified_pixels.h"
#include "methods/g80_2d.h"
#include "methods/gf100_2d.h"

#define UNIFIED_MAX_SIZE 0x10000u /* of a surface, in pixels */

/* Method offsets. */
enum {
    UNIFIED_DMA_DST = G80_2D_DMA_DST,
    UNIFIED_DMA_SRC = G80_2D_DMA_SRC,
    UNIFIED_DMA_CONDITION = G80_2D_DMA_COND,
    UNIFIED_DST = GF100_2D_SET_DST_FORMAT, /* the first of a surface's */
    UNIFIED_SRC = GF100_2D_SET_SRC_FORMAT,
    UNIFIED_INDEX_WRAP = G80_2D_SET_PIXELS_FROM_CPU_INDEX_WRAP,
    UNIFIED_CLIP_X = GF100_2D_SET_CLIP_X0,
    UNIFIED_CLIP_Y = GF100_2D_SET_CLIP_Y0,
    UNIFIED_CLIP_WIDTH = GF100_2D_SET_CLIP_WIDTH,
    UNIFIED_CLIP_HEIGHT = GF100_2D_SET_CLIP_HEIGHT,
    UNIFIED_CLIP_ENABLE = GF100_2D_SET_CLIP_ENABLE,
};

/* What differs between the classes. */
struct unified_class {
    bool has_dma;          /* addresses are in DMA objects */
    bool has_source_layer; /* of a source; otherwise the method is another one */
    bool has_block_width;
    bool has_index_wrap;
    bool has_direction;   /* of blits: the program may choose it */
    bool has_byte_expand; /* a format of patterns */
    uint32_t pitch_align;
    uint64_t formats;    /* of surfaces, bit n: 0xc0 + n */
    uint64_t solids;     /* of COLOR, the same */
    uint64_t uploads;    /* the same */
    uint64_t operations; /* destinations of anything but SRCCOPY, the same */
};

static inline const struct unified_class *unified_class(const struct call *call) {
    return call->action->argument;
}

/* Private state of the kinds: words. */
enum {
    UNIFIED_POINTS,                       /* vertices that wait for more */
    UNIFIED_POINT,                        /* x, y of two */
    UNIFIED_UPLOADED = UNIFIED_POINT + 4, /* words that an upload has used, lower half first */
    UNIFIED_DRAWN = UNIFIED_UPLOADED + 2, /* bytes that a draw has written, the same */
    UNIFIED_PATTERN = UNIFIED_DRAWN + 2,  /* X8R8G8B8 of 8 by 8 pixels */
    UNIFIED_EXTRA_WORDS = UNIFIED_PATTERN + 64,
};

static inline uint32_t *unified_extra(const struct call *call) {
    return object_private(call->object);
}

static inline uint64_t unified_extra64(const struct call *call, unsigned word) {
    assert(word + 1 < UNIFIED_EXTRA_WORDS);
    return unified_extra(call)[word] | (uint64_t)unified_extra(call)[word + 1] << 32;
}

static inline void unified_set_extra64(const struct call *call, unsigned word, uint64_t value) {
    unified_extra(call)[word] = (uint32_t)value;
    unified_extra(call)[word + 1] = (uint32_t)(value >> 32);
}

struct unified_surface {
    struct surface surface;
    struct pixels pixels;
    uint32_t width, height;
    uint32_t layer;
    enum unit_use use;
};

/* The surface that the methods at `base` describe. False: it was refused, or reported as not executed. */
bool unified_surface(const struct call *call, uint32_t base, struct unified_surface *surface);

/*
 * Rows of pixels; x, y and what follows are within the surface. False: a fault, which has been raised.
 * What is written counts as drawn.
 */
bool unified_read(const struct call *call, const struct unified_surface *surface, uint32_t x, uint32_t y, void *pixels,
                  uint32_t count);
bool unified_write(const struct call *call, const struct unified_surface *surface, uint32_t x, uint32_t y,
                   const void *pixels, uint32_t count);
bool unified_fill(const struct call *call, const struct unified_surface *surface, uint32_t x, uint32_t y,
                  const void *pixel, uint32_t count, uint32_t rows);

/* Copy rows as surface_copy_lines() does; x of the points in pixels. Both surfaces have pixels of the same size. */
uint64_t unified_copy(const struct call *call, const struct unified_surface *to, struct surface_point to_point,
                      const struct unified_surface *from, struct surface_point from_point, uint64_t count,
                      uint64_t rows, bool upwards);

/* Pixels of a surface. */
struct unified_area {
    uint32_t x, y, width, height;
};

/* A draw is over: send what it wrote and engine.done, and count from 0 again. */
void unified_done(const struct call *call, const char *what, const struct unified_surface *surface,
                  const struct unified_area *area);
/* It has read these pixels of a surface. */
void unified_has_read(const struct call *call, const char *what, const struct unified_surface *surface,
                      const struct unified_area *area);

/* A draw ends at a fault. Always ACTION_DONE. */
enum action_result unified_stopped(const struct call *call);

/* Whether the program's conditions let a draw happen. */
bool unified_allowed(const struct call *call);

extern const struct action unified_tesla_solid_actions[], unified_fermi_solid_actions[];
extern const struct action unified_tesla_upload_actions[], unified_fermi_upload_actions[];
extern const struct action unified_tesla_blit_actions[], unified_fermi_blit_actions[];
extern const struct action unified_pattern_actions[];
extern const struct unified_class unified_tesla, unified_fermi;

#endif
