/* SPDX-License-Identifier: MIT */
/*
 * The memories of a falcon and the ports through which a driver fills them. Registers relative to the falcon's base:
 *
 *   180 CODE_INDEX  184 CODE  188 CODE_PAGE      1c0 + 8 n DATA_INDEX  1c4 + 8 n DATA     of four ports
 *
 * Sources: envytools docs/hw/falcon/{code,data}.rst, rnndb/falcon/falcon.xml.
 */
#ifndef PFIFO_SRC_UNIT_FALCON_PORTS_H
#define PFIFO_SRC_UNIT_FALCON_PORTS_H

#include <pfifo/error.h>

#include "bus/reg.h"

struct bus;
struct state_io;

#define FALCON_CODE_BYTES 0x8000u /* of the largest */
#define FALCON_DATA_BYTES 0x6000u
#define FALCON_PORTS      4u /* to data */
#define FALCON_PORT_ROWS  5u

/* Bits of CPUCTL, at 0x100. */
#define FALCON_CPUCTL_START 0x02u
#define FALCON_CPUCTL_HALT  0x10u

struct falcon_ports {
    uint32_t code_at, code_page, data_at[FALCON_PORTS];
    uint32_t code[FALCON_CODE_BYTES / 4], data[FALCON_DATA_BYTES / 4];
    /* The registers at the falcon's base; not saved. */
    struct reg regs[FALCON_PORT_ROWS];
    struct reg_table table;
};

enum falcon_ports_of { FALCON_PORTS_PMU, FALCON_PORTS_FECS, FALCON_PORTS_GPCCS };

/* The registers of a falcon at `base`. Errors: those of bus_attach_table(). */
enum pfifo_status falcon_ports_attach(struct bus *bus, struct falcon_ports *ports, enum falcon_ports_of falcon,
                                      uint32_t base, struct pfifo_error *error);
void falcon_ports_state(struct falcon_ports *ports, struct state_io *io);

#endif
