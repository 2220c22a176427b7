/* SPDX-License-Identifier: MIT */
#include "engine/compute/launch.h"

#include <assert.h>

#include "engine/compute/qmd.h"
#include "engine/core/error.h"
#include "engine/graph/render.h"
#include "engine/sync/report.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "methods/g80_compute.h"
#include "methods/gf100_compute.h"

#define MAX_THREADS 1024u

struct grid {
    uint64_t program, qmd;
    uint32_t blocks[3], threads[3];
    const char *form;
};

static uint32_t low_half(uint32_t value) {
    return value & 0xffff;
}

/* The event, and that it is not executed; a grid without blocks has nothing to execute. */
static void tell(const struct call *call, const struct grid *g) {
    event_send(call->engine->fifo->events, EVENT_ENGINE_LAUNCH, call->channel->id, g->form, call->object->object_class,
               call->method, g->program, g->qmd, g->blocks[0], g->blocks[1], g->blocks[2], g->threads[0], g->threads[1],
               g->threads[2], 0);
    if (g->blocks[0] && g->blocks[1] && g->blocks[2])
        call_work_not_executed(call, "kernel");
}

/* ---- from registers ---- */

static void set_threads(const struct call *call, struct grid *g) {
    g->threads[0] = low_half(call_value(call, G80_COMPUTE_BLOCKDIM_XY));
    g->threads[1] = call_value(call, G80_COMPUTE_BLOCKDIM_XY) >> 16;
    g->threads[2] = low_half(call_value(call, G80_COMPUTE_BLOCKDIM_Z));
    g->form = "registers";
}

enum action_result launch_g80(struct call *call) {
    static const struct predicate_methods enable = {G80_COMPUTE_COND_ADDRESS_HIGH, G80_COMPUTE_COND_ADDRESS_LOW,
                                                    G80_COMPUTE_COND_MODE, .object = G80_COMPUTE_DMA_QUERY, .bits = 8};
    struct grid g = {
        .program = call_address(call, G80_COMPUTE_CP_ADDRESS_HIGH, G80_COMPUTE_CP_ADDRESS_LOW, 8) +
                   CALL_FIELD(call, G80_COMPUTE_CP_START_ID, OFFSET),
        .blocks = {low_half(call_value(call, G80_COMPUTE_GRIDDIM)), call_value(call, G80_COMPUTE_GRIDDIM) >> 16, 1}};
    set_threads(call, &g);
    if (predicate_allows(call, &enable))
        tell(call, &g);
    return ACTION_DONE;
}

#define AUTO_LAUNCH 1u

enum action_result launch_g80_parameter(struct call *call) {
    bool is_automatic = CALL_FIELD(call, G80_COMPUTE_SET_LAUNCH_CONTROL, LAUNCH) == AUTO_LAUNCH;
    bool is_last =
        (call->method - G80_COMPUTE_USER_PARAM(0)) / 4u == (call_value(call, G80_COMPUTE_USER_PARAM_COUNT) & 0xff);
    return is_automatic && is_last ? launch_g80(call) : ACTION_DONE;
}

enum action_result launch_gf100(struct call *call) {
    struct grid g = {.program =
                         call_address(call, GF100_COMPUTE_SET_PROGRAM_REGION_A, GF100_COMPUTE_SET_PROGRAM_REGION_B, 8) +
                         call_value(call, GF100_COMPUTE_SET_CTA_PROGRAM_START),
                     .blocks = {low_half(call_value(call, GF100_COMPUTE_SET_CTA_RASTER_SIZE_A)),
                                call_value(call, GF100_COMPUTE_SET_CTA_RASTER_SIZE_A) >> 16,
                                low_half(call_value(call, GF100_COMPUTE_SET_CTA_RASTER_SIZE_B))}};
    set_threads(call, &g);
    if (render_allowed_gf100(call))
        tell(call, &g);
    return ACTION_DONE;
}

/* ---- from a QMD ---- */

/*
 * After a fault nothing interrupts as if it were done. UNKNOWN: the condition of the conditional types of trap, 2 and 3;
 * chosen: it always holds.
 */
static void grid_release(const struct call *call, const struct qmd_release *r) {
    struct dma_address target = {0, r->address};
    enum report_words words = report_words_of(r->size, r->is_64);
    uint64_t payload = r->is_64 ? r->payload : (uint32_t)r->payload;
    bool done = r->reduces ? report_reduce_numbered(call, target, r->operation, r->format, r->is_64, payload, words,
                                                    event_words[PFIFO_WORD_SEMAPHORE])
                           : report_release(call, target, payload, words, event_words[PFIFO_WORD_SEMAPHORE]);
    if (done && r->trap)
        call_interrupt(call, "QMD");
}

/* The grid is done, as nothing of it is. */
static void grid_complete(const struct call *call, const struct qmd *qmd) {
    for (unsigned i = 0; i < QMD_MAX_RELEASES; i++)
        if (qmd->release[i].enabled)
            grid_release(call, &qmd->release[i]);
    if (qmd->has_dependents)
        call_work_not_executed(call, "dependent grid");
}

static bool grid_read_words(const struct call *call, uint64_t address, uint32_t *words, uint32_t count) {
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
static bool read_qmd(const struct call *call, uint64_t address, uint32_t words[QMD_MAX_WORDS]) {
    if (!grid_read_words(call, address, words, QMD_MIN_WORDS))
        return false;
    uint32_t count = qmd_words(words, call->object->object_class);
    assert(count >= QMD_MIN_WORDS && count <= QMD_MAX_WORDS);
    return count == QMD_MIN_WORDS ||
           grid_read_words(call, address + 4ull * QMD_MIN_WORDS, words + QMD_MIN_WORDS, count - QMD_MIN_WORDS);
}

static enum action_result start(const struct call *call, const struct qmd *qmd, uint64_t address) {
    struct grid g = {.program = qmd->program, .qmd = address, .form = qmd->form};
    memcpy(g.blocks, qmd->grid, sizeof g.blocks);
    memcpy(g.threads, qmd->threads, sizeof g.threads);
    if (qmd->is_offset)
        g.program += call_address(call, GF100_COMPUTE_SET_PROGRAM_REGION_A, GF100_COMPUTE_SET_PROGRAM_REGION_B, 8);
    if (!g.threads[0] || !g.threads[1] || !g.threads[2])
        return call_error(call, ENGINE_ERROR_SKED_NO_THREADS);
    /* 48 bits at most, as each has 16 */
    if ((uint64_t)g.threads[0] * g.threads[1] * g.threads[2] > MAX_THREADS)
        return call_error(call, ENGINE_ERROR_SKED_THREADS);
    tell(call, &g);
    grid_complete(call, qmd);
    return ACTION_DONE;
}

static enum action_result schedule(const struct call *call, uint64_t address) {
    uint32_t words[QMD_MAX_WORDS] = {0};
    struct qmd qmd;
    if (!render_allowed_gf100(call) || !read_qmd(call, address, words))
        return ACTION_DONE;
    if (!qmd_decode(words, call->object->object_class, &qmd))
        return call_error(call, ENGINE_ERROR_QMD_VERSION);
    if (qmd.is_queue) {
        call_work_not_executed(call, "queue of grids");
        return ACTION_DONE;
    }
    if (!qmd.is_null)
        return start(call, &qmd, address);
    grid_complete(call, &qmd);
    return ACTION_DONE;
}

static enum action_result schedule_pcas(const struct call *call) {
    return schedule(call, (uint64_t)call_value(call, GF100_COMPUTE_SEND_PCAS_A) << 8);
}

#define SCHEDULE 2u

/* Without SCHEDULE it only makes caches forget the QMD. */
enum action_result launch_gk104(struct call *call) {
    return call->data & SCHEDULE ? schedule_pcas(call) : ACTION_DONE;
}

enum pcas_action {
    PCAS_NOP = 0,
    PCAS_INVALIDATE = 1,
    PCAS_SCHEDULE = 2,
    PCAS_INVALIDATE_COPY_SCHEDULE = 3,
    PCAS_PREFETCH = 8,
    PCAS_PREFETCH_SCHEDULE = 9,
    PCAS_INVALIDATE_PREFETCH_COPY_SCHEDULE = 10,
};

enum action_result launch_ga100(struct call *call) {
    switch (call->data & 0xf) {
    case PCAS_NOP:
    case PCAS_INVALIDATE:
    case PCAS_PREFETCH:
        return ACTION_DONE;
    case PCAS_SCHEDULE:
    case PCAS_INVALIDATE_COPY_SCHEDULE:
    case PCAS_PREFETCH_SCHEDULE:
    case PCAS_INVALIDATE_PREFETCH_COPY_SCHEDULE:
        return schedule_pcas(call);
    default:
        call_work_not_executed(call, "dependence of grids");
        return ACTION_DONE;
    }
}

#define UPPER_BITS      0x1ffu /* addresses of 49 bits, in units of 256 */
#define INLINE_SIZE_384 (1u << 30)

static enum action_result inline_qmd(const struct call *call, uint32_t count) {
    uint32_t high = call_value(call, GF100_COMPUTE_SET_INLINE_QMD_ADDRESS_A) & UPPER_BITS,
             word = (call->method - GF100_COMPUTE_LOAD_INLINE_QMD_DATA(0)) / 4u;
    uint64_t qmd = ((uint64_t)high << 32 | call_value(call, GF100_COMPUTE_SET_INLINE_QMD_ADDRESS_B)) << 8;
    struct address_space space = call_space(call, 0);
    struct fault fault;
    if (word >= count)
        return ACTION_DONE;
    if (!memory_wr32(call->engine->fifo->memory, &space, qmd + 4ull * word, call->data, &fault)) {
        call_fault(call, &fault);
        return ACTION_DONE;
    }
    return word + 1 == count ? schedule(call, qmd) : ACTION_DONE;
}

enum action_result launch_inline_qmd(struct call *call) {
    return inline_qmd(call, QMD_MIN_WORDS);
}

enum action_result launch_inline_qmd_gh100(struct call *call) {
    return inline_qmd(call, call_value(call, GF100_COMPUTE_SET_INLINE_QMD_ADDRESS_A) & INLINE_SIZE_384 ? QMD_MAX_WORDS
                                                                                                       : QMD_MIN_WORDS);
}
