/* SPDX-License-Identifier: MIT */
/*
 * PMC, the master control: interrupt lines and enable bits of all units.
 *
 * Headers of src/hw have the offsets and bits of registers, with the names of the documents; the machine, the driver
 * and the console share them. Offsets are bytes in BAR0. A name ends with the chip that introduced the form
 * (TLB_FLUSH_GF100) if an older chip has the same name at another offset.
 *
 * Sources: envytools rnndb/bus/pmc.xml, docs/hw/bus/pmc.rst; nouveau nvkm/subdev/mc/{nv04,nv50,gf100,gp100}.c.
 */
#ifndef PFIFO_SRC_HW_PMC_H
#define PFIFO_SRC_HW_PMC_H

enum {
    NV_PMC_BOOT_0 = 0x000,
    NV_PMC_INTR = 0x100,        /* lines of units that interrupt */
    NV_PMC_INTR_NRHOST = 0x104, /* GT215-: the second destination */
    NV_PMC_INTR_EN = 0x140,
    NV_PMC_INTR_EN_SET = 0x160,    /* GP100-; GF100:GP100 show the state of the line there */
    NV_PMC_ENABLE = 0x200,         /* units that are switched on */
    NV_PMC_SUBFIFO_ENABLE = 0x204, /* GF100-: a bit for each PBDMA */
};

/* INTR. */
#define PMC_INTR_PFIFO  (1u << 8)
#define PMC_INTR_PGRAPH (1u << 12)
#define PMC_INTR_PTIMER (1u << 20)
#define PMC_INTR_PBUS   (1u << 28) /* NV4- */

/* ENABLE. */
#define PMC_ENABLE_PFIFO  (1u << 8)
#define PMC_ENABLE_PGRAPH (1u << 12)

#endif
