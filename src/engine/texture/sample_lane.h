/* SPDX-License-Identifier: MIT */
/* Samples of one lane: its texels one after the other. What is not done by rows. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_SAMPLE_LANE_H
#define PFIFO_SRC_ENGINE_TEXTURE_SAMPLE_LANE_H

#include <string.h>

#include "engine/texture/level.h"
#include "engine/texture/texel.h"

/* One lane of a request. */
struct lane {
    struct texel_reader *reader;
    const struct texture_request *request;
    unsigned number;
    float reference;
    double offset[3];
};

static inline float float_of(const uint32_t *row, unsigned lane) {
    float value = 0;
    if (row)
        memcpy(&value, &row[lane], sizeof value);
    return value;
}

static inline bool is_cube(const struct texture_view *view) {
    return view->target == TEXTURE_CUBE || view->target == TEXTURE_CUBE_ARRAY;
}

/* Axes on which a texel is looked for. */
static inline unsigned axes_of(const struct texture_view *view) {
    switch (view->target) {
    case TEXTURE_1D:
    case TEXTURE_1D_ARRAY:
    case TEXTURE_BUFFER:
        return 1;
    case TEXTURE_3D:
        return 3;
    default:
        return 2;
    }
}

/* The sampler's border, with the sources. */
void border_of(const struct lane *lane, union texel *out);
/* What the comparison makes of a raw texel: 0 or 1. */
void compare_texel(const struct lane *lane, union texel *raw);
void sample_lane(const struct lane *lane, const struct sample_point *point, const struct level_choice *choice,
                 union texel *out);
void gather_lane(struct lane *lane, const struct sample_point *point, union texel *out);

#endif
