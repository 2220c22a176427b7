/* SPDX-License-Identifier: MIT */
#include "engine/texture/rows.h"
#include "engine/texture/wide.h"

#include <assert.h>
#include <string.h>

#include "memory/power.h"

#define INLINE static inline __attribute__((always_inline))

#define NEAR 4194304.0 /* texels: so far, coordinates in 1/256 fit into 32 bits */
#define BIAS (1 << 30)

bool rows_possible(const struct texture_view *view) {
    return view->layer_bytes <= UINT32_MAX;
}

static void widen_base(const float_of_bits *row, rows_doubles out) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        out[i] = (double)row[i];
}

TEXTURE_WIDE static void widen_wide(const float_of_bits *row, rows_doubles out) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        out[i] = (double)row[i];
}

void rows_widen(const uint32_t *row, rows_doubles out) {
    static const texture_row zeros;
    row = row ? row : zeros;
    if (texture_has_wide())
        widen_wide((const float_of_bits *)row, out);
    else
        widen_base((const float_of_bits *)row, out);
}

/* ---- neighbours ---- */

/* The bits of a row of doubles, where it is: a copy would be made by pieces that the next loads would wait for. */
typedef uint64_t __attribute__((may_alias)) row_bits;

/* Without a branch, so that compilers make vector code of it: the sign of all differences. */
INLINE bool any_far(const rows_doubles coordinate) {
    const double limit = NEAR;
    const row_bits *bits = (const row_bits *)coordinate;
    uint64_t first_far, far = 0;
    memcpy(&first_far, &limit, sizeof first_far);
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        far |= first_far - 1 - (bits[i] & (UINT64_MAX >> 1));
    return far >> 63;
}

/* Lanes that are far away, or no numbers, are at 0; they are looked at one by one. */
INLINE uint32_t far_lanes(const rows_doubles coordinate, uint32_t lanes) {
    uint32_t far = 0;
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        far |= (coordinate[i] > -NEAR && coordinate[i] < NEAR ? 0u : 1u) << i;
    return far & lanes;
}

/* One less where what is left over is below 0. Adding 0 makes -0 positive. */
INLINE int32_t floor_of(double value) {
    const int32_t whole = (int32_t)value;
    const double rest = value - whole + 0.0;
    uint64_t bits;
    memcpy(&bits, &rest, sizeof bits);
    return whole - (int32_t)(bits >> 63);
}

INLINE void near_row(const rows_doubles coordinate, rows_doubles out) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        out[i] = __builtin_fabs(coordinate[i]) < NEAR ? coordinate[i] : 0;
}

INLINE void linear_row(const rows_doubles near, struct rows_axis *axis) {
    int32_t fixed[TEXTURE_LANES];
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        fixed[i] = floor_of(near[i] * 256 + 0.5);
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const uint32_t biased = (uint32_t)(fixed[i] - 128 + BIAS);
        axis->weight[i] = biased & 255;
        axis->at[0][i] = (biased >> 8) - BIAS / 256;
        axis->at[1][i] = axis->at[0][i] + 1;
    }
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        axis->mixed |= (axis->weight[i] ? 1u : 0) << i;
}

INLINE void nearest_row(const rows_doubles near, struct rows_axis *axis) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        axis->at[0][i] = (uint32_t)floor_of(near[i]);
    memcpy(axis->at[1], axis->at[0], sizeof axis->at[1]);
    memset(axis->weight, 0, sizeof axis->weight);
}

/* ---- wraps ---- */

INLINE void wrap_row(uint32_t *at, uint32_t size) {
    if (is_power_of_two(size)) {
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            at[i] &= size - 1;
        return;
    }
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        if (at[i] >= size)
            at[i] = (uint32_t)texel_wrap(TEXEL_WRAP, (int32_t)at[i], size);
}

INLINE void mirror_row(uint32_t *at, uint32_t size) {
    if (!is_power_of_two(size)) {
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            if (at[i] >= size)
                at[i] = (uint32_t)texel_wrap(TEXEL_MIRROR, (int32_t)at[i], size);
        return;
    }
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        at[i] = (at[i] & size ? ~at[i] : at[i]) & (size - 1);
}

INLINE void edge_row(uint32_t *at, uint32_t size) {
    const int32_t last = (int32_t)size - 1;
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const int32_t value = (int32_t)at[i], low = value > 0 ? value : 0;
        at[i] = (uint32_t)(low < last ? low : last);
    }
}

INLINE uint32_t outside_row(uint32_t *at, uint32_t size) {
    uint32_t outside = 0;
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        outside |= (at[i] >= size ? 1u : 0) << i;
    for (unsigned i = 0; outside && i < TEXTURE_LANES; i++)
        at[i] = at[i] < size ? at[i] : 0;
    return outside;
}

/* What has no rows of its own. */
static void axis_by_lane(unsigned wrap, const rows_doubles coordinate, uint32_t size, bool linear, uint32_t lanes,
                         struct rows_axis *axis) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const struct texel_axis one = wrap == ROWS_FREE ? texel_axis_free(coordinate[i], linear)
                                                        : texel_axis((uint8_t)wrap, coordinate[i], size, linear);
        axis->weight[i] = one.weight;
        for (unsigned k = 0; k < 2; k++) {
            const bool outside = one.at[k] < 0 || one.at[k] >= size;
            axis->at[k][i] = outside ? 0 : (uint32_t)one.at[k];
            axis->outside[k] = (axis->outside[k] & ~(1u << i)) | (outside ? 1u << i : 0);
        }
    }
}

INLINE void axis_row(unsigned wrap, uint32_t size, struct rows_axis *axis, unsigned k) {
    switch (wrap) {
    case TEXEL_WRAP:
        wrap_row(axis->at[k], size);
        break;
    case TEXEL_MIRROR:
        mirror_row(axis->at[k], size);
        break;
    case TEXEL_EDGE:
        edge_row(axis->at[k], size);
        break;
    default:
        axis->outside[k] = outside_row(axis->at[k], size);
        break;
    }
}

/* The lanes that it leaves. */
INLINE uint32_t neighbours(unsigned wrap, const rows_doubles coordinate, uint32_t size, bool linear, uint32_t lanes,
                           struct rows_axis *axis) {
    const bool far = any_far(coordinate);
    rows_doubles copy;
    const double *near = coordinate;
    if (far) {
        near_row(coordinate, copy);
        near = copy;
    }
    if (linear)
        linear_row(near, axis);
    else
        nearest_row(near, axis);
    axis_row(wrap, size, axis, 0);
    if (linear)
        axis_row(wrap, size, axis, 1);
    return far ? far_lanes(coordinate, lanes) : 0;
}

static uint32_t neighbours_base(unsigned wrap, const rows_doubles coordinate, uint32_t size, bool linear,
                                uint32_t lanes, struct rows_axis *axis) {
    return neighbours(wrap, coordinate, size, linear, lanes, axis);
}

TEXTURE_WIDE static uint32_t neighbours_wide(unsigned wrap, const rows_doubles coordinate, uint32_t size, bool linear,
                                             uint32_t lanes, struct rows_axis *axis) {
    return neighbours(wrap, coordinate, size, linear, lanes, axis);
}

void rows_axis(unsigned wrap, const rows_doubles coordinate, uint32_t size, bool linear, uint32_t lanes,
               struct rows_axis *axis) {
    assert(size > 0);
    uint32_t single = lanes;
    axis->outside[0] = axis->outside[1] = axis->mixed = 0;
    if (wrap >= TEXEL_CLAMP_GL && wrap != ROWS_FREE)
        memset(axis, 0, sizeof *axis);
    else if (texture_has_wide())
        single = neighbours_wide(wrap, coordinate, size, linear, lanes, axis);
    else
        single = neighbours_base(wrap, coordinate, size, linear, lanes, axis);
    if (single)
        axis_by_lane(wrap, coordinate, size, linear, single, axis);
    for (unsigned i = 0; single && linear && i < TEXTURE_LANES; i++)
        axis->mixed = (axis->mixed & ~(1u << i)) | (axis->weight[i] ? 1u << i : 0);
}

/* ---- addresses ---- */

struct rows_parts rows_parts(const struct layout *layout) {
    struct rows_parts parts = {.across_shift = 31, .x_keep = UINT32_MAX, .line = (uint32_t)layout->pitch};
    if (layout->type == LAYOUT_PITCH)
        return parts;
    assert(layout->type == LAYOUT_BLOCK && !layout->block_width && !layout->quarter_gobs);
    const bool lines = layout->order == GOB_LINES, columns = layout->order == GOB_COLUMNS;
    const uint32_t in_column = columns ? 3 : 1;
    const unsigned gob_shift = lines ? 2 : 3, gob = 6 + gob_shift, high = layout->block_height,
                   deep = layout->block_depth;
    const uint32_t across = (uint32_t)((layout->width + 63) / 64);
    const uint32_t down = (uint32_t)((layout->height + (UINT64_C(1) << (gob_shift + high)) - 1) >> (gob_shift + high));
    parts = (struct rows_parts){.across_shift = 6,
                                .down_shift = gob_shift + high,
                                .deep_shift = deep,
                                .column = 1u << (gob + high + deep),
                                .x_keep = lines ? 63 : 15,
                                .x_once = lines || columns ? 0 : 16,
                                .x_twice = columns ? 16 : 0,
                                .x_thrice = lines ? 0 : 32,
                                .y_four = lines ? 0 : in_column,
                                .y_five = lines ? 0 : 7 - in_column,
                                .y_six = lines ? 3 : 0,
                                .gob_lines_shift = gob_shift,
                                .gob = 1u << gob,
                                .gob_slice = 1u << (gob + high)};
    parts.line = across * parts.column;
    parts.slice = down * parts.line;
    return parts;
}

/* In blocks. */
INLINE const uint32_t *divided(const uint32_t *at, uint32_t by, texture_row out) {
    if (by == 1)
        return at;
    if (is_power_of_two(by))
        for (unsigned i = 0, shift = (unsigned)__builtin_ctz(by); i < TEXTURE_LANES; i++)
            out[i] = at[i] >> shift;
    else
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            out[i] = at[i] / by;
    return out;
}

INLINE void x_offsets(const struct rows_parts *parts, const struct texture_format *format, const uint32_t *at,
                      texture_row out) {
    const uint32_t bytes = format->bytes;
    texture_row blocks;
    at = divided(at, format->across, blocks);
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const uint32_t x = at[i] * bytes;
        out[i] = (x >> parts->across_shift) * parts->column + (x & parts->x_keep) + ((x & parts->x_once) << 1) +
                 ((x & parts->x_twice) << 2) + ((x & parts->x_thrice) << 3);
    }
}

INLINE void y_offsets(const struct rows_parts *parts, const struct texture_format *format, const uint32_t *at,
                      texture_row out) {
    const uint32_t gobs = (1u << (parts->down_shift - parts->gob_lines_shift)) - 1;
    texture_row blocks;
    at = divided(at, format->down, blocks);
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const uint32_t y = at[i];
        out[i] = (y >> parts->down_shift) * parts->line + (y >> parts->gob_lines_shift & gobs) * parts->gob +
                 ((y & parts->y_four) << 4) + ((y & parts->y_five) << 5) + ((y & parts->y_six) << 6);
    }
}

INLINE void z_offsets(const struct rows_parts *parts, const uint32_t *at, texture_row out) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        out[i] =
            (at[i] >> parts->deep_shift) * parts->slice + (at[i] & ((1u << parts->deep_shift) - 1)) * parts->gob_slice;
}

/* With a copy of the parts, which results then cannot overwrite: compilers make vector code. */
INLINE void offsets(const struct rows_parts *from, const struct texture_format *format, unsigned axes, unsigned k,
                    struct rows_axis *axis) {
    const struct rows_parts parts = *from;
    x_offsets(&parts, format, axis[0].at[k], axis[0].offset[k]);
    if (axes > 1)
        y_offsets(&parts, format, axis[1].at[k], axis[1].offset[k]);
    if (axes > 2)
        z_offsets(&parts, axis[2].at[k], axis[2].offset[k]);
}

static void offsets_base(const struct rows_parts *parts, const struct texture_format *format, unsigned axes, unsigned k,
                         struct rows_axis *axis) {
    offsets(parts, format, axes, k, axis);
}

TEXTURE_WIDE static void offsets_wide(const struct rows_parts *parts, const struct texture_format *format,
                                      unsigned axes, unsigned k, struct rows_axis *axis) {
    offsets(parts, format, axes, k, axis);
}

void rows_offsets(const struct texture_view *view, unsigned level, unsigned axes, bool linear, struct rows_axis *axis) {
    assert(rows_possible(view) && level <= view->last_level);
    const struct rows_parts parts = rows_parts(&view->level[level].layout);
    for (unsigned k = 0; k < (linear ? 2u : 1u); k++)
        if (texture_has_wide())
            offsets_wide(&parts, view->format, axes, k, axis);
        else
            offsets_base(&parts, view->format, axes, k, axis);
}

void rows_read(struct texel_reader *reader, const struct rows_place *place, unsigned which, uint32_t lanes, bool raw,
               rows_texels out) {
    assert(place->axes >= 1 && place->axes <= 3);
    static const texture_row zeros = {0};
    const uint32_t *at[2] = {zeros, zeros};
    texture_row offset = {0};
    for (unsigned i = 0; i < place->axes; i++) {
        const uint32_t *add = place->axis[i].offset[which >> i & 1];
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
            offset[lane] += add[lane];
        if (i < 2)
            at[i] = place->axis[i].at[which >> i & 1];
    }
    texel_rows(reader, reader->view->address + reader->view->level[place->level].offset, place->layer, offset, at[0],
               at[1], lanes, raw, out);
}

/* ---- sums ---- */

/* The weight of each texel: products in the order of the axes. */
INLINE void weights_of(const struct rows_axis *axis, unsigned axes, double weight, unsigned lane, double part[8]) {
    part[0] = weight;
    for (unsigned i = 0, count = 1; i < axes; i++, count *= 2) {
        const double second = axis[i].weight[lane] / 256.0, first = (256 - axis[i].weight[lane]) / 256.0;
        for (unsigned k = 0; k < count; k++) {
            part[count + k] = part[k] * second;
            part[k] *= first;
        }
    }
}

INLINE void add_row(const struct rows_axis *axis, unsigned axes, const rows_doubles weight, const rows_texels *texel,
                    uint32_t lanes, double sum[TEXTURE_LANES][4]) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        double part[8], total[4];
        weights_of(axis, axes, weight[i], i, part);
        for (unsigned c = 0; c < 4; c++)
            total[c] = sum[i][c];
        for (unsigned which = 0; which < 1u << axes; which++)
            for (unsigned c = 0; c < 4; c++)
                total[c] += (double)texel[which][i].f[c] * part[which];
        for (unsigned c = 0; c < 4; c++)
            sum[i][c] = total[c];
    }
}

INLINE void add_rows(const struct rows_axis *axis, unsigned axes, const rows_doubles weight, const rows_texels *texel,
                     uint32_t lanes, double sum[TEXTURE_LANES][4]) {
    switch (axes) {
    case 0:
        add_row(axis, 0, weight, texel, lanes, sum);
        break;
    case 1:
        add_row(axis, 1, weight, texel, lanes, sum);
        break;
    case 2:
        add_row(axis, 2, weight, texel, lanes, sum);
        break;
    default:
        add_row(axis, 3, weight, texel, lanes, sum);
        break;
    }
}

static void add_base(const struct rows_axis *axis, unsigned axes, const rows_doubles weight, const rows_texels *texel,
                     uint32_t lanes, double sum[TEXTURE_LANES][4]) {
    add_rows(axis, axes, weight, texel, lanes, sum);
}

TEXTURE_WIDE static void add_wide(const struct rows_axis *axis, unsigned axes, const rows_doubles weight,
                                  const rows_texels *texel, uint32_t lanes, double sum[TEXTURE_LANES][4]) {
    add_rows(axis, axes, weight, texel, lanes, sum);
}

void rows_add(const struct rows_axis *axis, unsigned axes, const rows_doubles weight, const rows_texels *texel,
              uint32_t lanes, double sum[TEXTURE_LANES][4]) {
    assert(axes <= 3);
    if (texture_has_wide())
        add_wide(axis, axes, weight, texel, lanes, sum);
    else
        add_base(axis, axes, weight, texel, lanes, sum);
}
