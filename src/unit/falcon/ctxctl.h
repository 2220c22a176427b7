/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's falcons, FECS and the GPCCS of all GPCs (GF100 and later), which switch its contexts on a card.
 *
 *   driver --CODE, DATA--> memories of both     FECS CPUCTL START --> DONE, bytes of a context
 *   WRCMD: make this channel the current one --> DONE     INTR_TRIGGER bit 8, NEXT not valid: put the context away
 *
 * Modelled:     ports to code and data; of the firmware that nouveau has in itself: that it starts, and these answers
 * Not modelled: the processors. PFIFO switches channels without them; what the driver reads as the initial context is
 *               what it has put into memory itself.
 * UNKNOWN:      bytes of a context, a sum over lists in the firmware; chosen: 0x20000, more than lists of GF100 to
 *               GM107 make.
 * Sources:      nouveau nvkm/engine/gr/{gf100,ctxgf100}.c and fuc/{hub.fuc,macros.fuc} for the interface.
 */
#ifndef PFIFO_SRC_UNIT_FALCON_CTXCTL_H
#define PFIFO_SRC_UNIT_FALCON_CTXCTL_H

#include "unit/falcon/ports.h"

#define CTXCTL_SCRATCHES 8u

struct ctxctl {
    struct bus *bus;
    uint32_t running;
    uint32_t command_data, power, scratch[CTXCTL_SCRATCHES];
    struct falcon_ports fecs, gpccs;
};

/* Errors: PFIFO_ERROR_MEMORY; what was made is in `*out` nevertheless. */
enum pfifo_status ctxctl_new(struct ctxctl **out, struct bus *bus, struct pfifo_error *error);
/* A section of its own. */
void ctxctl_state(struct ctxctl *ctxctl, struct state_io *io);

#endif
