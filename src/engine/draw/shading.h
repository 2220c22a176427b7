/* SPDX-License-Identifier: MIT */
/* Programs of a draw at work: what a stage lends to the shader core, and warps that run to their end. */
#ifndef PFIFO_SRC_ENGINE_DRAW_SHADING_H
#define PFIFO_SRC_ENGINE_DRAW_SHADING_H

#include <stdbool.h>

#include "engine/shade/shade.h"

#define HEADER_BYTES (HEADER_WORDS * 4u)

struct draw_worker;

/* The header and program of a stage. False: it cannot be read, which has been reported. */
bool shading_load(struct draw_worker *work, unsigned number);
/* Local memory for all stages. False: no memory of the host. */
bool shading_local(struct draw_worker *work);
/* The pools of textures, before a draw or a slice of one. */
void shading_textures(struct draw_worker *work);
/* Run the warp to its end. False: it has failed, which has been raised. */
bool shading_run(struct draw_worker *work);

#endif
