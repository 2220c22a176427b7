/* SPDX-License-Identifier: MIT */
#include "engine/compute/execute.h"

#include <assert.h>
#include <string.h>

#include "engine/compute/object.h"
#include "engine/compute/observe.h"
#include "engine/compute/run.h"
#include "engine/core/error.h"
#include "engine/sync/report.h"
#include "fifo/fifo.h"

void execute_tell(const struct call *call, const struct grid *grid) {
    launch_observe(call, grid);
    if (grid_blocks(grid) && !grid->of)
        call_work_not_executed(call, "kernel");
}

/* ---- slices ---- */

static struct grid_progress *progress_of(const struct call *call) {
    return work_progress(call, sizeof(struct grid_progress));
}

static enum action_result pause(const struct call *call) {
    work_pause(call);
    return ACTION_STALL;
}

static enum action_result end(const struct call *call) {
    work_end(call);
    return ACTION_DONE;
}

/* Its program is new. False: no memory of the host. */
static bool begin_run(struct compute_object *object) {
    if (!object->run)
        object->run = grid_run_new();
    if (object->run)
        grid_run_begin(object->run);
    return object->run != NULL;
}

static enum grid_result run_slice(const struct call *call, struct compute_object *object, const struct grid *grid) {
    struct grid_progress *progress = progress_of(call);
    uint64_t cost = 0;
    if (!grid->of || !grid_blocks(grid)) {
        work_costs(call, WORK_START_BYTES);
        return GRID_DONE;
    }
    /* after a load there is no run, unless a block was under way */
    if ((!progress->begun || !object->run) && !begin_run(object))
        return GRID_FAILED;
    progress->begun = 1;
    if (progress->block > grid_blocks(grid)) /* what was loaded may be anything */
        progress->block = grid_blocks(grid);
    enum grid_result result = grid_run_slice(object, call, grid, progress, &cost);
    work_costs(call, cost + WORK_START_BYTES);
    if (result == GRID_MORE)
        return result;
    grid_run_end(object->run);
    launch_observe_end(call, grid, progress);
    return result;
}

/* ---- from registers ---- */

/*
 * UNKNOWN: what a block without threads, or with more than there can be, does; chosen: it does not run, and says so.
 */
enum action_result execute_registers(const struct call *call) {
    struct grid grid;
    grid_from_registers(call, &grid);
    bool begins = !work_under_way(call);
    if (begins)
        execute_tell(call, &grid);
    if (grid_blocks(&grid) && (!grid_threads(&grid) || grid_threads(&grid) > GRID_MOST_THREADS)) {
        if (begins)
            call_work_not_executed(call, "number of threads");
        return end(call);
    }
    return run_slice(call, compute_object_of(call), &grid) == GRID_MORE ? pause(call) : end(call);
}

/* ---- from a QMD ---- */

static bool read_words(const struct call *call, uint64_t address, uint32_t *words, uint32_t count) {
    struct address_space space = call_space(call, 0);
    uint8_t bytes[QMD_MAX_WORDS * 4];
    assert(count <= QMD_MAX_WORDS);
    struct fault fault;
    if (!memory_read(call->engine->fifo->memory, &space, address, bytes, (uint64_t)count * 4, &fault)) {
        call_fault(call, &fault);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        words[i] = load_le32(bytes + 4 * i);
    return true;
}

/* The version is in the part that all have, and says whether there is more. */
static bool read_qmd(const struct call *call, struct compute_object *object) {
    memset(object->qmd, 0, sizeof object->qmd);
    if (!read_words(call, object->qmd_at, object->qmd, QMD_MIN_WORDS))
        return false;
    uint32_t count = qmd_words(object->qmd, call->object->object_class);
    assert(count >= QMD_MIN_WORDS && count <= QMD_MAX_WORDS);
    return count == QMD_MIN_WORDS ||
           read_words(call, object->qmd_at + 4ull * QMD_MIN_WORDS, object->qmd + QMD_MIN_WORDS, count - QMD_MIN_WORDS);
}

/*
 * After a fault nothing interrupts as if it were done. UNKNOWN: the condition of the conditional types of trap, 2 and 3;
 * chosen: it always holds.
 */
static void release(const struct call *call, const struct qmd_release *r) {
    struct dma_address target = {0, r->address};
    enum report_words words = report_words_of(r->size, r->is_64);
    uint64_t payload = r->is_64 ? r->payload : (uint32_t)r->payload;
    bool done = r->reduces ? report_reduce_numbered(call, target, r->operation, r->format, r->is_64, payload, words,
                                                    event_words[PFIFO_WORD_SEMAPHORE])
                           : report_release(call, target, payload, words, event_words[PFIFO_WORD_SEMAPHORE]);
    if (done && r->trap)
        call_interrupt(call, "QMD");
}

/*
 * A grid has been executed, or a QMD has none. The grid that depends on it is the next one. UNKNOWN: whether that one
 * waits for anything else; chosen: it does not.
 */
static enum action_result complete(const struct call *call, struct compute_object *object, const struct qmd *qmd) {
    for (unsigned i = 0; i < QMD_MAX_RELEASES; i++)
        if (qmd->release[i].enabled)
            release(call, &qmd->release[i]);
    if (!qmd->has_dependents)
        return end(call);
    if (!qmd->dependent_is_grid || !qmd->has_program) {
        call_work_not_executed(call, qmd->has_program ? "queue of grids" : "dependent grid");
        return end(call);
    }
    object->qmd_at = qmd->dependent;
    *progress_of(call) = (struct grid_progress){0};
    work_costs(call, WORK_START_BYTES);
    return pause(call);
}

static enum action_result go_on(const struct call *call, struct compute_object *object, const struct qmd *qmd,
                                const struct grid *grid) {
    switch (run_slice(call, object, grid)) {
    case GRID_DONE:
        return complete(call, object, qmd);
    case GRID_MORE:
        return pause(call);
    default:
        return end(call);
    }
}

static enum action_result refuse(const struct call *call, enum engine_error error) {
    work_end(call);
    return call_error(call, error);
}

/* The QMD at object->qmd_at. */
static enum action_result begin(const struct call *call, struct compute_object *object) {
    struct qmd qmd;
    struct grid grid;
    enum engine_error error;
    if (!read_qmd(call, object))
        return end(call);
    if (!qmd_decode(object->qmd, call->object->object_class, &qmd))
        return refuse(call, ENGINE_ERROR_QMD_VERSION);
    if (qmd.is_queue) {
        call_work_not_executed(call, "queue of grids");
        return end(call);
    }
    if (qmd.is_null)
        return complete(call, object, &qmd);
    grid_from_qmd(call, &qmd, object->qmd_at, &grid);
    if (grid_is_refused(&grid, &error))
        return refuse(call, error);
    execute_tell(call, &grid);
    return go_on(call, object, &qmd, &grid);
}

enum action_result execute_qmd(const struct call *call, uint64_t address) {
    struct compute_object *object = compute_object_of(call);
    object->qmd_at = address;
    return begin(call, object);
}

/* What was loaded may be anything. */
enum action_result execute_further(const struct call *call) {
    struct compute_object *object = compute_object_of(call);
    struct qmd qmd;
    struct grid grid;
    enum engine_error error;
    if (!progress_of(call)->begun)
        return begin(call, object);
    if (!qmd_decode(object->qmd, call->object->object_class, &qmd))
        return end(call);
    grid_from_qmd(call, &qmd, object->qmd_at, &grid);
    return grid_is_refused(&grid, &error) ? end(call) : go_on(call, object, &qmd, &grid);
}
