/* SPDX-License-Identifier: MIT */
/*
 * G80 to MCP89: Tesla. One pusher and one puller, 128 channels, channel descriptors in memory,
 * virtual memory.
 *
 * The order is that of the features, not of the numbers: GT200 (0xa0) has the video engines of G84,
 * MCP77 (0xaa) those of G98. VRAM is the nearest power of two below a common board; that of the
 * IGPs (MCP77, MCP79, MCP89) is a carve-out of system memory.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/intro.rst, docs/hw/memory/g80-vm.rst;
 *          nouveau nvkm/engine/device/base.c, nvkm/engine/fifo/nv50.c, g84.c,
 * nvkm/engine/gr/{nv50,g84,gt200,gt215,mcp89}.c
 */
#include "chip/rows.h"

#define ENGINES_G80                                                                                                    \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG, CHIP_UNIT_PME, CHIP_UNIT_PVP1 }
#define ENGINES_G84                                                                                                    \
    {                                                                                                                  \
        CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG, CHIP_UNIT_NONE, CHIP_UNIT_PVP2, CHIP_UNIT_PCIPHER,      \
            CHIP_UNIT_PBSP                                                                                             \
    }
#define ENGINES_G98                                                                                                    \
    {                                                                                                                  \
        CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PPPP, CHIP_UNIT_NONE, CHIP_UNIT_PPDEC, CHIP_UNIT_PSEC,         \
            CHIP_UNIT_PVLD                                                                                             \
    }
#define ENGINES_GT215                                                                                                  \
    {                                                                                                                  \
        CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PPPP, CHIP_UNIT_PCOPY0, CHIP_UNIT_PPDEC, CHIP_UNIT_NONE,       \
            CHIP_UNIT_PVLD                                                                                             \
    }
#define ENGINES_MCP89                                                                                                  \
    {                                                                                                                  \
        CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PPPP, CHIP_UNIT_PCOPY0, CHIP_UNIT_PPDEC, CHIP_UNIT_PVCOMP,     \
            CHIP_UNIT_PVLD                                                                                             \
    }

/*
 * Objects of these units have no memory in RAMIN: nouveau writes nothing for them, and gives them all the same instance
 * (nvkm/core/ramht.c; nvkm_falcon and nvkm_xtensa have no bind). UNKNOWN: PVCOMP, which nouveau does not use, and PME
 * and PVP1 of G80; chosen: the former is a falcon like the others, the class of the latter is in RAMIN.
 */
#define OWN_G84                                                                                                        \
    { [4] = 0x7476, [6] = 0x74b0 }
#define OWN_G98                                                                                                        \
    { [2] = 0x88b3, [4] = 0x88b2, [5] = 0x88b4, [6] = 0x88b1 }
#define OWN_GT215                                                                                                      \
    { [2] = 0x85b3, [3] = 0x85b5, [4] = 0x85b2, [6] = 0x85b1 }
#define OWN_MCP89                                                                                                      \
    { [2] = 0x85b3, [3] = 0x85b5, [4] = 0x85b2, [5] = 0x86b6, [6] = 0x86b1 }

/* The pointers count to 0xffc, but the memory of the cache wraps at 0x800: 512 entries [driver]. */
#define TESLA                                                                                                          \
    .generation = "Tesla", .channels = 128, .channel_bits = 7, .pio_channels = 1, .cache1_entries = 512,               \
    .cache1_slots = 512, .dma_pointer_mask = 0xfffffffc, .cache1_pointer_mask = 0xffc, .object_class_bits = 16,        \
    .userd_stride = 0x2000, .bar1_bytes = CHIP_MIB(256), .ptimer = &ptimer_nv3, .pbus = &pbus_g80
#define TESLA_G84                                                                                                      \
    TESLA, .family = &chip_family_g84, HAS_G84, .bars = &bars_g84, .peephole = &peephole_g84, .ramfc_bytes = 0x100,    \
           .vm = CHIP_VM_G84
#define TESLA_826F TESLA_G84, .host_class = 0x826f
#define BUS_G84    .pmc = &pmc_g80, .pfb = &pfb_g84
#define TESLA_VP2  TESLA_826F, BUS_G84, .engines = ENGINES_G84, .own_classes = OWN_G84
#define TESLA_VP3  TESLA_826F, BUS_G84, .engines = ENGINES_G98, .own_classes = OWN_G98
#define CLASSES_G84                                                                                                    \
    { 0x8297, 0x5097, 0x50c0, 0x502d, 0x5039 }
#define CLASSES_GT200                                                                                                  \
    { 0x8397, 0x50c0, 0x502d, 0x5039 }
#define CLASSES_GT215                                                                                                  \
    { 0x8597, 0x50c0, 0x85c0, 0x502d, 0x5039, 0x85b5 }
#define CLASSES_MCP89                                                                                                  \
    { 0x8697, 0x50c0, 0x85c0, 0x502d, 0x5039, 0x85b5 }
#define TESLA_GT215                                                                                                    \
    TESLA_826F, .pmc = &pmc_gt215, .pfb = &pfb_gt215, .has_nrhost = true, .engines = ENGINES_GT215,                    \
                .own_classes = OWN_GT215, .classes = CLASSES_GT215

/*
 * The largest configurations [doc: gpu.rst]; not verified for G94 and MCP77. UNKNOWN: the memory type if common boards
 * differ; chosen: GDDR3 on the large chips, DDR2 on the small ones. IGPs use the memory of the host.
 */
#define UNITS(of_tpcs, of_mps, of_partitions, of_ram)                                                                  \
    .units = {.tpcs = (of_tpcs), .mps = (of_mps), .partitions = (of_partitions), .heads = 2, .ram_type = (of_ram)}
#define DDR2  1
#define GDDR3 2

static const struct pfifo_chip rows[] = {
    {CHIP("G80", 0x50), TESLA, UNITS(8, 2, 6, GDDR3), .family = &chip_family_g80, HAS_G80, .pmc = &pmc_g80,
     .bars = &bars_g80, .peephole = &peephole_g80, .pfb = &pfb_g80, .ramfc_bytes = 0x200, .host_class = 0x506f,
     .vm = CHIP_VM_G80, .vram_bytes = CHIP_MIB(512), .engines = ENGINES_G80,
     .classes = {0x5097, 0x50c0, 0x502d, 0x5039, 0x5062, 0x5089}},
    {CHIP("G84", 0x84), TESLA_VP2, UNITS(2, 2, 2, GDDR3), .vram_bytes = CHIP_MIB(256), .classes = CLASSES_G84},
    {CHIP("G86", 0x86), TESLA_VP2, UNITS(1, 2, 2, DDR2), .vram_bytes = CHIP_MIB(256), .classes = CLASSES_G84},
    {CHIP("G92", 0x92), TESLA_VP2, UNITS(8, 2, 4, GDDR3), .vram_bytes = CHIP_MIB(512), .classes = CLASSES_G84},
    {CHIP("G94", 0x94), TESLA_VP2, UNITS(4, 2, 4, GDDR3), .vram_bytes = CHIP_MIB(512), .classes = CLASSES_G84},
    {CHIP("G96", 0x96), TESLA_VP2, UNITS(2, 2, 2, DDR2), .vram_bytes = CHIP_MIB(512), .classes = CLASSES_G84},
    {CHIP("G98", 0x98), TESLA_VP3, UNITS(1, 1, 1, DDR2), .vram_bytes = CHIP_MIB(256), .classes = CLASSES_G84},
    {CHIP("GT200", 0xa0), TESLA_VP2, UNITS(10, 3, 8, GDDR3), .vram_bytes = CHIP_GIB(1), .classes = CLASSES_GT200},
    {CHIP("MCP77", 0xaa), TESLA_VP3, UNITS(1, 1, 1, 0), .has_stolen_vram = true, .vram_bytes = CHIP_MIB(256),
     .classes = CLASSES_GT200},
    {CHIP("MCP79", 0xac), TESLA_VP3, UNITS(1, 2, 1, 0), .has_stolen_vram = true, .vram_bytes = CHIP_MIB(256),
     .classes = CLASSES_GT200},
    {CHIP("GT215", 0xa3), TESLA_GT215, UNITS(4, 3, 2, GDDR3), .vram_bytes = CHIP_MIB(512),
     .note = "nouveau exposes PMPEG as well; there is no engine id left for it"},
    {CHIP("GT216", 0xa5), TESLA_GT215, UNITS(2, 3, 2, DDR2), .vram_bytes = CHIP_MIB(512)},
    {CHIP("GT218", 0xa8), TESLA_GT215, UNITS(1, 2, 1, DDR2), .vram_bytes = CHIP_MIB(512)},
    {CHIP("MCP89", 0xaf), TESLA_G84, .pmc = &pmc_gt215, .pfb = &pfb_mcp89, UNITS(2, 3, 2, 0), .has_stolen_vram = true,
     .has_nrhost = true, .has_line_flush = true, .host_class = 0x866f, .vram_bytes = CHIP_MIB(256),
     .engines = ENGINES_MCP89, .own_classes = OWN_MCP89, .classes = CLASSES_MCP89},
};

const struct chip_rows chip_rows_g80_to_mcp89 = CHIP_ROWS(rows);
