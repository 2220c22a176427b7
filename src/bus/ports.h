/* SPDX-License-Identifier: MIT */
/*
 * BAR 5 of G80 and later: I/O ports, through which a host that cannot map the memory BARs accesses them dword by dword.
 *
 *   00  signature; write: bit 0 switches the others on        04  bit 0 switches the data ports on
 *   08, 0c  address and data of BAR 0                          10, 14  of BAR 1          18, 1c  of BAR 3
 *
 * UNKNOWN: the data ports while they are off. Chosen: like all other ports: reads return ones, writes are dropped.
 * Source:  envytools docs/hw/bus/bars.rst.
 */
#ifndef PFIFO_SRC_BUS_PORTS_H
#define PFIFO_SRC_BUS_PORTS_H

#include <stdint.h>

struct bus;

#define PORTS_COUNT 8
#define PORTS_BYTES 0x80u /* of the BAR */

struct ports {
    struct bus *bus;
    uint32_t word[PORTS_COUNT]; /* in the order above; of the data ports, nothing */
};

/* `bytes` at `offset` of BAR 5, any alignment. Reads beyond the last port return ones. */
void ports_read(struct bus *bus, uint64_t offset, uint8_t *to, uint64_t bytes);
void ports_write(struct bus *bus, uint64_t offset, const uint8_t *from, uint64_t bytes);

#endif
