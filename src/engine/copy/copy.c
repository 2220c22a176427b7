/* SPDX-License-Identifier: MIT */
/*
 * Copy engines: LAUNCH_DMA 0x300.
 *
 *   1:0 transfer type   4:3 semaphore   6:5 interrupt   7, 8 source, destination linear   9 more than one line
 *   10 remap            12, 13 source, destination physical
 *
 * With remap, LINE_LENGTH, widths and origins are in pixels, else in bytes. A launch that does not fit is refused from
 * GK104 on (LAUNCHERR): nothing of it is done. A copy that faults ends there, and then neither its semaphore nor its
 * interrupt come. UNKNOWN: whether hardware still releases it; chosen: it does, since the copy is done.
 *
 * GT215's and Fermi's units run firmware, and there are two: NVIDIA's, with the methods of all later classes, and
 * nouveau's, with its own. A stream says by what it writes which one it is for: 0x240 or 0x400..0x41c NVIDIA's,
 * 0x30c..0x328 or 0x338 nouveau's.
 * UNKNOWN: which one is loaded while a stream has not said; chosen: NVIDIA's.
 * UNKNOWN: what SET_APPLICATION_ID does besides choosing between the class and a low-level one; chosen: nothing.
 *
 * Sources: NVIDIA open-gpu-doc classes/dma-copy/cl85b5.h .. clcab5.h, manuals/turing/tu104/dev_ce.ref.txt; envytools
 * docs/hw/fifo/pcopy.rst; nouveau nvkm/engine/ce.
 */
#include <assert.h>

#include "engine/core/work.h"
#include "engine/copy/copy.h"

#include "engine/kinds.h"
#include "engine/core/predicate.h"
#include "methods/copy.h"
#include "methods/nouveau_copy.h"

enum transfer_type { TRANSFER_NONE, TRANSFER_PIPELINED, TRANSFER_NON_PIPELINED, TRANSFER_PREFETCH };

/* Methods of one side of a copy, and where its bits are in the launch. */
struct copy_side_methods {
    uint16_t high, low, pitch, block, phys_mode;
    unsigned linear, physical; /* bits of the launch */
    unsigned mode, target;     /* bits of ADDRESSING_MODE */
    unsigned origin;           /* in the effective origins */
};

static const struct copy_side_methods source = {GF100_COPY_OFFSET_IN_UPPER,
                                                GF100_COPY_OFFSET_IN_LOWER,
                                                GF100_COPY_PITCH_IN,
                                                GF100_COPY_SET_SRC_BLOCK_SIZE,
                                                GF100_COPY_SET_SRC_PHYS_MODE,
                                                7,
                                                12,
                                                0,
                                                4,
                                                COPY_SRC_X};
static const struct copy_side_methods destination = {GF100_COPY_OFFSET_OUT_UPPER,
                                                     GF100_COPY_OFFSET_OUT_LOWER,
                                                     GF100_COPY_PITCH_OUT,
                                                     GF100_COPY_SET_DST_BLOCK_SIZE,
                                                     GF100_COPY_SET_DST_PHYS_MODE,
                                                     8,
                                                     13,
                                                     8,
                                                     12,
                                                     COPY_DST_X};

/* Methods after BLOCK_SIZE. */
enum { WIDTH = 4, HEIGHT = 8, DEPTH = 12, LAYER = 16, ORIGIN = 20 };

#define TARGET_PEER 3u /* another GPU: there is none */
#define QUARTER_GOB 0xeu

_Static_assert(GF100_COPY_SET_SRC_BLOCK_SIZE + ORIGIN == GF100_COPY_SET_SRC_ORIGIN &&
                   GF100_COPY_SET_DST_BLOCK_SIZE + ORIGIN == GF100_COPY_SET_DST_ORIGIN,
               "both sides have their methods in the same order");
_Static_assert(COPY_SRC_Y == COPY_SRC_X + 1 && COPY_DST_Y == COPY_DST_X + 1, "y follows x");

/* Whether a launch can be done, and if not, why. */
enum verdict { VERDICT_DO, VERDICT_REFUSE, VERDICT_NOT_EXECUTED };

struct launch {
    const struct copy_class *copy_class;
    struct transfer transfer;
    enum verdict verdict;
    enum engine_error error; /* VERDICT_REFUSE */
};

static void copy_refuse(struct launch *launch, enum engine_error error) {
    if (launch->verdict == VERDICT_DO) {
        launch->verdict = VERDICT_REFUSE;
        launch->error = error;
    }
}

static void cannot(struct launch *launch) {
    if (launch->verdict == VERDICT_DO)
        launch->verdict = VERDICT_NOT_EXECUTED;
}

/* ---- where ---- */

static bool is_physical(const struct call *call, const struct copy_class *copy_class,
                        const struct copy_side_methods *side, uint32_t *target) {
    if (copy_class->addressing == COPY_ADDRESSING_MODE) {
        *target = call_value(call, GF100_COPY_ADDRESSING_MODE) >> side->target & 3;
        return call_value(call, GF100_COPY_ADDRESSING_MODE) >> side->mode & 1;
    }
    *target = call_value(call, side->phys_mode) & 3;
    return copy_class->addressing == COPY_PHYS_MODE && (call->data >> side->physical & 1);
}

static struct address_space copy_space_of(const struct call *call, struct launch *launch,
                                          const struct copy_side_methods *side) {
    uint32_t target;
    if (launch->copy_class->addressing == COPY_DMA_OBJECTS)
        return call_space(call, call_value(call, GT212_COPY_SET_CTX_DMA(call_value(call, side->high) >> 28)));
    if (!is_physical(call, launch->copy_class, side, &target))
        return call_space(call, 0);
    if (target == TARGET_PEER)
        cannot(launch);
    return address_space_physical(target ? MEMORY_SYSTEM : MEMORY_VRAM);
}

static struct surface_point copy_point_of(const struct call *call, const struct launch *launch,
                                          const struct copy_side_methods *side, unsigned pixel_bytes) {
    uint32_t pair = call_value(call, side->block + ORIGIN);
    uint32_t x = pair & 0xffff, y = pair >> 16;
    if (launch->copy_class->wide_origins) {
        const uint32_t *origins = object_private(call->object);
        assert(side->origin + 1 < COPY_ORIGIN_WORDS);
        x = origins[side->origin];
        y = origins[side->origin + 1];
    }
    return (struct surface_point){.x = (uint64_t)x * pixel_bytes, .y = y, .z = call_value(call, side->block + LAYER)};
}

/* ---- layout ---- */

/* UNKNOWN: gobs of 8 lines on GT215, which has none elsewhere; chosen: like Fermi's. */
static enum gob_order gobs_of(const struct call *call, const struct copy_class *copy_class, uint32_t block_size) {
    enum gob_order order = transfer_gobs(call);
    if (copy_class->gob_choice && (block_size >> 12 & 0xf) == 0)
        return GOB_LINES;
    return order == GOB_LINES ? GOB_SECTORS : order;
}

/*
 * UNKNOWN: widths of a block other than one gob and a quarter, which have no name; chosen: refused.
 * UNKNOWN: the bytes in a quarter gob; chosen: its lines one after the other, as nouveau's firmware counts them.
 */
static struct layout block_layout(const struct call *call, struct launch *launch, const struct copy_side_methods *side,
                                  unsigned pixel_bytes) {
    uint32_t block_size = call_value(call, side->block);
    bool quarter = launch->copy_class->quarter_gobs && (block_size & 0xf) == QUARTER_GOB;
    if (quarter)
        block_size &= ~0xfu;
    if ((block_size & 0xf) != 0 || !transfer_block_exists(block_size)) {
        block_size = 0;
        copy_refuse(launch, ENGINE_ERROR_COPY_VALUE);
    }
    struct layout layout =
        transfer_block_layout(block_size, gobs_of(call, launch->copy_class, block_size),
                              (uint64_t)call_value(call, side->block + WIDTH) * pixel_bytes,
                              call_value(call, side->block + HEIGHT), call_value(call, side->block + DEPTH));
    layout.quarter_gobs = quarter;
    return layout;
}

static void copy_surface_of(const struct call *call, struct launch *launch, const struct copy_side_methods *side,
                            unsigned pixel_bytes, struct surface *surface, struct surface_point *point) {
    surface->space = copy_space_of(call, launch, side);
    surface->address = call_address(call, side->high, side->low, call->object->index->kind->inline_bits);
    if (call->data >> side->linear & 1) {
        surface->layout = transfer_pitch_layout((int32_t)call_value(call, side->pitch));
    } else {
        surface->layout = block_layout(call, launch, side, pixel_bytes);
        *point = copy_point_of(call, launch, side, pixel_bytes);
    }
}

/* ---- what is refused ---- */

static void check_side(struct launch *launch, const struct surface *surface, struct surface_point point,
                       unsigned pixel_bytes, bool is_source) {
    switch (transfer_flaw(surface, point, launch->transfer.length * pixel_bytes, launch->transfer.lines)) {
    case TRANSFER_FITS:
        break;
    case TRANSFER_BEYOND_DEPTH:
        copy_refuse(launch, ENGINE_ERROR_COPY_LAYER);
        break;
    case TRANSFER_BEYOND_SIZE:
        copy_refuse(launch, ENGINE_ERROR_COPY_RECTANGLE);
        break;
    case TRANSFER_OVER_PITCH:
        if (surface->layout.pitch < 0)
            copy_refuse(launch, is_source ? ENGINE_ERROR_COPY_NEG_PITCH_IN : ENGINE_ERROR_COPY_NEG_PITCH_OUT);
        else
            copy_refuse(launch, is_source ? ENGINE_ERROR_COPY_PITCH_IN : ENGINE_ERROR_COPY_PITCH_OUT);
        break;
    }
}

/* UNKNOWN: whether a source is checked of which no component is used; chosen: it is not, since drivers fill memory in
 * this way. */
static void copy_check(const struct call *call, struct launch *launch) {
    const struct transfer *t = &launch->transfer;
    if ((call->data >> 10 & 1) && copy_remap_is_bad(call_value(call, GF100_COPY_SET_REMAP_COMPONENTS)))
        copy_refuse(launch, ENGINE_ERROR_COPY_COMPONENT);
    if (transfer_uses_source(&t->pixel))
        check_side(launch, &t->from, t->from_point, t->pixel.from_bytes, true);
    check_side(launch, &t->to, t->to_point, t->pixel.to_bytes, false);
}

static struct launch copy_launch_of(const struct call *call) {
    struct launch launch = {.copy_class = call->action->argument};
    struct transfer *t = &launch.transfer;
    t->pixel = transfer_bytes;
    if (call->data >> 10 & 1)
        t->pixel = copy_remap(call_value(call, GF100_COPY_SET_REMAP_COMPONENTS),
                              call_value(call, GF100_COPY_SET_REMAP_CONST_A),
                              call_value(call, GF100_COPY_SET_REMAP_CONST_B), COPY_REMAP_KEEPS);
    t->length = call_value(call, GF100_COPY_LINE_LENGTH_IN);
    t->lines = call->data >> 9 & 1 ? call_value(call, GF100_COPY_LINE_COUNT) : 1;
    copy_surface_of(call, &launch, &source, t->pixel.from_bytes, &t->from, &t->from_point);
    copy_surface_of(call, &launch, &destination, t->pixel.to_bytes, &t->to, &t->to_point);
    if (launch.copy_class->checks)
        copy_check(call, &launch);
    if (launch.copy_class->secure && (call->data >> 20 & 3) == 1)
        cannot(&launch);
    return launch;
}

/* ---- the launch ---- */

#define INTERRUPT_BLOCKING 1u

/* A blocking interrupt holds the engine until it is acknowledged. */
static enum action_result copy_finish(const struct call *call, const struct copy_class *copy_class) {
    struct dma_address target = {0, call_address(call, GF100_COPY_SET_SEMAPHORE_A, GF100_COPY_SET_SEMAPHORE_B,
                                                 call->object->index->kind->inline_bits)};
    if (copy_class->addressing == COPY_DMA_OBJECTS)
        target.object = call_value(call, GT212_COPY_SET_CTX_DMA(call_value(call, GF100_COPY_SET_SEMAPHORE_A) >> 28));
    bool done = copy_semaphore(call, copy_class, target);
    if (done && call->data >> 5 & 3)
        call_interrupt(call, (call->data >> 5 & 3) == INTERRUPT_BLOCKING ? "BLOCKING" : "COPY");
    return ACTION_DONE;
}

/* The condition is evaluated once, before the first slice. */
static enum predicate copy_is_allowed(const struct call *call, const struct copy_class *copy_class) {
    static const struct predicate_methods condition = {.high = GF100_COPY_SET_RENDER_ENABLE_A,
                                                       .low = GF100_COPY_SET_RENDER_ENABLE_B,
                                                       .mode = GF100_COPY_SET_RENDER_ENABLE_C,
                                                       .bits = 8};
    if (!copy_class->conditional || work_under_way(call))
        return PREDICATE_TRUE;
    return predicate_evaluate(call, &condition);
}

static enum action_result copy_start(const struct call *call, const struct copy_class *copy_class) {
    struct launch launch = copy_launch_of(call);
    if (launch.verdict == VERDICT_REFUSE)
        return call_error(call, launch.error);
    if (launch.verdict == VERDICT_NOT_EXECUTED) {
        call_not_executed(call);
        return copy_finish(call, copy_class);
    }
    assert(launch.verdict == VERDICT_DO);
    enum predicate allowed = copy_is_allowed(call, copy_class);
    if (allowed != PREDICATE_TRUE)
        return allowed == PREDICATE_FAULT ? ACTION_DONE : copy_finish(call, copy_class);
    switch (transfer_slice(call, &launch.transfer)) {
    case TRANSFER_MORE:
        return ACTION_STALL;
    case TRANSFER_FAULTED:
        return ACTION_DONE;
    case TRANSFER_FINISHED:
        break;
    }
    return copy_finish(call, copy_class);
}

/* UNKNOWN: transfer type 3 where it is not a prefetch; chosen: refused. A prefetch has no effect but on time. */
static enum action_result copy_launch(struct call *call) {
    const struct copy_class *copy_class = call->action->argument;
    switch ((enum transfer_type)(call->data & 3)) {
    case TRANSFER_PIPELINED:
    case TRANSFER_NON_PIPELINED:
        return copy_start(call, copy_class);
    case TRANSFER_PREFETCH:
        if (!copy_class->prefetches)
            return call_error(call, ENGINE_ERROR_COPY_VALUE);
        break;
    case TRANSFER_NONE:
        break;
    }
    return copy_finish(call, copy_class);
}

/* ---- the two firmwares ---- */

/* Private state: the method map in use is the one of nouveau's firmware. */
struct copy_firmware {
    bool is_nouveau;
};

static void firmware_state(void *state, const struct private_owner *owner, struct state_io *io) {
    (void)owner;
    state_bool(io, &((struct copy_firmware *)state)->is_nouveau);
}

static enum action_result use_firmware(const struct call *call, bool is_nouveau) {
    struct copy_firmware *firmware = object_private(call->object);
    firmware->is_nouveau = is_nouveau;
    return ACTION_DONE;
}

static enum action_result for_nvidia(struct call *call) {
    return use_firmware(call, false);
}

static enum action_result for_nouveau(struct call *call) {
    return use_firmware(call, true);
}

static enum action_result launch_firmware(struct call *call) {
    const struct copy_class *copy_class = call->action->argument;
    const struct copy_firmware *firmware = object_private(call->object);
    if (firmware->is_nouveau)
        return copy_nouveau(call, copy_class->addressing == COPY_DMA_OBJECTS);
    return copy_launch(call);
}

/* ---- origins: the last one written counts ---- */

static enum action_result origin_pair(struct call *call) {
    uint32_t *origins = object_private(call->object);
    unsigned origin = call->method == destination.block + ORIGIN ? COPY_DST_X : COPY_SRC_X;
    origins[origin] = call->data & 0xffff;
    origins[origin + 1] = call->data >> 16;
    return ACTION_DONE;
}

static enum action_result origin_wide(struct call *call) {
    uint32_t *origins = object_private(call->object);
    assert((call->method - call->action->method) / 4 < COPY_ORIGIN_WORDS);
    origins[(call->method - call->action->method) / 4] = call->data;
    return ACTION_DONE;
}

static const struct action origin_actions[] = {
    {.method = GF100_COPY_SET_DST_ORIGIN, .type = ACTION_INSIDE, .run = origin_pair},
    {.method = GF100_COPY_SET_SRC_ORIGIN, .type = ACTION_INSIDE, .run = origin_pair},
    {.method = GF100_COPY_SRC_ORIGIN_X, .count = COPY_ORIGIN_WORDS, .type = ACTION_INSIDE, .run = origin_wide},
    {0}};

static const struct action firmware_actions[] = {
    {.method = GF100_COPY_SET_SEMAPHORE_A, .type = ACTION_INSIDE, .run = for_nvidia},
    {.method = GF100_COPY_OFFSET_IN_UPPER, .count = 8, .type = ACTION_INSIDE, .run = for_nvidia},
    {.method = NOUVEAU_COPY_SRC_ADDRESS_HIGH, .count = 8, .type = ACTION_INSIDE, .run = for_nouveau},
    {.method = NOUVEAU_COPY_QUERY_ADDRESS_HIGH, .type = ACTION_INSIDE, .run = for_nouveau},
    {0}};

/* ---- classes ---- */

#define REDUCTIONS       0x04ffu /* integers, FADD */
#define REDUCTIONS_GK104 0x7cffu /* FMIN, FMAX, FMUL, IMUL, too */
#define REDUCTIONS_GA102 0x1cffu /* FMIN and FMAX, too */
#define KEPLER_CLASS     .addressing = COPY_PHYS_MODE, .checks = true, .conditional = true, .reduces = true
#define LAUNCH(run_, ...)                                                                                              \
    .method = GF100_COPY_LAUNCH_DMA, .type = ACTION_EFFECT, .run = (run_), .argument = &(const struct copy_class) {    \
        __VA_ARGS__                                                                                                    \
    }

static const struct action gt215_actions[] = {
    {LAUNCH(launch_firmware, .addressing = COPY_DMA_OBJECTS, .gob_choice = true, .quarter_gobs = true)}, {0}};
static const struct action fermi_actions[] = {{LAUNCH(launch_firmware, .addressing = COPY_ADDRESSING_MODE,
                                                      .conditional = true, .gob_choice = true, .quarter_gobs = true)},
                                              {0}};
static const struct action gk104_actions[] = {
    {LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS_GK104, .gob_choice = true, .quarter_gobs = true)}, {0}};
static const struct action gm107_actions[] = {
    {LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS, .gob_choice = true, .quarter_gobs = true)}, {0}};
static const struct action gp100_actions[] = {{LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS)}, {0}};
static const struct action gp102_actions[] = {
    {LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS, .wide_origins = true)}, {0}};
static const struct action ga102_actions[] = {
    {LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS_GA102, .wide_origins = true, .payload_64 = true)}, {0}};
static const struct action hopper_actions[] = {{LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS_GA102,
                                                       .wide_origins = true, .payload_64 = true, .secure = true)},
                                               {0}};
static const struct action gb100_actions[] = {
    {LAUNCH(copy_launch, KEPLER_CLASS, .reduction = REDUCTIONS_GA102, .wide_origins = true, .payload_64 = true,
            .secure = true, .prefetches = true)},
    {0}};

static const struct method_reset condition_resets[] = {PREDICATE_RESET(GF100_COPY_SET_RENDER_ENABLE_C), {0}};

#define FIRMWARE                                                                                                       \
    { .bytes = sizeof(struct copy_firmware), .state = firmware_state }

const struct kind kind_gt215_copy = {.name = "GT215 copy",
                                     .role = ROLE_COPY,
                                     .inline_bits = 8,
                                     .private = FIRMWARE,
                                     .groups = {firmware_actions, gt215_actions}};
const struct kind kind_fermi_copy = {.name = "Fermi copy",
                                     .role = ROLE_COPY,
                                     .inline_bits = 8,
                                     .resets = condition_resets,
                                     .private = FIRMWARE,
                                     .groups = {firmware_actions, fermi_actions}};

#define COPY_KIND(kind_name, text, bits, ...)                                                                          \
    const struct kind kind_name = {.name = (text),                                                                     \
                                   .role = ROLE_COPY,                                                                  \
                                   .inline_bits = (bits),                                                              \
                                   .resets = condition_resets,                                                         \
                                   .private = {.bytes = 4 * COPY_ORIGIN_WORDS},                                        \
                                   .groups = {__VA_ARGS__}}

COPY_KIND(kind_gk104_copy, "GK104 copy", 8, gk104_actions);
COPY_KIND(kind_gm107_copy, "GM107 copy", 8, gm107_actions);
COPY_KIND(kind_gp100_copy, "GP100 copy", 17, gp100_actions);
COPY_KIND(kind_gp102_copy, "GP102 copy", 17, gp102_actions, origin_actions);
COPY_KIND(kind_ga102_copy, "GA102 copy", 17, ga102_actions, origin_actions);
COPY_KIND(kind_hopper_copy, "Hopper copy", 25, hopper_actions, origin_actions);
COPY_KIND(kind_gb100_copy, "GB100 copy", 25, gb100_actions, origin_actions);
