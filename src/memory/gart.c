/* SPDX-License-Identifier: MIT */
/*
 * The PCIe GART of NV41 to NV4x: bus pages behind 32-bit addresses, for DMA objects with TARGET 2.
 *
 *   NV41 type   an entry per page, in RAMIN:       31:5 bus address bits 38:12   0 valid
 *   NV44 type   four pages in 16 bytes, in VRAM:   107:0 four times bus address bits 38:12   126 valid
 *
 * On the NV44 type, pages without a valid entry, and those beyond the size that the driver has set, are the dummy
 * pages.
 * UNKNOWN: whether each page of a group has a dummy page of its own; chosen: it has [driver: nouveau allocates four
 * pages in a row].
 * UNKNOWN: what the NV41 type does without a valid entry; chosen: a fault, as for a page of a DMA object.
 * Sources: nouveau nvkm/subdev/mmu/{nv41,nv44}.c, vmmnv41.c, vmmnv44.c.
 */
#include "memory/translate.h"

#define ENTRY_VALID  0x1u
#define ENTRY_FRAME  0xffffffe0u
#define ENTRY_SHIFT  7
#define GROUP_PAGES  4u
#define GROUP_BYTES  16u
#define GROUP_VALID  0x40000000u /* of the last word */
#define PACKED_BITS  27u
#define PACKED_FRAME 0x07ffffffu

static bool entry_page(struct memory *memory, uint64_t page, uint64_t *frame) {
    uint32_t entry = memory_ramin_rd32(memory, (uint32_t)(memory->mmu.gart.table + 4 * page));
    *frame = (uint64_t)(entry & ENTRY_FRAME) << ENTRY_SHIFT;
    return entry & ENTRY_VALID;
}

static uint64_t packed_page(struct memory *memory, uint64_t page) {
    const struct memory_gart *gart = &memory->mmu.gart;
    unsigned shift = memory->config.chip->gart_page_bits, bit = (unsigned)(page % GROUP_PAGES) * PACKED_BITS;
    uint64_t group = gart->table + page / GROUP_PAGES * GROUP_BYTES;
    uint64_t dummy = gart->dummy + (page % GROUP_PAGES << shift);
    if (page << shift >= gart->bytes || !(memory_physical_rd32(memory, MEMORY_VRAM, group + 12) & GROUP_VALID))
        return dummy;
    /* An entry may lie across two words. */
    uint64_t words = memory_physical_rd64(memory, MEMORY_VRAM, group + bit / 32 * 4);
    return (words >> bit % 32 & PACKED_FRAME) << shift;
}

static bool gart_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                           struct mapping *mapping, struct fault *fault) {
    (void)space;
    const struct pfifo_chip *chip = memory->config.chip;
    uint64_t page = address >> chip->gart_page_bits, frame;
    if (chip->has_packed_gart)
        frame = packed_page(memory, page);
    else if (!entry_page(memory, page, &frame))
        return fault_because(fault, FAULT_PTE);
    *mapping = mapping_of_page(MEMORY_SYSTEM, frame, address, UINT64_C(1) << chip->gart_page_bits);
    return true;
}

static const struct address_space_ops gart_ops = {.name = "GART", .translate = gart_translate, .cached = true};
const struct address_space_ops *const space_gart = &gart_ops;

bool memory_gart_translate(struct memory *memory, uint32_t address, struct mapping *mapping, struct fault *fault) {
    const struct address_space space = {
        .ops = &gart_ops, .target = MEMORY_SYSTEM, .base = memory->mmu.gart.table, .limit = UINT32_MAX};
    return memory_translate(memory, &space, address, mapping, fault);
}
