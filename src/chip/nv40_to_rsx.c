/* SPDX-License-Identifier: MIT */
/*
 * NV40 to MCP73, and RSX: Curie. A larger CACHE1 at 0x90000, RAMIN behind its own BAR, 9-bit
 * channel ids, contexts known by address.
 *
 * There are two families. NV41 family: VRAM of its own, GART table in RAMIN. NV44 family: TurboCache and IGPs; 0x2220
 * holds a VRAM address, the GART table is packed, 3D class 0x4497. The IGPs' VRAM is a carve-out of system memory.
 *
 * UNKNOWN: real depth of CACHE1: 512 slots can be addressed, and the pointers have 9 bits; 256 entries leave a bit that
 * distinguishes full from empty, as on NV4.
 * UNKNOWN: how many channels the silicon accepts: ids have 9 bits and there are 512 control areas, but the register
 * database and drivers use 32.
 *
 * Sources: envytools docs/hw/gpu.rst, docs/hw/fifo/intro.rst, rnndb/fifo/nv4_pfifo.xml, ssot/gpu.py;
 *          nouveau nvkm/engine/fifo/nv40.c, nvkm/engine/gr/nv40.c, nv44.c, nvkm/subdev/mmu/nv41.c, nv44.c
 */
#include "chip/rows.h"

#define ENGINES_NV40                                                                                                   \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG, CHIP_UNIT_PME }
#define ENGINES_NV41                                                                                                   \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG, CHIP_UNIT_PME, CHIP_UNIT_PVP1 }
#define ENGINES_C51                                                                                                    \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG, CHIP_UNIT_NONE, CHIP_UNIT_PVP1 }
#define ENGINES_C61                                                                                                    \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG }
#define ENGINES_C73                                                                                                    \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH }

/* UNKNOWN: whether a board before G80 has a larger BAR1; 256 MiB is the largest known. */
#define BUS_NV40 .pmc = &pmc_nv17, .ptimer = &ptimer_nv3, .bars = &bars_nv4, .peephole = &peephole_nv30
#define CURIE                                                                                                          \
    .generation = "Curie", .family = &chip_family_nv40, HAS_NV40, BUS_NV40, .bar1_most = CHIP_MIB(256),                \
    .channels = 32, .channel_bits = 9, .pio_channels = 32, .cache1_entries = 256, .cache1_slots = 512,                 \
    .dma_pointer_mask = 0xfffffffc, .cache1_pointer_mask = 0x7fc, .ramfc_bytes = 128, .object_class_bits = 16,         \
    .userd_stride = 0x1000, .ramin_bytes = CHIP_MIB(16), .ramin_chunk = CHIP_KIB(512)
#define CURIE_NV40 CURIE, .host_class = 0x406e
/* UNKNOWN: which chips had channel class 0x446e; those with the 3D class of NV44. */
#define CURIE_NV44                                                                                                     \
    CURIE, .host_class = 0x446e, .has_ramfc_select = true, .classes = {0x4497, 0x3062, 0x309e, 0x009f, 0x0039}
#define GART        .pfb = &pfb_nv41, .gart_page_bits = 12
#define GART_PACKED .pfb = &pfb_nv44, .gart_page_bits = 12, .has_packed_gart = true
#define GART_NONE   .pfb = &pfb_nv40 // NOLINT(bugprone-macro-parentheses): a member
#define CLASSES_NV40                                                                                                   \
    { 0x4097, 0x3597, 0x3062, 0x309e, 0x009f, 0x0039 }
#define CLASSES_NV41                                                                                                   \
    { 0x4097, 0x3062, 0x309e, 0x009f, 0x0039 }

/* The largest configurations [doc: gpu.rst, unverified], quad pipes of four pixel shaders. */
#define UNITS(of_vertices, of_quads) .units = {.quads = (of_quads), .vertices = (of_vertices)}

static const struct pfifo_chip rows[] = {
    {CHIP("NV40", 0x40), CURIE_NV40, .pbus = &pbus_nv31, GART_NONE, UNITS(6, 4), .vram_bytes = CHIP_MIB(256),
     .engines = ENGINES_NV40, .classes = CLASSES_NV40},
    {CHIP("NV45", 0x45), CURIE_NV40, .pbus = &pbus_nv31, GART_NONE, UNITS(6, 4), .vram_bytes = CHIP_MIB(256),
     .engines = ENGINES_NV40, .classes = CLASSES_NV41},
    {CHIP("NV41", 0x41), CURIE_NV40, .pbus = &pbus_nv41, UNITS(5, 3), GART, .vram_bytes = CHIP_MIB(256),
     .engines = ENGINES_NV41, .classes = CLASSES_NV41},
    {CHIP("NV42", 0x42), CURIE_NV40, .pbus = &pbus_nv41, UNITS(5, 3), GART, .vram_bytes = CHIP_MIB(256),
     .engines = ENGINES_NV41, .classes = CLASSES_NV41},
    {CHIP("NV43", 0x43), CURIE_NV40, .pbus = &pbus_nv43, UNITS(3, 2), GART, .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV41, .classes = CLASSES_NV41},
    {CHIP("NV44", 0x44), CURIE_NV44, .pbus = &pbus_nv43, UNITS(3, 1), GART_PACKED, .vram_bytes = CHIP_MIB(64),
     .engines = ENGINES_NV41},
    {CHIP("NV44A", 0x4a), CURIE_NV44, .pbus = &pbus_nv43, GART_NONE, UNITS(3, 1), .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV41},
    {CHIP("G70", 0x47), CURIE_NV40, .pbus = &pbus_nv43, UNITS(8, 6), GART, .has_ramfc_select = true,
     .vram_bytes = CHIP_MIB(256), .engines = ENGINES_NV41, .classes = CLASSES_NV41},
    {CHIP("G71", 0x49), CURIE_NV40, .pbus = &pbus_nv43, UNITS(8, 6), GART, .has_ramfc_select = true,
     .vram_bytes = CHIP_MIB(256), .engines = ENGINES_NV41, .classes = CLASSES_NV41},
    {CHIP("G73", 0x4b), CURIE_NV40, .pbus = &pbus_nv43, UNITS(8, 3), GART, .has_ramfc_select = true,
     .vram_bytes = CHIP_MIB(256), .engines = ENGINES_NV41, .classes = CLASSES_NV41},
    {CHIP("G72", 0x46), CURIE_NV44, .pbus = &pbus_nv43, UNITS(3, 1), GART_PACKED, .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV41},
    {CHIP("C51", 0x4e), CURIE_NV44, .pbus = &pbus_nv43, UNITS(1, 1), GART_PACKED, .vram_bytes = CHIP_MIB(64),
     .engines = ENGINES_C51, .note = "no PME was seen"},
    {CHIP("MCP61", 0x4c), CURIE_NV44, .pbus = &pbus_nv43, UNITS(1, 1), GART_PACKED, .vram_bytes = CHIP_MIB(64),
     .engines = ENGINES_C61, .note = "PMPEG is assumed"},
    {CHIP("MCP67", 0x67), CURIE_NV44, .pbus = &pbus_nv43, UNITS(1, 1), GART_PACKED, .vram_bytes = CHIP_MIB(64),
     .engines = ENGINES_C61, .note = "PMPEG is assumed"},
    {CHIP("MCP68", 0x68), CURIE_NV44, .pbus = &pbus_nv43, UNITS(1, 1), GART_PACKED, .vram_bytes = CHIP_MIB(64),
     .engines = ENGINES_C61, .note = "PMPEG is assumed"},
    {CHIP("MCP73", 0x63), CURIE_NV44, .pbus = &pbus_nv43, UNITS(1, 1), GART_PACKED, .vram_bytes = CHIP_MIB(64),
     .engines = ENGINES_C73},
    /* UNKNOWN: everything about RSX's PFIFO; it is a G70 with another bus. */
    {CHIP("RSX", 0x4d), CURIE_NV40, .pbus = &pbus_nv43, UNITS(8, 6), GART, .has_ramfc_select = true,
     .vram_bytes = CHIP_MIB(256), .engines = ENGINES_NV41, .classes = CLASSES_NV41,
     .note = "not documented: modelled as G70"},
};

const struct chip_rows chip_rows_nv40_to_rsx = CHIP_ROWS(rows);
