/* SPDX-License-Identifier: MIT */
/* What loads, stores and atomics share. */
#ifndef PFIFO_SRC_ENGINE_SHADE_MEMORY_H
#define PFIFO_SRC_ENGINE_SHADE_MEMORY_H

#include "engine/shade/core.h"

#define SHADE_WINDOW 0x1000000u /* bytes that the generic space shows of local and of shared memory */

/* The addresses of an instruction, of all lanes. */
void shade_addresses(const struct shade_warp *warp, const struct ir *ir, uint64_t *out);

/* Where the bytes of a lane lie in local or shared memory. NULL: outside. Addresses are aligned down. */
uint8_t *shade_near(const struct shade_warp *warp, bool shared, unsigned lane, uint64_t address, unsigned bytes);

#endif
