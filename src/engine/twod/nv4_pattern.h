/* SPDX-License-Identifier: MIT */
/*
 * PATTERN (18, 44) and CHROMA (17, 57).
 *
 * PGRAPH keeps a pattern as it is when its methods come: colours with the format that was set then, bits in one order,
 * colour patterns of whatever format as R8G8B8. So does this: in words of the kind.
 *
 * Sources: envytools docs/hw/graph/2d/pattern.rst, hwtest/pgraph_class_ctx.cc (which has bitmap format 1 as CGA6).
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_PATTERN_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_PATTERN_H

#include "engine/register_file.h"
#include "engine/twod/nv4_draw.h"

/* Eight pixels per byte: the bits of each byte the other way round. */
uint32_t nv4_reverse_bytes_bits(uint32_t word);

/* The pattern as pixels of the drawing's destination. False: formats were never set. */
bool nv4_pattern_open(const struct engine *engine, struct object *state, struct nv4_draw *draw);

/* The key, if it is on: a colour whose alpha is 0 is none. */
void nv4_chroma_open(const struct object *state, struct nv4_draw *draw);

#endif
