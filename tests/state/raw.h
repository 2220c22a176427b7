/* SPDX-License-Identifier: MIT */
/* Random work for a GPU without a driver: registers, USER areas, instance memory. */
#ifndef PFIFO_TESTS_STATE_RAW_H
#define PFIFO_TESTS_STATE_RAW_H

#include <pfifo/gpu.h>

#include "differential/choice.h"

void raw_start(struct pfifo_gpu *gpu, struct choice *choice);
void raw_step(struct pfifo_gpu *gpu, struct choice *choice);

#endif
