/* SPDX-License-Identifier: MIT */
/*
 * GPCPLL of Tegra's GPUs, the clock of the GPCs: drivers divide by what its registers say, and wait for bits that say
 * that it has locked.
 *
 *   crystal * N / M --VCO--> / divider of PL, / 2 --> the GPCs
 *   CFG ENABLE ------------------> CFG LOCK, at once
 *   SLOWDOWN EN_DYNRAMP ---------> SLOWDOWN_DEBUG DYNRAMP_DONE, at once: N has slid to its new value
 *   DVFS1 EN_DFS_CAL (GM20B) ----> DVFS1 DFS_CAL_DONE, at once
 *
 * Modelled:     these bits; all others are storage.
 * Not modelled: the clock itself: nothing here runs faster. Other registers of PCLOCK (bus/blocks.h).
 * UNKNOWN: COEFF after reset; chosen: M 1, PL 1, and the lowest N that puts the VCO into its range. UNKNOWN: the other
 * registers after reset; chosen: 0.
 * Sources:      nouveau nvkm/subdev/clk/gk20a.c, gm20b.c. GP10B has other clocks, which no driver reads here.
 */
#ifndef PFIFO_SRC_BUS_GPCPLL_H
#define PFIFO_SRC_BUS_GPCPLL_H

#include "bus/reg.h"
#include "chip/chip.h"

struct bus;

struct gpcpll {
    struct bus *bus;
    uint32_t cfg, coeff, dvfs1, slowdown;
};

/* On chips that have it. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status gpcpll_attach(struct bus *bus, struct pfifo_error *error);

#endif
