/* SPDX-License-Identifier: MIT */
#include "engine/compute/grid.h"

#include <string.h>

#include "engine/graph/constants.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"
#include "methods/gf100_compute.h"

/* Whose instruction set is modelled. */
static const struct grid_class classes[] = {
    {0x90c0, 0x91c0, &isa_gf100, .cube_faces = true, .sizes = true},
    {0xa0c0, 0xa0c0, &isa_gf100k, .handles = true, .sizes = true},
    {0xa0c0, 0xa0c0, &isa_gk110, .handles = true, .sizes = true, .gk110_shaders = true},
    {0xa1c0, 0xa1c0, &isa_gk110, .handles = true, .sizes = true},
    {0xb0c0, 0xb0c0, &isa_gm107, .handles = true, .maxwell_choice = true},
    {0xb1c0, 0xb1c0, &isa_gm107, .handles = true, .maxwell_headers = true},
    {0xc0c0, 0xc1c0, &isa_gm107, .handles = true, .maxwell_headers = true, .wide_windows = true},
};

static const struct grid_class *class_of(uint32_t object_class, const struct pfifo_chip *chip) {
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (object_class >= classes[i].first && object_class <= classes[i].last &&
            classes[i].gk110_shaders == chip->has_gk110_shaders)
            return &classes[i];
    return NULL;
}

/* ---- what both forms have in methods ---- */

static uint64_t region(const struct call *call) {
    return call_address(call, GF100_COMPUTE_SET_PROGRAM_REGION_A, GF100_COMPUTE_SET_PROGRAM_REGION_B, 8);
}

/*
 * UNKNOWN: which one counts where there is a window of 32 bits and one of 64; chosen: the one of 64, if it was ever set.
 */
static void take_windows(const struct call *call, struct grid *grid) {
    grid->local_window = call_value(call, GF100_COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW);
    grid->shared_window = call_value(call, GF100_COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW);
    if (!grid->of->wide_windows)
        return;
    uint64_t local = call_address(call, GF100_COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW_A,
                                  GF100_COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW_B, 17),
             shared = call_address(call, GF100_COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW_A,
                                   GF100_COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW_B, 17);
    grid->local_window = local ? local : grid->local_window;
    grid->shared_window = shared ? shared : grid->shared_window;
}

/*
 * UNKNOWN: whether the choice of a 3D object holds for compute, too; chosen: it does, for the objects of a channel. Mesa
 * makes it for 3D alone (nvc0_screen.c, nve4_compute.c), and has one kind of headers for both.
 */
static bool has_chosen_maxwell(const struct call *call) {
    const struct channel_state *state = engine_channel(call->engine, call->channel);
    bool chosen = CALL_FIELD(call, GF100_COMPUTE_SET_SELECT_MAXWELL_TEXTURE_HEADERS, V);
    for (unsigned i = 0; state && i < ENGINE_MAX_FILES && !chosen; i++) {
        const struct object *object = state->objects[i];
        chosen = object && object->index->kind->role == ROLE_3D &&
                 (object->value[GF100_3D_SET_SELECT_MAXWELL_TEXTURE_HEADERS / 4] & 1);
    }
    return chosen;
}

static void take_pools(const struct call *call, struct grid *grid) {
    const struct pfifo_chip *chip = call->engine->fifo->chip;
    bool maxwell = grid->of->maxwell_headers || (grid->of->maxwell_choice && has_chosen_maxwell(call));
    grid->pools = (struct sampling_pools){
        .unit = {.layout = maxwell ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA,
                 .order = chip->gob_order,
                 .mobile = chip->has_mobile_textures},
        .headers = call_address(call, GF100_COMPUTE_SET_TEX_HEADER_POOL_A, GF100_COMPUTE_SET_TEX_HEADER_POOL_B, 8),
        .samplers = call_address(call, GF100_COMPUTE_SET_TEX_SAMPLER_POOL_A, GF100_COMPUTE_SET_TEX_SAMPLER_POOL_B, 8),
        .last_header = CALL_FIELD(call, GF100_COMPUTE_SET_TEX_HEADER_POOL_C, MAXIMUM_INDEX),
        .last_sampler = CALL_FIELD(call, GF100_COMPUTE_SET_TEX_SAMPLER_POOL_C, MAXIMUM_INDEX),
        .faces_here = grid->of->cube_faces,
        .faces = CALL_FIELD(call, GF100_COMPUTE_SET_CUBEMAP_INTER_FACE_FILTERING, MODE)};
}

/* False: what follows is of no use, since the class's programs are not executed. */
static bool take_class(const struct call *call, struct grid *grid) {
    grid->of = class_of(call->object->object_class, call->engine->fifo->chip);
    if (!grid->of)
        return false;
    take_windows(call, grid);
    take_pools(call, grid);
    return true;
}

/* ---- from registers ---- */

static void take_constants(const struct call *call, struct grid *grid) {
    const uint32_t *buffers = object_part(call->object, &constants_gf100_part);
    for (unsigned bank = 0; buffers && bank < SHADE_BANKS; bank++) {
        const uint32_t *buffer = buffers + bank * (size_t)CONSTANTS_BUFFER_WORDS;
        if (buffer[0] & CONSTANTS_VALID)
            grid->constants[bank] = (struct qmd_constants){(uint64_t)(buffer[0] & 0xff) << 32 | buffer[1], buffer[2]};
    }
}

static uint32_t limited(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

/* UNKNOWN: shared and local memory larger than the chip has; chosen: the size is cut. */
static void limit_local(struct grid *grid) {
    uint64_t threads = grid_threads(grid) <= GRID_MOST_THREADS ? (uint64_t)grid_warps(grid) * SHADE_LANES : 0;
    uint32_t most = threads ? (uint32_t)(GRID_LOCAL_ALL / threads) : 0;
    most = limited(most, GRID_MOST_LOCAL);
    grid->local_low = limited(grid->local_low, most);
    grid->local_high = limited(grid->local_high, most - grid->local_low);
}

void grid_from_registers(const struct call *call, struct grid *grid) {
    *grid = (struct grid){
        .form = "registers",
        .code = region(call),
        .entry = call_value(call, GF100_COMPUTE_SET_CTA_PROGRAM_START),
        .blocks = {CALL_FIELD(call, GF100_COMPUTE_SET_CTA_RASTER_SIZE_A, WIDTH),
                   CALL_FIELD(call, GF100_COMPUTE_SET_CTA_RASTER_SIZE_A, HEIGHT),
                   CALL_FIELD(call, GF100_COMPUTE_SET_CTA_RASTER_SIZE_B, DEPTH)},
        .threads = {CALL_FIELD(call, GF100_COMPUTE_SET_CTA_THREAD_DIMENSION_A, D0),
                    CALL_FIELD(call, GF100_COMPUTE_SET_CTA_THREAD_DIMENSION_A, D1),
                    CALL_FIELD(call, GF100_COMPUTE_SET_CTA_THREAD_DIMENSION_B, D2)},
        .shared = limited(CALL_FIELD(call, GF100_COMPUTE_SET_SHADER_SHARED_MEMORY_SIZE, V), GRID_MOST_SHARED),
        .local_low = CALL_FIELD(call, GF100_COMPUTE_SET_SHADER_LOCAL_MEMORY_LOW_SIZE, V),
        .local_high = CALL_FIELD(call, GF100_COMPUTE_SET_SHADER_LOCAL_MEMORY_HIGH_SIZE, V),
        .registers = CALL_FIELD(call, GF100_COMPUTE_SET_CTA_REGISTER_COUNT, V),
        .number = CALL_FIELD(call, GF100_COMPUTE_SET_LAUNCH_ID, REF_CNT),
        .parameter = call_value(call, GF100_COMPUTE_SET_GRID_PARAM)};
    limit_local(grid);
    if (!take_class(call, grid))
        return;
    grid->pools.linked = CALL_FIELD(call, GF100_COMPUTE_SET_SAMPLER_BINDING, V);
    take_constants(call, grid);
}

/* ---- from a QMD ---- */

void grid_from_qmd(const struct call *call, const struct qmd *qmd, uint64_t address, struct grid *grid) {
    *grid = (struct grid){.form = qmd->form,
                          .qmd = address,
                          .shared = qmd->shared,
                          .local_low = qmd->local_low,
                          .local_high = qmd->local_high,
                          .registers = qmd->registers};
    memcpy(grid->blocks, qmd->grid, sizeof grid->blocks);
    memcpy(grid->threads, qmd->threads, sizeof grid->threads);
    grid->code = qmd->is_offset ? region(call) : qmd->program;
    grid->entry = qmd->is_offset ? (uint32_t)qmd->program : 0;
    if (!qmd->has_program || !take_class(call, grid))
        return;
    grid->pools.linked = qmd->linked_samplers;
    grid->texture_bank = CALL_FIELD(call, GF100_COMPUTE_SET_BINDLESS_TEXTURE, CONSTANT_BUFFER_SLOT_SELECT);
    memcpy(grid->constants, qmd->constants, sizeof qmd->constants);
}

/* ---- what the scheduler refuses ---- */

/* Registers of a thread come in steps of 8, and a processor has 65536. */
static bool has_too_many_registers(const struct grid *grid) {
    return ((grid->registers + 7) & ~7u) * grid_warps(grid) * SHADE_LANES > 0x10000;
}

static bool has_large_constants(const struct grid *grid) {
    for (unsigned bank = 0; bank < SHADE_BANKS; bank++)
        if (grid->constants[bank].bytes > 0x10000)
            return true;
    return false;
}

/*
 * UNKNOWN: the order of the checks; chosen: the one below. UNKNOWN: how much local memory a grid may have,
 * which depends on how much SET_SHADER_LOCAL_MEMORY gives to each processor; chosen: a fixed amount for each block.
 */
bool grid_is_refused(const struct grid *grid, enum engine_error *error) {
    bool no_threads = !grid_threads(grid), many_threads = grid_threads(grid) > GRID_MOST_THREADS;
    const struct {
        bool refused;
        enum engine_error error;
    } checks[] = {
        {no_threads, ENGINE_ERROR_SKED_NO_THREADS},
        {has_large_constants(grid), ENGINE_ERROR_SKED_CONSTANTS},
        {grid->local_low > GRID_MOST_LOCAL, ENGINE_ERROR_SKED_LOCAL_LOW},
        {grid->local_high > GRID_MOST_LOCAL, ENGINE_ERROR_SKED_LOCAL_HIGH},
        {!many_threads && (uint64_t)grid_local(grid) * grid_warps(grid) * SHADE_LANES > GRID_LOCAL_ALL,
         ENGINE_ERROR_SKED_LOCAL_ALL},
        {many_threads, ENGINE_ERROR_SKED_THREADS},
        {grid->shared > GRID_MOST_SHARED, ENGINE_ERROR_SKED_SHARED},
        {!many_threads && has_too_many_registers(grid), ENGINE_ERROR_SKED_REGISTERS},
    };
    for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        *error = checks[i].error;
        if (checks[i].refused)
            return true;
    }
    return false;
}
