/* SPDX-License-Identifier: MIT */
/*
 * DMA objects of NV1 and NV3, in RAMIN. They have no class.
 *
 *   word 0    25:24 TARGET (NV3)  16 PRESENT  11:0 ADJUST
 *   word 1    LIMIT, last valid offset
 *   word 2+i  31:12 frame of page i, 1 writable, 0 present
 *
 * An object in VRAM (TARGET 0 of NV3) has no page table: word 2 is the frame of its start. UNKNOWN: whether word 2 is
 * used there; chosen: its frame is, its flags are not [driver: XFree86 does not write it, so it is 0]. NV1 has objects
 * in system memory only. UNKNOWN: TARGET 1; chosen: VRAM.
 * Sources: envytools rnndb/graph/nv3_pdma.xml (NV3_DMAOBJ), rnndb/memory/nv1_pdma.xml; XFree86 nv riva_tbl.h.
 */
#include "memory/address_space.h"
#include "memory/translate.h"

#define WORD0_ADJUST  0x00000fffu
#define WORD0_PRESENT 0x00010000u
#define WORD0_TARGET  0x03000000u
#define TARGET_PCI    0x02000000u
#define WORD2_FRAME   0xfffff000u

void dma_object_nv3(struct memory *memory, uint32_t instance, struct dma_object *object) {
    uint32_t word0 = memory_ramin_rd32(memory, instance);
    bool vram = memory->config.chip->has_dma_target && (word0 & WORD0_TARGET) < TARGET_PCI;
    *object = (struct dma_object){.word0 = word0,
                                  .linear = vram,
                                  .present = (word0 & WORD0_PRESENT) != 0,
                                  .space = address_space_fault(FAULT_NULL_OBJECT)};
    if (!object->present)
        return;
    object->space =
        (struct address_space){.ops = vram ? space_nv4_linear : space_nv4_paged,
                               .target = vram ? MEMORY_VRAM : MEMORY_SYSTEM,
                               .base = vram ? memory_ramin_rd32(memory, instance + 8) & WORD2_FRAME : instance + 8,
                               .limit = memory_ramin_rd32(memory, instance + 4),
                               .offset = word0 & WORD0_ADJUST,
                               .flags = ADDRESS_SPACE_OBJECT};
}
