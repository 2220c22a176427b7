/* SPDX-License-Identifier: MIT */
/* Geometry programs of Maxwell, from lists of steps. */
#ifndef TESTS_FRONT_GEOMETRY_PROGRAM_H
#define TESTS_FRONT_GEOMETRY_PROGRAM_H

#include "front/draw_rig.h"
#include "reference/emission.h"

enum { GEOMETRY = 0x430 };

/* It is in memory, and enabled. It has the vertices' position and generic 0 as inputs and outputs. */
void geometry_put(struct engine_rig *rig, unsigned id, const struct emission_program *program);

/* A word more that it writes, by its number: layers and so on. */
void geometry_writes(struct engine_rig *rig, unsigned id, unsigned word);

#endif
