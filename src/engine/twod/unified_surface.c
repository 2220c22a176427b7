/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/surface/access.h"
#include "engine/core/error.h"
#include "engine/core/predicate.h"
#include "engine/twod/unified.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"
#include "methods/gf100_2d.h"

/* Methods of a surface, from its first on. */
enum {
    FORMAT = 0x00,
    LAYOUT = 0x04,
    BLOCK_SIZE = 0x08,
    DEPTH = 0x0c,
    LAYER = 0x10,
    PITCH = 0x14,
    WIDTH = 0x18,
    HEIGHT = 0x1c,
    ADDRESS_HIGH = 0x20,
    ADDRESS_LOW = 0x24,
};

#define LAYOUT_IS_PITCH 1u
#define FORMAT_Y1_8X8   0x1cu
#define FORMAT_AY8      0x1du
#define ADDRESS_BITS    8
#define MAX_BLOCK       5u /* 32 gobs */

/* ---- formats ---- */

/* UNKNOWN: how the pixels of Y1_8X8, a bit each, lie in memory; it is not executed. */
static bool unified_surface_set_format(const struct call *call, uint32_t base, struct unified_surface *surface) {
    uint32_t code = call_value(call, base + FORMAT) & 0xff;
    uint64_t legal = unified_class(call)->formats;
    bool is_legal = code >= 0xc0 ? legal >> (code - 0xc0) & 1 : code == FORMAT_AY8 && base == UNIFIED_SRC;
    if (code == FORMAT_Y1_8X8)
        call_not_executed(call);
    else if (!is_legal || !pixels_of(code, &surface->pixels))
        call_error(call, ENGINE_ERROR_2D_FORMAT);
    else
        return true;
    return false;
}

/* ---- layouts ---- */

/* UNKNOWN: what the pitch must be a multiple of for the error to be raised; chosen: the class's, see its row. */
static bool set_pitch(const struct call *call, uint32_t base, struct layout *layout) {
    uint32_t pitch = call_value(call, base + PITCH);
    layout->type = LAYOUT_PITCH;
    layout->pitch = pitch;
    if (pitch % unified_class(call)->pitch_align == 0)
        return true;
    call_error(call, ENGINE_ERROR_2D_PITCH);
    return false;
}

static bool unified_surface_set_blocks(const struct call *call, uint32_t base, struct unified_surface *surface) {
    const struct unified_class *class = unified_class(call);
    struct layout *layout = &surface->surface.layout;
    uint32_t size = call_value(call, base + BLOCK_SIZE), depth = call_value(call, base + DEPTH);
    uint32_t mask = class->has_block_width ? 0xf : 0x7;
    layout->type = LAYOUT_BLOCK;
    layout->order = call->engine->fifo->chip->gob_order;
    layout->width = (uint64_t)surface->width * pixels_bytes(&surface->pixels);
    layout->height = surface->height ? surface->height : 1;
    layout->depth = depth ? depth : 1;
    layout->block_width = class->has_block_width ? size & mask : 0;
    layout->block_height = size >> 4 & mask;
    layout->block_depth = size >> 8 & mask;
    if (layout->block_width <= MAX_BLOCK && layout->block_height <= MAX_BLOCK && layout->block_depth <= MAX_BLOCK)
        return true;
    call_error(call, ENGINE_ERROR_INVALID_BITFIELD);
    return false;
}

static bool unified_surface_set_size(const struct call *call, uint32_t base, struct unified_surface *surface) {
    surface->width = call_value(call, base + WIDTH);
    surface->height = call_value(call, base + HEIGHT);
    if (surface->width <= UNIFIED_MAX_SIZE && surface->height <= UNIFIED_MAX_SIZE)
        return true;
    call_error(call, ENGINE_ERROR_INVALID_VALUE);
    return false;
}

bool unified_surface(const struct call *call, uint32_t base, struct unified_surface *surface) {
    const struct unified_class *class = unified_class(call);
    assert(base == UNIFIED_DST || base == UNIFIED_SRC);
    *surface = (struct unified_surface){.surface = {.layout = {.depth = 1}},
                                        .use = base == UNIFIED_DST ? USE_2D_DESTINATION : USE_2D_SOURCE};
    if (!unified_surface_set_format(call, base, surface) || !unified_surface_set_size(call, base, surface))
        return false;
    surface->surface.address = call_address(call, base + ADDRESS_HIGH, base + ADDRESS_LOW, ADDRESS_BITS);
    uint32_t object = base == UNIFIED_DST ? UNIFIED_DMA_DST : UNIFIED_DMA_SRC;
    surface->surface.space = call_space(call, class->has_dma ? call_value(call, object) : 0);
    if (call_value(call, base + LAYOUT) & LAYOUT_IS_PITCH)
        return set_pitch(call, base, &surface->surface.layout);
    if (base == UNIFIED_DST || class->has_source_layer)
        surface->layer = call_value(call, base + LAYER);
    return unified_surface_set_blocks(call, base, surface);
}

/* ---- rows ---- */

static bool raised(const struct call *call, const struct unified_surface *s, bool done, const struct fault *fault) {
    if (!done)
        call_fault_of(call, s->use, fault);
    return done;
}

static void count_drawn(const struct call *call, uint64_t bytes) {
    unified_set_extra64(call, UNIFIED_DRAWN, unified_extra64(call, UNIFIED_DRAWN) + bytes);
}

bool unified_read(const struct call *call, const struct unified_surface *s, uint32_t x, uint32_t y, void *pixels,
                  uint32_t count) {
    unsigned bytes = pixels_bytes(&s->pixels);
    struct fault fault;
    assert((uint64_t)x + count <= s->width && y < s->height);
    bool done = surface_read(call->engine->fifo->memory, &s->surface, (uint64_t)x * bytes, y, s->layer, pixels,
                             (uint64_t)count * bytes, &fault);
    return raised(call, s, done, &fault);
}

bool unified_write(const struct call *call, const struct unified_surface *s, uint32_t x, uint32_t y, const void *pixels,
                   uint32_t count) {
    unsigned bytes = pixels_bytes(&s->pixels);
    struct fault fault;
    assert((uint64_t)x + count <= s->width && y < s->height);
    bool done = surface_write(call->engine->fifo->memory, &s->surface, (uint64_t)x * bytes, y, s->layer, pixels,
                              (uint64_t)count * bytes, &fault);
    count_drawn(call, (uint64_t)count * bytes);
    return raised(call, s, done, &fault);
}

bool unified_fill(const struct call *call, const struct unified_surface *s, uint32_t x, uint32_t y, const void *pixel,
                  uint32_t count, uint32_t rows) {
    unsigned bytes = pixels_bytes(&s->pixels);
    struct surface_point at = {(uint64_t)x * bytes, y, s->layer};
    struct fault fault;
    assert((uint64_t)x + count <= s->width && (uint64_t)y + rows <= s->height);
    bool done = surface_fill_lines(call->engine->fifo->memory, &s->surface, at, pixel, bytes, (uint64_t)count * bytes,
                                   rows, &fault);
    count_drawn(call, (uint64_t)count * bytes * rows);
    return raised(call, s, done, &fault);
}

uint64_t unified_copy(const struct call *call, const struct unified_surface *to, struct surface_point to_point,
                      const struct unified_surface *from, struct surface_point from_point, uint64_t count,
                      uint64_t rows, bool upwards) {
    unsigned bytes = pixels_bytes(&to->pixels);
    assert(bytes == pixels_bytes(&from->pixels));
    to_point.x *= bytes;
    from_point.x *= bytes;
    to_point.z = to->layer;
    from_point.z = from->layer;
    uint64_t done = surface_copy_lines(call->engine->fifo->memory, &to->surface, to_point, &from->surface, from_point,
                                       count * bytes, rows, upwards);
    count_drawn(call, count * bytes * done);
    return done;
}

static struct access access_of(const char *what, const struct unified_surface *s, const struct unified_area *area) {
    uint64_t bytes = pixels_bytes(&s->pixels);
    return (struct access){what, {area->x * bytes, area->y, s->layer}, area->width * bytes, area->height};
}

void unified_has_read(const struct call *call, const char *what, const struct unified_surface *s,
                      const struct unified_area *area) {
    const struct access access = access_of(what, s, area);
    call_reads(call, &s->surface, &access);
}

void unified_done(const struct call *call, const char *what, const struct unified_surface *s,
                  const struct unified_area *area) {
    uint64_t drawn = unified_extra64(call, UNIFIED_DRAWN);
    const struct access access = access_of(what, s, area);
    uint64_t offset = drawn ? layout_offset(&s->surface.layout, access.at.x, area->y, s->layer) : 0;
    if (drawn)
        call_writes(call, &s->surface, &access);
    call_done(call, what, s->surface.address + offset, drawn);
    unified_set_extra64(call, UNIFIED_DRAWN, 0);
}

enum action_result unified_stopped(const struct call *call) {
    work_break(call);
    unified_set_extra64(call, UNIFIED_DRAWN, 0);
    return ACTION_DONE;
}

/* ---- conditions ---- */

/* Evaluated once, before the first slice of a draw. */
bool unified_allowed(const struct call *call) {
    static const struct predicate_methods with_object = {.high = GF100_2D_SET_RENDER_ENABLE_A,
                                                         .low = GF100_2D_SET_RENDER_ENABLE_B,
                                                         .mode = GF100_2D_SET_RENDER_ENABLE_C,
                                                         .object = UNIFIED_DMA_CONDITION,
                                                         .bits = 8};
    static const struct predicate_methods own = {.high = GF100_2D_SET_RENDER_ENABLE_A,
                                                 .low = GF100_2D_SET_RENDER_ENABLE_B,
                                                 .mode = GF100_2D_SET_RENDER_ENABLE_C,
                                                 .override = GF100_2D_SET_RENDER_ENABLE_OVERRIDE,
                                                 .bits = 8};
    if (work_under_way(call))
        return true;
    if (unified_class(call)->has_dma)
        return predicate_allows(call, &with_object);
    return predicate_with_global(call, &own) == PREDICATE_TRUE;
}
