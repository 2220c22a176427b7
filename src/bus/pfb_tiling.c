/* SPDX-License-Identifier: MIT */
/*
 * Decodes the registers of PFB for tiled VRAM (NV10 to NV4x): the regions, and the organization of the DRAM, on which
 * tiles depend (memory/tile.h).
 *
 * UNKNOWN: two regions that overlap; chosen: the one with the lower number is active, the other is not. UNKNOWN: a
 * region that extends beyond the end of VRAM; chosen: as if it ended there. UNKNOWN: how VRAM_ALT differs from VRAM;
 * chosen: not at all. Regions of the GART have no effect here: they do not permute VRAM.
 * UNKNOWN: numbers of columns and partitions that no DRAM has, and the state before firmware has set them; chosen: the
 * nearest valid number. UNKNOWN: the contents of VRAM when the organization is changed; chosen: regions follow at once,
 * the rest is unchanged.
 * Sources: envytools hwtest/nv10_tile.cc (which fields of CFG0 and CFG1 are used, and how), rnndb/memory/nv10_pfb.xml,
 *          nvhw/tile.c; nouveau nvkm/subdev/fb/nv10.c .. nv4e.c.
 */
#include <assert.h>

#include "bus/pfb_tiling.h"

#include "bus/bus.h"
#include "bus/pfb.h"

#define UNIT_16K 0x4000u
#define UNIT_64K 0x10000u

/* ---- DRAM ---- */

#define COLUMNS_LEAST 8u

/* How the registers are read. */
enum dram { DRAM_NV10, DRAM_NV20, DRAM_NV40, DRAM_NV44, DRAM_SYSTEM };

static const struct dram_layout {
    const char *chips;
    enum dram form;
    uint8_t columns_most; /* bits; tiles use no more, though some DRAM has more */
    uint8_t burst;        /* DRAM_NV10: log2 of the cells in a burst, if it is not DDR */
    bool twist;
    bool partition_moves; /* CFG0 selects its position in an address */
} drams[] = {
    {"NV10", DRAM_NV10, .columns_most = 9},
    {"NV15:NV17", DRAM_NV10, .columns_most = 9, .twist = true},
    {"NV17:NV20 NV34", DRAM_NV10, .columns_most = 9, .twist = true, .burst = 1},
    {"NV20:NV34", DRAM_NV20, .columns_most = 10},
    {"NV40:NV44", DRAM_NV40, .columns_most = 10},
    {"G70:G72 RSX", DRAM_NV40, .columns_most = 10, .partition_moves = true},
    {"NV44:G70 G72", DRAM_NV44, .columns_most = 9, .twist = true},
    {"C51:RSX", DRAM_SYSTEM}, /* system memory: pages of 4 KiB */
};

static unsigned columns_of(const struct dram_layout *dram, uint32_t field) {
    unsigned columns = field & 0xf;
    return columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns > dram->columns_most ? dram->columns_most : columns;
}

/* Address bits that select a byte of a cell, a cell of a burst, a partition, a column. */
struct bits {
    unsigned cell, burst, partition, columns;
};

static struct bits pfb_tiling_bits_of(const struct dram_layout *dram, uint32_t cfg0, uint32_t cfg1) {
    static const uint8_t widths[4] = {1, 2, 0, 2}, partitions[4] = {0, 1, 2, 2};
    switch (dram->form) {
    case DRAM_NV10:
        return (struct bits){2, dram->burst | (cfg0 & 1), widths[cfg0 >> 4 & 3], columns_of(dram, cfg0 >> 24)};
    case DRAM_NV20:
        return (struct bits){2 + (cfg0 >> 2 & 1), 0, partitions[cfg0 & 3], columns_of(dram, cfg1 >> 12)};
    case DRAM_NV40:
        return (struct bits){3, 0, partitions[cfg0 & 3], columns_of(dram, cfg1 >> 12)};
    case DRAM_NV44:
        return (struct bits){2, 1 + (cfg0 >> 11 & 1), cfg0 & 2 ? 0 : 1, columns_of(dram, cfg1 >> 12)};
    default:
        return (struct bits){2, 0, 0, 10};
    }
}

static struct tile_geometry geometry_of(const struct bus *bus) {
    const struct dram_layout *dram = bus->tiling->dram;
    uint32_t cfg0 = bus->tiling->cfg0;
    struct bits bits = pfb_tiling_bits_of(dram, cfg0, bus->tiling->cfg1);
    return (struct tile_geometry){.tile_bits = (uint8_t)(bits.cell + bits.partition + bits.columns),
                                  .partition_bits = (uint8_t)bits.partition,
                                  .partition_at = dram->partition_moves && cfg0 & 0x10 ? 7 : 8,
                                  .twist = dram->twist && bits.cell + bits.partition + bits.burst > 4};
}

/* ---- regions ---- */

/* Fields of TILE_BASE. */
static const struct region_layout {
    const char *chips;
    uint32_t enable; /* bits for the memory of the region: bit 0 alone VRAM, if there are several; 0x4: VRAM_ALT */
    uint32_t unit;
    uint32_t base;
    uint8_t offset_shift, offset_mask, offset_scale;
} layouts[] = {
    {"NV10:NV20", 0x80000000, UNIT_16K, 0x07ffc000, 0, 0, 0},
    {"NV20:NV30", 0x1, UNIT_16K, 0xffffc000, 1, 1, 1},
    {"NV30:NV34", 0x1, UNIT_16K, 0xffffc000, 4, 3, 1},
    {"NV34", 0x1, UNIT_16K, 0xffffc000, 0, 0, 0},
    {"NV40:NV44 G70:G72 RSX", 0x1, UNIT_64K, 0xffff0000, 4, 3, 1},
    {"NV44:G70", 0x3, UNIT_16K, 0xffffc000, 0, 0, 0},
    {"G72", 0x3, UNIT_16K, 0xffffc000, 4, 1, 2},
    {"C51:RSX", 0x7, UNIT_16K, 0xffffc000, 3, 1, 1},
};

void pfb_tiling_init(struct bus *bus) {
    struct pfb_tiling *tiling = bus->tiling;
    tiling->dram = CHIP_ROW(bus->chip, drams);
    tiling->layout = CHIP_ROW(bus->chip, layouts);
    tiling->family = tile_family_of(bus->chip);
    assert(!tiling->layout || (tiling->dram && tiling->family));
}

uint32_t pfb_tile_enabled(const struct bus *bus, uint32_t index) {
    const struct region_layout *layout = bus->tiling->layout;
    return layout ? bus->tiling->base[index] & layout->enable : 0;
}

bool pfb_tile_pitch(const struct bus *bus, uint32_t index, struct tile_pitch *pitch) {
    const struct tile_family *family = bus->tiling->family;
    return family && tile_pitch_of(family, bus->tiling->pitch[index], pitch);
}

/* Is it a region of VRAM? */
static bool is_vram(const struct region_layout *layout, uint32_t mode) {
    bool several = layout->enable & 2;
    return mode && (!several || mode == 1 || mode == 4);
}

struct extent {
    uint64_t begin, end;
};

static struct extent extent_of(const struct bus *bus, const struct region_layout *layout, uint32_t index) {
    uint64_t vram = bus->memory->config.vram_bytes, begin = bus->tiling->base[index] & layout->base;
    uint64_t end = (uint64_t)(bus->tiling->limit[index] | (layout->unit - 1)) + 1;
    end = end < vram ? end : vram;
    return (struct extent){begin, end > begin ? end : begin};
}

/* The number of registers. A loaded machine may have values in those that the chip does not have. */
static uint32_t pfb_tiling_regions_of(const struct bus *bus) {
    const struct reg_table *table = &bus->tiling->table;
    for (size_t i = 0; i < table->count; i++)
        if (table->regs[i].at == offsetof(struct pfb_tiling, base))
            return table->regs[i].count;
    return 0;
}

static bool overlaps_any(const struct extent *extents, unsigned count, struct extent extent) {
    for (unsigned i = 0; i < count; i++)
        if (extent.begin < extents[i].end && extents[i].begin < extent.end)
            return true;
    return false;
}

static struct memory_tiling tiling_of(const struct bus *bus, const struct region_layout *layout) {
    const struct tile_geometry geometry = geometry_of(bus);
    struct memory_tiling tiling = {0};
    struct extent extents[TILING_REGIONS];
    uint32_t number = pfb_tiling_regions_of(bus);
    unsigned count = 0;
    for (uint32_t i = 0; i < number; i++) {
        struct tile_pitch pitch;
        struct extent extent = extent_of(bus, layout, i);
        if (!is_vram(layout, pfb_tile_enabled(bus, i)) || !pfb_tile_pitch(bus, i, &pitch) ||
            extent.begin == extent.end || overlaps_any(extents, count, extent))
            continue;
        extents[count++] = extent;
        unsigned offset = (bus->tiling->base[i] >> layout->offset_shift & layout->offset_mask);
        tiling.region[i].base = extent.begin;
        tiling.region[i].map = tile_map_of(bus->tiling->family, &geometry, &pitch, offset * layout->offset_scale,
                                           extent.end - extent.begin);
    }
    return tiling;
}

static void pfb_tiling_apply(struct bus *bus, void (*to)(struct memory *, const struct memory_tiling *)) {
    if (!bus->tiling->layout)
        return;
    struct memory_tiling tiling = tiling_of(bus, bus->tiling->layout);
    to(bus->memory, &tiling);
}

void pfb_tiling_changed(struct bus *bus) {
    pfb_tiling_apply(bus, memory_set_tiling);
}

void pfb_tiling_loaded(struct bus *bus) {
    pfb_tiling_apply(bus, memory_load_tiling);
}
