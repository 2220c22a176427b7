/* SPDX-License-Identifier: MIT */
/*
 * RAMIN: the end of VRAM, read backwards in chunks.
 *
 *   RAMIN  0          chunk       2*chunk
 *          |----A-----|----B------|--- ...
 *   VRAM                        ... |----B------|----A-----|
 *                                                          end
 *   Bytes inside a chunk keep their order.
 *
 * Sources: envytools ssot/gpu.py (chunk sizes), docs/hw/memory/nv1-vram.rst; 86Box nv3_pramin.c; Bochs geforce.cc.
 */
#include "memory/memory.h"

uint64_t memory_ramin_to_vram(const struct memory *memory, uint32_t ramin_address) {
    const struct pfifo_chip *chip = memory->config.chip;
    uint64_t chunk = chip->ramin_chunk, address = ramin_address;
    /* UNKNOWN: addresses beyond RAMIN; chosen: they wrap, as its address lines do. */
    if (chip->ramin_bytes)
        address %= chip->ramin_bytes;
    if (!chunk)
        return address;
    uint64_t within = address % chunk;
    /* Underflows if VRAM is smaller than RAMIN. The result is then far beyond the end, in a hole. */
    return memory->config.vram_bytes - chunk - (address - within) + within;
}

uint32_t memory_ramin_rd32(struct memory *memory, uint32_t ramin_address) {
    return memory_physical_rd32(memory, MEMORY_VRAM, memory_ramin_to_vram(memory, ramin_address));
}

/*
 * The write protection of RAMIN's part of VRAM applies to accesses to VRAM only, except on the oldest chips that have
 * it.
 */
void memory_ramin_wr32(struct memory *memory, uint32_t ramin_address, uint32_t value) {
    uint64_t before = memory->ramin_protected ? memory->vram_write_end : memory_unprotect(memory);
    memory_physical_wr32(memory, MEMORY_VRAM, memory_ramin_to_vram(memory, ramin_address), value);
    memory_protect_again(memory, before);
}
