/* SPDX-License-Identifier: MIT */
/*
 * PFB of NV4 to NV4x: the organization of DRAM, regions of tiled memory, and compression tags.
 *
 * A region permutes VRAM for all clients: the CPU and the engines use the same regions. pfb_tiling.c decodes them. Not
 * modelled: compression, for which the tags are.
 *
 * UNKNOWN: which bits of CFG0 and CFG1 exist, and their values after reset, which firmware sets; chosen: all are
 * stored, 0. UNKNOWN: regions after reset; chosen: none. UNKNOWN: STATUS of an invalid pitch; chosen: 0. UNKNOWN:
 * whether the chipsets with integrated graphics have all of this; chosen: as the chips they are derived from. So are
 * the tags of NV2A, NV45 and RSX: those of NV20, NV40 and G70.
 * Sources: envytools hwtest/nv10_tile.cc (which bits are stored, STATUS, COMP_MAX_TAG), nvhw/{tile,comp}.c,
 *          rnndb/memory/{nv3,nv10}_pfb.xml; nouveau nvkm/subdev/fb/nv10.c .. nv4e.c.
 */
#ifndef PFIFO_SRC_BUS_PFB_TILING_H
#define PFIFO_SRC_BUS_PFB_TILING_H

#include <pfifo/error.h>

#include "bus/reg.h"
#include "memory/tile.h"

struct bus;

#define PFB_TILES 15 /* most region registers of a chip */

struct pfb_tiling {
    struct bus *bus;
    uint32_t cfg0, cfg1;  /* 0x100200, 0x100204 */
    uint32_t comp_offset; /* 0x100324 */
    /* One per region: 0x100240 or 0x100600, and 0x100300 or 0x100700 for the tags. */
    uint32_t base[PFB_TILES], limit[PFB_TILES], pitch[PFB_TILES], comp_region[PFB_TILES];
    /* Of the chip, not saved. */
    struct reg_table table;             /* its rows */
    const struct dram_layout *dram;     /* how CFG0 and CFG1 are read; NULL: no regions */
    const struct region_layout *layout; /* how TILE_BASE is read; NULL: no regions */
    const struct tile_family *family;   /* NULL: no regions */
};

/* Attach the chip's rows, if there are any. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status pfb_tiling_attach(struct bus *bus, struct pfifo_error *error);
void pfb_tiling_free(struct bus *bus);

/* Find the layouts of the chip. */
void pfb_tiling_init(struct bus *bus);

/* Region `index`: its enable bits and its pitch. False: the pitch is invalid. */
uint32_t pfb_tile_enabled(const struct bus *bus, uint32_t index);
bool pfb_tile_pitch(const struct bus *bus, uint32_t index, struct tile_pitch *pitch);

/* Pass the regions to the memory unit, after the registers were written or loaded. */
void pfb_tiling_changed(struct bus *bus);
void pfb_tiling_loaded(struct bus *bus);

#endif
