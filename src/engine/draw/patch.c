/* SPDX-License-Identifier: MIT */
#include "engine/draw/patch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/group.h"

#define WORD_PRIMITIVE_ID 0x18u

/* Special registers (Mesa nv50_ir_emit_gm107.cpp, emitS2R; nv50_ir_lowering_nvc0.cpp, handleRDSV). */
enum { SR_VERTICES = 0x10, SR_INVOCATION = 0x11, SR_PRIMITIVE = 0x1d };

static const uint32_t numbers[SHADE_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                              16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

struct draw_patch *patch_new(void) {
    struct draw_patch *patch = calloc(1, sizeof *patch);
    if (!patch)
        return NULL;
    patch->invocations = shade_group_new(1);
    if (patch->invocations)
        return patch;
    free(patch);
    return NULL;
}

void patch_free(struct draw_patch *patch) {
    if (!patch)
        return;
    shade_group_free(patch->invocations);
    free(patch);
}

/* Words that the block does not have are 0, but for the primitive's id. */
static void take_vertex(struct draw_patch *patch, const struct vertex_block *block, unsigned number, unsigned lane) {
    uint32_t *words = patch->vertex[number];
    memset(words, 0, sizeof patch->vertex[number]);
    for (unsigned i = 0; i < block->words.count; i++)
        words[block->words.word[i]] = block->word[block->words.word[i]][lane];
    words[WORD_PRIMITIVE_ID] = patch->id;
}

void patch_take(struct draw_patch *patch, const struct vertex_block *block, unsigned primitive) {
    const struct block_primitive *from = &block->primitive[primitive];
    assert(primitive < block->primitives && from->corners && from->corners <= PATCH_MOST_VERTICES);
    patch->id = from->id;
    for (unsigned i = 0; i < from->corners; i++)
        take_vertex(patch, block, i, block->corner[from->first + i] % SHADE_LANES);
    if (block->has_patch)
        memcpy(patch->word, block->patch, sizeof patch->word);
    else
        memset(patch->word, 0, sizeof patch->word);
    patch->vertices = (struct shade_vertices){patch->vertex[0], patch->word, from->corners};
    patch->special[0] = (struct shade_special){SR_VERTICES, (uint32_t)from->corners << 8, NULL};
    patch->special[1] = (struct shade_special){SR_INVOCATION, 0, numbers};
    patch->special[2] = (struct shade_special){SR_PRIMITIVE, (uint32_t)from->corners << 16, NULL};
}

void patch_lend(struct draw_patch *patch, struct shade_io *io) {
    io->inputs = NULL;
    io->vertices = &patch->vertices;
    io->specials = patch->special;
    io->special_count = PATCH_SPECIALS;
}

/* ---- levels ---- */

struct tessellate_levels patch_levels(const struct draw_patch *patch) {
    struct tessellate_levels levels;
    _Static_assert(sizeof levels == PATCH_LEVELS * sizeof(uint32_t), "words of a patch are levels as they are");
    memcpy(&levels, patch->word, sizeof levels);
    return levels;
}

void patch_set_levels(struct draw_patch *patch, const struct tessellate_levels *levels) {
    memcpy(patch->word, levels, sizeof *levels);
}
