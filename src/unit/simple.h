/* SPDX-License-Identifier: MIT */
/*
 * Units whose host interface is a few registers: copy engines, video, crypto. They interrupt, and show refused methods.
 *
 *   engine --unit_notify(cause)--> INTR & enables --> PMC INTR, a line per unit
 *          --unit_trap(what)-----> the same, and the reason
 *
 * Variants:
 *   falcon  GT215 .. GM2xx: sixteen lines with enables and a route (0x000 .. 0x01c), a method that the firmware refused
 *           (0x040, 0x044), the channel (0x050). PCOPY of GT215 .. GF11x is a falcon, with two lines of the copier.
 *   CE      PCOPY of GK104 and later: BLOCK, NONBLOCK, LAUNCHERR and its code
 *   PCIPHER, PMPEG, VP2 and BSP (xtensa) of NV31 .. GT200
 *
 * A refused method or a blocking interrupt holds the unit: it takes no method until the interrupt is acknowledged.
 *
 * UNKNOWN: enables and routes after the firmware of falcons has started; chosen: all on, to the host, as with nouveau's
 * own firmware. Enables of copy engines after reset; chosen: on (nouveau never writes them).
 * UNKNOWN: which line firmware raises for a QUERY or SEMAPHORE with an interrupt; chosen: line 7, the second firmware
 * line.
 * UNKNOWN: bits of the xtensas' interrupt; chosen: the lowest.
 *
 * PMPEG of NV31 .. NV4x has no methods to bind DMA objects (0x190, 0x1a0, 0x1b0): it refuses them, like all methods and
 * values that it does not have, and its driver writes address and size of the objects to registers. UNKNOWN: when PMPEG
 * refuses the binding of its object, which nouveau has seen; chosen: never. CONFIG's choice between PFIFO and PIO is
 * ignored.
 *
 * Modelled:     status, acknowledge, enable, route, refused methods; the lines into PMC.
 * Not modelled: processors, their memory and timers; INTR_MODE; NRHOST routes of falcons.
 * Sources:      envytools rnndb/falcon.xml, rnndb/fifo/pcopy.xml, docs/hw/falcon/intr.rst, docs/hw/bus/pmc.rst; nouveau
 *               nvkm/engine/{falcon,xtensa}.c, ce/{gt215,gk104,gp100}.c, ce/fuc/com.fuc, cipher/g84.c, sec/g98.c,
 *               mpeg/{nv31,nv40,nv44}.c, nvkm/subdev/mc/; envytools
 *               rnndb/vdec/vpe/pmpeg.xml.
 */
#ifndef PFIFO_SRC_UNIT_SIMPLE_H
#define PFIFO_SRC_UNIT_SIMPLE_H

#include "unit/unit.h"

struct simple_variant;

/* Registers of PMPEG before G80 that its driver writes for DMA objects, and their values. */
enum mpeg_reg {
    MPEG_COMPAT,
    MPEG_CONFIG,
    MPEG_INSTANCE,
    MPEG_UNK314,
    MPEG_ENABLE,
    MPEG_CMD_OFFSET,
    MPEG_CMD_LIMIT,
    MPEG_CMD_PUT,
    MPEG_CMD_BASE,
    MPEG_DATA_BASE,
    MPEG_DATA_LIMIT,
    MPEG_IMAGE_BASE,
    MPEG_IMAGE_LIMIT,
    MPEG_REGS,
};

struct simple_unit {
    struct unit unit;
    const struct simple_variant *variant; /* which registers it has */
    uint32_t line;                        /* mask of PMC INTR */
    uint32_t enable;                      /* mask of PMC ENABLE */
    struct reg_table table;
    struct unit_regs {
        uint32_t intr, intr_en, route; /* route: falcons */
        uint32_t where, data, code;    /* what was refused */
        uint32_t channel, next, control;
        uint32_t holds; /* bits of INTR that hold the unit */
        uint32_t mpeg[MPEG_REGS];
    } r;
};

/*
 * Create a unit with the registers of its row. `*out` NULL: they are not those of a simple unit. Errors:
 * PFIFO_ERROR_MEMORY.
 */
enum pfifo_status simple_unit_new(struct unit **out, struct bus *bus, const struct chip_unit_row *row,
                                  struct pfifo_error *error);

/* The name of an error that a driver finds in the registers of a unit; NULL: none. */
const char *simple_error_name(const struct pfifo_chip *chip, enum chip_unit unit, const struct unit_trap *trap);

#endif
