/* SPDX-License-Identifier: MIT */
/* Attributes of vertices, from memory or as they came with the vertex, become the inputs of the vertex program. */
#include <assert.h>
#include <string.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"

_Static_assert(VERTEX_LANES == SHADE_LANES, "a block's attributes are unpacked at once");

#define WORD_INSTANCE 0xbeu
#define WORD_VERTEX   0xbfu

/* From memory, wherever it is. */
static bool fetch_lane(struct draw_worker *worker, const struct vertex_attribute *attribute,
                       const struct vertex_number *number, uint32_t value[4]) {
    return vertex_fetch(&worker->pipeline->decoded.state.input.streams, attribute, number, lend_read,
                        &worker->lent.memory, value);
}

/* An attribute of the vertices of a block. */
struct fetching {
    const struct vertex_attribute *attribute;
    unsigned number;
    const uint8_t *from[SHADE_LANES]; /* where its bytes are, */
    uint32_t apart;                   /* but of these lanes they are known: */
    uint32_t value[SHADE_LANES][4];
};

/* Those whose attributes came with them, or do not lie in one piece in their stream. */
static bool fetch_apart(struct draw_worker *worker, const struct assembly_vertex *vertex,
                        const struct vertex_number *number, struct fetching *f, unsigned lane) {
    static const uint8_t none[VERTEX_MOST_BYTES];
    uint32_t *value = f->value[lane];
    f->from[lane] = none;
    f->apart |= 1u << lane;
    if (vertex->with_data)
        memcpy(value, inline_vertices_value(worker->pipeline->object, vertex->number, f->number), sizeof f->value[0]);
    else if (f->attribute->constant)
        memcpy(value, worker->pipeline->object->constant[f->number], sizeof f->value[0]);
    else
        return fetch_lane(worker, f->attribute, number, value);
    return true;
}

/* A page is looked up for each lane that is in another than the lane before. */
static bool find_lanes(struct draw_worker *worker, const struct vertex_block *block, struct fetching *f) {
    const struct draw_state *state = &worker->pipeline->decoded.state;
    const struct vertex_streams *streams = &state->input.streams;
    struct vertex_number number = {0, worker->pipeline->object->instance, state->indices.base_instance};
    const struct vertex_place place = vertex_place(streams, f->attribute, &number);
    const bool constant = f->attribute->constant;
    uint64_t begin = 0, bytes = 0;
    const uint8_t *data = NULL;
    f->apart = 0;
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        const struct assembly_vertex *vertex = &block->lane[lane];
        uint64_t address = 0;
        number.number = vertex->number;
        bool there = !vertex->with_data && !constant && vertex_address(&place, vertex->number, &address);
        if (there && address - begin >= bytes) {
            begin = address;
            data = lend_at(&worker->lent.memory, address, &bytes);
            if (!data)
                return false;
        }
        if (there && bytes - (address - begin) >= VERTEX_MOST_BYTES)
            f->from[lane] = data + (address - begin);
        else if (!fetch_apart(worker, vertex, &number, f, lane))
            return false;
        else
            bytes = 0; /* what was found may have taken its place */
    }
    return true;
}

static bool fetch(struct draw_worker *worker, const struct vertex_block *block, unsigned number) {
    struct fetching f;
    shade_row *rows = &worker->shading.inputs[WORD_GENERIC + 4 * number];
    f.attribute = &worker->pipeline->decoded.state.input.attribute[number];
    f.number = number;
    if (!find_lanes(worker, block, &f))
        return false;
    if (f.apart != UINT32_MAX >> (SHADE_LANES - block->lanes))
        vertex_unpack_lanes(f.attribute, f.from, block->lanes, rows);
    for (uint32_t apart = f.apart; apart; apart &= apart - 1)
        for (unsigned i = 0, lane = (unsigned)__builtin_ctz(apart); i < 4; i++)
            rows[i][lane] = f.value[lane][i];
    return true;
}

static bool replace_id(struct draw_worker *worker, const struct vertex_block *block) {
    unsigned word = worker->pipeline->decoded.state.input.id_word;
    unsigned number = (word - WORD_GENERIC) / 4;
    if (!worker->pipeline->decoded.state.input.replaces_id || word < WORD_GENERIC || number >= VERTEX_ATTRIBUTES)
        return true;
    if (!fetch(worker, block, number))
        return false;
    memcpy(worker->shading.inputs[WORD_VERTEX], worker->shading.inputs[word], sizeof worker->shading.inputs[word]);
    return true;
}

/* Those that programs read: of 32 words at once, which are 8 attributes. */
static bool fetch_all(struct draw_worker *worker, const struct vertex_block *block) {
    const struct draw_stages_state *stages = &worker->pipeline->decoded.state.stages;
    for (unsigned first = 0; first < VERTEX_ATTRIBUTES; first += 8) {
        uint32_t read = draw_vertex_reads_of(stages, WORD_GENERIC + 4 * first);
        for (unsigned i = first; read; i++, read >>= 4)
            if ((read & 15) && !fetch(worker, block, i))
                return false;
    }
    return true;
}

static bool set_inputs(struct draw_worker *worker, const struct vertex_block *block) {
    if (!fetch_all(worker, block))
        return false;
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        worker->shading.inputs[WORD_INSTANCE][lane] = worker->pipeline->object->instance;
        worker->shading.inputs[WORD_VERTEX][lane] = block->lane[lane].id;
    }
    return replace_id(worker, block);
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    assert(step->block->lanes && step->block->lanes <= SHADE_LANES);
    lend_forget_spans(&worker->lent.memory);
    worker->lent.memory.use = USE_VERTEX;
    return set_inputs(worker, step->block) ? STAGE_DONE : STAGE_FAILED;
}

const struct draw_stage stage_fetch = {.name = "fetch", .program = NO_PROGRAM, .run = run};
