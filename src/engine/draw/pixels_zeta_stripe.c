/* SPDX-License-Identifier: MIT */
/* Depth of stripes, line by line: as pixels_zeta.c does it quad by quad, where nothing but depth is tested. */
#include "engine/draw/pixels_zeta.h"

#include <assert.h>

#include "engine/draw/pixels_vector.h"
#include "engine/texture/wide.h"

#define COUNT (2 * RASTER_TILE)

/* All of a stripe: the upper line, then the lower. */
struct line_depths {
    uint32_t element[COUNT], value[COUNT], passed[COUNT]; /* stored; to store; all bits, if it passes */
};

/* What is stored afterwards, in the places of `element`. Returns which lanes of `live` pass, line by line. */
ZETA_INLINE uint32_t merge(const struct pixel_zeta *zeta, struct line_depths *d, uint32_t live) {
    uint32_t mask = (uint32_t)zeta->depth_mask, passed = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t bit = UINT32_C(1) << i;
        d->passed[i] = live & bit ? d->passed[i] : 0;
        passed |= d->passed[i] & bit;
    }
    for (unsigned i = 0; i < COUNT; i++)
        d->element[i] = d->passed[i] ? (d->element[i] & ~mask) | d->value[i] : d->element[i];
    return passed;
}

ZETA_INLINE uint32_t test(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x, uint32_t y,
                          struct line_depths *d, uint32_t live) {
    double z[COUNT];
    zeta_depths(zeta, setup, x, y, RASTER_TILE, z);
    zeta_compare(zeta, z, d->element, COUNT, d->value, d->passed);
    return merge(zeta, d, live);
}

TEXTURE_WIDE static uint32_t test_wide(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x,
                                       uint32_t y, struct line_depths *d, uint32_t live) {
    return test(zeta, setup, x, y, d, live);
}

static uint32_t test_lines(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x, uint32_t y,
                           struct line_depths *d, uint32_t live) {
    if (texture_has_wide())
        return test_wide(zeta, setup, x, y, d, live);
    return test(zeta, setup, x, y, d, live);
}

/* False: something is otherwise, and nothing was done. */
static bool test_words(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                       uint32_t *live) {
    struct pixel_zeta *zeta = &raster->zeta;
    struct line_depths d;
    uint8_t *line[8];
    if (!pixels_zeta_in_range(raster, setup))
        return false;
    pixel_bring(&zeta->access, x, y);
    if (raster->vector && pixel_halves(&zeta->access, x, y, line)) {
        *live = raster->vector->depth(zeta, setup, x, y, line, *live);
        if (raster->state->zeta.counts)
            raster->result.samples += pixels_count_lanes(*live);
        return true;
    }
    if (!pixel_word_stripe(&zeta->access, x, y, &line[0], &line[4]))
        return false;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 4; k++)
            d.element[4 * i + k] = (uint32_t)pixel_load(line[i] + 4 * (size_t)k, 4);
    uint32_t lines = test_lines(zeta, setup, x, y, &d, pixels_lines(*live));
    *live = pixels_lanes(lines & 0xffff, lines >> 16);
    if (raster->state->zeta.counts)
        raster->result.samples += pixels_count_lanes(lines);
    if (lines && zeta->writes)
        for (unsigned i = 0; i < 8; i++)
            for (unsigned k = 0; k < 4; k++)
                pixel_store(line[i] + 4 * (size_t)k, d.element[4 * i + k], 4);
    return true;
}

static uint32_t test_quads(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                           uint32_t covered) {
    uint32_t live = 0;
    for (unsigned i = 0; i < DRAW_QUADS && !raster_stopped(raster); i++) {
        uint8_t of[4];
        for (unsigned k = 0; k < 4; k++)
            of[k] = covered >> (4 * i + k) & 1;
        if (covered >> 4 * i & 15)
            pixels_zeta_quad(raster, setup, x + 2 * i, y, of);
        for (unsigned k = 0; k < 4; k++)
            live |= (uint32_t)of[k] << (4 * i + k);
    }
    return live;
}

/* Where nothing is tested, counted or dropped by depth. */
static bool passes_all(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y) {
    const struct pixel_zeta *zeta = &raster->zeta;
    if (zeta->active || pixels_zeta_may_be_clipped(raster, setup))
        return false;
    return !zeta->present || (x + RASTER_TILE <= zeta->access.width && y + 2 <= zeta->access.height);
}

bool pixels_zeta_at_once(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                         uint32_t *live) {
    if (passes_all(raster, setup, x, y)) {
        if (raster->state->zeta.counts)
            raster->result.samples += pixels_count_lanes(*live);
        return true;
    }
    return raster->zeta.words && test_words(raster, setup, x, y, live);
}

static unsigned count_samples(const uint8_t live[DRAW_LANES]) {
    unsigned count = 0;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        count += pixel_count(live[lane]);
    return count;
}

bool pixels_zeta_samples(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                         uint8_t live[DRAW_LANES]) {
    struct pixel_zeta *zeta = &raster->zeta;
    uint8_t *at[PIXEL_PARTS];
    assert(!raster->state->raster.independent);
    if (passes_all(raster, setup, x, y)) {
        if (raster->state->zeta.counts)
            raster->result.samples += count_samples(live);
        return true;
    }
    if (!zeta->sampled || !raster->vector || !pixels_zeta_in_range(raster, setup) ||
        !pixel_parts_at(&zeta->access, &raster->parts, x, y, at))
        return false;
    unsigned passed = raster->vector->depth_samples(zeta, setup, x, y, &raster->parts, at, live);
    if (raster->state->zeta.counts)
        raster->result.samples += passed;
    return true;
}

uint32_t pixels_zeta_stripe(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                            uint32_t covered) {
    uint32_t live = covered;
    return pixels_zeta_at_once(raster, setup, x, y, &live) ? live : test_quads(raster, setup, x, y, covered);
}
