/* SPDX-License-Identifier: MIT */
/*
 * PFB of NV1 to NV4x, as far as the host needs it: how much VRAM there is.
 *
 * Sources: envytools docs/hw/display/nv1/pfb.rst, rnndb/memory/{nv3,nv10}_pfb.xml; nouveau
 *          nvkm/subdev/fb/{ramnv04,ramnv10}.c.
 */
#include "bus/faces.h"

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

static const struct reg regs_nv1[] = {
    {0x600000, "VRAM_CONFIG", .at = REG_NONE, .read = amount_read, .fields = "VRAM_SIZE 1:0"},
};

/* BOOT_0 in the databases, a name that PMC has too. */
static const struct reg regs_nv3[] = {
    {0x100000, "VRAM_CONFIG", .at = REG_NONE, .read = amount_read, .fields = "RAM_AMOUNT 1:0"},
};

static const struct reg regs_nv10[] = {
    {0x10020c, "VRAM_SIZE", .at = REG_NONE, .read = vram_size_read},
};

const struct face pfb_nv1 = FACE("PFB", regs_nv1);
const struct face pfb_nv3 = FACE("PFB", regs_nv3);
const struct face pfb_nv10 = FACE("PFB", regs_nv10);
