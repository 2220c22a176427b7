/* SPDX-License-Identifier: MIT */
/*
 * Memory to memory of NV3 .. NV4x (0039).
 *
 * Pitches, lengths, counts and increments that do not fit are refused when they are set; what fits of their bits is
 * kept, and counts as set. A launch is refused until all of them have been set, on NV4 and later also the DMA objects.
 *
 * On NV3 the DMA objects are not bound by methods: they are in the object in RAMIN, and PGRAPH loads them from there
 * (unit/graph/graph_object.c). All other methods than those of the class are refused. A DMA object that is none shows
 * when it is used: DMA_INTR. UNKNOWN: what becomes of a copy of NV3 that faults, which a driver may have been able to
 * continue (register CONTINUE of its DMA); chosen: as on NV4 it ends there, and the status of its notifier says so.
 *
 * Sources: envytools rnndb/graph/nv_m2mf.xml, nv3_pgraph.xml, nv3_pdma.xml, hwtest/pgraph_class_m2mf.cc, nvhw/pgraph.c,
 * docs/hw/graph/riva/pgraph.rst; NVIDIA open-gpu-doc classes/memory-to-memory-format/cl0039.h; XFree86 nv3ref.h.
 */
#include <assert.h>

#include "engine/copy/m2mf.h"
#include "engine/kinds.h"
#include "engine/sync/notify.h"
#include "fifo/fifo.h"
#include "unit/graph/graph.h"

/* Private state: a word with a bit for each method that has been set, beginning with OFFSET_IN. */
#define SET_ALL 0x7fu

static uint32_t *set_words(struct object *object) {
    return object_private(object);
}

_Static_assert(SET_ALL == (1u << ((M2MF_FORMAT - M2MF_OFFSET_IN) / 4 + 1)) - 1, "FORMAT is the last of them");

static uint32_t bit_of(uint32_t method) {
    assert(M2MF_OFFSET_IN <= method && method <= M2MF_FORMAT);
    return 1u << (method - M2MF_OFFSET_IN) / 4;
}

/* ---- state ---- */

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

/* NV3 ignores bits above 10:0. */
static bool format_fits_nv3(uint32_t value) {
    return m2mf_is_increment(value & 0xff) && m2mf_is_increment(value >> 8 & 7);
}

/* UNKNOWN: bits above 10:0 on NV4 itself, which lets some through; chosen: refused as on NV5 and later. */
static bool format_fits(uint32_t value) {
    return m2mf_is_increment(value & 0xff) && m2mf_is_increment(value >> 8);
}

/* Values that fit have no effect outside; the one that does not is left to be refused. */
static uint32_t accept(struct object *object, uint32_t method, bool fits(uint32_t value), const uint32_t *data,
                       uint32_t count) {
    uint32_t taken = 0;
    while (taken < count && fits(data[taken]))
        taken++;
    if (taken)
        *set_words(object) |= bit_of(method);
    return taken;
}

#define ACCEPT(name, method, fits)                                                                                     \
    static uint32_t name(struct object *object, const uint32_t *data, uint32_t count) {                                \
        return accept(object, method, fits, data, count);                                                              \
    }

ACCEPT(offset_in, M2MF_OFFSET_IN, any_value)
ACCEPT(offset_out, M2MF_OFFSET_OUT, any_value)
ACCEPT(pitch_in, M2MF_PITCH_IN, pitch_fits)
ACCEPT(pitch_out, M2MF_PITCH_OUT, pitch_fits)
ACCEPT(line_length, M2MF_LINE_LENGTH, length_fits)
ACCEPT(line_count, M2MF_LINE_COUNT, count_fits)
ACCEPT(format_nv3, M2MF_FORMAT, format_fits_nv3)
ACCEPT(format, M2MF_FORMAT, format_fits)

/* Bits that a method keeps. */
static const uint32_t all_bits = ~0u, pitch_bits = 0xffff, length_bits_nv3 = 0xffffff, length_bits = 0x3fffff,
                      count_bits = 0x7ff, format_bits = 0x707;

/* A value that does not fit is truncated. */
static enum action_result m2mf_nv4_refuse(struct call *call) {
    const uint32_t *bits = call->action->argument;
    call_set_value(call, call->method, call->data & *bits);
    *set_words(call->object) |= bit_of(call->method);
    return call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

/* ---- launch ---- */

struct objects {
    uint32_t notify, in, out;
};

static bool all_set(const struct call *call) {
    if (*set_words(call->object) == SET_ALL)
        return true;
    for (unsigned i = 0; 1u << i < SET_ALL; i++)
        if (!(*set_words(call->object) >> i & 1))
            call_missing(call, (uint16_t)(M2MF_OFFSET_IN + 4 * i), "never set");
    call_error(call, ENGINE_ERROR_MISSING_METHOD);
    return false;
}

/* UNKNOWN: whether bit 15 of a pitch is its sign, which only a refused one can have; chosen: it is. */
static struct surface linear_surface(const struct call *call, uint32_t object, uint32_t offset, uint32_t pitch) {
    return (struct surface){call_space(call, object), call_value(call, offset),
                            transfer_pitch_layout((int16_t)call_value(call, pitch))};
}

static enum action_result m2mf_nv4_launch(const struct call *call, const struct objects *objects) {
    uint32_t increments = call_value(call, M2MF_FORMAT);
    struct transfer t = {.from = linear_surface(call, objects->in, M2MF_OFFSET_IN, M2MF_PITCH_IN),
                         .to = linear_surface(call, objects->out, M2MF_OFFSET_OUT, M2MF_PITCH_OUT),
                         .length = call_value(call, M2MF_LINE_LENGTH),
                         .lines = call_value(call, M2MF_LINE_COUNT),
                         .pixel = transfer_bytes};
    return m2mf_move(call, &t, (struct m2mf_steps){increments & 7, increments >> 8 & 7}, objects->notify);
}

static enum action_result launch_nv3(struct call *call) {
    const struct graph_dma_objects shown = graph_dma_objects(call->engine->graph);
    const struct objects objects = {shown.notify, shown.in, shown.out};
    return all_set(call) ? m2mf_nv4_launch(call, &objects) : ACTION_DONE;
}

static bool m2mf_nv4_has(const struct call *call, uint16_t method, uint32_t object) {
    if (!object)
        call_missing(call, method, "no DMA object");
    return object;
}

/* Both are checked, so both errors show together. */
static enum action_result launch_nv4(struct call *call) {
    struct objects objects = {call_value(call, NOTIFY_DMA), call_value(call, M2MF_DMA_IN),
                              call_value(call, M2MF_DMA_OUT)};
    bool all = all_set(call);
    bool notify = m2mf_nv4_has(call, NOTIFY_DMA, objects.notify), in = m2mf_nv4_has(call, M2MF_DMA_IN, objects.in);
    bool out = m2mf_nv4_has(call, M2MF_DMA_OUT, objects.out);
    if (!notify || !in || !out)
        return call_error(call, ENGINE_ERROR_INVALID_STATE);
    return all ? m2mf_nv4_launch(call, &objects) : ACTION_DONE;
}

/* ---- kinds ---- */

#define STATE(method_, accepts, bits)                                                                                  \
    { .method = (method_), .type = ACTION_EFFECT, .run = m2mf_nv4_refuse, .absorb = (accepts), .argument = &(bits) }
#define SHARED_STATE                                                                                                   \
    STATE(M2MF_OFFSET_IN, offset_in, all_bits), STATE(M2MF_OFFSET_OUT, offset_out, all_bits),                          \
        STATE(M2MF_PITCH_IN, pitch_in, pitch_bits), STATE(M2MF_PITCH_OUT, pitch_out, pitch_bits),                      \
        STATE(M2MF_LINE_COUNT, line_count, count_bits)

static const struct action nv3_actions[] = {SHARED_STATE,
                                            STATE(M2MF_LINE_LENGTH, line_length, length_bits_nv3),
                                            STATE(M2MF_FORMAT, format_nv3, format_bits),
                                            {.method = M2MF_LAUNCH, .type = ACTION_EFFECT, .run = launch_nv3},
                                            {0}};

static const struct action nv4_actions[] = {SHARED_STATE,
                                            STATE(M2MF_LINE_LENGTH, line_length, length_bits),
                                            STATE(M2MF_FORMAT, format, format_bits),
                                            {.method = M2MF_LAUNCH, .type = ACTION_EFFECT, .run = launch_nv4},
                                            {0}};

const struct kind kind_nv3_m2mf = {.name = "NV3 M2MF",
                                   .role = ROLE_INLINE,
                                   .bound_in_registers = true,
                                   .private = {.bytes = 4},
                                   .groups = {notify_nv1_actions, nv3_actions}};
const struct kind kind_nv4_m2mf = {
    .name = "M2MF", .role = ROLE_INLINE, .private = {.bytes = 4}, .groups = {notify_nv4_actions, nv4_actions}};
