/* SPDX-License-Identifier: MIT */
/*
 * Colour targets with fewer samples than the raster: each of theirs has some of the raster's, one after the other. It
 * is written if one of these is left, once, with colours that may be multiplied by how many are.
 *
 * Sources: NVIDIA open-gpu-doc clb197.h (SET_TIR ...); the rules of VK_NV_framebuffer_mixed_samples.
 */
#include <assert.h>

#include "engine/draw/raster.h"

static unsigned group_of(const struct draw_raster_state *state) {
    assert(state->independent && state->color.count && state->samples.count >= state->color.count);
    return state->samples.count / state->color.count;
}

/* Samples of the raster in sample `s` of a target. */
static uint8_t part_of(const struct draw_raster_state *state, uint8_t samples, unsigned s) {
    unsigned group = group_of(state);
    return (uint8_t)(samples >> s * group & ((1u << group) - 1));
}

uint8_t pixels_reduce(const struct draw_raster_state *state, uint8_t samples) {
    unsigned reduced = 0;
    for (unsigned s = 0; s < state->color.count; s++)
        reduced |= (part_of(state, samples, s) ? 1u : 0u) << s;
    return (uint8_t)reduced;
}

static void multiply(draw_row row, const float by[DRAW_LANES]) {
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        float value;
        memcpy(&value, &row[lane], sizeof value);
        value *= by[lane];
        memcpy(&row[lane], &value, sizeof value);
    }
}

/* UNKNOWN: what modulation does to integers; chosen: nothing. */
static void modulate(struct draw_raster *raster, const float by[DRAW_LANES]) {
    const struct draw_state *state = raster->state;
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        const struct format *format = state->targets.color[state->targets.of[i] % DRAW_TARGETS].format;
        if (!(state->stages.program.outputs >> 4 * i & 15) || (format && format_is_integer(format)))
            continue;
        for (unsigned c = 0; c < 4; c++)
            if (state->raster.modulation >> (c == 3 ? 1 : 0) & 1)
                multiply(raster->batch->fragments.output[i][c], by);
    }
}

static void color_sample(struct draw_raster *raster, const uint8_t live[DRAW_LANES], unsigned s) {
    const struct draw_raster_state *state = &raster->state->raster;
    uint8_t part[DRAW_LANES];
    float by[DRAW_LANES];
    bool any = false;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        unsigned count = pixel_count(part_of(state, live[lane], s));
        part[lane] = (uint8_t)((count ? 1u : 0u) << s);
        by[lane] = count ? state->modulate[count - 1] : 0;
        any |= count != 0;
    }
    if (!any)
        return;
    modulate(raster, by);
    pixels_color(raster, part);
}

void pixels_color_reduced(struct draw_raster *raster, const uint8_t live[DRAW_LANES]) {
    struct draw_fragments *f = &raster->batch->fragments;
    const struct draw_raster_state *state = &raster->state->raster;
    if (!state->modulation) {
        uint8_t reduced[DRAW_LANES];
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            reduced[lane] = pixels_reduce(state, live[lane]);
        pixels_color(raster, reduced);
        return;
    }
    draw_row color[DRAW_TARGETS][4];
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        memcpy(color[i], f->output[i], sizeof color[i]);
        f->output[i] = f->color[i];
    }
    for (unsigned s = 0; s < state->color.count && !raster->result.faulted; s++) {
        memcpy(f->color, color, sizeof color);
        color_sample(raster, live, s);
    }
}
