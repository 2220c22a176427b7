/* SPDX-License-Identifier: MIT */
#include "engine/graph/clear.h"

#include "engine/work.h"

#define PATTERN_BYTES 16u
#define CHUNK_BYTES   1024u /* whole patterns */

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

void clear_add(struct clear *clear, const struct clear_surface *surface) {
    struct clear_box area = in_samples(clear, &clear->area);
    clear_box_and(&area, surface->area);
    if (is_empty(&area) || clear->surfaces == CLEAR_MAX_SURFACES)
        return;
    struct clear_surface *added = &clear->surface[clear->surfaces++];
    *added = *surface;
    added->area = area;
    for (unsigned i = added->bytes; i < PATTERN_BYTES; i++) {
        added->value[i] = added->value[i - added->bytes];
        added->mask[i] = added->mask[i - added->bytes];
    }
}

/* ---- doing it ---- */

/* Pixels [x, end) of a line, of which only some bits are written. */
static bool merge_span(struct memory *memory, const struct clear_surface *s, uint64_t x, uint64_t y, uint64_t end,
                       struct fault *fault) {
    uint8_t data[CHUNK_BYTES];
    uint64_t left = (end - x) * s->bytes, at = x * s->bytes;
    while (left > 0) {
        size_t bytes = left < sizeof data ? (size_t)left : sizeof data;
        if (!surface_read(memory, &s->surface, at, y, s->z, data, bytes, fault))
            return false;
        for (size_t i = 0; i < bytes; i++) {
            uint8_t mask = s->mask[i % PATTERN_BYTES];
            data[i] = (uint8_t)((data[i] & ~mask) | (s->value[i % PATTERN_BYTES] & mask));
        }
        if (!surface_write(memory, &s->surface, at, y, s->z, data, bytes, fault))
            return false;
        at += bytes;
        left -= bytes;
    }
    return true;
}

static bool clear_span(struct memory *memory, const struct clear_surface *s, uint64_t x, uint64_t y, uint64_t end,
                       struct fault *fault) {
    if (!s->whole)
        return merge_span(memory, s, x, y, end, fault);
    return surface_fill(memory, &s->surface, x * s->bytes, y, s->z, s->value, s->bytes, (end - x) * s->bytes, fault);
}

/* Whether (x, y) is to be cleared as far as windows go, and up to which x, at most `end`, that is the same. */
static bool in_window(const struct clear *clear, uint32_t x, uint32_t y, uint32_t *end) {
    bool inside = false;
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
    if (!clear->window.enabled)
        return clear_span(memory, s, s->area.x0, y, s->area.x1, fault);
    for (uint32_t x = s->area.x0; x < s->area.x1;) {
        uint32_t end = s->area.x1;
        if (in_window(clear, x, y, &end) && !clear_span(memory, s, x, y, end, fault))
            return false;
        x = end;
    }
    return true;
}

static uint64_t lines_of(const struct clear_surface *s) {
    return s->area.y1 - s->area.y0;
}

static uint64_t line_bytes(const struct clear_surface *s) {
    return (uint64_t)(s->area.x1 - s->area.x0) * s->bytes;
}

/* Lines from `first` of the surface's area on: all at once where nothing stands between them. */
static bool clear_rows(const struct call *call, const struct clear *clear, const struct clear_surface *s,
                       uint64_t first, uint64_t lines, struct fault *fault) {
    uint64_t y = s->area.y0 + first;
    if (s->whole && !clear->window.enabled)
        return surface_fill_lines(call->engine->fifo->memory, &s->surface,
                                  (struct surface_point){(uint64_t)s->area.x0 * s->bytes, y, s->z}, s->value, s->bytes,
                                  line_bytes(s), lines, fault);
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
        uint64_t behind = first < lines_of(s) ? first : lines_of(s), lines = lines_of(s) - behind;
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

/* What windows leave out is counted, too. */
static void report(const struct call *call, const struct clear *clear) {
    const struct clear_surface *s = &clear->surface[0];
    uint64_t bytes = 0;
    for (unsigned i = 0; i < clear->surfaces; i++)
        bytes += lines_of(&clear->surface[i]) * line_bytes(&clear->surface[i]);
    uint64_t offset = layout_offset(&s->surface.layout, (uint64_t)s->area.x0 * s->bytes, s->area.y0, s->z);
    call_done(call, "clear", s->surface.address + offset, bytes);
}

/* Whole blocks at a time, of the surface that the slice ends in. */
static void align(const struct clear *clear, struct work_slice *slice, uint64_t unit_bytes) {
    uint64_t first = 0, end = slice->first + slice->count;
    const struct clear_surface *s = clear->surface;
    for (; first + lines_of(s) < end; s++)
        first += lines_of(s);
    if (s->whole && !clear->window.enabled)
        work_slice_align(slice, s->area.y0 - first, layout_block_lines(&s->surface.layout), unit_bytes);
}

enum action_result clear_execute(const struct call *call, const struct clear *clear) {
    uint64_t lines = 0, longest = 1;
    for (unsigned i = 0; i < clear->surfaces; i++) {
        uint64_t bytes = line_bytes(&clear->surface[i]);
        lines += lines_of(&clear->surface[i]);
        longest = bytes > longest ? bytes : longest;
    }
    if (lines == 0)
        return ACTION_DONE;
    struct work_slice slice = work_slice(call, lines, longest);
    align(clear, &slice, longest);
    if (!clear_lines(call, clear, &slice)) {
        work_end(call);
        return ACTION_DONE;
    }
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    report(call, clear);
    return ACTION_DONE;
}
