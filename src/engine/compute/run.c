/* SPDX-License-Identifier: MIT */
#include "engine/compute/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/compute/object.h"
#include "engine/compute/specials.h"
#include "engine/core/work.h"
#include "engine/lend/constants.h"
#include "engine/lend/lender.h"
#include "engine/lend/programs.h"
#include "engine/shade/executor.h"
#include "engine/shade/group.h"
#include "engine/shade/watch.h"
#include "fifo/channel.h"
#include "fifo/fifo.h"
#include "methods/gf100_compute.h"

#define COST_WARP  8192u /* of a block, to begin it, as work.h counts; its memory costs its bytes */
#define PIECE      512u  /* instructions between looks at what they have cost */
#define MOST_WARPS (GRID_MOST_THREADS / SHADE_LANES)

struct grid_run {
    struct lender lent; /* first: it is io.opaque of programs */
    struct programs programs;
    struct shade_io io;
    struct shade_identity identity;
    uint8_t *copy[SHADE_BANKS]; /* of constants that are not contiguous in the host; NULL: not needed */
    struct shade_group *group;
    struct specials *specials;       /* of its warps */
    struct image slots[IMAGE_SLOTS]; /* Fermi */
    uint8_t *local, *shared;
    uint32_t *locks; /* a bit for each word of shared memory */
    size_t local_room;

    bool under_way; /* a block of: */
    uint32_t threads, local_bytes, shared_bytes;
};

struct grid_run *grid_run_new(void) {
    struct grid_run *run = calloc(1, sizeof *run);
    if (run)
        lender_init(&run->lent, NULL);
    return run;
}

void grid_run_free(struct grid_run *run) {
    if (!run)
        return;
    programs_forget(&run->programs);
    lender_free(&run->lent);
    for (unsigned bank = 0; bank < SHADE_BANKS; bank++)
        free(run->copy[bank]);
    shade_group_free(run->group);
    free(run->specials);
    free(run->local);
    free(run->shared);
    free(run->locks);
    free(run);
}

/*
 * UNKNOWN: which instructions the hardware still has in its caches after memory was written and nothing invalidated
 * them; chosen: none, a launch reads what is in memory.
 */
void grid_run_begin(struct grid_run *run) {
    programs_forget(&run->programs);
    run->under_way = false;
}

void grid_run_end(struct grid_run *run) {
    run->under_way = false;
    if (run->local_room <= GRID_KEPT)
        return;
    free(run->local);
    run->local = NULL;
    run->local_room = 0;
}

size_t grid_run_kept(const struct grid_run *run) {
    return run->local_room;
}

/* ---- memory of a block ---- */

static uint32_t warps_of(uint32_t threads) {
    return (threads + SHADE_LANES - 1) / SHADE_LANES;
}

static size_t local_size(const struct grid_run *run) {
    return (size_t)warps_of(run->threads) * SHADE_LANES * run->local_bytes;
}

/* False: no memory of the host. */
static bool make_group(struct grid_run *run) {
    unsigned warps = warps_of(run->threads);
    if (run->group && run->specials && run->group->room >= warps)
        return true;
    shade_group_free(run->group);
    free(run->specials);
    run->group = shade_group_new(warps);
    run->specials = aligned_alloc(64, (warps * sizeof *run->specials + 63) / 64 * 64);
    return run->group && run->specials;
}

static bool make_memory(struct grid_run *run) {
    size_t local = local_size(run);
    if (local > run->local_room) {
        free(run->local);
        run->local = malloc(local);
        run->local_room = run->local ? local : 0;
    }
    if (run->shared_bytes && !run->shared)
        run->shared = malloc(GRID_MOST_SHARED);
    if (run->shared_bytes && !run->locks)
        run->locks = malloc(GRID_MOST_SHARED / SHADE_LOCK_BYTES * sizeof *run->locks);
    return run->local_room >= local && (!run->shared_bytes || (run->shared && run->locks));
}

/* For a block of so many threads. False: no memory of the host. */
static bool make_room(struct grid_run *run, uint32_t threads, uint32_t local, uint32_t shared) {
    assert(threads && threads <= GRID_MOST_THREADS && shared <= GRID_MOST_SHARED);
    run->threads = threads;
    run->local_bytes = local;
    run->shared_bytes = shared;
    return make_group(run) && make_memory(run);
}

static void clear_memory(struct grid_run *run) {
    if (run->local_bytes)
        memset(run->local, 0, local_size(run));
    if (run->shared_bytes) {
        memset(run->shared, 0, run->shared_bytes);
        memset(run->locks, 0, GRID_MOST_SHARED / SHADE_LOCK_BYTES * sizeof *run->locks);
    }
}

static void lend_memory_of_block(struct grid_run *run, struct shade_io *io) {
    io->local = run->local_bytes ? run->local : NULL;
    io->local_bytes = run->local_bytes;
    io->shared = run->shared_bytes ? run->shared : NULL;
    io->shared_bytes = run->shared_bytes;
    io->locks = run->shared_bytes ? run->locks : NULL;
}

/* ---- what programs are lent ---- */

static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    struct grid_run *run = warp->io->opaque;
    call_work_not_executed(run->lent.faults.call, ir->name ? ir->name : "instruction");
}

/* Where specials_fill() puts them. */
static void thread_of(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    const struct shade_special *specials = warp->io->specials;
    *thread = (struct pfifo_warp_thread){.is = "thread", .count = 6};
    for (unsigned i = 0; i < 3; i++) {
        thread->at[i] = specials[SPECIALS_THREAD + i].row[lane];
        thread->at[3 + i] = specials[SPECIALS_BLOCK + i].value;
    }
}

static void lend_watch(struct grid_run *run, const struct call *call, const struct grid *grid) {
    run->io.watch = call->engine->fifo->watch;
    run->identity = (struct shade_identity){.stage = PFIFO_STAGE_COMPUTE,
                                            .channel = call->channel->id,
                                            .code = grid->code,
                                            .program = grid->code + grid->entry,
                                            .thread = thread_of};
    run->io.identity = &run->identity;
}

/* UNKNOWN: in which steps registers are given to threads; chosen: 8. */
static void lend(struct grid_run *run, const struct compute_object *object, const struct grid *grid) {
    run->io = (struct shade_io){.opaque = &run->lent,
                                .specials = run->specials->list, /* each warp will have its own */
                                .texture_bank = grid->texture_bank,
                                .registers = (uint16_t)((grid->registers + 7) & ~7u),
                                .local_high = grid->local_high,
                                .local_window = grid->local_window,
                                .shared_window = grid->shared_window,
                                .slots = grid->of->handles ? NULL : &object->slots,
                                .load = lend_load,
                                .store = lend_store,
                                .texture = lend_texture,
                                .surface = lend_surface,
                                .not_executed = not_executed};
    lend_memory_of_block(run, &run->io);
    for (unsigned bank = 0; bank < SHADE_BANKS; bank++)
        run->io.constants[bank] = lend_constants(&run->lent.memory, grid->constants[bank].address,
                                                 grid->constants[bank].bytes, &run->copy[bank]);
}

/* Fermi: methods say what images are. Later classes have addresses or headers. */
static void lend_images(struct grid_run *run, const struct call *call, const struct grid *grid) {
    uint32_t words[IMAGE_SLOT_WORDS];
    run->lent.slots = grid->of->handles ? NULL : run->slots;
    for (unsigned i = 0; i < IMAGE_SLOTS && !grid->of->handles; i++) {
        for (unsigned k = 0; k < IMAGE_SLOT_WORDS; k++)
            words[k] = call_value(call, GF100_COMPUTE_SET_SU_LD_ST_TARGET_A(i) + 4 * k);
        run->slots[i] = image_of_slot(words, call->engine->fifo->chip->gob_order);
    }
}

static bool take_program(struct grid_run *run, const struct call *call, const struct grid *grid) {
    return programs_use(&run->programs, call->engine->fifo->programs, 0,
                        &(struct program_place){.isa = grid->of->isa,
                                                .code = grid->code,
                                                .entry = grid->entry,
                                                .memory = run->lent.memory.memory,
                                                .space = run->lent.memory.space});
}

/* ---- blocks ---- */

static void place_warps(struct grid_run *run, const struct grid *grid, uint64_t block, uint64_t time) {
    struct specials_place place = {.block = {(uint32_t)(block % grid->blocks[0]),
                                             (uint32_t)(block / grid->blocks[0] % grid->blocks[1]),
                                             (uint32_t)(block / grid->blocks[0] / grid->blocks[1])},
                                   .time = time};
    for (unsigned i = 0; i < run->group->warps; i++) {
        struct shade_io *io = &run->group->member[i].io;
        place.warp = i;
        specials_fill(&run->specials[i], grid, &place);
        io->specials = run->specials[i].list;
        io->special_count = run->specials[i].count;
    }
}

static uint64_t begin_block(struct grid_run *run) {
    clear_memory(run);
    shade_group_begin(run->group, run->programs.used[0], &run->io, run->threads);
    run->under_way = true;
    return (uint64_t)COST_WARP * run->group->warps + local_size(run) + run->shared_bytes;
}

/* Goes on with the block that is under way, if it is one of this grid. */
static void take_up(struct grid_run *run, const struct grid *grid) {
    bool same = run->under_way && run->threads == grid_threads(grid) && run->local_bytes == grid_local(grid) &&
                run->shared_bytes == grid->shared;
    run->under_way = same;
}

/* False: no memory of the host. */
static bool prepare(struct compute_object *object, const struct call *call, const struct grid *grid) {
    struct grid_run *run = object->run;
    lender_begin(&run->lent, call);
    take_up(run, grid);
    if (!make_room(run, (uint32_t)grid_threads(grid), grid_local(grid), grid->shared) ||
        !take_program(run, call, grid) || !lender_start(&run->lent, &grid->pools))
        return false;
    lend(run, object, grid);
    lend_images(run, call, grid);
    lend_watch(run, call, grid);
    run->io.compiled = shade_compile(run->programs.used[0], &run->io);
    if (run->under_way)
        shade_group_attach(run->group, run->programs.used[0], &run->io);
    return true;
}

static uint64_t take_costs(struct grid_run *run) {
    uint64_t cost = run->lent.costs.programs;
    run->lent.costs = (struct lend_costs){0};
    return cost;
}

/* Of a block that waits for ever: the first warp that has not ended. */
static const struct shade_warp *failed_warp(const struct grid_run *run, enum shade_stop stop) {
    unsigned number = run->group->failed;
    if (stop == SHADE_BUDGET || stop == SHADE_BARRIER)
        for (number = 0; number + 1 < run->group->warps && !run->group->member[number].warp.alive;)
            number++;
    return &run->group->member[number].warp;
}

/* A piece of the block under way. */
static enum grid_result run_piece(struct grid_run *run, const struct grid *grid, struct grid_progress *progress,
                                  uint64_t *cost) {
    uint64_t used;
    enum shade_stop stop = shade_group_run(run->group, PIECE, &used);
    progress->steps += used;
    progress->total += used;
    *cost += used * COST_STEP + take_costs(run);
    if (stop == SHADE_BUDGET && progress->steps <= GRID_STEPS * run->group->warps)
        return GRID_MORE;
    run->under_way = false;
    if (stop == SHADE_DONE)
        return GRID_DONE;
    lend_raise_stop(&run->lent, failed_warp(run, stop), stop, grid->code);
    return GRID_FAILED;
}

static enum grid_result run_blocks(struct grid_run *run, const struct call *call, const struct grid *grid,
                                   struct grid_progress *progress, uint64_t *cost) {
    uint64_t time = fifo_now(call->engine->fifo);
    if (run->under_way)
        place_warps(run, grid, progress->block, time);
    while (*cost < WORK_SLICE_BYTES) {
        if (progress->block >= grid_blocks(grid))
            return GRID_DONE;
        if (!run->under_way) {
            *cost += begin_block(run);
            place_warps(run, grid, progress->block, time);
        }
        enum grid_result result = run_piece(run, grid, progress, cost);
        if (result == GRID_FAILED)
            return result;
        if (result == GRID_DONE) {
            progress->block++;
            progress->steps = 0;
        }
    }
    return progress->block >= grid_blocks(grid) ? GRID_DONE : GRID_MORE;
}

enum grid_result grid_run_slice(struct compute_object *object, const struct call *call, const struct grid *grid,
                                struct grid_progress *progress, uint64_t *cost) {
    assert(grid->of && object->run && grid_threads(grid));
    *cost = 0;
    if (progress->block >= grid_blocks(grid))
        return GRID_DONE;
    if (!prepare(object, call, grid))
        return GRID_FAILED;
    enum grid_result result = run_blocks(object->run, call, grid, progress, cost);
    const char *reason = sampling_reason(object->run->lent.sampling);
    if (reason)
        call_work_not_executed(call, reason);
    return result;
}

/* ---- state ---- */

/* What is loaded may be anything. */
static void sizes_state(struct grid_run *run, struct state_io *io) {
    unsigned threads = run->threads ? run->threads - 1 : 0, local = run->local_bytes, shared = run->shared_bytes;
    state_index(io, &threads, GRID_MOST_THREADS, "threads of a block");
    state_index(io, &local, 2 * GRID_MOST_LOCAL + 1, "local memory");
    state_index(io, &shared, GRID_MOST_SHARED + 1, "shared memory");
    run->threads = threads + 1;
    run->local_bytes = local;
    run->shared_bytes = shared;
    if (io->loading && local_size(run) > GRID_LOCAL_ALL)
        state_fail(io, PFIFO_ERROR_FORMAT, "too much local memory");
}

static bool load_room(struct grid_run *run, struct state_io *io) {
    struct shade_io lent = {0};
    if (!state_good(io))
        return false;
    if (!make_room(run, run->threads, run->local_bytes, run->shared_bytes)) {
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for a block of threads");
        return false;
    }
    lend_memory_of_block(run, &lent);
    shade_group_begin(run->group, NULL, &lent, run->threads);
    return true;
}

void grid_run_state(struct grid_run **out, struct state_io *io) {
    bool under_way = *out && (*out)->under_way;
    state_bool(io, &under_way);
    if (!under_way)
        return;
    if (io->loading && !*out)
        *out = grid_run_new();
    struct grid_run *run = *out;
    if (!run) {
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for a launch");
        return;
    }
    sizes_state(run, io);
    if (io->loading && !load_room(run, io))
        return;
    shade_group_state(run->group, io);
    run->under_way = state_good(io);
}
