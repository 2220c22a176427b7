/* SPDX-License-Identifier: MIT */
/* The tessellator's primitives: strips of triangles between rings, and what is in the middle. */
#include <assert.h>

#include "engine/draw/tessellate_rings.h"

/* ---- sides as numbers of points ---- */

/* A side of a ring with both of its corners; or what is left in the middle, seen from that side. */
struct chain {
    unsigned first, count; /* of the ring, or the middle; points of this chain */
    unsigned begin, ring;  /* of the chain in the ring, which has so many points; 0: in the middle */
    bool backward;
};

static struct chain middle_chain(const struct tessellation *t, unsigned side) {
    struct chain chain = {.first = t->points - t->middle, .count = t->middle};
    /* 0: the same way, 1: at its end, 2: the other way, 3: at its beginning. */
    unsigned seen = (side - tessellate_is_wide(t)) % 4;
    if (t->sides == 3 || seen == 3)
        chain.count = 1;
    else if (seen == 1)
        chain = (struct chain){.first = t->points - 1, .count = 1};
    chain.backward = seen == 2;
    return chain;
}

static struct chain chain_of(const struct tessellation *t, unsigned ring, unsigned side) {
    struct chain chain = {0};
    assert(side < t->sides);
    if (ring == t->rings)
        return middle_chain(t, side);
    for (unsigned i = 0; i < ring; i++)
        chain.first += tessellate_ring_points(t, i);
    for (unsigned i = 0; i < side; i++)
        chain.begin += tessellate_edges(t, ring, i);
    chain.count = tessellate_edges(t, ring, side) + 1;
    chain.ring = tessellate_ring_points(t, ring);
    return chain;
}

static uint16_t chain_point(const struct chain *chain, unsigned index) {
    assert(index < chain->count);
    index = chain->backward ? chain->count - 1 - index : index;
    return (uint16_t)(chain->first + (chain->ring ? (chain->begin + index) % chain->ring : index));
}

/* ---- strips ---- */

struct strip {
    bool turned; /* triangles are counterclockwise */
    struct chain outer, inner;
    unsigned o, i; /* how far it has come on both */
    unsigned count;
    struct tessellate_primitive *out;
};

static void add_triangle(struct strip *strip, uint16_t a, uint16_t b, uint16_t c) {
    assert(strip->count < TESSELLATE_STRIP);
    strip->out[strip->count++] = (struct tessellate_primitive){3, {a, strip->turned ? c : b, strip->turned ? b : c}};
}

static uint16_t outer_point(const struct strip *strip, unsigned further) {
    return chain_point(&strip->outer, strip->o + further);
}

static uint16_t inner_point(const struct strip *strip, unsigned further) {
    return chain_point(&strip->inner, strip->i + further);
}

/* A triangle with an edge of the outer side, and the next point of it. */
static void advance_outer(struct strip *strip) {
    add_triangle(strip, outer_point(strip, 0), outer_point(strip, 1), inner_point(strip, 0));
    strip->o++;
}

static void advance_inner(struct strip *strip) {
    add_triangle(strip, inner_point(strip, 0), outer_point(strip, 0), inner_point(strip, 1));
    strip->i++;
}

/* The same, beginning at the inner side. */
static void advance_outer_from_inner(struct strip *strip) {
    add_triangle(strip, inner_point(strip, 0), outer_point(strip, 0), outer_point(strip, 1));
    strip->o++;
}

static void join_middles(struct strip *strip, bool outer_odd, bool inner_odd) {
    if (outer_odd && inner_odd) {
        advance_inner(strip);
        advance_outer_from_inner(strip);
    } else if (outer_odd) {
        advance_outer_from_inner(strip);
    } else if (inner_odd) {
        advance_inner(strip);
    }
}

/*
 * From a side to the first ring: both have levels of their own. In a half row, points are in the order in which they
 * are inserted as levels grow; the two sides are walked so that both have inserted the same points.
 */
static void stitch_outer(struct strip *strip, const struct tessellate_row *outer, const struct tessellate_row *inner) {
    static const uint8_t inserted[32] = {0, 16, 8,  17, 4, 18, 9,  19, 2, 20, 10, 21, 5, 22, 11, 23,
                                         1, 24, 12, 25, 6, 26, 13, 27, 3, 28, 14, 29, 7, 30, 15, 31};
    const unsigned outer_half = outer->half - outer->odd, inner_half = inner->half - inner->odd;
    if (inserted[0] < outer_half)
        advance_outer(strip);
    for (unsigned k = 1; k < 32; k++) {
        if (inserted[k] < inner_half)
            advance_inner(strip);
        if (inserted[k] < outer_half)
            advance_outer(strip);
    }
    join_middles(strip, outer->odd, inner->odd);
    for (unsigned k = 31; k >= 1; k--) {
        if (inserted[k] < outer_half)
            advance_outer(strip);
        if (inserted[k] < inner_half)
            advance_inner(strip);
    }
    if (inserted[0] < outer_half)
        advance_outer(strip);
}

/* From ring to ring: the outer side has one segment more at each end. */
static void stitch_inner(struct strip *strip) {
    const unsigned count = strip->inner.count;
    assert(strip->outer.count == count + 2);
    advance_outer(strip);
    for (unsigned k = 0; k < count / 2; k++) {
        add_triangle(strip, outer_point(strip, 0), inner_point(strip, 1), inner_point(strip, 0));
        add_triangle(strip, outer_point(strip, 0), outer_point(strip, 1), inner_point(strip, 1));
        strip->o++;
        strip->i++;
    }
    while (strip->i + 1 < count) {
        advance_outer_from_inner(strip);
        add_triangle(strip, inner_point(strip, 0), outer_point(strip, 0), inner_point(strip, 1));
        strip->i++;
    }
    advance_outer(strip);
}

/* ---- the middle ---- */

/* Two triangles of four points; which diagonal they have is said by the caller. */
static void add_quad(struct strip *strip, bool rising, bool from_outer) {
    uint16_t a = outer_point(strip, 0), b = outer_point(strip, 1), c = inner_point(strip, 0), d = inner_point(strip, 1);
    if (rising) {
        add_triangle(strip, a, d, c);
        add_triangle(strip, a, b, d);
    } else {
        if (from_outer)
            add_triangle(strip, a, b, c);
        else
            add_triangle(strip, c, a, b);
        add_triangle(strip, c, b, d);
    }
    strip->o++;
    strip->i++;
}

/* Two sides of the innermost ring of a quad, which are parallel with no point between them. */
static void stitch_sides(const struct tessellation *t, struct strip *strip) {
    const bool wide = tessellate_is_wide(t), both_odd = !wide && t->inner[1].odd;
    strip->outer = chain_of(t, t->rings - 1, wide ? 1 : 0);
    strip->inner = chain_of(t, t->rings - 1, wide ? 3 : 2);
    strip->inner.backward = true;
    unsigned quads = strip->outer.count - 1;
    for (unsigned i = 0; i < quads; i++)
        add_quad(strip, both_odd && i == quads / 2, both_odd);
}

static void fill_middle(const struct tessellation *t, struct strip *strip) {
    unsigned last = t->points;
    if (t->least && t->sides == 4) {
        add_triangle(strip, 0, 1, 3);
        add_triangle(strip, 1, 2, 3);
    } else if (t->sides == 3) {
        add_triangle(strip, (uint16_t)(last - 3), (uint16_t)(last - 2), (uint16_t)(last - 1));
    } else {
        stitch_sides(t, strip);
    }
}

/* ---- primitives ---- */

static unsigned points_of(const struct tessellation *t, unsigned strip, struct tessellate_primitive *out) {
    unsigned left = t->points - strip * TESSELLATE_STRIP_POINTS;
    unsigned count = left < TESSELLATE_STRIP_POINTS ? left : TESSELLATE_STRIP_POINTS;
    for (unsigned i = 0; i < count; i++)
        out[i] = (struct tessellate_primitive){1, {(uint16_t)(strip * TESSELLATE_STRIP_POINTS + i)}};
    return count;
}

static unsigned lines_of(const struct tessellation *t, unsigned line, struct tessellate_primitive *out) {
    unsigned points = t->outer[1].points;
    for (unsigned i = 0; i + 1 < points; i++)
        out[i] = (struct tessellate_primitive){2, {(uint16_t)(line * points + i), (uint16_t)(line * points + i + 1)}};
    return points - 1;
}

unsigned tessellate_strip(const struct tessellation *t, unsigned number,
                          struct tessellate_primitive out[TESSELLATE_STRIP]) {
    assert(number < t->strips);
    if (t->mode.output == TESSELLATE_AS_POINTS)
        return points_of(t, number, out);
    if (!t->sides)
        return lines_of(t, number, out);
    struct strip strip = {.turned = t->mode.output == TESSELLATE_COUNTERCLOCKWISE, .out = out};
    if (!t->middle && number + 1 == t->strips) {
        fill_middle(t, &strip);
        return strip.count;
    }
    unsigned ring = number / t->sides, side = number % t->sides;
    strip.outer = chain_of(t, ring, side);
    strip.inner = chain_of(t, ring + 1, side);
    if (ring)
        stitch_inner(&strip);
    else
        stitch_outer(&strip, &t->outer[side], &t->inner[side % 2 ? 0 : 1]);
    return strip.count;
}
