/* SPDX-License-Identifier: MIT */
/*
 * DMA objects of NV4 to NV4x, in RAMIN.
 *
 *   word 0    31:20 ADJUST  17:16 TARGET  15:14 access  13 LINEAR  12 PRESENT  11:0 CLASS
 *   word 1    LIMIT, last valid offset
 *   word 2    linear: 31:12 frame, 1 writable
 *   word 2+i  paged:  31:12 frame of page i, 1 writable, 0 present
 *
 * TARGET: 0 VRAM, 2 the bus (through the GART while it is on, see gart.c), 3 AGP or the bus without snooping.
 * UNKNOWN: whether the frames of a paged object, and those of TARGET 3, go through the GART; chosen: the former do,
 * the latter do not [driver: with a GART, nouveau has linear objects with TARGET 2].
 * Sources: envytools rnndb/graph/nv4_pgraph.xml (NV4_DMAOBJ); nouveau nvkm/engine/dma/usernv04.c, mmu/vmmnv04.c.
 */
#include "memory/address_space.h"
#include "memory/translate.h"

#define WORD0_CLASS   0xfffu
#define WORD0_PRESENT 0x1000u
#define WORD0_LINEAR  0x2000u
#define WORD0_TARGET  0x30000u
#define TARGET_PCI    0x20000u
#define PTE_PRESENT   0x1u
#define PTE_WRITABLE  0x2u
#define PTE_FRAME     0xfffff000u
#define PTES_AT_ONCE  64u

static bool through_gart(const struct memory *memory, const struct address_space *space) {
    return space->flags & ADDRESS_SPACE_GART && memory->mmu.gart.enabled;
}

static bool linear_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                             struct mapping *mapping, struct fault *fault) {
    /* UNKNOWN: past 4 GiB; chosen: 32-bit wrap. */
    uint64_t physical = (space->base + address) & UINT32_MAX;
    if (through_gart(memory, space))
        return memory_gart_translate(memory, (uint32_t)physical, mapping, fault);
    *mapping = (struct mapping){.target = space->target,
                                .physical = physical,
                                .bytes = (uint64_t)UINT32_MAX + 1 - physical,
                                .writable = true,
                                .readable = true};
    return true;
}

/* Count the pages, beginning with `first`, that have consecutive frames and the same rights. Reads the table in one go.
 */
static uint64_t dma_object_nv4_neighbours(struct memory *memory, uint32_t first, uint32_t pte) {
    uint32_t chunk = memory->config.chip->ramin_chunk;
    uint64_t bytes = 4 * PTES_AT_ONCE;
    if (chunk && bytes > chunk - first % chunk)
        bytes = chunk - first % chunk;
    struct span table =
        memory_physical_span(memory, MEMORY_VRAM, memory_ramin_to_vram(memory, first), bytes, MEMORY_READ);
    uint64_t count = 1;
    while (4 * count + 4 <= table.bytes && load_le32(table.data + 4 * count) == (uint32_t)(pte + (count << 12)))
        count++;
    return count;
}

/* base is the RAMIN address of the first PTE. */
static bool paged_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                            struct mapping *mapping, struct fault *fault) {
    uint32_t first = (uint32_t)(space->base + 4 * (address >> 12));
    uint32_t pte = memory_ramin_rd32(memory, first);
    if (!(pte & PTE_PRESENT))
        return fault_because(fault, FAULT_PTE);
    if (through_gart(memory, space)) {
        if (!memory_gart_translate(memory, (pte & PTE_FRAME) | (address & 0xfff), mapping, fault))
            return false;
    } else {
        *mapping = mapping_of_page(space->target, pte & PTE_FRAME, address, 0x1000);
        mapping->bytes += (dma_object_nv4_neighbours(memory, first, pte) - 1) << 12;
    }
    mapping->writable = (pte & PTE_WRITABLE) != 0;
    return true;
}

/* Not cached: the unit that reads the object decides itself when to read it again (DMA_CTL.AT_INFO, a rebind). */
static const struct address_space_ops linear_ops = {.name = "NV4 linear", .translate = linear_translate};
static const struct address_space_ops paged_ops = {.name = "NV4 paged", .translate = paged_translate};
const struct address_space_ops *const space_nv4_linear = &linear_ops, *const space_nv4_paged = &paged_ops;

static enum memory_target target_of(uint32_t word0) {
    /* UNKNOWN: target 1; chosen: VRAM (xemu calls it tiled VRAM on NV2A). */
    return (word0 >> 17 & 1) ? MEMORY_SYSTEM : MEMORY_VRAM;
}

void dma_object_nv4_words(const uint32_t word[3], uint32_t table, struct dma_object *object) {
    *object = (struct dma_object){.class = word[0] & WORD0_CLASS,
                                  .word0 = word[0],
                                  .linear = (word[0] & WORD0_LINEAR) != 0,
                                  .present = (word[0] & WORD0_PRESENT) != 0,
                                  .space = address_space_fault(FAULT_NULL_OBJECT)};
    if (!object->present)
        return;
    struct address_space *space = &object->space;
    *space = (struct address_space){
        .target = target_of(word[0]), .limit = word[1], .offset = word[0] >> 20, .flags = ADDRESS_SPACE_OBJECT};
    space->ops = object->linear ? &linear_ops : &paged_ops;
    space->base = object->linear ? word[2] & PTE_FRAME : table;
    /* UNKNOWN: whether the writable bit of a linear object is used; chosen: it is [driver: nouveau sets it]. */
    if (object->linear && !(word[2] & PTE_WRITABLE))
        space->flags |= ADDRESS_SPACE_READ_ONLY;
    if ((word[0] & WORD0_TARGET) == TARGET_PCI)
        space->flags |= ADDRESS_SPACE_GART;
}

void dma_object_nv4(struct memory *memory, uint32_t instance, struct dma_object *object) {
    uint32_t word[3];
    for (uint32_t i = 0; i < 3; i++)
        word[i] = memory_ramin_rd32(memory, instance + 4 * i);
    dma_object_nv4_words(word, instance + 8, object);
}

/* UNKNOWN: both bits; chosen: nothing is forbidden. */
struct address_space dma_object_nv4_engine_space(const struct dma_object *object) {
    static const uint32_t forbids[4] = {0, ADDRESS_SPACE_READ_ONLY, ADDRESS_SPACE_WRITE_ONLY, 0};
    struct address_space space = object->space;
    space.flags |= forbids[object->word0 >> 14 & 3];
    return space;
}
