/* SPDX-License-Identifier: MIT */
/*
 * PFB of NV1 to NV4x, as far as the host needs it: how much VRAM there is, write protection of its end, where RAMIN
 * lies, and the registers of the PCIe GART (memory/gart.c).
 *
 * A flush of the GART is immediate and forgets everything.
 * UNKNOWN: which bits of the registers of the GART exist: all are stored. UNKNOWN: what is needed to switch it on;
 * chosen: its bit of 0x10008c, and the flag that drivers set with the address of the table.
 * Sources: envytools docs/hw/display/nv1/pfb.rst, rnndb/memory/{nv3,nv10}_pfb.xml; nouveau
 *          nvkm/subdev/fb/{ramnv04,ramnv10}.c, nvkm/subdev/mmu/{nv41,nv44}.c.
 */
#include "bus/tables.h"

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

_Static_assert((size_t)PFB_GART_850 < sizeof((struct bus *)0)->pfb / sizeof(uint32_t), "bus.pfb holds every slot");

/* What the two low bits of the first register say, in megabytes. */
static const struct amounts {
    const char *chips;
    uint8_t megabytes[4];
} amounts[] = {
    {"NV1 NV3", {1, 2, 4, 0}},
    {"NV3T", {8, 2, 4, 0}},
    {"NV4 NV5", {32, 4, 8, 16}},
};

/* UNKNOWN: the other bits, which describe the memory chips; chosen: 0. Other sizes than these do not exist. */
static uint32_t amount_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = unit;
    (void)reg, (void)index;
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        for (uint32_t value = 0; value < 4 && chip_in_range(bus->chip, amounts[i].chips); value++)
            if ((uint64_t)amounts[i].megabytes[value] << 20 == bus->memory->config.vram_bytes)
                return value;
    return 0;
}

static uint32_t vram_size_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct bus *bus = unit;
    (void)reg, (void)index;
    return (uint32_t)bus->memory->config.vram_bytes;
}

/* In units of 64 KiB, from the end of VRAM. */
static void protect(struct bus *bus, bool enable, uint32_t mask, bool ramin_too) {
    uint64_t vram = bus->memory->config.vram_bytes, bytes = enable ? (mask + 1) * (uint64_t)PROTECT_UNIT : 0;
    memory_protect(bus->memory, bytes < vram ? vram - bytes : 0, enable && ramin_too);
}

/* Where the register has what is protected; before NV4 and from NV40 on there is no such thing. */
static const struct protection {
    const char *chips;
    uint32_t enable;
    uint8_t mask_shift;
    bool ramin_too;
} protections[] = {
    {"NV4:NV10", CONFIG_PROTECT, 24, true},
    {"NV10:NV40", PROTECT_ENABLE, 4, false},
};

static void apply_protection(struct bus *bus) {
    const struct protection *p = CHIP_ROW(bus->chip, protections);
    uint32_t value = bus->pfb[PFB_PROTECT];
    if (p)
        protect(bus, value & p->enable, value >> p->mask_shift & 0xf, p->ramin_too);
}

static void apply_gart(struct bus *bus) {
    bool packed = bus->chip->has_packed_gart;
    uint32_t table = bus->pfb[PFB_GART_TABLE], control = bus->pfb[PFB_GART_CONTROL];
    uint32_t enable = packed ? GART_ENABLE_NV44 : GART_ENABLE_NV41, flag = packed ? GART_TABLE_NV44 : GART_TABLE_NV41;
    bus->memory->mmu.gart =
        (struct memory_gart){.enabled = bus->chip->gart_page_bits && control & enable && table & flag,
                             .table = table & GART_TABLE,
                             .bytes = bus->pfb[PFB_GART_BYTES],
                             .dummy = bus->pfb[PFB_GART_DUMMY] & GART_TABLE};
}

void pfb_apply_nv1(struct bus *bus) {
    apply_protection(bus);
    apply_gart(bus);
    pfb_tiling_loaded(bus);
}

static void protect_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    apply_protection(unit);
}

static void gart_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index, (void)value;
    apply_gart(bus);
    memory_tlb_flush(bus->memory);
}

static void gart_flush_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & GART_FLUSH)
        memory_tlb_flush(((struct bus *)unit)->memory);
}

/* The request reads back as set on the NV41 kind, which says that it is done; here a bit of its own does. */
static uint32_t gart_flush_read_nv44(void *unit, const struct reg *reg, uint32_t index) {
    uint32_t value = *reg_storage(unit, reg, index) & ~GART_FLUSHED;
    return value & GART_FLUSH ? value | GART_FLUSHED : value;
}

#define PFB_AT(slot)   .at = offsetof(struct bus, pfb[slot])
#define PFB_WORD(slot) PFB_AT(slot), .readable = ~0u, .writable = ~0u

static const struct reg regs_nv1[] = {
    {0x600000, "VRAM_CONFIG", .at = REG_NONE, .read = amount_read, .fields = "VRAM_SIZE 1:0"},
};

/* BOOT_0 in the databases, a name that PMC has too. */
static const struct reg regs_nv3[] = {
    {0x100000, "VRAM_CONFIG", .at = REG_NONE, .read = amount_read, .fields = "RAM_AMOUNT 1:0"},
};

/* UNKNOWN: the value after reset, which firmware sets; chosen: 0. */
static const struct reg regs_nv4[] = {
    {0x100200, "CONFIG_0", PFB_AT(PFB_PROTECT), .readable = 0x3f7ff33f, .writable = 0x3f7ff33f, .write = protect_write,
     .fields = "PRAMIN_WR_MASK 27:24, PRAMIN_WR_DISABLE 28"},
};

static const struct reg regs_nv10[] = {
    {0x10020c, "VRAM_SIZE", .at = REG_NONE, .read = vram_size_read},
};

static const struct reg protect_regs_nv10[] = {
    {0x100214, "PRAMIN_WR_PROT", PFB_AT(PFB_PROTECT), .readable = 0xf1, .writable = 0xf1, .write = protect_write,
     .fields = "ENABLE 0, MASK 7:4"},
};

static const struct reg gart_regs_nv41[] = {
    {0x10008c, "GART_CONTROL", PFB_WORD(PFB_GART_CONTROL), .write = gart_write, .fields = "ENABLE 8"},
    {0x100800, "GART_TABLE", PFB_WORD(PFB_GART_TABLE), .write = gart_write, .fields = "ADDRESS 31:12"},
    {0x100810, "GART_FLUSH", PFB_WORD(PFB_GART_FLUSH), .write = gart_flush_write, .fields = "FLUSH 5"},
    {0x100820, "GART_820", PFB_WORD(PFB_GART_820)},
};

static const struct reg gart_regs_nv44[] = {
    {0x10008c, "GART_CONTROL", PFB_WORD(PFB_GART_CONTROL), .write = gart_write, .fields = "ENABLE 9"},
    {0x100800, "GART_TABLE", PFB_WORD(PFB_GART_TABLE), .write = gart_write, .fields = "ADDRESS 31:12"},
    {0x100804, "GART_BYTES", PFB_WORD(PFB_GART_BYTES), .write = gart_write},
    {0x100808, "GART_FLUSH", PFB_WORD(PFB_GART_FLUSH), .read = gart_flush_read_nv44, .write = gart_flush_write,
     .fields = "DONE 0, FLUSH 5"},
    {0x100814, "GART_FLUSH_LAST", PFB_WORD(PFB_GART_LAST)},
    {0x100818, "GART_DUMMY", PFB_WORD(PFB_GART_DUMMY), .write = gart_write, .fields = "ADDRESS 31:12"},
    {0x100820, "GART_820", PFB_WORD(PFB_GART_820)},
    {0x10082c, "GART_82C", PFB_WORD(PFB_GART_82C)},
    {0x100850, "GART_850", PFB_WORD(PFB_GART_850)},
};

const struct reg_table pfb_nv1 = REG_TABLE("PFB", regs_nv1);
const struct reg_table pfb_nv3 = REG_TABLE("PFB", regs_nv3);
const struct reg_table pfb_nv10 = REG_TABLE("PFB", regs_nv10);
const struct reg_table pfb_nv4 = REG_TABLE("PFB", regs_nv4);
const struct reg_table pfb_protect_nv10 = REG_TABLE("PFB", protect_regs_nv10);
const struct reg_table pfb_gart_nv41 = REG_TABLE("PFB", gart_regs_nv41);
const struct reg_table pfb_gart_nv44 = REG_TABLE("PFB", gart_regs_nv44);
