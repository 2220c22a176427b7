/* SPDX-License-Identifier: MIT */
#include "engine/graph/clear.h"

#include <assert.h>

#include "engine/surface/access.h"
#include "engine/core/work.h"
#include "engine/surface/picture.h"
#include "fifo/fifo.h"

#define PATTERN_BYTES 16u

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

struct clear_box clear_box_of_size(uint32_t horizontal, uint32_t vertical) {
    uint32_t x = horizontal & 0xffff, y = vertical & 0xffff;
    return (struct clear_box){x, y, x + (horizontal >> 16), y + (vertical >> 16)};
}

struct clear_box clear_box_of_bounds(uint32_t horizontal, uint32_t vertical) {
    return (struct clear_box){horizontal & 0xffff, vertical & 0xffff, horizontal >> 16, vertical >> 16};
}

struct clear_box clear_box_of_last(uint32_t horizontal, uint32_t vertical) {
    return (struct clear_box){horizontal & 0xffff, vertical & 0xffff, (horizontal >> 16) + 1, (vertical >> 16) + 1};
}

void clear_box_and(struct clear_box *box, struct clear_box other) {
    box->x0 = box->x0 > other.x0 ? box->x0 : other.x0;
    box->y0 = box->y0 > other.y0 ? box->y0 : other.y0;
    box->x1 = lesser(box->x1, other.x1);
    box->y1 = lesser(box->y1, other.y1);
}

static bool is_empty(const struct clear_box *box) {
    return box->x0 >= box->x1 || box->y0 >= box->y1;
}

/* Pixels to samples. Boxes of methods have at most 17 bits. */
static struct clear_box in_samples(const struct clear *clear, const struct clear_box *box) {
    return (struct clear_box){box->x0 << clear->log2_x, box->y0 << clear->log2_y, box->x1 << clear->log2_x,
                              box->y1 << clear->log2_y};
}

/* All of a swizzled surface is all of its memory: it does not matter what is where. */
static void unswizzle(struct clear_surface *s) {
    struct layout *layout = &s->surface.layout;
    bool is_all = s->area.x0 == 0 && s->area.y0 == 0 && s->area.x1 == layout->width && s->area.y1 == layout->height;
    if (layout->type == LAYOUT_SWIZZLED && is_all && layout->depth == 1)
        *layout = (struct layout){.type = LAYOUT_PITCH, .pitch = (int64_t)layout->width * s->bytes, .depth = 1};
}

void clear_add(struct clear *clear, const struct clear_surface *surface) {
    struct clear_box area = in_samples(clear, &clear->area);
    clear_box_and(&area, surface->area);
    if (is_empty(&area) || clear->surfaces == CLEAR_MAX_SURFACES)
        return;
    assert(surface->bytes && surface->bytes <= PATTERN_BYTES && !(surface->bytes & (surface->bytes - 1)));
    struct clear_surface *added = &clear->surface[clear->surfaces++];
    *added = *surface;
    added->area = area;
    added->layout = surface->surface.layout;
    if (!clear->window.enabled)
        unswizzle(added);
    for (unsigned i = added->bytes; i < PATTERN_BYTES; i++) {
        added->value[i] = added->value[i - added->bytes];
        added->mask[i] = added->mask[i - added->bytes];
    }
}

/* ---- doing it ---- */

/* Columns [x, end) of some lines. */
static bool clear_part(struct memory *memory, const struct clear_surface *s, uint64_t x, uint64_t y, uint64_t end,
                       uint64_t lines, struct fault *fault) {
    struct surface_point at = {x * s->bytes, y, s->z};
    uint64_t line_bytes = (end - x) * s->bytes;
    assert(x < end);
    if (!s->whole)
        return surface_merge_lines(memory, &s->surface, at, s->value, s->mask, s->bytes, line_bytes, lines, fault);
    return surface_fill_lines(memory, &s->surface, at, s->value, s->bytes, line_bytes, lines, fault);
}

/* Whether (x, y) is to be cleared as far as windows go, and up to which x, at most `end`, that is the same. */
static bool clear_in_window(const struct clear *clear, uint32_t x, uint32_t y, uint32_t *end) {
    bool inside = false;
    assert(clear->window.count <= CLEAR_MAX_WINDOWS);
    for (unsigned i = 0; i < clear->window.count; i++) {
        struct clear_box box = in_samples(clear, &clear->window.box[i]);
        if (is_empty(&box) || y < box.y0 || y >= box.y1 || x >= box.x1)
            continue;
        inside |= x >= box.x0;
        *end = lesser(*end, x < box.x0 ? box.x0 : box.x1);
    }
    return inside != clear->window.outside;
}

static bool clear_line(const struct call *call, const struct clear *clear, const struct clear_surface *s, uint32_t y,
                       struct fault *fault) {
    struct memory *memory = call->engine->fifo->memory;
    for (uint32_t x = s->area.x0; x < s->area.x1;) {
        uint32_t end = s->area.x1;
        if (clear_in_window(clear, x, y, &end) && !clear_part(memory, s, x, y, end, 1, fault))
            return false;
        assert(x < end && end <= s->area.x1);
        x = end;
    }
    return true;
}

static uint64_t clear_lines_of(const struct clear_surface *s) {
    return s->area.y1 - s->area.y0;
}

static uint64_t clear_line_bytes(const struct clear_surface *s) {
    return (uint64_t)(s->area.x1 - s->area.x0) * s->bytes;
}

/* Lines from `first` of the surface's area on: all at once where nothing stands between them. */
static bool clear_rows(const struct call *call, const struct clear *clear, const struct clear_surface *s,
                       uint64_t first, uint64_t lines, struct fault *fault) {
    uint64_t y = s->area.y0 + first;
    if (!clear->window.enabled)
        return clear_part(call->engine->fifo->memory, s, s->area.x0, y, s->area.x1, lines, fault);
    for (uint64_t i = 0; i < lines; i++)
        if (!clear_line(call, clear, s, (uint32_t)(y + i), fault))
            return false;
    return true;
}

/* Lines are counted through all surfaces. */
static bool clear_lines(const struct call *call, const struct clear *clear, const struct work_slice *slice) {
    uint64_t first = slice->first, left = slice->count;
    for (unsigned i = 0; i < clear->surfaces && left > 0; i++) {
        const struct clear_surface *s = &clear->surface[i];
        uint64_t behind = first < clear_lines_of(s) ? first : clear_lines_of(s), lines = clear_lines_of(s) - behind;
        lines = lines < left ? lines : left;
        struct fault fault;
        if (!clear_rows(call, clear, s, behind, lines, &fault)) {
            call_fault_of(call, s->use, &fault);
            return false;
        }
        first -= behind;
        left -= lines;
    }
    return true;
}

static void describe(const struct clear *clear, const struct clear_surface *s, struct pfifo_draw *draw) {
    struct picture picture = {.format = s->format,
                              .surface = s->surface,
                              .slice = s->z,
                              .width = s->size.x1 >> clear->log2_x,
                              .height = s->size.y1 >> clear->log2_y,
                              .layers = 1,
                              .log2_x = (uint8_t)clear->log2_x,
                              .log2_y = (uint8_t)clear->log2_y};
    picture.surface.layout = s->layout;
    if (s->number < PFIFO_DRAW_TARGETS)
        picture_describe(&draw->target[s->number], &picture);
}

/* What observers of a clear are told of its targets. */
static void clear_tell(const struct call *call, const struct clear *clear, uint64_t address, uint64_t bytes) {
    struct event_hub *events = call->engine->fifo->events;
    struct pfifo_draw draw = {.clear = true, .object_class = call->object->object_class, .method = call->method};
    for (unsigned i = 0; i < clear->surfaces; i++)
        if (clear->surface[i].format)
            describe(clear, &clear->surface[i], &draw);
    events->draw = &draw;
    call_done(call, event_words[PFIFO_WORD_CLEAR], address, bytes);
    events->draw = NULL;
}

static void clear_tell_write(const struct call *call, const struct clear_surface *s) {
    struct surface surface = s->surface;
    const struct access access = {event_words[PFIFO_WORD_CLEAR],
                                  {(uint64_t)s->area.x0 * s->bytes, s->area.y0, s->z},
                                  clear_line_bytes(s),
                                  clear_lines_of(s)};
    surface.layout = s->layout;
    call_writes(call, &surface, &access);
}

/* What windows leave out is counted, too. */
static void clear_report(const struct call *call, const struct clear *clear) {
    const struct clear_surface *s = &clear->surface[0];
    uint64_t bytes = 0;
    assert(clear->surfaces > 0);
    for (unsigned i = 0; i < clear->surfaces; i++)
        bytes += clear_lines_of(&clear->surface[i]) * clear_line_bytes(&clear->surface[i]);
    uint64_t offset = layout_offset(&s->surface.layout, (uint64_t)s->area.x0 * s->bytes, s->area.y0, s->z);
    for (unsigned i = 0; i < clear->surfaces; i++)
        clear_tell_write(call, &clear->surface[i]);
    if (event_wanted(call->engine->fifo->events, EVENT_ENGINE_DONE))
        clear_tell(call, clear, s->surface.address + offset, bytes);
}

#define BOX_BYTES 256u /* what a line costs more for each window */

/* A few lines of a swizzled surface are everywhere in its memory: a pixel of them costs so many times its bytes. */
#define FEW_LINES 8u
#define SCATTERED 8u

static uint64_t line_cost(const struct clear *clear, const struct clear_surface *s) {
    uint64_t boxes = clear->window.enabled ? clear->window.count + 1u : 0;
    bool scattered = s->surface.layout.type == LAYOUT_SWIZZLED && (clear_lines_of(s) < FEW_LINES || boxes);
    return clear_line_bytes(s) * (scattered ? SCATTERED : 1) + WORK_LINE_BYTES + boxes * BOX_BYTES;
}

/* Whole blocks at a time, of the surface that the slice ends in. */
static void align(const struct clear *clear, struct work_slice *slice) {
    uint64_t first = 0, end = slice->first + slice->count;
    const struct clear_surface *s = clear->surface;
    for (; first + clear_lines_of(s) < end; s++)
        first += clear_lines_of(s);
    assert(s < clear->surface + clear->surfaces);
    if (!clear->window.enabled)
        work_slice_align(slice, s->area.y0 - first, layout_block_lines(&s->surface.layout));
}

enum action_result clear_execute(const struct call *call, const struct clear *clear) {
    uint64_t lines = 0, dearest = 1;
    for (unsigned i = 0; i < clear->surfaces; i++) {
        uint64_t cost = line_cost(clear, &clear->surface[i]);
        lines += clear_lines_of(&clear->surface[i]);
        dearest = cost > dearest ? cost : dearest;
    }
    if (lines == 0)
        return ACTION_DONE;
    struct work_slice slice = work_slice(call, lines, dearest);
    align(clear, &slice);
    if (!clear_lines(call, clear, &slice)) {
        work_break(call);
        return ACTION_DONE;
    }
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    clear_report(call, clear);
    return ACTION_DONE;
}
