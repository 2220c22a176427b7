/* SPDX-License-Identifier: MIT */
/*
 * A block: vertices, as many as a warp has lanes, and primitives of them. It is what stages pass on. Shaded vertices
 * are complete in their block: no primitive has corners in two.
 *
 * What a program has written of its vertices are rows of the attribute space. A block has values in those of the
 * stage's list (struct block_words): what the next program reads, or for the last one what clipping, feedback and the
 * raster do. Others may hold anything.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_VERTEX_BLOCK_H
#define PFIFO_SRC_ENGINE_DRAW_VERTEX_BLOCK_H

#include "engine/draw/assembly.h"
#include "engine/draw/draw.h"
#include "engine/shade/warp.h"

#define BLOCK_PRIMITIVES 40u                                /* after which a block takes no more from a feed */
#define BLOCK_MOST       (BLOCK_PRIMITIVES + ASSEMBLY_MOST) /* that there can be */
#define BLOCK_CORNERS    (ASSEMBLY_CORNERS * BLOCK_MOST)

struct draw_object;
struct state_io;

/* Words of the attribute space. */
struct block_words {
    uint16_t count;
    uint8_t word[SHADE_ATTRIBUTES];
};

/* A point, line or triangle, one with its neighbours (4 and 6 corners), or a patch (as many as its size says). */
struct block_primitive {
    uint32_t id;
    uint16_t first;  /* of its corners in the block's list */
    uint8_t corners; /* how many */
    uint8_t edges;   /* as struct assembled has it */
    uint8_t provoking;
    uint8_t stream; /* that it was emitted to: 0 if there is no geometry program */
    bool restart, counts, patch;
};

struct vertex_block {
    /* Where a block of the queue comes from. */
    uint32_t taken;        /* items of the queue */
    struct assembly after; /* what is held then */
    struct assembly_vertex lane[SHADE_LANES];

    unsigned lanes, primitives, corners;
    struct block_primitive primitive[BLOCK_MOST];
    uint8_t corner[BLOCK_CORNERS]; /* lanes */

    /* Of shaded vertices, as the program wrote them: */
    struct block_words words;
    shade_row word[SHADE_ATTRIBUTES];
    /* Of its only primitive, a patch, as a control program wrote them: */
    bool has_patch;
    uint32_t patch[SHADE_ATTRIBUTES];
};

/* Take vertices from item `first` of the queue on, with those before them that the assembly holds. */
void vertex_block_take(struct vertex_block *block, const struct draw_object *object, const struct assembly *before,
                       uint32_t first);
/* A block without anything. */
void vertex_block_clear(struct vertex_block *block);
/*
 * The corners of a primitive that are drawn, as places in the block's list: not its neighbours. Returns how many there
 * are, up to 3; none of a patch.
 */
unsigned vertex_block_inner(const struct block_primitive *primitive, uint16_t corner[3]);
/* Of shaded vertices with their primitives, to save and load it. What is loaded is complete. */
void vertex_block_state(struct vertex_block *block, struct state_io *io);

#endif
