/* SPDX-License-Identifier: MIT */
/*
 * What methods of NV1 and NV3 leave in PGRAPH's registers: a row for each register that follows a method.
 *
 *   row {"NV1:NV4", 0x02, 0x300, .offset = 0x400624, .keeps = 0xff}: ROP of type 02 is in register 0x400624
 *
 * A value that is refused is there nevertheless, as far as there are bits for it.
 *
 * Modelled:     colours, patterns, operations, surfaces; what M2MF, 3D, textured quads and images with memory set;
 *               which of that VALID says has been set.
 * Not modelled: vertices, sizes and clip rectangles of objects, and data of images and of 3D's vertices; what drawing
 *               takes out of VALID.
 * Sources:      envytools hwtest/pgraph_class_{ctx,solid,ifc,ifm,sifm,tex,m2mf,d3d0,surf}.cc, nvhw/pgraph.c.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_FOLLOW_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_FOLLOW_H

#include "unit/graph/graph.h"

/* The options of the current object, as CTX_SWITCH shows them. */
uint32_t graph_options(const struct pgraph *graph);

/*
 * A method of a type comes. `before`: the options before this method selected another object, by which NV3 still turns
 * the bits of patterns.
 */
void graph_follow(struct pgraph *graph, uint32_t type, uint32_t method, uint32_t data, uint32_t before);

#endif
