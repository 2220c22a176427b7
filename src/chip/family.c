/* SPDX-License-Identifier: MIT */
/*
 * The wiring. Grammars and operations belong to grammar/, fifo/ and driver/, which are above chip/. Only their
 * addresses are needed here, so they are declared without their types.
 */
#include "chip/family.h"

#include <stddef.h>

extern const struct grammar grammar_nv4, grammar_nv10, grammar_nv1a, grammar_nv40, grammar_g80, grammar_gf100,
    grammar_gv100;
extern const struct fifo_ops fifo_nv1, fifo_nv3, fifo_nv4, fifo_g80, fifo_g84, fifo_gf100, fifo_gk104;
extern const struct driver_ops driver_nv1, driver_nv4, driver_nv40, driver_g80, driver_g84, driver_gf100, driver_gk104;

#define FAMILY(id, grammar_table, fifo_table, driver_table, executes_draws)                                            \
    const struct chip_family chip_family_##id = {.name = #id,                                                          \
                                                 .grammar = (grammar_table),                                           \
                                                 .fifo = (fifo_table),                                                 \
                                                 .driver = (driver_table),                                             \
                                                 .draws = (executes_draws)}

FAMILY(nv1, NULL, &fifo_nv1, &driver_nv1, false);
FAMILY(nv3, NULL, &fifo_nv3, &driver_nv1, false);
FAMILY(nv4, &grammar_nv4, &fifo_nv4, &driver_nv4, false);
FAMILY(nv10, &grammar_nv10, &fifo_nv4, &driver_nv4, false);
FAMILY(nv1a, &grammar_nv1a, &fifo_nv4, &driver_nv4, false);
FAMILY(nv40, &grammar_nv40, &fifo_nv4, &driver_nv40, false);
FAMILY(g80, &grammar_g80, &fifo_g80, &driver_g80, false);
FAMILY(g84, &grammar_g80, &fifo_g84, &driver_g84, false);
FAMILY(gf100, &grammar_gf100, &fifo_gf100, &driver_gf100, true);
FAMILY(gk104, &grammar_gf100, &fifo_gk104, &driver_gk104, true);
FAMILY(gv100, &grammar_gv100, NULL, NULL, false);
FAMILY(ga100, &grammar_gv100, NULL, NULL, false);
FAMILY(gh100, &grammar_gv100, NULL, NULL, false);
