/* SPDX-License-Identifier: MIT */
/*
 * Primitives that go to several viewports: those in the mask that the last program writes for the provoking vertex
 * (GM200 and later). Each viewport gets a block of its own; or, in the order of primitives, each primitive for each of
 * its viewports.
 *
 * UNKNOWN: over how many primitives viewports come one after the other; chosen: those of a block.
 * Sources: NVIDIA open-gpu-doc clb197.h (SET_VIEWPORT_MULTICAST); the rules of NV_viewport_array2.
 */
#include <assert.h>
#include <string.h>

#include "engine/draw/links.h"
#include "engine/draw/pipeline.h"

static bool wanted(const struct draw_pipeline *pipeline) {
    return links_write(pipeline, WORD_VIEWPORT_MASK);
}

static void needs(const struct draw_pipeline *pipeline, struct block_words *words) {
    (void)pipeline;
    block_words_add(words, WORD_VIEWPORT_MASK);
}

static bool goes_to(const struct vertex_block *block, const struct block_primitive *primitive, uint64_t viewport) {
    return block->word[WORD_VIEWPORT_MASK][primitive->provoking % SHADE_LANES] >> viewport & 1;
}

/* All vertices, in this viewport. */
static void copy_vertices(const struct vertex_block *block, uint64_t viewport, struct vertex_block *made) {
    assert(viewport < DRAW_VIEWPORTS && block->lanes <= SHADE_LANES);
    made->lanes = block->lanes;
    made->words = block->words;
    for (unsigned i = 0; i < block->words.count; i++)
        memcpy(made->word[block->words.word[i]], block->word[block->words.word[i]], sizeof made->word[0]);
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        made->word[WORD_VIEWPORT][lane] = (uint32_t)viewport;
    made->corners = block->corners;
    memcpy(made->corner, block->corner, block->corners * sizeof made->corner[0]);
}

/* Item: a viewport, or a primitive and in its lower part a viewport. */
static void make(const struct vertex_block *block, bool by_primitive, uint64_t item, struct vertex_block *made) {
    uint64_t viewport = item % DRAW_VIEWPORTS, first = by_primitive ? item / DRAW_VIEWPORTS : 0;
    uint64_t end = by_primitive ? first + 1 : block->primitives;
    assert(end <= block->primitives && !made->primitives);
    for (uint64_t i = first; i < end; i++)
        if (goes_to(block, &block->primitive[i], viewport))
            made->primitive[made->primitives++] = block->primitive[i];
    if (made->primitives)
        copy_vertices(block, viewport, made);
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    const struct draw_view_state *view = &worker->pipeline->decoded.state.view;
    bool by_primitive = view->multicast_by_primitive;
    uint64_t items = DRAW_VIEWPORTS * (by_primitive ? (uint64_t)step->block->primitives : 1);
    if (step->at.item == 0)
        stage_clip_count(worker->pipeline, step->block);
    while (step->at.item < items && !step->made->primitives)
        make(step->block, by_primitive, step->at.item++, step->made);
    return step->at.item < items ? STAGE_MORE : STAGE_DONE;
}

const struct draw_stage stage_multicast = {
    .name = "multicast", .program = NO_PROGRAM, .makes = true, .wanted = wanted, .needs = needs, .run = run};
