/* SPDX-License-Identifier: MIT */
/*
 * A block: vertices, as many as a warp has lanes, and primitives of them. It is what stages pass on. Shaded vertices
 * are complete in their block: no primitive has corners in two.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_VERTEX_BLOCK_H
#define PFIFO_SRC_ENGINE_DRAW_VERTEX_BLOCK_H

#include "engine/draw/assembly.h"
#include "engine/draw/draw.h"
#include "engine/shade/warp.h"

#define BLOCK_PRIMITIVES 40u /* that a block takes from a feed */
#define BLOCK_CORNERS    (3 * (BLOCK_PRIMITIVES + ASSEMBLY_MOST))

struct draw_object;

/* A point, line or triangle; or a patch. */
struct block_primitive {
    uint32_t id;
    uint16_t first;  /* of its corners in the block's list */
    uint8_t corners; /* how many */
    uint8_t edges;   /* as struct assembled has it */
    uint8_t provoking;
    bool restart, counts;
};

struct vertex_block {
    /* Where it comes from. */
    uint32_t taken;        /* items of the queue */
    struct assembly after; /* what is held then */

    unsigned lanes;
    struct assembly_vertex lane[SHADE_LANES];
    unsigned primitives, corners;
    struct block_primitive primitive[BLOCK_PRIMITIVES + ASSEMBLY_MOST];
    uint8_t corner[BLOCK_CORNERS]; /* lanes */

    /* Of shaded vertices: */
    shade_row position[4], layer, viewport; /* as the program wrote them */
    struct draw_vertex vertex[SHADE_LANES];
};

/* Take vertices from item `first` of the queue on, with those before them that the assembly holds. */
void vertex_block_take(struct vertex_block *block, const struct draw_object *object, const struct assembly *before,
                       uint32_t first);

#endif
