/* SPDX-License-Identifier: MIT */
/*
 * Memory to memory before Fermi: BUFFER_NOTIFY 0x328 launches, and when the copy is done notifier 1 (at 0x10) is
 * written. Here is what 0039 (m2mf_nv4.c) and 5039 share, and what is of 5039 (Tesla) only.
 *
 * Increments other than 1 spread bytes (UNKNOWN: no program uses them): byte i of a line comes from i times the
 * increment of the source and goes to i times that of the destination.
 * A copy that faults ends there, and the status of its notifier says so.
 *
 * Sources: envytools rnndb/graph/nv_m2mf.xml, rnndb/g80_defs.xml; NVIDIA open-gpu-doc
 * classes/memory-to-memory-format/cl0039.h, cl5039.h.
 */
#include "engine/copy/m2mf.h"

#include <assert.h>

#include "engine/surface/access.h"
#include "engine/kinds.h"
#include "engine/core/work.h"
#include "engine/sync/notify.h"
#include "fifo/fifo.h"
#include "methods/m2mf.h"

/*
 * What to do at the end is bit 0 of the value, of which PGRAPH of NV4 .. NV4x keeps no more [envytools
 * hwtest/pgraph_class_m2mf.cc]. UNKNOWN: values above 1 on NV3 and Tesla; chosen: the same.
 */
static enum action_result m2mf_finish(const struct call *call, uint32_t notify) {
    notify_write_buffer(call, (struct dma_address){notify, 0x10}, call->data & 1);
    return ACTION_DONE;
}

/* ---- increments ---- */

static bool spread_byte(struct memory *memory, const struct transfer *t, uint64_t line, uint64_t from_x, uint64_t to_x,
                        struct fault *fault) {
    uint8_t byte;
    return surface_read(memory, &t->from, t->from_point.x + from_x, t->from_point.y + line, t->from_point.z, &byte, 1,
                        fault) &&
           surface_write(memory, &t->to, t->to_point.x + to_x, t->to_point.y + line, t->to_point.z, &byte, 1, fault);
}

static void spread_tell(const struct call *call, const struct transfer *t, struct m2mf_steps steps) {
    uint64_t last = t->length ? t->length - 1 : 0;
    call_reads(call, &t->from, &(struct access){"copy", t->from_point, t->length ? last * steps.in + 1 : 0, t->lines});
    call_writes(call, &t->to, &(struct access){"copy", t->to_point, t->length ? last * steps.out + 1 : 0, t->lines});
}

#define BYTE_COST 768u /* of one alone */

static enum transfer_result spread(const struct call *call, const struct transfer *t, struct m2mf_steps steps) {
    struct work_slice slice = work_slice(call, t->length * t->lines, BYTE_COST);
    for (uint64_t i = slice.first; i < slice.first + slice.count; i++) {
        assert(t->length > 0);
        uint64_t line = i / t->length, x = i % t->length;
        struct fault fault;
        if (spread_byte(call->engine->fifo->memory, t, line, x * steps.in, x * steps.out, &fault))
            continue;
        work_break(call);
        call_fault(call, &fault);
        return TRANSFER_FAULTED;
    }
    if (!work_advance(call, &slice))
        return TRANSFER_MORE;
    spread_tell(call, t, steps);
    call_done(call, "copy", t->to.address, slice.total);
    return TRANSFER_FINISHED;
}

enum action_result m2mf_move(const struct call *call, const struct transfer *t, struct m2mf_steps steps,
                             uint32_t notify) {
    bool plain = steps.in == 1 && steps.out == 1;
    enum transfer_result result = plain ? transfer_slice(call, t) : spread(call, t, steps);
    return result == TRANSFER_MORE ? ACTION_STALL : m2mf_finish(call, notify);
}

/* ---- Tesla ---- */

/* Methods of a side. */
struct m2mf_side_methods {
    uint16_t object, layout, high, low, pitch;
};

static struct m2mf_side m2mf_side_of(const struct call *call, const struct m2mf_side_methods *side) {
    uint32_t origin = call_value(call, side->layout + 0x18u);
    return (struct m2mf_side){
        .space = call_space(call, call_value(call, side->object)),
        .address = call_address(call, side->high, side->low, 8),
        .linear = call_value(call, side->layout) & 1,
        .pitch = (int32_t)call_value(call, side->pitch),
        .block_size = side->layout + 4,
        .x = origin & 0xffff,
        .y = origin >> 16,
    };
}

static bool is_tesla_increment(unsigned value) {
    return m2mf_is_increment(value) || value == 8 || value == 16;
}

static enum action_result launch_tesla(struct call *call) {
    static const struct m2mf_side_methods source = {M2MF_DMA_IN, G80_M2MF_LAYOUT_IN, G80_M2MF_OFFSET_IN_HIGH,
                                                    M2MF_OFFSET_IN, M2MF_PITCH_IN};
    static const struct m2mf_side_methods destination = {M2MF_DMA_OUT, G80_M2MF_LAYOUT_OUT, G80_M2MF_OFFSET_OUT_HIGH,
                                                         M2MF_OFFSET_OUT, M2MF_PITCH_OUT};
    uint32_t format = call_value(call, M2MF_FORMAT);
    struct m2mf_steps steps = {format & 0xff, format >> 8 & 0xff};
    struct m2mf_side from = m2mf_side_of(call, &source), to = m2mf_side_of(call, &destination);
    struct transfer transfer;
    if (!is_tesla_increment(steps.in) || !is_tesla_increment(steps.out))
        return call_error(call, ENGINE_ERROR_INVALID_ENUM);
    if (!m2mf_transfer(call, &from, &to, &transfer))
        return ACTION_DONE;
    return m2mf_move(call, &transfer, steps, call_value(call, NOTIFY_DMA));
}

static void m2mf_surface_of(const struct call *call, const struct m2mf_side *side, struct surface *surface,
                            struct surface_point *point) {
    *surface = (struct surface){side->space, side->address, transfer_pitch_layout(side->pitch)};
    *point = (struct surface_point){0};
    if (side->linear)
        return;
    surface->layout = transfer_block_layout(
        call_value(call, side->block_size), transfer_gobs(call), call_value(call, side->block_size + 4u),
        call_value(call, side->block_size + 8u), call_value(call, side->block_size + 12u));
    *point = (struct surface_point){side->x, side->y, call_value(call, side->block_size + 16u)};
}

static bool refuse_flaw(const struct call *call, enum transfer_flaw flaw, bool is_source) {
    switch (flaw) {
    case TRANSFER_FITS:
        return false;
    case TRANSFER_BEYOND_DEPTH:
        call_error(call, ENGINE_ERROR_M2MF_Z);
        break;
    case TRANSFER_BEYOND_SIZE:
        call_error(call, ENGINE_ERROR_M2MF_XY);
        break;
    case TRANSFER_OVER_PITCH:
        call_error(call, is_source ? ENGINE_ERROR_M2MF_PITCH_IN : ENGINE_ERROR_M2MF_PITCH_OUT);
        break;
    }
    return true;
}

/* UNKNOWN: what is wrong with a block of more than 32 gobs; chosen: its enum. */
static bool block_is_bad(const struct call *call, const struct m2mf_side *side) {
    if (side->linear || transfer_block_exists(call_value(call, side->block_size)))
        return false;
    call_error(call, ENGINE_ERROR_INVALID_ENUM);
    return true;
}

bool m2mf_transfer(const struct call *call, const struct m2mf_side *from, const struct m2mf_side *to,
                   struct transfer *transfer) {
    *transfer = (struct transfer){.length = call_value(call, M2MF_LINE_LENGTH),
                                  .lines = call_value(call, M2MF_LINE_COUNT),
                                  .pixel = transfer_bytes};
    struct transfer *t = transfer;
    if (block_is_bad(call, from) || block_is_bad(call, to))
        return false;
    m2mf_surface_of(call, from, &t->from, &t->from_point);
    m2mf_surface_of(call, to, &t->to, &t->to_point);
    return !refuse_flaw(call, transfer_flaw(&t->from, t->from_point, t->length, t->lines), true) &&
           !refuse_flaw(call, transfer_flaw(&t->to, t->to_point, t->length, t->lines), false);
}

static const struct action tesla_actions[] = {{.method = M2MF_LAUNCH, .type = ACTION_EFFECT, .run = launch_tesla}, {0}};

const struct kind kind_tesla_m2mf = {
    .name = "Tesla M2MF", .role = ROLE_INLINE, .groups = {notify_nv4_actions, tesla_actions}};
