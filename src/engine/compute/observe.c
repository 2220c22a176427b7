/* SPDX-License-Identifier: MIT */
#include "engine/compute/observe.h"

#include <assert.h>
#include <string.h>

#include <pfifo/launch.h>

#include "engine/compute/grid.h"
#include "engine/compute/object.h"
#include "engine/surface/access.h"
#include "event/event.h"
#include "fifo/fifo.h"

_Static_assert(PFIFO_LAUNCH_CONSTANTS == SHADE_BANKS, "each bank is told");

static struct pfifo_launch describe(const struct call *call, const struct grid *grid) {
    struct pfifo_launch launch = {.form = grid->form,
                                  .executed = grid->of && grid_blocks(grid) && grid_threads(grid) &&
                                              grid_threads(grid) <= GRID_MOST_THREADS,
                                  .object_class = call->object->object_class,
                                  .method = call->method,
                                  .program = grid->code + grid->entry,
                                  .code = grid->code,
                                  .qmd = grid->qmd};
    memcpy(launch.blocks, grid->blocks, sizeof launch.blocks);
    memcpy(launch.threads, grid->threads, sizeof launch.threads);
    if (!launch.executed)
        return launch;
    launch.shared = grid->shared;
    launch.local = grid_local(grid);
    launch.registers = grid->registers;
    for (unsigned i = 0; i < PFIFO_LAUNCH_CONSTANTS; i++)
        launch.constants[i] = (struct pfifo_launch_constants){grid->constants[i].address, grid->constants[i].bytes};
    return launch;
}

void launch_observe(const struct call *call, const struct grid *grid) {
    struct event_hub *events = call->engine->fifo->events;
    if (!event_wanted(events, EVENT_ENGINE_LAUNCH))
        return;
    const struct pfifo_launch launch = describe(call, grid);
    events->launch = &launch;
    event_send(events, EVENT_ENGINE_LAUNCH, call->channel->id, launch.form, launch.object_class, launch.method,
               launch.program, launch.qmd, launch.blocks[0], launch.blocks[1], launch.blocks[2], launch.threads[0],
               launch.threads[1], launch.threads[2], 0);
    events->launch = NULL;
}

static void tell_reads(const struct call *call, const struct grid *grid) {
    const struct address_space space = call_space(call, 0);
    if (grid->qmd)
        call_reads_bytes(call, "QMD", &space, grid->qmd,
                         4 * (uint64_t)qmd_words(compute_object_of(call)->qmd, call->object->object_class));
    for (unsigned i = 0; i < SHADE_BANKS; i++)
        if (grid->constants[i].bytes)
            call_reads_bytes(call, "constants", &space, grid->constants[i].address, grid->constants[i].bytes);
}

void launch_observe_end(const struct call *call, const struct grid *grid, const struct grid_progress *progress) {
    struct event_hub *events = call->engine->fifo->events;
    assert(grid->of && progress->block <= grid_blocks(grid));
    tell_reads(call, grid);
    if (!event_wanted(events, EVENT_ENGINE_LAUNCHED))
        return;
    struct pfifo_launch launch = describe(call, grid);
    launch.work = (struct pfifo_launch_work){progress->block, progress->block * grid_warps(grid), progress->total};
    events->launch = &launch;
    event_send(events, EVENT_ENGINE_LAUNCHED, call->channel->id, launch.form, launch.object_class, launch.method,
               launch.program, launch.qmd, launch.work.blocks, launch.work.warps, launch.work.instructions, 0);
    events->launch = NULL;
}
