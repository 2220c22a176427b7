/* SPDX-License-Identifier: MIT */
/* PFB of G80 and later. */
#include "bus/pfb.h"

#include "bus/bus.h"
#include "bus/pmc.h"
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

/* Megabytes in the high bits; the low byte has bits 39:32. */
static uint32_t pfb_vram_size_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    uint64_t bytes = bus->memory->config.vram_bytes;
    return ((uint32_t)bytes & 0xffffff00) | (uint32_t)(bytes >> 32 & 0xff);
}

static void flush_write_g80(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & TRIGGER_G80)
        memory_tlb_flush(bus_of(unit)->memory);
}

static void flush_write_gf100(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & TRIGGER_GF100)
        memory_tlb_flush(bus_of(unit)->memory);
}

/* The queue of flushes is always empty, and the last request is always accepted: drivers poll for both. */
static uint32_t pfb_config_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)index;
    return *reg_storage(unit, reg, 0) | CONFIG_SLOTS_FREE | CONFIG_QUEUED;
}

/* The size of big pages is part of every cached translation. */
static void config_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index, (void)value;
    uint32_t config = bus->pfb->config;
    if ((config & CONFIG_FROM_INSTANCE) == CONFIG_FROM_INSTANCE)
        bus->memory->mmu.big_page = MEMORY_BIG_PAGE_DEFAULT;
    else
        bus->memory->mmu.big_page = config & CONFIG_BIG_64K ? MEMORY_BIG_PAGE_64K : MEMORY_BIG_PAGE_128K;
    memory_tlb_flush(bus->memory);
}

static void directory_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index, (void)value;
    bus->memory->mmu.directory_offset = bus->pfb->directory;
    memory_tlb_flush(bus->memory);
}

/* [31:12] and, as bit 0, bit 32. */
static uint32_t vram_limit_word(uint64_t limit) {
    return ((uint32_t)limit & LIMIT_LOW) | (uint32_t)(limit >> 32 & LIMIT_BIT_32);
}

static void pfb_apply_g80(struct bus *bus) {
    uint32_t limit = bus->pfb->vram_limit;
    bus->memory->mmu.system_high = (uint64_t)bus->pfb->system_high << SYSTEM_BITS;
    if (bus->chip->pfb->has_vram_limit)
        bus->memory->mmu.vram_limit = (limit & LIMIT_LOW) | (uint64_t)(limit & LIMIT_BIT_32) << 32;
}

/* The initial limit is the size of VRAM. */
static void pfb_init_g80(struct bus *bus) {
    bus->pfb->vram_limit = vram_limit_word(bus->memory->config.vram_bytes);
    pfb_apply_g80(bus);
}

static void apply_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pfb_apply_g80(bus_of(unit));
}

static uint32_t fault_source(const struct bus *bus, uint32_t engine, uint32_t reason, uint32_t client, uint32_t slot) {
    unsigned width = bus->chip->pfb->fault_field_bits;
    uint32_t mask = (1u << width) - 1;
    return (engine & mask) | (reason & mask) << width | (client & mask) << 2 * width | (slot & mask) << 3 * width;
}

/*
 * UNKNOWN: whether the enables of VM_FAULT keep a fault from being recorded. Chosen: they do not; BAR and PFIFO have no
 * enables, and drivers set all the others. PFB has no line to PMC: the unit that made the access interrupts [nouveau
 * nvkm/subdev/mc/{nv50,g84,g98,gt215}.c].
 */
void bus_vm_fault(struct bus *bus, uint32_t engine, uint32_t reason, uint32_t client, uint32_t slot, uint64_t instance,
                  uint64_t address, bool write) {
    if (bus->host_ops->cpu_fault && (engine == VM_ENGINE_BAR || engine == VM_ENGINE_PEEPHOLE))
        bus->host_ops->cpu_fault(bus->host, engine);
    if (bus->pfb->fault_pending)
        return;
    uint32_t *data = bus->pfb->fault_data;
    data[0] = fault_source(bus, engine, reason, client, slot);
    data[1] = (uint32_t)(instance >> 12) & 0xffff;
    data[2] = (uint32_t)(instance >> 28) & 0xffff;
    data[3] = (uint32_t)address & 0xffff;
    data[4] = (uint32_t)(address >> 16) & 0xffff;
    data[5] = (uint32_t)(address >> 32 & 0xff) | (write ? 0 : 0x100);
    bus->pfb->fault_pending = FAULT_PENDING;
}

static uint32_t fault_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    return bus->pfb->fault_control | bus->pfb->fault_pending;
}

static void fault_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    if (value & FAULT_PENDING)
        bus->pfb->fault_pending = 0;
}

static uint32_t fault_data_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    uint32_t word = bus->pfb->fault_control >> 24 & 7;
    return word < 6 ? bus->pfb->fault_data[word] : 0;
}

#define PFB_AT(field) .at = offsetof(struct pfb, field)

static const struct reg regs_g80[] = {
    {0x10020c, "VRAM_SIZE", .at = REG_NONE, .readable = ~0xf00u, .read = pfb_vram_size_read,
     .fields = "BYTES 31:12, BYTES_39_32 7:0"},
    {NV_PFB_SCRATCH_PAGE, "SCRATCH_PAGE", PFB_AT(scratch), .readable = ~0u, .writable = ~0u},
    {NV_PFB_TLB_FLUSH, "TLB_FLUSH", PFB_AT(flush), .readable = 0xf0000, .writable = 0xf0001, .write = flush_write_g80,
     .fields = "TRIGGER 0, ENGINE 19:16"},
    {0x100f04, "SYSTEM_HIGH", PFB_AT(system_high), .readable = 0x00ffffff, .writable = 0x00ffffff, .write = apply_write,
     .fields = "ADDRESS_63_40 23:0"},
    {NV_PFB_VM_FAULT_DATA, "VM_FAULT_DATA", .at = REG_NONE, .read = fault_data_read},
};

#define FAULT_FIELDS                                                                                                   \
    "PENDING 31, INDEX 26:24, PDAEMON 23, PCOUNTER 21, PCIPHER 20, PBSP 19, PMPEG 18, PME 17, PVP 16, PVCOMP 12, "     \
    "PCOPY 11, PGRAPH 10:0"

/* Enables of the engines, and the number of the record's word in VM_FAULT_DATA. Unknown bits are stored. */
static const struct reg fault_regs_g80[] = {
    {NV_PFB_VM_FAULT, "VM_FAULT", PFB_AT(fault_control), .readable = FAULT_ENABLES | FAULT_PENDING,
     .writable = FAULT_ENABLES, .read = fault_read, .write = fault_write, .fields = FAULT_FIELDS},
};

static const struct reg fault_regs_mcp89[] = {
    {NV_PFB_VM_FAULT, "VM_FAULT", PFB_AT(fault_control), .readable = FAULT_ENABLES_MCP89 | FAULT_PENDING,
     .writable = FAULT_ENABLES_MCP89, .read = fault_read, .write = fault_write, .fields = FAULT_FIELDS},
};

static const struct reg regs_gt215[] = {
    {VRAM_LIMIT, "VRAM_LIMIT", PFB_AT(vram_limit), .readable = LIMIT_LOW | LIMIT_BIT_32,
     .writable = LIMIT_LOW | LIMIT_BIT_32, .write = apply_write, .fields = "ADDRESS 31:12, ADDRESS_32 0"},
};

#define DIRECTORY_OFFSET 0xfffffff8u

static const struct reg regs_g84[] = {
    {0x100c9c, "PD_OFFSET", PFB_AT(directory), .readable = DIRECTORY_OFFSET, .writable = DIRECTORY_OFFSET,
     .reset = 0x200, .write = directory_write, .fields = "OFFSET 31:3"},
};

#define CONFIG_READABLE (CONFIG_BYPASS | CONFIG_SLOTS_FREE | CONFIG_QUEUED | CONFIG_BIG_64K)
#define CONFIG_FIELDS   "BYPASS 31, BYPASS_TARGET 29:28, SLOTS_FREE 23:16, QUEUED 15, BIG_PAGES_64K 0"

static const struct reg config_regs_gf100[] = {
    {NV_PFB_MMU_CONFIG, "MMU_CONFIG", PFB_AT(config), .readable = CONFIG_READABLE,
     .writable = CONFIG_BYPASS | CONFIG_BIG_64K, .read = pfb_config_read, .write = config_write,
     .fields = CONFIG_FIELDS},
};

/* UNKNOWN: the value after reset. Chosen: each instance block selects the size of its big pages, as drivers set it. */
static const struct reg config_regs_gm200[] = {
    {NV_PFB_MMU_CONFIG, "MMU_CONFIG", PFB_AT(config), .readable = CONFIG_READABLE | CONFIG_FROM_INSTANCE,
     .writable = CONFIG_BYPASS | CONFIG_FROM_INSTANCE | CONFIG_BIG_64K, .reset = CONFIG_FROM_INSTANCE,
     .read = pfb_config_read, .write = config_write, .fields = CONFIG_FIELDS ", BIG_PAGES_OF 12:11"},
};

static const struct reg regs_gf100[] = {
    {NV_PFB_TLB_FLUSH_PAGE, "TLB_FLUSH_PAGE", PFB_AT(flush_page), .readable = 0xfffffff0, .writable = 0xfffffff0,
     .fields = "PAGE 31:4"},
    {NV_PFB_TLB_FLUSH_SPACE, "TLB_FLUSH_SPACE", PFB_AT(flush_space), .readable = 0xfffffff2, .writable = 0xfffffff2,
     .fields = "DIRECTORY 31:4, SYSTEM 1"},
    {NV_PFB_TLB_FLUSH_GF100, "TLB_FLUSH", PFB_AT(flush), .readable = 0x7fffffff, .writable = ~0u,
     .write = flush_write_gf100, .fields = "TRIGGER 31, HUB_ONLY 2, ALL_SPACES 1, ALL_PAGES 0"},
};

#define PFB_TABLE(name, rows) static const struct reg_table name = REG_TABLE("PFB", rows)
PFB_TABLE(vram_g80, regs_g80);
PFB_TABLE(fault_g80, fault_regs_g80);
PFB_TABLE(fault_mcp89, fault_regs_mcp89);
PFB_TABLE(directory_g84, regs_g84);
PFB_TABLE(limit_gt215, regs_gt215);
PFB_TABLE(config_gf100, config_regs_gf100);
PFB_TABLE(config_gm200, config_regs_gm200);
PFB_TABLE(flush_gf100, regs_gf100);

#define TABLES(...) .tables = {.regs = (const struct reg_table *const[]){__VA_ARGS__, NULL}}
#define FROM_G80    .init = pfb_init_g80, .apply = pfb_apply_g80
/* Client numbers of the chips with a copy engine need more than a nibble. */
#define FROM_GT215 FROM_G80, .has_vram_limit = true, .fault_field_bits = 8

const struct pfb_variant pfb_g80 = {TABLES(&vram_g80, &fault_g80), FROM_G80, .fault_field_bits = 4};
const struct pfb_variant pfb_g84 = {TABLES(&vram_g80, &fault_g80, &directory_g84), FROM_G80, .fault_field_bits = 4};
const struct pfb_variant pfb_gt215 = {TABLES(&vram_g80, &fault_g80, &directory_g84, &limit_gt215), FROM_GT215};
const struct pfb_variant pfb_mcp89 = {TABLES(&vram_g80, &fault_mcp89, &directory_g84, &limit_gt215), FROM_GT215};
const struct pfb_variant pfb_gf100 = {TABLES(&config_gf100, &flush_gf100), FROM_G80};
const struct pfb_variant pfb_gm200 = {TABLES(&config_gm200, &flush_gf100), FROM_G80};
const struct pfb_variant pfb_gh100 = {FROM_G80};
