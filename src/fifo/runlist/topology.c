/* SPDX-License-Identifier: MIT */
/*
 * The topology table at 0x22700: a TYPE, an ENUM and a DATA word per device, chained by bit 31. It is what drivers of
 * GK104 and later read to learn of engines, runlists, fault units and lines.
 *
 * Runlist r belongs to the r-th engine of the chip, but the copy engine that shares PGRAPH's runlist (PCOPY2) has
 * none of its own.
 *
 * UNKNOWN: interrupt, reset and register base numbers; only those that nouveau's PMC uses for these units are filled
 * in, for others the valid bits are 0.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_top.ref.txt; nouveau nvkm/subdev/top/gk104.c.
 */
#include "fifo/runlist/gk104.h"
#include "hw/pfifo_gf100.h"

#define TOP_DATA     1u
#define TOP_ENUM     2u
#define TOP_TYPE     3u
#define TOP_CONTINUE (1u << 31)

static const uint8_t device_types[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_PGRAPH] = 0x00, [CHIP_UNIT_PCOPY0] = 0x01, [CHIP_UNIT_PCOPY1] = 0x02, [CHIP_UNIT_PCOPY2] = 0x03,
    [CHIP_UNIT_PPDEC] = 0x08,  [CHIP_UNIT_PPPP] = 0x09,   [CHIP_UNIT_PVLD] = 0x0a,   [CHIP_UNIT_PVENC] = 0x0e,
    [CHIP_UNIT_PSEC] = 0x0d,   [CHIP_UNIT_PVDEC] = 0x10,
};

/* Bits of PMC INTR and ENABLE, and the block of registers >> 12. 0: not said. */
static const struct {
    uint8_t intr, reset;
    uint16_t base;
} device_lines[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_PGRAPH] = {12, 12, 0x400},
    [CHIP_UNIT_PCOPY0] = {5, 6, 0x104},
    [CHIP_UNIT_PCOPY1] = {6, 7, 0x105},
    [CHIP_UNIT_PCOPY2] = {7, 21, 0x106},
};

#define TYPE_MSENC 0x0bu

/* The encoder beside the decoders of Kepler is MSENC, the one beside NVDEC is NVENC. */
static uint32_t device_type(const struct pfifo_chip *chip, enum chip_unit unit) {
    for (unsigned e = 0; unit == CHIP_UNIT_PVENC && e < CHIP_MAX_ENGINES; e++)
        if (chip->engines[e] == CHIP_UNIT_PPDEC)
            return TYPE_MSENC;
    return device_types[unit];
}

static void describe(uint32_t row[3], const struct pfifo_chip *chip, unsigned engine, unsigned list) {
    enum chip_unit unit = chip->engines[engine];
    unsigned intr = device_lines[unit].intr, reset = device_lines[unit].reset;
    row[0] = TOP_TYPE | device_type(chip, unit) << 2 | TOP_CONTINUE;
    row[1] = TOP_ENUM | 1u << 5 | engine << 26 | 1u << 4 | list << 21 | (intr ? 1u << 3 | intr << 15 : 0) |
             (reset ? 1u << 2 | reset << 9 : 0) | TOP_CONTINUE;
    row[2] = TOP_DATA | 1u << 2 | pbdma_engine_fault_unit(unit) << 3 | (uint32_t)device_lines[unit].base << 12;
}

void gk104_make_topology(struct gk104_fifo *f) {
    const struct pfifo_chip *chip = f->p.base.chip;
    unsigned list = 0, row = 0;
    f->shared_copy = 0;
    for (unsigned e = 0; e < CHIP_MAX_ENGINES; e++) {
        enum chip_unit unit = chip->engines[e];
        if (unit == CHIP_UNIT_NONE)
            continue;
        bool shared = unit == CHIP_UNIT_PCOPY2 || list >= f->p.lists;
        if (unit == CHIP_UNIT_PCOPY2)
            f->shared_copy = e;
        f->engine_list[e] = shared ? 0 : list;
        if (!shared)
            f->list_engine[list++] = e;
        describe(&f->topology[row], chip, e, f->engine_list[e]);
        row += 3;
    }
}

static const struct reg rows[] = {
    {NV_PTOP_DEVICE_INFO, "TOPOLOGY", .at = offsetof(struct gk104_fifo, topology), .readable = ~0u,
     .count = GK104_TOPOLOGY_ROWS},
};

const struct reg_table topology_table = {"PTOP", rows, 1};
