/* SPDX-License-Identifier: MIT */
/* Registers of PFIFO, NV1 .. MCP89, as the documents list them: written by hand, for comparison with the library. */
#ifndef PFIFO_TESTS_CONFORMANCE_LISTING_H
#define PFIFO_TESTS_CONFORMANCE_LISTING_H

#include "rig.h"

enum listed_kind {
    PLAIN,
    DERIVED,  /* what it reads follows from other state: not compared after a write elsewhere */
    DATA,     /* entries of CACHE1: perhaps a window of the library and no row; upper half aliases on NV4- */
    OPTIONAL, /* one document has it on these chips, another not */
};

struct listed {
    uint32_t offset;
    const char *chips;
    uint32_t readable, writable, reset;
    uint32_t count, stride;
    enum listed_kind kind;
    uint32_t open; /* bits that no document says anything about */
};

extern const struct listed listing[];
extern const size_t listing_count;
extern const struct listed listing_g80[]; /* G80 .. MCP89 */
extern const size_t listing_g80_count;

#endif
