/* SPDX-License-Identifier: MIT */
/* Attributes of vertices, from memory or as they came with the vertex, become the inputs of the vertex program. */
#include <string.h>

#include "engine/draw/context.h"
#include "engine/draw/object.h"
#include "engine/draw/vertex_block.h"
#include "engine/draw/worker.h"

#define WORD_INSTANCE 0xbeu
#define WORD_VERTEX   0xbfu
#define WORD_GENERIC  0x20u

/* Does the vertex program read this word? */
static bool reads(const struct draw_stage_program *stage, unsigned word) {
    unsigned bit = 160 + word;
    return stage->header[bit / 32] >> bit % 32 & 1;
}

/* From memory. */
static bool fetch_lane(struct draw_worker *work, const struct vertex_attribute *attribute, uint32_t vertex,
                       uint32_t value[4]) {
    const struct vertex_streams *streams = &work->state.input.streams;
    struct vertex_number number = {vertex, work->object->instance, work->state.indices.base_instance};
    uint64_t address, there;
    if (!vertex_address(streams, attribute, &number, &address))
        return vertex_fetch(streams, attribute, &number, draw_read, work, value);
    const uint8_t *from = draw_at(work, address, &there);
    if (!from)
        return false;
    if (there < VERTEX_MOST_BYTES) /* perhaps in two pieces */
        return vertex_fetch(streams, attribute, &number, draw_read, work, value);
    vertex_unpack(attribute, from, value);
    return true;
}

static bool fetch(struct draw_worker *work, const struct vertex_block *block, unsigned number) {
    const struct draw_state *state = &work->state;
    const struct vertex_attribute *attribute = &state->input.attribute[number];
    shade_row *rows = &work->inputs[WORD_GENERIC + 4 * number];
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        uint32_t value[4], vertex = block->lane[lane].number;
        if (block->lane[lane].with_data)
            memcpy(value, inline_vertices_value(work->object, vertex, number), sizeof value);
        else if (attribute->constant)
            memcpy(value, work->object->constant[number], sizeof value);
        else if (!fetch_lane(work, attribute, vertex, value))
            return false;
        for (unsigned i = 0; i < 4; i++)
            rows[i][lane] = value[i];
    }
    return true;
}

static bool replace_id(struct draw_worker *work, const struct vertex_block *block) {
    unsigned word = work->state.input.id_word;
    unsigned number = (word - WORD_GENERIC) / 4;
    if (!work->state.input.replaces_id || word < WORD_GENERIC || number >= VERTEX_ATTRIBUTES)
        return true;
    if (!fetch(work, block, number))
        return false;
    memcpy(work->inputs[WORD_VERTEX], work->inputs[word], sizeof work->inputs[word]);
    return true;
}

bool stage_fetch(struct draw_worker *work, const struct vertex_block *block) {
    const struct draw_stage_program *stage = &work->state.stages.stage[STAGE_VERTEX];
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        if ((reads(stage, WORD_GENERIC + 4 * i) || reads(stage, WORD_GENERIC + 4 * i + 1) ||
             reads(stage, WORD_GENERIC + 4 * i + 2) || reads(stage, WORD_GENERIC + 4 * i + 3)) &&
            !fetch(work, block, i))
            return false;
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        work->inputs[WORD_INSTANCE][lane] = work->object->instance;
        work->inputs[WORD_VERTEX][lane] = block->lane[lane].id;
    }
    return replace_id(work, block);
}
