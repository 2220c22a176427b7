/* SPDX-License-Identifier: MIT */
/* What state a draw of Rankine and Curie cannot have: see begin.h for how much of it is known. */
#include "engine/graph/begin_rules.h"

#include "methods/nv30_3d.h"
#include "methods/nv40_3d.h"

#define UNITS 16 /* textures of Curie; half of it on Rankine */

static const struct begin_rule rankine_rules[] = {FORMAT_RULES(NV30_3D),
                                                  RULE(NV30_3D_COLOR0_PITCH, NEVER_SET, NOT_SET(NV30_3D_COLOR0_PITCH)),
                                                  RULE(NV30_3D_DMA_COLOR0, NO_TARGET, NO_DMA(NV30_3D_DMA_COLOR0),
                                                       NO_DMA(NV30_3D_DMA_COLOR1), NO_DMA(NV30_3D_DMA_ZETA)),
                                                  TEXTURE_RULE(NV30_3D, 0, UNITS / 2, DMA1, 0),
                                                  TEXTURE_RULE(NV30_3D, 1, UNITS / 2, DMA1, 1),
                                                  {0}};

static const struct begin_rule curie_rules[] = {
    FORMAT_RULES(NV40_3D),
    RULE(NV40_3D_COLOR0_PITCH, NEVER_SET, NOT_SET(NV40_3D_COLOR0_PITCH), NOT_SET(NV40_3D_COLOR1_PITCH),
         NOT_SET(NV40_3D_COLOR2_PITCH), NOT_SET(NV40_3D_COLOR3_PITCH), NOT_SET(NV40_3D_ZETA_PITCH)),
    RULE(NV40_3D_DMA_COLOR0, NO_TARGET, NO_DMA(NV40_3D_DMA_COLOR0), NO_DMA(NV40_3D_DMA_COLOR1),
         NO_DMA(NV40_3D_DMA_COLOR2), NO_DMA(NV40_3D_DMA_COLOR3), NO_DMA(NV40_3D_DMA_ZETA)),
    TEXTURE_RULE(NV40_3D, 0, UNITS, DMA0, 1),
    TEXTURE_RULE(NV40_3D, 1, UNITS, DMA0, 0),
    {0}};

#define ARRAYS                                                                                                         \
    .arrays = {.format = NV40_3D_VTXFMT(0),                                                                            \
               .offset = NV40_3D_VTXBUF(0),                                                                            \
               .size = NV40_3D_VTXFMT_SIZE__MASK,                                                                      \
               .object = {NV40_3D_DMA_VTXBUF0, NV40_3D_DMA_VTXBUF1}},                                                  \
    .index_format = NV40_3D_IDXBUF_FORMAT, .has_condition = true

const struct begin_traits begin_rankine = {.rules = rankine_rules, ARRAYS};
const struct begin_traits begin_curie = {.rules = curie_rules, ARRAYS};
