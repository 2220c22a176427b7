/* SPDX-License-Identifier: MIT */
/*
 * PATTERN (18, 44) and CHROMA (17, 57).
 *
 * PGRAPH keeps bits in one order, colour patterns of whatever format as R8G8B8, and the colours of 17 and 18 as
 * A8R8G8B8: with the format that was set when they came, components of 5 bits with zeros after them. The colours of 57
 * and 44 are kept as they came; the format that was set last is that of both.
 *
 * UNKNOWN: what 18 is with a colour pattern that 44 has selected; chosen: that. How a drawing knows whether a colour is
 *          A8R8G8B8 where both classes were used; chosen: it is what the class made of it that set it last.
 * Sources: envytools docs/hw/graph/2d/pattern.rst, hwtest/pgraph_class_ctx.cc (which has bitmap format 1 as CGA6),
 *          nvhw/pgraph_xy4.c.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_PATTERN_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_PATTERN_H

#include "engine/twod/nv4_draw.h"

/* Eight pixels per byte: the bits of each byte the other way round. */
uint32_t nv4_reverse_bytes_bits(uint32_t word);

/*
 * The pattern as pixels of the drawing's destination. `needs_select`: 44 is bound, which must have said which of its
 * two patterns it is. False: something was never set.
 */
bool nv4_pattern_open(const uint32_t *state, bool needs_select, struct nv4_draw *draw);

/* The key, if it is on: a colour whose alpha is 0 is none. */
void nv4_chroma_open(const uint32_t *state, struct nv4_draw *draw);

#endif
