/* SPDX-License-Identifier: MIT */
/*
 * PMC: identity, byte order, the switches of the units, and the interrupt line.
 *
 *   unit lines --> INTR & what is enabled --> INTA
 *
 * What enables differs: two bits for hardware and software before GP100 (and a mask register from GF100 on), a
 * bit per line with set and clear registers from GP100 on (nvgpu hw_mc_gp10b.h, nouveau nvkm/subdev/mc/gp100.c).
 * There is one destination before GT215. GT215 .. MCP89 have three with masks: HOST and NRHOST, which both are INTA,
 * and PDAEMON. GF100 and later have two, the second for what nobody waits for; on a card both are INTA.
 *
 * Modelled:     BOOT_0, ENDIAN, BOOT_1, INTR, INTR_EN, the masks, ENABLE (from NV4 on a PFIFO or PGRAPH that is off is
 *               gone from BAR0), the switches of PBDMAs.
 * Not modelled: PDAEMON as a destination, but for its registers; on a card with MSI two lines of GF100 and later.
 * Sources:      envytools docs/hw/bus/pmc.rst, rnndb/bus; nouveau nvkm/subdev/mc; nvgpu hw_mc_gp10b.h.
 */
#ifndef PFIFO_SRC_BUS_PMC_H
#define PFIFO_SRC_BUS_PMC_H

#include "bus/reg.h"
#include "hw/pmc.h"

struct bus;

/* Where interrupts go. From GF100 on the second is called nonstall. */
enum pmc_destination { PMC_HOST, PMC_NRHOST, PMC_DAEMON, PMC_DESTINATIONS };

/* The registers. Those that a chip does not have stay 0. */
struct pmc {
    uint32_t boot0;                       /* 0x000: of the chip's row, not saved */
    uint32_t intr[2];                     /* 0x100, 0x104: lines that are up; the DAEMON sees those of HOST */
    uint32_t intr_en[PMC_DESTINATIONS];   /* 0x140 .. 0x148 */
    uint32_t intr_mask[PMC_DESTINATIONS]; /* 0x640 .. 0x648 */
    uint32_t enable;                      /* 0x200: a bit per unit that is on */
    uint32_t enable_told;                 /* as PFIFO was told last; not saved */
    uint32_t enable_pbdmas;               /* 0x204: a bit per PBDMA, or PSUBFIFO, that is on; GF100- */
    uint32_t enable_unknown[2];           /* 0x208, 0x20c: stored; GF100- */
};

/* An area of BAR0, end exclusive, that is gone while its bit of ENABLE is 0. */
struct pmc_gate {
    uint32_t begin, end, enable;
};

struct pmc_variant {
    struct reg_tables tables;
    uint32_t software;                   /* bit of INTR that programs raise */
    bool (*line)(const struct bus *bus); /* is INTA up? */
    const struct pmc_gate *gates;        /* ends with end == 0; NULL: registers stay */
};

/* True if BAR0 `offset` belongs to a unit that ENABLE, or a PBDMA that SUBFIFO_ENABLE, has switched off. */
bool pmc_disabled(const struct bus *bus, uint32_t offset);

/* Power-on values that depend on the chip. */
void pmc_init(struct bus *bus);

extern const struct pmc_variant pmc_nv1, pmc_nv3, pmc_nv4, pmc_nv1a, pmc_nv17, pmc_g80, pmc_gt215, pmc_gf100, pmc_gf104,
    pmc_gp100, pmc_tu102, pmc_gh100;

#endif
