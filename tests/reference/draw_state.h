/* SPDX-License-Identifier: MIT */
/*
 * What the methods of a 3D object of Fermi to Pascal say of a draw, written down once more from the documents: offsets
 * and bits as they have them, one after the other, without tables, names or groups that follow from each other.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h .. clc197.h, Shader-Program-Header; envytools
 * rnndb/graph/gf100_3d.xml.
 */
#ifndef PFIFO_TESTS_REFERENCE_DRAW_STATE_H
#define PFIFO_TESTS_REFERENCE_DRAW_STATE_H

#include <stdio.h>

#include "engine/draw/state.h"

struct draw_state_methods {
    uint32_t object_class;
    const uint32_t *value;    /* by method / 4 */
    const uint32_t *fragment; /* the header of the fragment program, 20 words */
    enum gob_order order;
};

/* Is the state what they say? What is not is said in `report`. */
bool draw_state_reference(const struct draw_state_methods *methods, const struct draw_state *state, FILE *report);

#endif
