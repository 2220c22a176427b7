/* SPDX-License-Identifier: MIT */
/* Objects by handle, before GF100. */
#ifndef PFIFO_SRC_DRIVER_RAMHT_H
#define PFIFO_SRC_DRIVER_RAMHT_H

#include "driver/device.h"

struct ramht_table {
    uint64_t base;     /* in instance memory */
    unsigned bits;     /* log2 of the entries */
    uint32_t probes;   /* that the hardware makes */
    uint32_t hash_add; /* what the channel adds to the hash */
};

/* Address of the entry that was written, 0: the table is too full. */
uint64_t ramht_insert(struct pfifo_device *device, const struct ramht_table *table, uint32_t handle, uint32_t context);
void ramht_remove(struct pfifo_device *device, uint64_t slot);

#endif
