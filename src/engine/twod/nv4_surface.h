/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of the 2D objects before Tesla.
 *
 *   SURF2D  42, 62 ..      source and destination in lines; one format
 *   SWZSURF 52, 9e ..      a destination in Morton order
 *   SURF_DST 58, SURF_SRC 59   one each, of NV3's classes
 *
 * Modelled:     formats, and what is refused: formats and pitches, alignments of pitches and offsets.
 * Not modelled: SURF_COLOR and SURF_ZETA (5a, 5b), which are for 3D. Formats 12 to 14, which nobody has named: drawings
 *               to them are refused. Blocks of G80 (5062): drawings say that they are not executed.
 * UNKNOWN:      the bits "X" of X8R8G8B8 and its like; chosen: always written, as zeros in the formats called Z and as
 *               ones in those called O.
 * UNKNOWN:      what lies outside a swizzled surface; chosen: it is clipped.
 * Sources:      envytools hwtest/pgraph_class_surf.cc; NVIDIA open-gpu-doc classes/twod/cl0042.h.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_SURFACE_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_SURFACE_H

#include "engine/action.h"
#include "engine/surface/surface.h"
#include "engine/twod/nv4_pixel.h"

struct nv4_surface {
    struct surface surface;
    const struct nv4_format *format;
    int32_t width, height; /* of a swizzled one, otherwise as far as coordinates go */
};

/* From the state of a surface's class (NULL: nothing). False: it is not complete. */
bool nv4_surface_destination(const struct call *call, const struct object *state, struct nv4_surface *out);
bool nv4_surface_source(const struct call *call, const struct object *state, struct nv4_surface *out);

/* Source or destination are in blocks. */
bool nv4_surface_in_blocks(const struct object *state);

bool nv4_surface_is_swizzled(uint32_t object_class);

#endif
