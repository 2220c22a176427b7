/* SPDX-License-Identifier: MIT */
/*
 * The topology table at 0x22700: a TYPE, an ENUM and a DATA word per device, chained by bit 31. Drivers of GK104 and
 * later read engines, runlists, fault units and lines from it. Its data per unit is in chip/units.h.
 *
 * Runlist r belongs to the r-th engine of the chip, except that the copy engine that shares PGRAPH's runlist (PCOPY2)
 * has none of its own.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_top.ref.txt; nouveau nvkm/subdev/top/gk104.c.
 */
#ifndef PFIFO_SRC_UNIT_TOPOLOGY_H
#define PFIFO_SRC_UNIT_TOPOLOGY_H

#include "bus/bus.h"

#define TOPOLOGY_WORDS 64

/* All of it depends on the chip only. */
struct topology {
    uint32_t engine_list[CHIP_MAX_ENGINES]; /* runlist of each engine */
    uint32_t list_engine[CHIP_MAX_ENGINES]; /* and back */
    uint32_t shared_copy;                   /* engine behind subchannel 4 of the graphics runlist */
    uint32_t words[TOPOLOGY_WORDS];
};

/* Assign the engines of the chip to `lists` runlists, and attach the table. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status topology_attach(struct topology *topology, struct bus *bus, unsigned lists,
                                  struct pfifo_error *error);

#endif
