/* SPDX-License-Identifier: MIT */
/*
 * PRAM of NV1: it sets the addresses of the fixed areas of RAMIN. Also the windows into these areas.
 *
 *   CONFIG     0        1        2        3
 *   RAMHT      0-       0-       0-       0-        1000, 2000, 4000, 8000 bytes (all in hexadecimal)
 *   RAMRO      1000-    2000-    2000-    8000-      800, 1000, 2000, 4000
 *   RAMFC      1800-    3000-    6000-    c000-      800, 1000, 2000, 4000
 *   RAMAU      2000-    4000-    8000-    10000-     c00
 *   UNK2       2c00-    4c00-    8c00-    10c00-     400
 *
 * With CONFIG 2 RAMRO is within RAMHT, and writes through one window show in the other: the chip cannot be used in this
 * way.
 * Not modelled: the registers of the hash function (0x602400 and up), which are PFIFO's.
 * UNKNOWN: CONFIG after reset; chosen: 0.
 * Sources: envytools docs/hw/memory/nv1-vram.rst, docs/hw/mmio.rst, rnndb/memory/nv1_pram.xml.
 */
#ifndef PFIFO_SRC_BUS_PRAM_H
#define PFIFO_SRC_BUS_PRAM_H

#include "bus/reg.h"

struct bus;

struct pram {
    struct bus *bus;
    uint32_t config; /* 0x602200: layout, 0 to 3 */
};

struct pram_variant {
    struct reg_tables tables;
};

/* Fixed areas of RAMIN, at the addresses that CONFIG selects. RAMAU extends into UNK2, the others wrap. */
enum pram_id { PRAM_RAMHT, PRAM_RAMRO, PRAM_RAMFC, PRAM_RAMAU, PRAM_UNK2 };
struct pram_area {
    uint32_t start, bytes; /* RAMIN address, and size after which it wraps */
};
struct pram_area bus_pram_area(const struct bus *bus, enum pram_id id);

extern const struct pram_variant pram_nv1;

#endif
