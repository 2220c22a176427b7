/* SPDX-License-Identifier: MIT */
/*
 * A block: vertices that a warp has shaded, and the primitives that they end. Several are drawn together, as a group.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_VERTEX_BLOCK_H
#define PFIFO_SRC_ENGINE_DRAW_VERTEX_BLOCK_H

#include "engine/draw/assembly.h"
#include "engine/draw/clip.h"
#include "engine/shade/shade.h"

#define BLOCK_PRIMITIVES 40u                                     /* of a block, before clipping */
#define GROUP_BLOCKS     16u                                     /* of a group */
#define GROUP_POOL       (BLOCK_PRIMITIVES * CLIP_MOST_VERTICES) /* most that clipping a block makes */
#define GROUP_DRAWN      (BLOCK_PRIMITIVES * CLIP_MOST_PRIMITIVES)

struct draw_object;
struct draw_worker;

struct vertex_block {
    uint32_t taken; /* items of the queue */
    struct assembly after;
    unsigned lanes;
    struct assembly_vertex lane[SHADE_LANES];
    unsigned assembled;
    struct assembled primitive[BLOCK_PRIMITIVES + ASSEMBLY_MOST];
    shade_row position[4], layer, viewport; /* as the program wrote them */
    struct draw_vertex vertex[SHADE_LANES];
};

/* Blocks that are drawn together. */
struct draw_group {
    unsigned blocks;
    struct vertex_block block[GROUP_BLOCKS];
    struct clip_pool pool;
    struct draw_vertex room[2 * GROUP_POOL];
    unsigned drawn_count;
    struct draw_primitive drawn[GROUP_DRAWN + GROUP_BLOCKS * BLOCK_PRIMITIVES];
};

/* Take a block from item `first` of the queue on. */
void vertex_block_take(const struct draw_object *object, struct vertex_block *block, const struct assembly *before,
                       uint32_t first);
/* Fetch the attributes of its vertices. False: a fault, which has been raised. */
bool stage_fetch(struct draw_worker *work, const struct vertex_block *block);
/* Run the vertex program. False: it has failed. */
bool stage_vertex(struct draw_worker *work, struct vertex_block *block);
/* What is left of its primitives is drawn with the group. */
void stage_clip(struct draw_worker *work, struct vertex_block *block);

#endif
