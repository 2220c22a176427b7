/* SPDX-License-Identifier: MIT */
/* Which levels a sample is of, and how much of each. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_LEVEL_H
#define PFIFO_SRC_ENGINE_TEXTURE_LEVEL_H

#include "engine/texture/texture.h"

/* Where a lane samples: coordinates as the header has them (cubes: of their face). */
struct sample_point {
    double at[3];
    double across[3], down[3]; /* derivatives, in texels of the view's first level; 0 without */
    uint32_t layer;            /* cubes: with the face */
};

struct level_choice {
    double lambda;     /* with biases, before limits, in 1/256 */
    double limited;    /* after them */
    unsigned level[2]; /* absolute */
    unsigned weight;   /* of the second, in 1/256 */
    bool linear;       /* the filter */
    unsigned probes;   /* of anisotropy, along `axis` */
    double axis[3];    /* texels of the first level */
};

/* `explicit_lambda` for requests that name a level; `bias` of the instruction. */
struct level_choice level_choose(const struct texture_view *view, const struct texture_sampler *sampler,
                                 const struct texture_request *request, const struct sample_point *point,
                                 float explicit_lambda, float bias);

/* The same for a lambda that has been computed. */
void level_of_lambda(const struct texture_view *view, const struct texture_sampler *sampler, double lambda, float bias,
                     struct level_choice *choice);

/*
 * Of a row in quads, without anisotropy: squares of the longer derivative of each lane, in texels of the base level, of
 * which there are `sizes`.
 */
void level_scales(const double (*at)[TEXTURE_LANES], const double sizes[3], unsigned axes, double scale[TEXTURE_LANES]);
/* Lambdas of these. */
void level_lambdas(const double scale[TEXTURE_LANES], double lambda[TEXTURE_LANES]);
/* Whether lanes with these choose the same, and what: most often it takes less than their lambdas. */
bool level_of_all(const struct texture_view *view, const struct texture_sampler *sampler,
                  const double scale[TEXTURE_LANES], uint32_t lanes, struct level_choice *choice);

#endif
