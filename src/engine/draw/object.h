/* SPDX-License-Identifier: MIT */
/*
 * Draws of 3D objects of Fermi to Pascal: BEGIN, arrays, elements, inline indices, END.
 *
 *   methods_gf100.c   methods
 *   feed.c            vertices wait in a queue
 *   inline_vertices.c vertices whose attributes come as words
 *   pipeline.c        the stages that vertices go through, and what is prepared for a slice of a draw
 *   group.c           up to 32 vertices are a block, blocks are drawn together
 *   stage_*.c         fetch, programs of vertices, patches and primitives, feedback, clipping, raster, fragment program
 *   shading.c         what stages lend to the shader core: memory, textures, images (engine/lend)
 *   tally.c           what observers are told of a draw: from BEGIN to END
 *   state.h           what the methods say, in groups: decode*.c, when values.c says that something has changed
 *
 * A draw is done when its method is: arrays and elements with their count, inline indices with END (or when the queue
 * is full). Long ones come in slices (core/work.h).
 *
 * Modelled:     vertex, control, evaluation, geometry and fragment programs; images; transform feedback; all topologies;
 *               instances, base vertex, restart; counters.
 * Not modelled: geometry programs that pass vertices through.
 * UNKNOWN:      vertices of a draw outside of BEGIN and END; chosen: they are dropped.
 * UNKNOWN:      what becomes of a draw whose program has an error or does not end, if no trap handler is there; chosen:
 *               the rest of it is not drawn, and the channel goes on when the driver has acknowledged the error.
 * Sources:      NVIDIA open-gpu-doc classes/3d; envytools rnndb/graph/gf100_3d.xml; Mesa
 *               src/gallium/drivers/nouveau/nvc0/nvc0_vbo.c, nvc0_program.c.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_OBJECT_H
#define PFIFO_SRC_ENGINE_DRAW_OBJECT_H

#include "engine/core/action.h"
#include "engine/draw/feed.h"
#include "engine/draw/inline_vertices.h"
#include "engine/lend/sampling.h"
#include "engine/draw/tally.h"
#include "engine/draw/vertex.h"

#define DRAW_GROUPS 5u /* of constants and textures, that stages name */

struct draw_pipeline;
struct draw_state;

/* Of an object: what is saved, and what is derived. */
struct draw_object {
    bool drawing, allowed; /* between BEGIN and END; its condition was true */
    bool open_end;
    uint32_t instance, stipple;
    uint64_t long_steps;               /* of the draw so far: instructions of warps beyond DRAW_LONG */
    uint32_t inline_left, inline_skip; /* inline indices: of SETUP; UINT32_MAX: no limit */
    struct assembly assembly;
    uint32_t queued;
    struct feed_item queue[FEED_QUEUE];
    uint32_t constant[VERTEX_ATTRIBUTES][4]; /* attributes that are constant */
    struct shade_slots slots[DRAW_GROUPS];   /* Fermi: textures that are bound */
    struct inline_vertices *data;            /* inline vertices; NULL: there have been none */
    struct draw_tally tally;
    struct draw_pipeline *pipeline; /* NULL: nothing has been drawn */
    struct draw_state *shown;       /* for observers: as it was when a draw ended; NULL: not needed yet */
};

extern const struct private_state draw_object_part; /* of an object */
struct draw_object *draw_object_of(const struct call *call);
extern const struct action draw_gf100_actions[];

#endif
