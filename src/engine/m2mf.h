/* SPDX-License-Identifier: MIT */
/* Memory to memory of Tesla and Fermi: what their launches have in common. */
#ifndef PFIFO_SRC_ENGINE_M2MF_H
#define PFIFO_SRC_ENGINE_M2MF_H

#include "engine/transfer.h"

/* A side of a copy. */
struct m2mf_side {
    struct address_space space;
    uint64_t address;
    bool linear; /* or in blocks */
    int64_t pitch;
    uint16_t block_size; /* method; width, height, depth and layer follow it */
    uint32_t x, y;
};

/* The copy that methods 0x31c (line length) and 0x320 (lines) ask for. False: it does not fit, and has been refused. */
bool m2mf_transfer(const struct call *call, const struct m2mf_side *from, const struct m2mf_side *to,
                   struct transfer *transfer);

#endif
