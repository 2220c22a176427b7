/* SPDX-License-Identifier: MIT */
/*
 * PDAEMON, the PMU's falcon (GT215 and later): memories that a driver fills, queues of messages, and what the firmware
 * that nouveau uploads answers.
 *
 *   driver --CODE, DATA--> memories     CPUCTL START --> where the queues are: H2D, D2H
 *   message in DATA, FIFO_PUT --> firmware --> FIFO_GET; a message in DATA, RFIFO_PUT, interrupt
 *
 * Modelled:     interrupts, ports to code and data, mutexes, queues; of the firmware: that it starts, takes messages,
 *               and says where scripts for the memory go (process MEMX, message INFO)
 * Not modelled: the processor; other messages are taken and reported (event bus.pmu), and nobody answers them
 * Sources:      envytools docs/hw/pm/pdaemon/, rnndb/pm/pdaemon.xml; nouveau nvkm/subdev/pmu/{base,gt215}.c and
 *               fuc/{macros.fuc,host.fuc,memx.fuc,os.h} for the interface
 *
 * UNKNOWN: where the queues are, which a driver reads; chosen: at the end of the data that all chips have.
 */
#ifndef PFIFO_SRC_UNIT_FALCON_PMU_H
#define PFIFO_SRC_UNIT_FALCON_PMU_H

#include "unit/falcon/ports.h"

#define PMU_BASE    0x10a000u
#define PMU_FIFOS   4u
#define PMU_MUTEXES 16u

struct pmu {
    struct bus *bus;
    uint32_t line; /* in PMC INTR; given by the chip, not saved */
    uint32_t intr, intr_en, routing;
    uint32_t scratch[2], boot;
    uint32_t running; /* the firmware was started */
    uint32_t fifo_put[PMU_FIFOS], fifo_get[PMU_FIFOS], fifo_intr, fifo_intr_en;
    uint32_t rfifo_put, rfifo_get, to_pmu, to_host;
    uint32_t mutex[PMU_MUTEXES];
    struct falcon_ports ports;
};

/* `line`: its bit of PMC INTR. Errors: PFIFO_ERROR_MEMORY; what was made is in `*out` nevertheless. */
enum pfifo_status pmu_new(struct pmu **out, struct bus *bus, uint32_t line, struct pfifo_error *error);
/* A section of its own. */
void pmu_state(struct pmu *pmu, struct state_io *io);

#endif
