/* SPDX-License-Identifier: MIT */
/* The fragment program of a draw. */
#ifndef PFIFO_SRC_ENGINE_DRAW_STAGE_FRAGMENT_H
#define PFIFO_SRC_ENGINE_DRAW_STAGE_FRAGMENT_H

#include "engine/draw/draw.h"
#include "engine/shade/shade.h"

bool stage_fragment(void *opaque, struct draw_fragments *fragments); /* draw_shade */
void stage_fragment_set(struct shade_stage *stage);

#endif
