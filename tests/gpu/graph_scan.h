/* SPDX-License-Identifier: MIT */
/* Registers of PGRAPH of NV1 .. NV4x as scans of silicon found them: see graph_scan.c and graph_scan_3d.c. */
#ifndef PFIFO_TESTS_GPU_GRAPH_SCAN_H
#define PFIFO_TESTS_GPU_GRAPH_SCAN_H

#include <stddef.h>
#include <stdint.h>

enum graph_access {
    RW,      /* keeps what is written */
    RO,      /* shows something, and cannot be written */
    W1C,     /* a written 1 takes a bit away */
    TRAP,    /* of a unit: bit 30 clears, bit 31 stays */
    CACHED,  /* takes a write only while FIFO access is off */
    SIGNED,  /* negative is 0 */
    SWAPPED, /* bits 31 and 30 come back as each other */
    COPIED,  /* bits 12 and 8 come back as bits 4 and 0 */
    XY_MISC, /* bit 18 is 1 if bits 17:1 are 0 */
    SHIFTED, /* comes back as the number of the word */
    TRIPLED, /* bits 30 and 29 come back as bit 28 */
    OTHER,   /* its own test */
};

struct graph_listed {
    const char *chips;
    uint32_t offset, count;
    enum graph_access access;
    uint32_t mask; /* after all ones */
    uint32_t ones; /* after 0 */
    uint32_t reset;
};

extern const struct graph_listed graph_scan[], graph_scan_3d[];
extern const size_t graph_scan_count, graph_scan_3d_count;

#endif
