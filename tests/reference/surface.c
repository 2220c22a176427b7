/* SPDX-License-Identifier: MIT */
#include "reference/surface.h"

#include "memory/memory.h"

/* Offset of each sector of 16 bytes in a gob of 8 lines, four in a line. */
static const uint16_t sectors[8][4] = {
    {0, 32, 256, 288},    {16, 48, 272, 304},   {64, 96, 320, 352},   {80, 112, 336, 368},
    {128, 160, 384, 416}, {144, 176, 400, 432}, {192, 224, 448, 480}, {208, 240, 464, 496},
};

/* The same of Kepler, by the bits of SUBFM. */
static const uint16_t columns[8][4] = {
    {0, 64, 256, 320},    {16, 80, 272, 336},   {32, 96, 288, 352},   {48, 112, 304, 368},
    {128, 192, 384, 448}, {144, 208, 400, 464}, {160, 224, 416, 480}, {176, 240, 432, 496},
};

static uint64_t round_up(uint64_t a, uint64_t b) {
    return a / b + (a % b ? 1 : 0);
}

static uint64_t in_block(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z) {
    uint64_t lines = layout->order == GOB_LINES ? 4 : 8, row = layout->quarter_gobs ? 16 : 64, gob_bytes = row * lines;
    uint64_t wide = 1, high = 1, deep = 1; /* gobs of a block */
    for (unsigned i = 0; i < layout->block_width; i++)
        wide *= 2;
    for (unsigned i = 0; i < layout->block_height; i++)
        high *= 2;
    for (unsigned i = 0; i < layout->block_depth; i++)
        deep *= 2;
    uint64_t across = round_up(layout->width, row * wide), down = round_up(layout->height, lines * high);
    uint64_t block = z / deep * (across * down) + y / (lines * high) * across + x / (row * wide);
    uint64_t gob = z % deep * (wide * high) + y / lines % high * wide + x / row % wide;
    uint64_t inside = y % lines * row + x % row;
    if (layout->order == GOB_SECTORS && !layout->quarter_gobs)
        inside = sectors[y % 8][x % 64 / 16] + x % 16;
    if (layout->order == GOB_COLUMNS && !layout->quarter_gobs)
        inside = columns[y % 8][x % 64 / 16] + x % 16;
    return (block * wide * high * deep + gob) * gob_bytes + inside;
}

/* The larger half first: the last of the sizes that is not smaller than the others is cut in two. */
static uint64_t swizzled(uint64_t width, uint64_t height, uint64_t depth, uint64_t x, uint64_t y, uint64_t z) {
    uint64_t index = 0;
    while (width > 1 || height > 1 || depth > 1) {
        if (depth > 1 && depth >= width && depth >= height) {
            depth /= 2;
            index += z & depth ? width * height * depth : 0;
        } else if (height > 1 && height >= width) {
            height /= 2;
            index += y & height ? width * height * depth : 0;
        } else {
            width /= 2;
            index += x & width ? width * height * depth : 0;
        }
    }
    return index;
}

uint64_t reference_surface_offset(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z) {
    if (layout->type == LAYOUT_BLOCK)
        return in_block(layout, x, y, z);
    if (layout->type == LAYOUT_PITCH)
        return z * layout->slice_pitch + y * (uint64_t)layout->pitch + x;
    uint64_t element = layout->element_bytes;
    return swizzled(layout->width, layout->height, layout->depth, x / element, y, z) * element + x % element;
}

static uint8_t *byte_at(struct memory *memory, const struct surface *surface, struct surface_point at,
                        enum memory_access access, struct fault *fault) {
    struct span span;
    uint64_t address = surface->address + reference_surface_offset(&surface->layout, at.x, at.y, at.z);
    return memory_span(memory, &surface->space, address, 1, access, &span, fault) ? span.data : NULL;
}

bool reference_surface_read(struct memory *memory, const struct surface *surface, struct surface_point at,
                            uint8_t *data, uint64_t bytes, struct fault *fault) {
    for (uint64_t i = 0; i < bytes; i++, at.x++) {
        const uint8_t *from = byte_at(memory, surface, at, MEMORY_READ, fault);
        if (!from)
            return false;
        data[i] = *from;
    }
    return true;
}

bool reference_surface_write(struct memory *memory, const struct surface *surface, struct surface_point at,
                             const uint8_t *data, uint64_t bytes, struct fault *fault) {
    for (uint64_t i = 0; i < bytes; i++, at.x++) {
        uint8_t *to = byte_at(memory, surface, at, MEMORY_WRITE, fault);
        if (!to)
            return false;
        *to = data[i];
    }
    return true;
}

bool reference_surface_copy(struct memory *memory, const struct surface *to, struct surface_point to_point,
                            const struct surface *from, struct surface_point from_point, uint64_t line_bytes,
                            uint64_t first, uint64_t count, struct fault *fault) {
    for (uint64_t i = first; line_bytes && i - first < count; i++) {
        uint64_t x = i % line_bytes, y = i / line_bytes;
        struct surface_point source = {from_point.x + x, from_point.y + y, from_point.z};
        struct surface_point destination = {to_point.x + x, to_point.y + y, to_point.z};
        uint8_t byte;
        if (!reference_surface_read(memory, from, source, &byte, 1, fault) ||
            !reference_surface_write(memory, to, destination, &byte, 1, fault))
            return false;
    }
    return true;
}
