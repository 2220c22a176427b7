/* SPDX-License-Identifier: MIT */
#include "reference/tessellate.h"

#include <math.h>
#include <string.h>

#define MOST 70

/* Places from 0 to 1. */
struct line {
    int count;
    double at[MOST];
    int grown; /* segments of a half, with the one that is being inserted; without the middle segment */
    bool odd;
};

/* Points of a ring's side, or of what is in the middle. */
struct run {
    int count;
    struct plain_point point[MOST];
};

struct level {
    float value;
    bool odd;
};

/* ---- levels ---- */

static struct level bounded(float value, unsigned spacing, bool inner, bool ring_needed) {
    double low = spacing == 2 ? 2 : 1, high = spacing == 1 ? 63 : 64;
    struct level level = {.odd = spacing == 1};
    if (inner && spacing == 1 && ring_needed)
        low = 1 + 1.0 / 65536;
    level.value = (float)(isnan(value) ? low : fmin(fmax(value, low), high));
    if (spacing == 0) {
        level.value = ceilf(level.value);
        level.odd = fmodf(level.value, 2) == 1 && !(inner && level.value == 1);
    }
    return level;
}

/* ---- a line of segments ---- */

/*
 * So many whole segments of a half are there, and the next pair grows with the rest of the level: in every generation
 * the segments of the last power of two are divided one after the other, from the end.
 */
static struct line divide(struct level level) {
    double units = rint((double)level.value * 65536) / 65536;
    if (!level.odd && units == 1)
        units = 2; /* an inner level of 1: a point in the middle */
    double half = level.odd ? (units - 1) / 2 : units / 2;
    int whole = (int)half, generation = 1;
    double rest = half - whole;
    int few = 2 * whole + level.odd, many = few + 2, small = rest > 0 ? 0 : -1;
    for (generation = 1; 2 * generation <= whole;)
        generation *= 2;
    if (small == 0 && whole > 0)
        small = 2 * (whole - generation) + 1;
    double big_one = (1 - rest) / few + rest / many, small_one = rest / many;
    if (rest == 0)
        big_one = 1.0 / few;
    int segments = few + (rest > 0 ? 2 : 0);
    struct line line = {.count = segments + 1, .grown = whole + (rest > 0), .odd = level.odd};
    for (int i = 0; i < segments; i++)
        line.at[i + 1] = line.at[i] + (i == small || segments - 1 - i == small ? small_one : big_one);
    return line;
}

/* ---- output ---- */

static void put_point(struct plain_patch *patch, struct plain_point point) {
    patch->point[patch->points++] = point;
}

static void put_triangle(struct plain_patch *patch, unsigned output, struct plain_point a, struct plain_point b,
                         struct plain_point c) {
    patch->primitive[patch->primitives++] =
        output == 3 ? (struct plain_primitive){3, {a, c, b}} : (struct plain_primitive){3, {a, b, c}};
}

/* ---- between two runs ---- */

struct zip {
    struct plain_patch *patch;
    unsigned output;
    const struct run *outer, *inner;
    int o, i;
};

static void outer_step(struct zip *zip) {
    put_triangle(zip->patch, zip->output, zip->outer->point[zip->o], zip->outer->point[zip->o + 1],
                 zip->inner->point[zip->i]);
    zip->o++;
}

static void inner_step(struct zip *zip) {
    put_triangle(zip->patch, zip->output, zip->inner->point[zip->i], zip->outer->point[zip->o],
                 zip->inner->point[zip->i + 1]);
    zip->i++;
}

/* The tree of insertions: node n is inserted as number n, its children are 2n and 2n + 1. */
static void walk(struct zip *zip, int node, int outer_most, int inner_most, bool back) {
    if (node >= 32)
        return;
    walk(zip, back ? 2 * node + 1 : 2 * node, outer_most, inner_most, back);
    if (back && node < outer_most)
        outer_step(zip);
    if (node < inner_most)
        inner_step(zip);
    if (!back && node < outer_most)
        outer_step(zip);
    walk(zip, back ? 2 * node : 2 * node + 1, outer_most, inner_most, back);
}

static void zip_outer(struct zip *zip, const struct line *outer, const struct line *inner) {
    int o = outer->grown, i = inner->grown;
    if (o > 0)
        outer_step(zip);
    walk(zip, 1, o, i, false);
    if (outer->odd && inner->odd)
        inner_step(zip);
    if (outer->odd) {
        put_triangle(zip->patch, zip->output, zip->inner->point[zip->i], zip->outer->point[zip->o],
                     zip->outer->point[zip->o + 1]);
        zip->o++;
    } else if (inner->odd) {
        inner_step(zip);
    }
    walk(zip, 1, o, i, true);
    if (o > 0)
        outer_step(zip);
}

/* Before the middle of the inner run diagonals lean one way, after it the other. */
static void zip_inner(struct zip *zip) {
    const struct plain_point *o = zip->outer->point, *i = zip->inner->point;
    int last = zip->inner->count - 1;
    put_triangle(zip->patch, zip->output, o[0], o[1], i[0]);
    for (int k = 0; k < last; k++) {
        if (k < (last + 1) / 2) {
            put_triangle(zip->patch, zip->output, o[k + 1], i[k + 1], i[k]);
            put_triangle(zip->patch, zip->output, o[k + 1], o[k + 2], i[k + 1]);
        } else {
            put_triangle(zip->patch, zip->output, i[k], o[k + 1], o[k + 2]);
            put_triangle(zip->patch, zip->output, i[k], o[k + 2], i[k + 1]);
        }
    }
    put_triangle(zip->patch, zip->output, o[last + 1], o[last + 2], i[last]);
}

/* ---- rings ---- */

static struct plain_point third_side(double x, double distance) {
    return (struct plain_point){x, 1 - x - distance};
}

/* Side `side` of the ring that leaves out `ring` points at each end of its lines. */
static struct run side_of(unsigned domain, const struct line *along, const struct line *across, int ring, int side) {
    struct run run = {.count = along->count - 2 * ring};
    bool down = side == 0 || side == (domain == 2 ? 3 : 2);
    for (int k = 0; k < run.count; k++) {
        double x = along->at[down ? along->count - 1 - ring - k : ring + k];
        double low = ring ? across->at[ring] : 0;
        if (domain == 1) {
            low = low * 2 / 3;
            x -= low / 2;
            run.point[k] = side == 0   ? (struct plain_point){low, x}
                           : side == 1 ? (struct plain_point){x, low}
                                       : third_side(x, low);
        } else {
            double fixed = side < 2 ? low : 1 - low;
            run.point[k] = side % 2 ? (struct plain_point){x, fixed} : (struct plain_point){fixed, x};
        }
    }
    return run;
}

static struct run reversed(const struct run *run) {
    struct run other = {.count = run->count};
    for (int k = 0; k < run->count; k++)
        other.point[k] = run->point[run->count - 1 - k];
    return other;
}

static struct run one_of(const struct run *run, int which) {
    return (struct run){1, {run->point[which]}};
}

/* What is left in the middle of even lines. */
static struct run middle_of(unsigned domain, const struct line line[2], int rings) {
    struct run run = {0};
    bool wide = line[0].count > line[1].count;
    const struct line *longer = &line[wide ? 0 : 1];
    if (domain == 1)
        return (struct run){1, {{1.0 / 3, 1.0 / 3}}};
    run.count = longer->count - 2 * rings;
    for (int k = 0; k < run.count; k++)
        run.point[k] = wide ? (struct plain_point){longer->at[rings + k], 0.5}
                            : (struct plain_point){0.5, longer->at[longer->count - 1 - rings - k]};
    return run;
}

/* The middle as a side of the ring around it sees it. */
static struct run middle_from(unsigned domain, const struct run *middle, bool wide, int side) {
    int parallel = domain == 1 ? 9 : wide ? side - 1 : side; /* 0 the same way, 2 the other way */
    if (domain == 1)
        return one_of(middle, 0);
    if (parallel == 0)
        return *middle;
    if (parallel == 2)
        return reversed(middle);
    return one_of(middle, parallel == 1 ? middle->count - 1 : 0);
}

static void fill_sides(struct plain_patch *patch, unsigned output, const struct line line[2], int ring) {
    bool wide = line[0].count > line[1].count, both = !wide && line[1].odd;
    struct run low = side_of(2, &line[wide ? 0 : 1], &line[wide ? 1 : 0], ring, wide ? 1 : 0);
    struct run high = side_of(2, &line[wide ? 0 : 1], &line[wide ? 1 : 0], ring, wide ? 3 : 2);
    const struct plain_point *o = low.point;
    high = reversed(&high);
    const struct plain_point *i = high.point;
    int quads = low.count - 1;
    for (int q = 0; q < quads; q++, o++, i++) {
        if (both && q == quads / 2) {
            put_triangle(patch, output, o[0], i[1], i[0]);
            put_triangle(patch, output, o[0], o[1], i[1]);
            continue;
        }
        if (both)
            put_triangle(patch, output, o[0], o[1], i[0]);
        else
            put_triangle(patch, output, i[0], o[0], o[1]);
        put_triangle(patch, output, i[0], o[1], i[1]);
    }
}

static void put_ring(struct plain_patch *patch, const struct run *side, int sides) {
    for (int s = 0; s < sides; s++)
        for (int k = 0; k + 1 < side[s].count; k++)
            put_point(patch, side[s].point[k]);
}

static void make_rings(struct plain_patch *patch, unsigned domain, unsigned output, const struct line outer[4],
                       const struct line inner[2]) {
    int sides = domain == 1 ? 3 : 4;
    int least = inner[0].count < inner[1].count ? inner[0].count : inner[1].count, rings = least / 2;
    bool wide = inner[0].count > inner[1].count;
    struct run side[4], next[4], middle = middle_of(domain, inner, rings);
    for (int s = 0; s < sides; s++)
        side[s] = side_of(domain, &outer[s], &outer[s], 0, s);
    for (int ring = 0; ring < rings; ring++) {
        put_ring(patch, side, sides);
        if (ring + 1 == rings && least % 2 == 0)
            break;
        for (int s = 0; s < sides; s++) {
            const struct line *along = &inner[domain == 2 && s % 2 == 0], *across = &inner[domain == 2 && s % 2];
            next[s] =
                ring + 1 == rings ? middle_from(domain, &middle, wide, s) : side_of(domain, along, across, ring + 1, s);
            struct zip zip = {patch, output, &side[s], &next[s], 0, 0};
            if (ring == 0)
                zip_outer(&zip, &outer[s], along);
            else
                zip_inner(&zip);
        }
        memcpy(side, next, sizeof side);
    }
    if (least % 2 == 0 && domain == 1)
        put_triangle(patch, output, side[0].point[0], side[1].point[0], side[2].point[0]);
    else if (least % 2 == 0)
        fill_sides(patch, output, inner, rings - 1);
    else
        for (int k = 0; k < middle.count; k++)
            put_point(patch, middle.point[k]);
}

/* ---- patches ---- */

static void make_least(struct plain_patch *patch, unsigned domain, unsigned output) {
    static const struct plain_point quad[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, triangle[] = {{0, 1}, {0, 0}, {1, 0}};
    for (int i = 0; i < (domain == 1 ? 3 : 4); i++)
        put_point(patch, domain == 1 ? triangle[i] : quad[i]);
    if (domain == 1) {
        put_triangle(patch, output, triangle[0], triangle[1], triangle[2]);
    } else {
        put_triangle(patch, output, quad[0], quad[1], quad[3]);
        put_triangle(patch, output, quad[1], quad[2], quad[3]);
    }
}

static void make_lines(struct plain_patch *patch, struct level count, struct level detail) {
    struct line lines = divide(count), line = divide(detail);
    for (int i = 0; i + 1 < lines.count; i++) {
        for (int k = 0; k < line.count; k++) {
            struct plain_point point = {line.at[k], lines.at[i]};
            if (k > 0)
                patch->primitive[patch->primitives++] =
                    (struct plain_primitive){2, {{line.at[k - 1], lines.at[i]}, point}};
            put_point(patch, point);
        }
    }
}

static void make_area(struct plain_patch *patch, unsigned domain, unsigned spacing, unsigned output,
                      const float outer[4], const float inner[2]) {
    int sides = domain == 1 ? 3 : 4;
    bool least = true, ring_needed = false;
    struct line outer_line[4], inner_line[2];
    for (int i = 0; i < sides; i++)
        ring_needed |= outer[i] > 1 + 1.0f / 131072;
    for (int i = 0; i < 2; i++)
        ring_needed |= domain == 2 && inner[i] > 1 + 1.0f / 131072;
    for (int i = 0; i < sides; i++) {
        struct level level = bounded(outer[i], spacing, false, false);
        least &= rint((double)level.value * 65536) == 65536;
        outer_line[i] = divide(level);
    }
    for (int i = 0; i < 2; i++) {
        struct level level = bounded(inner[domain == 2 ? i : 0], spacing, true, ring_needed);
        least &= rint((double)level.value * 65536) == 65536;
        inner_line[i] = divide(level);
    }
    if (least)
        make_least(patch, domain, output);
    else
        make_rings(patch, domain, output, outer_line, inner_line);
}

bool plain_tessellate(struct plain_patch *patch, unsigned domain, unsigned spacing, unsigned output,
                      const float outer[4], const float inner[2]) {
    static const int relevant[] = {2, 3, 4};
    patch->points = patch->primitives = 0;
    for (int i = 0; i < relevant[domain]; i++)
        if (isnan(outer[i]) || outer[i] <= 0)
            return false;
    if (domain == 0)
        make_lines(patch, bounded(outer[0], 0, false, false), bounded(outer[1], spacing, false, false));
    else
        make_area(patch, domain, spacing, output, outer, inner);
    if (output == 0) {
        patch->primitives = patch->points;
        for (unsigned i = 0; i < patch->points; i++)
            patch->primitive[i] = (struct plain_primitive){1, {patch->point[i]}};
    }
    return true;
}
