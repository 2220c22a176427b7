/* SPDX-License-Identifier: MIT */
/*
 * The units that PFIFO feeds, and how they are connected to the rest of a card. A row per unit and range of chips.
 *
 *   field        meaning                            used by
 *   base         block of registers in BAR0         unit/ and unit/falcon/ attach registers there; driver/
 *   registers    which registers it has             unit/, driver/units.c
 *   line         bit of PMC INTR                    unit/, driver/units.c, pfifo_gpu_engine_line()
 *   enable       bit of PMC ENABLE                  unit/, which resets by it
 *   fault_unit   number in records of MMU faults    fifo/, which writes them; driver/g80.c flushes TLBs by it
 *   topology     type in the table of GK104         unit/topology.c
 *
 * The table is in chip/, below the bus, since PMC, the driver and the units read it. The behaviour of the registers is
 * in unit/.
 *
 * Sources: nouveau nvkm/subdev/mc/{nv17,g84,g98,gt215,gf100,gk104}.c, nvkm/engine/{falcon,xtensa}.c,
 * ce/{gt215,gk104,gp100}.c, cipher/g84.c, sec/g98.c, mpeg/nv31.c; envytools docs/hw/vdec, docs/hw/falcon/intro.rst,
 * rnndb/memory/g80_pfb.xml, rnndb/fifo/gf100_pfifo.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_top.ref.txt.
 */
#ifndef PFIFO_SRC_CHIP_UNITS_H
#define PFIFO_SRC_CHIP_UNITS_H

#include "chip/chip.h"

/* Which registers a unit has. */
enum unit_registers {
    UNIT_REGISTERS_NONE,   /* none that are known */
    UNIT_REGISTERS_GRAPH,  /* PGRAPH: unit/graph has its own tables of ranges */
    UNIT_REGISTERS_MPEG,   /* PMPEG, G80 and later */
    UNIT_REGISTERS_NV17,   /* the same before G80, with registers for DMA objects */
    UNIT_REGISTERS_NV31,   /* the same, and its driver starts it */
    UNIT_REGISTERS_XTENSA, /* PVP2, PBSP of G84 */
    UNIT_REGISTERS_CIPHER,
    UNIT_REGISTERS_FALCON,        /* GF100 and later: faults are the MMU's */
    UNIT_REGISTERS_FALCON_FAULTS, /* before GF100: it reports accesses that fault */
    UNIT_REGISTERS_FALCON_SEC,    /* the same; PSEC's firmware has error numbers of its own */
    UNIT_REGISTERS_FALCON_COPY,   /* PCOPY before GK104: two lines of the copier */
    UNIT_REGISTERS_CE,            /* PCOPY of GK104:GP100 */
    UNIT_REGISTERS_CE_GP100,
    UNIT_REGISTERS_COUNT,
};

#define CHIP_NO_BIT 0xff /* no bit is known */

struct chip_unit_row {
    const char *chips;
    enum chip_unit unit;
    enum unit_registers registers;
    uint32_t base;       /* 0: not known */
    uint8_t line;        /* of PMC INTR, or CHIP_NO_BIT */
    uint8_t enable;      /* of PMC ENABLE, or CHIP_NO_BIT */
    bool has_fault_unit; /* G80:GV100 */
    /* G80:GF100: MMU engine and client; GF100:GV100: fault unit and client of the hub. */
    uint8_t fault_unit, fault_client;
    /* G80:GF100: the DMA slots that it reads, writes and queries through. */
    uint8_t read_slot, write_slot, query_slot;
    uint8_t topology;        /* GK104 and later: TYPE, and instance 0 */
    bool topology_has_lines; /* the topology table also has line, enable and base */
};

/* The rows of all chips. Simultaneous interrupts of units are handled in this order. */
extern const struct chip_unit_row chip_unit_rows[];
extern const size_t chip_unit_row_count;

/* The row of a unit of the chip. NULL: the chip has no such unit, or nothing is known about it. */
const struct chip_unit_row *chip_unit_row(const struct pfifo_chip *chip, enum chip_unit unit);

/* The unit's line as a mask of PMC INTR, 0: none. */
uint32_t chip_unit_line(const struct pfifo_chip *chip, enum chip_unit unit);

/* Does PFIFO feed the unit on this chip? */
bool chip_has_unit(const struct pfifo_chip *chip, enum chip_unit unit);

/* Copy engine `index`, 0 .. 9. */
static inline enum chip_unit chip_copy_engine(unsigned index) {
    return (enum chip_unit)(CHIP_UNIT_PCOPY0 + index);
}
static inline bool chip_unit_is_copy(enum chip_unit unit) {
    return unit >= CHIP_UNIT_PCOPY0 && unit <= CHIP_UNIT_PCOPY9;
}

/* The unit of a class. PGRAPH: of every class that no other unit has (or it is a software object's). */
enum chip_unit chip_unit_of_class(uint32_t object_class);

#endif
