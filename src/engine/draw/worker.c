/* SPDX-License-Identifier: MIT */
#include "engine/draw/worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"
#include "fifo/fifo.h"

/* Rows are aligned. */
static void *zeroed(size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    void *data = aligned_alloc(64, bytes);
    return data ? memset(data, 0, bytes) : NULL;
}

struct draw_worker *draw_worker_new(struct draw_pipeline *pipeline) {
    struct draw_worker *worker = zeroed(sizeof *worker);
    if (!worker)
        return NULL;
    worker->pipeline = pipeline;
    lender_init(&worker->lent, &pipeline->threads);
    return worker;
}

void draw_worker_free(struct draw_worker *worker) {
    if (!worker)
        return;
    free(worker->shading.local);
    lender_free(&worker->lent);
    free(worker);
}

bool draw_worker_start(struct draw_worker *worker) {
    struct sampling_pools pools = shading_pools(worker);
    worker->lent.slots = worker->pipeline->decoded.state.images.slot;
    worker->watch = &worker->lent.faults.call->engine->fifo->watch;
    return lender_start(&worker->lent, &pools);
}

/* ---- members of a slice ---- */

static bool follow(struct draw_worker *worker, const struct draw_worker *lead) {
    worker->lent.faults.call = lead->lent.faults.call;
    worker->lent.faults.failed = false;
    worker->lent.memory.memory = lead->lent.memory.memory;
    worker->lent.memory.space = lead->lent.memory.space;
    shading_follow(worker, lead);
    if (!draw_worker_start(worker))
        return false;
    worker->slice = lead->slice; /* only now: what it has done is added up */
    return true;
}

struct draw_worker *draw_worker_for(struct draw_pipeline *pipeline, unsigned number) {
    struct draw_worker **worker = &pipeline->worker[number];
    assert(number < THREADS_MOST);
    if (!*worker)
        *worker = draw_worker_new(pipeline);
    if (!*worker || (*worker)->slice == pipeline->slice)
        return *worker;
    return follow(*worker, pipeline->worker[0]) ? *worker : NULL;
}

struct draw_worker *draw_worker_of_slice(const struct draw_pipeline *pipeline, unsigned number) {
    struct draw_worker *worker = pipeline->worker[number];
    return worker && (!number || worker->slice == pipeline->slice) ? worker : NULL;
}

/* ---- sums ---- */

uint64_t draw_workers_cost(struct draw_pipeline *pipeline) {
    uint64_t cost = 0;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        struct draw_worker *worker = draw_worker_of_slice(pipeline, i);
        if (!worker)
            continue;
        cost += worker->lent.costs.programs;
        pipeline->object->long_steps += worker->long_steps;
        worker->lent.costs.programs = worker->long_steps = 0;
    }
    return cost;
}

/* The lowest address that some program did not execute; it is taken from all lists. False: there is none. */
static bool take_missing(const struct draw_pipeline *pipeline, uint32_t *address) {
    bool found = false;
    *address = UINT32_MAX;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        const struct draw_worker *worker = draw_worker_of_slice(pipeline, i);
        for (unsigned k = 0; worker && k < worker->shading.missing; k++) {
            found = true;
            *address = worker->shading.missing_at[k] < *address ? worker->shading.missing_at[k] : *address;
        }
    }
    for (unsigned i = 0; i < THREADS_MOST && found; i++) {
        struct draw_worker *worker = draw_worker_of_slice(pipeline, i);
        struct draw_shading *shading = worker ? &worker->shading : NULL;
        for (unsigned k = 0; shading && k < shading->missing; k++)
            if (shading->missing_at[k] == *address)
                shading->missing_at[k--] = shading->missing_at[--shading->missing];
    }
    return found;
}

static void report_missing(const struct draw_pipeline *pipeline) {
    uint32_t address;
    while (take_missing(pipeline, &address)) {
        const struct ir *ir = shade_program_report(pipeline->programs.used[STAGE_FRAGMENT], address);
        if (ir)
            call_work_not_executed(pipeline->call, ir->name ? ir->name : "instruction");
    }
}

/* Of several reasons the first one by its text, since it does not matter which region had it first. */
static const char *textures_reason(const struct draw_pipeline *pipeline) {
    const char *first = NULL;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        const struct draw_worker *worker = draw_worker_of_slice(pipeline, i);
        const char *reason = worker ? sampling_reason(worker->lent.sampling) : NULL;
        if (reason && (!first || strcmp(reason, first) < 0))
            first = reason;
    }
    return first;
}

const char *draw_workers_report(struct draw_pipeline *pipeline) {
    report_missing(pipeline);
    return textures_reason(pipeline);
}
