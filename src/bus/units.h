/* SPDX-License-Identifier: MIT */
/*
 * How many of everything there is: registers that drivers size their tables by, and divide by.
 *
 *   chip row, size of VRAM --> struct unit_counts --> PBUS HWUNITS (NV40:GF100), PUNITS, PFUSE, PRING, PFFB, PMFB,
 * PBFB, PGRAPH's counts (GF100-), carve-out of an IGP
 *
 * All clusters of the die are there; of the memory partitions those that the size of VRAM asks for (shape.h), and the
 * registers of fuses say that the others are off. All of this is worked out once and cannot be written.
 *
 * Modelled:     what nouveau reads to set up memory, L2 caches and PGRAPH, and the counts of PUNITS beside it.
 * Not modelled: units that are switched off by writing to these registers; the hubs of PRING, of which it says one.
 * Sources:      envytools rnndb/bus/{pbus,punits,pibus}.xml, rnndb/memory/{g80_pfb,gf100_pbfb,gf100_pmfb}.xml,
 *               rnndb/graph/gf100_pgraph, docs/hw/gpu.rst; nouveau nvkm/engine/gr,
 *               nvkm/subdev/{fb,ltc,devinit,privring}; nvgpu hw_top_gm20b.h, hw_fb_gm20b.h.
 */
#ifndef PFIFO_SRC_BUS_UNITS_H
#define PFIFO_SRC_BUS_UNITS_H

#include <pfifo/error.h>

#include "bus/reg.h"

#define UNITS_MAX_GPCS        8
#define UNITS_MAX_PPCS        3
#define UNITS_MAX_PARTITIONS  8
#define UNITS_MAX_CONTROLLERS 8

/* Values of registers. */
struct unit_counts {
    uint32_t hwunits[2]; /* 0x1540, 0x154c */
    /* PUNITS: what the design has, and what of it is off. */
    uint32_t gpcs, tpcs, partitions, controllers, zculls, copies, heads;
    uint32_t ltcs_per_partition, ltcs, controllers_per_partition, slices;
    uint32_t misc_off, partitions_off, controllers_off;
    /* PFUSE, GM107-. */
    uint32_t copies_off, display_off, ltcs_off[UNITS_MAX_PARTITIONS];
    /* In use. */
    uint32_t hubs_used, partitions_used, ltcs_used, slices_used;
    uint32_t mib[UNITS_MAX_CONTROLLERS]; /* behind each memory controller */
    uint32_t graph;                      /* GPCs and ROPs */
    uint32_t gpc_tpcs[UNITS_MAX_GPCS];
    uint32_t ppc_tpcs[UNITS_MAX_PPCS][UNITS_MAX_GPCS]; /* mask */
    uint32_t stolen_base, stolen_pages;                /* pages of 4 KiB of an IGP */
};

/* Registers that hold what firmware set up, and a driver may write again. */
struct unit_setup {
    uint32_t cfg0, cfg1, banks, ram_type; /* PFB of G80:GF100: 0x100200, 0x100204, 0x100250, 0x100714 */
    uint32_t devinit;                     /* 0x02240c, GF100- */
};

#define UNITS_TABLES 8

struct units {
    struct unit_counts count; /* of the chip and the size of VRAM, not saved */
    struct unit_setup set;
    struct reg_table tables[UNITS_TABLES]; /* the rows that the chip has */
};

/* Work the counts out, and attach the rows that the chip has. Errors: PFIFO_ERROR_MEMORY. */
struct bus;
enum pfifo_status units_attach(struct bus *bus, struct pfifo_error *error);
void units_free(struct bus *bus);

#endif
