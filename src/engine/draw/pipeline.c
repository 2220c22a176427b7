/* SPDX-License-Identifier: MIT */
#include "engine/draw/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/apart.h"
#include "engine/draw/constants.h"
#include "engine/draw/object.h"
#include "engine/draw/shading.h"
#include "engine/draw/stage_fragment.h"
#include "engine/draw/vertex_block.h"
#include "engine/draw/worker.h"
#include "engine/sync/counters.h"
#include "fifo/fifo.h"

/* ---- state ---- */

/* Stages and work that draws ask for, and that are not there. */
static const char *missing(const struct draw_worker *work) {
    const struct draw_state *state = &work->state;
    if (work->object->assembly.topology == TOPOLOGY_PATCHES)
        return "tessellation";
    if (state->stages.stage[STAGE_GEOMETRY].enabled)
        return "geometry program";
    if (state->stages.stage[STAGE_VERTEX_A].enabled)
        return "vertex program A";
    if (!state->stages.stage[STAGE_VERTEX].enabled)
        return "draw without a vertex program";
    if (state->stages.feedback)
        return "transform feedback";
    return NULL;
}

/* State that is not modelled, and without which is drawn all the same. */
static void report_ignored(const struct draw_worker *work) {
    const struct draw_state *state = &work->state;
    const struct {
        bool asked;
        const char *name;
    } ignored[] = {{state->view.clip_ids, "clip ids"},
                   {state->raster.conservative, "conservative rasterisation"},
                   {state->raster.independent, "target-independent rasterisation"},
                   {state->blend.coverage_to_color, "coverage to colour"}};
    for (unsigned i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (ignored[i].asked)
            call_work_not_executed(work->call, ignored[i].name);
}

/* `changed`: groups. A program's header may be another whenever something has changed: it is read again. */
static bool decode(struct draw_worker *work, unsigned changed) {
    draw_decode(&work->state, &work->source, changed & STATE_ALL);
    const char *what = missing(work);
    if (what) {
        call_work_not_executed(work->call, what);
        return false;
    }
    report_ignored(work);
    if (!shading_load(work, STAGE_VERTEX))
        return false;
    if (draw_stages_write(&work->state.stages, WORD_VIEWPORT_MASK))
        call_work_not_executed(work->call, "viewport mask");
    if (work->state.stages.stage[STAGE_FRAGMENT].enabled && !shading_load(work, STAGE_FRAGMENT))
        return false;
    return shading_local(work);
}

static bool same_space(const struct address_space *a, const struct address_space *b) {
    return a->ops == b->ops && a->target == b->target && a->base == b->base && a->limit == b->limit &&
           a->offset == b->offset && a->flags == b->flags;
}

/* Bits of groups, and VALUES_CHANGED. */
static unsigned find_changes(struct draw_worker *work) {
    struct object *object = work->call->object;
    struct draw_source *source = &work->source;
    const struct draw_class *of = draw_class_of(object->object_class);
    unsigned changed = draw_values_take(&work->values, of->decoder, object);
    if (!same_space(&source->space, &work->space))
        changed |= 1u << STATE_TARGETS | VALUES_CHANGED;
    *source = (struct draw_source){of, work->values.value, work->space, work->call->engine->fifo->chip->gob_order};
    return work->decoded ? changed : STATE_ALL | VALUES_CHANGED;
}

/* What the owner lends may be lent later than an object is made, but is not taken back. */
static void lend(struct draw_worker *work) {
    const struct fifo *fifo = work->call->engine->fifo;
    if (!fifo->side_by_side || work->threads.side_by_side || pthread_mutex_init(&work->threads.lock, NULL) != 0)
        return;
    work->threads.side_by_side = fifo->side_by_side;
    work->threads.opaque = fifo->side_opaque;
    draw_raster_lend(work->raster, &work->threads, draw_apart);
}

static bool make_rooms(struct draw_worker *work) {
    if (!work->raster)
        work->raster = draw_raster_new(work->memory, stage_fragment, work);
    if (!work->group)
        work->group = aligned_alloc(64, (sizeof *work->group + 63) / 64 * 64);
    if (!work->raster || !work->group)
        return false;
    lend(work);
    return true;
}

bool pipeline_prepare(struct draw_worker *work, const struct call *call) {
    struct fifo *fifo = call->engine->fifo;
    work->call = call;
    work->memory = fifo->memory;
    work->space = call_space(call, 0);
    work->failed = false;
    draw_forget_spans(work);
    if (!make_rooms(work))
        return false;
    unsigned changed = find_changes(work);
    if (changed) {
        work->ready = false;
        work->decodes++;
        work->decoded = decode(work, changed);
    }
    if (!work->decoded)
        return false;
    constants_bind(work, STAGE_VERTEX);
    if (work->state.stages.stage[STAGE_FRAGMENT].enabled)
        constants_bind(work, STAGE_FRAGMENT);
    work->prepared++;
    draw_raster_begin(work->raster, &work->state);
    return draw_worker_start(work);
}

/* ---- a group ---- */

static bool has_room(const struct draw_group *group) {
    const unsigned most = sizeof group->drawn / sizeof group->drawn[0];
    return group->blocks < GROUP_BLOCKS && group->pool.most - group->pool.count >= GROUP_POOL &&
           most - group->drawn_count >= GROUP_DRAWN;
}

/* The first block is there whatever it is. A later one is left to the next group if it fails, or could have more lanes.
 */
static bool add_batch(struct draw_worker *work, uint32_t *taken, bool more) {
    struct draw_group *group = work->group;
    const struct draw_object *object = work->object;
    struct vertex_block *block = &group->block[group->blocks];
    bool first = !group->blocks;
    vertex_block_take(object, block, first ? &object->assembly : &block[-1].after, *taken);
    if (!first && (!block->taken || (more && *taken + block->taken == object->queued)))
        return false;
    work->quiet = !first;
    bool made = stage_vertex(work, block);
    work->quiet = false;
    if (!made) {
        work->failed &= first;
        return false;
    }
    *taken += block->taken;
    stage_clip(work, block);
    group->blocks++;
    return true;
}

/* A vertex program that writes memory runs once, as far as that can be: what is made again after a load is one block.
 */
static bool make(struct draw_worker *work, bool more, uint64_t *cost) {
    struct draw_group *group = work->group;
    bool effects = work->state.stages.stage[STAGE_VERTEX].header[0] >> 16 & 1;
    uint32_t taken = 0;
    group->blocks = group->drawn_count = 0;
    group->pool = (struct clip_pool){group->room, 0, 2 * GROUP_POOL};
    do
        *cost += COST_BLOCK;
    while (add_batch(work, &taken, more) && has_room(group) && !effects);
    work->ready = group->blocks > 0;
    return work->ready;
}

/* ---- counters ---- */

/* Bits of 0xd68. */
enum { COUNTS_VERTICES, COUNTS_PRIMITIVES, COUNTS_PROGRAMS, COUNTS_OUT = 6, COUNTS_CLIPPER, COUNTS_CLIPPED };

static void count(const struct draw_worker *work, unsigned bit, enum counter counter, uint64_t amount) {
    if (work->state.stages.counts >> bit & 1)
        counter_add(work->call, counter, amount);
}

static void count_group(const struct draw_worker *work, uint32_t taken) {
    const struct draw_group *group = work->group;
    uint64_t vertices = 0, primitives = 0, assembled = 0;
    for (unsigned i = 0; i < taken; i++)
        vertices += !work->object->queue[i].restart;
    for (unsigned b = 0; b < group->blocks; b++) {
        assembled += group->block[b].assembled;
        for (unsigned i = 0; i < group->block[b].assembled; i++)
            primitives += group->block[b].primitive[i].counts;
    }
    work->object->tally.vertices += vertices;
    work->object->tally.primitives += primitives;
    count(work, COUNTS_VERTICES, COUNTER_VERTICES, vertices);
    count(work, COUNTS_PRIMITIVES, COUNTER_PRIMITIVES, primitives);
    count(work, COUNTS_PROGRAMS, COUNTER_VERTEX_SHADER, vertices);
    count(work, COUNTS_OUT, COUNTER_STREAM_OUT, assembled);
    if (work->state.raster.discard)
        return;
    count(work, COUNTS_CLIPPER, COUNTER_CLIPPER, assembled);
    count(work, COUNTS_CLIPPED, COUNTER_CLIPPER_PRIMITIVES, group->drawn_count);
}

static void commit(struct draw_worker *work, struct pipeline_progress *at) {
    struct draw_object *object = work->object;
    const struct draw_group *group = work->group;
    uint32_t taken = 0;
    for (unsigned i = 0; i < group->blocks; i++)
        taken += group->block[i].taken;
    count_group(work, taken);
    object->assembly = group->block[group->blocks - 1].after;
    object->queued -= taken;
    memmove(object->queue, object->queue + taken, object->queued * sizeof object->queue[0]);
    object->stipple = (uint32_t)at->stipple;
    at->primitive = at->band = 0;
    work->ready = false;
}

/* What programs have cost since this was asked, in bytes. */
static uint64_t group_programs_cost(struct draw_worker *work) {
    uint64_t cost = 0;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        struct draw_worker *member = draw_worker_taking_part(work, i);
        if (!member)
            continue;
        cost += member->cost;
        work->object->long_steps += member->long_steps;
        member->cost = member->long_steps = 0;
    }
    return cost;
}

enum pipeline_result pipeline_group(struct draw_worker *work, struct pipeline_progress *at, bool more, uint64_t budget,
                                    uint64_t *cost) {
    if (!work->ready) {
        bool made = make(work, more, cost);
        *cost += group_programs_cost(work);
        if (!made)
            return PIPELINE_FAILED;
        if (!at->primitive && !at->band)
            at->stipple = work->object->stipple;
    }
    const struct draw_group *group = work->group;
    struct draw_progress progress = {(uint32_t)at->primitive, (uint32_t)at->band, (uint32_t)at->stipple};
    if (progress.primitive < group->drawn_count) {
        uint64_t units = (budget > *cost ? budget - *cost : 0) / COST_QUAD;
        uint64_t used = draw_primitives(work->raster, group->drawn, group->drawn_count, &progress, units + 1);
        work->done.quads += used;
        *cost += COST_QUAD * used;
        *cost += group_programs_cost(work);
        const struct draw_result *result = draw_raster_result(work->raster);
        if (result->failed || result->faulted)
            return PIPELINE_FAILED;
    }
    at->primitive = progress.primitive;
    at->band = progress.band;
    at->stipple = progress.stipple;
    if (progress.primitive < group->drawn_count)
        return PIPELINE_PAUSED;
    commit(work, at);
    return PIPELINE_DONE;
}

/* ---- what went wrong ---- */

/* The lowest address that some program did not execute; it is taken from all lists. False: there is none. */
static bool take_missing(struct draw_worker *work, uint32_t *address) {
    bool found = false;
    *address = UINT32_MAX;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        const struct draw_worker *member = draw_worker_taking_part(work, i);
        for (unsigned k = 0; member && k < member->missing; k++) {
            found = true;
            *address = member->missing_at[k] < *address ? member->missing_at[k] : *address;
        }
    }
    for (unsigned i = 0; i < THREADS_MOST && found; i++) {
        struct draw_worker *member = draw_worker_taking_part(work, i);
        for (unsigned k = 0; member && k < member->missing; k++)
            if (member->missing_at[k] == *address)
                member->missing_at[k--] = member->missing_at[--member->missing];
    }
    return found;
}

static void report_missing(struct draw_worker *work) {
    uint32_t address;
    while (take_missing(work, &address)) {
        const struct ir *ir = shade_program_report(work->program[STAGE_FRAGMENT], address);
        if (ir)
            call_work_not_executed(work->call, ir->name ? ir->name : "instruction");
    }
}

/* Of several reasons the first one by its text, since it does not matter which region had it first. */
static const char *textures_reason(struct draw_worker *work) {
    const char *first = NULL;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        const struct draw_worker *member = draw_worker_taking_part(work, i);
        const char *reason = member ? sampling_reason(member->sampling) : NULL;
        if (reason && (!first || strcmp(reason, first) < 0))
            first = reason;
    }
    return first;
}

/* What went wrong since pipeline_prepare(). */
void pipeline_report(struct draw_worker *work) {
    const struct draw_result *result = draw_raster_result(work->raster);
    const char *textures = textures_reason(work);
    report_missing(work);
    if (result->faulted)
        draw_fail(work, result->fault_is_zeta ? USE_ZETA : (enum unit_use)(USE_COLOR + result->fault_target),
                  &result->fault);
    if (textures)
        call_work_not_executed(work->call, textures);
}
