/* SPDX-License-Identifier: MIT */
/*
 * Which line of PMC INTR an engine has.
 *
 * UNKNOWN: those of PME and PVP1; chosen: none.
 * Sources: nouveau nvkm/subdev/mc/{nv17,g84,g98,gt215,gf100,gk104}.c; envytools docs/hw/vdec, docs/hw/falcon/intro.rst.
 */
#include "bus/bus.h"

static const struct {
    enum chip_unit unit;
    const char *chips;
    uint8_t bit;
} lines[] = {
    {CHIP_UNIT_PGRAPH, "NV1-", 12},    {CHIP_UNIT_PMPEG, "NV17:G98 GT200", 0},
    {CHIP_UNIT_PVP2, "G84-", 17},      {CHIP_UNIT_PBSP, "G84-", 15},
    {CHIP_UNIT_PCIPHER, "G84-", 14},   {CHIP_UNIT_PPDEC, "G98-", 17},
    {CHIP_UNIT_PVLD, "G98-", 15},      {CHIP_UNIT_PPPP, "G98-", 0},
    {CHIP_UNIT_PSEC, "G98:GM107", 14}, {CHIP_UNIT_PSEC, "GM107-", 15},
    {CHIP_UNIT_PVCOMP, "MCP89", 14},   {CHIP_UNIT_PVDEC, "GM107-", 17},
    {CHIP_UNIT_PVENC, "GK104-", 16},   {CHIP_UNIT_PCOPY0, "GT215:GF100", 22},
    {CHIP_UNIT_PCOPY0, "GF100-", 5},   {CHIP_UNIT_PCOPY1, "GF100-", 6},
    {CHIP_UNIT_PCOPY2, "GK104-", 7},
};

uint32_t bus_engine_line(const struct pfifo_chip *chip, enum chip_unit unit) {
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (lines[i].unit == unit && chip_in_range(chip, lines[i].chips))
            return UINT32_C(1) << lines[i].bit;
    return 0;
}
