/* SPDX-License-Identifier: MIT */
/*
 * The tessellator: a patch becomes blocks of points, and primitives of them. Strips are walked in order (tessellate.h),
 * and a block ends when it has no lane for the next primitive's points. Points that two blocks need are evaluated twice.
 *
 * UNKNOWN: the primitive id that fragment programs see; chosen: the patch's, as evaluation programs do.
 */
#include <assert.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/sync/counters.h"

#define PART_BITS 16u /* of a cursor's part: the primitive of a strip; above them is the strip */

_Static_assert(TESSELLATE_STRIP < 1u << PART_BITS, "all primitives of a strip have a number");

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->object->assembly.topology == TOPOLOGY_PATCHES;
}

/* What is being made: points have lanes. */
struct filling {
    const struct tessellation *tessellation;
    struct vertex_block *block;
    uint16_t point[SHADE_LANES];
    struct block_primitive like; /* what all primitives have of the patch */
    bool last;                   /* the provoking corner is the last one */
};

static unsigned lane_of(const struct filling *filling, uint16_t point) {
    unsigned lane = filling->block->lanes;
    while (lane > 0 && filling->point[lane - 1] != point)
        lane--;
    return lane ? lane - 1 : SHADE_LANES;
}

static bool has_room(const struct filling *filling, const struct tessellate_primitive *primitive) {
    unsigned missing = 0;
    for (unsigned i = 0; i < primitive->corners; i++)
        missing += lane_of(filling, primitive->point[i]) == SHADE_LANES;
    return filling->block->lanes + missing <= SHADE_LANES && filling->block->primitives < BLOCK_PRIMITIVES;
}

static void add(struct filling *filling, const struct tessellate_primitive *primitive) {
    struct vertex_block *block = filling->block;
    struct block_primitive *to = &block->primitive[block->primitives++];
    *to = filling->like;
    to->first = (uint16_t)block->corners;
    to->corners = primitive->corners;
    for (unsigned i = 0; i < primitive->corners; i++) {
        unsigned lane = lane_of(filling, primitive->point[i]);
        if (lane == SHADE_LANES) {
            lane = block->lanes++;
            filling->point[lane] = primitive->point[i];
        }
        block->corner[block->corners++] = (uint8_t)lane;
    }
    to->provoking = block->corner[filling->last ? block->corners - 1 : to->first];
}

/* From a place in the strips on. True: all of them have been walked. */
static bool fill(struct filling *filling, uint64_t *part) {
    struct tessellate_primitive strip[TESSELLATE_STRIP];
    uint64_t number = *part >> PART_BITS, at = *part & ((1u << PART_BITS) - 1);
    for (; number < filling->tessellation->strips; number++, at = 0) {
        unsigned count = tessellate_strip(filling->tessellation, (unsigned)number, strip);
        for (; at < count; at++) {
            if (!has_room(filling, &strip[at])) {
                *part = number << PART_BITS | at;
                return false;
            }
            add(filling, &strip[at]);
        }
    }
    *part = 0;
    return true;
}

static void set_points(struct draw_patch *patch, const struct filling *filling) {
    for (unsigned lane = 0; lane < filling->block->lanes; lane++) {
        uint32_t place[2];
        tessellate_point(filling->tessellation, filling->point[lane], place);
        patch->u[lane] = place[0];
        patch->v[lane] = place[1];
        patch->number[lane] = filling->point[lane];
    }
}

/* The blocks of one patch, one after the other. True: that was the last one. */
static bool make(struct draw_worker *worker, struct stage_step *step) {
    struct draw_pipeline *pipeline = worker->pipeline;
    struct draw_patch *patch = pipeline->patch;
    const struct draw_patches_state *state = &pipeline->decoded.state.patches;
    const struct block_primitive *from = &step->block->primitive[step->at.item];
    struct tessellation tessellation;
    patch_take(patch, step->block, (unsigned)step->at.item);
    if (!step->block->has_patch)
        patch_set_levels(patch, &state->levels);
    struct tessellate_levels levels = patch_levels(patch);
    if (!tessellate_begin(&tessellation, &state->mode, &levels))
        return true;
    struct filling filling = {
        .tessellation = &tessellation,
        .block = step->made,
        .like = {.id = from->id, .edges = 7, .restart = true, .counts = true},
        .last = pipeline->object->assembly.last,
    };
    if (step->at.part == 0)
        draw_count(pipeline, COUNTER_TESS_SHADER, tessellation.points);
    bool done = fill(&filling, &step->at.part);
    set_points(patch, &filling);
    draw_count(pipeline, COUNTER_TESS_PRIMITIVES, step->made->primitives);
    return done;
}

/* Patches that are discarded are passed over. */
static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    assert(step->made && step->made != step->block);
    while (step->at.item < step->block->primitives && !step->made->primitives)
        if (make(worker, step))
            step->at.item++;
    return step->at.item < step->block->primitives ? STAGE_MORE : STAGE_DONE;
}

const struct draw_stage stage_tessellator = {
    .name = "tessellator", .program = NO_PROGRAM, .makes = true, .wanted = wanted, .run = run};
