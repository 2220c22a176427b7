/* SPDX-License-Identifier: MIT */
/*
 * PFB from G80 on, as far as the host needs it: size and limit of VRAM, the bits above 40 of system addresses, TLB
 * flushes, and the VM fault record of Tesla.
 *
 * All flushes are immediate and forget everything, whichever engine, page or space they name.
 *
 * Sources: envytools docs/hw/memory/g80-vm.rst, rnndb/memory/{g80_pfb,gf100_pffb}.xml; nouveau nvkm/subdev/fb/nv50.c,
 *          nvkm/subdev/mmu/vmmgf100.c; open-gpu-doc manuals/volta/gv100/pri_mmu_hub.
 */
#include "bus/tables.h"
#include "chip/units.h"
#include "hw/pfb.h"

enum { VM_ENGINE_PEEPHOLE = 4, VM_ENGINE_BAR = 6 }; /* the host's own accesses */

#define TRIGGER_G80   0x00000001u
#define TRIGGER_GF100 0x80000000u

#define FAULT_ENABLES       0x07ffffffu
#define FAULT_ENABLES_MCP89 0x1fffffffu
#define FAULT_PENDING       0x80000000u

#define CONFIG_BIG_64K       0x00000001u
#define CONFIG_FROM_INSTANCE 0x00001800u /* GM200- */
#define CONFIG_SLOTS_FREE    0x00ff0000u
#define CONFIG_QUEUED        0x00008000u
#define CONFIG_BYPASS        0xb0000000u /* only stored */

#define VRAM_LIMIT   0x100e1cu
#define LIMIT_LOW    0xfffff000u
#define LIMIT_BIT_32 0x00000001u
#define SYSTEM_BITS  40

_Static_assert((size_t)PFB_SLOTS <= sizeof((struct bus *)0)->pfb / sizeof(uint32_t), "bus.pfb holds every slot");

/* Megabytes in the high bits; the low byte has bits 39:32. */
static uint32_t vram_size_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = unit;
    (void)reg, (void)index;
    uint64_t bytes = bus->memory->config.vram_bytes;
    return ((uint32_t)bytes & 0xffffff00) | (uint32_t)(bytes >> 32 & 0xff);
}

static void flush_write_g80(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & TRIGGER_G80)
        memory_tlb_flush(((struct bus *)unit)->memory);
}

static void flush_write_gf100(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & TRIGGER_GF100)
        memory_tlb_flush(((struct bus *)unit)->memory);
}

/* The queue of flushes is always empty, and what was asked last is always taken: drivers poll for both. */
static uint32_t config_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)index;
    return *reg_storage(unit, reg, 0) | CONFIG_SLOTS_FREE | CONFIG_QUEUED;
}

/* The size of big pages is part of every translation that is kept. */
static void config_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index, (void)value;
    uint32_t config = bus->pfb[PFB_CONFIG];
    if ((config & CONFIG_FROM_INSTANCE) == CONFIG_FROM_INSTANCE)
        bus->memory->mmu.big_page = MEMORY_BIG_PAGE_DEFAULT;
    else
        bus->memory->mmu.big_page = config & CONFIG_BIG_64K ? MEMORY_BIG_PAGE_64K : MEMORY_BIG_PAGE_128K;
    memory_tlb_flush(bus->memory);
}

static void directory_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index, (void)value;
    bus->memory->mmu.directory_offset = bus->pfb[PFB_DIRECTORY];
    memory_tlb_flush(bus->memory);
}

/* [31:12] and, as bit 0, bit 32. */
static uint32_t vram_limit_word(uint64_t limit) {
    return ((uint32_t)limit & LIMIT_LOW) | (uint32_t)(limit >> 32 & LIMIT_BIT_32);
}

/* Starts as the size of VRAM. */
void pfb_init(struct bus *bus) {
    bus->pfb[PFB_VRAM_LIMIT] = vram_limit_word(bus->memory->config.vram_bytes);
    pfb_apply_g80(bus);
}

void pfb_apply_g80(struct bus *bus) {
    uint32_t index, limit = bus->pfb[PFB_VRAM_LIMIT];
    bus->memory->mmu.system_high = (uint64_t)bus->pfb[PFB_SYSTEM_HIGH] << SYSTEM_BITS;
    if (bus_find(bus, VRAM_LIMIT, &index, NULL))
        bus->memory->mmu.vram_limit = (limit & LIMIT_LOW) | (uint64_t)(limit & LIMIT_BIT_32) << 32;
}

static void apply_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pfb_apply_g80(unit);
}

/* Client numbers of the chips with a copy engine (GT215-, MCP89) go beyond a nibble. */
static uint32_t fault_source(const struct bus *bus, uint32_t engine, uint32_t reason, uint32_t client, uint32_t slot) {
    unsigned width = chip_has_unit(bus->chip, CHIP_UNIT_PCOPY0) ? 8 : 4;
    uint32_t mask = (1u << width) - 1;
    return (engine & mask) | (reason & mask) << width | (client & mask) << 2 * width | (slot & mask) << 3 * width;
}

/*
 * UNKNOWN: whether the enables of VM_FAULT keep a fault from being recorded. Chosen: they do not; BAR and PFIFO
 * have none, and drivers set all the others.
 * PFB has no line to PMC: who asked interrupts [nouveau nvkm/subdev/mc/{nv50,g84,g98,gt215}.c].
 */
void bus_vm_fault(struct bus *bus, uint32_t engine, uint32_t reason, uint32_t client, uint32_t slot, uint64_t instance,
                  uint64_t address, bool write) {
    if (bus->cpu_fault && (engine == VM_ENGINE_BAR || engine == VM_ENGINE_PEEPHOLE))
        bus->cpu_fault(bus->fifo, engine);
    if (bus->pfb[PFB_FAULT_PENDING])
        return;
    uint32_t *data = &bus->pfb[PFB_FAULT_DATA];
    data[0] = fault_source(bus, engine, reason, client, slot);
    data[1] = (uint32_t)(instance >> 12) & 0xffff;
    data[2] = (uint32_t)(instance >> 28) & 0xffff;
    data[3] = (uint32_t)address & 0xffff;
    data[4] = (uint32_t)(address >> 16) & 0xffff;
    data[5] = (uint32_t)(address >> 32 & 0xff) | (write ? 0 : 0x100);
    bus->pfb[PFB_FAULT_PENDING] = FAULT_PENDING;
}

static uint32_t fault_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = unit;
    (void)reg, (void)index;
    return bus->pfb[PFB_FAULT_CONTROL] | bus->pfb[PFB_FAULT_PENDING];
}

static void fault_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index;
    if (value & FAULT_PENDING)
        bus->pfb[PFB_FAULT_PENDING] = 0;
}

static uint32_t fault_data_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = unit;
    (void)reg, (void)index;
    uint32_t word = bus->pfb[PFB_FAULT_CONTROL] >> 24 & 7;
    return word < 6 ? bus->pfb[PFB_FAULT_DATA + word] : 0;
}

#define PFB_AT(slot) .at = offsetof(struct bus, pfb[slot])

static const struct reg regs_g80[] = {
    {0x10020c, "VRAM_SIZE", .at = REG_NONE, .readable = ~0xf00u, .read = vram_size_read,
     .fields = "BYTES 31:12, BYTES_39_32 7:0"},
    {NV_PFB_SCRATCH_PAGE, "SCRATCH_PAGE", PFB_AT(PFB_SCRATCH), .readable = ~0u, .writable = ~0u},
    {NV_PFB_TLB_FLUSH, "TLB_FLUSH", PFB_AT(PFB_FLUSH), .readable = 0xf0000, .writable = 0xf0001,
     .write = flush_write_g80, .fields = "TRIGGER 0, ENGINE 19:16"},
    {0x100f04, "SYSTEM_HIGH", PFB_AT(PFB_SYSTEM_HIGH), .readable = 0x00ffffff, .writable = 0x00ffffff,
     .write = apply_write, .fields = "ADDRESS_63_40 23:0"},
    {NV_PFB_VM_FAULT_DATA, "VM_FAULT_DATA", .at = REG_NONE, .read = fault_data_read},
};

#define FAULT_FIELDS                                                                                                   \
    "PENDING 31, INDEX 26:24, PDAEMON 23, PCOUNTER 21, PCIPHER 20, PBSP 19, PMPEG 18, PME 17, PVP 16, PVCOMP 12, "     \
    "PCOPY 11, PGRAPH 10:0"

/* Enables of the engines, and which word of the record VM_FAULT_DATA shows. Unknown bits are stored. */
static const struct reg fault_regs_g80[] = {
    {NV_PFB_VM_FAULT, "VM_FAULT", PFB_AT(PFB_FAULT_CONTROL), .readable = FAULT_ENABLES | FAULT_PENDING,
     .writable = FAULT_ENABLES, .read = fault_read, .write = fault_write, .fields = FAULT_FIELDS},
};

static const struct reg fault_regs_mcp89[] = {
    {NV_PFB_VM_FAULT, "VM_FAULT", PFB_AT(PFB_FAULT_CONTROL), .readable = FAULT_ENABLES_MCP89 | FAULT_PENDING,
     .writable = FAULT_ENABLES_MCP89, .read = fault_read, .write = fault_write, .fields = FAULT_FIELDS},
};

static const struct reg regs_gt215[] = {
    {VRAM_LIMIT, "VRAM_LIMIT", PFB_AT(PFB_VRAM_LIMIT), .readable = LIMIT_LOW | LIMIT_BIT_32,
     .writable = LIMIT_LOW | LIMIT_BIT_32, .write = apply_write, .fields = "ADDRESS 31:12, ADDRESS_32 0"},
};

#define DIRECTORY_OFFSET 0xfffffff8u

static const struct reg regs_g84[] = {
    {0x100c9c, "PD_OFFSET", PFB_AT(PFB_DIRECTORY), .readable = DIRECTORY_OFFSET, .writable = DIRECTORY_OFFSET,
     .reset = 0x200, .write = directory_write, .fields = "OFFSET 31:3"},
};

#define CONFIG_READABLE (CONFIG_BYPASS | CONFIG_SLOTS_FREE | CONFIG_QUEUED | CONFIG_BIG_64K)
#define CONFIG_FIELDS   "BYPASS 31, BYPASS_TARGET 29:28, SLOTS_FREE 23:16, QUEUED 15, BIG_PAGES_64K 0"

static const struct reg config_regs_gf100[] = {
    {NV_PFB_MMU_CONFIG, "MMU_CONFIG", PFB_AT(PFB_CONFIG), .readable = CONFIG_READABLE,
     .writable = CONFIG_BYPASS | CONFIG_BIG_64K, .read = config_read, .write = config_write, .fields = CONFIG_FIELDS},
};

/* UNKNOWN: the value after reset. Chosen: each instance block says the size of its big pages, as drivers set it. */
static const struct reg config_regs_gm200[] = {
    {NV_PFB_MMU_CONFIG, "MMU_CONFIG", PFB_AT(PFB_CONFIG), .readable = CONFIG_READABLE | CONFIG_FROM_INSTANCE,
     .writable = CONFIG_BYPASS | CONFIG_FROM_INSTANCE | CONFIG_BIG_64K, .reset = CONFIG_FROM_INSTANCE,
     .read = config_read, .write = config_write, .fields = CONFIG_FIELDS ", BIG_PAGES_OF 12:11"},
};

static const struct reg regs_gf100[] = {
    {NV_PFB_TLB_FLUSH_PAGE, "TLB_FLUSH_PAGE", PFB_AT(PFB_FLUSH_PAGE), .readable = 0xfffffff0, .writable = 0xfffffff0,
     .fields = "PAGE 31:4"},
    {NV_PFB_TLB_FLUSH_SPACE, "TLB_FLUSH_SPACE", PFB_AT(PFB_FLUSH_SPACE), .readable = 0xfffffff2, .writable = 0xfffffff2,
     .fields = "DIRECTORY 31:4, SYSTEM 1"},
    {NV_PFB_TLB_FLUSH_GF100, "TLB_FLUSH", PFB_AT(PFB_FLUSH), .readable = 0x7fffffff, .writable = ~0u,
     .write = flush_write_gf100, .fields = "TRIGGER 31, HUB_ONLY 2, ALL_SPACES 1, ALL_PAGES 0"},
};

const struct reg_table pfb_g80 = REG_TABLE("PFB", regs_g80);
const struct reg_table pfb_fault_g80 = REG_TABLE("PFB", fault_regs_g80);
const struct reg_table pfb_fault_mcp89 = REG_TABLE("PFB", fault_regs_mcp89);
const struct reg_table pfb_g84 = REG_TABLE("PFB", regs_g84);
const struct reg_table pfb_gt215 = REG_TABLE("PFB", regs_gt215);
const struct reg_table pfb_config_gf100 = REG_TABLE("PFB", config_regs_gf100);
const struct reg_table pfb_config_gm200 = REG_TABLE("PFB", config_regs_gm200);
const struct reg_table pfb_gf100 = REG_TABLE("PFB", regs_gf100);
