/* SPDX-License-Identifier: MIT */
/*
 * DMA objects and virtual memory of G80 .. MCP89.
 *
 *   object    base and limit are absolute, the limit is the last byte; target 0 is virtual memory
 *   virtual   directory in the descriptor (G80: 0x1400, G84: 0x200), 0x800 entries of 512 MiB; one table each
 *
 * Nothing is kept: a test that changes tables flushes the TLB.
 * Sources: envytools docs/hw/memory/g80-vm.rst, rnndb/memory/g80_vm.xml; nouveau mmu/vmmnv50.c, engine/dma/usernv50.c.
 */
#include "state.h"

#define SUPERVISOR_OBJECT 0x80000000u

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

/* False: there is no page. UNKNOWN: pages of 16 KiB before GT215; chosen: as later. */
static bool walk(const struct reference *r, uint64_t address, struct page *page) {
    static const unsigned bits_of_type[] = {0, 16, 14, 12};
    static const uint32_t small_entries[] = {0x20000, 0x8000, 0x4000, 0x2000};
    struct place directory = ref_g80_descriptor(r);
    directory.address += since(r, G84) ? 0x200 : 0x1400;
    uint64_t pde = rd64(r, directory.target, directory.address + 8 * (address >> 29));
    unsigned type = pde & 3, bits = bits_of_type[type];
    if (type == 0 || (pde >> 2 & 3) == 1)
        return false;
    uint32_t entries = type == 1 ? 0x2000 : type == 2 ? 0x8000 : small_entries[pde >> 5 & 3];
    uint64_t index = (address & 0x1fffffff) >> bits;
    if (index >= entries)
        return false;
    enum reference_target target = target_of(pde >> 2);
    uint64_t pte = rd64(r, target, linear(target, pde & UINT64_C(0xfffffff000)) + 8 * index);
    if (!(pte & 1))
        return false;
    page->read_only = pte & 0x08;
    page->supervisor = pte & 0x40;
    /* All entries of a block are alike and have the address of its first page. */
    uint64_t block = UINT64_C(1) << (bits + (pte >> 7 & 7)),
             frame = pte & UINT64_C(0xffffffffff) & -(UINT64_C(1) << bits);
    page->place.target = target_of(pte >> 4);
    page->place.address = linear(page->place.target, frame) + (address & (block - 1));
    if ((pte >> 4 & 3) == 1) /* a neighbour's */
        page->place.address = NOWHERE;
    return true;
}

/* Where a byte is. */
static bool byte_place(const struct reference *r, const struct reference_pushbuffer *object, uint64_t address,
                       bool write, struct place *place) {
    const uint32_t *w = object->word;
    uint64_t limit = (uint64_t)(w[3] >> 24) << 32 | w[1], base = (uint64_t)(w[3] & 0xff) << 32 | w[2];
    uint64_t at = (base + address) & UINT64_C(0xffffffffff);
    uint32_t target = w[0] >> 16 & 3, access = w[0] >> 18 & 3, privilege = w[0] >> 20 & 3;
    struct page page = {.supervisor = false, .read_only = false};
    if (object->instance == 0 || limit < base || address > limit - base)
        return false;
    if (target == 0 && !walk(r, at, &page))
        return false;
    if (target != 0) {
        page.place.target = target == 1 ? REFERENCE_VRAM : REFERENCE_SYSTEM;
        page.place.address = linear(page.place.target, at);
    }
    *place = page.place;
    bool supervisor = privilege == 2 || (page.supervisor && privilege != 1);
    bool read_only = access == 1 || (page.read_only && access != 2);
    return (!supervisor || (w[0] & SUPERVISOR_OBJECT)) && !(write && read_only);
}

/* False: some byte of it is nowhere; nothing is read or written then. */
bool ref_g80_place(const struct reference *r, const struct reference_pushbuffer *object, uint64_t address, size_t bytes,
                   bool write, struct place *place) {
    for (size_t i = 0; i < bytes; i++)
        if (address + i < address || !byte_place(r, object, address + i, write, &place[i]))
            return false;
    return true;
}
