/* SPDX-License-Identifier: MIT */
/* What a draw lends to the shader core: memory, textures, local memory; and how a warp ends. */
#include "engine/draw/shading.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/watched.h"
#include "engine/shade/executor.h"
#include "engine/shade/group.h"
#include "fifo/fifo.h"

#define MOST_LOCAL (512u << 10) /* bytes of a thread */

/* ---- textures ---- */

struct sampling_pools shading_pools(const struct draw_worker *worker) {
    const struct draw_state *state = &worker->pipeline->decoded.state;
    const struct pfifo_chip *chip = worker->lent.faults.call->engine->fifo->chip;
    return (struct sampling_pools){
        .unit = {.layout = state->textures.maxwell_headers ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA,
                 .order = worker->pipeline->decoded.source.order,
                 .mobile = chip->has_mobile_textures},
        .headers = state->textures.headers,
        .samplers = state->textures.samplers,
        .last_header = state->textures.most_header,
        .last_sampler = state->textures.most_sampler,
        .linked = state->textures.linked_samplers,
        .faces_here = worker->pipeline->decoded.source.of->cube_faces,
        .faces = state->textures.cube_faces};
}

/* ---- other things that a program asks for ---- */

/* Of fragments it is reported at the end of the slice, in the order of addresses: pipeline_report(). */
static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    struct draw_worker *worker = warp->io->opaque;
    if (!warp->io->collects) {
        call_work_not_executed(worker->lent.faults.call, ir->name ? ir->name : "instruction");
        return;
    }
    for (unsigned i = 0; i < worker->shading.missing; i++)
        if (worker->shading.missing_at[i] == ir->address)
            return;
    if (worker->shading.missing < WORKER_MISSING)
        worker->shading.missing_at[worker->shading.missing++] = ir->address;
}

/* ---- a stage ---- */

/* UNKNOWN: in which steps they are given to threads; chosen: 8. */
static uint16_t registers_of(const struct draw_worker *worker, unsigned number) {
    uint32_t wanted = worker->pipeline->decoded.state.stages.stage[number].registers;
    return (uint16_t)(wanted < SHADE_REGISTERS ? (wanted + 7) & ~7u : SHADE_REGISTERS);
}

static void lend(struct draw_worker *worker, const struct draw_stage *stage) {
    struct shade_io *lent = &worker->shading.stage[stage->program];
    const struct draw_stages_state *state = &worker->pipeline->decoded.state.stages;
    *lent = (struct shade_io){.opaque = worker,
                              .texture_bank = state->texture_bank,
                              .registers = registers_of(worker, stage->program),
                              .inputs = worker->shading.inputs,
                              .interpolated = worker->shading.interpolated,
                              .flat = state->program.flat_colors,
                              .local_window = state->local_window,
                              .load = lend_load,
                              .store = lend_store,
                              .texture = lend_texture,
                              .surface = lend_surface,
                              .not_executed = not_executed};
}

/* Special registers that a stage does not name read 0. */
void shading_bind(struct draw_pipeline *pipeline, const struct draw_stage *stage) {
    static const struct shade_special none;
    struct shade_io *io = &pipeline->worker[0]->shading.stage[stage->program];
    unsigned group = pipeline->decoded.state.stages.stage[stage->program].group;
    constants_bind(pipeline, stage->program);
    io->slots = group < DRAW_GROUPS ? &pipeline->object->slots[group] : NULL;
    io->specials = &none;
    io->special_count = 0;
    if (stage->lend)
        stage->lend(pipeline, io);
    io->compiled = shade_compile(pipeline->programs.used[stage->program], io);
}

/* A header that cannot be read is a fault of the draw. */
static bool read_header(struct lend_memory *memory, uint64_t address, uint32_t header[HEADER_WORDS]) {
    uint8_t bytes[HEADER_BYTES];
    memory->use = USE_PROGRAM;
    if (!lend_read(memory, address, bytes, HEADER_BYTES))
        return false;
    for (unsigned i = 0; i < HEADER_WORDS; i++)
        header[i] = load_le32(bytes + i * (size_t)4);
    return true;
}

bool shading_load(struct draw_pipeline *pipeline, const struct draw_stage *stage, bool *anew) {
    struct draw_decoded *decoded = &pipeline->decoded;
    struct lend_memory *memory = &pipeline->worker[0]->lent.memory;
    uint32_t header[HEADER_WORDS];
    assert(stage->program < STAGES);
    const struct draw_stage_program *program = &decoded->state.stages.stage[stage->program];
    if (!read_header(memory, decoded->state.stages.code + program->start, header))
        return false;
    struct program_place *place = programs_place(&pipeline->programs, stage->program);
    if (place && program->known && memcmp(program->header, header, sizeof header) == 0 && programs_is_current(place))
        return true;
    *anew = true;
    draw_header(&decoded->state, &decoded->source, stage->program, header);
    bool found = programs_use(&pipeline->programs, pipeline->call->engine->fifo->programs, stage->program,
                              &(struct program_place){.isa = decoded->source.of->isa,
                                                      .code = decoded->state.stages.code,
                                                      .entry = program->start + HEADER_BYTES,
                                                      .memory = memory->memory,
                                                      .space = memory->space});
    lend(pipeline->worker[0], stage);
    return found;
}

/* l[] has a positive and a negative part, `*high`. UNKNOWN: more than the hardware's 512 KiB; chosen: it is cut. */
static uint32_t local_of(const struct draw_stage_program *program, uint32_t *high) {
    uint32_t low = program->known ? program->header[1] & 0xffffff : 0;
    *high = program->known ? program->header[2] & 0xffffff : 0;
    low = low < MOST_LOCAL ? low : MOST_LOCAL;
    *high = *high < MOST_LOCAL - low ? *high : MOST_LOCAL - low;
    return low + *high;
}

/* The two vertex programs have the same memory: what the larger one asks for. */
static void share_local(struct draw_shading *shading) {
    struct shade_io *a = &shading->stage[STAGE_VERTEX_A], *b = &shading->stage[STAGE_VERTEX];
    const struct shade_io *larger = a->local_bytes > b->local_bytes ? a : b;
    a->local_high = b->local_high = larger->local_high;
    a->local_bytes = b->local_bytes = larger->local_bytes;
}

bool shading_local(struct draw_pipeline *pipeline) {
    struct draw_shading *shading = &pipeline->worker[0]->shading;
    shading->local_bytes = 0;
    for (unsigned i = 0; i < STAGES; i++) {
        struct shade_io *io = &shading->stage[i];
        io->local_bytes = local_of(&pipeline->decoded.state.stages.stage[i], &io->local_high);
        shading->local_bytes = io->local_bytes > shading->local_bytes ? io->local_bytes : shading->local_bytes;
    }
    share_local(shading);
    if (shading->local_bytes > shading->local_room) {
        free(shading->local);
        shading->local = calloc(SHADE_LANES, shading->local_bytes);
        shading->local_room = shading->local ? shading->local_bytes : 0;
    }
    for (unsigned i = 0; i < STAGES; i++)
        shading->stage[i].local = shading->local;
    return shading->local_room >= shading->local_bytes;
}

/* What is there does not depend on draws before, nor on a load: it is not saved, and slices end where they do. */
uint64_t shading_clear_local(struct draw_pipeline *pipeline) {
    struct draw_shading *shading = &pipeline->worker[0]->shading;
    size_t bytes = (size_t)SHADE_LANES * shading->local_bytes;
    assert(shading->local_bytes <= shading->local_room);
    if (bytes)
        memset(shading->local, 0, bytes);
    return bytes;
}

/* Programs that have local memory are run by the lead alone: what a warp leaves there, the next one finds. */
void shading_follow(struct draw_worker *worker, const struct draw_worker *lead) {
    struct draw_shading *shading = &worker->shading;
    assert(worker != lead);
    memcpy(shading->stage, lead->shading.stage, sizeof shading->stage);
    for (unsigned i = 0; i < STAGES; i++) {
        shading->stage[i].opaque = worker;
        shading->stage[i].inputs = shading->inputs;
        shading->stage[i].interpolated = shading->interpolated;
        shading->stage[i].outputs = NULL;
        shading->stage[i].local = NULL;
        shading->stage[i].local_bytes = shading->stage[i].local_high = 0;
    }
}

/* ---- warps ---- */

/*
 * False: the warp, or all of them together, take too long. Regions of a part that are drawn side by side do not know of
 * each other, but each has a share.
 */
static bool count_steps(struct draw_worker *worker, unsigned program, uint64_t used) {
    uint64_t beyond = used > DRAW_LONG ? used - DRAW_LONG : 0, most = DRAW_LONG_ALL;
    worker->lent.costs.programs += used * COST_STEP;
    worker->long_steps += beyond;
    if (program != STAGE_FRAGMENT)
        return worker->pipeline->object->long_steps + worker->long_steps <= most;
    struct draw_share *share = worker->fragments->share;
    share->steps += beyond;
    most = share->regions > DRAW_SHARES ? most * DRAW_SHARES / share->regions : most;
    return share->steps <= most && worker->pipeline->object->long_steps + share->steps <= DRAW_LONG_ALL;
}

static void count_warp(struct draw_worker *worker, unsigned program, uint64_t used) {
    struct pfifo_draw_work *done = &worker->done;
    if (program == STAGE_FRAGMENT) { /* most of them */
        done->fragment_warps++;
        done->fragment_instructions += used;
        return;
    }
    uint64_t *const of[STAGES][2] = {
        [STAGE_VERTEX_A] = {&done->vertex_warps, &done->vertex_instructions},
        [STAGE_VERTEX] = {&done->vertex_warps, &done->vertex_instructions},
        [STAGE_CONTROL] = {&done->control_warps, &done->control_instructions},
        [STAGE_EVALUATION] = {&done->evaluation_warps, &done->evaluation_instructions},
        [STAGE_GEOMETRY] = {&done->geometry_warps, &done->geometry_instructions},
    };
    assert(program < STAGES && of[program][0]);
    *of[program][0] += 1;
    *of[program][1] += used;
}

/* It has stopped after so many steps. False: not at its end, or it was too late. */
static bool end_warp(struct draw_worker *worker, unsigned program, const struct shade_warp *warp, enum shade_stop stop,
                     uint64_t used) {
    count_warp(worker, program, used);
    bool in_time = count_steps(worker, program, used);
    if (stop == SHADE_DONE && in_time)
        return true;
    /* one that is done has taken too long with all others */
    lend_raise_stop(&worker->lent, warp, stop == SHADE_DONE ? SHADE_BUDGET : stop,
                    worker->pipeline->decoded.state.stages.code);
    return false;
}

bool shading_run(struct draw_worker *worker, unsigned program, uint32_t lanes, uint32_t helpers) {
    struct draw_shading *shading = &worker->shading;
    struct shade_start start = {&shading->warp, worker->pipeline->programs.used[program], &shading->stage[program],
                                lanes, helpers};
    uint64_t used;
    assert(program < STAGES && start.program && (helpers & ~lanes) == 0);
    draw_watch(worker, program);
    enum shade_stop stop = shade_start(&start, DRAW_STEPS, &used);
    return end_warp(worker, program, &shading->warp, stop, used);
}

bool shading_go_on(struct draw_worker *worker, unsigned program, uint32_t lanes) {
    assert(program < STAGES && worker->pipeline->programs.used[program]);
    shade_warp_go_on(&worker->shading.warp, worker->pipeline->programs.used[program], &worker->shading.stage[program],
                     lanes);
    uint64_t used;
    draw_watch(worker, program);
    enum shade_stop stop = shade_run(&worker->shading.warp, DRAW_STEPS, &used);
    return end_warp(worker, program, &worker->shading.warp, stop, used);
}

bool shading_run_group(struct draw_worker *worker, unsigned program, struct shade_group *group, unsigned threads) {
    uint64_t used;
    assert(program < STAGES && worker->pipeline->programs.used[program] && threads <= SHADE_LANES);
    draw_watch(worker, program);
    shade_group_begin(group, worker->pipeline->programs.used[program], &worker->shading.stage[program], threads);
    enum shade_stop stop = shade_group_run(group, DRAW_STEPS, &used);
    return end_warp(worker, program, &group->member[0].warp, stop, used);
}
