/* SPDX-License-Identifier: MIT */
#include "engine/draw/tally.h"

#include <string.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/worker.h"
#include "engine/sync/counters.h"
#include "event/draw_work.h"
#include "event/event.h"

void tally_state(struct draw_tally *tally, struct state_io *io) {
    state_bool(io, &tally->fed);
    state_u32(io, &tally->first);
    state_u64(io, &tally->asked);
    state_u64(io, &tally->vertices);
    state_u64(io, &tally->primitives);
    state_u64(io, &tally->generated);
    state_u64(io, &tally->fragments);
    state_u64(io, &tally->samples);
    state_bool(io, &tally->numbered);
    state_u32(io, &tally->lowest);
    state_u32(io, &tally->highest);
    state_u64(io, &tally->index_begin);
    state_u64(io, &tally->index_end);
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        state_u64(io, &tally->feedback_from[b]);
    state_u64(io, &tally->work.vertex_warps);
    state_u64(io, &tally->work.vertex_instructions);
    state_u64(io, &tally->work.control_warps);
    state_u64(io, &tally->work.control_instructions);
    state_u64(io, &tally->work.evaluation_warps);
    state_u64(io, &tally->work.evaluation_instructions);
    state_u64(io, &tally->work.geometry_warps);
    state_u64(io, &tally->work.geometry_instructions);
    state_u64(io, &tally->work.fragment_warps);
    state_u64(io, &tally->work.fragment_instructions);
    state_u64(io, &tally->work.texture_reads);
    state_u64(io, &tally->work.quads);
    tally->texture_count = state_count(io, tally->texture_count, PFIFO_DRAW_TEXTURES, "textures of a draw");
    state_words(io, tally->texture, tally->texture_count, "textures of a draw");
}

void tally_begin(struct draw_tally *tally, const struct call *call) {
    *tally = (struct draw_tally){0};
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        tally->feedback_from[b] = counter_value(call, COUNTER_STREAM_BYTES + b);
}

void tally_feed(struct draw_tally *tally, uint32_t first, uint64_t count) {
    if (!tally->fed && count)
        tally->first = first;
    tally->fed = tally->fed || count;
    tally->asked += count;
}

void tally_indices(struct draw_tally *tally, uint64_t address, uint64_t bytes) {
    if (!bytes)
        return;
    if (tally->index_begin == tally->index_end)
        tally->index_begin = tally->index_end = address;
    tally->index_begin = address < tally->index_begin ? address : tally->index_begin;
    tally->index_end = address + bytes > tally->index_end ? address + bytes : tally->index_end;
}

/* The lowest numbers stay. */
static void note_texture(struct draw_tally *tally, uint32_t header) {
    uint32_t at = 0;
    while (at < tally->texture_count && tally->texture[at] < header)
        at++;
    if (at == PFIFO_DRAW_TEXTURES || (at < tally->texture_count && tally->texture[at] == header))
        return;
    uint32_t after = tally->texture_count - at;
    after -= tally->texture_count == PFIFO_DRAW_TEXTURES;
    memmove(&tally->texture[at + 1], &tally->texture[at], after * sizeof tally->texture[0]);
    tally->texture[at] = header;
    tally->texture_count += tally->texture_count < PFIFO_DRAW_TEXTURES;
}

void tally_slice(struct draw_pipeline *pipeline) {
    struct draw_tally *tally = &pipeline->object->tally;
    const struct draw_result *result = draw_raster_result(pipeline->raster);
    uint32_t used[SAMPLING_KEPT];
    tally->fragments += result->fragments;
    tally->samples += pipeline->decoded.state.zeta.counts ? result->samples : 0;
    for (unsigned number = 0; number < THREADS_MOST; number++) {
        struct draw_worker *member = draw_worker_of_slice(pipeline, number);
        if (member) {
            event_add_work(&tally->work, &member->done);
            tally->work.texture_reads += member->lent.costs.texture_reads;
            member->lent.costs.texture_reads = 0;
            member->done = (struct pfifo_draw_work){0};
        }
        unsigned count = member ? sampling_used(member->lent.sampling, used, SAMPLING_KEPT) : 0;
        for (unsigned i = 0; i < count; i++)
            note_texture(tally, used[i]);
    }
}
