/* SPDX-License-Identifier: MIT */
#include "reference/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int64_t x, y; /* in 1/256 */
};

static struct point snapped(const struct draw_vertex *v) {
    return (struct point){llrint((double)v->x * 256), llrint((double)v->y * 256)};
}

/* ---- polygons: is the sample, moved right by very little and down by far less, strictly inside? ---- */

static bool is_right_of(struct point p, struct point q, struct point s, bool flip) {
    int64_t dx = q.x - p.x, dy = q.y - p.y, value = dx * (s.y - p.y) - dy * (s.x - p.x);
    if (value)
        return value > 0;
    if (dy)
        return -dy > 0;
    return flip ? dx < 0 : dx > 0;
}

static bool inside_polygon(const struct point *p, unsigned count, struct point s, bool flip) {
    int64_t area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    for (unsigned i = 0; i < count; i++) {
        const struct point *a = &p[i], *b = &p[(i + 1) % count];
        if (area == 0 || !(area > 0 ? is_right_of(*a, *b, s, flip) : is_right_of(*b, *a, s, flip)))
            return false;
    }
    return true;
}

/*
 * ---- conservative: a polygon and a pixel, larger by half of 1/256 and the dilation, have a point in common: a corner
 * of one in the other, or edges that cross. In 1/512. ----
 */

static int sign_of(struct point a, struct point b, struct point c) {
    int64_t turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

static bool is_between(struct point a, struct point b, struct point c) {
    return (c.x < a.x ? a.x : c.x) <= (a.x < b.x ? b.x : a.x) && c.x >= (a.x < b.x ? a.x : b.x) &&
           c.y >= (a.y < b.y ? a.y : b.y) && c.y <= (a.y < b.y ? b.y : a.y);
}

static bool segments_meet(struct point a, struct point b, struct point c, struct point d) {
    int s1 = sign_of(a, b, c), s2 = sign_of(a, b, d), s3 = sign_of(c, d, a), s4 = sign_of(c, d, b);
    if (s1 * s2 < 0 && s3 * s4 < 0)
        return true;
    return (s1 == 0 && is_between(a, b, c)) || (s2 == 0 && is_between(a, b, d)) || (s3 == 0 && is_between(c, d, a)) ||
           (s4 == 0 && is_between(c, d, b));
}

static bool in_closed_polygon(const struct point *p, unsigned count, struct point s) {
    bool left = false, right = false;
    for (unsigned i = 0; i < count; i++) {
        int side = sign_of(p[i], p[(i + 1) % count], s);
        left |= side < 0;
        right |= side > 0;
    }
    return !(left && right);
}

static bool touches_pixel(const struct point *p, unsigned count, int64_t x, int64_t y, unsigned dilation) {
    int64_t more = 1 + 128 * (int64_t)dilation, x0 = x * 512 - more, y0 = y * 512 - more, x1 = x * 512 + 512 + more,
            y1 = y * 512 + 512 + more;
    const struct point square[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    struct point q[4];
    for (unsigned i = 0; i < count; i++) {
        q[i] = (struct point){p[i].x * 2, p[i].y * 2};
        if (q[i].x >= x0 && q[i].x <= x1 && q[i].y >= y0 && q[i].y <= y1)
            return true;
    }
    if (in_closed_polygon(q, count, square[0]))
        return true;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            if (segments_meet(q[i], q[(i + 1) % count], square[k], square[(k + 1) % 4]))
                return true;
    return false;
}

static bool has_area(const struct point *p, unsigned count) {
    int64_t area = 0;
    for (unsigned i = 0; i < count; i++)
        area += p[i].x * p[(i + 1) % count].y - p[(i + 1) % count].x * p[i].y;
    return area != 0;
}

/* ---- aliased lines: the part of the line that a diamond has, as an interval of t between fractions ---- */

struct interval {
    int64_t low, low_over, high, high_over; /* denominators above 0 */
    bool low_open, high_open, empty;
};

/* Where a + b * t is above 0, or not below it. */
static void cut(struct interval *in, int64_t a, int64_t b, bool strict) {
    int64_t n = b > 0 ? -a : a, d = b > 0 ? b : -b;
    if (b == 0) {
        in->empty |= strict ? a <= 0 : a < 0;
    } else if (b > 0) {
        if (n * in->low_over > in->low * d || (n * in->low_over == in->low * d && strict)) {
            in->low = n;
            in->low_over = d;
            in->low_open = strict;
        }
    } else if (n * in->high_over < in->high * d || (n * in->high_over == in->high * d && strict)) {
        in->high = n;
        in->high_over = d;
        in->high_open = strict;
    }
}

static bool in_diamond(struct point p, struct point center, bool y_major) {
    int64_t x = p.x - center.x, y = p.y - center.y;
    if (y_major && x == 128 && y == 0)
        return true;
    return 128 + x + y > 0 && 128 - x + y > 0 && 128 - x - y >= 0 && 128 + x - y >= 0;
}

static bool meets_diamond(const struct point p[2], struct point center, bool y_major) {
    int64_t x = p[0].x - center.x, y = p[0].y - center.y, dx = p[1].x - p[0].x, dy = p[1].y - p[0].y;
    struct interval in = {0, 1, 1, 1, false, false, false};
    cut(&in, 128 + x + y, dx + dy, true);
    cut(&in, 128 - x + y, -dx + dy, true);
    cut(&in, 128 - x - y, -dx - dy, false);
    cut(&in, 128 + x - y, dx - dy, false);
    int64_t low = in.low * in.high_over, high = in.high * in.low_over;
    if (!in.empty && (low < high || (low == high && !in.low_open && !in.high_open)))
        return true;
    if (!y_major)
        return false;
    /* The right corner: on the line, between its ends? */
    int64_t cx = 128 - x, cy = -y;
    return cx * dy == cy * dx && cx * dx + cy * dy >= 0 && cx * dx + cy * dy <= dx * dx + dy * dy;
}

static bool is_y_major(const struct point p[2]) {
    return llabs(p[1].y - p[0].y) > llabs(p[1].x - p[0].x);
}

static bool thin_line_has(const struct point p[2], int64_t x, int64_t y) {
    struct point center = {x * 256 + 128, y * 256 + 128};
    bool y_major = is_y_major(p);
    return meets_diamond(p, center, y_major) && !in_diamond(p[1], center, y_major);
}

/* Wide lines repeat the pixels of thin ones across; odd widths only, where both are the same rows. */
static bool line_has(const struct point p[2], int64_t x, int64_t y, int64_t width) {
    bool y_major = is_y_major(p);
    for (int64_t i = -(width / 2); i <= width / 2; i++)
        if (thin_line_has(p, y_major ? x + i : x, y_major ? y : y + i))
            return true;
    return false;
}

/* ---- pieces ---- */

enum kind { POLYGON, LINE, BOX };
struct piece {
    enum kind kind;
    bool stipples, fill;
    unsigned corners;
    struct point p[4];
    uint32_t count; /* of line stipple */
};

static int64_t pixel(int64_t grid) {
    return (int64_t)floor((double)grid / 256);
}

static bool stippled_away(const struct raster_reference *r, const struct piece *piece, int64_t x, int64_t y) {
    const struct draw_raster_state *state = &r->state->raster;
    if (piece->kind == LINE && state->line_stipple) {
        bool y_major = is_y_major(piece->p);
        int64_t along = y_major ? y - pixel(piece->p[0].y) : x - pixel(piece->p[0].x);
        if (y_major ? piece->p[1].y < piece->p[0].y : piece->p[1].x < piece->p[0].x)
            along = -along;
        uint32_t k = (along > 0 ? (uint32_t)along : 0) + piece->count;
        return !(state->line_pattern >> k / state->line_factor % 16 & 1);
    }
    if (piece->fill && state->polygon_stipple) {
        uint8_t bytes[4];
        uint32_t word = state->stipple[y % 32];
        for (unsigned i = 0; i < 4; i++)
            bytes[i] = (uint8_t)(word >> 8 * i);
        return !(bytes[x % 32 / 8] >> (7 - x % 8) & 1);
    }
    return false;
}

static bool in_box(const struct draw_box *box, int64_t x, int64_t y) {
    return x >= box->x0 && x < box->x1 && y >= box->y0 && y < box->y1;
}

static bool cut_away(const struct raster_reference *r, const struct draw_primitive *primitive, int64_t x, int64_t y) {
    const struct draw_state *state = r->state;
    bool inside = false;
    if (!in_box(&state->view.viewport[primitive->viewport].scissor, x, y))
        return true;
    for (unsigned i = 0; i < DRAW_WINDOWS; i++)
        inside |= in_box(&state->view.window[i], x, y);
    return state->view.window_mode == 3 || (state->view.window_mode == 1 && !inside) ||
           (state->view.window_mode == 2 && inside);
}

static bool covers(const struct raster_reference *r, const struct piece *piece, int64_t x, int64_t y, unsigned s) {
    const struct draw_state *state = r->state;
    struct point at = {x * 256 + 128, y * 256 + 128};
    if (piece->kind == LINE)
        return line_has(piece->p, x, y, llrint((double)state->raster.line_width));
    if (state->raster.conservative)
        return has_area(piece->p, piece->corners) &&
               touches_pixel(piece->p, piece->corners, x, y, state->raster.dilation);
    if (state->raster.multisample) {
        unsigned w = 1u << state->raster.samples.block_x, h = 1u << state->raster.samples.block_y;
        unsigned i = ((unsigned)x % w + w * ((unsigned)y % h)) * state->raster.samples.count + s;
        at = (struct point){x * 256 + 16 * state->raster.samples.x[i], y * 256 + 16 * state->raster.samples.y[i]};
    }
    return inside_polygon(piece->p, piece->corners, at, state->raster.flip);
}

/* ---- depth and stencil ---- */

static bool compares(unsigned compare, double a, double b) {
    switch (compare) {
    case DRAW_NEVER:
        return false;
    case DRAW_LESS:
        return a < b;
    case DRAW_EQUAL:
        return a == b;
    case DRAW_LEQUAL:
        return a <= b;
    case DRAW_GREATER:
        return a > b;
    case DRAW_NOTEQUAL:
        return a != b;
    case DRAW_GEQUAL:
        return a >= b;
    default:
        return true;
    }
}

static unsigned operate(unsigned operation, unsigned stored, unsigned reference) {
    const unsigned results[8] = {stored,
                                 0,
                                 reference,
                                 stored == 255 ? 255 : stored + 1,
                                 stored == 0 ? 0 : stored - 1,
                                 255 - stored,
                                 (stored + 1) % 256,
                                 (stored + 255) % 256};
    return results[operation];
}

static void put(uint8_t element[16], const struct format *format, unsigned c, unsigned mask, uint32_t value) {
    uint64_t all, bits;
    memcpy(&all, element, 8);
    bits = (uint64_t)mask << format->component[c].shift;
    all = (all & ~bits) | ((uint64_t)value << format->component[c].shift & bits);
    memcpy(element, &all, 8);
}

/* Depth as a pixel of the format alone has it. */
static uint32_t depth_bits(const struct format *format, float depth, double *value) {
    double most = format->component[0].bits == 32 ? 0 : (double)((1u << format->component[0].bits) - 1);
    uint32_t bits;
    if (format->type != FORMAT_FLOAT) {
        *value = rint((double)depth * most);
        return (uint32_t)*value;
    }
    memcpy(&bits, &depth, 4);
    *value = (double)depth;
    return bits;
}

static bool zeta_passes(const struct raster_reference *r, uint8_t element[16], float depth, bool front) {
    const struct draw_zeta_state *state = &r->state->zeta;
    const struct draw_stencil_face *face = &state->face[front ? 0 : 1];
    const struct format *format = r->state->targets.zeta.format;
    if (!format)
        return true;
    union color stored;
    double new_value, old_value;
    format_unpack(format, element, &stored);
    uint32_t bits = depth_bits(format, depth, &new_value);
    old_value = format->type == FORMAT_FLOAT ? (double)stored.f[0]
                                             : rint((double)stored.f[0] * ((1u << format->component[0].bits) - 1));
    bool has_stencil = format->component[1].bits && state->stencil, has_depth = format->component[0].bits;
    double low, high;
    depth_bits(format, state->bounds_min, &low);
    depth_bits(format, state->bounds_max, &high);
    if (state->bounds && has_depth && !(low <= old_value && old_value <= high))
        return false;
    unsigned s = stored.u[1];
    bool stencil = !has_stencil || compares(face->compare, face->reference & face->mask, s & face->mask);
    bool z = !has_depth || !state->test || compares(state->compare, new_value, old_value);
    if (has_stencil)
        put(element, format, 1, face->write_mask,
            operate(!stencil ? face->fail
                    : !z     ? face->depth_fail
                             : face->pass,
                    s, face->reference));
    if (stencil && z && has_depth && state->test && state->write)
        put(element, format, 0, UINT32_MAX >> (32 - format->component[0].bits), bits);
    return stencil && z;
}

/* ---- colours ---- */

static float bounded(const struct format *format, float value) {
    float low = format->type == FORMAT_SNORM ? -1 : 0;
    if (format->type == FORMAT_FLOAT)
        return value;
    return value < low ? low : value > 1 ? 1 : value;
}

static float factor(unsigned which, unsigned c, const float s[4], const float s1[4], const float d[4],
                    const float k[4]) {
    float saturate = c == 3 ? 1 : s[3] < 1 - d[3] ? s[3] : 1 - d[3];
    const float values[] = {0,    1,        s[c], 1 - s[c], s[3],  1 - s[3],  d[3],  1 - d[3], d[c], 1 - d[c], saturate,
                            k[c], 1 - k[c], k[3], 1 - k[3], s1[c], 1 - s1[c], s1[3], 1 - s1[3]};
    return values[which];
}

static float blended(const struct draw_blend *blend, unsigned c, const float s[4], const float s1[4], const float d[4],
                     const float k[4]) {
    float a = s[c] * factor(c == 3 ? blend->src_alpha : blend->src_rgb, c, s, s1, d, k);
    float b = d[c] * factor(c == 3 ? blend->dst_alpha : blend->dst_rgb, c, s, s1, d, k);
    switch (c == 3 ? blend->op_alpha : blend->op_rgb) {
    case DRAW_ADD:
        return a + b;
    case DRAW_SUBTRACT:
        return a - b;
    case DRAW_REVERSE_SUBTRACT:
        return b - a;
    case DRAW_MIN:
        return s[c] < d[c] ? s[c] : d[c];
    default:
        return s[c] > d[c] ? s[c] : d[c];
    }
}

static void write_color(const struct raster_reference *r, unsigned target, unsigned written, const float source[4],
                        const float second[4], uint8_t element[16]) {
    const struct format *format = r->state->targets.color[target].format;
    const struct draw_blend *blend = &r->state->blend.target[target];
    const unsigned writable = r->state->blend.mask[target] & written;
    union color stored, color;
    float s[4], s1[4], k[4];
    uint8_t bytes[16] = {0}, mask[16];
    memcpy(&color, source, sizeof color);
    if (!r->state->blend.logic && blend->enabled && !format_is_integer(format)) {
        format_unpack(format, element, &stored);
        for (unsigned c = 0; c < 4; c++) {
            s[c] = bounded(format, source[c]);
            s1[c] = bounded(format, second[c]);
            k[c] = bounded(format, r->state->blend.color[c]);
        }
        for (unsigned c = 0; c < 4; c++)
            color.f[c] = bounded(format, blended(blend, c, s, s1, stored.f, k));
    }
    format_pack(format, &color, bytes);
    unsigned all = 0;
    for (unsigned c = 0; c < 4; c++)
        all |= format->component[c].bits ? 1u << c : 0;
    format_mask(format, writable, mask);
    if ((writable & all) == all) /* then bits of no component, too */
        memset(mask, 0xff, sizeof mask);
    bool logic = r->state->blend.logic && format->type != FORMAT_FLOAT && format->type != FORMAT_SRGB;
    for (unsigned i = 0; i < 8u * format->bytes; i++) {
        unsigned bit = 1u << i % 8, new_bit = bytes[i / 8] & bit ? 1 : 0, old_bit = element[i / 8] & bit ? 1 : 0;
        if (logic)
            new_bit = r->state->blend.logic_op >> (new_bit ? (old_bit ? 0 : 1) : (old_bit ? 2 : 3)) & 1;
        if (mask[i / 8] & bit)
            element[i / 8] = (uint8_t)((element[i / 8] & ~bit) | (new_bit ? bit : 0));
    }
}

/* ---- fragments ---- */

static uint8_t *element_of(const struct raster_reference *r, unsigned target, int64_t x, int64_t y, unsigned s,
                           uint32_t layer) {
    const struct draw_raster_state *raster = &r->state->raster;
    const struct draw_samples *samples =
        raster->independent && target != RASTER_REFERENCE_ZETA ? &raster->color : &raster->samples;
    int64_t width = (int64_t)r->width << samples->log2_x, height = (int64_t)r->height << samples->log2_y;
    x = x * (1 << samples->log2_x) + samples->element_x[s];
    y = y * (1 << samples->log2_y) + samples->element_y[s];
    return r->element[target][(layer * height + y) * width + x];
}

static bool kept_by_alpha(const struct draw_state *state, float alpha, unsigned s) {
    const struct format *first = state->targets.color[state->targets.of[0]].format;
    if (!first || format_is_integer(first))
        return true;
    if (state->blend.alpha_test && state->targets.count &&
        !compares(state->blend.alpha_compare, (double)alpha, (double)state->blend.alpha_reference))
        return false;
    if (!state->blend.alpha_to_coverage)
        return true;
    return state->raster.samples.count == 1 ? alpha > 0.5f : alpha > (float)s / (float)state->raster.samples.count;
}

/* What becomes of a sample: is it counted, and are colours written? */
struct outcome {
    bool counts, writes;
};

static struct outcome test_sample(struct raster_reference *r, const struct draw_primitive *primitive, bool front,
                                  int64_t x, int64_t y, unsigned s) {
    const struct draw_state *state = r->state;
    const struct draw_program *program = &state->stages.program;
    const uint32_t *words = primitive->flat->attribute;
    float depth = primitive->vertex[0]->z, alpha;
    uint8_t *zeta = state->targets.zeta.format ? element_of(r, RASTER_REFERENCE_ZETA, x, y, s, primitive->layer) : NULL;
    memcpy(&alpha, &words[RASTER_REFERENCE_OUTPUT(0, 3)], sizeof alpha);
    bool killed = program->kills && ((x + y) & 1);
    killed |= program->sample_mask && !(words[RASTER_REFERENCE_MASK] >> s & 1);
    killed |= !kept_by_alpha(state, alpha, s);
    if (program->depth && !program->early)
        memcpy(&depth, &words[RASTER_REFERENCE_DEPTH], 4);
    if ((!program->early && killed) || !zeta_passes(r, zeta, depth, front))
        return (struct outcome){false, false};
    return (struct outcome){true, !killed};
}

/* Colours of a target's sample; `left` of the raster's in it. `all`: those of the pixel. */
static void color_sample(struct raster_reference *r, const struct draw_primitive *primitive, int64_t x, int64_t y,
                         unsigned s, unsigned left, uint32_t all) {
    const struct draw_state *state = r->state;
    const struct draw_program *program = &state->stages.program;
    for (unsigned i = 0; i < state->targets.count; i++) {
        float outputs[DRAW_TARGETS][4], number[4] = {0};
        unsigned target = state->targets.of[i], output = program->separate ? i : 0;
        const struct format *format = state->targets.color[target].format;
        unsigned written = program->outputs >> 4 * output & 15;
        memcpy(outputs, &primitive->flat->attribute[RASTER_REFERENCE_OUTPUT(0, 0)], sizeof outputs);
        if (state->blend.alpha_to_one)
            outputs[output][3] = outputs[1][3] = 1;
        for (unsigned k = 0; k < 2 && state->raster.independent; k++)
            for (unsigned c = 0; c < 4; c++)
                if (program->outputs >> 4 * k & 15 &&
                    !format_is_integer(state->targets.color[state->targets.of[k]].format) &&
                    state->raster.modulation & (c == 3 ? 2 : 1))
                    outputs[k][c] *= state->raster.modulate[left - 1];
        if (!format)
            continue;
        bool coverage =
            state->blend.coverage_to_color && state->blend.coverage_target == target && format_is_integer(format);
        memcpy(&number[0], &all, sizeof all);
        write_color(r, target, coverage ? 15 : written, coverage ? number : outputs[output], outputs[1],
                    element_of(r, target, x, y, s, primitive->layer));
    }
}

/* Samples `first` and up to before `end` of a pixel, which the program is run for at once. */
static void draw_pass(struct raster_reference *r, const struct draw_primitive *primitive, const struct piece *piece,
                      bool front, int64_t x, int64_t y, unsigned first, unsigned end) {
    const struct draw_raster_state *raster = &r->state->raster;
    unsigned count = raster->independent ? raster->color.count : raster->samples.count;
    unsigned group = raster->samples.count / count;
    uint32_t counted = 0, left = 0;
    for (unsigned s = first; s < end; s++) {
        if (!(raster->sample_mask[(x & 1) + 2 * (y & 1)] >> s & 1) || !covers(r, piece, x, y, s))
            continue;
        struct outcome outcome = test_sample(r, primitive, front, x, y, s);
        counted |= (outcome.counts ? 1u : 0u) << s;
        left |= (outcome.writes ? 1u : 0u) << s;
    }
    for (unsigned s = 0; s < count; s++) {
        unsigned of_counted = 0, of_left = 0;
        for (unsigned i = s * group; i < (s + 1) * group; i++) {
            of_counted += counted >> i & 1;
            of_left += left >> i & 1;
        }
        r->samples += raster->independent && !raster->counts_raster ? of_counted != 0 : of_counted;
        if (of_left)
            color_sample(r, primitive, x, y, s, of_left, left);
    }
}

static void draw_piece(struct raster_reference *r, const struct draw_primitive *primitive, const struct piece *piece,
                       bool front) {
    const struct draw_raster_state *raster = &r->state->raster;
    unsigned samples = raster->samples.count, passes = r->state->stages.program.passes;
    unsigned most = raster->independent ? raster->color.count : samples;
    passes = passes < 1 ? 1 : passes > most ? most : passes;
    for (int64_t y = 0; y < r->height; y++)
        for (int64_t x = 0; x < r->width; x++)
            for (unsigned p = 0; p < passes && !cut_away(r, primitive, x, y) && !stippled_away(r, piece, x, y); p++)
                draw_pass(r, primitive, piece, front, x, y, samples * p / passes, samples * (p + 1) / passes);
}

static void draw_line(struct raster_reference *r, const struct draw_primitive *primitive, struct point p,
                      struct point q, bool front) {
    struct piece piece = {.kind = LINE, .p = {p, q}, .count = r->stipple};
    r->stipple += (uint32_t)(is_y_major(piece.p) ? llabs(pixel(q.y) - pixel(p.y)) : llabs(pixel(q.x) - pixel(p.x)));
    if (p.x != q.x || p.y != q.y)
        draw_piece(r, primitive, &piece, front);
}

/* Squares of whole pixels, or of any size. */
static void draw_point(struct raster_reference *r, const struct draw_primitive *primitive, struct point p, bool front) {
    const struct draw_raster_state *state = &r->state->raster;
    double size = (double)state->point_size, x = (double)p.x / 256, y = (double)p.y / 256;
    struct piece piece = {.kind = POLYGON, .corners = 4};
    if (!state->point_sprite && !state->point_d3d && !state->multisample) {
        size = rint(size) < 1 ? 1 : rint(size);
        bool odd = (int)size & 1;
        x = odd ? floor(x) + 0.5 : floor(x + 0.5);
        y = odd ? floor(y) + 0.5 : floor(y + 0.5);
    }
    for (unsigned i = 0; i < 4; i++)
        piece.p[i] = (struct point){llrint((x + (i == 1 || i == 2 ? size : -size) / 2) * 256),
                                    llrint((y + (i > 1 ? size : -size) / 2) * 256)};
    draw_piece(r, primitive, &piece, front);
}

static void draw_triangle(struct raster_reference *r, const struct draw_primitive *primitive, const struct point p[3]) {
    const struct draw_raster_state *state = &r->state->raster;
    int64_t area = 0;
    for (unsigned i = 0; i < 3; i++)
        area += p[i].x * p[(i + 1) % 3].y - p[(i + 1) % 3].x * p[i].y;
    bool front = ((area > 0) != state->flip) == state->front_is_cw;
    unsigned mode = state->polygon[front ? 0 : 1];
    struct piece piece = {.kind = POLYGON, .corners = 3, .fill = true, .p = {p[0], p[1], p[2]}};
    if (front ? state->cull_front : state->cull_back)
        return;
    if (mode == DRAW_FILL)
        draw_piece(r, primitive, &piece, front);
    for (unsigned i = 0; i < 3 && mode != DRAW_FILL; i++) {
        if (!(primitive->edges >> i & 1))
            continue;
        if (mode == DRAW_OUTLINE)
            draw_line(r, primitive, p[i], p[(i + 1) % 3], front);
        else
            draw_point(r, primitive, p[i], front);
    }
}

void raster_reference_draw(struct raster_reference *reference, const struct draw_primitive *primitive) {
    struct point p[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (unsigned i = 0; i <= primitive->kind; i++)
        p[i] = snapped(primitive->vertex[i]);
    if (primitive->restart)
        reference->stipple = 0;
    if (primitive->kind == DRAW_TRIANGLES)
        draw_triangle(reference, primitive, p);
    else if (primitive->kind == DRAW_LINES)
        draw_line(reference, primitive, p[0], p[1], true);
    else
        draw_point(reference, primitive, p[0], true);
}
