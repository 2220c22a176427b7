/* SPDX-License-Identifier: MIT */
/*
 * QMDs: what GK104 and later launch, in memory. The position of a field depends on the version, which is in the
 * QMD itself.
 *
 *   0.6, 1.6, 1.7   GK104 .. GP10B     2.0, 2.1  GP100 .. GP10B     2.2  GV100     2.3, 2.4  TU10x .. AD10x
 *   3.0             GA100 .. GH100     4.0       GH100
 *
 * What only programs use is decoded of the versions up to 2.1, whose instruction sets are modelled.
 * Not decoded: queues; which block a grid goes on from; hints and checks of caches; Blackwell's versions.
 * Source: NVIDIA open-gpu-doc classes/compute/cl*qmd.h.
 */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_QMD_H
#define PFIFO_SRC_ENGINE_COMPUTE_QMD_H

#include <stdbool.h>
#include <stdint.h>

#define QMD_MIN_WORDS    64u
#define QMD_MAX_WORDS    96u
#define QMD_MAX_RELEASES 3u
#define QMD_CONSTANTS    8u

/* A semaphore that is written when the grid is done. */
struct qmd_release {
    bool enabled, reduces, is_64;
    uint8_t operation, format, size, trap; /* as the hardware numbers them */
    uint64_t address, payload;
};

/* A buffer of constants; without bytes: none is bound. */
struct qmd_constants {
    uint64_t address;
    uint32_t bytes;
};

struct qmd {
    const char *form; /* "QMD 1.7" */
    bool is_queue, is_null;
    bool is_offset; /* the program is an offset in the program region */
    bool has_dependents;
    bool dependent_is_grid; /* one grid, at: */
    uint64_t dependent, program;
    uint32_t grid[3], threads[3];
    struct qmd_release release[QMD_MAX_RELEASES];

    bool has_program; /* what follows is known */
    bool linked_samplers;
    uint32_t shared, local_low, local_high; /* bytes; of local memory for each thread */
    uint32_t registers;                     /* of a thread */
    struct qmd_constants constants[QMD_CONSTANTS];
};

/* How long the QMD is that begins with these QMD_MIN_WORDS. */
uint32_t qmd_words(const uint32_t *words, uint32_t object_class);

/* False: a version that the class does not know. */
bool qmd_decode(const uint32_t words[QMD_MAX_WORDS], uint32_t object_class, struct qmd *qmd);

#endif
