/* SPDX-License-Identifier: MIT */
#include "engine/draw/pipeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/apart.h"
#include "engine/draw/links.h"
#include "engine/draw/object.h"
#include "engine/draw/shading.h"
#include "fifo/fifo.h"

/* ---- stages ---- */

static bool has_patches(const struct draw_pipeline *pipeline) {
    return pipeline->object->assembly.topology == TOPOLOGY_PATCHES;
}

static const struct draw_stage *const stages[DRAW_PLACES] = {
    [PLACE_FETCH] = &stage_fetch,
    [PLACE_VERTEX_A] = &stage_vertex_a,
    [PLACE_VERTEX] = &stage_vertex,
    [PLACE_CONTROL] = &stage_control,
    [PLACE_TESSELLATOR] = &stage_tessellator,
    [PLACE_EVALUATION] = &stage_evaluation,
    [PLACE_GEOMETRY] = &stage_geometry,
    [PLACE_FEEDBACK] = &stage_feedback,
    [PLACE_MULTICAST] = &stage_multicast,
    [PLACE_CLIP] = &stage_clip,
    [PLACE_RASTER] = &stage_raster,
    [PLACE_FRAGMENT] = &stage_fragment,
};

static bool is_wanted(const struct draw_pipeline *pipeline, const struct draw_stage *stage) {
    return !stage->wanted || stage->wanted(pipeline);
}

/* Of several reasons one is reported: that of the first stage. */
static const char *missing(const struct draw_pipeline *pipeline) {
    for (unsigned i = 0; i < DRAW_PLACES; i++) {
        const char *what = stages[i]->missing ? stages[i]->missing(pipeline) : NULL;
        if (what)
            return what;
    }
    return NULL;
}

#define EFFECTS_BIT 16u /* of a header's word 0: the program writes memory */

static bool shows(const struct draw_pipeline *pipeline, const struct draw_stage *stage) {
    const struct draw_stage_program *program = pipeline->decoded.state.stages.stage;
    return stage->makes || stage->writes ||
           (stage->program != NO_PROGRAM && (program[stage->program].header[0] >> EFFECTS_BIT & 1));
}

/*
 * Stages that are run by the one before them are not in the graph; nor is the raster, which draws whole groups. `anew`:
 * words of vertices may be others. If not, they are those that were found for the last draw, unless a program is another.
 */
static bool connect(struct draw_pipeline *pipeline, bool anew) {
    graph_begin(&pipeline->graph);
    pipeline->once = false;
    for (unsigned i = 0; i < DRAW_PLACES; i++) {
        const struct draw_stage *stage = stages[i];
        if (!is_wanted(pipeline, stage))
            continue;
        assert(stage->run || i == PLACE_FRAGMENT);
        if (stage->program != NO_PROGRAM && !shading_load(pipeline, stage, &anew))
            return false;
        const char *what = stage->ignores ? stage->ignores(pipeline) : NULL;
        if (what)
            call_work_not_executed(pipeline->call, what);
        if (i >= PLACE_RASTER)
            continue;
        graph_add(&pipeline->graph, stage);
        pipeline->once |= shows(pipeline, stage);
        if (stage->program != NO_PROGRAM)
            pipeline->last = stage->program;
    }
    if (anew)
        links_find(pipeline);
    return shading_local(pipeline);
}

/* ---- state ---- */

/* State that is not modelled, and without which is drawn all the same. */
static void report_ignored(const struct draw_pipeline *pipeline) {
    const struct draw_state *state = &pipeline->decoded.state;
    const struct {
        bool asked;
        const char *name;
    } ignored[] = {{state->view.clip_ids, "clip ids"},
                   {state->raster.before_snap, "pre-snap conservative rasterisation"},
                   {state->raster.finer_grid != 0, "finer conservative rasterisation"},
                   {state->raster.too_many, "16 samples of a pixel"}};
    for (unsigned i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (ignored[i].asked)
            call_work_not_executed(pipeline->call, ignored[i].name);
}

/* `changed`: groups. A program's header may be another whenever something has changed: it is read again. */
static bool decode(struct draw_pipeline *pipeline, unsigned changed) {
    const unsigned linked = 1u << STATE_STAGES | 1u << STATE_FEEDBACK;
    bool anew = (changed & linked) || pipeline->patches != has_patches(pipeline);
    draw_decode(&pipeline->decoded.state, &pipeline->decoded.source, changed & STATE_ALL);
    pipeline->patches = has_patches(pipeline);
    const char *what = missing(pipeline);
    if (what) {
        call_work_not_executed(pipeline->call, what);
        return false;
    }
    report_ignored(pipeline);
    return connect(pipeline, anew);
}

/* Bits of groups, and VALUES_CHANGED. */
static unsigned find_changes(struct draw_pipeline *pipeline) {
    struct object *object = pipeline->call->object;
    struct draw_decoded *decoded = &pipeline->decoded;
    const struct address_space *space = &pipeline->worker[0]->lent.memory.space;
    const struct draw_class *of = draw_class_of(object->object_class);
    unsigned changed = draw_values_take(&decoded->values, of->decoder, object);
    if (pipeline->patches != has_patches(pipeline) || pipeline->rebound)
        changed |= VALUES_CHANGED;
    pipeline->rebound = false;
    if (!address_space_is(&decoded->source.space, space))
        changed |= 1u << STATE_TARGETS | VALUES_CHANGED;
    decoded->source =
        (struct draw_source){of, decoded->values.value, *space, pipeline->call->engine->fifo->chip->gob_order};
    return decoded->done ? changed : STATE_ALL | VALUES_CHANGED;
}

/* ---- a slice ---- */

/* What the owner lends may be lent later than an object is made, but is not taken back. */
static void lend(struct draw_pipeline *pipeline) {
    const struct fifo *fifo = pipeline->call->engine->fifo;
    struct threads *threads = &pipeline->threads;
    threads->alone = fifo->watch != NULL;
    if (!fifo->side_by_side || threads->side_by_side || pthread_mutex_init(&threads->lock, NULL) != 0)
        return;
    threads->side_by_side = fifo->side_by_side;
    threads->opaque = fifo->side_opaque;
    draw_raster_lend(pipeline->raster, threads, draw_apart);
}

static bool make_rooms(struct draw_pipeline *pipeline) {
    if (!pipeline->raster)
        pipeline->raster = draw_raster_new(pipeline->call->engine->fifo->memory, stage_fragment_run, pipeline);
    if (!pipeline->group)
        pipeline->group = draw_group_new();
    if (!pipeline->patch)
        pipeline->patch = patch_new();
    if (!pipeline->raster || !pipeline->group || !pipeline->patch)
        return false;
    lend(pipeline);
    return true;
}

static bool follow_changes(struct draw_pipeline *pipeline) {
    unsigned changed = find_changes(pipeline);
    if (changed)
        pipeline->decoded.done = decode(pipeline, changed);
    return pipeline->decoded.done;
}

bool pipeline_prepare(struct draw_pipeline *pipeline, const struct call *call) {
    pipeline->call = call;
    lender_begin(&pipeline->worker[0]->lent, call);
    if (!make_rooms(pipeline) || !follow_changes(pipeline))
        return false;
    for (unsigned i = 0; i < DRAW_PLACES; i++)
        if (stages[i]->program != NO_PROGRAM && is_wanted(pipeline, stages[i]))
            shading_bind(pipeline, stages[i]);
    pipeline->slice++;
    pipeline->worker[0]->slice = pipeline->slice;
    draw_raster_begin(pipeline->raster, &pipeline->decoded.state);
    return draw_worker_start(pipeline->worker[0]);
}

void pipeline_report(struct draw_pipeline *pipeline) {
    const struct draw_result *result = draw_raster_result(pipeline->raster);
    const char *textures = draw_workers_report(pipeline);
    if (result->faulted)
        lend_raise(&pipeline->worker[0]->lent.faults,
                   result->fault_is_zeta ? USE_ZETA : (enum unit_use)(USE_COLOR + result->fault_target),
                   &result->fault);
    if (textures)
        call_work_not_executed(pipeline->call, textures);
}

void pipeline_drop_group(struct draw_pipeline *pipeline) {
    if (pipeline && pipeline->group)
        draw_group_clear(pipeline->group);
}

struct draw_group *pipeline_group(struct draw_object *object) {
    if (!object->pipeline)
        object->pipeline = pipeline_new(object);
    if (!object->pipeline)
        return NULL;
    if (!object->pipeline->group)
        object->pipeline->group = draw_group_new();
    pipeline_drop_group(object->pipeline);
    return object->pipeline->group;
}

void pipeline_stages_state(struct draw_pipeline *pipeline, struct state_io *io) {
    for (unsigned i = 0; i < DRAW_PLACES; i++)
        if (stages[i]->state)
            stages[i]->state(pipeline, io);
}

void pipeline_forget_programs(struct draw_pipeline *pipeline) {
    programs_forget(&pipeline->programs);
    pipeline->decoded.done = false;
}

void pipeline_doubt_programs(struct draw_pipeline *pipeline) {
    programs_doubt(&pipeline->programs);
    pipeline->rebound = true;
}

/* ---- a pipeline ---- */

struct draw_pipeline *pipeline_new(struct draw_object *object) {
    struct draw_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return NULL;
    pipeline->object = object;
    pipeline->graph.room = group_room;
    pipeline->graph.drop = group_drop;
    pipeline->graph.pause = group_pause;
    pipeline->worker[0] = draw_worker_new(pipeline);
    pipeline->geometry = draw_geometry_new();
    if (pipeline->worker[0] && pipeline->geometry)
        return pipeline;
    pipeline_free(pipeline);
    return NULL;
}

void pipeline_free(struct draw_pipeline *pipeline) {
    if (!pipeline)
        return;
    programs_forget(&pipeline->programs);
    constants_free(&pipeline->constants);
    for (unsigned i = 0; i < THREADS_MOST; i++)
        draw_worker_free(pipeline->worker[i]);
    if (pipeline->threads.side_by_side)
        pthread_mutex_destroy(&pipeline->threads.lock);
    draw_group_free(pipeline->group);
    patch_free(pipeline->patch);
    draw_geometry_free(pipeline->geometry);
    draw_raster_free(pipeline->raster);
    free(pipeline);
}
