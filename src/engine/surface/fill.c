/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/surface/band.h"
#include "engine/surface/filling.h"
#include "engine/surface/swizzle.h"
#include "engine/surface/mapping.h"

static bool fill_row(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                     uint64_t bytes, struct fault *fault) {
    uint64_t piece;
    for (uint64_t done = 0; done < bytes; done += piece, at.x += piece) {
        piece = bytes - done;
        uint8_t *to = mapping_row(mapping, at, &piece, fault);
        if (!to)
            return false;
        filling_write(to, filling, done, piece);
    }
    return true;
}

bool surface_fill(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                  const void *element, unsigned element_bytes, uint64_t bytes, struct fault *fault) {
    return surface_fill_lines(memory, surface, (struct surface_point){x, y, z}, element, element_bytes, bytes, 1,
                              fault);
}

/* Elements that go evenly into the pieces that a gob has: false if they do not. */
static bool fill_band(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                      uint64_t line_bytes, uint64_t lines) {
    struct band band;
    if (filling->merges || FILLING_MOST_BYTES % filling->period || at.x % filling->period ||
        mapping->surface->layout.type != LAYOUT_BLOCK || !band_open(&band, mapping, at, line_bytes, (unsigned)lines))
        return false;
    uint8_t pattern[FILLING_MOST_BYTES];
    for (unsigned i = 0; i < FILLING_MOST_BYTES; i++)
        pattern[i] = filling->pattern[i % filling->period];
    band_fill(&band, pattern, line_bytes, (unsigned)lines);
    return true;
}

static bool fill_rows(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                      uint64_t line_bytes, uint64_t lines, struct fault *fault) {
    for (uint64_t i = 0; i < lines; i++, at.y++)
        if (!fill_row(mapping, at, filling, line_bytes, fault))
            return false;
    return true;
}

/* The columns of a slab that have no whole gobs: they are there. */
static void fill_edge(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                      uint64_t line_bytes, uint64_t lines) {
    uint64_t gob_lines = layout_gob_lines(mapping->surface->layout.order);
    struct fault fault;
    for (uint64_t done = 0; line_bytes && done < lines; done += gob_lines, at.y += gob_lines) {
        bool filled = fill_band(mapping, at, filling, line_bytes, gob_lines) ||
                      fill_rows(mapping, at, filling, line_bytes, gob_lines, &fault);
        assert(filled);
        (void)filled;
    }
}

/* Whole gobs, and what is beside them. Returns the lines filled, 0 if they cannot be. */
static uint64_t fill_slab(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                          uint64_t line_bytes, uint64_t lines) {
    struct slab slab;
    if (FILLING_MOST_BYTES % filling->period || at.x % filling->period)
        return 0;
    lines = slab_open(&slab, mapping, at, line_bytes, lines);
    if (!lines)
        return 0;
    fill_edge(mapping, at, filling, slab.left, lines);
    if (slab.bytes == slab.stride)
        filling_write(slab.base, filling, 0, slab_range(&slab));
    else
        for (uint64_t i = 0; i < slab.pieces; i++)
            filling_write(slab.base + i * slab.stride, filling, 0, slab.bytes);
    at.x += line_bytes - slab.right;
    fill_edge(mapping, at, filling, slab.right, lines);
    return lines;
}

/* Lines that follow each other without a gap are one line. */
static void join_lines(const struct layout *layout, uint64_t *line_bytes, uint64_t *lines) {
    uint64_t bytes;
    bool gapless = layout->type == LAYOUT_PITCH && layout->pitch >= 0 && (uint64_t)layout->pitch == *line_bytes;
    if (!gapless || *lines <= 1 || __builtin_mul_overflow(*line_bytes, *lines, &bytes))
        return;
    *line_bytes = bytes;
    *lines = 1;
}

static bool fill_lines(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                       uint64_t line_bytes, uint64_t lines, struct fault *fault) {
    const struct layout *layout = &mapping->surface->layout;
    mapping_expect(mapping, at, line_bytes, lines);
    if (layout->type == LAYOUT_SWIZZLED && swizzle_fill(mapping, at, filling, line_bytes, lines))
        return true;
    for (uint64_t done; lines; lines -= done, at.y += done) {
        done = fill_slab(mapping, at, filling, line_bytes, lines);
        if (done)
            continue;
        uint64_t most = band_lines(layout, at.y);
        done = lines < most ? lines : most;
        assert(done > 0 && done <= lines);
        if (!fill_band(mapping, at, filling, line_bytes, done) &&
            !fill_rows(mapping, at, filling, line_bytes, done, fault))
            return false;
    }
    return true;
}

bool surface_fill_lines(struct memory *memory, const struct surface *surface, struct surface_point at,
                        const void *element, unsigned element_bytes, uint64_t line_bytes, uint64_t lines,
                        struct fault *fault) {
    struct surface_mapping mapping;
    struct filling filling;
    join_lines(&surface->layout, &line_bytes, &lines);
    mapping_begin(&mapping, memory, surface, MEMORY_WRITE);
    filling_begin(&filling, element, element_bytes, lines > 1 ? UINT64_MAX : line_bytes);
    return fill_lines(&mapping, at, &filling, line_bytes, lines, fault);
}

bool surface_merge_lines(struct memory *memory, const struct surface *surface, struct surface_point at,
                         const void *element, const void *mask, unsigned element_bytes, uint64_t line_bytes,
                         uint64_t lines, struct fault *fault) {
    struct surface_mapping mapping;
    struct filling filling;
    join_lines(&surface->layout, &line_bytes, &lines);
    mapping_begin(&mapping, memory, surface, MEMORY_WRITE);
    mapping.merges = true;
    filling_begin_merge(&filling, element, mask, element_bytes);
    return fill_lines(&mapping, at, &filling, line_bytes, lines, fault);
}
