/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_context.h"

#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_pattern.h"
#include "engine/twod/nv4_surface.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"

#define OLD_PATTERN 0x18u

static uint32_t *nv4_context_words_of(struct object *object) {
    return object_private(object);
}

/* ---- binding ---- */

/* Surfaces of NV10 and later: 62 and 9e, whatever the first byte. */
static bool is_nv10_surface(uint32_t object_class) {
    return (object_class & 0xff) == 0x62 || (object_class & 0xff) == 0x9e;
}

static bool fits_surface(const struct nv4_slots *slots, uint32_t object_class) {
    if (slots->is_old)
        return object_class == 0x58;
    if (nv4_surface_is_swizzled(object_class) && !slots->swizzled)
        return false;
    return object_class == 0x42 || object_class == 0x52 || (is_nv10_surface(object_class) && !slots->only_nv4);
}

/*
 * UNKNOWN: before NV10 an old class wants 57 where those of later chips want 17; chosen: either, everywhere. [envytools
 * hwtest/pgraph_mthd_grobj.cc]
 */
static bool nv4_context_fits(const struct nv4_slots *slots, enum nv4_context context, uint32_t object_class) {
    switch (context) {
    case NV4_CLIP:
        return object_class == 0x19;
    case NV4_CHROMA:
        return object_class == 0x57 || (slots->is_old && object_class == 0x17);
    case NV4_PATTERN:
        return object_class == (slots->is_old ? OLD_PATTERN : 0x44);
    case NV4_ROP:
        return object_class == 0x43;
    case NV4_BETA:
        return object_class == 0x12;
    case NV4_BETA4:
        return object_class == 0x72;
    case NV4_SURFACE:
        return fits_surface(slots, object_class);
    case NV4_SOURCE:
        return object_class == 0x59;
    default:
        return false;
    }
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
    if (context == NV4_NO_CONTEXT || (object_class != NULL_CLASS && !nv4_context_fits(slots, context, object_class)))
        return call_error(call, ENGINE_ERROR_INVALID_OBJECT);
    assert(context < NV4_CONTEXTS);
    nv4_context_words_of(call->object)[context] = object_class == NULL_CLASS ? 0 : object_class;
    return ACTION_DONE;
}

/* ---- NV4: the driver writes what is bound ---- */

/* Word 0 of the object in RAMIN. */
#define GROBJ_CHROMA    (1u << 12)
#define GROBJ_CLIP      (1u << 13)
#define GROBJ_SWIZZLED  (1u << 14)
#define GROBJ_OPERATION 15u
#define GROBJ_VALID     (1u << 24) /* all is there that the operation needs */

_Static_assert(NV4_OPERATIONS <= 8, "an operation has three bits there");

static uint32_t grobj(const struct call *call) {
    const struct channel_state *state = engine_channel(call->engine, call->channel);
    uint32_t instance = state ? state->bound[call->subchannel & (ENGINE_SUBCHANNELS - 1)] : 0;
    return memory_ramin_rd32(call->engine->fifo->memory, instance << 4);
}

/* The driver says of surfaces, pattern and factors no more than that they are there. */
static uint32_t bound_in_grobj(const struct nv4_slots *slots, enum nv4_context context, uint32_t word) {
    bool valid = word & GROBJ_VALID;
    switch (context) {
    case NV4_CLIP:
        return word & GROBJ_CLIP ? 0x19 : 0;
    case NV4_CHROMA:
        return word & GROBJ_CHROMA ? 0x57 : 0;
    case NV4_PATTERN:
        return !valid ? 0 : slots->is_old ? OLD_PATTERN : 0x44;
    case NV4_SURFACE:
        return !valid ? 0 : word & GROBJ_SWIZZLED ? 0x52 : slots->is_old ? 0x58 : 0x42;
    default:
        return valid;
    }
}

static uint32_t operation_of(const struct call *call, const struct nv4_slots *slots) {
    if (!slots->operation)
        return NV4_SRCCOPY;
    if (call->engine->fifo->chip->binds_by_driver)
        return grobj(call) >> GROBJ_OPERATION & 7;
    return call_value(call, slots->operation);
}

uint32_t nv4_bound(const struct call *call, const struct nv4_slots *slots, enum nv4_context context) {
    assert(context < NV4_CONTEXTS);
    if (slots->bind[context] && call->engine->fifo->chip->binds_by_driver)
        return bound_in_grobj(slots, context, grobj(call));
    return slots->bind[context] ? nv4_context_words_of(call->object)[context] : 0;
}

/* ---- the operation, the format ---- */

/* The last of so many valid values. */
static uint32_t keep(struct object *object, unsigned word, const uint32_t *data, uint32_t count) {
    assert(word == NV4_KEPT_OPERATION || word == NV4_KEPT_FORMAT);
    if (count)
        nv4_context_words_of(object)[word] = data[count - 1];
    return count;
}

static uint32_t keep_below(uint32_t limit, struct object *object, const uint32_t *data, uint32_t count) {
    uint32_t valid = 0;
    while (valid < count && data[valid] < limit)
        valid++;
    return keep(object, NV4_KEPT_OPERATION, data, valid);
}

/* 1 to 3 are formats everywhere. */
uint32_t nv4_valid_format(struct object *object, const uint32_t *data, uint32_t count) {
    uint32_t valid = 0;
    while (valid < count && data[valid] - 1 < 3)
        valid++;
    return keep(object, NV4_KEPT_FORMAT, data, valid);
}

static bool nv4_context_valid_format(const struct call *call, const struct nv4_slots *slots, uint32_t format) {
    bool nv30 = call->object->object_class & 0xff00;
    return format >= 1 && format <= (nv30 && slots->last_format_nv30 ? slots->last_format_nv30 : slots->last_format);
}

enum action_result nv4_set_format(struct call *call) {
    return nv4_keep_unless_valid(call, NV4_KEPT_FORMAT,
                                 nv4_context_valid_format(call, call->action->argument, call->data));
}

uint32_t nv4_valid_operation(struct object *object, const uint32_t *data, uint32_t count) {
    return keep_below(NV4_OPERATIONS, object, data, count);
}

uint32_t nv4_valid_old_operation(struct object *object, const uint32_t *data, uint32_t count) {
    return keep_below(NV4_SRCCOPY, object, data, count);
}

enum action_result nv4_set_conversion(struct call *call) {
    return nv4_refuse_unless(call, call->data <= 2);
}

/* Only of what those above did not take. */
enum action_result nv4_set_operation(struct call *call) {
    return nv4_keep_unless_valid(call, NV4_KEPT_OPERATION, false);
}

/* ---- drawing ---- */

/* Is it bound, and of use? If not, observers are told: of what is bound, the object's own state may be missing. */
static bool has_context(const struct call *call, const struct nv4_slots *slots, enum nv4_context context, bool of_use) {
    bool bound = nv4_bound(call, slots, context);
    if (bound && of_use)
        return true;
    if (slots->bind[context])
        call_missing(call, slots->bind[context],
                     bound ? "what is bound is not complete, or does not fit" : "nothing is bound");
    return false;
}

static bool open_raster_operation(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    const uint32_t *state = nv4_state(call);
    uint32_t pattern = nv4_bound(call, slots, NV4_PATTERN);
    if (!has_context(call, slots, NV4_ROP, true) || !has_context(call, slots, NV4_PATTERN, true))
        return false;
    uint8_t rop = (uint8_t)state[NV4_STATE_ROP];
    draw->rop = rop;
    draw->reads = ((rop >> 1 ^ rop) & 0x55) != 0;
    draw->patterned = ((rop >> 4 ^ rop) & 0x0f) != 0;
    return !draw->patterned ||
           has_context(call, slots, NV4_PATTERN, nv4_pattern_open(state, pattern != OLD_PATTERN, draw));
}

/* What the operation needs. Blending of indices is not defined: it is refused like what is missing. */
static bool open_operation(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    const uint32_t *state = nv4_state(call);
    bool index = draw->format->meaning == NV4_INDEX;
    switch (draw->operation) {
    case NV4_SRCCOPY_AND:
    case NV4_SRCCOPY:
        return true;
    case NV4_ROP_AND:
        return open_raster_operation(call, slots, draw);
    case NV4_BLEND_AND:
        draw->reads = true;
        draw->beta = (uint8_t)(state[NV4_STATE_BETA] >> 23);
        return has_context(call, slots, NV4_BETA, !index);
    case NV4_SRCCOPY_PREMULT:
    case NV4_BLEND_PREMULT:
        draw->reads = draw->operation == NV4_BLEND_PREMULT;
        draw->beta4 = state[NV4_STATE_BETA4];
        return has_context(call, slots, NV4_BETA4, !index);
    default:
        call_missing(call, slots->operation, "no operation");
        return false;
    }
}

static bool nv4_context_open_surface(const struct call *call, bool swizzled, struct nv4_draw *draw) {
    struct nv4_surface surface;
    if (!nv4_surface_destination(call, swizzled, &surface))
        return false;
    draw->surface = surface.surface;
    draw->format = surface.format;
    draw->clip = (struct nv4_box){0, 0, surface.width, surface.height};
    return true;
}

bool nv4_draw_open(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw) {
    memset(draw, 0, sizeof *draw);
    draw->memory = call->engine->fifo->memory;
    uint32_t operation = operation_of(call, slots);
    uint32_t surface = nv4_bound(call, slots, NV4_SURFACE);
    bool swizzled = nv4_surface_is_swizzled(surface);
    draw->operation = operation < NV4_OPERATIONS ? (enum nv4_operation)operation : NV4_OPERATIONS;
    if (surface && nv4_surface_is_unnamed(call, swizzled)) {
        work_end(call);
        call_work_not_executed(call, "drawing to pixels without a name");
        return false;
    }
    if (!has_context(call, slots, NV4_SURFACE, surface && nv4_context_open_surface(call, swizzled, draw)) ||
        !open_operation(call, slots, draw)) {
        work_end(call);
        call_error(call, ENGINE_ERROR_INVALID_STATE);
        return false;
    }
    if (nv4_bound(call, slots, NV4_CLIP))
        nv4_draw_clip(draw, nv4_clip_box(nv4_state(call), NV4_STATE_CLIP));
    if (nv4_bound(call, slots, NV4_CHROMA))
        nv4_chroma_open(nv4_state(call), draw);
    assert(draw->operation < NV4_OPERATIONS && draw->clip.left >= 0 && draw->clip.top >= 0);
    assert(draw->clip.right <= NV4_EXTENT && draw->clip.bottom <= NV4_EXTENT);
    return true;
}

const struct nv4_format *nv4_source_format(const struct call *call, const struct nv4_slots *slots) {
    assert(slots->format && slots->formats); /* only a blit has none */
    uint32_t code = call_value(call, slots->format);
    const struct nv4_format *format = nv4_context_valid_format(call, slots, code) ? slots->formats(code) : NULL;
    if (format)
        return format;
    work_end(call);
    if (nv4_context_valid_format(call, slots, code))
        call_work_not_executed(call, "drawing of pixels without a name");
    else
        call_invalid_state(call, slots->format, code ? "not a format of the class" : "never set");
    return NULL;
}

enum action_result nv4_draw_fault(const struct call *call, const struct nv4_draw *draw) {
    work_break(call);
    work_costs(call, draw->cost);
    call_fault(call, &draw->fault);
    return ACTION_DONE;
}

void nv4_draw_tell(const struct call *call, const char *what, const struct nv4_draw *draw, struct nv4_box box) {
    box = nv4_clipped(draw, box);
    uint64_t bytes = draw->format->bytes;
    if (!nv4_box_empty(&box))
        call_writes(call, &draw->surface,
                    &(struct access){what,
                                     {(uint64_t)box.left * bytes, (uint64_t)box.top, 0},
                                     (uint64_t)(box.right - box.left) * bytes,
                                     (uint64_t)(box.bottom - box.top)});
}

enum action_result nv4_fill_box(const struct call *call, struct nv4_draw *draw, struct nv4_box box, uint32_t color) {
    box = nv4_clipped(draw, box);
    uint64_t width = nv4_box_empty(&box) ? 0 : (uint64_t)(box.right - box.left);
    uint64_t height = width ? (uint64_t)(box.bottom - box.top) : 0;
    struct work_slice slice = work_slice(call, height, nv4_draw_cost(draw, 0, width));
    assert(slice.first + slice.count <= height);
    struct nv4_box part = box;
    part.top += (int32_t)slice.first;
    part.bottom = part.top + (int32_t)slice.count;
    if (slice.count && !nv4_draw_box(draw, &part, color))
        return nv4_draw_fault(call, draw);
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    nv4_draw_tell(call, "fill", draw, box);
    call_done(call, "fill", nv4_draw_address(draw, box.left, box.top), width * height * draw->format->bytes);
    return ACTION_DONE;
}
