/* SPDX-License-Identifier: MIT */
/* A plain executor of GK110's instructions, straight from their bits: as gf100.h is of GF100's. */
#ifndef PFIFO_TESTS_REFERENCE_GK110_H
#define PFIFO_TESTS_REFERENCE_GK110_H

#include "reference/gm107.h"

/* False: it is none of those that it has, and nothing happened. */
bool reference_gk110_step(struct gm107_thread *thread, uint64_t word);

#endif
