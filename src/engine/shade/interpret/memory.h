/* SPDX-License-Identifier: MIT */
/* What loads, stores and atomics share. */
#ifndef PFIFO_SRC_ENGINE_SHADE_MEMORY_H
#define PFIFO_SRC_ENGINE_SHADE_MEMORY_H

#include "engine/shade/interpret/core.h"

/* The addresses of an instruction, of all lanes. */
void shade_addresses(const struct shade_warp *warp, const struct ir *ir, uint64_t *out);

/*
 * The lanes of an access, of `bytes` each: addresses that are no multiple of them are an error. (UNKNOWN: of 12 bytes;
 * chosen: 4.) Lanes without effect make none. False: there is one.
 */
bool shade_aligned(struct shade_warp *warp, uint32_t lanes, const uint64_t *addresses, unsigned bytes);

/*
 * Where the bytes of a lane lie in local or shared memory. NULL: outside, which is an error of a lane that has an
 * effect. Addresses are aligned down.
 */
uint8_t *shade_near(struct shade_warp *warp, bool shared, unsigned lane, uint64_t address, unsigned bytes);

/*
 * Global memory, as io.h's load() and store(): in spans without a call. Both calls are there. Lanes outside of the spans
 * come first: if one of them fails, nothing is done in spans.
 */
bool shade_global_load(struct shade_warp *warp, uint32_t lanes, const uint64_t *addresses, unsigned bytes, void *to,
                       unsigned stride);
bool shade_global_store(struct shade_warp *warp, uint32_t lanes, const uint64_t *addresses, unsigned bytes,
                        const void *from, unsigned stride);

#endif
