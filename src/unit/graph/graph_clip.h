/* SPDX-License-Identifier: MIT */
/*
 * Vertices and clip limits of NV1 and NV3: a coordinate that is written is compared with the limits at once.
 *
 *   VTX    a coordinate          --> itself; in XY_D (NV3: CLIP_STATUS) how it compares, and whether it is out of range
 *   ICLIP  the image's limit     --> itself; in XY_B how it compares
 *   UCLIP  a user's rectangle    --> the maximum, which becomes the minimum before; VTX 15 (NV3: 13); XY_B
 *   a register named _REL (NV1)  --> the same, from the canvas's corner on
 *
 *   compares: bit 0 below the minimum, 1 on it, 2 above the maximum, 3 on it
 *   limits:   the canvas, or, where XY_B says that they are tighter and the object clips, the user's and the image's
 *
 * Coordinates of NV1's textured quads have 15 bits of fraction, and 4 more bits if XY_B has bit 25; those of NV3's 3D
 * have 4.
 *
 * Not modelled: what methods do to these registers.
 * UNKNOWN: what registers named _REL return; chosen: 0.
 * Sources: envytools hwtest/pgraph_state_tests.cc, nvhw/pgraph_xy.c, pgraph_xy3.c, docs/hw/graph/nv1/pgraph.rst.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_CLIP_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_CLIP_H

#include "unit/graph/graph.h"

void graph_write_vtx_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_iclip_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_uclip_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t graph_read_uclip_nv1(void *unit, const struct reg *reg, uint32_t index);

void graph_write_vtx_nv3(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_iclip_nv3(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_uclip_nv3(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* ---- shared ---- */

static inline uint32_t *clip_word_at(struct pgraph *graph, uint32_t offset) {
    return &graph->r.stored[GRAPH_WORD(offset)];
}

static inline uint32_t clip_word_of(const struct pgraph *graph, uint32_t offset) {
    return graph->r.stored[GRAPH_WORD(offset)];
}

static inline void clip_put(uint32_t *word, unsigned shift, uint32_t bits, uint32_t value) {
    *word = (*word & ~(bits << shift)) | (value & bits) << shift;
}

static inline int32_t clip_signed(uint32_t value, unsigned bits) {
    uint32_t sign = 1u << (bits - 1);
    return (int32_t)(((value & (2 * sign - 1)) ^ sign) - sign);
}

static inline uint32_t clip_compare(int32_t at, int32_t low, int32_t high) {
    return (uint32_t)(at < low) | (uint32_t)(at == low) << 1 | (uint32_t)(at > high) << 2 | (uint32_t)(at == high) << 3;
}

#endif
