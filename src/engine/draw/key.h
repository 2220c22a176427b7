/* SPDX-License-Identifier: MIT */
/*
 * What a part of a draw is done by: the state that a function may depend on, or tables that are made of it. A key is a
 * plain struct, in which bytes that are not used and what makes no difference are 0. Keys that are equal as memory mean
 * the same functions and tables; values that are no part of it (addresses, references, bounds, constants) may differ.
 *
 *   positions   where the samples of pixels are
 *   inputs      of the fragment program
 *   zeta        what becomes of depth and stencil of a sample
 *   color       what becomes of an output of the fragment program
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_KEY_H
#define PFIFO_SRC_ENGINE_DRAW_KEY_H

#include <string.h>

#include "engine/draw/state.h"

struct draw_positions_key {
    struct draw_samples samples;
    bool multisample, depth_at_samples, integer_centers; /* as draw_raster_state has them */
};

struct draw_inputs_key {
    uint16_t count;
    struct draw_input input[DRAW_ATTRIBUTES];
};

struct draw_zeta_key {
    uint8_t format;  /* the code of a depth format; 0: there is no target, and all is 0 */
    uint8_t samples; /* of a pixel */
    bool same_place; /* its samples are in the same places of all pixels */
    bool test, write, bounds, stencil;
    uint8_t compare; /* enum draw_compare, if there is a test */
};

struct draw_color_key {
    uint8_t format; /* the code of a colour format */
    uint8_t samples;
    uint8_t mask;  /* components that are written: bit 0 R .. bit 3 A */
    bool whole;    /* they are all that the format has: then bits of no component are written, too */
    bool coverage; /* what is written is the coverage */
    bool logic;
    uint8_t logic_op;
    bool zero_times_any;
    struct draw_blend blend; /* if it is enabled, and does anything */
};

void draw_positions_key(struct draw_positions_key *key, const struct draw_state *state);
void draw_inputs_key(struct draw_inputs_key *key, const struct draw_state *state);
void draw_zeta_key(struct draw_zeta_key *key, const struct draw_state *state);
/* `source`: the output of the program that is taken for output `output`. False: nothing of it is written. */
bool draw_color_key(struct draw_color_key *key, const struct draw_state *state, unsigned output, unsigned source);

/* Become the other key. False: it was the same. */
static inline bool draw_key_becomes(void *key, const void *other, size_t bytes) {
    if (memcmp(key, other, bytes) == 0)
        return false;
    memcpy(key, other, bytes);
    return true;
}

#endif
