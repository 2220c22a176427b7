/* SPDX-License-Identifier: MIT */
/*
 * PFB of NV4 to NV4x: how its DRAM is built, regions of tiled memory, and tags of compression.
 *
 * A region permutes VRAM below all who look at it. What that makes of VRAM when regions change is in pfb_tiling.c; the
 * CPU and the engines look through the same regions. Not modelled: compression, of which tags say what is compressed.
 *
 * UNKNOWN: which bits of CFG0 and CFG1 exist, and their values after reset, which firmware sets; chosen: all are
 * stored, 0. UNKNOWN: regions after reset; chosen: none. UNKNOWN: STATUS of a pitch that is none; chosen: 0. UNKNOWN:
 * whether the chipsets with integrated graphics have all of this; chosen: as the chips they are derived from. The same
 * for tags of NV2A, NV45 and RSX, which are those of NV20, NV40 and G70.
 * Sources: envytools hwtest/nv10_tile.cc (which bits hold, STATUS, COMP_MAX_TAG), nvhw/{tile,comp}.c,
 *          rnndb/memory/{nv3,nv10}_pfb.xml; nouveau nvkm/subdev/fb/nv10.c .. nv4e.c.
 */
#ifndef PFIFO_SRC_BUS_PFB_TILING_H
#define PFIFO_SRC_BUS_PFB_TILING_H

#include <pfifo/error.h>

#include "bus/reg.h"
#include "memory/tile.h"

struct bus;

#define PFB_TILES 15 /* registers for regions that a chip has at most */

struct pfb_tiling {
    uint32_t cfg0, cfg1;  /* 0x100200, 0x100204 */
    uint32_t comp_offset; /* 0x100324 */
    /* A region each: 0x100240 or 0x100600, and 0x100300 or 0x100700 for the tags. */
    uint32_t base[PFB_TILES], limit[PFB_TILES], pitch[PFB_TILES], comp_region[PFB_TILES];
    /* Of the chip, not saved. */
    struct reg_table table;             /* the rows that it has */
    const struct dram_layout *dram;     /* how CFG0 and CFG1 are read; NULL: no regions */
    const struct region_layout *layout; /* how TILE_BASE is read; NULL: no regions */
    const struct tile_family *family;   /* NULL: no regions */
};

/* Attach the rows that the chip has, if any. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status pfb_tiling_attach(struct bus *bus, struct pfifo_error *error);
void pfb_tiling_free(struct bus *bus);

/* Find the layouts of the chip. */
void pfb_tiling_init(struct bus *bus);

/* Region `index`: its bits that say that it is enabled, and its pitch. False: the pitch is none. */
uint32_t pfb_tile_enabled(const struct bus *bus, uint32_t index);
bool pfb_tile_pitch(const struct bus *bus, uint32_t index, struct tile_pitch *pitch);

/* Tell memory what the registers say about regions: they were written, or loaded with it. */
void pfb_tiling_changed(struct bus *bus);
void pfb_tiling_loaded(struct bus *bus);

#endif
