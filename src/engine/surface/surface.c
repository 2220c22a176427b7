/* SPDX-License-Identifier: MIT */
#include "engine/surface/surface.h"

#include <assert.h>

#include "engine/surface/band.h"
#include "engine/surface/mapping.h"

/* ---- rows ---- */

/* Where a row is in one piece of memory, or in pieces of one. */
static bool read_band(struct surface_mapping *mapping, struct surface_point at, void *data, uint64_t bytes) {
    struct band from, to;
    if (mapping->surface->layout.type == LAYOUT_PITCH || !band_open(&from, mapping, at, bytes, 1))
        return false;
    band_of_bytes(&to, data);
    band_copy(&to, &from, bytes, 1);
    return true;
}

static bool write_band(struct surface_mapping *mapping, struct surface_point at, const void *data, uint64_t bytes) {
    struct band from, to;
    if (mapping->surface->layout.type == LAYOUT_PITCH || !band_open(&to, mapping, at, bytes, 1))
        return false;
    band_of_bytes(&from, (void *)(uintptr_t)data);
    band_copy(&to, &from, bytes, 1);
    return true;
}

bool surface_read(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z, void *data,
                  uint64_t bytes, struct fault *fault) {
    struct surface_mapping mapping;
    uint64_t piece;
    mapping_begin(&mapping, memory, surface, MEMORY_READ);
    mapping_expect(&mapping, (struct surface_point){x, y, z}, bytes, 1);
    if (read_band(&mapping, (struct surface_point){x, y, z}, data, bytes))
        return true;
    for (uint64_t done = 0; done < bytes; done += piece) {
        piece = bytes - done;
        const uint8_t *from = mapping_row(&mapping, (struct surface_point){x + done, y, z}, &piece, fault);
        if (!from)
            return false;
        memcpy((uint8_t *)data + done, from, piece);
    }
    return true;
}

bool surface_write(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                   const void *data, uint64_t bytes, struct fault *fault) {
    struct surface_mapping mapping;
    uint64_t piece;
    mapping_begin(&mapping, memory, surface, MEMORY_WRITE);
    mapping_expect(&mapping, (struct surface_point){x, y, z}, bytes, 1);
    if (write_band(&mapping, (struct surface_point){x, y, z}, data, bytes))
        return true;
    for (uint64_t done = 0; done < bytes; done += piece) {
        piece = bytes - done;
        uint8_t *to = mapping_row(&mapping, (struct surface_point){x + done, y, z}, &piece, fault);
        if (!to)
            return false;
        memcpy(to, (const uint8_t *)data + done, piece);
    }
    return true;
}

/* ---- rectangles ---- */

static bool overlap(const uint8_t *a, const uint8_t *b, uint64_t bytes) {
    return (uintptr_t)a < (uintptr_t)b + bytes && (uintptr_t)b < (uintptr_t)a + bytes;
}

/*
 * Byte after byte. Where the source lies before the destination and reaches into it, it repeats itself with the
 * distance between them; what has been written is the source of twice as much.
 */
static void copy_forward(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    if (!overlap(to, from, bytes) || (uintptr_t)to <= (uintptr_t)from) {
        memmove(to, from, bytes);
        return;
    }
    uint64_t distance = (uintptr_t)to - (uintptr_t)from;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t more = bytes - done < done + distance ? bytes - done : done + distance;
        memcpy(to + done, from, more);
        done += more;
    }
}

/* Bytes of a line, from `x` on. */
static bool surface_copy_row(struct surface_mapping *to, struct surface_point to_at, struct surface_mapping *from,
                             struct surface_point from_at, uint64_t bytes, struct fault *fault) {
    while (bytes) {
        uint64_t piece = bytes;
        const uint8_t *source = mapping_row(from, from_at, &piece, fault);
        uint8_t *destination = source ? mapping_row(to, to_at, &piece, fault) : NULL;
        if (!destination)
            return false;
        copy_forward(destination, source, piece);
        from_at.x += piece;
        to_at.x += piece;
        bytes -= piece;
    }
    return true;
}

/* Where the next bytes of a copy are, and how much of it is left. */
struct copying {
    struct surface_mapping to, from;
    struct surface_point to_at, from_at; /* of the rectangles, x; of the next line, y */
    uint64_t line_bytes, x, left;        /* x: of the next byte, in the line */
    uint64_t piecewise;                  /* bytes of blocks that went piece by piece */
};

static void copying_advance(struct copying *copy, uint64_t lines) {
    copy->to_at.y += lines;
    copy->from_at.y += lines;
    copy->x = 0;
}

static struct surface_point beyond(struct surface_point at, uint64_t x) {
    at.x += x;
    return at;
}

/* Some whole lines, or a part of one, all at once, where nobody can tell it from byte after byte. */
static bool copy_band(struct copying *copy, uint64_t bytes, unsigned lines) {
    struct band to, from;
    if (!band_open(&from, &copy->from, beyond(copy->from_at, copy->x), bytes, lines) ||
        !band_open(&to, &copy->to, beyond(copy->to_at, copy->x), bytes, lines) || band_overlaps(&to, &from))
        return false;
    band_copy(&to, &from, bytes, lines);
    return true;
}

static bool copy_lines(struct copying *copy, uint64_t bytes, uint64_t lines, struct fault *fault) {
    for (uint64_t i = 0; i < lines; i++) {
        struct surface_point to = beyond(copy->to_at, copy->x), from = beyond(copy->from_at, copy->x);
        to.y += i;
        from.y += i;
        if (!surface_copy_row(&copy->to, to, &copy->from, from, bytes, fault))
            return false;
    }
    return true;
}

/* Whole gobs to the like. Returns the lines copied, 0 if they cannot be. */
static uint64_t copy_slab(struct copying *copy, uint64_t lines) {
    struct slab to, from;
    if (copy->to.surface->layout.order != copy->from.surface->layout.order || copy->x)
        return 0;
    lines = slab_open(&from, &copy->from, copy->from_at, copy->line_bytes, lines);
    if (!lines || slab_open(&to, &copy->to, copy->to_at, copy->line_bytes, lines) != lines || to.bytes != from.bytes ||
        from.left || from.right || to.left || to.right ||
        ((uintptr_t)to.base < (uintptr_t)from.base + slab_range(&from) &&
         (uintptr_t)from.base < (uintptr_t)to.base + slab_range(&to)))
        return 0;
    for (uint64_t i = 0; i < to.pieces; i++)
        memcpy(to.base + i * to.stride, from.base + i * from.stride, to.bytes);
    return lines;
}

/* A part of the copy, as much as goes at once. */
static bool copy_some(struct copying *copy, struct fault *fault) {
    const struct layout *to = &copy->to.surface->layout, *from = &copy->from.surface->layout;
    bool both_pitch = to->type == LAYOUT_PITCH && from->type == LAYOUT_PITCH;
    uint64_t lines = copy->x ? 0 : copy->left / copy->line_bytes, bytes = copy->line_bytes;
    uint64_t done = lines ? copy_slab(copy, lines) : 0;
    if (!lines) {
        bytes = copy->line_bytes - copy->x < copy->left ? copy->line_bytes - copy->x : copy->left;
        lines = 1;
    }
    if (!done) {
        uint64_t most = band_lines(to, copy->to_at.y), also = band_lines(from, copy->from_at.y);
        most = most < also ? most : also;
        done = lines < most ? lines : most;
        bool at_once = !both_pitch && copy_band(copy, bytes, (unsigned)done);
        if (!at_once && !copy_lines(copy, bytes, done, fault))
            return false;
        if (!at_once && !both_pitch)
            copy->piecewise += done * bytes;
    }
    assert(done > 0 && done * bytes <= copy->left);
    copy->left -= done * bytes;
    copying_advance(copy, done);
    return true;
}

/* Lines that follow each other without a gap are one line. */
static bool is_gapless(const struct layout *layout, uint64_t line_bytes) {
    return layout->type == LAYOUT_PITCH && layout->pitch >= 0 && (uint64_t)layout->pitch == line_bytes;
}

bool surface_copy(struct memory *memory, const struct surface *to, struct surface_point to_point,
                  const struct surface *from, struct surface_point from_point, uint64_t line_bytes, uint64_t first,
                  uint64_t count, uint64_t *piecewise, struct fault *fault) {
    *piecewise = 0;
    if (!line_bytes)
        return true;
    struct copying copy = {.to_at = to_point, .from_at = from_point, .line_bytes = line_bytes, .left = count};
    if (is_gapless(&to->layout, line_bytes) && is_gapless(&from->layout, line_bytes))
        copy.line_bytes = UINT64_MAX;
    copying_advance(&copy, first / copy.line_bytes);
    copy.x = first % copy.line_bytes;
    mapping_begin(&copy.from, memory, from, MEMORY_READ);
    mapping_begin(&copy.to, memory, to, MEMORY_WRITE);
    mapping_expect(&copy.from, copy.from_at, line_bytes, count / line_bytes + 2);
    mapping_expect(&copy.to, copy.to_at, line_bytes, count / line_bytes);
    while (copy.left)
        if (!copy_some(&copy, fault))
            return false;
    *piecewise = copy.piecewise;
    return true;
}

/* Lines of a band that ends with line y. */
static uint64_t lines_up_to(const struct layout *layout, uint64_t y) {
    return layout->type == LAYOUT_BLOCK ? y % layout_gob_lines(layout->order) + 1 : BAND_LINES;
}

static uint64_t surface_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The band at the end of a rectangle that still has `lines`. */
static uint64_t copy_last(struct copying *copy, uint64_t lines) {
    struct surface_point to_at = copy->to_at, from_at = copy->from_at;
    uint64_t most = surface_least(lines_up_to(&copy->to.surface->layout, to_at.y + lines - 1),
                                  lines_up_to(&copy->from.surface->layout, from_at.y + lines - 1));
    uint64_t done = surface_least(lines, most);
    assert(done > 0);
    copy->to_at.y += lines - done;
    copy->from_at.y += lines - done;
    bool copied = copy_band(copy, copy->line_bytes, (unsigned)done);
    copy->to_at = to_at;
    copy->from_at = from_at;
    return copied ? done : 0;
}

static uint64_t copy_first(struct copying *copy, uint64_t lines) {
    uint64_t done = copy_slab(copy, lines);
    if (!done) {
        done = surface_least(lines, surface_least(band_lines(&copy->to.surface->layout, copy->to_at.y),
                                                  band_lines(&copy->from.surface->layout, copy->from_at.y)));
        done = copy_band(copy, copy->line_bytes, (unsigned)done) ? done : 0;
    }
    copying_advance(copy, done);
    return done;
}

uint64_t surface_copy_lines(struct memory *memory, const struct surface *to, struct surface_point to_point,
                            const struct surface *from, struct surface_point from_point, uint64_t line_bytes,
                            uint64_t lines, bool upwards) {
    struct copying copy = {.to_at = to_point, .from_at = from_point, .line_bytes = line_bytes};
    mapping_begin(&copy.from, memory, from, MEMORY_READ);
    mapping_begin(&copy.to, memory, to, MEMORY_WRITE);
    mapping_expect(&copy.from, from_point, line_bytes, lines);
    mapping_expect(&copy.to, to_point, line_bytes, lines);
    uint64_t total = 0, done = 1;
    for (; lines && done; lines -= done, total += done)
        done = upwards ? copy_last(&copy, lines) : copy_first(&copy, lines);
    return total;
}
