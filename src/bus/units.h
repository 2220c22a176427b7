/* SPDX-License-Identifier: MIT */
/*
 * Counts of units: registers from which drivers size their tables, and by which they divide.
 *
 *   chip row, size of VRAM --> struct unit_counts --> PBUS HWUNITS (NV40:GF100), PUNITS, PFUSE, PRING, PFFB, PMFB,
 *                                                     PBFB, carve-out of an IGP
 *
 * All clusters of the die are present. Memory partitions are present as the size of VRAM requires (shape.h); the fuse
 * registers show the others as off. All of this is computed once and is read-only.
 *
 * Modelled:     the registers that nouveau reads to set up memory and L2 caches, and the counts in PUNITS. PGRAPH's are in
 *               unit/graph/graph_counts.h.
 * Not modelled: units that are switched off by writing to these registers; the hubs of PRING: it reports one.
 * Sources:      envytools rnndb/bus/{pbus,punits,pibus}.xml, rnndb/memory/{g80_pfb,gf100_pbfb,gf100_pmfb}.xml,
 *               docs/hw/gpu.rst; nouveau nvkm/subdev/{fb,ltc,devinit,privring}; nvgpu hw_top_gm20b.h, hw_fb_gm20b.h.
 */
#ifndef PFIFO_SRC_BUS_UNITS_H
#define PFIFO_SRC_BUS_UNITS_H

#include <pfifo/error.h>

#include "bus/reg.h"

#define UNITS_MAX_PARTITIONS  8
#define UNITS_MAX_CONTROLLERS 8

/* Values of registers. */
struct unit_counts {
    uint32_t hwunits[2]; /* 0x1540, 0x154c */
    /* PUNITS: the units of the design, and those that are off. */
    uint32_t gpcs, tpcs, partitions, controllers, zculls, copies, heads;
    uint32_t ltcs_per_partition, ltcs, controllers_per_partition, slices;
    uint32_t misc_off, partitions_off, controllers_off;
    /* PFUSE, GM107-. */
    uint32_t copies_off, display_off, ltcs_off[UNITS_MAX_PARTITIONS];
    /* In use. */
    uint32_t hubs_used, partitions_used, ltcs_used, slices_used;
    uint32_t mib[UNITS_MAX_CONTROLLERS]; /* behind each memory controller */
    uint32_t stolen_base, stolen_pages;  /* pages of 4 KiB of an IGP */
};

/* Registers that firmware sets up, and that a driver may write. */
struct unit_setup {
    uint32_t cfg0, cfg1, banks, ram_type; /* PFB of G80:GF100: 0x100200, 0x100204, 0x100250, 0x100714 */
    uint32_t devinit;                     /* 0x02240c, GF100- */
};

#define UNITS_TABLES 7

struct bus;

struct units {
    struct bus *bus;
    struct unit_counts count; /* of the chip and the size of VRAM, not saved */
    struct unit_setup set;
    struct reg_table tables[UNITS_TABLES]; /* the chip's rows */
};

/* Compute the counts, and attach the chip's rows. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status units_attach(struct bus *bus, struct pfifo_error *error);
void units_free(struct bus *bus);

#endif
