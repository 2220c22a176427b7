/* SPDX-License-Identifier: MIT */
#include "engine/draw/tessellate_rings.h"

#include <assert.h>

#define ONE  TESSELLATE_ONE
#define HALF (ONE / 2)
/* Rings are closer than the outer one by 2/3 of their distance, and the middle of a triangle is at a third. */
#define TWO_THIRDS 0xaaaau
#define THIRD      0x5555u

/* ---- levels ---- */

/* The number rounded to the nearest fixed one, to the even one of two. */
static uint32_t fixed_of(float level) {
    double scaled = (double)level * ONE;
    uint32_t whole = (uint32_t)scaled;
    double rest = scaled - whole;
    return whole + (rest > 0.5 || (rest == 0.5 && whole & 1) ? 1 : 0);
}

/* NaN becomes the lower bound. */
static float within(float level, float least, float most) {
    return level > least ? level < most ? level : most : least;
}

static float round_up(float level) {
    float whole = (float)(uint32_t)level;
    return whole < level ? whole + 1 : whole;
}

/* The bounds of levels by their spacing. */
static float prepare_level(float level, unsigned spacing, float least) {
    static const float lower[] = {1, 1, 2}, upper[] = {64, 63, 64};
    level = within(level, least > lower[spacing] ? least : lower[spacing], upper[spacing]);
    return spacing == TESSELLATE_EQUAL ? round_up(level) : level;
}

static bool is_odd(float level, unsigned spacing) {
    return spacing == TESSELLATE_ODD || (spacing == TESSELLATE_EQUAL && (uint32_t)level % 2);
}

/* ---- rows ---- */

/* A number without its highest bit. */
static uint32_t without_top(uint32_t number) {
    assert(number);
    return number ^ (1u << (31 - __builtin_clz(number)));
}

static uint32_t reciprocal(uint32_t number) {
    assert(number);
    return (2 * ONE / number + 1) / 2;
}

/* Points are inserted on both sides of the middle, each into a segment of the last power of two, from outside in. */
static uint32_t split_of(uint32_t fewer, uint32_t more, bool odd) {
    if (fewer == more)
        return more + 1; /* none is inserted */
    if (odd)
        return fewer == 1 ? 0 : 2 * without_top(fewer - 1) + 1;
    return 2 * without_top(fewer) + 1;
}

static struct tessellate_row row_of(uint32_t fixed, bool odd) {
    uint32_t half = (fixed + 1) / 2;
    if (odd || half == HALF)
        half += HALF;
    uint32_t fewer = half / ONE, fraction = half % ONE, more = fewer + (fraction ? 1 : 0);
    return (struct tessellate_row){.odd = odd,
                                   .fixed = fixed,
                                   .points = 2 * more + (odd ? 0 : 1),
                                   .half = more,
                                   .fraction = fraction,
                                   .fewer = reciprocal(2 * fewer - odd),
                                   .more = reciprocal(2 * more - odd),
                                   .split = split_of(fewer, more, odd)};
}

static uint32_t row_at(const struct tessellate_row *row, uint32_t point) {
    assert(point < row->points);
    bool mirrored = point >= row->half;
    point = mirrored ? row->points - 1 - point : point;
    if (point == row->half)
        return HALF;
    uint32_t before = point > row->split ? point - 1 : point;
    uint32_t at = (before * row->fewer * (ONE - row->fraction) + point * row->more * row->fraction + HALF) / ONE;
    return mirrored ? ONE - at : at;
}

/* ---- the shape of a patch ---- */

/* Rings need rows of some points, so levels just above 1 are the least where one of the others is above 1. */
static float least_inner(const struct tessellate_levels *outer, unsigned sides, unsigned spacing) {
    const float tiny = 1.0f / ONE;
    bool above = false;
    for (unsigned i = 0; i < sides; i++)
        above |= outer->outer[i] > 1 + tiny / 2;
    for (unsigned i = 0; i < 2 && sides == 4; i++)
        above |= outer->inner[i] > 1 + tiny / 2;
    return above && spacing == TESSELLATE_ODD ? 1 + tiny : 1;
}

static void set_rows(struct tessellation *t, const struct tessellate_levels *levels) {
    const unsigned spacing = t->mode.spacing;
    float least = least_inner(levels, t->sides, spacing);
    t->least = true;
    for (unsigned i = 0; i < t->sides; i++) {
        float level = prepare_level(levels->outer[i], spacing, 1);
        t->outer[i] = row_of(fixed_of(level), is_odd(level, spacing));
        t->least &= t->outer[i].fixed == ONE;
    }
    for (unsigned i = 0; i < 2; i++) {
        float level = prepare_level(levels->inner[t->sides == 4 ? i : 0], spacing, least);
        /* One segment would leave no place for a ring: two. */
        t->inner[i] = row_of(fixed_of(level), is_odd(level, spacing) && (spacing == TESSELLATE_ODD || level > 1));
        t->least &= t->inner[i].fixed == ONE;
    }
}

static void set_rings(struct tessellation *t) {
    unsigned u = t->inner[0].points, v = t->inner[1].points, least = u < v ? u : v;
    t->rings = t->least ? 1 : least / 2;
    t->middle = t->least || least % 2 == 0 ? 0
                : t->sides == 3            ? 1
                                           : t->inner[tessellate_is_wide(t) ? 0 : 1].points - 2 * t->rings;
    t->strips = t->least ? 1 : (t->rings - (t->middle ? 0 : 1)) * t->sides + (t->middle ? 0 : 1);
    t->points = t->middle;
    for (unsigned ring = 0; ring < t->rings; ring++)
        t->points += tessellate_ring_points(t, ring);
}

static void set_lines(struct tessellation *t, const struct tessellate_levels *levels) {
    float lines = prepare_level(levels->outer[0], TESSELLATE_EQUAL, 1);
    float detail = prepare_level(levels->outer[1], t->mode.spacing, 1);
    t->outer[0] = row_of(fixed_of(lines), is_odd(lines, TESSELLATE_EQUAL));
    t->outer[1] = row_of(fixed_of(detail), is_odd(detail, t->mode.spacing));
    t->strips = t->outer[0].points - 1;
    t->points = t->strips * t->outer[1].points;
}

bool tessellate_begin(struct tessellation *tessellation, const struct tessellate_mode *mode,
                      const struct tessellate_levels *levels) {
    static const uint8_t sides[] = {0, 3, 4};
    *tessellation = (struct tessellation){.mode = *mode};
    if (mode->domain > TESSELLATE_QUADS || mode->spacing > TESSELLATE_EVEN)
        return false;
    tessellation->sides = sides[mode->domain];
    for (unsigned i = 0; i < (tessellation->sides ? tessellation->sides : 2); i++)
        if (!(levels->outer[i] > 0))
            return false;
    if (tessellation->sides) {
        set_rows(tessellation, levels);
        set_rings(tessellation);
    } else {
        set_lines(tessellation, levels);
    }
    if (mode->output == TESSELLATE_AS_POINTS)
        tessellation->strips = (tessellation->points + TESSELLATE_STRIP_POINTS - 1) / TESSELLATE_STRIP_POINTS;
    assert(tessellation->points <= TESSELLATE_POINTS);
    return true;
}

/* ---- places of points ---- */

static void set_place(uint32_t place[2], uint32_t u, uint32_t v) {
    assert(u <= ONE && v <= ONE);
    place[0] = u;
    place[1] = v;
}

/* Sides 0 and 3 of a quad run down, as those of a triangle that end or begin at v = 1; the others up. */
static bool runs_down(const struct tessellation *t, unsigned side) {
    return side == 0 || side + 1 == t->sides;
}

static void quad_place(const struct tessellation *t, unsigned ring, unsigned side, unsigned index, uint32_t place[2]) {
    const struct tessellate_row *along = ring ? &t->inner[side % 2 ? 0 : 1] : &t->outer[side];
    const struct tessellate_row *across = &t->inner[side % 2];
    unsigned point = runs_down(t, side) ? along->points - 1 - ring - index : ring + index;
    uint32_t low = ring ? row_at(across, ring) : 0, high = ring ? row_at(across, across->points - 1 - ring) : ONE;
    uint32_t fixed = side < 2 ? low : high, moving = row_at(along, point);
    if (side % 2)
        set_place(place, moving, fixed);
    else
        set_place(place, fixed, moving);
}

static void triangle_place(const struct tessellation *t, unsigned ring, unsigned side, unsigned index,
                           uint32_t place[2]) {
    const struct tessellate_row *row = ring ? &t->inner[0] : &t->outer[side];
    unsigned point = runs_down(t, side) ? row->points - 1 - ring - index : ring + index;
    uint32_t distance = ring ? (row_at(row, ring) * TWO_THIRDS + HALF) / ONE : 0;
    uint32_t moving = row_at(row, point) - (distance + 1) / 2 * (ring ? 1 : 0);
    if (side == 0)
        set_place(place, distance, moving);
    else if (side == 1)
        set_place(place, moving, distance);
    else
        set_place(place, moving, ONE - moving - distance);
}

static void middle_place(const struct tessellation *t, unsigned number, uint32_t place[2]) {
    unsigned point = t->rings + number;
    if (t->sides == 3)
        set_place(place, THIRD, THIRD);
    else if (tessellate_is_wide(t))
        set_place(place, row_at(&t->inner[0], point), HALF);
    else
        set_place(place, HALF, row_at(&t->inner[1], t->inner[1].points - 1 - point));
}

void tessellate_point(const struct tessellation *t, unsigned number, uint32_t place[2]) {
    assert(number < t->points);
    if (!t->sides) {
        unsigned points = t->outer[1].points;
        set_place(place, row_at(&t->outer[1], number % points), row_at(&t->outer[0], number / points));
        return;
    }
    if (t->least && t->sides == 4) /* in another order: from the origin on */
        number = (number + 1) % 4;
    for (unsigned ring = 0; ring < t->rings; ring++) {
        for (unsigned side = 0; side < t->sides; side++) {
            unsigned edges = tessellate_edges(t, ring, side);
            if (number < edges) {
                (t->sides == 3 ? triangle_place : quad_place)(t, ring, side, number, place);
                return;
            }
            number -= edges;
        }
    }
    middle_place(t, number, place);
}
