/* SPDX-License-Identifier: MIT */
/*
 * DMA objects and virtual memory of G80 .. MCP89.
 *
 *   object    base and limit are absolute, the limit is the last byte; target 0 is virtual memory
 *   virtual   directory in the descriptor (G80: 0x1400, G84: 0x200 or PD_OFFSET), 0x800 entries of 512 MiB; one table
 * each
 *
 * Nothing is kept: a test that changes tables flushes the TLB.
 * Sources: envytools docs/hw/memory/g80-vm.rst, rnndb/memory/g80_vm.xml; nouveau mmu/vmmnv50.c, engine/dma/usernv50.c.
 */
#include "state.h"

#define SUPERVISOR_OBJECT 0x80000000u
#define PFIFO_READ        8u

/* As the record of a fault has them. */
enum reason {
    PT_NOT_PRESENT = 0x0,
    PT_TOO_SHORT = 0x1,
    PAGE_NOT_PRESENT = 0x2,
    PAGE_SUPERVISOR_ONLY = 0x3,
    PAGE_READ_ONLY = 0x4,
    NULL_DMAOBJ = 0x6,
    VRAM_LIMIT = 0xb,
    DMAOBJ_LIMIT = 0xf,
    NONE = 0x10,
};

/* Where nothing is, as in the memory of a neighbour that is not there: reads 0. */
#define NOWHERE UINT64_C(0xffffffffffff0000)

static uint64_t rd64(const struct reference *r, enum reference_target target, uint64_t address) {
    return reference_memory_rd32(r, target, address) | (uint64_t)reference_memory_rd32(r, target, address + 4) << 32;
}

/* Addresses of VRAM have 32 bits. */
static uint64_t linear(enum reference_target target, uint64_t address) {
    return target == REFERENCE_VRAM ? address & 0xffffffff : address;
}

static enum reference_target target_of(uint64_t bits) {
    return (bits & 3) == 0 ? REFERENCE_VRAM : REFERENCE_SYSTEM;
}

struct page {
    struct place place;
    bool supervisor, read_only;
};

/* UNKNOWN: pages of 16 KiB before GT215; chosen: as later. A table at a neighbour's; chosen: there is none. */
static enum reason walk(const struct reference *r, uint64_t address, struct page *page) {
    static const unsigned bits_of_type[] = {0, 16, 14, 12};
    static const uint32_t small_entries[] = {0x20000, 0x8000, 0x4000, 0x2000};
    struct place directory = ref_g80_descriptor(r);
    directory.address += since(r, G84) ? r->directory : 0x1400;
    uint64_t pde = rd64(r, directory.target, directory.address + 8 * (address >> 29));
    unsigned type = pde & 3, bits = bits_of_type[type];
    if (type == 0 || (pde >> 2 & 3) == 1)
        return PT_NOT_PRESENT;
    uint32_t entries = type == 1 ? 0x2000 : type == 2 ? 0x8000 : small_entries[pde >> 5 & 3];
    uint64_t index = (address & 0x1fffffff) >> bits;
    if (index >= entries)
        return PT_TOO_SHORT;
    enum reference_target target = target_of(pde >> 2);
    uint64_t pte = rd64(r, target, linear(target, pde & UINT64_C(0xfffffff000)) + 8 * index);
    if (!(pte & 1))
        return PAGE_NOT_PRESENT;
    page->read_only = pte & 0x08;
    page->supervisor = pte & 0x40;
    /* All entries of a block are alike and have the address of its first page. */
    uint64_t block = UINT64_C(1) << (bits + (pte >> 7 & 7)),
             frame = pte & UINT64_C(0xffffffffff) & -(UINT64_C(1) << bits);
    page->place.target = target_of(pte >> 4);
    page->place.address = linear(page->place.target, frame) + (address & (block - 1));
    if ((pte >> 4 & 3) == 1) /* a neighbour's */
        page->place.address = NOWHERE;
    return NONE;
}

/* Where a byte is. */
static enum reason byte_place(const struct reference *r, const struct reference_pushbuffer *object, uint64_t address,
                              bool write, struct place *place) {
    const uint32_t *w = object->word;
    uint64_t limit = (uint64_t)(w[3] >> 24) << 32 | w[1], base = (uint64_t)(w[3] & 0xff) << 32 | w[2];
    uint64_t at = (base + address) & UINT64_C(0xffffffffff);
    uint32_t target = w[0] >> 16 & 3, access = w[0] >> 18 & 3, privilege = w[0] >> 20 & 3;
    struct page page = {.supervisor = false, .read_only = false};
    if (object->instance == 0)
        return NULL_DMAOBJ;
    if (limit < base || address > limit - base)
        return DMAOBJ_LIMIT;
    enum reason reason = target == 0 ? walk(r, at, &page) : NONE;
    if (reason != NONE)
        return reason;
    if (target != 0) {
        page.place.target = target == 1 ? REFERENCE_VRAM : REFERENCE_SYSTEM;
        page.place.address = linear(page.place.target, at);
    }
    *place = page.place;
    bool vram = place->target == REFERENCE_VRAM && place->address != NOWHERE;
    if (since(r, GT215) && vram && place->address >= r->config.vram_bytes)
        return VRAM_LIMIT;
    if ((privilege == 2 || (page.supervisor && privilege != 1)) && !(w[0] & SUPERVISOR_OBJECT))
        return PAGE_SUPERVISOR_ONLY;
    return write && (access == 1 || (page.read_only && access != 2)) ? PAGE_READ_ONLY : NONE;
}

/* False: some byte of it is nowhere, and nothing is read or written then; r->fault_at and r->fault_reason say why. */
bool ref_g80_place(struct reference *r, const struct reference_pushbuffer *object, uint64_t address, size_t bytes,
                   bool write, struct place *place) {
    for (size_t i = 0; i < bytes; i++) {
        enum reason reason =
            address + i < address ? DMAOBJ_LIMIT : byte_place(r, object, address + i, write, &place[i]);
        if (reason == NONE)
            continue;
        r->fault_at = address + i;
        r->fault_reason = reason;
        return false;
    }
    return true;
}

/*
 * The record of PFB keeps the first fault until the driver has seen it. UNKNOWN: whether the address is that in the
 * object or in the channel's memory; chosen: in the object.
 */
void ref_g80_fault(struct reference *r, uint32_t engine, uint32_t client, uint32_t slot) {
    uint64_t descriptor = ref_g80_descriptor(r).address;
    unsigned width = since(r, GT215) ? 8 : 4;
    if (r->fault_pending)
        return;
    r->fault_pending = true;
    r->fault[0] = engine | r->fault_reason << width | client << 2 * width | slot << 3 * width;
    r->fault[1] = descriptor >> 12 & 0xffff;
    r->fault[2] = descriptor >> 28 & 0xffff;
    r->fault[3] = r->fault_at & 0xffff;
    r->fault[4] = r->fault_at >> 16 & 0xffff;
    r->fault[5] = (r->fault_at >> 32 & 0xff) | (client == PFIFO_READ ? 0x100 : 0);
}
