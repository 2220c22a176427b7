/* SPDX-License-Identifier: MIT */
#include "engine/draw/watched.h"

#include <assert.h>

#include "engine/core/action.h"
#include "engine/draw/pipeline.h"
#include "engine/shade/watch.h"
#include "fifo/fifo.h"

#define WORD_INSTANCE 0xbeu
#define WORD_VERTEX   0xbfu

_Static_assert((unsigned)PFIFO_STAGE_VERTEX_A == (unsigned)STAGE_VERTEX_A &&
                   (unsigned)PFIFO_STAGE_FRAGMENT == (unsigned)STAGE_FRAGMENT,
               "stages have the same numbers");

static void vertex_of(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    const shade_row *inputs = warp->io->inputs;
    *thread = (struct pfifo_warp_thread){
        .is = "vertex", .count = 2, .at = {inputs[WORD_VERTEX][lane], inputs[WORD_INSTANCE][lane]}};
}

static void pixel_of(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    const struct draw_fragments *fragments = ((const struct draw_worker *)warp->io->opaque)->fragments;
    *thread = (struct pfifo_warp_thread){.is = "pixel", .count = 2, .at = {fragments->x[lane], fragments->y[lane]}};
}

static const struct draw_patch *patch_of(const struct shade_warp *warp) {
    return ((const struct draw_worker *)warp->io->opaque)->pipeline->patch;
}

static void invocation_of(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    *thread = (struct pfifo_warp_thread){.is = "invocation", .count = 2, .at = {lane, patch_of(warp)->id}};
}

static void point_of(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    const struct draw_patch *patch = patch_of(warp);
    *thread = (struct pfifo_warp_thread){.is = "point", .count = 2, .at = {patch->number[lane], patch->id}};
}

static void primitive_of(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    const struct draw_geometry *geometry = ((const struct draw_worker *)warp->io->opaque)->pipeline->geometry;
    *thread = (struct pfifo_warp_thread){.is = "primitive", .count = 2};
    draw_geometry_lane(geometry, lane, &thread->at[0], &thread->at[1]);
}

static void (*const threads[STAGES])(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) = {
    [STAGE_VERTEX_A] = vertex_of,  [STAGE_VERTEX] = vertex_of,      [STAGE_CONTROL] = invocation_of,
    [STAGE_EVALUATION] = point_of, [STAGE_GEOMETRY] = primitive_of, [STAGE_FRAGMENT] = pixel_of,
};

void draw_watch(struct draw_worker *worker, unsigned program) {
    struct shade_io *io = &worker->shading.stage[program];
    io->watch = *worker->watch;
    if (!io->watch)
        return;
    const struct call *call = worker->lent.faults.call;
    const struct draw_stages_state *stages = &worker->pipeline->decoded.state.stages;
    worker->shading.identity = (struct shade_identity){.stage = (enum pfifo_stage)program,
                                                       .channel = call->channel->id,
                                                       .code = stages->code,
                                                       .program = stages->code + stages->stage[program].start,
                                                       .thread = threads[program]};
    io->identity = &worker->shading.identity;
}

void draw_watch_primitives(const struct draw_worker *worker, const struct draw_primitive *primitive, unsigned count) {
    const struct call *call = worker->lent.faults.call;
    const struct primitive_watch *watch = call->engine->fifo->primitive_watch;
    for (unsigned i = 0; watch && i < count; i++) {
        struct pfifo_primitive told = {.channel = call->channel->id, .corners = primitive[i].kind + 1u};
        assert(told.corners <= 3);
        for (unsigned k = 0; k < told.corners; k++) {
            told.x[k] = primitive[i].vertex[k]->x;
            told.y[k] = primitive[i].vertex[k]->y;
        }
        watch->function(watch->opaque, &told);
    }
}
