/* SPDX-License-Identifier: MIT */
/*
 * What a recorded program has mapped, by number and by address.
 *
 *   w number offset --> mapping --> a buffer of nouveau, by the offset that was mapped (mmt_nouveau.c)
 *   W address ---------'      '---> memory of NVIDIA's driver, which is known when it is mapped (nvrm.c)
 */
#ifndef PFIFO_SRC_FOREIGN_MMT_MAPS_H
#define PFIFO_SRC_FOREIGN_MMT_MAPS_H

#include "foreign/foreign.h"

enum { MMT_MAPPINGS = 1 << 16 /* at a time */ };

struct nvrm_memory; /* nvrm.h */

struct mmt_mapping {
    uint32_t id;
    uint64_t offset;       /* of the file that is mapped */
    uint64_t start, bytes; /* where the program has it */
    bool placed;           /* it is found there: nothing was mapped over it */
    struct nvrm_memory *memory;
    uint64_t shown; /* of the memory, from there on */
};

/* Trees of mappings. */
struct mmt_maps {
    void *ids, *places;
    size_t count;
};

/* NULL: there is none. */
struct mmt_mapping *mmt_maps_find(const struct mmt_maps *maps, uint32_t id);
struct mmt_mapping *mmt_maps_at(const struct mmt_maps *maps, uint64_t address);

/* One that is mapped nowhere yet. NULL: there are too many, or no memory. The number is not in use. */
struct mmt_mapping *mmt_maps_make(struct mmt_maps *maps, uint32_t id);
/* Map it at other addresses. What is there is no longer found by its address. False: no memory. */
bool mmt_maps_place(struct mmt_maps *maps, struct mmt_mapping *mapping, uint64_t start, uint64_t bytes);
void mmt_maps_remove(struct mmt_maps *maps, struct mmt_mapping *mapping);
/* One of those that are left; NULL: there are none. */
struct mmt_mapping *mmt_maps_any(const struct mmt_maps *maps);

#endif
