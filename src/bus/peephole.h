/* SPDX-License-Identifier: MIT */
/*
 * PEEPHOLE: four bytes of memory at an address in a register, for hosts that can reach nothing else.
 *
 *                    NV30:G84         G84:GF100          GF100-
 *   write port       1560  1564       60000 60004                       address, data; control 155c
 *   read-write port  1570  1574       60010 60014        6000c 60010 60014   address (high, low), data
 *
 * Addresses have 29 bits on NV30:G80, where they are VRAM addresses; 32 bits before GF100; 40 bits on GF100 and later.
 *
 * The write port takes address and data in either order (pairs), or data alone, for the current address (freeform). The
 * read-write port accesses memory whenever its data register is accessed, with the same byte lanes, and advances the
 * address by 4.
 *
 * UNKNOWN: the effect of writes to other registers between the two halves of a pair, which is an error on the chip.
 * Chosen: none. UNKNOWN: what is beyond the end of VRAM before G80; chosen: nothing, which reads as 0.
 *
 * Modelled:     both ports, on the chips above.
 * Not modelled: PEEPHOLE of chips before NV30, if there is one.
 * Sources:      envytools docs/hw/memory/peephole.rst, rnndb/bus/pbus.xml.
 */
#ifndef PFIFO_SRC_BUS_PEEPHOLE_H
#define PFIFO_SRC_BUS_PEEPHOLE_H

#include "bus/reg.h"

struct bus;

struct peephole {
    struct bus *bus;
    uint32_t w_ctrl;                /* bit 0: an address waits for data; bit 1: data for an address; bit 8: freeform */
    uint32_t w_addr, w_data;        /* write port */
    uint32_t rw_addr, rw_addr_high; /* read-write port */
};

struct peephole_variant {
    struct reg_tables tables;
    unsigned address_bits; /* of the read-write port, where it wraps */
};

extern const struct peephole_variant peephole_nv30, peephole_g80, peephole_g84, peephole_gf100;

#endif
