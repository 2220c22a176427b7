/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/surface/band.h"
#include "engine/surface/walk.h"

#define MOST_BYTES    16u /* of an element */
#define PATTERN_BYTES 1024u

/* An element, many times. */
struct filling {
    uint8_t pattern[PATTERN_BYTES];
    unsigned period, bytes; /* of an element; of all, at least two */
    bool uniform;           /* all bytes are the same */
};

/* For pieces of up to `longest` bytes. */
static void filling_begin(struct filling *filling, const uint8_t *element, unsigned element_bytes, uint64_t longest) {
    assert(element_bytes > 0 && element_bytes <= MOST_BYTES);
    uint64_t elements = longest / element_bytes + 2, most = PATTERN_BYTES / element_bytes;
    filling->period = element_bytes;
    filling->bytes = (unsigned)(elements < most ? elements : most) * element_bytes;
    filling->uniform = true;
    for (unsigned i = 1; i < element_bytes; i++)
        filling->uniform &= element[i] == element[0];
    memcpy(filling->pattern, element, element_bytes);
    unsigned more;
    for (unsigned done = element_bytes; done < filling->bytes; done += more) {
        more = filling->bytes - done < done ? filling->bytes - done : done;
        memcpy(filling->pattern + done, filling->pattern, more);
    }
}

/* `bytes` of the row, of which `before` bytes have been written. */
static void fill(uint8_t *to, const struct filling *filling, uint64_t before, uint64_t bytes) {
    if (filling->uniform) {
        memset(to, filling->pattern[0], bytes);
        return;
    }
    uint64_t phase = before % filling->period, piece;
    for (uint64_t done = 0; done < bytes; done += piece, phase = 0) {
        piece = filling->bytes - phase < bytes - done ? filling->bytes - phase : bytes - done;
        memcpy(to + done, filling->pattern + phase, piece);
    }
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

/* Whole gobs. Returns the lines filled, 0 if they cannot be. */
static uint64_t fill_slab(struct view *view, struct surface_point at, const struct filling *filling,
                          uint64_t line_bytes, uint64_t lines) {
    struct slab slab;
    if (MOST_BYTES % filling->period)
        return 0;
    lines = slab_open(&slab, view, at, line_bytes, lines);
    for (uint64_t i = 0; lines && i < slab.pieces; i++)
        fill(slab.base + i * slab.stride, filling, 0, slab.bytes);
    return lines;
}

bool surface_fill_lines(struct memory *memory, const struct surface *surface, struct surface_point at,
                        const void *element, unsigned element_bytes, uint64_t line_bytes, uint64_t lines,
                        struct fault *fault) {
    struct view view;
    struct filling filling;
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
