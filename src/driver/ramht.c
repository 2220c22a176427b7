/* SPDX-License-Identifier: MIT */
/*
 * Writing RAMHT. The hash is that of the hardware; see nouveau core/ramht.c.
 */
#include "driver/instance.h"
#include "driver/ramht.h"

static uint32_t ramht_hash_of(const struct ramht_table *table, uint32_t handle) {
    uint32_t mask = (1u << table->bits) - 1u, hash = 0;
    for (; handle; handle >>= table->bits)
        hash ^= handle & mask;
    return (hash ^ table->hash_add) & mask;
}

uint64_t ramht_insert(struct pfifo_device *device, const struct ramht_table *table, uint32_t handle, uint32_t context) {
    uint32_t mask = (1u << table->bits) - 1u, first = ramht_hash_of(table, handle);
    for (uint32_t n = 0; n < table->probes; n++) {
        uint64_t slot = table->base + 8 * (uint64_t)((first + n) & mask);
        if (inst_rd32(device, slot + 4) != 0)
            continue;
        inst_wr32(device, slot, handle);
        inst_wr32(device, slot + 4, context);
        return slot;
    }
    return 0;
}

/* The hardware does not stop at an empty entry, so the entries after it can stay. */
void ramht_remove(struct pfifo_device *device, uint64_t slot) {
    inst_wr32(device, slot, 0);
    inst_wr32(device, slot + 4, 0);
}
