/* SPDX-License-Identifier: MIT */
/*
 * Constant buffers: words that methods put into them go to memory, and what is bound to shaders is kept by value.
 *
 *   Tesla    CB_DEF      address and size of buffer n, of 128; CB_ADDR, CB_DATA write into one; SET_PROGRAM_CB binds
 *   Fermi-   SELECTOR    address and size of the buffer in hand; LOAD_CONSTANT_BUFFER writes into it, BIND binds it
 *
 * Modelled:     all of it, in the 3D and compute classes; loads that obey a condition (SET_RENDER_ENABLE_CONTROL).
 * Not modelled: caches of constants, which the hardware keeps right by itself. Programs of Tesla do not read what is bound;
 *               those of Fermi do, in draws and launches.
 * UNKNOWN: a word after the end of its buffer; chosen: it is written.
 * UNKNOWN: a word into a buffer of Tesla that was never defined; chosen: it is dropped.
 * UNKNOWN: whether 3D and compute share Tesla's table of buffers; chosen: each object has its own.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h, classes/compute/cl50c0.h, cl90c0.h; envytools
 * rnndb/graph/g80_3d.xml, g80_compute.xml, gf100_3d.xml.
 */
#ifndef PFIFO_SRC_ENGINE_GRAPH_CONSTANTS_H
#define PFIFO_SRC_ENGINE_GRAPH_CONSTANTS_H

#include "engine/core/action.h"
#include "unit/graph/graph.h"

/* Parts of the kinds (kind.parts): words. A buffer is {upper address word | CONSTANTS_VALID, lower word, size}. */
#define CONSTANTS_VALID        (1u << 31)
#define CONSTANTS_BUFFER_WORDS 3u

/* Tesla: 128 buffers; after them 16 slots of each of 16 stages: number of the buffer | CONSTANTS_VALID. */
#define CONSTANTS_G80_BUFFERS 128u
#define CONSTANTS_G80_SLOTS   (CONSTANTS_G80_BUFFERS * CONSTANTS_BUFFER_WORDS)
#define CONSTANTS_G80_WORDS   (CONSTANTS_G80_SLOTS + 16u * 16u)

/* Fermi and later: 5 groups of 32 slots with a buffer each; compute has one group. */
#define CONSTANTS_GF100_GROUPS 5u
#define CONSTANTS_GF100_SLOTS  32u
#define CONSTANTS_GF100_WORDS  (CONSTANTS_GF100_GROUPS * CONSTANTS_GF100_SLOTS * CONSTANTS_BUFFER_WORDS)

extern const struct private_state constants_g80_part, constants_gf100_part;

#endif
