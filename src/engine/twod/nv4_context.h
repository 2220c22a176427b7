/* SPDX-License-Identifier: MIT */
/*
 * Drawing objects before Tesla, and what they draw through.
 *
 *   context object                its methods set state of the channel (nv4_state.h)
 *   drawing object, 0x184 ..      instance of a context object, or of a NULL object (30)
 *      binding says that drawings of this object use that state; it does not copy it
 *
 * Modelled:     the class of what is bound is read from the instance when it is bound, as PGRAPH does; a class that
 *               does not belong there is refused (INVALID_OBJECT) and what was bound stays. Classes of NV1 take
 *               contexts of NV1 to NV3, others those of NV4. A drawing whose operation needs what is not bound, or a
 *               surface that is not complete, is refused (INVALID_STATE).
 *               NV4 has no methods for that: it takes from word 0 of the object what its driver has written there.
 * Not modelled: NV5's and later objects in RAMIN, patches; NV4's copies of its word 0. A channel's objects of one
 *               class share what PGRAPH keeps in each: format, operation, bindings.
 * Sources:      envytools docs/hw/graph/2d, hwtest/pgraph_mthd_grobj.cc, pgraph_class_*.cc; nouveau
 * nvkm/engine/gr/nv04.c.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_CONTEXT_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_CONTEXT_H

#include "engine/surface/access.h"
#include "engine/twod/nv4_state.h"

/* What may be bound. */
enum nv4_context {
    NV4_CLIP,
    NV4_CHROMA,
    NV4_PATTERN,
    NV4_ROP,
    NV4_BETA,
    NV4_BETA4,
    NV4_SURFACE, /* SURF2D, SWZSURF; SURF_DST of NV1's classes */
    NV4_SOURCE,  /* SURF_SRC of NV1's blit */
    NV4_CONTEXTS,
    NV4_NO_CONTEXT = NV4_CONTEXTS,
};

/* Words of a drawing object's kind: the class bound in each place; what a unit needs is after. */
enum { NV4_KEPT_OPERATION = NV4_CONTEXTS, NV4_KEPT_FORMAT, NV4_EXTRA };

/* A drawing class: which method binds what, 0 none. Argument of all its actions. */
struct nv4_slots {
    uint16_t bind[NV4_CONTEXTS];
    uint16_t operation; /* method of OPERATION */
    uint16_t format;    /* method of COLOR_FORMAT, 0: a blit has none */
    const struct nv4_format *(*formats)(uint32_t code);
    uint8_t last_format;      /* the last that exists, */
    uint8_t last_format_nv30; /* the same of a class of NV30 and later */
    bool is_old;              /* of NV1's classes */
    bool only_nv4;            /* draws to surfaces of NV4's classes only */
    bool swizzled;            /* may draw to a swizzled surface */
};

/* Actions of all drawing classes: bind methods, and what is refused at once. */
enum action_result nv4_bind(struct call *call);
enum action_result nv4_set_operation(struct call *call);
uint32_t nv4_valid_operation(struct object *object, const uint32_t *data, uint32_t count); /* absorb: 0 .. 5 */
uint32_t nv4_valid_old_operation(struct object *object, const uint32_t *data, uint32_t count);
enum action_result nv4_set_format(struct call *call);
uint32_t nv4_valid_format(struct object *object, const uint32_t *data, uint32_t count); /* absorb: what all have */

/* COLOR_CONVERSION: 0 dithers, 1 and 2 truncate. */
enum action_result nv4_set_conversion(struct call *call);

/* clang-format off */
#define NV4_CONVERSION_AT(at) {.method = (at), .type = ACTION_EFFECT, .run = nv4_set_conversion}

/* Pattern, raster operation and factor stand in one order everywhere; newer classes have BETA4 and SURF2D after them. */
#define NV4_RASTER_FROM(at) [NV4_PATTERN] = (at), [NV4_ROP] = (at) + 4, [NV4_BETA] = (at) + 8
#define NV4_DRAWS_FROM(at)  NV4_RASTER_FROM(at), [NV4_BETA4] = (at) + 12, [NV4_SURFACE] = (at) + 16

/* An own clip rectangle by its corner and its size; the size is after. */
#define NV4_OWN_CLIP_AT(at)                                                                                            \
    {.method = (at), .type = ACTION_INSIDE, .run = nv4_own_clip_corner},                                               \
    {.method = (at) + 4, .type = ACTION_INSIDE, .run = nv4_own_clip_size}

#define NV4_BINDS(first, number, slots)                                                                                \
    {.method = (first), .count = (number), .type = ACTION_EFFECT, .run = nv4_bind, .argument = &(slots)}
#define NV4_OPERATION_AT(at)                                                                                           \
    {.method = (at), .type = ACTION_EFFECT, .run = nv4_set_operation, .absorb = nv4_valid_operation}
#define NV4_OLD_OPERATION_AT(at)                                                                                       \
    {.method = (at), .type = ACTION_EFFECT, .run = nv4_set_operation, .absorb = nv4_valid_old_operation}
#define NV4_FORMAT_AT(at, slots)                                                                                       \
    {.method = (at), .type = ACTION_EFFECT, .run = nv4_set_format, .absorb = nv4_valid_format, .argument = &(slots)}
/* clang-format on */

/* The class of what is bound, 0: nothing. */
uint32_t nv4_bound(const struct call *call, const struct nv4_slots *slots, enum nv4_context context);

/*
 * All that a drawing of this object needs. False: it cannot be; it has been refused. Drawings in slices open it for
 * each slice.
 */
bool nv4_draw_open(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw);

/*
 * The format of the object's colours. NULL: none is set, and the method has been refused; or it is one that nobody has
 * named, and the method says that it is not executed.
 */
const struct nv4_format *nv4_source_format(const struct call *call, const struct nv4_slots *slots);

/* A row function returned false: report the fault, which ends the drawing. Always ACTION_DONE. */
enum action_result nv4_draw_fault(const struct call *call, const struct nv4_draw *draw);

/* What drawings of one colour have in common: a box in slices, then engine.done. */
enum action_result nv4_fill_box(const struct call *call, struct nv4_draw *draw, struct nv4_box box, uint32_t color);

/* A box from its corner and its size, which has no sign. */
static inline struct nv4_box nv4_box_at(int32_t x, int32_t y, uint32_t width, uint32_t height) {
    return (struct nv4_box){x, y, x + (int32_t)width, y + (int32_t)height};
}

/* A box from a method with its point and one with its size, as (x, y), (w, h). */
static inline struct nv4_box nv4_box_of(uint32_t point, uint32_t size) {
    return nv4_box_at(nv4_low(point), nv4_high(point), size & 0xffff, size >> 16);
}

/* What observers are told of the pixels of a box that a drawing has written; clipped ones are not. */
void nv4_draw_tell(const struct call *call, const char *what, const struct nv4_draw *draw, struct nv4_box box);

/* What the clip rectangle of a drawing is, besides: an object's own one. */
static inline void nv4_draw_clip(struct nv4_draw *draw, struct nv4_box box) {
    draw->clip = nv4_clipped(draw, box);
}

#endif
