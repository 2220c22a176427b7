/* SPDX-License-Identifier: MIT */
/*
 * PFB of NV1 to NV4x.
 *
 * UNKNOWN: which bits of the registers of the GART exist: all are stored. UNKNOWN: what switches it on; chosen: its bit
 * of 0x10008c together with the flag that drivers set with the address of the table.
 */
#include "bus/bus.h"
#include "bus/pfb.h"
#include "bus/pfb_tiling.h"

#define PROTECT_UNIT 0x10000u

#define CONFIG_PROTECT 0x10000000u /* NV4:NV10 */
#define PROTECT_ENABLE 0x00000001u /* NV10:NV40 */

#define GART_ENABLE_NV41 0x00000100u
#define GART_ENABLE_NV44 0x00000200u
#define GART_TABLE       0xfffff000u
#define GART_TABLE_NV41  0x00000002u
#define GART_TABLE_NV44  0x00000010u
#define GART_FLUSH       0x00000020u
#define GART_FLUSHED     0x00000001u /* NV44 */

/*
 * The values of the two low bits of the first register, in megabytes.
 * UNKNOWN: the other bits, which describe the memory chips; chosen: 0. Other sizes than these do not exist.
 */
static const uint8_t megabytes_nv1[4] = {1, 2, 4, 0}, megabytes_nv3t[4] = {8, 2, 4, 0},
                     megabytes_nv4[4] = {32, 4, 8, 16};

static uint32_t amount_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    for (uint32_t value = 0; value < 4; value++)
        if ((uint64_t)bus->chip->pfb->megabytes[value] << 20 == bus->memory->config.vram_bytes)
            return value;
    return 0;
}

static uint32_t pfb_nv1_vram_size_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    return (uint32_t)bus->memory->config.vram_bytes;
}

/* In units of 64 KiB, from the end of VRAM. */
static void protect(struct bus *bus, bool enable, uint32_t mask, bool ramin_too) {
    uint64_t vram = bus->memory->config.vram_bytes, bytes = enable ? (mask + 1) * (uint64_t)PROTECT_UNIT : 0;
    memory_protect(bus->memory, bytes < vram ? vram - bytes : 0, enable && ramin_too);
}

static void apply_protection(struct bus *bus) {
    const struct pfb_protection *p = &bus->chip->pfb->protection;
    uint32_t value = bus->pfb->protect;
    if (p->enable)
        protect(bus, value & p->enable, value >> p->mask_shift & 0xf, p->ramin_too);
}

static void apply_gart(struct bus *bus) {
    const struct pfb_gart_bits *bits = &bus->chip->pfb->gart;
    const struct pfb_gart *gart = &bus->pfb->gart;
    bus->memory->mmu.gart = (struct memory_gart){.enabled = gart->control & bits->enable && gart->table & bits->flag,
                                                 .table = gart->table & GART_TABLE,
                                                 .bytes = gart->bytes,
                                                 .dummy = gart->dummy & GART_TABLE};
}

static void pfb_apply_nv1(struct bus *bus) {
    apply_protection(bus);
    apply_gart(bus);
    pfb_tiling_loaded(bus);
}

static void protect_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    apply_protection(bus_of(unit));
}

static void gart_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index, (void)value;
    apply_gart(bus);
    memory_tlb_flush(bus->memory);
}

static void gart_flush_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & GART_FLUSH)
        memory_tlb_flush(bus_of(unit)->memory);
}

/* On the NV41 type the request reads back as set when it is done; on the NV44 type another bit shows that. */
static uint32_t gart_flush_read_nv44(void *unit, const struct reg *reg, uint32_t index) {
    uint32_t value = *reg_storage(unit, reg, index) & ~GART_FLUSHED;
    return value & GART_FLUSH ? value | GART_FLUSHED : value;
}

#define PFB_AT(field)   .at = offsetof(struct pfb, field)
#define PFB_WORD(field) PFB_AT(field), .readable = ~0u, .writable = ~0u

static const struct reg regs_nv1[] = {
    {0x600000, "VRAM_CONFIG", .at = REG_NONE, .read = amount_read, .fields = "VRAM_SIZE 1:0"},
};

/* The databases call it BOOT_0, like PMC's register. */
static const struct reg regs_nv3[] = {
    {0x100000, "VRAM_CONFIG", .at = REG_NONE, .read = amount_read, .fields = "RAM_AMOUNT 1:0"},
};

/* UNKNOWN: the value after reset, which firmware sets; chosen: 0. */
static const struct reg regs_nv4[] = {
    {0x100200, "CONFIG_0", PFB_AT(protect), .readable = 0x3f7ff33f, .writable = 0x3f7ff33f, .write = protect_write,
     .fields = "PRAMIN_WR_MASK 27:24, PRAMIN_WR_DISABLE 28"},
};

static const struct reg regs_nv10[] = {
    {0x10020c, "VRAM_SIZE", .at = REG_NONE, .read = pfb_nv1_vram_size_read},
};

static const struct reg protect_regs_nv10[] = {
    {0x100214, "PRAMIN_WR_PROT", PFB_AT(protect), .readable = 0xf1, .writable = 0xf1, .write = protect_write,
     .fields = "ENABLE 0, MASK 7:4"},
};

static const struct reg gart_regs_nv41[] = {
    {0x10008c, "GART_CONTROL", PFB_WORD(gart.control), .write = gart_write, .fields = "ENABLE 8"},
    {0x100800, "GART_TABLE", PFB_WORD(gart.table), .write = gart_write, .fields = "ADDRESS 31:12"},
    {0x100810, "GART_FLUSH", PFB_WORD(gart.flush), .write = gart_flush_write, .fields = "FLUSH 5"},
    {0x100820, "GART_820", PFB_WORD(gart.unknown_820)},
};

static const struct reg gart_regs_nv44[] = {
    {0x10008c, "GART_CONTROL", PFB_WORD(gart.control), .write = gart_write, .fields = "ENABLE 9"},
    {0x100800, "GART_TABLE", PFB_WORD(gart.table), .write = gart_write, .fields = "ADDRESS 31:12"},
    {0x100804, "GART_BYTES", PFB_WORD(gart.bytes), .write = gart_write},
    {0x100808, "GART_FLUSH", PFB_WORD(gart.flush), .read = gart_flush_read_nv44, .write = gart_flush_write,
     .fields = "DONE 0, FLUSH 5"},
    {0x100814, "GART_FLUSH_LAST", PFB_WORD(gart.flush_last)},
    {0x100818, "GART_DUMMY", PFB_WORD(gart.dummy), .write = gart_write, .fields = "ADDRESS 31:12"},
    {0x100820, "GART_820", PFB_WORD(gart.unknown_820)},
    {0x10082c, "GART_82C", PFB_WORD(gart.unknown_82c)},
    {0x100850, "GART_850", PFB_WORD(gart.unknown_850)},
};

#define PFB_TABLE(name, rows) static const struct reg_table name = REG_TABLE("PFB", rows)
PFB_TABLE(amount_nv1, regs_nv1);
PFB_TABLE(amount_nv3, regs_nv3);
PFB_TABLE(config_nv4, regs_nv4);
PFB_TABLE(size_nv10, regs_nv10);
PFB_TABLE(protect_nv10, protect_regs_nv10);
PFB_TABLE(gart_nv41, gart_regs_nv41);
PFB_TABLE(gart_nv44, gart_regs_nv44);

#define TABLES(...) .tables = {.regs = (const struct reg_table *const[]){__VA_ARGS__, NULL}}
#define BEFORE_G80  .attach = pfb_tiling_attach, .apply = pfb_apply_nv1

const struct pfb_variant pfb_nv1 = {TABLES(&amount_nv1), BEFORE_G80, .megabytes = megabytes_nv1};
const struct pfb_variant pfb_nv3 = {TABLES(&amount_nv3), BEFORE_G80, .megabytes = megabytes_nv1};
const struct pfb_variant pfb_nv3t = {TABLES(&amount_nv3), BEFORE_G80, .megabytes = megabytes_nv3t};
const struct pfb_variant pfb_nv4 = {TABLES(&amount_nv3, &config_nv4), BEFORE_G80, .megabytes = megabytes_nv4,
                                    .protection = {CONFIG_PROTECT, 24, true}};
const struct pfb_variant pfb_nv10 = {TABLES(&size_nv10, &protect_nv10), BEFORE_G80,
                                     .protection = {PROTECT_ENABLE, 4, false}};
const struct pfb_variant pfb_nv40 = {TABLES(&size_nv10), BEFORE_G80};
const struct pfb_variant pfb_nv41 = {TABLES(&size_nv10, &gart_nv41), BEFORE_G80,
                                     .gart = {GART_ENABLE_NV41, GART_TABLE_NV41}};
const struct pfb_variant pfb_nv44 = {TABLES(&size_nv10, &gart_nv44), BEFORE_G80,
                                     .gart = {GART_ENABLE_NV44, GART_TABLE_NV44}};
