/* SPDX-License-Identifier: MIT */
/* What a draw lends to the shader core: memory, textures, local memory; and how a warp ends. */
#include "engine/draw/shading.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/object.h"
#include "engine/draw/stage_fragment.h"
#include "engine/draw/worker.h"
#include "engine/shade/executor.h"
#include "fifo/fifo.h"

#define MOST_LOCAL (512u << 10) /* bytes of a thread */

/* ---- memory and textures ---- */

static struct draw_worker *work_of(const struct shade_warp *warp) {
    return warp->stage->opaque;
}

static unsigned count_of(uint32_t lanes) {
    return (unsigned)__builtin_popcount(lanes);
}

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    struct draw_worker *work = work_of(warp);
    struct fault fault;
    work->cost += count_of(lanes) * COST_ACCESS;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) &&
            !memory_read(work->memory, &work->space, address[i], (uint8_t *)to + i * (size_t)stride, bytes, &fault)) {
            draw_fail(work, USE_SHADER, &fault);
            return false;
        }
    }
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    struct draw_worker *work = work_of(warp);
    struct fault fault;
    work->cost += count_of(lanes) * COST_ACCESS;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) && !memory_write(work->memory, &work->space, address[i],
                                              (const uint8_t *)from + i * (size_t)stride, bytes, &fault)) {
            draw_fail(work, USE_SHADER, &fault);
            return false;
        }
    }
    return true;
}

/* UNKNOWN: accesses beyond what is mapped; chosen: a fault, as of all memory, and the draw ends. */
static bool texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                    shade_row out[4]) {
    struct draw_worker *work = work_of(warp);
    unsigned number = (unsigned)(warp->stage - work->stage), group = work->state.stages.stage[number].group;
    const struct sampling_slots *slots = group < DRAW_GROUPS ? &work->object->slots[group] : NULL;
    work->use = USE_TEXTURE;
    work->done.texture_reads += count_of(lanes);
    bool sampled = sampling_texture(work->sampling, slots, warp, lanes, ir, handle, out);
    work->cost += count_of(lanes) * COST_SAMPLE + sampling_texels(work->sampling) * COST_TEXEL;
    return sampled && !work->failed;
}

void shading_textures(struct draw_worker *work) {
    const struct draw_state *state = &work->state;
    const struct pfifo_chip *chip = work->call->engine->fifo->chip;
    struct sampling_pools pools = {
        .unit = {.layout = state->textures.maxwell_headers ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA,
                 .order = work->source.order,
                 .mobile = chip->has_mobile_textures},
        .headers = state->textures.headers,
        .samplers = state->textures.samplers,
        .last_header = state->textures.most_header,
        .last_sampler = state->textures.most_sampler,
        .linked = state->textures.linked_samplers,
        .faces_here = work->source.of->cube_faces,
        .faces = state->textures.cube_faces};
    sampling_begin(work->sampling, &pools);
}

/* ---- other things that a program asks for ---- */

/* Of fragments it is reported at the end of the slice, in the order of addresses: pipeline_report(). */
static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    struct draw_worker *work = work_of(warp);
    if (!warp->stage->collects) {
        call_work_not_executed(work->call, ir->name ? ir->name : "instruction");
        return;
    }
    for (unsigned i = 0; i < work->missing; i++)
        if (work->missing_at[i] == ir->address)
            return;
    if (work->missing < DRAW_MISSING)
        work->missing_at[work->missing++] = ir->address;
}

static void special(struct shade_warp *warp, uint32_t lanes, uint32_t number, uint32_t *out) {
    (void)warp;
    (void)number;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = lanes >> i & 1 ? 0 : out[i];
}

/* ---- a stage ---- */

/* UNKNOWN: in which steps they are given to threads; chosen: 8. */
static uint16_t registers_of(const struct draw_worker *work, unsigned number) {
    uint32_t wanted = work->state.stages.stage[number].registers;
    return (uint16_t)(wanted < SHADE_REGISTERS ? (wanted + 7) & ~7u : SHADE_REGISTERS);
}

/* A header that cannot be read is a fault of the draw. */
static bool read_header(struct draw_worker *work, uint32_t start, uint32_t header[HEADER_WORDS]) {
    uint8_t bytes[HEADER_BYTES];
    work->use = USE_PROGRAM;
    if (!draw_read(work, work->state.stages.code + start, bytes, HEADER_BYTES))
        return false;
    for (unsigned i = 0; i < HEADER_WORDS; i++)
        header[i] = load_le32(bytes + i * (size_t)4);
    return true;
}

bool shading_load(struct draw_worker *work, unsigned number) {
    const struct draw_stage_program *program = &work->state.stages.stage[number];
    struct shade_stage *stage = &work->stage[number];
    const uint32_t start = program->start;
    uint32_t header[HEADER_WORDS];
    if (!read_header(work, start, header))
        return false;
    if (program->known && memcmp(program->header, header, sizeof header) == 0)
        return true;
    draw_header(&work->state, &work->source, number, header);
    work->program[number] = programs_find(work, number, start);
    *stage = (struct shade_stage){.opaque = work,
                                  .texture_bank = work->state.stages.texture_bank,
                                  .registers = registers_of(work, number),
                                  .inputs = work->inputs,
                                  .outputs = work->outputs,
                                  .collects = number == STAGE_FRAGMENT,
                                  .flat = work->state.stages.program.flat_colors,
                                  .local_window = work->state.stages.local_window,
                                  .special = special,
                                  .load = load,
                                  .store = store,
                                  .texture = texture,
                                  .not_executed = not_executed};
    if (number == STAGE_FRAGMENT)
        stage_fragment_set(stage);
    if (!work->program[number])
        return false;
    stage->compiled = shade_compile(work->program[number], stage);
    return true;
}

/* l[] has a positive and a negative part. UNKNOWN: more than the hardware's 512 KiB; chosen: it is cut. */
bool shading_local(struct draw_worker *work) {
    uint32_t bytes = 0;
    for (unsigned i = 0; i < STAGES; i++) {
        const uint32_t *header = work->state.stages.stage[i].header;
        uint32_t wanted = (header[1] & 0xffffff) + (header[2] & 0xffffff);
        wanted = wanted < MOST_LOCAL ? wanted : MOST_LOCAL;
        bytes = bytes > wanted ? bytes : wanted;
    }
    if (bytes > work->local_bytes) {
        uint8_t *local = calloc(SHADE_LANES, bytes);
        if (!local)
            return false;
        free(work->local);
        work->local = local;
        work->local_bytes = bytes;
    }
    for (unsigned i = 0; i < STAGES; i++) {
        work->stage[i].local = work->local;
        work->stage[i].local_bytes = work->local_bytes;
    }
    return true;
}

/* ---- warps ---- */

/* The instruction cannot be read: the fault of that. (Or the host has no memory, for which there is no fault.) */
static void fail_at_program(struct draw_worker *work, uint32_t address) {
    uint8_t bytes[8];
    struct fault fault;
    if (!work->quiet &&
        !memory_read(work->memory, &work->space, work->state.stages.code + address, bytes, sizeof bytes, &fault))
        draw_fail(work, USE_PROGRAM, &fault);
    work->failed = true;
}

static void fail_in_shader(struct draw_worker *work, uint32_t warp, uint32_t processor, uint32_t pc) {
    if (!work->failed && !work->quiet)
        call_shader_error(work->call, &(struct unit_shader_error){warp, processor, pc});
    work->failed = true;
}

/* Where a warp that does not end is. */
static uint32_t lowest_pc(const struct shade_warp *warp) {
    uint32_t pc = UINT32_MAX;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        if (warp->alive >> lane & 1 && warp->pc[lane] < pc)
            pc = warp->pc[lane];
    return pc;
}

/*
 * False: the warp, or all of them together, take too long. Regions of a part that are drawn side by side do not know of
 * each other, but each has a share.
 */
static bool count_steps(struct draw_worker *work, uint64_t used) {
    uint64_t beyond = used > DRAW_LONG ? used - DRAW_LONG : 0, most = DRAW_LONG_ALL;
    work->cost += used * COST_STEP;
    work->long_steps += beyond;
    if (work->warp.stage != &work->stage[STAGE_FRAGMENT])
        return work->object->long_steps + work->long_steps <= most;
    struct draw_fragments *f = work->fragments;
    f->steps += beyond;
    most = f->regions > DRAW_SHARES ? most * DRAW_SHARES / f->regions : most;
    return f->steps <= most && work->object->long_steps + f->steps <= DRAW_LONG_ALL;
}

static void count_warp(struct draw_worker *work, uint64_t used) {
    bool fragments = work->warp.stage == &work->stage[STAGE_FRAGMENT];
    *(fragments ? &work->done.fragment_warps : &work->done.vertex_warps) += 1;
    *(fragments ? &work->done.fragment_instructions : &work->done.vertex_instructions) += used;
}

bool shading_run(struct draw_worker *work) {
    const struct shade_warp *warp = &work->warp;
    uint64_t used;
    enum shade_stop stop = shade_run(&work->warp, DRAW_STEPS, &used);
    count_warp(work, used);
    bool in_time = count_steps(work, used);
    if (stop == SHADE_DONE && in_time)
        return true;
    if (stop == SHADE_FAULT && warp->unreadable)
        fail_at_program(work, warp->fault_address);
    else if (stop == SHADE_ERROR)
        fail_in_shader(work, warp->error, warp->error == SHADE_STACK_ERROR ? UNIT_SHADER_STACK : 0,
                       warp->fault_address);
    else
        fail_in_shader(work, 0, UNIT_SHADER_TIMEOUT, lowest_pc(warp));
    return false;
}
