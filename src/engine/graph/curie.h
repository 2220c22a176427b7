/* SPDX-License-Identifier: MIT */
/* What differs between the 3D objects of Kelvin, Rankine and Curie: struct action.argument of their clears. */
#ifndef PFIFO_SRC_ENGINE_GRAPH_CURIE_H
#define PFIFO_SRC_ENGINE_GRAPH_CURIE_H

#include "engine/core/action.h"
#include "unit/graph/graph.h"

struct curie_clear {
    bool has_enable;       /* RT_ENABLE; else there is one target, and it is on */
    bool has_scissor;      /* 0x8c0 */
    bool has_condition;    /* 0x1e98; of Kelvin it is TRANSFORM_PROGRAM_CXT_WRITE_EN */
    bool clears_to_last;   /* the clear rectangle says first and last, not first and size */
    uint8_t samples[16];   /* by RT_FORMAT [15:12]: log2 of them across, [1:0], and down, [5:4] */
    uint16_t stencil_mask; /* method of it */
    uint8_t color_mask;    /* of the format in RT_FORMAT */
    uint8_t zeta_shift;    /* of the format in RT_FORMAT */
    uint16_t zeta_pitch;   /* method of it; 0: the upper half of RT_PITCH */
    unsigned targets;
    struct {
        uint16_t object, offset, pitch; /* methods */
    } target[4];
};

extern const struct curie_clear kelvin_clear, rankine_clear, curie_clear;

/* CLEAR_BUFFERS, with one of these. */
enum action_result curie_clear_buffers(struct call *call);

#endif
