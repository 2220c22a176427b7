/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's state of the 2D objects before Tesla: what their context objects set, one for a channel.
 *
 *   CLIP 19, ROP 43, BETA 12, BETA4 72   here
 *   CHROMA 17 57, PATTERN 18 44          nv4_pattern.h
 *   surfaces                             nv4_surface.h
 *
 * The older and the newer class of a context object write the same registers, so each finds what the other has set. The
 * state does not depend on which objects exist. Only formats, operations and bindings belong to objects.
 *
 * Own clip rectangle: that of GDI, SIFC, SIFM and TEXTURE objects, one for all of them.
 *
 * The own clip rectangle is volatile: engine_leave_subchannel() resets it, but not on NV4, which keeps it.
 *
 * UNKNOWN: whether G80, which does these objects with its 2D object, has one own clip rectangle, too; chosen: it has.
 * Sources: envytools hwtest/pgraph_class_ctx.cc, pgraph_class_clip.cc, nvhw/pgraph_xy4.c.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_STATE_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_STATE_H

#include "engine/core/action.h"
#include "engine/core/error.h"
#include "engine/twod/nv4_draw.h"

#define NULL_CLASS 0x30u /* NULL object: nothing is bound */

/* Words of a clip rectangle: corners. */
enum { NV4_LEFT, NV4_TOP, NV4_RIGHT, NV4_BOTTOM, NV4_CLIP_WORDS };

/* Words of a surface; all but the first four are G80's. */
enum {
    NV4_SURFACE_DMA,
    NV4_SURFACE_FORMAT, /* as of SURF2D, 0: none */
    NV4_SURFACE_PITCH,  /* 0: none that is valid */
    NV4_SURFACE_OFFSET,
    NV4_SURFACE_OFFSET_HIGH,
    NV4_SURFACE_IN_BLOCKS,
    NV4_SURFACE_BLOCK,
    NV4_SURFACE_WIDTH,
    NV4_SURFACE_HEIGHT,
    NV4_SURFACE_WORDS,
};

/* State that the objects of a channel share: words. */
enum {
    NV4_STATE_CLIP,
    NV4_STATE_OWN_CLIP = NV4_STATE_CLIP + NV4_CLIP_WORDS,
    NV4_STATE_CLIP_CORNER = NV4_STATE_OWN_CLIP + NV4_CLIP_WORDS, /* x, y that came last for either */
    NV4_STATE_ROP = NV4_STATE_CLIP_CORNER + 2,
    NV4_STATE_BETA,
    NV4_STATE_BETA4,
    NV4_STATE_KEY, /* colour, */
    NV4_STATE_KEY_FORMAT,
    NV4_STATE_KEY_EXPANDED,                     /* it is A8R8G8B8, whatever the format */
    NV4_STATE_BITS,                             /* two, of a pattern, first pixel lowest */
    NV4_STATE_COLORS = NV4_STATE_BITS + 2,      /* two, as they came, */
    NV4_STATE_FORMATS = NV4_STATE_COLORS + 2,   /* the format of each, */
    NV4_STATE_EXPANDED = NV4_STATE_FORMATS + 2, /* or A8R8G8B8 */
    NV4_STATE_SHAPE = NV4_STATE_EXPANDED + 2,
    NV4_STATE_SELECT,
    NV4_STATE_PIXELS,                                             /* 64, R8G8B8 */
    NV4_STATE_DESTINATION = NV4_STATE_PIXELS + 64,                /* the first four words were of NV3's SURF_DST, */
    NV4_STATE_SOURCE = NV4_STATE_DESTINATION + NV4_SURFACE_WORDS, /* and of its SURF_SRC */
    NV4_STATE_SWIZZLED_DMA = NV4_STATE_SOURCE + NV4_SURFACE_WORDS,
    NV4_STATE_SWIZZLED_FORMAT, /* with the sizes; 0: none that is valid */
    NV4_STATE_SWIZZLED_OFFSET,
    NV4_STATE_WORDS,
};

extern const struct private_state nv4_state_shared;

/* Another subchannel is used: no own clip rectangle. */
void nv4_state_leave(const struct engine *engine, struct channel_state *channel);

/* Whether the channel has one. */
bool nv4_state_has_own_clip(const struct engine *engine, const struct channel_state *channel);

/* The state of the channel. */
uint32_t *nv4_state(const struct call *call);

/* NV4_STATE_CLIP or NV4_STATE_OWN_CLIP. */
struct nv4_box nv4_clip_box(const uint32_t *state, unsigned clip);

/* Actions of drawing classes: their own clip rectangle, by corners and sizes; one axis of TEXTURE's. */
enum action_result nv4_own_clip_corner(struct call *call);
enum action_result nv4_own_clip_size(struct call *call);
enum action_result nv4_own_clip_across(struct call *call);
enum action_result nv4_own_clip_down(struct call *call);

/* x in the lower and y in the upper half, with signs. */
static inline int32_t nv4_low(uint32_t word) {
    return (int32_t)(word & 0xffff) - (int32_t)((word & 0x8000) << 1);
}

static inline int32_t nv4_high(uint32_t word) {
    return nv4_low(word >> 16);
}

static inline enum action_result nv4_refuse_unless(const struct call *call, bool valid) {
    return valid ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

/*
 * Formats and operations belong to the object. If a value is refused, the one before stays: `word` of the private state
 * keeps it, since the new value has already been stored.
 */
enum action_result nv4_keep_unless_valid(const struct call *call, unsigned word, bool valid);

/* clang-format off */
/* Kinds of one group of rows, with so many words of private state; those of NV4_STREAM_KIND() take words, too. */
#define NV4_KIND(kind_name, text, words, rows)                                                                         \
    const struct kind kind_name = {                                                                                    \
        .name = (text), .role = ROLE_NONE, .private = {.bytes = 4 * (words)}, .groups = {notify_nv4_actions, (rows)}}
/* clang-format on */

#endif
