/* SPDX-License-Identifier: MIT */
/*
 * DMA objects of G80 to MCP89: segments of the channel's VM, of VRAM or of system memory.
 *
 *   word 0  31 supervisor  30:29 compression  28:22 kind  21:20 privilege  19:18 access  17:16 target  15:0 class
 *   word 1  limit low      word 2  base low   word 3  31:24 limit high, 7:0 base high
 *   words 4, 5: compression, partition cycle, encryption (not modelled)
 *
 * address + base must not be beyond limit. envytools' text compares with "larger or equal", but nouveau writes the
 * address of the last byte. Chosen: inclusive.
 * Sources: envytools docs/hw/memory/g80-vm.rst, rnndb/memory/g80_vm.xml; nouveau nvkm/engine/dma/usernv50.c.
 */
#include <assert.h>

#include "memory/address_space.h"
#include "memory/translate.h"

#define WORD0_CLASS      0xffffu
#define WORD0_SUPERVISOR 0x80000000u
#define KIND_OF_PAGE     0x7fu

/* Flags that the two-bit fields of word 0 add to a space. 0: as in the page tables. 3: UNKNOWN; chosen: as 0. */
static const uint32_t access_flags[4] = {0, ADDRESS_SPACE_READ_ONLY, ADDRESS_SPACE_READ_WRITE, 0};
static const uint32_t privilege_flags[4] = {0, ADDRESS_SPACE_ANY_PRIVILEGE, ADDRESS_SPACE_SUPERVISOR_ONLY, 0};

/* VRAM addresses of Tesla have 32 bits, the bits above are ignored [doc]; bus addresses have 40. */
static bool unpaged_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                              struct mapping *mapping, struct fault *fault) {
    (void)memory;
    (void)fault;
    uint64_t mask = space->target == MEMORY_VRAM ? UINT32_MAX : (UINT64_C(1) << 40) - 1;
    *mapping = (struct mapping){.target = space->target,
                                .physical = address & mask,
                                .bytes = mask - (address & mask) + 1,
                                .writable = true,
                                .readable = true};
    return true;
}

static const struct address_space_ops unpaged_ops = {
    .name = "G80 unpaged", .translate = unpaged_translate, .vram_limit = true};
const struct address_space_ops *const space_g80_unpaged = &unpaged_ops;

void dma_object_g80(struct memory *memory, enum memory_target target, uint64_t address, const struct address_space *vm,
                    struct dma_object *object) {
    uint32_t word[4];
    for (unsigned i = 0; i < 4; i++)
        word[i] = memory_physical_rd32(memory, target, address + 4 * i);
    uint64_t base = word[2] | (uint64_t)(word[3] & 0xff) << 32;
    uint64_t limit = word[1] | (uint64_t)(word[3] >> 24) << 32;
    uint32_t object_target = word[0] >> 16 & 3;
    *object = (struct dma_object){
        .class = word[0] & WORD0_CLASS, .word0 = word[0], .linear = object_target != 0, .present = true};

    struct address_space *space = &object->space;
    if (limit < base) {
        *space = address_space_fault(FAULT_OBJECT_LIMIT);
        return;
    }
    assert(object->linear || vm);
    *space = object->linear ? (struct address_space){.ops = &unpaged_ops,
                                                     .target = object_target == 1 ? MEMORY_VRAM : MEMORY_SYSTEM}
                            : *vm;
    space->limit = limit - base;
    space->offset = base;
    space->flags |= ADDRESS_SPACE_OBJECT | access_flags[word[0] >> 18 & 3] | privilege_flags[word[0] >> 20 & 3];
    if ((word[0] >> 22 & KIND_OF_PAGE) != KIND_OF_PAGE)
        space->flags |= ADDRESS_SPACE_OBJECT_KIND;
    if (word[0] & WORD0_SUPERVISOR)
        space->flags |= ADDRESS_SPACE_SUPERVISOR;
}
