/* SPDX-License-Identifier: MIT */
#include "engine/draw/key.h"

#include <assert.h>
#include <string.h>

void draw_positions_key(struct draw_positions_key *key, const struct draw_state *state) {
    memset(key, 0, sizeof *key);
    key->samples = state->raster.samples;
    key->multisample = state->raster.multisample;
    key->depth_at_samples = state->raster.depth_at_samples;
    key->integer_centers = state->raster.integer_centers;
}

void draw_inputs_key(struct draw_inputs_key *key, const struct draw_state *state) {
    const struct draw_program *program = &state->stages.program;
    assert(program->input_count <= DRAW_ATTRIBUTES);
    memset(key, 0, sizeof *key);
    key->count = program->input_count;
    memcpy(key->input, program->inputs, program->input_count * sizeof key->input[0]);
}

void draw_zeta_key(struct draw_zeta_key *key, const struct draw_state *state) {
    const struct draw_samples *samples = &state->raster.samples;
    const struct format *format = state->targets.zeta.format;
    memset(key, 0, sizeof *key);
    if (!format || format->bytes > 8)
        return;
    key->format = format->code;
    key->samples = samples->count;
    key->same_place = !samples->block_x && !samples->block_y;
    key->test = state->zeta.test;
    key->write = state->zeta.test && state->zeta.write;
    key->bounds = state->zeta.bounds;
    key->stencil = state->zeta.stencil && format->component[1].bits;
    key->compare = state->zeta.test ? state->zeta.compare : 0;
}

static unsigned components_of(const struct format *format) {
    unsigned all = 0;
    for (unsigned i = 0; i < 4; i++)
        all |= (format->component[i].bits ? 1u : 0u) << i;
    return all;
}

static bool takes_logic(const struct format *format) {
    return format_is_integer(format) || format->type == FORMAT_UNORM || format->type == FORMAT_SNORM;
}

/*
 * UNKNOWN: what an output that a program lacks writes; chosen: nothing. UNKNOWN: coverage to a target of floats; chosen:
 * it has what the program gives.
 */
bool draw_color_key(struct draw_color_key *key, const struct draw_state *state, unsigned output, unsigned source) {
    const struct draw_program *program = &state->stages.program;
    const struct draw_blend_state *blend = &state->blend;
    unsigned number = state->targets.of[output] % DRAW_TARGETS;
    const struct format *format = state->targets.color[number].format;
    memset(key, 0, sizeof *key);
    if (!format || !program->present)
        return false;
    unsigned all = components_of(format);
    key->coverage = blend->coverage_to_color && blend->coverage_target == number && format_is_integer(format);
    key->mask = (uint8_t)(blend->mask[number] & all & (key->coverage ? 15 : program->outputs >> 4 * source));
    key->whole = key->mask == all;
    if (!key->mask)
        return false;
    key->format = format->code;
    key->samples = draw_color_samples(&state->raster)->count;
    key->logic = blend->logic && takes_logic(format);
    key->logic_op = key->logic ? blend->logic_op : 0;
    if (blend->target[number].enabled && !blend->logic && !format_is_integer(format)) {
        key->blend = blend->target[number];
        key->zero_times_any = blend->zero_times_any;
    }
    return true;
}
