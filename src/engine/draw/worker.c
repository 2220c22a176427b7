/* SPDX-License-Identifier: MIT */
#include "engine/draw/worker.h"

#include <stdlib.h>
#include <string.h>

#include "engine/draw/object.h"
#include "engine/draw/programs.h"
#include "engine/draw/shading.h"

static void *zeroed(size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    void *data = aligned_alloc(64, bytes);
    return data ? memset(data, 0, bytes) : NULL;
}

struct draw_worker *draw_worker_new(struct draw_object *object) {
    struct draw_worker *work = zeroed(sizeof *work);
    if (!work)
        return NULL;
    work->object = object;
    return work;
}

void draw_worker_free(struct draw_worker *work) {
    if (!work)
        return;
    programs_forget(work);
    for (unsigned i = 0; i < STAGES; i++)
        for (unsigned bank = 0; bank < DRAW_BANKS; bank++)
            free(work->copies[i][bank]);
    for (unsigned i = 0; i < THREADS_MOST; i++)
        draw_worker_free(work->member[i]);
    if (work->threads.side_by_side)
        pthread_mutex_destroy(&work->threads.lock);
    free(work->group);
    free(work->local);
    draw_raster_free(work->raster);
    sampling_free(work->sampling);
    free(work);
}

bool draw_worker_start(struct draw_worker *work) {
    draw_forget_spans(work);
    if (!work->sampling)
        work->sampling = sampling_new(&(struct texture_memory){work, draw_at});
    if (!work->sampling)
        return false;
    shading_textures(work);
    return true;
}

/* ---- members of the team ---- */

static bool prepare_member(struct draw_worker *lead, struct draw_worker *work) {
    work->memory = lead->memory;
    work->space = lead->space;
    work->call = lead->call;
    if (work->decodes != lead->decodes) {
        work->state = lead->state;
        work->source = lead->source;
    }
    memcpy(work->program, lead->program, sizeof work->program);
    memcpy(work->stage, lead->stage, sizeof work->stage);
    for (unsigned i = 0; i < STAGES; i++) {
        work->stage[i].opaque = work;
        work->stage[i].inputs = work->inputs;
        work->stage[i].outputs = work->outputs;
        work->stage[i].local = NULL;
        work->stage[i].local_bytes = 0;
    }
    work->decodes = lead->decodes;
    work->prepared = lead->prepared;
    work->failed = false;
    return draw_worker_start(work);
}

struct draw_worker *draw_worker_member(struct draw_worker *lead, unsigned number) {
    struct draw_worker *work = lead->member[number];
    if (!number)
        return lead;
    if (!work) {
        work = lead->member[number] = draw_worker_new(lead->object);
        if (!work)
            return NULL;
        work->lead = lead;
    }
    return work->prepared == lead->prepared || prepare_member(lead, work) ? work : NULL;
}

struct draw_worker *draw_worker_taking_part(struct draw_worker *work, unsigned number) {
    struct draw_worker *member = number ? work->member[number] : work;
    return member && member->prepared == work->prepared ? member : NULL;
}
