/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory of Pascal and later: levels of 9 bits; the last level has a table of 64 KiB pages and one of 4 KiB
 * pages.
 *
 *   VER2  49 bits:            48:47 PD3 | 46:38 PD2 | 37:29 PD1 | 28:21 PD0 | 20:16 or 20:12 | offset
 *   VER3  57 bits: 56 PD4 |   55:47 PD3 |     the same
 *
 * An entry of PD0 is dual, 16 bytes: the big table, the small table; or a page of 2 MiB. The same code walks both
 * versions: an entry is decoded into struct entry first.
 * Not modelled: compression, address translation services, atomics, access counters.
 * Sources: open-gpu-doc manuals volta/gv100 and turing/tu104 dev_mmu, dev_ram; nouveau nvkm/subdev/mmu/vmmgp100.c;
 * open-gpu-kernel-modules nvidia-uvm/hwref/hopper/gh100/dev_mmu.h, uvm_{ampere,hopper}_mmu.c.
 */
#include "memory/address_space.h"
#include "memory/translate.h"

#define PD0_BITS   21
#define BIG_BITS   16
#define SMALL_BITS 12

/* A directory or page table entry of either version. */
struct entry {
    bool valid;    /* a page (PTE), or a pointer to a table (PDE) */
    bool sparse;   /* not valid, and reads return 0 */
    bool no_small; /* big PTE, not valid: the small pages below are ignored */
    enum memory_target target;
    uint64_t address;
    bool privileged, read_only;
    uint8_t kind;
};

struct gp100_level {
    uint8_t shift, bits;
    bool may_be_page; /* an entry may be a page of 1 << shift bytes */
};

struct gp100_format {
    struct address_space_ops ops; /* first: space->ops leads here */
    uint8_t va_bits;
    uint8_t levels; /* above PD0 */
    struct gp100_level level[4];
    struct entry (*pde)(uint64_t pde);
    struct entry (*big_pde)(uint64_t pde); /* low half of a dual PDE */
    struct entry (*pte)(uint64_t pte);
};

/* Aperture of a pointer: 0 none, 1 VRAM, 2 and 3 system. */
static enum memory_target pointer_target(uint64_t aperture) {
    return aperture == 1 ? MEMORY_VRAM : MEMORY_SYSTEM;
}

/* VER2: VRAM addresses end at bit 32 of the entry; the number of a peer is above. */
static struct entry ver2_pointer(uint64_t pde, unsigned low, unsigned unit_bits) {
    uint64_t aperture = entry_bits(pde, 2, 1);
    return (struct entry){.valid = aperture != 0,
                          .sparse = aperture == 0 && entry_bits(pde, 3, 3),
                          .target = pointer_target(aperture),
                          .address = entry_bits(pde, aperture == 1 ? 32 : 53, low) << unit_bits};
}

static struct entry ver2_pde(uint64_t pde) {
    return ver2_pointer(pde, 8, 12);
}

/* The big table has 256 bytes, so its address has four more bits. */
static struct entry ver2_big_pde(uint64_t pde) {
    return ver2_pointer(pde, 4, 8);
}

static struct entry ver2_pte(uint64_t pte) {
    bool valid = pte & 1;
    enum memory_target target = memory_target_of((uint32_t)entry_bits(pte, 2, 1));
    return (struct entry){.valid = valid,
                          .sparse = !valid && entry_bits(pte, 3, 3),
                          .no_small = !valid && entry_bits(pte, 5, 5),
                          .target = target,
                          .address = entry_bits(pte, target == MEMORY_SYSTEM ? 53 : 32, 8) << 12,
                          .privileged = entry_bits(pte, 5, 5) != 0,
                          .read_only = entry_bits(pte, 6, 6) != 0,
                          .kind = (uint8_t)entry_bits(pte, 63, 56)};
}

/* VER3: addresses are not shifted, and a code of permissions (PCF) replaces single bits. */
static struct entry ver3_pointer(uint64_t pde, unsigned low) {
    uint64_t aperture = entry_bits(pde, 2, 1);
    return (struct entry){.valid = aperture != 0,
                          .sparse = aperture == 0 && entry_bits(pde, 3, 3),
                          .target = pointer_target(aperture),
                          .address = entry_bits(pde, 51, low) << low};
}

static struct entry ver3_pde(uint64_t pde) {
    return ver3_pointer(pde, 12);
}

static struct entry ver3_big_pde(uint64_t pde) {
    return ver3_pointer(pde, 8);
}

static struct entry ver3_pte(uint64_t pte) {
    bool valid = pte & 1;
    uint64_t pcf = entry_bits(pte, 7, 3);
    enum memory_target target = memory_target_of((uint32_t)entry_bits(pte, 2, 1));
    /* UNKNOWN: code 2 of an invalid PTE, "mapping nowhere"; chosen: invalid. */
    return (struct entry){.valid = valid,
                          .sparse = !valid && pcf == 1,
                          .no_small = !valid && pcf == 3,
                          .target = target,
                          .address = entry_bits(pte, target == MEMORY_SYSTEM ? 51 : 39, 12) << 12,
                          .privileged = (pcf & 2) != 0,
                          .read_only = (pcf & 4) != 0,
                          .kind = (uint8_t)entry_bits(pte, 11, 8)};
}

static bool vm_gp100_map_page(const struct entry *pte, uint64_t va, unsigned page_bits, struct mapping *mapping) {
    uint64_t page_bytes = UINT64_C(1) << page_bits;
    *mapping = mapping_of_page(pte->target, pte->address & ~(page_bytes - 1), va, page_bytes);
    mapping->writable = !pte->read_only;
    mapping->privileged = pte->privileged;
    mapping->kind = pte->kind;
    return true;
}

static bool vm_gp100_map_sparse(uint64_t va, unsigned page_bits, struct mapping *mapping) {
    *mapping = mapping_of_sparse_page(va, UINT64_C(1) << page_bits);
    return true;
}

static struct entry vm_gp100_read_pte(struct memory *memory, const struct gp100_format *format,
                                      const struct entry *table, uint64_t index) {
    return format->pte(memory_physical_rd64(memory, table->target, table->address + 8 * index));
}

/* PD0 and the tables below. UNKNOWN: which of two valid pages wins; chosen: the big one. */
static bool translate_dual(struct memory *memory, const struct gp100_format *format, const struct entry *pd0,
                           uint64_t va, struct mapping *mapping, struct fault *fault) {
    uint64_t at = pd0->address + 16 * entry_bits(va, PD0_BITS + 7, PD0_BITS);
    uint64_t low = memory_physical_rd64(memory, pd0->target, at);
    uint64_t high = memory_physical_rd64(memory, pd0->target, at + 8);
    if (low & 1) {
        struct entry page = format->pte(low);
        return vm_gp100_map_page(&page, va, PD0_BITS, mapping);
    }
    struct entry big_table = format->big_pde(low), small_table = format->pde(high), big = {0}, small = {0};
    if (big_table.sparse)
        return vm_gp100_map_sparse(va, PD0_BITS, mapping);
    if (big_table.valid)
        big = vm_gp100_read_pte(memory, format, &big_table, entry_bits(va, PD0_BITS - 1, BIG_BITS));
    if (big.valid)
        return vm_gp100_map_page(&big, va, BIG_BITS, mapping);
    if (big.sparse)
        return vm_gp100_map_sparse(va, BIG_BITS, mapping);
    if (small_table.valid && !big.no_small)
        small = vm_gp100_read_pte(memory, format, &small_table, entry_bits(va, PD0_BITS - 1, SMALL_BITS));
    if (small.valid)
        return vm_gp100_map_page(&small, va, SMALL_BITS, mapping);
    if (small.sparse)
        return vm_gp100_map_sparse(va, SMALL_BITS, mapping);
    return fault_because(fault, big_table.valid || small_table.valid ? FAULT_PTE : FAULT_PDE);
}

/* The bits above the space repeat its top bit, or are 0 (UNKNOWN: what other values mean; chosen: no page table). */
static bool canonical(const struct gp100_format *format, uint64_t va) {
    uint64_t above = va >> format->va_bits, sign = va >> (format->va_bits - 1);
    return above == 0 || sign == UINT64_MAX >> (format->va_bits - 1);
}

static bool gp100_translate(struct memory *memory, const struct address_space *space, uint64_t va,
                            struct mapping *mapping, struct fault *fault) {
    const struct gp100_format *format = (const struct gp100_format *)space->ops;
    struct entry table = {.valid = true, .target = space->target, .address = space->base};
    if (!canonical(format, va))
        return fault_because(fault, FAULT_PDE);
    for (unsigned i = 0; i < format->levels; i++) {
        const struct gp100_level *level = &format->level[i];
        uint64_t index = entry_bits(va, level->shift + level->bits - 1u, level->shift);
        uint64_t pde = memory_physical_rd64(memory, table.target, table.address + 8 * index);
        if (pde & 1) {
            struct entry page = format->pte(pde);
            return level->may_be_page ? vm_gp100_map_page(&page, va, level->shift, mapping)
                                      : fault_because(fault, FAULT_PDE);
        }
        table = format->pde(pde);
        if (!table.valid)
            return table.sparse ? vm_gp100_map_sparse(va, level->shift, mapping) : fault_because(fault, FAULT_PDE);
    }
    return translate_dual(memory, format, &table, va, mapping, fault);
}

/* UNKNOWN to a chip row: pages of 512 MiB came with GA100; chosen: not before VER3. */
static const struct gp100_format ver2_format = {
    .ops = {.name = "Pascal VM", .translate = gp100_translate, .cached = true},
    .va_bits = 49,
    .levels = 3,
    .level = {{47, 2, false}, {38, 9, false}, {29, 9, false}},
    .pde = ver2_pde,
    .big_pde = ver2_big_pde,
    .pte = ver2_pte,
};
static const struct gp100_format ver3_format = {
    .ops = {.name = "Hopper VM", .translate = gp100_translate, .cached = true},
    .va_bits = 57,
    .levels = 4,
    .level = {{56, 1, false}, {47, 9, false}, {38, 9, false}, {29, 9, true}},
    .pde = ver3_pde,
    .big_pde = ver3_big_pde,
    .pte = ver3_pte,
};
const struct address_space_ops *const space_gp100_vm = &ver2_format.ops, *const space_gh100_vm = &ver3_format.ops;

static struct address_space vm_gp100_open_format(const struct vm_instance *instance, const struct gp100_format *format,
                                                 uint64_t limit) {
    return (struct address_space){
        .ops = &format->ops, .target = instance->target, .base = instance->directory, .limit = limit};
}

/*
 * Chips with a doorbell have the instance block of GV100: no limit of the space, and no tables of the old format [doc:
 * open-gpu-doc volta/gv100 dev_ram]. UNKNOWN: GP10x; chosen: it still accepts both.
 */
struct address_space vm_gp100_open(struct memory *memory, enum memory_target target, uint64_t instance) {
    struct vm_instance block;
    bool gv100_instance = memory->config.chip->has_doorbell;
    if (!vm_instance_read(memory, target, instance, &block))
        return address_space_fault(FAULT_APERTURE);
    if (!block.ver2)
        return gv100_instance ? address_space_fault(FAULT_UNBOUND) : vm_gm200_open(memory, target, instance);
    return vm_gp100_open_format(&block, &ver2_format, gv100_instance ? UINT64_MAX : block.limit);
}

struct address_space vm_gh100_open(struct memory *memory, enum memory_target target, uint64_t instance) {
    struct vm_instance block;
    if (!vm_instance_read(memory, target, instance, &block))
        return address_space_fault(FAULT_APERTURE);
    return vm_gp100_open_format(&block, &ver3_format, UINT64_MAX);
}
