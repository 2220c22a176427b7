/* SPDX-License-Identifier: MIT */
#include "bus/units.h"

#include "bus/bus.h"

#include <stdlib.h>

#include "bus/shape.h"
#include "chip/units.h"

#define PAGE_SHIFT 12
#define MIB_SHIFT  20

static uint32_t ones(unsigned bits) {
    return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
}

/* ---- NV40:GF100 ---- */

#define HWUNITS_ALIVE 0x10000000u /* a card without it fails */
#define HWUNITS_VIDEO 0x40000000u

/* Bits of 0x154c. UNKNOWN: PCIE_VERSION; chosen: 1, which is 0. */
static const struct {
    uint32_t bit;
    enum chip_unit unit;
} hwunits_1[] = {
    {0x020, CHIP_UNIT_PBSP}, {0x020, CHIP_UNIT_PVLD},   {0x040, CHIP_UNIT_PCIPHER},
    {0x040, CHIP_UNIT_PSEC}, {0x040, CHIP_UNIT_PVCOMP}, {0x200, CHIP_UNIT_PCOPY0},
};
#define HWUNITS_DISPLAY    0x004u
#define HWUNITS_FULL_SPEED 0x080u

static void fill_hwunits(const struct pfifo_chip *chip, const struct memory_shape *shape, struct unit_counts *units) {
    const struct chip_units *has = &chip->units;
    if (has->mps)
        units->hwunits[0] =
            ones(has->tpcs) | ones(shape->partitions) << 16 | ones(has->mps) << 24 | HWUNITS_ALIVE | HWUNITS_VIDEO;
    else
        units->hwunits[0] = ones(has->quads) | ones(has->vertices) << 8;
    units->hwunits[1] = HWUNITS_FULL_SPEED | (has->heads ? HWUNITS_DISPLAY : 0);
    for (size_t i = 0; i < sizeof hwunits_1 / sizeof hwunits_1[0]; i++)
        if (chip_has_unit(chip, hwunits_1[i].unit))
            units->hwunits[1] |= hwunits_1[i].bit;
}

/* ---- GF100 and later ---- */

#define COPY_FUSES       3 /* of copy engines */
#define MISC_OFF_DISPLAY 0x00000001u
#define MISC_OFF_COPIES  8 /* first bit of the mask */

static void fill_design(const struct chip_units *has, struct unit_counts *units) {
    units->gpcs = has->gpcs;
    units->tpcs = has->tpcs;
    units->partitions = has->partitions;
    units->controllers = (uint32_t)has->partitions * has->controllers;
    units->zculls = has->zculls;
    units->copies = has->copies;
    units->heads = has->heads;
    units->ltcs_per_partition = has->ltcs;
    units->ltcs = (uint32_t)has->partitions * has->ltcs;
    units->controllers_per_partition = has->controllers;
    units->slices = has->slices;
}

static void fill_off(const struct pfifo_chip *chip, const struct memory_shape *shape, struct unit_counts *units) {
    const struct chip_units *has = &chip->units;
    units->partitions_off = ones(has->partitions) & ~ones(shape->partitions);
    for (unsigned p = 0; p < has->partitions; p++) {
        bool used = p < shape->partitions;
        uint32_t off = used ? ones(has->controllers) & ~ones(shape->controllers) : ones(has->controllers);
        units->controllers_off |= off << p * has->controllers;
        units->ltcs_off[p] = used ? ones(has->ltcs) & ~ones(shape->ltcs) : ones(has->ltcs);
        for (unsigned c = 0; used && c < shape->controllers; c++)
            units->mib[p * has->controllers + c] = (uint32_t)(shape->bytes >> MIB_SHIFT);
    }
    for (unsigned i = 0; i < COPY_FUSES; i++)
        units->copies_off |= chip_has_unit(chip, chip_copy_engine(i)) ? 0 : 1u << i;
    units->display_off = has->heads ? 0 : 1;
    /* Fermi has at most two copy engines. */
    unsigned copies = has->copies < COPY_FUSES ? 2 : COPY_FUSES;
    units->misc_off = (has->heads ? 0 : MISC_OFF_DISPLAY) | (units->copies_off & ones(copies)) << MISC_OFF_COPIES;
}

static void fill_used(const struct memory_shape *shape, const struct chip_units *has, struct unit_counts *units) {
    units->hubs_used = 1;
    units->partitions_used = shape->partitions;
    units->ltcs_used = shape->partitions * shape->ltcs;
    units->slices_used = (uint32_t)has->slices << 28;
}

#define DEVINIT_DONE 0x00000002u

static void units_init(struct bus *bus) {
    const struct pfifo_chip *chip = bus->chip;
    uint64_t vram = bus->memory->config.vram_bytes;
    const struct memory_shape shape = memory_shape_of(chip, vram);
    struct unit_counts *units = &bus->units->count;
    *units = (struct unit_counts){0};
    fill_hwunits(chip, &shape, units);
    fill_design(&chip->units, units);
    fill_used(&shape, &chip->units, units);
    fill_off(chip, &shape, units);
    units->stolen_pages = chip->has_stolen_vram ? (uint32_t)(vram >> PAGE_SHIFT) : 0;
    memory_shape_tesla(shape.bytes, &bus->units->set.cfg0, &bus->units->set.cfg1);
    bus->units->set.ram_type = chip->units.ram_type;
    bus->units->set.devinit = DEVINIT_DONE;
}

/* ---- registers ---- */

#define IS(field)  .at = offsetof(struct units, count.field), .readable = ~0u
#define SET(which) .at = offsetof(struct units, set.which), .readable = ~0u, .writable = ~0u

/* The counts of arrays depend on the chip. */
static const struct reg_row pbus_rows[] = {
    {"NV40:G80", {0x1540, "HWUNITS_0", IS(hwunits[0]), .fields = "QUAD_MASK 7:0, VERTEX_MASK 15:8"}},
    {"G80:GF100",
     {0x1540, "HWUNITS_0", IS(hwunits[0]),
      .fields = "TPC_MASK 15:0, PART_MASK 23:16, MP_MASK 27:24, UNK28 28, UNK29 29, VDEC 30, UNK31 31"}},
    {"G84:GF100",
     {0x154c, "HWUNITS_1", IS(hwunits[1]),
      .fields = "PCIE_VERSION 0, PCI_CLASS 1, PDISPLAY 2, PBSP_PVLD 5, PCIPHER_PSEC_PVCOMP 6, PCIE_SPEED 7, PCOPY 9"}},
};

/*
 * UNKNOWN: the order of banks, and the other fields of CFG0 and CFG1. Chosen: the simple order; the known fields only.
 * No memory is compressed, and there are no tags. UNKNOWN: where in system memory the VRAM of an IGP starts, which is
 * separate memory here. Chosen: at 0, which drivers treat as ordinary VRAM.
 */
static const struct reg_row pfb_rows[] = {
    {"G80:MCP77 GT215:MCP89", {0x100200, "CFG0", SET(cfg0), .fields = "RANKS 2"}},
    {"G80:MCP77 GT215:MCP89",
     {0x100204, "CFG1", SET(cfg1), .fields = "COLBITS 15:12, ROWBITS_A 19:16, ROWBITS_B 23:20, BANKBITS 25:24"}},
    {"G80:MCP77 GT215:MCP89", {0x100250, "BANKCFG", SET(banks), .fields = "REORDER_TIMES3 0"}},
    {"G80:MCP77 GT215:MCP89", {0x100714, "RAM_TYPE", SET(ram_type), .fields = "TYPE 2:0"}},
    {"G80:GF100", {0x100320, "COMP_MAX_TAG", .at = REG_NONE, .readable = ~0u}},
    {"MCP77:GT215 MCP89", {0x100e10, "FAKEFB_BASE", IS(stolen_base), .fields = "PAGES 31:0"}},
    {"MCP77:GT215 MCP89", {0x100e14, "FAKEFB_SIZE", IS(stolen_pages), .fields = "PAGES 31:0"}},
    {"GF100:GV100", {0x100800, "NUM_ACTIVE_LTCS", IS(ltcs_used)}},
};

#define MISC_FIELDS "PDISPLAY_PUNK1C3 0, PPDEC_PPPP 1, PVLD 2, PVENC 3, PCOPY_MASK 11:8"

/*
 * UNKNOWN: which bits of 0x02240c a board shows; chosen: bit 1, which tells drivers that firmware has set up the board.
 */
static const struct reg_row punits_rows[] = {
    {"GF100:GV100", {0x02240c, "DEVINIT", SET(devinit), .fields = "DONE 1"}},
    {"GF100:GV100", {0x022430, "DESIGN_GPC_COUNT", IS(gpcs)}},
    {"GF100:GV100", {0x022434, "DESIGN_TPC_PER_GPC_COUNT", IS(tpcs)}},
    {"GF100:GV100", {0x022438, "DESIGN_PART_COUNT", IS(partitions)}},
    {"GF100:GV100", {0x02243c, "DESIGN_MC_COUNT", IS(controllers)}},
    {"GF108:GF110 GF119:GV100", {0x022440, "DESIGN_ZCULL_PER_GPC_COUNT", IS(zculls)}},
    {"GF119:GV100", {0x022444, "DESIGN_PCOPY_COUNT", IS(copies)}},
    {"GF119:GV100", {0x022448, "DESIGN_HEAD_COUNT", IS(heads)}},
    {"GM200:GV100", {0x022450, "DESIGN_LTC_PER_PART_COUNT", IS(ltcs_per_partition)}},
    {"GM200:GV100", {0x022454, "DESIGN_LTC_COUNT", IS(ltcs)}},
    {"GM200:GV100", {0x022458, "DESIGN_MC_PER_PART_COUNT", IS(controllers_per_partition)}},
    {"GM200:GV100", {0x02245c, "DESIGN_SLICE_PER_LTC_COUNT", IS(slices)}},
    {"GF100:GM107", {0x022500, "HW_MISC_DISABLE", IS(misc_off), .fields = MISC_FIELDS}},
    {"GF100:GM107", {0x022548, "HW_PART_DISABLE_MASK", IS(partitions_off)}},
    {"GF100:GM107", {0x022554, "HW_MC_DISABLE_MASK", IS(controllers_off)}},
};

static const struct reg_row pfuse_rows[] = {
    {"GM107:GV100", {0x021c00, "OPT_PCOPY_DISABLE", IS(copies_off)}},
    {"GM107:GV100", {0x021c04, "OPT_PDISPLAY_DISABLE", IS(display_off)}},
    {"GM107:GV100", {0x021c14, "OPT_MC_DISABLE", IS(controllers_off)}},
    {"GM200:GV100", {0x021d38, "OPT_PART_DISABLE", IS(partitions_off)}},
    {"GM200:GV100", {0x021d70, "OPT_LTC_DISABLE", IS(ltcs_off)}},
};

/* Commands complete at once. */
static const struct reg_row pring_rows[] = {
    {"GF100:GK104", {0x121c4c, "COMMAND", .at = REG_NONE}},
    {"GF100:GK104", {0x121c70, "HUB_COUNT", IS(hubs_used)}},
    {"GF100:GK104", {0x121c74, "PART_COUNT", IS(partitions_used)}},
    {"GF100:GK104", {0x121c78, "GPC_COUNT", IS(gpcs)}},
    {"GK104:GV100", {0x12004c, "COMMAND", .at = REG_NONE}},
    {"GM200:GV100", {0x12006c, "LTC_COUNT", IS(ltcs_used)}},
    {"GK104:GV100", {0x120070, "HUB_COUNT", IS(hubs_used)}},
    {"GK104:GV100", {0x120074, "PART_COUNT", IS(partitions_used)}},
    {"GK104:GV100", {0x120078, "GPC_COUNT", IS(gpcs)}},
};

static const struct reg_row memory_rows[] = {
    {"GF100:GP100", {0x10f20c, "MEM_AMOUNT", IS(mib), .fields = "MIB 31:0"}},
    {"GF100:GP100", {0x11020c, "MC_MEM_AMOUNT", IS(mib), .stride = 0x1000, .fields = "MIB 31:0"}},
    {"GP100:GV100", {0x9a020c, "MEM_AMOUNT", IS(mib), .fields = "MIB 31:0"}},
    {"GP100:GV100", {0x90020c, "MC_MEM_AMOUNT", IS(mib), .stride = 0x4000, .fields = "MIB 31:0"}},
};

static const struct reg_row cache_rows[] = {
    {"GF100:GM107", {0x17e8dc, "CBC_PARAM", IS(slices_used), .fields = "SLICES 31:28"}},
    {"GM107:GV100", {0x17e280, "CBC_PARAM", IS(slices_used), .fields = "SLICES 31:28"}},
};

#define TABLE(unit, rows)                                                                                              \
    { unit, rows, sizeof(rows) / sizeof((rows)[0]) }
static const struct {
    const char *unit;
    const struct reg_row *rows;
    size_t count;
} tables[] = {
    TABLE("PBUS", pbus_rows),   TABLE("PFB", pfb_rows),     TABLE("PUNITS", punits_rows), TABLE("PFUSE", pfuse_rows),
    TABLE("PRING", pring_rows), TABLE("PBFB", memory_rows), TABLE("PMFB", cache_rows),
};
_Static_assert(sizeof tables / sizeof tables[0] == UNITS_TABLES, "every table has its slot in struct units");

/*
 * The number of elements of an array on this chip. Arrays are the registers with a stride, and the fuses of L2 caches.
 */
static uint16_t units_count_of(const struct chip_units *has, const struct reg *reg) {
    if (reg->at == offsetof(struct units, count.ltcs_off))
        return has->partitions;
    if (!reg->stride)
        return 1;
    bool is_memory = reg->at == offsetof(struct units, count.mib);
    return is_memory ? (uint16_t)(has->partitions * has->controllers) : has->gpcs;
}

static enum pfifo_status units_attach_table(struct bus *bus, size_t i, struct pfifo_error *error) {
    struct reg_table *table = &bus->units->tables[i];
    enum pfifo_status status =
        reg_table_select(table, tables[i].unit, tables[i].rows, tables[i].count, bus->chip, error);
    for (size_t r = 0; status == PFIFO_OK && r < table->count; r++) {
        struct reg *reg = (struct reg *)&table->regs[r];
        reg->count = units_count_of(&bus->chip->units, reg);
        reg->reset = reg->at != REG_NONE ? *reg_storage(bus->units, reg, 0) : 0;
    }
    return status == PFIFO_OK && table->count ? bus_attach_table(bus, table, bus->units, error) : status;
}

enum pfifo_status units_attach(struct bus *bus, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    units_init(bus);
    for (size_t i = 0; status == PFIFO_OK && i < sizeof tables / sizeof tables[0]; i++)
        status = units_attach_table(bus, i, error);
    units_init(bus); /* elements of an array may differ from the first */
    return status;
}

void units_free(struct bus *bus) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        free((void *)bus->units->tables[i].regs);
}
