/* SPDX-License-Identifier: MIT */
#include "engine/surface/mapping.h"

#include <assert.h>

/* Most bytes that are translated in advance: a bound for translations that turn out to be useless. */
#define AHEAD_BYTES (UINT64_C(4) << 20)

/* Blocks up to this size are close enough to each other to translate the next ones in advance, too. */
#define NEAR_BYTES 0x8000u

void cursor_begin(struct surface_cursor *cursor, const struct layout *layout) {
    *cursor = (struct surface_cursor){.layout = layout, .line = layout_offset(layout, 0, 0, 0)};
    if (layout->type != LAYOUT_SWIZZLED)
        return;
    cursor->places = layout_places(layout).x;
    cursor->shift = layout_element_shift(layout);
}

uint64_t cursor_offset(struct surface_cursor *cursor, struct surface_point at) {
    const struct layout *layout = cursor->layout;
    if (at.y != cursor->y || at.z != cursor->z) {
        cursor->line = layout_offset(layout, 0, at.y, at.z);
        cursor->y = at.y;
        cursor->z = at.z;
    }
    if (layout->type == LAYOUT_PITCH)
        return cursor->line + at.x;
    if (layout->type == LAYOUT_SWIZZLED)
        return cursor->line + cursor_swizzled(cursor, at.x);
    if (layout->quarter_gobs)
        return layout_offset(layout, at.x, at.y, at.z);
    return cursor->line + cursor_gob(layout, at.x) + cursor_in_gob(layout->order, at.x & 63);
}

void mapping_begin(struct surface_mapping *mapping, struct memory *memory, const struct surface *surface,
                   enum memory_access access) {
    *mapping = (struct surface_mapping){.memory = memory, .surface = surface, .access = access};
    cursor_begin(&mapping->cursor, &surface->layout);
}

void mapping_expect(struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes, uint64_t lines) {
    const struct layout *layout = &mapping->surface->layout;
    uint64_t last = at.y + lines - 1, bytes = line_bytes * lines;
    if (layout->type == LAYOUT_SWIZZLED || !lines || !line_bytes)
        return;
    uint64_t first = layout->type == LAYOUT_PITCH && layout->pitch < 0 ? last : at.y;
    mapping->end = layout_offset(layout, at.x + line_bytes - 1, first == at.y ? last : at.y, at.z) + 1;
    mapping->ahead = mapping->end - layout_offset(layout, at.x, first, at.z) <= 4 * bytes + NEAR_BYTES;
    if (layout->type == LAYOUT_BLOCK) {
        uint64_t block = UINT64_C(512) << layout->block_width << layout->block_height << layout->block_depth;
        mapping->ahead |= block <= NEAR_BYTES;
        mapping->end += block;
    }
}

/* `*bytes` becomes the part of them that is there. */
static bool mapping_find_span(struct surface_mapping *mapping, uint64_t address, uint64_t *bytes,
                              enum memory_access access, struct fault *fault, bool silent) {
    const struct address_space *space = &mapping->surface->space;
    bool there = silent ? memory_try_span(mapping->memory, space, address, *bytes, access, &mapping->span)
                        : memory_span(mapping->memory, space, address, *bytes, access, &mapping->span, fault);
    if (!there)
        mapping->span.bytes = 0;
    *bytes = mapping->span.bytes;
    return there;
}

/* Translate from `address` on, at least one byte; what was translated before is forgotten. */
static bool mapping_translate(struct surface_mapping *mapping, uint64_t offset, uint64_t bytes, struct fault *fault,
                              bool silent) {
    uint64_t address = mapping->surface->address + offset, ahead = mapping->end - offset;
    assert(bytes > 0);
    if (ahead > AHEAD_BYTES)
        ahead = AHEAD_BYTES;
    if (mapping->ahead && bytes < ahead)
        bytes = ahead;
    mapping->span.bytes = 0;
    mapping->begin = address;
    if (mapping->merges && !mapping_find_span(mapping, address, &bytes, MEMORY_READ, fault, silent))
        return false;
    return mapping_find_span(mapping, address, &bytes, mapping->access, fault, silent);
}

static uint8_t *piece_at(struct surface_mapping *mapping, uint64_t offset, uint64_t *bytes, struct fault *fault,
                         bool silent) {
    uint64_t skip = mapping->surface->address + offset - mapping->begin;
    if (skip >= mapping->span.bytes) {
        if (!mapping_translate(mapping, offset, *bytes, fault, silent))
            return NULL;
        skip = 0;
    }
    assert(mapping->span.data && skip < mapping->span.bytes);
    if (*bytes > mapping->span.bytes - skip)
        *bytes = mapping->span.bytes - skip;
    return mapping->span.data + skip;
}

uint8_t *mapping_piece(struct surface_mapping *mapping, uint64_t offset, uint64_t *bytes, struct fault *fault) {
    return piece_at(mapping, offset, bytes, fault, false);
}

uint8_t *mapping_try_piece(struct surface_mapping *mapping, uint64_t offset, uint64_t *bytes) {
    return piece_at(mapping, offset, bytes, NULL, true);
}

uint8_t *mapping_row(struct surface_mapping *mapping, struct surface_point at, uint64_t *bytes, struct fault *fault) {
    uint64_t offset = cursor_offset(&mapping->cursor, at);
    *bytes = layout_contiguous(&mapping->surface->layout, at.x, *bytes);
    return piece_at(mapping, offset, bytes, fault, false);
}

uint8_t *mapping_range(struct surface_mapping *mapping, uint64_t begin, uint64_t end) {
    uint64_t skip = mapping->surface->address + begin - mapping->begin, bytes = end - begin;
    if (skip < mapping->span.bytes && mapping->span.bytes - skip >= bytes)
        return mapping->span.data + skip;
    if (!mapping_translate(mapping, begin, bytes, NULL, true) || mapping->span.bytes < bytes)
        return NULL;
    return mapping->span.data;
}
