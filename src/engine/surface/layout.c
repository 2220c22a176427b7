/* SPDX-License-Identifier: MIT */
#include "engine/surface/layout.h"

#include <assert.h>

static uint64_t layout_low_bits(uint64_t value, unsigned bits) {
    return value & ((UINT64_C(1) << bits) - 1);
}

/* ---- swizzled ---- */

/*
 * The places in the index of an element that the bits of x, y and z take: one bit of each in turn, lowest first, while
 * the size has that bit. UNKNOWN: coordinates beyond the size; chosen: they wrap.
 */
struct layout_places layout_places(const struct layout *layout) {
    struct layout_places places = {0, 0, 0};
    unsigned place = 0;
    for (unsigned bit = 0; bit < 63 && place < 62; bit++) {
        uint64_t size = UINT64_C(1) << bit;
        if (size < layout->width)
            places.x |= UINT64_C(1) << place++;
        if (size < layout->height)
            places.y |= UINT64_C(1) << place++;
        if (size < layout->depth)
            places.z |= UINT64_C(1) << place++;
    }
    return places;
}

uint64_t layout_deposit(uint64_t value, uint64_t mask) {
    uint64_t result = 0;
    for (; mask && value; mask &= mask - 1, value >>= 1)
        if (value & 1)
            result |= mask & (~mask + 1);
    return result;
}

unsigned layout_element_shift(const struct layout *layout) {
    uint8_t bytes = layout->element_bytes;
    assert(bytes && bytes <= 16 && !(bytes & (bytes - 1)));
    return (unsigned)__builtin_ctz(bytes | 0x10);
}

static uint64_t swizzled_offset(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z) {
    struct layout_places places = layout_places(layout);
    unsigned shift = layout_element_shift(layout);
    uint64_t index = layout_deposit(x >> shift, places.x) | layout_deposit(y, places.y) | layout_deposit(z, places.z);
    return index << shift | layout_low_bits(x, shift);
}

/* ---- block-linear ---- */

static unsigned gob_height_shift(enum gob_order order) {
    return order == GOB_LINES ? 2 : 3;
}

static unsigned gob_width_shift(const struct layout *layout) {
    return layout->quarter_gobs ? 4 : 6;
}

/* Pieces of 2^shift that `size` takes. */
static uint64_t pieces(uint64_t size, unsigned shift) {
    return (size >> shift) + (layout_low_bits(size, shift) != 0);
}

static uint64_t offset_in_gob(const struct layout *layout, uint64_t x, uint64_t y) {
    if (!layout_has_sectors(layout->order) || layout->quarter_gobs)
        return y << gob_width_shift(layout) | x;
    if (layout->order == GOB_COLUMNS)
        return (x & 15) | (y & 3) << 4 | (x & 16) << 2 | (y & 4) << 5 | (x & 32) << 3;
    return (x & 15) | (y & 1) << 4 | (x & 16) << 1 | (y & 6) << 5 | (x & 32) << 3;
}

static uint64_t block_offset(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z) {
    unsigned bw = layout->block_width, bh = layout->block_height, bd = layout->block_depth;
    unsigned gh = gob_height_shift(layout->order), gw = gob_width_shift(layout), gob = gw + gh;
    assert(bw < 16 && bh < 16 && bd < 16);
    uint64_t across = pieces(layout->width, gw + bw), down = pieces(layout->height, gh + bh);
    uint64_t block = ((z >> bd) * down + (y >> (gh + bh))) * across + (x >> (gw + bw));
    uint64_t gob_in_block =
        layout_low_bits(z, bd) << (bh + bw) | layout_low_bits(y >> gh, bh) << bw | layout_low_bits(x >> gw, bw);
    return (block << (bw + bh + bd) | gob_in_block) << gob |
           offset_in_gob(layout, layout_low_bits(x, gw), layout_low_bits(y, gh));
}

/* ---- all of them ---- */

uint64_t layout_offset(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z) {
    switch (layout->type) {
    case LAYOUT_PITCH:
        return z * layout->slice_pitch + y * (uint64_t)layout->pitch + x;
    case LAYOUT_SWIZZLED:
        return swizzled_offset(layout, x, y, z);
    case LAYOUT_BLOCK:
        break;
    }
    return block_offset(layout, x, y, z);
}

uint64_t layout_contiguous(const struct layout *layout, uint64_t x, uint64_t bytes) {
    unsigned shift = layout_has_sectors(layout->order) ? 4 : gob_width_shift(layout);
    if (layout->type == LAYOUT_PITCH)
        return bytes;
    if (layout->type == LAYOUT_SWIZZLED)
        shift = layout_element_shift(layout);
    uint64_t left = (UINT64_C(1) << shift) - layout_low_bits(x, shift);
    return left < bytes ? left : bytes;
}

static uint64_t saturating_product(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t saturating_sum(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t pitch_size(const struct layout *layout) {
    uint64_t pitch = layout->pitch < 0 ? 0 - (uint64_t)layout->pitch : (uint64_t)layout->pitch;
    uint64_t before_last = layout->depth ? saturating_product(layout->depth - UINT64_C(1), layout->slice_pitch) : 0;
    return saturating_sum(before_last, saturating_product(layout->height, pitch));
}

static uint64_t block_size(const struct layout *layout) {
    unsigned bw = layout->block_width, bh = layout->block_height, bd = layout->block_depth;
    unsigned gh = gob_height_shift(layout->order), gw = gob_width_shift(layout);
    assert(bw < 16 && bh < 16 && bd < 16);
    uint64_t blocks = saturating_product(pieces(layout->height, gh + bh), pieces(layout->depth, bd));
    blocks = saturating_product(blocks, pieces(layout->width, gw + bw));
    return saturating_product(blocks, UINT64_C(1) << (gw + gh + bw + bh + bd));
}

/* Sizes that are no powers of two count as the next one, as they do for layout_places(). */
static uint64_t swizzled_size(const struct layout *layout) {
    struct layout_places places = layout_places(layout);
    uint64_t all = places.x | places.y | places.z;
    unsigned shift = layout_element_shift(layout);
    return all >= UINT64_MAX >> shift ? UINT64_MAX : (all + 1) << shift;
}

uint64_t layout_size(const struct layout *layout) {
    switch (layout->type) {
    case LAYOUT_PITCH:
        return pitch_size(layout);
    case LAYOUT_SWIZZLED:
        return swizzled_size(layout);
    case LAYOUT_BLOCK:
        break;
    }
    return block_size(layout);
}

static uint8_t shrink(uint8_t log2, unsigned unit_shift, uint64_t size) {
    while (log2 && UINT64_C(1) << (unit_shift + log2 - 1) >= size)
        log2--;
    return log2;
}

void layout_shrink_block(struct layout *layout) {
    layout->block_width = shrink(layout->block_width, gob_width_shift(layout), layout->width);
    layout->block_height = shrink(layout->block_height, gob_height_shift(layout->order), layout->height);
    layout->block_depth = shrink(layout->block_depth, 0, layout->depth);
}

/* ---- rectangles ---- */

static struct layout_extent pitch_extent(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z,
                                         uint64_t bytes, uint64_t lines) {
    bool upwards = layout->pitch < 0;
    return (struct layout_extent){.offset = layout_offset(layout, x, upwards ? y + lines - 1 : y, z),
                                  .bytes = bytes,
                                  .lines = lines,
                                  .pitch = upwards ? 0 - (uint64_t)layout->pitch : (uint64_t)layout->pitch};
}

static struct layout_extent block_extent(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z,
                                         uint64_t bytes, uint64_t lines) {
    unsigned across = gob_width_shift(layout) + layout->block_width;
    unsigned down = gob_height_shift(layout->order) + layout->block_height, deep = layout->block_depth;
    uint64_t block = UINT64_C(1) << (across + down + deep);
    return (struct layout_extent){
        .offset = layout_offset(layout, x >> across << across, y >> down << down, z >> deep << deep),
        .bytes = (((x + bytes - 1) >> across) - (x >> across) + 1) * block,
        .lines = ((y + lines - 1) >> down) - (y >> down) + 1,
        .pitch = pieces(layout->width, across) * block};
}

struct layout_extent layout_extent(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z, uint64_t bytes,
                                   uint64_t lines) {
    struct layout_extent extent = {.lines = 1};
    if (!bytes || !lines)
        return extent;
    if (layout->type == LAYOUT_SWIZZLED)
        extent.bytes = layout_size(layout);
    else if (layout->type == LAYOUT_BLOCK)
        extent = block_extent(layout, x, y, z, bytes, lines);
    else
        extent = pitch_extent(layout, x, y, z, bytes, lines);
    if (extent.lines > 1 && extent.pitch > extent.bytes)
        return extent;
    extent.bytes = saturating_sum(saturating_product(extent.lines - 1, extent.pitch), extent.bytes);
    extent.lines = 1;
    extent.pitch = 0;
    return extent;
}
