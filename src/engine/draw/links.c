/* SPDX-License-Identifier: MIT */
#include "engine/draw/links.h"

#include <assert.h>
#include <string.h>

#include "engine/draw/pipeline.h"

void block_words_add(struct block_words *words, unsigned word) {
    assert(word < SHADE_ATTRIBUTES);
    if (!memchr(words->word, (int)word, words->count))
        words->word[words->count++] = (uint8_t)word;
}

/* Most words are not read: 32 of them at once. */
static void add_inputs(const struct draw_stage_program *program, struct block_words *words) {
    for (unsigned word = 0; word < SHADE_ATTRIBUTES; word += 32) {
        uint32_t bits = draw_program_reads_of(program, word);
        for (; bits; bits &= bits - 1)
            block_words_add(words, word + (unsigned)__builtin_ctz(bits));
    }
}

/* Vertex program A writes what B does. */
void links_find(struct draw_pipeline *pipeline) {
    const struct draw_graph *graph = &pipeline->graph;
    struct block_words words = {0};
    for (unsigned i = graph->stages; i > 0; i--) {
        const struct draw_stage *stage = graph->stage[i - 1];
        if (stage->needs)
            stage->needs(pipeline, &words);
        if (stage->program == NO_PROGRAM)
            continue;
        pipeline->link[stage->program] = stage->program == STAGE_VERTEX_A ? pipeline->link[STAGE_VERTEX] : words;
        words.count = 0;
        add_inputs(&pipeline->decoded.state.stages.stage[stage->program], &words);
    }
}

bool links_write(const struct draw_pipeline *pipeline, unsigned word) {
    const struct draw_stages_state *stages = &pipeline->decoded.state.stages;
    assert(pipeline->last < STAGE_FRAGMENT);
    return pipeline->last == STAGE_VERTEX ? draw_vertex_writes(stages, word)
                                          : draw_program_writes(&stages->stage[pipeline->last], word);
}

void links_begin(struct draw_worker *worker, unsigned program, struct vertex_block *block) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    assert(program < STAGES && program != STAGE_FRAGMENT);
    block->words = pipeline->link[program];
    for (unsigned i = 0; i < block->words.count; i++) {
        unsigned word = block->words.word[i];
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            block->word[word][lane] = pipeline->decoded.state.view.defaults[word];
    }
    worker->shading.stage[program].outputs = block->word;
}

/* NaN becomes 0. */
static uint32_t clamped(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* UNKNOWN: whether colours that are written to memory are clamped as those that are drawn; chosen: they are. */
void links_end(struct draw_worker *worker, unsigned program, struct vertex_block *block) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    if (program != pipeline->last || !pipeline->decoded.state.stages.clamp_colors)
        return;
    for (unsigned i = 0; i < block->words.count; i++) {
        unsigned word = block->words.word[i];
        for (unsigned lane = 0; lane < block->lanes && word >= WORD_COLORS && word < WORD_DISTANCE; lane++)
            block->word[word][lane] = clamped(block->word[word][lane]);
    }
}
