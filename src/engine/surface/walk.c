/* SPDX-License-Identifier: MIT */
#include "engine/surface/walk.h"

/* More than is needed now is asked for up to this: a bound for the pages that are looked at in vain. */
#define AHEAD_BYTES (UINT64_C(4) << 20)

/* Blocks up to this size are near enough to each other to ask for the next ones, too. */
#define NEAR_BYTES 0x8000u

void walk_begin(struct walk *walk, const struct layout *layout) {
    *walk = (struct walk){.layout = layout, .line = layout_offset(layout, 0, 0, 0)};
    if (layout->kind != LAYOUT_SWIZZLED)
        return;
    walk->places = layout_places(layout).x;
    walk->shift = layout_element_shift(layout);
}

uint64_t walk_offset(struct walk *walk, struct surface_point at) {
    const struct layout *layout = walk->layout;
    if (at.y != walk->y || at.z != walk->z) {
        walk->line = layout_offset(layout, 0, at.y, at.z);
        walk->y = at.y;
        walk->z = at.z;
    }
    if (layout->kind == LAYOUT_PITCH)
        return walk->line + at.x;
    if (layout->kind == LAYOUT_SWIZZLED)
        return walk->line + walk_swizzled(walk, at.x);
    if (layout->quarter_gobs)
        return layout_offset(layout, at.x, at.y, at.z);
    return walk->line + walk_gob(layout, at.x) + walk_in_gob(layout->order, at.x & 63);
}

void view_begin(struct view *view, struct memory *memory, const struct surface *surface, enum memory_access access) {
    *view = (struct view){.memory = memory, .surface = surface, .access = access};
    walk_begin(&view->walk, &surface->layout);
}

void view_expect(struct view *view, struct surface_point at, uint64_t line_bytes, uint64_t lines) {
    const struct layout *layout = &view->surface->layout;
    uint64_t last = at.y + lines - 1, bytes = line_bytes * lines;
    if (layout->kind == LAYOUT_SWIZZLED || !lines || !line_bytes)
        return;
    uint64_t first = layout->kind == LAYOUT_PITCH && layout->pitch < 0 ? last : at.y;
    view->end = layout_offset(layout, at.x + line_bytes - 1, first == at.y ? last : at.y, at.z) + 1;
    view->ahead = view->end - layout_offset(layout, at.x, first, at.z) <= 4 * bytes + NEAR_BYTES;
    if (layout->kind == LAYOUT_BLOCK) {
        uint64_t block = UINT64_C(512) << layout->block_width << layout->block_height << layout->block_depth;
        view->ahead |= block <= NEAR_BYTES;
        view->end += block;
    }
}

/* `*bytes` becomes what there is of them. */
static bool find_span(struct view *view, uint64_t address, uint64_t *bytes, enum memory_access access,
                      struct fault *fault, bool silent) {
    const struct address_space *space = &view->surface->space;
    bool there = silent ? memory_try_span(view->memory, space, address, *bytes, access, &view->span)
                        : memory_span(view->memory, space, address, *bytes, access, &view->span, fault);
    if (!there)
        view->span.bytes = 0;
    *bytes = view->span.bytes;
    return there;
}

/* Translate from `address` on, at least one byte; what was translated before is forgotten. */
static bool translate(struct view *view, uint64_t offset, uint64_t bytes, struct fault *fault, bool silent) {
    uint64_t address = view->surface->address + offset, ahead = view->end - offset;
    if (ahead > AHEAD_BYTES)
        ahead = AHEAD_BYTES;
    if (view->ahead && bytes < ahead)
        bytes = ahead;
    view->span.bytes = 0;
    view->begin = address;
    if (view->merges && !find_span(view, address, &bytes, MEMORY_READ, fault, silent))
        return false;
    return find_span(view, address, &bytes, view->access, fault, silent);
}

static uint8_t *piece_at(struct view *view, uint64_t offset, uint64_t *bytes, struct fault *fault, bool silent) {
    uint64_t skip = view->surface->address + offset - view->begin;
    if (skip >= view->span.bytes) {
        if (!translate(view, offset, *bytes, fault, silent))
            return NULL;
        skip = 0;
    }
    if (*bytes > view->span.bytes - skip)
        *bytes = view->span.bytes - skip;
    return view->span.data + skip;
}

uint8_t *view_piece(struct view *view, uint64_t offset, uint64_t *bytes, struct fault *fault) {
    return piece_at(view, offset, bytes, fault, false);
}

uint8_t *view_try_piece(struct view *view, uint64_t offset, uint64_t *bytes) {
    return piece_at(view, offset, bytes, NULL, true);
}

uint8_t *view_row(struct view *view, struct surface_point at, uint64_t *bytes, struct fault *fault) {
    uint64_t offset = walk_offset(&view->walk, at);
    *bytes = layout_contiguous(&view->surface->layout, at.x, *bytes);
    return piece_at(view, offset, bytes, fault, false);
}

uint8_t *view_range(struct view *view, uint64_t begin, uint64_t end) {
    uint64_t skip = view->surface->address + begin - view->begin, bytes = end - begin;
    if (skip < view->span.bytes && view->span.bytes - skip >= bytes)
        return view->span.data + skip;
    if (!translate(view, begin, bytes, NULL, true) || view->span.bytes < bytes)
        return NULL;
    return view->span.data;
}
