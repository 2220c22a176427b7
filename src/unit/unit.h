/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of the units that PFIFO feeds beside PGRAPH: copy engines, video, crypto.
 *
 *   engine --unit_notify(cause)--> INTR & what is enabled --> PMC INTR, a line per unit
 *          --unit_trap(what)-----> the same, and why
 *
 * Kinds:
 *   falcon  GT215 .. GM2xx: sixteen lines with enables and a route (0x000 .. 0x01c), a method that the firmware refused
 *           (0x040, 0x044), the channel (0x050). PCOPY of GT215 .. GF11x is one, with two lines of the copier.
 *   CE      PCOPY from GK104 on: BLOCK, NONBLOCK, LAUNCHERR and its code
 *   PCIPHER, PMPEG, VP2 and BSP (xtensa) of NV31 .. GT200
 *
 * What is refused, and a blocking interrupt, hold the unit: it takes no method until the interrupt is acknowledged.
 *
 * UNKNOWN: enables and routes that the firmware of falcons leaves; chosen: all on, to the host, as nouveau's own
 * firmware leaves them. Enables of copy engines after reset; chosen: on (nouveau never writes them).
 * UNKNOWN: how firmware tells of a QUERY or SEMAPHORE with an interrupt; chosen: line 7, the second that is its own.
 * UNKNOWN: bits of the xtensas' interrupt; chosen: the lowest.
 *
 * PMPEG of NV31 .. NV4x has no methods to bind DMA objects (0x190, 0x1a0, 0x1b0): it refuses them, as any method or
 * value that it does not have, and its driver writes where they are and how long to registers. UNKNOWN: when the
 * binding of its object is refused, as nouveau has met it; chosen: never. CONFIG's choice between PFIFO and PIO is not
 * looked at.
 *
 * Modelled:     status, acknowledge, enable, route, what was refused; the lines into PMC.
 * Not modelled: processors, their memory and timers; INTR_MODE; NRHOST routes of falcons.
 * Sources:      envytools rnndb/falcon.xml, rnndb/fifo/pcopy.xml, docs/hw/falcon/intr.rst, docs/hw/bus/pmc.rst; nouveau
 *               nvkm/engine/{falcon,xtensa}.c, ce/{gt215,gk104,gp100}.c, ce/fuc/com.fuc, cipher/g84.c, sec/g98.c,
 *               mpeg/{nv31,nv40,nv44}.c, nvkm/subdev/mc/; envytools
 *               rnndb/vdec/vpe/pmpeg.xml.
 */
#ifndef PFIFO_SRC_UNIT_UNIT_H
#define PFIFO_SRC_UNIT_UNIT_H

#include "bus/bus.h"
#include "unit/graph/graph.h"

struct unit_kind;

/* Registers of PMPEG before G80 that its driver writes for DMA objects, and what goes with them. */
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

struct unit {
    struct bus *bus;
    const struct unit_kind *kind; /* NULL: the unit has no registers here */
    uint32_t line;                /* in PMC INTR */
    uint32_t enable;              /* in PMC ENABLE */
    struct reg_table table;
    struct unit_regs {
        uint32_t intr, intr_en, route; /* route: falcons */
        uint32_t where, data, code;    /* what was refused */
        uint32_t channel, next, control;
        uint32_t holds; /* bits of INTR that hold the unit */
        uint32_t mpeg[MPEG_REGS];
    } r;
};

/* Nothing happens for a unit without a front. */
enum pfifo_status unit_attach(struct unit *front, struct bus *bus, enum chip_unit unit, struct pfifo_error *error);
void unit_free(struct unit *front);
void unit_enable_changed(struct unit *front, uint32_t old, uint32_t now);

void unit_notify(struct unit *front, enum unit_cause cause);
/* False: this unit does not check for that. */
bool unit_trap(struct unit *front, const struct unit_trap *trap);
/* An access of the unit faulted (before GF100). */
void unit_fault(struct unit *front, const struct unit_trap *trap);
/* It works for a channel now; `instance` in pages. */
void unit_enter(struct unit *front, uint32_t instance);

#endif
