/* SPDX-License-Identifier: MIT */
/*
 * The geometry program. A lane of a warp has a primitive, with its neighbours, and an instance; the warp emits vertices
 * (emitted.h), which are put into blocks, a primitive at a time. A step runs a warp, or goes on with what the last one
 * has emitted, and fills a block.
 *
 *   step->at.item   lanes that have been run: primitive * instances + instance
 *   step->at.part   primitives of the last warp that are in blocks
 *
 * Vertices of a lane are numbered from 0: a handle is such a number, and INVOCATION_INFO says that the lane's primitive
 * is the first one, so that programs that compute handles get the same.
 *
 * Modelled:     points, lines, triangles, with neighbours; instances, streams, primitive ids, layers, viewports
 * Not modelled: programs that pass vertices through (GM200 and later), which is reported
 * UNKNOWN: a topology that is none of points, line strips and triangle strips; chosen: points.
 * UNKNOWN: 0 instances; chosen: one. More than 32; chosen: as many as the header says.
 * Sources: NVIDIA open-gpu-doc Shader-Program-Header; envytools rnndb/graph/gf100_3d.xml; Mesa
 * src/gallium/drivers/nouveau/nvc0/nvc0_program.c, codegen/nv50_ir_lowering_nvc0.cpp.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw/links.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"
#include "engine/draw/stage_geometry.h"

/* Special registers. */
enum { SR_VERTICES = 0x10, SR_INVOCATION = 0x11, SR_INVOCATION_INFO = 0x1d };

enum { TOPOLOGY_CODE_LINES = 6, TOPOLOGY_CODE_TRIANGLES = 7 };

#define MOST_INPUTS 192u /* vertices that a warp is given: 32 times 6, or fewer patches */
#define PASSES_BIT  21u  /* of word 0 of a header */

struct draw_geometry {
    struct emitted emitted;
    uint32_t id[SHADE_LANES];                    /* of the primitives of a warp */
    shade_row first, invocation, vertices, info; /* of lanes */
    struct shade_special special[3];
    struct shade_vertices given;
    uint32_t input[MOST_INPUTS * SHADE_ATTRIBUTES];
};

struct draw_geometry *draw_geometry_new(void) {
    const size_t alignment = 64, bytes = (sizeof(struct draw_geometry) + alignment - 1) / alignment * alignment;
    struct draw_geometry *geometry = aligned_alloc(alignment, bytes);
    if (!geometry)
        return NULL;
    memset(geometry, 0, bytes);
    geometry->special[0] = (struct shade_special){.number = SR_VERTICES, .row = geometry->vertices};
    geometry->special[1] = (struct shade_special){.number = SR_INVOCATION, .row = geometry->invocation};
    geometry->special[2] = (struct shade_special){.number = SR_INVOCATION_INFO, .row = geometry->info};
    return geometry;
}

void draw_geometry_free(struct draw_geometry *geometry) {
    if (geometry)
        emitted_free(&geometry->emitted);
    free(geometry);
}

void draw_geometry_lane(const struct draw_geometry *geometry, unsigned lane, uint32_t *primitive, uint32_t *instance) {
    assert(lane < SHADE_LANES);
    *primitive = geometry->id[lane];
    *instance = geometry->invocation[lane];
}

/* ---- the header ---- */

static const uint32_t *header_of(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_GEOMETRY].header;
}

static unsigned instances_of(const struct draw_pipeline *pipeline) {
    unsigned instances = header_of(pipeline)[2] >> 24;
    return instances ? instances : 1;
}

static unsigned most_of(const struct draw_pipeline *pipeline) {
    unsigned most = header_of(pipeline)[4] & 0xfff;
    return most < EMITTED_MOST ? most : EMITTED_MOST;
}

static enum emitted_topology topology_of(const struct draw_pipeline *pipeline) {
    unsigned code = header_of(pipeline)[3] >> 24 & 0xf;
    return code == TOPOLOGY_CODE_TRIANGLES ? EMITTED_TRIANGLES
           : code == TOPOLOGY_CODE_LINES   ? EMITTED_LINES
                                           : EMITTED_POINTS;
}

/* ---- a warp ---- */

/* The words that the stage before has written of a vertex, and the primitive's number. */
static void give_vertex(uint32_t *to, const struct vertex_block *block, unsigned lane, uint32_t id) {
    memset(to, 0, SHADE_ATTRIBUTES * sizeof *to);
    for (unsigned i = 0; i < block->words.count; i++)
        to[block->words.word[i]] = block->word[block->words.word[i]][lane];
    to[WORD_PRIMITIVE] = id;
}

static void give_primitive(struct draw_geometry *geometry, const struct vertex_block *block,
                           const struct block_primitive *primitive, unsigned first, unsigned corners) {
    assert(first + corners <= MOST_INPUTS);
    for (unsigned i = 0; i < corners; i++) {
        uint32_t *to = &geometry->input[(first + i) * SHADE_ATTRIBUTES];
        if (i < primitive->corners)
            give_vertex(to, block, block->corner[primitive->first + i] % SHADE_LANES, primitive->id);
        else
            memset(to, 0, SHADE_ATTRIBUTES * sizeof *to);
    }
}

/* Lanes from number `first` of the block on. All primitives of a block have as many corners. */
static unsigned give(const struct draw_pipeline *pipeline, const struct vertex_block *block, uint64_t first) {
    struct draw_geometry *geometry = pipeline->geometry;
    unsigned instances = instances_of(pipeline), corners = block->primitive[first / instances].corners;
    unsigned most = emitted_lanes(most_of(pipeline)), given = 0, lanes = 0;
    uint64_t all = (uint64_t)block->primitives * instances;
    memset(geometry->first, 0, sizeof geometry->first); /* of lanes that are not there, too: who debugs may ask */
    while (lanes < most && first + lanes < all && (given + 1) * corners <= MOST_INPUTS) {
        unsigned number = (unsigned)((first + lanes) / instances), instance = (unsigned)((first + lanes) % instances);
        if (!lanes || !instance)
            give_primitive(geometry, block, &block->primitive[number], given++ * corners, corners);
        geometry->id[lanes] = block->primitive[number].id;
        geometry->first[lanes] = (given - 1) * corners;
        geometry->invocation[lanes] = instance;
        geometry->vertices[lanes] = corners << 8;
        geometry->info[lanes] = corners << 16;
        lanes++;
    }
    geometry->given = (struct shade_vertices){.words = geometry->input, .count = corners, .first = geometry->first};
    return lanes;
}

/* `rows` have room for what the program writes of its vertices. */
static bool run_warp(struct draw_worker *worker, struct stage_step *step, struct vertex_block *rows) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    struct draw_geometry *geometry = pipeline->geometry;
    unsigned lanes = give(pipeline, step->block, step->at.item);
    links_begin(worker, STAGE_GEOMETRY, rows);
    if (!emitted_begin(&geometry->emitted, lanes, most_of(pipeline), &rows->words)) {
        worker->lent.faults.failed = true;
        return false;
    }
    if (!shading_run(worker, STAGE_GEOMETRY, UINT32_MAX >> (SHADE_LANES - lanes), 0))
        return false;
    emitted_list(&geometry->emitted, topology_of(pipeline), pipeline->object->assembly.last);
    draw_count(pipeline, COUNTER_GEOMETRY_SHADER, lanes);
    draw_count(pipeline, COUNTER_GEOMETRY_PRIMITIVES, geometry->emitted.count);
    step->at.item += lanes;
    step->at.part = 0;
    return true;
}

/* ---- blocks ---- */

/* Which emitted vertices a block has. */
struct filled {
    struct vertex_block *block;
    uint16_t vertex[SHADE_LANES];
};

static unsigned lane_of(const struct filled *filled, uint16_t vertex) {
    for (unsigned i = filled->block->lanes; i > 0; i--)
        if (filled->vertex[i - 1] == vertex)
            return i - 1;
    return SHADE_LANES;
}

static void copy_vertex(struct filled *filled, const struct shade_emission *emission, uint16_t vertex) {
    struct vertex_block *block = filled->block;
    const uint32_t *words = &emission->words[(size_t)vertex * emission->kept_count];
    assert(block->lanes < SHADE_LANES);
    for (unsigned i = 0; i < emission->kept_count; i++)
        block->word[emission->kept[i]][block->lanes] = words[i];
    filled->vertex[block->lanes++] = vertex;
}

/* False: there is no room, and nothing has been done. */
static bool add_primitive(struct filled *filled, const struct draw_geometry *geometry,
                          const struct emitted_primitive *from) {
    struct vertex_block *block = filled->block;
    unsigned missing = 0;
    for (unsigned i = 0; i < from->corners; i++)
        missing += lane_of(filled, from->corner[i]) == SHADE_LANES;
    if (block->primitives == BLOCK_MOST || block->lanes + missing > SHADE_LANES)
        return false;
    struct block_primitive *primitive = &block->primitive[block->primitives++];
    *primitive = (struct block_primitive){.id = geometry->id[from->lane],
                                          .first = (uint16_t)block->corners,
                                          .corners = from->corners,
                                          .edges = 7,
                                          .stream = from->stream,
                                          .restart = from->first,
                                          .counts = true};
    for (unsigned i = 0; i < from->corners; i++) {
        if (lane_of(filled, from->corner[i]) == SHADE_LANES)
            copy_vertex(filled, &geometry->emitted.emission, from->corner[i]);
        block->corner[block->corners++] = (uint8_t)lane_of(filled, from->corner[i]);
    }
    primitive->provoking = block->corner[primitive->first + from->provoking];
    return true;
}

/* Primitives from number `*next` on, as many as there is room for. */
static void fill(struct draw_worker *worker, struct vertex_block *block, uint64_t *next) {
    const struct draw_geometry *geometry = worker->pipeline->geometry;
    const struct shade_emission *emission = &geometry->emitted.emission;
    struct filled filled = {.block = block};
    block->words.count = (uint16_t)emission->kept_count;
    memcpy(block->words.word, emission->kept, emission->kept_count);
    while (*next < geometry->emitted.count && add_primitive(&filled, geometry, &geometry->emitted.primitive[*next]))
        (*next)++;
    links_end(worker, STAGE_GEOMETRY, block);
}

/* ---- the stage ---- */

/* What is saved with another place than it was made for is of no use: nothing of this block has been run. */
static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    struct emitted *emitted = &pipeline->geometry->emitted;
    const uint64_t all = (uint64_t)step->block->primitives * instances_of(pipeline);
    emitted->lanes = step->at.item ? emitted->lanes : 0;
    emitted->count = emitted->lanes ? emitted->count : 0;
    if (emitted->lanes && !emitted->listed)
        emitted_list(emitted, topology_of(pipeline), pipeline->object->assembly.last);
    bool left = emitted->lanes && step->at.part < emitted->count;
    if (!left && step->at.item < all && !run_warp(worker, step, step->made))
        return STAGE_FAILED;
    fill(worker, step->made, &step->at.part);
    return step->at.part < emitted->count || step->at.item < all ? STAGE_MORE : STAGE_DONE;
}

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_GEOMETRY].enabled;
}

static const char *ignores(const struct draw_pipeline *pipeline) {
    return header_of(pipeline)[0] >> PASSES_BIT & 1 ? "geometry program that passes vertices through" : NULL;
}

static void lend(const struct draw_pipeline *pipeline, struct shade_io *io) {
    struct draw_geometry *geometry = pipeline->geometry;
    io->inputs = NULL;
    io->vertices = &geometry->given;
    io->emission = &geometry->emitted.emission;
    io->specials = geometry->special;
    io->special_count = sizeof geometry->special / sizeof geometry->special[0];
}

static void state(struct draw_pipeline *pipeline, struct state_io *io) {
    struct draw_geometry *geometry = pipeline->geometry;
    emitted_state(&geometry->emitted, io);
    state_words(io, geometry->id, SHADE_LANES, "primitives of a geometry program");
}

const struct draw_stage stage_geometry = {.name = "geometry",
                                          .program = STAGE_GEOMETRY,
                                          .makes = true,
                                          .wanted = wanted,
                                          .ignores = ignores,
                                          .lend = lend,
                                          .state = state,
                                          .run = run};
