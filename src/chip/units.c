/* SPDX-License-Identifier: MIT */
/*
 * UNKNOWN: lines of PME and PVP1, and their registers; chosen: none.
 * UNKNOWN: the client number of PVP1 and PME; chosen: that of PVPE, to which they belong.
 * UNKNOWN: fault units of PVDEC and PSEC on GM107 and later; chosen: 0x14 and 0x12; the topology table reports these to
 * drivers.
 * UNKNOWN: lines, resets and bases in the topology table; chosen: present for the units whose bits nouveau's PMC uses,
 * for the others the valid bits are 0.
 *
 * On GV100 and later, fault units, lines and resets are in the topology table of each chip and are not listed here. The
 * bases of copy engines are those that nouveau uses (ce/gp100.c).
 */
#include "chip/units.h"

#include <assert.h>

#define NO_BITS                    .line = CHIP_NO_BIT, .enable = CHIP_NO_BIT
#define BITS(line_bit, enable_bit) .line = (line_bit), .enable = (enable_bit)
#define REGISTERS(name, address)   .registers = UNIT_REGISTERS_##name, .base = (address)
#define FAULTS(number, client)     .has_fault_unit = true, .fault_unit = (number), .fault_client = (client)
#define TYPE(type)                 .topology = (type)
#define LINES_TOO                  .topology_has_lines = true

/* A copy engine of GV100 and later: all are of type LCE, and numbered by instance. */
#define LCE(n)                                                                                                         \
    { "GV100-", CHIP_UNIT_PCOPY##n, REGISTERS(NONE, 0x104400 + 0x80 * (n)), NO_BITS, TYPE(0x13) }

const struct chip_unit_row chip_unit_rows[] = {
    {"NV1:G80", CHIP_UNIT_PGRAPH, REGISTERS(GRAPH, 0x400000), BITS(12, 12)},
    {"G80:GF100", CHIP_UNIT_PGRAPH, REGISTERS(GRAPH, 0x400000), BITS(12, 12), FAULTS(0x00, 0x03)},
    {"GF100:GV100", CHIP_UNIT_PGRAPH, REGISTERS(GRAPH, 0x400000), BITS(12, 12), FAULTS(0x00, 0x04), TYPE(0x00),
     LINES_TOO},
    {"GV100-", CHIP_UNIT_PGRAPH, REGISTERS(GRAPH, 0x400000), NO_BITS, TYPE(0x00)},

    {"NV40:GF100", CHIP_UNIT_PME, NO_BITS, FAULTS(0x07, 0x06)},
    {"NV40:GF100", CHIP_UNIT_PVP1, NO_BITS, FAULTS(0x01, 0x06)},
    {"NV17:NV31", CHIP_UNIT_PMPEG, REGISTERS(NV17, 0x00b000), BITS(0, 1)},
    {"NV31:G80", CHIP_UNIT_PMPEG, REGISTERS(NV31, 0x00b000), BITS(0, 1)},
    {"G80:G98 GT200", CHIP_UNIT_PMPEG, REGISTERS(MPEG, 0x00b000), BITS(0, 1), FAULTS(0x08, 0x06), .query_slot = 5},
    {"G84:MCP77", CHIP_UNIT_PVP2, REGISTERS(XTENSA, 0x00f000), BITS(17, 17), FAULTS(0x01, 0x0c)},
    {"G84:MCP77", CHIP_UNIT_PBSP, REGISTERS(XTENSA, 0x103000), BITS(15, 15), FAULTS(0x09, 0x0d)},
    {"G84:MCP77", CHIP_UNIT_PCIPHER, REGISTERS(CIPHER, 0x102000), BITS(14, 14), FAULTS(0x0a, 0x0e), .read_slot = 1,
     .write_slot = 2, .query_slot = 3},

    {"G98:GF100", CHIP_UNIT_PVLD, REGISTERS(FALCON_FAULTS, 0x084000), BITS(15, 15), FAULTS(0x09, 0x0d)},
    {"GF100:GM107", CHIP_UNIT_PVLD, REGISTERS(FALCON, 0x084000), BITS(15, 15), FAULTS(0x10, 0x0d), TYPE(0x0a)},
    {"G98:GF100", CHIP_UNIT_PPDEC, REGISTERS(FALCON_FAULTS, 0x085000), BITS(17, 17), FAULTS(0x01, 0x0c)},
    {"GF100:GM107", CHIP_UNIT_PPDEC, REGISTERS(FALCON, 0x085000), BITS(17, 17), FAULTS(0x14, 0x0b), TYPE(0x08)},
    {"G98:GF100", CHIP_UNIT_PPPP, REGISTERS(FALCON_FAULTS, 0x086000), BITS(0, 1), FAULTS(0x08, 0x06)},
    {"GF100:GM107", CHIP_UNIT_PPPP, REGISTERS(FALCON, 0x086000), BITS(0, 1), FAULTS(0x11, 0x0c), TYPE(0x09)},
    {"G98:GF100", CHIP_UNIT_PSEC, REGISTERS(FALCON_SEC, 0x087000), BITS(14, 14), FAULTS(0x0a, 0x0e)},
    {"GM107:GV100", CHIP_UNIT_PSEC, REGISTERS(FALCON, 0x087000), BITS(15, 14), FAULTS(0x12, 0x16), TYPE(0x0d)},
    {"MCP89", CHIP_UNIT_PVCOMP, REGISTERS(FALCON_FAULTS, 0x1c1000), BITS(14, 14), FAULTS(0x07, 0x14)},
    {"GM107:GV100", CHIP_UNIT_PVDEC, REGISTERS(FALCON, 0x084000), BITS(17, 15), FAULTS(0x14, 0x0b), TYPE(0x10)},
    /* The encoder beside the decoders of Kepler is MSENC, the one beside PVDEC is NVENC. */
    {"GK104:GM107", CHIP_UNIT_PVENC, REGISTERS(FALCON, 0x1c2000), BITS(16, 18), FAULTS(0x19, 0x1c), TYPE(0x0b)},
    {"GM107:GV100", CHIP_UNIT_PVENC, REGISTERS(FALCON, 0x1c8000), BITS(16, 18), FAULTS(0x19, 0x1c), TYPE(0x0e)},

    {"GT215:GF100", CHIP_UNIT_PCOPY0, REGISTERS(FALCON_COPY, 0x104000), BITS(22, 13), FAULTS(0x0d, 0x13)},
    {"GF100:GK104", CHIP_UNIT_PCOPY0, REGISTERS(FALCON_COPY, 0x104000), BITS(5, 6), FAULTS(0x15, 0x01), TYPE(0x01)},
    {"GF100:GK104", CHIP_UNIT_PCOPY1, REGISTERS(FALCON_COPY, 0x105000), BITS(6, 7), FAULTS(0x16, 0x02), TYPE(0x02)},
    {"GK104:GP100", CHIP_UNIT_PCOPY0, REGISTERS(CE, 0x104000), BITS(5, 6), FAULTS(0x15, 0x01), TYPE(0x01), LINES_TOO},
    {"GK104:GP100", CHIP_UNIT_PCOPY1, REGISTERS(CE, 0x105000), BITS(6, 7), FAULTS(0x16, 0x02), TYPE(0x02), LINES_TOO},
    {"GK104:GP100", CHIP_UNIT_PCOPY2, REGISTERS(CE, 0x106000), BITS(7, 21), FAULTS(0x1b, 0x19), TYPE(0x03), LINES_TOO},
    {"GP100:GV100", CHIP_UNIT_PCOPY0, REGISTERS(CE_GP100, 0x104400), BITS(5, 6), FAULTS(0x15, 0x01), TYPE(0x01),
     LINES_TOO},
    {"GP100:GV100", CHIP_UNIT_PCOPY1, REGISTERS(CE_GP100, 0x104480), BITS(6, 7), FAULTS(0x16, 0x02), TYPE(0x02),
     LINES_TOO},
    {"GP100:GV100", CHIP_UNIT_PCOPY2, REGISTERS(CE_GP100, 0x104500), BITS(7, 21), FAULTS(0x1b, 0x19), TYPE(0x03),
     LINES_TOO},

    {"GV100-", CHIP_UNIT_PVDEC, NO_BITS, TYPE(0x10)},
    {"GV100-", CHIP_UNIT_PVDEC1, NO_BITS, TYPE(0x10)},
    {"GV100-", CHIP_UNIT_PVDEC2, NO_BITS, TYPE(0x10)},
    {"GV100-", CHIP_UNIT_PVENC, NO_BITS, TYPE(0x0e)},
    {"GV100-", CHIP_UNIT_PVENC1, NO_BITS, TYPE(0x0e)},
    {"GV100-", CHIP_UNIT_PVENC2, NO_BITS, TYPE(0x0e)},
    {"GV100-", CHIP_UNIT_PSEC, NO_BITS, TYPE(0x0d)},
    LCE(0),
    LCE(1),
    LCE(2),
    LCE(3),
    LCE(4),
    LCE(5),
    LCE(6),
    LCE(7),
    LCE(8),
    LCE(9),
};
const size_t chip_unit_row_count = sizeof chip_unit_rows / sizeof chip_unit_rows[0];

bool chip_has_unit(const struct pfifo_chip *chip, enum chip_unit unit) {
    for (size_t id = 0; id < CHIP_MAX_ENGINES; id++)
        if (chip->engines[id] == unit)
            return true;
    return false;
}

const struct chip_unit_row *chip_unit_row(const struct pfifo_chip *chip, enum chip_unit unit) {
    if (!chip_has_unit(chip, unit))
        return NULL;
    for (size_t i = 0; i < chip_unit_row_count; i++)
        if (chip_unit_rows[i].unit == unit && chip_in_range(chip, chip_unit_rows[i].chips))
            return &chip_unit_rows[i];
    return NULL;
}

uint32_t chip_unit_line(const struct pfifo_chip *chip, enum chip_unit unit) {
    const struct chip_unit_row *row = chip_unit_row(chip, unit);
    return row && row->line != CHIP_NO_BIT ? UINT32_C(1) << row->line : 0;
}

/* ---- names ---- */

static const char *const unit_names[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_NONE] = "none",     [CHIP_UNIT_SOFTWARE] = "SOFTWARE", [CHIP_UNIT_PGRAPH] = "PGRAPH",
    [CHIP_UNIT_PMPEG] = "PMPEG",   [CHIP_UNIT_PME] = "PME",           [CHIP_UNIT_PVP1] = "PVP1",
    [CHIP_UNIT_PVP2] = "PVP2",     [CHIP_UNIT_PCIPHER] = "PCIPHER",   [CHIP_UNIT_PBSP] = "PBSP",
    [CHIP_UNIT_PPDEC] = "PPDEC",   [CHIP_UNIT_PPPP] = "PPPP",         [CHIP_UNIT_PVLD] = "PVLD",
    [CHIP_UNIT_PSEC] = "PSEC",     [CHIP_UNIT_PVCOMP] = "PVCOMP",     [CHIP_UNIT_PVDEC] = "PVDEC",
    [CHIP_UNIT_PVDEC1] = "PVDEC1", [CHIP_UNIT_PVDEC2] = "PVDEC2",     [CHIP_UNIT_PVENC] = "PVENC",
    [CHIP_UNIT_PVENC1] = "PVENC1", [CHIP_UNIT_PVENC2] = "PVENC2",     [CHIP_UNIT_PCOPY0] = "PCOPY0",
    [CHIP_UNIT_PCOPY1] = "PCOPY1", [CHIP_UNIT_PCOPY2] = "PCOPY2",     [CHIP_UNIT_PCOPY3] = "PCOPY3",
    [CHIP_UNIT_PCOPY4] = "PCOPY4", [CHIP_UNIT_PCOPY5] = "PCOPY5",     [CHIP_UNIT_PCOPY6] = "PCOPY6",
    [CHIP_UNIT_PCOPY7] = "PCOPY7", [CHIP_UNIT_PCOPY8] = "PCOPY8",     [CHIP_UNIT_PCOPY9] = "PCOPY9",
};

const char *chip_unit_name(enum chip_unit unit) {
    assert((unsigned)unit < CHIP_UNIT_COUNT && unit_names[unit]);
    return unit_names[unit];
}

/* ---- classes ---- */

static const struct unit_class {
    uint16_t object_class;
    enum chip_unit unit;
} unit_classes[] = {
    {0x3174, CHIP_UNIT_PMPEG}, {0x8274, CHIP_UNIT_PMPEG}, {0x4075, CHIP_UNIT_PME},     {0x4176, CHIP_UNIT_PVP1},
    {0x7476, CHIP_UNIT_PVP2},  {0x74b0, CHIP_UNIT_PBSP},  {0x74c1, CHIP_UNIT_PCIPHER}, {0x85b1, CHIP_UNIT_PVLD},
    {0x86b1, CHIP_UNIT_PVLD},  {0x88b1, CHIP_UNIT_PVLD},  {0x85b2, CHIP_UNIT_PPDEC},   {0x88b2, CHIP_UNIT_PPDEC},
    {0x85b3, CHIP_UNIT_PPPP},  {0x88b3, CHIP_UNIT_PPPP},  {0x88b4, CHIP_UNIT_PSEC},    {0x85b5, CHIP_UNIT_PCOPY0},
};

enum chip_unit chip_unit_of_class(uint32_t object_class) {
    for (size_t i = 0; i < sizeof unit_classes / sizeof unit_classes[0]; i++)
        if (unit_classes[i].object_class == object_class)
            return unit_classes[i].unit;
    return CHIP_UNIT_PGRAPH;
}
