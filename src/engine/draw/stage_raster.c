/* SPDX-License-Identifier: MIT */
/* The primitives of the group are drawn, region by region of the target: raster.c runs the fragment stage for quads. */
#include <assert.h>

#include "engine/draw/pipeline.h"

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    const struct draw_group *group = pipeline->group;
    struct draw_progress progress = {(uint32_t)step->at.item, (uint32_t)step->at.part, (uint32_t)step->at.carried};
    assert(group->ready && worker == pipeline->worker[0]);
    if (progress.primitive < group->drawn_count) {
        step->used = draw_primitives(pipeline->raster, group->drawn, group->drawn_count, &progress, step->budget);
        const struct draw_result *result = draw_raster_result(pipeline->raster);
        if (result->failed || result->faulted)
            return STAGE_FAILED;
    }
    step->at = (struct stage_cursor){progress.primitive, progress.band, progress.stipple};
    return progress.primitive < group->drawn_count ? STAGE_MORE : STAGE_DONE;
}

const struct draw_stage stage_raster = {.name = "raster", .program = NO_PROGRAM, .run = run};
