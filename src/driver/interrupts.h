/* SPDX-License-Identifier: MIT */
/* The interrupts of all units: reporting and acknowledging them. */
#ifndef PFIFO_SRC_DRIVER_INTERRUPTS_H
#define PFIFO_SRC_DRIVER_INTERRUPTS_H

#include "chip/private.h"
#include "driver/channel.h"

/* ---- run.c ---- */

/* Handle what has interrupted. True if there was something. */
bool device_interrupts(struct pfifo_device *device);

/*
 * pfifo_device_run() of `*budget`, of which at most `units` now; `*budget` is what is left. PFIFO_STOP_BUDGET with some
 * left: only the part is at its end. Between two parts the driver does nothing: it gets the CPU where it would in one
 * run, so the result is the same, however a run is cut.
 */
PFIFO_PRIVATE_API enum pfifo_stop pfifo_private_device_run_part(struct pfifo_device *device, uint64_t units,
                                                                uint64_t *budget);

/* ---- graph.c: PGRAPH ---- */

/* Clear and enable its interrupts; it has no channel yet. */
void device_graph_enable(struct pfifo_device *device);
/* Its interrupt: switch channels, else report; acknowledge. `line`: its bit of PMC INTR. */
void device_graph_interrupt(struct pfifo_device *device, uint32_t line);
/* A channel closes. If PGRAPH is on it, it is taken off, and its registers are not saved. */
void device_graph_forget(struct pfifo_channel *channel);
/* graph_error.c: report what the bits of INTR say, acknowledge them, and let PGRAPH continue. */
void device_graph_errors(struct pfifo_device *device, uint32_t status);
/* graph_methods.c: struct driver_ops.graph_method of NV4 and later. */
bool device_graph_method(struct pfifo_device *device, const struct pfifo_device_fault *trapped);
/* nv4_binds.c: the same for methods that NV4 leaves to its driver. */
bool device_bind_nv4(struct pfifo_device *device, const struct pfifo_device_fault *trapped);

/* ---- units.c: the other engines' interrupts ---- */

/* Before G80: start what must be started. */
void device_units_enable(struct pfifo_device *device);
/* Report and acknowledge the interrupts of these lines of PMC INTR. */
void device_unit_interrupts(struct pfifo_device *device, uint32_t lines);
#define UNIT_LINES_NV4   0x00000001u /* PMPEG */
#define UNIT_LINES_G80   0x0042c001u /* and processors, falcons, PCOPY */
#define UNIT_LINES_GF100 0x000380e1u

#endif
