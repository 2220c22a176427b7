/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/draw/context.h"
#include "engine/draw/shading.h"
#include "engine/draw/vertex_block.h"
#include "engine/draw/worker.h"

static void set_default(struct draw_worker *work, unsigned word) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        work->outputs[word][i] = work->state.view.defaults[word];
}

static void set_defaults(struct draw_worker *work) {
    for (unsigned word = WORD_LAYER; word < WORD_POSITION + 4; word++)
        set_default(work, word);
    for (unsigned word = WORD_DISTANCE; word < WORD_DISTANCE + 8; word++)
        set_default(work, word);
    const struct draw_carried *carried = &work->state.stages.carried;
    for (unsigned i = 0; i < carried->count; i++)
        set_default(work, carried->word[i]);
}

/* NaN becomes 0. */
static uint32_t clamped(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void get_vertex(struct draw_worker *work, struct vertex_block *block, unsigned lane) {
    const struct draw_carried *carried = &work->state.stages.carried;
    struct draw_vertex *vertex = &block->vertex[lane];
    for (unsigned i = 0; i < 8; i++)
        vertex->attribute[WORD_DISTANCE + i] = work->outputs[WORD_DISTANCE + i][lane];
    for (unsigned i = 0; i < carried->count; i++) {
        unsigned word = carried->word[i];
        uint32_t bits = work->outputs[word][lane];
        bool color = word >= 0xa0 && word < 0xb0;
        vertex->attribute[word] = color && work->state.stages.clamp_colors ? clamped(bits) : bits;
    }
    memcpy(&vertex->point_size, &work->outputs[WORD_POINT_SIZE][lane], sizeof vertex->point_size);
}

bool stage_vertex(struct draw_worker *work, struct vertex_block *block) {
    if (!block->assembled)
        return true;
    draw_forget_spans(work);
    work->use = USE_VERTEX;
    if (!stage_fetch(work, block))
        return false;
    set_defaults(work);
    shade_warp_begin(&work->warp, work->program[STAGE_VERTEX], &work->stage[STAGE_VERTEX],
                     UINT32_MAX >> (SHADE_LANES - block->lanes), 0);
    if (!shading_run(work))
        return false;
    memcpy(block->position, work->outputs[WORD_POSITION], sizeof block->position);
    memcpy(block->layer, work->outputs[WORD_LAYER], sizeof block->layer);
    memcpy(block->viewport, work->outputs[WORD_VIEWPORT], sizeof block->viewport);
    for (unsigned lane = 0; lane < block->lanes; lane++)
        get_vertex(work, block, lane);
    return true;
}
