/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of the 2D objects before Tesla.
 *
 *   SURF2D  42, 62 ..      source and destination in lines; one format
 *   SWZSURF 52, 9e ..      a destination in Morton order
 *   SURF_DST 58, SURF_SRC 59   one each, of NV3's classes: the same registers as SURF2D's
 *   SURF2D 5062            G80: either may be in blocks, with a size, and have an address of 40 bits
 *
 * Modelled:     formats, layouts, and what is refused: formats and pitches, alignments of pitches and offsets. A
 *               surface in blocks is clipped to its size.
 * Not modelled: SURF_COLOR and SURF_ZETA (5a, 5b), which are for 3D. The formats of NV30 and later that nobody has
 *               named: drawings to them say that they are not executed. Which DMA objects a surface may have.
 * UNKNOWN:      the bits "X" of X8R8G8B8 and its like; chosen: always written, as zeros in the formats called Z and as
 *               ones in those called O.
 * UNKNOWN:      what lies outside a swizzled surface; chosen: it is clipped.
 * Sources:      envytools hwtest/pgraph_class_surf.cc, rnndb/graph/nv1_ctxobj.xml (5062); NVIDIA open-gpu-doc
 *               classes/twod/cl0042.h.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_SURFACE_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_SURFACE_H

#include "engine/surface/surface.h"
#include "engine/twod/nv4_state.h"

struct nv4_surface {
    struct surface surface;
    const struct nv4_format *format;
    int32_t width, height; /* of a swizzled one or one in blocks, otherwise as far as coordinates go */
};

/* As the channel's state says. False: it is not complete. */
bool nv4_surface_destination(const struct call *call, bool swizzled, struct nv4_surface *out);
bool nv4_surface_source(const struct call *call, struct nv4_surface *out);

/* A format that exists, but whose pixels are not known. */
bool nv4_surface_is_unnamed(const struct call *call, bool swizzled);

bool nv4_surface_is_swizzled(uint32_t object_class);

/* A layout in blocks of gobs, the log2 of whose sizes stand in `block`, of G80's classes. False: there is none such. */
bool nv4_surface_blocks(const struct call *call, uint32_t block, uint64_t width_bytes, uint32_t height,
                        struct layout *layout);

#endif
