/* SPDX-License-Identifier: MIT */
/*
 * The falcons of a chip: what drivers see of the small processors that run firmware.
 *
 *   caps.c      sizes and versions of all of them
 *   ports.h     memories, and the ports through which a driver fills them
 *   pmu.h       PDAEMON (GT215 and later)
 *   ctxctl.h    FECS and GPCCS, which switch PGRAPH's contexts (GF100 and later)
 *
 * unit/simple.c has the other registers of those that PFIFO feeds.
 */
#ifndef PFIFO_SRC_UNIT_FALCON_FALCONS_H
#define PFIFO_SRC_UNIT_FALCON_FALCONS_H

#include <pfifo/error.h>

#include "bus/reg.h"

#define FALCONS_MAX 8

struct bus;
struct ctxctl;
struct pmu;
struct state_io;

struct falcons {
    struct bus *bus;
    struct pmu *pmu;       /* NULL: the chip has none */
    struct ctxctl *ctxctl; /* NULL: the chip has none */
    struct {
        struct reg regs[2];
        struct reg_table table;
    } caps[FALCONS_MAX];
};

/* The falcons of the bus's chip, with their registers attached. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status falcons_new(struct falcons **out, struct bus *bus, struct pfifo_error *error);
/* After the bus. NULL: nothing. */
void falcons_free(struct falcons *falcons);

/* Save or load a section for each that the chip has. */
void falcons_state(struct falcons *falcons, struct state_io *io);

/* caps.c: attach the chip's rows. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status falcon_caps_attach(struct falcons *falcons, struct pfifo_error *error);

#endif
