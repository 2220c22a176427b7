/* SPDX-License-Identifier: MIT */
/*
 * PMC: identity, byte order, the switches of the units, and the interrupt line.
 *
 *   unit lines --> INTR & enables --> INTA
 *
 * The enables differ: before GP100 two bits for hardware and software (and on GF100 and later a mask register); on
 * GP100 and later a bit per line, with set and clear registers (nvgpu hw_mc_gp10b.h, nouveau nvkm/subdev/mc/gp100.c).
 * There is one destination before GT215. GT215 .. MCP89 have three with masks: HOST and NRHOST, which both drive INTA,
 * and PDAEMON. GF100 and later have two, the second for non-stall interrupts; on a card both drive INTA.
 *
 * Modelled:     BOOT_0, ENDIAN, BOOT_1, INTR, INTR_EN, the masks, ENABLE (on NV4 and later a PFIFO or PGRAPH that is
 *               off disappears from BAR0), the switches of PBDMAs.
 * Not modelled: PDAEMON as a destination, except for its registers; the two lines of GF100 and later on a card with
 *               MSI.
 * Sources:      envytools docs/hw/bus/pmc.rst, rnndb/bus; nouveau nvkm/subdev/mc; nvgpu hw_mc_gp10b.h.
 */
#ifndef PFIFO_SRC_BUS_PMC_H
#define PFIFO_SRC_BUS_PMC_H

#include "bus/reg.h"
#include "hw/pmc.h"

struct bus;

/* Destinations of interrupts. On GF100 and later the second is called nonstall. */
enum pmc_destination { PMC_HOST, PMC_NRHOST, PMC_DAEMON, PMC_DESTINATIONS };

/* The registers. Registers that a chip does not have stay 0. */
struct pmc {
    struct bus *bus;
    uint32_t boot0;                       /* 0x000: of the chip's row, not saved */
    uint32_t intr[2];                     /* 0x100, 0x104: lines that are up; DAEMON shows those of HOST */
    uint32_t intr_en[PMC_DESTINATIONS];   /* 0x140 .. 0x148 */
    uint32_t intr_mask[PMC_DESTINATIONS]; /* 0x640 .. 0x648 */
    uint32_t enable;                      /* 0x200: a bit per unit that is on */
    uint32_t enable_told;                 /* as last passed to PFIFO; not saved */
    uint32_t enable_pbdmas;               /* 0x204: a bit per PBDMA, or PSUBFIFO, that is on; GF100- */
    uint32_t enable_unknown[2];           /* 0x208, 0x20c: stored; GF100- */
    uint32_t vram_hide[2];                /* 0x300, 0x304: first and last word of VRAM that reads as 0; aperture.c */
};

/* An area of BAR0, end exclusive, that disappears while its bit of ENABLE is 0. */
struct pmc_gate {
    uint32_t begin, end, enable;
};

struct pmc_variant {
    struct reg_tables tables;
    uint32_t software;                   /* bit of INTR that programs raise */
    bool (*line)(const struct bus *bus); /* is INTA up? */
    const struct pmc_gate *gates;        /* ends with end == 0; NULL: registers stay */
};

/* True if BAR0 `offset` belongs to a unit switched off by ENABLE, or to a PBDMA switched off by SUBFIFO_ENABLE. */
bool pmc_disabled(const struct bus *bus, uint32_t offset);

/* Power-on values that depend on the chip. */
void pmc_init(struct bus *bus);

extern const struct pmc_variant pmc_nv1, pmc_nv3, pmc_nv4, pmc_nv1a, pmc_nv17, pmc_g80, pmc_gt215, pmc_gf100, pmc_gf104,
    pmc_gp100, pmc_tu102, pmc_gh100;

#endif
