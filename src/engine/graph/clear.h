/* SPDX-License-Identifier: MIT */
/*
 * Clears of render targets. The method of each family says what is cleared (curie_clear.c, tesla_clear.c,
 * fermi_clear.c); it is carried out here, row by row, in slices.
 *
 *   area of a target = its size AND the clear's boxes, of which one pixel is 2^log2_x x 2^log2_y samples
 *
 * Modelled:     colour and depth targets in every layout; components one by one; layers; samples; window clip
 *               rectangles; depth and stencil apart, stencil through a mask; clears of clip ids (Fermi and later).
 * Not modelled: the test of clip ids: no document says what its extents do, and a clear while it is on says that it is
 *               not executed. Compression and zcull, which have no visible effect.
 * UNKNOWN: whether a window origin at the bottom turns the boxes of a clear; chosen: it does not.
 */
#ifndef PFIFO_SRC_ENGINE_GRAPH_CLEAR_H
#define PFIFO_SRC_ENGINE_GRAPH_CLEAR_H

#include "engine/core/action.h"
#include "engine/surface/format.h"
#include "engine/surface/surface.h"
#include "methods/gf100_3d.h"
#include "unit/graph/graph.h"

#define CLEAR_MAX_SURFACES 5u
#define CLEAR_MAX_WINDOWS  8u

/* Columns [x0, x1) of lines [y0, y1). */
struct clear_box {
    uint32_t x0, y0, x1, y1;
};

struct clear_surface {
    struct surface surface;
    const struct format *format; /* a constant; NULL: no observer is told of it */
    uint8_t number;              /* in pfifo_draw.target */
    struct clear_box size;       /* of the surface, in samples */
    uint64_t z;
    struct clear_box area;       /* in samples */
    uint8_t bytes;               /* of a pixel */
    uint8_t value[16], mask[16]; /* repeated to 16 bytes; the bits of a pixel that are written */
    bool whole;                  /* all of them */
    enum unit_use use;
    struct layout layout; /* clear_add(): the surface's, as it was given */
};

struct clear {
    struct clear_box area; /* in pixels */
    unsigned log2_x, log2_y;
    struct {
        bool enabled, outside; /* outside: clear outside all boxes, else inside any of them */
        unsigned count;
        struct clear_box box[CLEAR_MAX_WINDOWS];
    } window;
    unsigned surfaces;
    struct clear_surface surface[CLEAR_MAX_SURFACES];
};

/* A render target of Tesla and later, as its methods describe it. */
struct clear_target {
    struct address_space space;
    uint64_t address;
    uint32_t format; /* code */
    bool pitch;      /* else blocks; then `width` is the pitch */
    uint32_t width, height;
    uint32_t block;        /* log2: [3:0] width, [7:4] height, [11:8] depth */
    bool is_3d;            /* `layers` are slices of one surface */
    uint32_t layers;       /* 0 counts as 1 */
    uint64_t layer_stride; /* bytes */
    uint32_t layer;
    enum gob_order order;
};

/* Boxes as methods have them: [15:0] first and [31:16] size, or [15:0] first and [31:16] end. */
struct clear_box clear_box_of_size(uint32_t horizontal, uint32_t vertical);
struct clear_box clear_box_of_bounds(uint32_t horizontal, uint32_t vertical);
/* The same, where the last one belongs to it. */
struct clear_box clear_box_of_last(uint32_t horizontal, uint32_t vertical);
void clear_box_and(struct clear_box *box, struct clear_box other);

/*
 * Add a surface of which `whole` says whether all bits are written, else those of `mask`. It is cut to `area`, in
 * samples, and to the clear's area, which must be known by now.
 */
void clear_add(struct clear *clear, const struct clear_surface *surface);

/* Do it, or a slice of it; what the method answers. */
enum action_result clear_execute(const struct call *call, const struct clear *clear);

/* ---- Tesla and later, whose methods are alike (clear_target.c) ---- */

/* Depth in a new context, as nouveau's contexts have it: struct method_reset. */
#define CLEAR_ZETA_RESETS                                                                                              \
    {GF100_3D_SET_ZT_FORMAT, GF100_3D_SET_ZT_FORMAT_V_Z24S8}, {GF100_3D_SET_ZT_BLOCK_SIZE, 0x40},                      \
        {GF100_3D_SET_ZT_SIZE_A, 0x400}, {GF100_3D_SET_ZT_SIZE_B, 0x300}, {GF100_3D_SET_ZT_SIZE_C, 0x10001}, {         \
        GF100_3D_SET_ZT_SELECT, 1                                                                                      \
    }

struct clear_family {
    bool (*allowed)(const struct call *call);
    void (*set_area)(const struct call *call, struct clear *clear); /* samples and windows are alike */
    struct clear_target (*color_target)(const struct call *call, unsigned number);
    struct clear_target (*zeta_target)(const struct call *call);
    uint16_t control;      /* method of which bit 0 says that stencil goes through its mask */
    uint16_t stencil_mask; /* method */
};

/* Add a surface of clip ids, of which one is a byte. */
void clear_add_ids(struct clear *clear, const struct clear_target *target, uint8_t id);

/* CLEAR_BUFFERS of Tesla, CLEAR_SURFACE of Fermi; struct action.argument is the family. */
enum action_result clear_targets(struct call *call);

#endif
