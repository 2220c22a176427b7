/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/surface/band.h"
#include "engine/surface/walk.h"

#define MOST_BYTES 16u /* of an element */
#define STEP       64u /* a line of the cache */
#define MOST_CYCLE (STEP * (MOST_BYTES - 1))

/*
 * An element, many times. Memory is written in steps of a line of the cache, one after the other towards higher
 * addresses: processors that see this do not read what is going to be overwritten, as they do for stores that jump
 * about. That is what makes a large fill as fast as memset(), and it takes no special stores.
 */
struct filling {
    uint8_t pattern[MOST_CYCLE + STEP];
    unsigned period, cycle; /* bytes of an element; of as many of them as make whole steps */
    bool uniform;           /* all bytes are the same */
};

/* For pieces of up to `longest` bytes. */
static void filling_begin(struct filling *filling, const uint8_t *element, unsigned element_bytes, uint64_t longest) {
    assert(element_bytes > 0 && element_bytes <= MOST_BYTES);
    filling->period = element_bytes;
    filling->cycle = STEP * element_bytes >> __builtin_ctz(element_bytes);
    filling->uniform = true;
    for (unsigned i = 1; i < element_bytes; i++)
        filling->uniform &= element[i] == element[0];
    unsigned bytes = longest < filling->cycle + STEP ? (unsigned)longest : filling->cycle + STEP, more;
    memcpy(filling->pattern, element, element_bytes);
    for (unsigned done = element_bytes; done < bytes; done += more) {
        more = bytes - done < done ? bytes - done : done;
        memcpy(filling->pattern + done, filling->pattern, more);
    }
}

static void fill_steps(uint8_t *restrict to, const uint8_t *restrict pattern, uint64_t steps) {
    for (uint64_t i = 0; i < steps; i++)
        memcpy(to + i * STEP, pattern, STEP);
}

/* `bytes` of the row, of which `before` bytes have been written. */
static void fill(uint8_t *to, const struct filling *filling, uint64_t before, uint64_t bytes) {
    if (filling->uniform) {
        memset(to, filling->pattern[0], bytes);
        return;
    }
    uint64_t at = before % filling->period, head = (0 - (uintptr_t)to) % STEP;
    if (head && bytes > STEP) {
        memcpy(to, filling->pattern + at, head);
        at = (at + head) % filling->cycle;
        to += head;
        bytes -= head;
    }
    if (filling->cycle == STEP) {
        fill_steps(to, filling->pattern + at, bytes / STEP);
        to += bytes / STEP * STEP;
        bytes %= STEP;
    }
    for (; bytes >= STEP; bytes -= STEP, to += STEP) {
        memcpy(to, filling->pattern + at, STEP);
        at = at + STEP < filling->cycle ? at + STEP : at + STEP - filling->cycle;
    }
    memcpy(to, filling->pattern + at, bytes);
}

static bool fill_row(struct view *view, struct surface_point at, const struct filling *filling, uint64_t bytes,
                     struct fault *fault) {
    uint64_t piece;
    for (uint64_t done = 0; done < bytes; done += piece, at.x += piece) {
        piece = bytes - done;
        uint8_t *to = view_row(view, at, &piece, fault);
        if (!to)
            return false;
        fill(to, filling, done, piece);
    }
    return true;
}

bool surface_fill(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                  const void *element, unsigned element_bytes, uint64_t bytes, struct fault *fault) {
    return surface_fill_lines(memory, surface, (struct surface_point){x, y, z}, element, element_bytes, bytes, 1,
                              fault);
}

/* Elements that go evenly into the pieces that a gob has: false if they do not. */
static bool fill_band(struct view *view, struct surface_point at, const struct filling *filling, uint64_t line_bytes,
                      uint64_t lines) {
    struct band band;
    if (MOST_BYTES % filling->period || at.x % filling->period || view->surface->layout.kind != LAYOUT_BLOCK ||
        !band_open(&band, view, at, line_bytes, (unsigned)lines))
        return false;
    uint8_t pattern[MOST_BYTES];
    for (unsigned i = 0; i < MOST_BYTES; i++)
        pattern[i] = filling->pattern[i % filling->period];
    band_fill(&band, pattern, line_bytes, (unsigned)lines);
    return true;
}

/* The columns of a slab that have no whole gobs. */
static void fill_edge(struct view *view, struct surface_point at, const struct filling *filling, uint64_t line_bytes,
                      uint64_t lines) {
    uint64_t gob_lines = layout_gob_lines(view->surface->layout.order);
    for (uint64_t done = 0; line_bytes && done < lines; done += gob_lines, at.y += gob_lines) {
        bool there = fill_band(view, at, filling, line_bytes, gob_lines);
        assert(there);
        (void)there;
    }
}

/* Whole gobs, and what is beside them. Returns the lines filled, 0 if they cannot be. */
static uint64_t fill_slab(struct view *view, struct surface_point at, const struct filling *filling,
                          uint64_t line_bytes, uint64_t lines) {
    struct slab slab;
    if (MOST_BYTES % filling->period || at.x % filling->period)
        return 0;
    lines = slab_open(&slab, view, at, line_bytes, lines);
    if (!lines)
        return 0;
    fill_edge(view, at, filling, slab.left, lines);
    if (slab.bytes == slab.stride)
        fill(slab.base, filling, 0, slab_range(&slab));
    else
        for (uint64_t i = 0; i < slab.pieces; i++)
            fill(slab.base + i * slab.stride, filling, 0, slab.bytes);
    at.x += line_bytes - slab.right;
    fill_edge(view, at, filling, slab.right, lines);
    return lines;
}

/* Lines that follow each other without a gap are one line. */
static void join_lines(const struct layout *layout, uint64_t *line_bytes, uint64_t *lines) {
    uint64_t bytes;
    bool gapless = layout->kind == LAYOUT_PITCH && layout->pitch >= 0 && (uint64_t)layout->pitch == *line_bytes;
    if (!gapless || *lines <= 1 || __builtin_mul_overflow(*line_bytes, *lines, &bytes))
        return;
    *line_bytes = bytes;
    *lines = 1;
}

bool surface_fill_lines(struct memory *memory, const struct surface *surface, struct surface_point at,
                        const void *element, unsigned element_bytes, uint64_t line_bytes, uint64_t lines,
                        struct fault *fault) {
    struct view view;
    struct filling filling;
    join_lines(&surface->layout, &line_bytes, &lines);
    view_begin(&view, memory, surface, MEMORY_WRITE);
    view_expect(&view, at, line_bytes, lines);
    filling_begin(&filling, element, element_bytes, lines > 1 ? UINT64_MAX : line_bytes);
    uint64_t done;
    for (; lines; lines -= done, at.y += done) {
        done = fill_slab(&view, at, &filling, line_bytes, lines);
        if (done)
            continue;
        uint64_t most = band_lines(&surface->layout, at.y);
        done = lines < most ? lines : most;
        if (fill_band(&view, at, &filling, line_bytes, done))
            continue;
        struct surface_point row = at;
        for (; row.y - at.y < done; row.y++)
            if (!fill_row(&view, row, &filling, line_bytes, fault))
                return false;
    }
    return true;
}
