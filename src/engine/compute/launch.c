/* SPDX-License-Identifier: MIT */
#include "engine/compute/launch.h"

#include <assert.h>

#include "engine/compute/execute.h"
#include "engine/graph/render.h"
#include "fifo/fifo.h"
#include "methods/g80_compute.h"
#include "methods/gf100_compute.h"

/* ---- from registers ---- */

static uint32_t low_half(uint32_t value) {
    return value & 0xffff;
}

enum action_result launch_g80(struct call *call) {
    static const struct predicate_methods enable = {G80_COMPUTE_COND_ADDRESS_HIGH, G80_COMPUTE_COND_ADDRESS_LOW,
                                                    G80_COMPUTE_COND_MODE, .object = G80_COMPUTE_DMA_QUERY, .bits = 8};
    uint32_t size = call_value(call, G80_COMPUTE_GRIDDIM), threads = call_value(call, G80_COMPUTE_BLOCKDIM_XY);
    struct grid grid = {
        .form = "registers",
        .code = call_address(call, G80_COMPUTE_CP_ADDRESS_HIGH, G80_COMPUTE_CP_ADDRESS_LOW, 8),
        .entry = CALL_FIELD(call, G80_COMPUTE_CP_START_ID, OFFSET),
        .blocks = {low_half(size), size >> 16, 1},
        .threads = {low_half(threads), threads >> 16, low_half(call_value(call, G80_COMPUTE_BLOCKDIM_Z))}};
    if (predicate_allows(call, &enable))
        execute_tell(call, &grid);
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
    return work_under_way(call) || render_allowed_gf100(call) ? execute_registers(call) : ACTION_DONE;
}

/* ---- from a QMD ---- */

static enum action_result schedule(const struct call *call, uint64_t address) {
    return render_allowed_gf100(call) ? execute_qmd(call, address) : ACTION_DONE;
}

static enum action_result schedule_pcas(const struct call *call) {
    if (work_under_way(call))
        return execute_further(call);
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
    if (work_under_way(call))
        return execute_further(call);
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
