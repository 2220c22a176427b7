/* SPDX-License-Identifier: MIT */
/*
 * Blending, row by row: each step is a loop over the lanes of a batch, which the compiler turns into vector code.
 *
 * Equations and factors: OpenGL 4.6 section 17.3.6; which values are bounded: Direct3D 11.3 functional specification
 * 17.6; 0 times anything: NVIDIA open-gpu-doc cl9097.h (SET_BLEND_FLOAT_OPTION).
 */
#include "engine/draw/pixels_blend.h"

void blend_clamp(float *row, float low) {
    for (unsigned i = 0; i < DRAW_LANES; i++) /* three loops without ways, which become vector code */
        row[i] = row[i] == row[i] ? row[i] : 0;
    for (unsigned i = 0; i < DRAW_LANES; i++)
        row[i] = row[i] > low ? row[i] : low;
    for (unsigned i = 0; i < DRAW_LANES; i++)
        row[i] = row[i] < 1 ? row[i] : 1;
}

void blend_component(const struct blend_rows *rows, const struct draw_blend *blend, unsigned c, bool zero_rule,
                     float *row) {
    blend_component_row(rows, blend, c, zero_rule, row);
}

/* OpenGL's operations: bit 0 where both are set, 1 source alone, 2 target alone, 3 neither. */
uint64_t blend_logic(unsigned operation, uint64_t source, uint64_t target) {
    uint64_t result = 0;
    result |= operation & 1 ? source & target : 0;
    result |= operation & 2 ? source & ~target : 0;
    result |= operation & 4 ? ~source & target : 0;
    result |= operation & 8 ? ~source & ~target : 0;
    return result;
}
