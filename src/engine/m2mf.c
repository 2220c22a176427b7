/* SPDX-License-Identifier: MIT */
/*
 * Memory to memory of NV4 .. NV4x (0039) and Tesla (5039): BUFFER_NOTIFY 0x328 launches, and when the copy is done
 * notifier 1 (at 0x10) of DMA_NOTIFY is written.
 *
 * NV4 .. NV4x refuse pitches, lengths, counts and increments that do not fit when they are set, and a launch before
 * all of them and the DMA objects were. Increments other than 1 spread bytes (UNKNOWN: no program uses them): byte i
 * of a line comes from i times the increment of the source and goes to i times that of the destination.
 * A copy that faults ends there, and the status of its notifier says so.
 *
 * Sources: envytools rnndb/graph/nv_m2mf.xml, rnndb/g80_defs.xml, hwtest/pgraph_class_m2mf.cc; NVIDIA open-gpu-doc
 * classes/memory-to-memory-format/cl0039.h, cl5039.h.
 */
#include "engine/m2mf.h"

#include "engine/kinds.h"
#include "engine/notify.h"
#include "engine/work.h"

#define DMA_IN      0x184u
#define DMA_OUT     0x188u
#define OFFSET_IN   0x30cu
#define OFFSET_OUT  0x310u
#define PITCH_IN    0x314u
#define PITCH_OUT   0x318u
#define LINE_LENGTH 0x31cu
#define LINE_COUNT  0x320u
#define FORMAT      0x324u

/* UNKNOWN: values above 1: the header says that all but 0 awaken, envytools that 1 does; chosen: 1. */
static enum action_result finish(const struct call *call) {
    notify_write_buffer(call, (struct place){call_value(call, NOTIFY_DMA), 0x10}, call->data == 1);
    return ACTION_DONE;
}

/* ---- increments ---- */

static unsigned increment_in(const struct call *call) {
    return call_value(call, FORMAT) & 0xff;
}

static unsigned increment_out(const struct call *call) {
    return call_value(call, FORMAT) >> 8 & 0xff;
}

static bool spread_byte(struct memory *memory, const struct transfer *t, uint64_t line, uint64_t from_x, uint64_t to_x,
                        struct fault *fault) {
    uint8_t byte;
    return surface_read(memory, &t->from, t->from_point.x + from_x, t->from_point.y + line, t->from_point.z, &byte, 1,
                        fault) &&
           surface_write(memory, &t->to, t->to_point.x + to_x, t->to_point.y + line, t->to_point.z, &byte, 1, fault);
}

#define BYTE_COST 64u /* of one alone */

static enum transfer_result spread(const struct call *call, const struct transfer *t) {
    struct work_slice slice = work_slice(call, t->length * t->lines, BYTE_COST);
    for (uint64_t i = slice.first; i < slice.first + slice.count; i++) {
        uint64_t line = i / t->length, x = i % t->length;
        struct fault fault;
        if (spread_byte(call->engine->fifo->memory, t, line, x * increment_in(call), x * increment_out(call), &fault))
            continue;
        work_end(call);
        call_fault(call, &fault);
        return TRANSFER_FAULTED;
    }
    if (!work_advance(call, &slice))
        return TRANSFER_MORE;
    call_done(call, "copy", t->to.address, slice.total);
    return TRANSFER_FINISHED;
}

static enum action_result move(const struct call *call, const struct transfer *t) {
    bool plain = increment_in(call) == 1 && increment_out(call) == 1;
    enum transfer_result result = plain ? transfer_slice(call, t) : spread(call, t);
    return result == TRANSFER_MORE ? ACTION_STALL : finish(call);
}

/* ---- NV4 .. NV4x ---- */

enum {
    SET_OFFSET_IN = 1 << 0,
    SET_OFFSET_OUT = 1 << 1,
    SET_PITCH_IN = 1 << 2,
    SET_PITCH_OUT = 1 << 3,
    SET_LINE_LENGTH = 1 << 4,
    SET_LINE_COUNT = 1 << 5,
    SET_FORMAT = 1 << 6,
    SET_ALL = (1 << 7) - 1,
};

/* Which of them have been set: a word behind the values of methods. */
static uint32_t *set_words(struct object *object) {
    return &object->value[ENGINE_MAX_WORDS / 2];
}

static bool any_value(uint32_t value) {
    (void)value;
    return true;
}

static bool pitch_fits(uint32_t value) {
    return value < 0x8000;
}

static bool length_fits(uint32_t value) {
    return value < 0x400000;
}

static bool count_fits(uint32_t value) {
    return value < 0x800;
}

static bool is_increment(uint32_t value) {
    return value == 1 || value == 2 || value == 4;
}

/* UNKNOWN: bits above 10:0 on NV4 itself, which lets some through; chosen: refused as on NV5 and later. */
static bool format_fits(uint32_t value) {
    return is_increment(value & 0xff) && is_increment(value >> 8);
}

/* Values that fit have no effect outside; the one that does not is left to be refused. */
static uint32_t accept(struct object *object, uint32_t bit, bool fits(uint32_t value), const uint32_t *data,
                       uint32_t count) {
    uint32_t taken = 0;
    while (taken < count && fits(data[taken]))
        taken++;
    if (taken)
        *set_words(object) |= bit;
    return taken;
}

#define ACCEPT(name, bit, fits)                                                                                        \
    static uint32_t name(struct object *object, const uint32_t *data, uint32_t count) {                                \
        return accept(object, bit, fits, data, count);                                                                 \
    }

ACCEPT(offset_in, SET_OFFSET_IN, any_value)
ACCEPT(offset_out, SET_OFFSET_OUT, any_value)
ACCEPT(pitch_in, SET_PITCH_IN, pitch_fits)
ACCEPT(pitch_out, SET_PITCH_OUT, pitch_fits)
ACCEPT(line_length, SET_LINE_LENGTH, length_fits)
ACCEPT(line_count, SET_LINE_COUNT, count_fits)
ACCEPT(format, SET_FORMAT, format_fits)

/* UNKNOWN: what a launch does with a value that was refused; chosen: it counts as never set. */
static enum action_result refuse(struct call *call) {
    *set_words(call->object) &= ~(1u << (call->method - OFFSET_IN) / 4);
    return call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

static struct surface linear_surface(const struct call *call, uint32_t object, uint32_t offset, uint32_t pitch) {
    return (struct surface){call_space(call, call_value(call, object)), call_value(call, offset),
                            transfer_pitch_layout(call_value(call, pitch))};
}

static enum action_result launch_nv4(struct call *call) {
    bool bound = call_value(call, NOTIFY_DMA) && call_value(call, DMA_IN) && call_value(call, DMA_OUT);
    if (!bound || *set_words(call->object) != SET_ALL)
        return call_error(call, ENGINE_ERROR_INVALID_STATE);
    struct transfer t = {.from = linear_surface(call, DMA_IN, OFFSET_IN, PITCH_IN),
                         .to = linear_surface(call, DMA_OUT, OFFSET_OUT, PITCH_OUT),
                         .length = call_value(call, LINE_LENGTH),
                         .lines = call_value(call, LINE_COUNT),
                         .pixel = transfer_bytes};
    return move(call, &t);
}

/* ---- Tesla ---- */

/* Methods of a side. */
struct side {
    uint16_t object, layout, high, low, pitch;
};

static struct m2mf_side side_of(const struct call *call, const struct side *side) {
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
    return is_increment(value) || value == 8 || value == 16;
}

static enum action_result launch_tesla(struct call *call) {
    static const struct side source = {DMA_IN, 0x200, 0x238, OFFSET_IN, PITCH_IN};
    static const struct side destination = {DMA_OUT, 0x21c, 0x23c, OFFSET_OUT, PITCH_OUT};
    struct m2mf_side from = side_of(call, &source), to = side_of(call, &destination);
    struct transfer transfer;
    if (!is_tesla_increment(increment_in(call)) || !is_tesla_increment(increment_out(call)))
        return call_error(call, ENGINE_ERROR_INVALID_ENUM);
    return m2mf_transfer(call, &from, &to, &transfer) ? move(call, &transfer) : ACTION_DONE;
}

static void surface_of(const struct call *call, const struct m2mf_side *side, struct surface *surface,
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
    *transfer = (struct transfer){
        .length = call_value(call, LINE_LENGTH), .lines = call_value(call, LINE_COUNT), .pixel = transfer_bytes};
    struct transfer *t = transfer;
    if (block_is_bad(call, from) || block_is_bad(call, to))
        return false;
    surface_of(call, from, &t->from, &t->from_point);
    surface_of(call, to, &t->to, &t->to_point);
    return !refuse_flaw(call, transfer_flaw(&t->from, t->from_point, t->length, t->lines), true) &&
           !refuse_flaw(call, transfer_flaw(&t->to, t->to_point, t->length, t->lines), false);
}

#define STATE(method_, accepts)                                                                                        \
    { .method = (method_), .type = ACTION_EFFECT, .run = refuse, .absorb = (accepts) }

static const struct action nv4_actions[] = {STATE(OFFSET_IN, offset_in),
                                            STATE(OFFSET_OUT, offset_out),
                                            STATE(PITCH_IN, pitch_in),
                                            STATE(PITCH_OUT, pitch_out),
                                            STATE(LINE_LENGTH, line_length),
                                            STATE(LINE_COUNT, line_count),
                                            STATE(FORMAT, format),
                                            {.method = 0x328, .type = ACTION_EFFECT, .run = launch_nv4},
                                            {0}};

static const struct action tesla_actions[] = {{.method = 0x328, .type = ACTION_EFFECT, .run = launch_tesla}, {0}};

const struct kind kind_nv4_m2mf = {
    .name = "M2MF", .role = ROLE_INLINE, .extra_words = 1, .groups = {notify_nv4_actions, nv4_actions}};
const struct kind kind_tesla_m2mf = {
    .name = "Tesla M2MF", .role = ROLE_INLINE, .groups = {notify_nv4_actions, tesla_actions}};
