/* SPDX-License-Identifier: MIT */
/* The constant buffers that programs of a draw read. */
#ifndef PFIFO_SRC_ENGINE_DRAW_CONSTANTS_H
#define PFIFO_SRC_ENGINE_DRAW_CONSTANTS_H

#include <stdint.h>

#define DRAW_BANKS       18u
#define CONSTANTS_STAGES 6u

struct draw_pipeline;

struct draw_constants {
    uint8_t *copy[CONSTANTS_STAGES][DRAW_BANKS]; /* of buffers that are not contiguous in the host; NULL: not needed */
    uint64_t at[CONSTANTS_STAGES][DRAW_BANKS];   /* addresses */
};

/* What is bound to a stage now is lent to its program. */
void constants_bind(struct draw_pipeline *pipeline, unsigned stage);
void constants_free(struct draw_constants *constants);

#endif
