/* SPDX-License-Identifier: MIT */
/*
 * A grid: blocks of threads that run a program, as a launch describes it. It follows from the methods of the object, on
 * GK104 and later from a QMD, too.
 */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_GRID_H
#define PFIFO_SRC_ENGINE_COMPUTE_GRID_H

#include "engine/compute/qmd.h"
#include "engine/core/action.h"
#include "engine/lend/sampling.h"
#include "unit/error.h"

#define GRID_MOST_THREADS 1024u                /* of a block */
#define GRID_MOST_SHARED  (48u << 10)          /* bytes of a block */
#define GRID_MOST_LOCAL   (512u << 10)         /* bytes of a thread */
#define GRID_LOCAL_ALL    (UINT64_C(64) << 20) /* ... of all threads of a block together */

/* What differs between classes. */
struct grid_class {
    uint16_t first, last; /* object classes */
    const struct isa *isa;
    bool handles;         /* textures by handles, not slots */
    bool cube_faces;      /* a method says what is beyond the edges of cubes, not samplers */
    bool maxwell_headers; /* of textures, always */
    bool maxwell_choice;  /* ... by method */
    bool wide_windows;    /* windows have addresses of 64 bits, too */
    bool gk110_shaders;   /* of a chip that has other instructions than its class says */
    bool sizes;           /* special registers have sizes of grids and blocks */
};

struct grid {
    const struct grid_class *of; /* NULL: its programs are not executed */
    const char *form;            /* of the launch, for observers */
    uint64_t qmd;                /* its address; 0: none */
    uint64_t code;               /* the program region */
    uint32_t entry;              /* in it */
    uint32_t blocks[3], threads[3];
    uint32_t shared;                /* bytes of a block */
    uint32_t local_low, local_high; /* of a thread: from the beginning of its window, and up to its end */
    uint32_t registers;
    uint32_t number, parameter; /* which a program may read */
    uint64_t local_window, shared_window;
    struct qmd_constants constants[SHADE_BANKS];
    struct sampling_pools pools;
    uint8_t texture_bank;
};

/* From registers (Fermi), and from a QMD at an address. */
void grid_from_registers(const struct call *call, struct grid *grid);
void grid_from_qmd(const struct call *call, const struct qmd *qmd, uint64_t address, struct grid *grid);

/* Does the scheduler refuse a grid of a QMD? `*error` says why. */
bool grid_is_refused(const struct grid *grid, enum engine_error *error);

/* Blocks in all, and threads and warps of one. */
static inline uint64_t grid_blocks(const struct grid *grid) {
    return (uint64_t)grid->blocks[0] * grid->blocks[1] * grid->blocks[2];
}
static inline uint64_t grid_threads(const struct grid *grid) {
    return (uint64_t)grid->threads[0] * grid->threads[1] * grid->threads[2];
}
static inline uint32_t grid_local(const struct grid *grid) {
    return grid->local_low + grid->local_high;
}
static inline uint32_t grid_warps(const struct grid *grid) {
    return ((uint32_t)grid_threads(grid) + SHADE_LANES - 1) / SHADE_LANES;
}

#endif
