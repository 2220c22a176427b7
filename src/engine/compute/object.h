/* SPDX-License-Identifier: MIT */
/*
 * What a compute object of Fermi to Pascal has besides the values of methods: bound textures, and the launch under way.
 */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_OBJECT_H
#define PFIFO_SRC_ENGINE_COMPUTE_OBJECT_H

#include "engine/compute/qmd.h"
#include "engine/core/action.h"
#include "engine/shade/io.h"

struct grid_run;

struct compute_object {
    struct shade_slots slots; /* Fermi */
    /* Of a launch under way: its QMD as it was when it began, and where that is. */
    uint64_t qmd_at;
    uint32_t qmd[QMD_MAX_WORDS];
    struct grid_run *run; /* what executes grids. NULL: not needed yet */
};

/* How far a launch is (core/work.h). */
struct grid_progress {
    uint64_t begun; /* not 0: the grid's program has begun; 0: its QMD is still to be read */
    uint64_t block; /* the one under way, or the next one */
    uint64_t steps; /* instructions of it so far, of all its warps */
    uint64_t total; /* of all blocks so far */
};

extern const struct private_state compute_object_part;
struct compute_object *compute_object_of(const struct call *call);

/* Fermi: BIND_TEXTURE_SAMPLER, BIND_TEXTURE_HEADER and those of other textures. */
extern const struct action compute_slots_actions[];

#endif
