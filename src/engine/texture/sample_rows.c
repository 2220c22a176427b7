/* SPDX-License-Identifier: MIT */
/* Samples of a row of lanes: those of one level and one filter together. */
#include "engine/texture/sample_rows.h"

#include <assert.h>
#include <string.h>

struct work {
    const struct sample_rows *rows;
    struct texel_reader *reader;
    uint32_t left; /* lanes that are not done in rows */
    double (*sum)[4];
    texture_row *out;
};

static void coordinates(const struct work *work, unsigned level, unsigned axis, rows_doubles out) {
    const double scale = texel_scale(work->reader->view, work->reader->sampler, level, axis);
    const uint32_t *offset = work->rows->request->offset[axis];
    const double *at = work->rows->at[axis];
    if (offset)
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            out[i] = at[i] * scale + (int32_t)offset[i];
    else
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            out[i] = at[i] * scale;
}

static unsigned wrap_of(const struct work *work, unsigned axis) {
    const struct texture_sampler *sampler = work->reader->sampler;
    if (!work->rows->cube)
        return sampler->wrap[axis];
    return sampler->seamless ? ROWS_FREE : sampler->edge_in_face ? TEXEL_EDGE : sampler->wrap[axis];
}

/* The lanes of a footprint whose texel `which` counts, and of these the ones that are outside. */
static uint32_t lanes_of(const struct rows_axis *axis, unsigned axes, unsigned which, uint32_t lanes,
                         uint32_t *outside) {
    *outside = 0;
    for (unsigned i = 0; i < axes; i++) {
        lanes &= which >> i & 1 ? axis[i].mixed : UINT32_MAX;
        *outside |= axis[i].outside[which >> i & 1];
    }
    *outside &= lanes;
    return lanes;
}

static void read_texels(const struct work *work, const struct rows_place *place, unsigned which, uint32_t lanes,
                        rows_texels out) {
    const bool shadow = work->rows->request->shadow;
    uint32_t outside;
    const uint32_t read = lanes_of(place->axis, place->axes, which, lanes, &outside);
    if (read != lanes)
        memset(out, 0, sizeof(rows_texels));
    rows_read(work->reader, place, which, read & ~outside, shadow, out);
    if (outside || shadow)
        work->rows->finish(work->rows, read, outside, out);
}

static void store_row(const struct work *work, uint32_t lanes, const union texel *texel) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        for (unsigned c = 0; c < 4; c++)
            work->out[c][i] = texel[i].u[c];
    }
}

/* Of cubes whose faces join: lanes that need a texel of another face. */
static uint32_t beyond_face(const struct rows_axis *axis, unsigned axes, bool linear) {
    uint32_t beyond = 0;
    for (unsigned i = 0; i < axes; i++)
        beyond |= axis[i].outside[0] | (linear ? axis[i].outside[1] : 0);
    return beyond;
}

/* How much of the sample the level is. */
static void weights_of(const struct sample_rows *rows, uint32_t second, rows_doubles weight) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        weight[i] = rows->mixed ? 1 - (int32_t)rows->weight[i] / 256.0 : 1;
    for (uint32_t left = second; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        weight[i] = rows->weight[i] / 256.0;
    }
}

static void sample_part(struct work *work, const struct sample_rows_part *part) {
    static const texture_row zeros;
    const struct sample_rows *rows = work->rows;
    const unsigned axes = rows->axes, count = part->linear ? 1u << axes : 1;
    const uint32_t *sizes = work->reader->view->level[part->level].size;
    assert(axes >= 1 && axes <= 3 && part->level <= work->reader->view->last_level);
    uint32_t lanes = part->first | part->second;
    struct rows_axis axis[3];
    rows_texels texel[8];
    rows_doubles weight;
    for (unsigned i = 0; i < axes; i++) {
        rows_doubles at;
        coordinates(work, part->level, i, at);
        rows_axis(wrap_of(work, i), at, sizes[i], part->linear, lanes, &axis[i]);
    }
    if (rows->cube && work->reader->sampler->seamless) {
        work->left |= lanes & beyond_face(axis, axes, part->linear);
        lanes &= ~work->left;
    }
    rows_offsets(work->reader->view, part->level, axes, part->linear, axis);
    const struct rows_place place = {
        .axis = axis, .layer = rows->has_layers ? rows->layer : zeros, .axes = axes, .level = part->level};
    for (unsigned which = 0; which < count; which++)
        read_texels(work, &place, which, lanes, texel[which]);
    const uint32_t alone = part->linear ? 0 : lanes & ~rows->mixed;
    store_row(work, alone, texel[0]);
    if (lanes == alone)
        return;
    weights_of(rows, part->second, weight);
    rows_add(axis, part->linear ? axes : 0, weight, texel, lanes & ~alone, work->sum);
}

/* Sums become floats. */
static void store_sums(const struct work *work, uint32_t lanes) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        union texel texel;
        for (unsigned c = 0; c < 4; c++)
            texel.f[c] = (float)work->sum[i][c];
        for (unsigned c = 0; c < 4; c++)
            work->out[c][i] = texel.u[c];
    }
}

/* A lane's second level is a later one than its first. */
uint32_t sample_rows(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes, texture_row out[4]) {
    double sum[TEXTURE_LANES][4] __attribute__((aligned(64)));
    struct work work = {.rows = rows, .reader = reader, .sum = sum, .out = out};
    if (rows->linear | rows->mixed)
        memset(sum, 0, sizeof sum);
    for (unsigned level = 0; level < TEXTURE_LEVELS; level++)
        for (unsigned linear = 0; linear < 2; linear++) {
            const uint32_t those = lanes & (linear ? rows->linear : ~rows->linear);
            const struct sample_rows_part part = {level, linear, rows->level[level] & those, rows->next[level] & those};
            if (part.first | part.second)
                sample_part(&work, &part);
        }
    store_sums(&work, lanes & (rows->linear | rows->mixed));
    return work.left;
}
