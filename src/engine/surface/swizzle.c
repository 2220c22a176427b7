/* SPDX-License-Identifier: MIT */
#include "engine/surface/swizzle.h"

#include <assert.h>

/* Bits of an index: blocks of up to 8 x 8 elements are visited one by one if only a part of them is meant. */
#define LEAF_BITS 6u
#define LEAF_SIDE (1u << LEAF_BITS)

_Static_assert(LEAF_SIDE <= UINT8_MAX + 1, "an index in a leaf is a byte");

/* A rectangle that is spread further than a few times its size is not worth to be looked for as a whole. */
#define NEAR_BYTES 0x10000u

struct swizzling {
    struct surface_mapping *mapping;
    const struct filling *filling;
    uint8_t *base;           /* of what is at offset `begin`, if all is in one piece */
    uint64_t begin;          /* of the rectangle */
    unsigned shift;          /* log2 of the bytes of an element */
    uint64_t x0, y0, x1, y1; /* of the rectangle, in elements; the ends are outside */
    struct layout_places places;
    uint64_t slice;                             /* bits of the index that are z's */
    uint8_t across[LEAF_SIDE], down[LEAF_SIDE]; /* index in a leaf of column x, of row y */
};

/* Bytes at an offset from the surface on, which are there. */
static void swizzle_write_run(const struct swizzling *s, uint64_t offset, uint64_t bytes) {
    if (s->base) {
        filling_write(s->base + (offset - s->begin), s->filling, 0, bytes);
        return;
    }
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        struct fault fault;
        piece = bytes - done;
        uint8_t *to = mapping_piece(s->mapping, offset + done, &piece, &fault);
        if (!to) /* it has been there: nobody has changed it since */
            return;
        filling_write(to, s->filling, done, piece);
    }
}

static inline void write_element(const struct swizzling *s, uint8_t *to) {
    const uint8_t *element = s->filling->pattern;
    if (s->filling->merges) {
        filling_write(to, s->filling, 0, UINT64_C(1) << s->shift);
        return;
    }
    switch (s->shift) {
    case 0:
        *to = *element;
        break;
    case 1:
        memcpy(to, element, 2);
        break;
    case 2:
        memcpy(to, element, 4);
        break;
    case 3:
        memcpy(to, element, 8);
        break;
    default:
        memcpy(to, element, 16);
        break;
    }
}

/* An aligned block of 2^bits elements, `index` is that of its corner (x, y). */
struct swizzle_block {
    unsigned bits;
    uint64_t index, x, y, width, height;
};

static uint64_t swizzle_larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t swizzle_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void fill_leaf(const struct swizzling *s, const struct swizzle_block *b) {
    assert(b->width <= LEAF_SIDE && b->height <= LEAF_SIDE);
    uint64_t x0 = swizzle_larger(s->x0, b->x) - b->x, x1 = swizzle_smaller(s->x1 - b->x, b->width);
    uint64_t y0 = swizzle_larger(s->y0, b->y) - b->y, y1 = swizzle_smaller(s->y1 - b->y, b->height);
    for (uint64_t y = y0; y < y1; y++)
        for (uint64_t x = x0; x < x1; x++) {
            uint64_t offset = (b->index + s->down[y] + s->across[x]) << s->shift;
            if (s->base)
                write_element(s, s->base + (offset - s->begin));
            else
                swizzle_write_run(s, offset, UINT64_C(1) << s->shift);
        }
}

static bool is_outside(const struct swizzling *s, const struct swizzle_block *b) {
    return b->x >= s->x1 || b->y >= s->y1 || b->x + b->width <= s->x0 || b->y + b->height <= s->y0;
}

/* And nothing of another slice is among it. */
static bool swizzle_is_inside(const struct swizzling *s, const struct swizzle_block *b) {
    uint64_t below = (UINT64_C(1) << b->bits) - 1;
    return b->x >= s->x0 && b->y >= s->y0 && b->x + b->width <= s->x1 && b->y + b->height <= s->y1 &&
           !(s->places.z & below);
}

/* Halves, the one with the lower index first. */
static void fill_block(const struct swizzling *s, struct swizzle_block b) {
    while (!is_outside(s, &b)) {
        if (swizzle_is_inside(s, &b)) {
            swizzle_write_run(s, b.index << s->shift, UINT64_C(1) << (b.bits + s->shift));
            return;
        }
        if (b.bits <= LEAF_BITS) {
            b.index |= s->slice & ((UINT64_C(1) << b.bits) - 1);
            fill_leaf(s, &b);
            return;
        }
        uint64_t half = UINT64_C(1) << --b.bits;
        if (s->places.z & half) {
            b.index |= s->slice & half;
            continue;
        }
        bool across = (s->places.x & half) != 0;
        *(across ? &b.width : &b.height) /= 2;
        fill_block(s, b);
        b.index |= half;
        *(across ? &b.x : &b.y) += across ? b.width : b.height;
    }
}

static void set_leaf(struct swizzling *s) {
    const uint64_t leaf = LEAF_SIDE - 1;
    for (unsigned i = 0; i < LEAF_SIDE; i++) {
        s->across[i] = (uint8_t)layout_deposit(i, s->places.x & leaf);
        s->down[i] = (uint8_t)layout_deposit(i, s->places.y & leaf);
    }
}

/* Is all of it there? Translated once more afterwards, since pieces need not be neighbours in the host. */
static bool is_there(struct surface_mapping *mapping, uint64_t begin, uint64_t end) {
    while (begin < end) {
        uint64_t piece = end - begin;
        if (!mapping_try_piece(mapping, begin, &piece))
            return false;
        begin += piece;
    }
    return true;
}

static uint64_t offset_of(const struct layout *layout, struct surface_point at, uint64_t x, uint64_t y) {
    return layout_offset(layout, at.x + x, at.y + y, at.z);
}

bool swizzle_fill(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                  uint64_t line_bytes, uint64_t lines) {
    const struct layout *layout = &mapping->surface->layout;
    struct swizzling s = {.mapping = mapping, .filling = filling, .shift = layout_element_shift(layout)};
    uint64_t bytes = UINT64_C(1) << s.shift, width = layout->width, height = layout->height;
    if (!lines || !line_bytes || (at.x | line_bytes) % bytes || bytes % filling->period || at.z >= layout->depth ||
        at.y >= height || lines > height - at.y || at.x >> s.shift >= width ||
        line_bytes >> s.shift > width - (at.x >> s.shift))
        return false;
    uint64_t end = offset_of(layout, at, line_bytes - bytes, lines - 1) + bytes;
    s.begin = offset_of(layout, at, 0, 0);
    s.base = mapping_range(mapping, s.begin, end);
    if (!s.base && (end - s.begin > 4 * line_bytes * lines + NEAR_BYTES || !is_there(mapping, s.begin, end)))
        return false;
    s.x0 = at.x >> s.shift;
    s.x1 = s.x0 + (line_bytes >> s.shift);
    s.y0 = at.y;
    s.y1 = at.y + lines;
    s.places = layout_places(layout);
    s.slice = layout_deposit(at.z, s.places.z);
    set_leaf(&s);
    uint64_t all = s.places.x | s.places.y | s.places.z;
    fill_block(&s, (struct swizzle_block){.bits = (unsigned)__builtin_popcountll(all),
                                          .width = UINT64_C(1) << __builtin_popcountll(s.places.x),
                                          .height = UINT64_C(1) << __builtin_popcountll(s.places.y)});
    return true;
}
