/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_context.h"

#include "engine/kinds.h"
#include "engine/twod/nv4_pattern.h"
#include "engine/twod/nv4_surface.h"
#include "engine/work.h"

#define NULL_CLASS 0x30u

/* ---- CLIP: a corner or a size becomes the lower right corner, and what that was the upper left one ---- */

enum { CLIP_CORNER = 0x300, CLIP_SIZE = 0x304 };
enum { CLIP_LEFT, CLIP_TOP, CLIP_RIGHT, CLIP_BOTTOM, CLIP_WORDS };

/* 18 bits with a sign, as PGRAPH keeps the lower right corner. */
static int32_t signed_18(uint32_t value) {
    return (int32_t)(value & 0x1ffff) - (int32_t)(value & 0x20000);
}

static enum action_result set_clip(struct call *call) {
    uint32_t *clip = engine_extra(call->engine, call->object);
    for (unsigned axis = 0; axis < 2; axis++) {
        uint32_t half = call->data >> 16 * axis;
        uint32_t before = clip[CLIP_RIGHT + axis];
        clip[CLIP_LEFT + axis] = before & 0xffff;
        uint32_t after = call->method == CLIP_SIZE ? before + (half & 0xffff) : (uint32_t)nv4_low(half);
        clip[CLIP_RIGHT + axis] = after & 0x3ffff;
    }
    return ACTION_DONE;
}

static const struct action clip_actions[] = {
    {.method = CLIP_CORNER, .count = 2, .type = ACTION_INSIDE, .run = set_clip}, {0}};

const struct kind kind_nv4_clip = {.name = "clip rectangle",
                                   .role = ROLE_NONE,
                                   .extra_words = CLIP_WORDS,
                                   .groups = {notify_nv4_actions, clip_actions}};

static struct nv4_box clip_box(const struct call *call, struct object *state) {
    const uint32_t *clip = engine_extra(call->engine, state);
    return (struct nv4_box){nv4_low(clip[CLIP_LEFT]), nv4_low(clip[CLIP_TOP]), signed_18(clip[CLIP_RIGHT]),
                            signed_18(clip[CLIP_BOTTOM])};
}

/* ---- binding ---- */

static enum nv4_context context_of(uint32_t object_class) {
    static const struct {
        uint16_t object_class;
        uint8_t context;
    } classes[] = {{0x0012, NV4_BETA},    {0x0017, NV4_CHROMA},  {0x0018, NV4_PATTERN}, {0x0019, NV4_CLIP},
                   {0x0042, NV4_SURFACE}, {0x0043, NV4_ROP},     {0x0044, NV4_PATTERN}, {0x0052, NV4_SURFACE},
                   {0x0057, NV4_CHROMA},  {0x0058, NV4_SURFACE}, {0x0059, NV4_SOURCE},  {0x0062, NV4_SURFACE},
                   {0x0072, NV4_BETA4},   {0x009e, NV4_SURFACE}, {0x039e, NV4_SURFACE}, {0x309e, NV4_SURFACE},
                   {0x0362, NV4_SURFACE}, {0x3062, NV4_SURFACE}, {0x5062, NV4_SURFACE}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].object_class == object_class)
            return (enum nv4_context)classes[i].context;
    return NV4_NO_CONTEXT;
}

static enum nv4_context bound_by(const struct nv4_slots *slots, uint32_t method) {
    unsigned context = 0;
    while (context < NV4_CONTEXTS && slots->bind[context] != method)
        context++;
    return (enum nv4_context)context;
}

enum action_result nv4_bind(struct call *call) {
    const struct nv4_slots *slots = call->action->argument;
    enum nv4_context context = bound_by(slots, call->method);
    uint32_t object_class = call->data ? fifo_object_class(call->channel, call->data) : NULL_CLASS;
    bool fits = context_of(object_class) == context && (slots->swizzled || !nv4_surface_is_swizzled(object_class));
    if (context == NV4_NO_CONTEXT || (object_class != NULL_CLASS && !fits))
        return call_error(call, ENGINE_ERROR_INVALID_OBJECT);
    engine_extra(call->engine, call->object)[context] = object_class == NULL_CLASS ? 0 : object_class;
    return ACTION_DONE;
}

struct object *nv4_context(const struct call *call, const struct nv4_slots *slots, enum nv4_context context) {
    uint32_t object_class = engine_extra(call->engine, call->object)[context];
    const struct channel_state *state = engine_channel(call->engine, call->channel);
    if (!slots->bind[context] || context_of(object_class) != context || !state)
        return NULL;
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++)
        if (state->objects[i] && state->objects[i]->object_class == object_class)
            return state->objects[i];
    return NULL;
}

/* ---- the operation, the format ---- */

static uint32_t valid_below(uint32_t limit, const uint32_t *data, uint32_t count) {
    uint32_t valid = 0;
    while (valid < count && data[valid] < limit)
        valid++;
    return valid;
}

/* 1 to 3 are formats everywhere. */
uint32_t nv4_valid_format(struct object *object, const uint32_t *data, uint32_t count) {
    (void)object;
    uint32_t valid = 0;
    while (valid < count && data[valid] - 1 < 3)
        valid++;
    return valid;
}

enum action_result nv4_set_format(struct call *call) {
    const struct nv4_slots *slots = call->action->argument;
    return slots->formats(call->data) ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

uint32_t nv4_valid_operation(struct object *object, const uint32_t *data, uint32_t count) {
    (void)object;
    return valid_below(NV4_OPERATIONS, data, count);
}

uint32_t nv4_valid_old_operation(struct object *object, const uint32_t *data, uint32_t count) {
    (void)object;
    return valid_below(NV4_SRCCOPY, data, count);
}

/* Only of what those above did not take. */
enum action_result nv4_set_operation(struct call *call) {
    return call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

/* ---- drawing ---- */

static uint32_t value(const struct object *state, uint32_t method) {
    return state->value[method >> 2];
}

static bool open_raster_operation(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    const struct object *state = nv4_context(call, slots, NV4_ROP);
    struct object *pattern = nv4_context(call, slots, NV4_PATTERN);
    if (!state || !pattern)
        return false;
    uint8_t rop = (uint8_t)value(state, 0x300);
    draw->rop = rop;
    draw->reads = ((rop >> 1 ^ rop) & 0x55) != 0;
    draw->patterned = ((rop >> 4 ^ rop) & 0x0f) != 0;
    return !draw->patterned || nv4_pattern_open(call->engine, pattern, draw);
}

/* Negative factors are 0. */
static uint8_t beta_factor(uint32_t beta) {
    return beta >> 31 ? 0 : (uint8_t)(beta >> 23);
}

/* What the operation needs. Blending of indices is not defined: it is refused like what is missing. */
static bool open_operation(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    const struct object *beta = nv4_context(call, slots, NV4_BETA), *beta4 = nv4_context(call, slots, NV4_BETA4);
    bool index = draw->format->meaning == NV4_INDEX;
    switch (draw->operation) {
    case NV4_SRCCOPY_AND:
    case NV4_SRCCOPY:
        return true;
    case NV4_ROP_AND:
        return open_raster_operation(call, slots, draw);
    case NV4_BLEND_AND:
        draw->reads = true;
        draw->beta = beta ? beta_factor(value(beta, 0x300)) : 0;
        return beta && !index;
    case NV4_SRCCOPY_PREMULT:
    case NV4_BLEND_PREMULT:
        draw->reads = draw->operation == NV4_BLEND_PREMULT;
        draw->beta4 = beta4 ? value(beta4, 0x300) : 0;
        return beta4 && !index;
    default:
        return false;
    }
}

static bool open_surface(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    struct nv4_surface surface;
    if (!nv4_surface_destination(call, nv4_context(call, slots, NV4_SURFACE), &surface))
        return false;
    draw->surface = surface.surface;
    draw->format = surface.format;
    draw->clip = (struct nv4_box){0, 0, surface.width, surface.height};
    return true;
}

bool nv4_draw_open(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    memset(draw, 0, sizeof *draw);
    draw->memory = call->engine->fifo->memory;
    uint32_t operation = slots->operation ? call_value(call, slots->operation) : NV4_SRCCOPY;
    if (nv4_surface_in_blocks(nv4_context(call, slots, NV4_SURFACE))) {
        work_end(call);
        call_work_not_executed(call, "drawing to a surface in blocks");
        return false;
    }
    draw->operation = operation < NV4_OPERATIONS ? (enum nv4_operation)operation : NV4_OPERATIONS;
    if (!open_surface(call, slots, draw) || !open_operation(call, slots, draw)) {
        work_end(call);
        call_error(call, ENGINE_ERROR_INVALID_STATE);
        return false;
    }
    struct object *clip = nv4_context(call, slots, NV4_CLIP), *chroma = nv4_context(call, slots, NV4_CHROMA);
    if (clip)
        nv4_draw_clip(draw, clip_box(call, clip));
    if (chroma)
        nv4_chroma_open(chroma, draw);
    return true;
}

const struct nv4_format *nv4_source_format(const struct call *call, const struct nv4_slots *slots) {
    const struct nv4_format *format = slots->formats(call_value(call, slots->format));
    if (!format) {
        work_end(call);
        call_error(call, ENGINE_ERROR_INVALID_STATE);
    }
    return format;
}

enum action_result nv4_draw_fault(const struct call *call, const struct nv4_draw *draw) {
    work_end(call);
    call_fault(call, &draw->fault);
    return ACTION_DONE;
}

enum action_result nv4_fill_box(const struct call *call, struct nv4_draw *draw, struct nv4_box box, uint32_t color) {
    box = nv4_clipped(draw, box);
    uint64_t width = nv4_box_empty(&box) ? 0 : (uint64_t)(box.right - box.left);
    uint64_t height = width ? (uint64_t)(box.bottom - box.top) : 0;
    struct work_slice slice = work_slice(call, height, width * draw->format->bytes + 1);
    for (uint64_t row = slice.first; row < slice.first + slice.count; row++)
        if (!nv4_draw_row(draw, box.left, box.top + (int32_t)row, &color, 0, (uint32_t)width))
            return nv4_draw_fault(call, draw);
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    call_done(call, "fill", nv4_draw_address(draw, box.left, box.top), width * height * draw->format->bytes);
    return ACTION_DONE;
}
