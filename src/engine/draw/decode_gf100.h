/* SPDX-License-Identifier: MIT */
/* What the files of the decoder of Fermi to Pascal share. Nobody else includes this. */
#ifndef PFIFO_SRC_ENGINE_DRAW_DECODE_GF100_H
#define PFIFO_SRC_ENGINE_DRAW_DECODE_GF100_H

#include "engine/draw/clip.h"
#include "engine/draw/decode.h"
#include "methods/gf100_3d.h"

static inline uint32_t value(const struct draw_source *source, uint32_t method) {
    return source->value[method >> 2];
}

/* A field of a method; GF100_3D_ is left out of both names. */
#define FIELD(source, method, field) METHOD_FIELD(value(source, GF100_3D_##method), GF100_3D_##method##_##field)

/* The same of an array of methods. */
#define FIELD_OF(source, method, number, field)                                                                        \
    METHOD_FIELD(value(source, GF100_3D_##method(number)), GF100_3D_##method##_##field)

/* Of 40 bits, in two methods: the upper one first. */
static inline uint64_t address(const struct draw_source *source, uint32_t method) {
    return (uint64_t)(value(source, method) & 0xff) << 32 | value(source, method + 4);
}

static inline bool flag(const struct draw_source *source, uint32_t method) {
    return value(source, method) & 1;
}

static inline float real(const struct draw_source *source, uint32_t method) {
    union {
        uint32_t u;
        float f;
    } bits = {value(source, method)};
    return bits.f;
}

/* decode_gf100_raster.c */
void decode_gf100_view(struct draw_state *state, const struct draw_source *source);
/* Does the raster have samples of its own, more than colour targets have? */
bool draw_gf100_independent(const struct draw_source *source);
void decode_gf100_raster(struct draw_state *state, const struct draw_source *source);

/* decode_gf100_feedback.c */
void decode_gf100_patches(struct draw_state *state, const struct draw_source *source);
void decode_gf100_feedback(struct draw_state *state, const struct draw_source *source);
uint64_t decode_gf100_counters(const struct draw_source *source);

/* decode_gf100_pixels.c */
void decode_gf100_zeta(struct draw_state *state, const struct draw_source *source);
void decode_gf100_blend(struct draw_state *state, const struct draw_source *source);
void decode_gf100_targets(struct draw_state *state, const struct draw_source *source);
void decode_gf100_images(struct draw_state *state, const struct draw_source *source);

#endif
