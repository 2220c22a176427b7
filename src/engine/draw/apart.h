/* SPDX-License-Identifier: MIT */
/* May regions of a target be drawn at the same time? */
#ifndef PFIFO_SRC_ENGINE_DRAW_APART_H
#define PFIFO_SRC_ENGINE_DRAW_APART_H

#include <stdbool.h>

/* `opaque`: the pipeline. */
bool draw_apart(void *opaque);

#endif
