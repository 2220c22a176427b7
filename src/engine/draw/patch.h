/* SPDX-License-Identifier: MIT */
/*
 * The patch that control and evaluation programs work on: what they read of it, beside constants and memory.
 *
 *   block of vertices --patch_take()--> struct draw_patch --patch_lend()--> struct shade_io of the program
 *
 * A program finds all vertices of its patch by their number, as handles of vertices are numbers here. Special registers
 * say how many there are.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_PATCH_H
#define PFIFO_SRC_ENGINE_DRAW_PATCH_H

#include "engine/draw/tessellate.h"
#include "engine/draw/vertex_block.h"

#define PATCH_MOST_VERTICES ASSEMBLY_CORNERS
#define PATCH_SPECIALS      3u

/* Words of a patch that the tessellator reads. */
enum patch_word { PATCH_OUTER = 0, PATCH_INNER = 4, PATCH_LEVELS = 6 };

struct draw_patch {
    uint32_t vertex[PATCH_MOST_VERTICES][SHADE_ATTRIBUTES];
    uint32_t word[SHADE_ATTRIBUTES]; /* of the patch itself */
    struct shade_vertices vertices;
    struct shade_special special[PATCH_SPECIALS];
    uint32_t id;
    /* The points that evaluation is to run for, by lane. */
    uint32_t u[SHADE_LANES], v[SHADE_LANES];
    uint16_t number[SHADE_LANES];    /* in the tessellation */
    struct shade_group *invocations; /* of a control program */
};

/* NULL: no memory. */
struct draw_patch *patch_new(void);
void patch_free(struct draw_patch *patch);

/* Vertices and words of a primitive that is a patch. */
void patch_take(struct draw_patch *patch, const struct vertex_block *block, unsigned primitive);
void patch_lend(struct draw_patch *patch, struct shade_io *io);

struct tessellate_levels patch_levels(const struct draw_patch *patch);
void patch_set_levels(struct draw_patch *patch, const struct tessellate_levels *levels);

#endif
