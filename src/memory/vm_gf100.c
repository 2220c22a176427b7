/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory of Fermi, Kepler and Maxwell: two levels, and per directory entry a table of big and one of
 * small pages.
 *
 *   big page 128 KiB: 39    27 26        17 16     0     big page 64 KiB: 39    26 25        16 15     0
 *                     | PDE   | big page   | offset |                     | PDE   | big page   | offset |
 *
 *   PDE  63:36 small table  35 on an empty PDE: sparse  33:32 its target  31:4 big table  3:2 size  1:0 its target
 *   PTE  63, 62 write, read disabled  60:44 compression tag  43:36 kind  34:33 target  32 without 0: sparse  31:4
 * address  2 read-only 1 supervisor; in a big PTE without 0: no small pages  0 valid
 *
 * The differences between chips are rows (struct gf100_format).
 * UNKNOWN: which kinds a chip has. Chosen: all but 0xff, which drivers' tables call "invalid".
 * UNKNOWN: which kinds are compressed. Chosen: pages with a compression tag.
 * Not modelled: compression, atomics.
 * Sources: envytools rnndb/memory/gf100_vm.xml; nouveau nvkm/subdev/mmu/vmm{gf100,gk104,gm200}.c; open-gpu-kernel-
 * modules published/maxwell/gm107/dev_mmu.h.
 */
#include "memory/address_space.h"
#include "memory/translate.h"

#define VA_BITS    40
#define SMALL_BITS 12
#define KIND_NONE  0xffu

struct gf100_format {
    struct address_space_ops ops; /* first: space->ops leads here */
    bool has_no_small;            /* an invalid big PTE may hide the small pages below it */
    bool has_sparse;              /* sparse PDEs and PTEs */
    bool has_both_fault;          /* a big and a small page, both valid, fault */
};

/* A table that a PDE points to. target is as in the PDE: 0 none, 1 VRAM, 2 and 3 system. */
struct gf100_table {
    uint32_t target;
    uint64_t address;
};

static enum memory_target table_memory(const struct gf100_table *table) {
    return table->target == 1 ? MEMORY_VRAM : MEMORY_SYSTEM;
}

/* A VRAM address has 25 page bits; the three bits above are the number of a peer. */
static uint64_t frame_address(uint64_t frame, bool vram) {
    return (vram ? frame & 0x1ffffff : frame) << 12;
}

static struct gf100_table vm_gf100_table_of(uint64_t pde, bool small) {
    uint32_t half = (uint32_t)(small ? pde >> 32 : pde), target = half & 3;
    return (struct gf100_table){target, frame_address(half >> 4, target == 1)};
}

static uint64_t vm_gf100_read_pte(struct memory *memory, const struct gf100_table *table, uint64_t index) {
    return memory_physical_rd64(memory, table_memory(table), table->address + 8 * index);
}

static bool pte_valid(uint64_t pte) {
    return (pte & 1) != 0;
}

static bool pte_sparse(const struct gf100_format *format, uint64_t pte) {
    return format->has_sparse && !pte_valid(pte) && entry_bits(pte, 32, 32);
}

static bool vm_gf100_map_page(const struct pfifo_chip *chip, uint64_t pte, uint64_t va, unsigned page_bits,
                              struct mapping *mapping, struct fault *fault) {
    enum memory_target target = memory_target_of((uint32_t)entry_bits(pte, 34, 33));
    uint64_t page_bytes = UINT64_C(1) << page_bits;
    uint64_t page = frame_address(entry_bits(pte, 31, 4), target != MEMORY_SYSTEM);
    *mapping = mapping_of_page(target, page & ~(page_bytes - 1), va, page_bytes);
    mapping->privileged = entry_bits(pte, 1, 1) != 0;
    mapping->writable = entry_bits(pte, 2, 2) == 0;
    if (chip->has_page_access) {
        mapping->readable = entry_bits(pte, 62, 62) == 0;
        mapping->writable &= entry_bits(pte, 63, 63) == 0;
    }
    mapping->kind = (uint8_t)entry_bits(pte, 43, 36);
    if (mapping->kind == KIND_NONE)
        return fault_because(fault, FAULT_KIND);
    return target != MEMORY_SYSTEM || !entry_bits(pte, 60, 44) || fault_because(fault, FAULT_COMPRESSION);
}

static bool vm_gf100_map_sparse(uint64_t va, unsigned page_bits, struct mapping *mapping) {
    *mapping = mapping_of_sparse_page(va, UINT64_C(1) << page_bits);
    return true;
}

static bool gf100_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                            struct mapping *mapping, struct fault *fault) {
    const struct gf100_format *format = (const struct gf100_format *)space->ops;
    const struct pfifo_chip *chip = memory->config.chip;
    unsigned big_bits = space->flags & ADDRESS_SPACE_BIG_64K ? 16 : 17, pde_bits = big_bits + 10;
    uint64_t within = address & ((UINT64_C(1) << pde_bits) - 1);
    uint64_t pde = memory_physical_rd64(memory, space->target, space->base + 8 * (address >> pde_bits));
    struct gf100_table big = vm_gf100_table_of(pde, false), small = vm_gf100_table_of(pde, true);
    unsigned size_bits = pde_bits - (unsigned)entry_bits(pde, 3, 2);
    if (within >= UINT64_C(1) << size_bits)
        return fault_because(fault, FAULT_PDE_SIZE);
    if (!big.target && !small.target)
        return format->has_sparse && entry_bits(pde, 35, 35) ? vm_gf100_map_sparse(address, size_bits, mapping)
                                                             : fault_because(fault, FAULT_PDE);

    uint64_t big_pte = big.target ? vm_gf100_read_pte(memory, &big, within >> big_bits) : 0;
    bool no_small = format->has_no_small && !pte_valid(big_pte) && entry_bits(big_pte, 1, 1);
    uint64_t small_pte = small.target && !no_small ? vm_gf100_read_pte(memory, &small, within >> SMALL_BITS) : 0;
    /* UNKNOWN: which page is used if both are valid; chosen: the fault of that name; before GK104 the big page. */
    if (pte_valid(big_pte) && pte_valid(small_pte) && format->has_both_fault)
        return fault_because(fault, FAULT_BOTH_PTES);
    if (pte_valid(big_pte))
        return vm_gf100_map_page(chip, big_pte, address, big_bits, mapping, fault);
    if (pte_sparse(format, big_pte))
        return vm_gf100_map_sparse(address, big_bits, mapping);
    if (pte_valid(small_pte))
        return vm_gf100_map_page(chip, small_pte, address, SMALL_BITS, mapping, fault);
    if (pte_sparse(format, small_pte))
        return vm_gf100_map_sparse(address, SMALL_BITS, mapping);
    return fault_because(fault, FAULT_PTE);
}

static const struct gf100_format gf100_format = {
    .ops = {.name = "Fermi VM", .translate = gf100_translate, .cached = true},
};
static const struct gf100_format gk104_format = {
    .ops = {.name = "Kepler VM", .translate = gf100_translate, .cached = true},
    .has_no_small = true,
    .has_both_fault = true,
};
static const struct gf100_format gm200_format = {
    .ops = {.name = "Maxwell VM", .translate = gf100_translate, .cached = true},
    .has_no_small = true,
    .has_both_fault = true,
    .has_sparse = true,
};
const struct address_space_ops *const space_gf100_vm = &gf100_format.ops, *const space_gk104_vm = &gk104_format.ops,
                                      *const space_gm200_vm = &gm200_format.ops;

static bool big_page_is_64k(const struct memory *memory, const struct vm_instance *instance) {
    if (memory->mmu.big_page != MEMORY_BIG_PAGE_DEFAULT)
        return memory->mmu.big_page == MEMORY_BIG_PAGE_64K;
    return vm_format_of(memory->config.chip)->big_page_in_instance && instance->big_64k;
}

static struct address_space vm_gf100_open_format(struct memory *memory, enum memory_target target, uint64_t address,
                                                 const struct gf100_format *format) {
    struct vm_instance instance;
    if (!vm_instance_read(memory, target, address, &instance))
        return address_space_fault(FAULT_APERTURE);
    uint64_t last = (UINT64_C(1) << VA_BITS) - 1;
    return (struct address_space){.ops = &format->ops,
                                  .target = instance.target,
                                  .base = instance.directory,
                                  .limit = instance.limit < last ? instance.limit : last,
                                  .flags = big_page_is_64k(memory, &instance) ? ADDRESS_SPACE_BIG_64K : 0};
}

struct address_space vm_gf100_open(struct memory *memory, enum memory_target target, uint64_t instance) {
    return vm_gf100_open_format(memory, target, instance, &gf100_format);
}

struct address_space vm_gk104_open(struct memory *memory, enum memory_target target, uint64_t instance) {
    return vm_gf100_open_format(memory, target, instance, &gk104_format);
}

struct address_space vm_gm200_open(struct memory *memory, enum memory_target target, uint64_t instance) {
    return vm_gf100_open_format(memory, target, instance, &gm200_format);
}
