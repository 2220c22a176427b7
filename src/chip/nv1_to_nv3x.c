/* SPDX-License-Identifier: MIT */
/*
 * NV1 to NV36: the chips from before the CACHE moved out of the register block.
 *
 * VRAM is what a common board had. The IGPs (NV1A, NV1F, NV2A) use a carve-out of system memory
 * that the GPU sees as its VRAM.
 *
 * Sources: envytools docs/hw/gpu.rst, docs/hw/bus/pmc.rst, docs/hw/fifo/intro.rst, ssot/gpu.py,
 *          rnndb/fifo/nv1_pfifo.xml, nv4_pfifo.xml, hwtest/pgraph.cc (classes); nouveau nvkm/engine/fifo/nv04.c ..
 *          nv17.c; rivatv notes (NV3)
 */
#include "chip/rows.h"

/* UNKNOWN: whether a board before G80 has a larger BAR1; 256 MiB is the largest known. */
#define BAR1_MOST CHIP_MIB(256)

/* The blocks of the bus. */
#define BUS_NV1                                                                                                        \
    .pmc = &pmc_nv1, .ptimer = &ptimer_nv1, .pbus = &pbus_nv1, .bars = &bars_nv1, .pram = &pram_nv1, .pfb = &pfb_nv1
#define BUS_NV3  .pmc = &pmc_nv3, .ptimer = &ptimer_nv3, .pbus = &pbus_nv1, .bars = &bars_nv3
#define BUS_NV4_ .ptimer = &ptimer_nv3, .bars = &bars_nv4, .bar1_most = BAR1_MOST
#define BUS_NV4  BUS_NV4_, .pmc = &pmc_nv4, .pbus = &pbus_nv4, .pfb = &pfb_nv4
#define BUS_NV10 BUS_NV4_, .pmc = &pmc_nv4, .pbus = &pbus_nv10, .pfb = &pfb_nv10
#define BUS_NV1A BUS_NV4_, .pmc = &pmc_nv1a, .pbus = &pbus_nv10, .pfb = &pfb_nv10
#define BUS_NV17 BUS_NV4_, .pmc = &pmc_nv17, .pbus = &pbus_nv10, .pfb = &pfb_nv10
#define BUS_NV30 BUS_NV4_, .pmc = &pmc_nv17, .pbus = &pbus_nv30, .pfb = &pfb_nv10, .peephole = &peephole_nv30
#define BUS_NV31 BUS_NV4_, .pmc = &pmc_nv17, .pbus = &pbus_nv31, .pfb = &pfb_nv10, .peephole = &peephole_nv30

#define ENGINES_NV1                                                                                                    \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH }
#define ENGINES_NV31                                                                                                   \
    { CHIP_UNIT_SOFTWARE, CHIP_UNIT_PGRAPH, CHIP_UNIT_PMPEG }

/* 7-bit channel ids, contexts instead of objects, CACHE1 pointers in Gray code. */
/* UNKNOWN: size of RAMIN of NV3, 1 MiB as on its neighbours. */
#define PFIFO_NV1                                                                                                      \
    .channels = 128, .channel_bits = 7, .pio_channels = 128, .ramfc_bytes = 32, .userd_stride = 0x10000,               \
    .has_gray_pointers = true, .ramin_bytes = CHIP_MIB(1), .engines = ENGINES_NV1
#define CACHE1_32 .cache1_entries = 32, .cache1_slots = 32, .cache1_pointer_mask = 0x7c
#define CACHE1_64 .cache1_entries = 64, .cache1_slots = 64, .cache1_pointer_mask = 0xfc
#define NV3_KIND                                                                                                       \
    .generation = "RIVA 128", .family = &chip_family_nv3, PFIFO_NV1, HAS_NV3, BUS_NV3, .object_class_bits = 7,         \
    .host_class = 0x006b, .ramin_chunk = 16, .bar1_bytes = CHIP_MIB(16), .bar1_ramin = 0xc00000

/* Pointers have one bit more than the 128 entries need, which distinguishes full from empty. */
#define PFIFO_NV4                                                                                                      \
    .cache1_entries = 128, .cache1_slots = 256, .cache1_pointer_mask = 0x3fc, .userd_stride = 0x10000,                 \
    .ramin_bytes = CHIP_MIB(1)
#define POINTERS_29   .dma_pointer_mask = 0x1ffffffc
#define POINTERS_32   .dma_pointer_mask = 0xfffffffc
#define CHANNELS_NV4  .channels = 16, .channel_bits = 4, .pio_channels = 16
#define CHANNELS_NV10 .channels = 32, .channel_bits = 5, .pio_channels = 32
#define RAMFC_SMALL   .ramfc_bytes = 32
#define RAMFC_LARGE   .ramfc_bytes = 64

#define TNT                                                                                                            \
    .generation = "TNT", .family = &chip_family_nv4, PFIFO_NV4, BUS_NV4, CHANNELS_NV4, RAMFC_SMALL, POINTERS_29,       \
    .object_class_bits = 8, .host_class = 0x006b, .ramin_chunk = 16, .engines = ENGINES_NV1
#define CELSIUS                                                                                                        \
    .generation = "Celsius", PFIFO_NV4, CHANNELS_NV10, .object_class_bits = 8, .ramin_chunk = 16, .engines = ENGINES_NV1
#define CELSIUS_NV10                                                                                                   \
    CELSIUS, BUS_NV10, .family = &chip_family_nv10, HAS_NV10, RAMFC_SMALL, POINTERS_29, .host_class = 0x006e
#define CELSIUS_NV11                                                                                                   \
    CELSIUS, BUS_NV1A,                                                                                                 \
        .family = &chip_family_nv1a, HAS_NV1A, RAMFC_LARGE, POINTERS_32, .host_class = 0x006e,                         \
        .classes = {0x0056, 0x0096, 0x0094, 0x0095, 0x0054, 0x0055, 0x0062, 0x009f, 0x0039},                           \
        .note = "semaphore and subroutine state is saved in the large RAMFC; drivers use the 32 byte form"
#define CELSIUS_NV17                                                                                                   \
    CELSIUS, BUS_NV17,                                                                                                 \
        .family = &chip_family_nv1a, HAS_NV17, RAMFC_LARGE, POINTERS_32, .host_class = 0x176e,                         \
        .classes = {0x0056, 0x0096, 0x0098, 0x0099, 0x0094, 0x0095, 0x0054, 0x0055, 0x0062, 0x009f, 0x0039}
#define KELVIN                                                                                                         \
    .generation = "Kelvin", .family = &chip_family_nv1a, PFIFO_NV4, BUS_NV17, HAS_NV17, CHANNELS_NV10, RAMFC_LARGE,    \
    POINTERS_32, .host_class = 0x206e, .ramin_chunk = 64, .engines = ENGINES_NV1
#define KELVIN_NV20 KELVIN, .object_class_bits = 8, .classes = {0x0097, 0x0096, 0x0056, 0x0062, 0x009f, 0x0039}
#define KELVIN_NV25 KELVIN, .object_class_bits = 12, .classes = {0x0597, 0x0097, 0x0096, 0x0056, 0x0062, 0x009f, 0x0039}
#define RANKINE                                                                                                        \
    .generation = "Rankine", .family = &chip_family_nv1a, PFIFO_NV4, HAS_NV17, CHANNELS_NV10, RAMFC_LARGE,             \
    POINTERS_32, .object_class_bits = 12
/* UNKNOWN: which Rankine chips had channel class 0x366e; only NV36, after which it is named. */
#define CLASSES_NV30                                                                                                   \
    { 0x0397, 0x0597, 0x0097, 0x0362, 0x009f, 0x0039 }
#define CLASSES_NV35                                                                                                   \
    { 0x0497, 0x0397, 0x0597, 0x0097, 0x0362, 0x009f, 0x0039 }
#define CLASSES_NV34                                                                                                   \
    { 0x0697, 0x0397, 0x0597, 0x0362, 0x009f, 0x0039 }

static const struct pfifo_chip rows[] = {
    /* NV1 and NV3 have 5-bit and 7-bit object types, no classes. */
    {CHIP_OLD("NV1", 1, 0x00010100), .generation = "NV1", .family = &chip_family_nv1, PFIFO_NV1, BUS_NV1, CACHE1_32,
     .ramin_chunk = 4, .vram_bytes = CHIP_MIB(4), .has_vram_in_bar0 = true,
     .note = "with PRAM.CONFIG 0 RAMFC has room for 64 channels"},
    {CHIP_OLD("NV3", 3, 0x00030110), NV3_KIND, .pfb = &pfb_nv3, CACHE1_32, .vram_bytes = CHIP_MIB(4)},
    {CHIP_OLD("NV3T", 3, 0x00030120), NV3_KIND, .pfb = &pfb_nv3t, CACHE1_64, .vram_bytes = CHIP_MIB(8)},

    {CHIP_OLD("NV4", 4, 0x20004000), TNT, HAS_NV4, .binds_by_driver = true, .vram_bytes = CHIP_MIB(16),
     .classes = {0x0055, 0x0054, 0x0048, 0x0042, 0x005f, 0x0039}},
    {CHIP_OLD("NV5", 5, 0x20104000), TNT, HAS_NV5, .vram_bytes = CHIP_MIB(32),
     .classes = {0x0055, 0x0054, 0x0048, 0x0042, 0x005f, 0x0039}},

    {CHIP("NV10", 0x10), CELSIUS_NV10, .vram_bytes = CHIP_MIB(32),
     .classes = {0x0056, 0x0094, 0x0095, 0x0054, 0x0055, 0x0048, 0x0062, 0x005f, 0x0039}},
    {CHIP("NV15", 0x15), CELSIUS_NV10, .vram_bytes = CHIP_MIB(32),
     .classes = {0x0096, 0x0056, 0x0094, 0x0095, 0x0054, 0x0055, 0x0062, 0x009f, 0x0039}},
    {CHIP("NV1A", 0x1a), CELSIUS_NV11, .vram_bytes = CHIP_MIB(32)},
    {CHIP("NV11", 0x11), CELSIUS_NV11, .vram_bytes = CHIP_MIB(32)},
    {CHIP("NV17", 0x17), CELSIUS_NV17, .vram_bytes = CHIP_MIB(64)},
    {CHIP("NV1F", 0x1f), CELSIUS_NV17, .vram_bytes = CHIP_MIB(64)},
    {CHIP("NV18", 0x18), CELSIUS_NV17, .vram_bytes = CHIP_MIB(64)},

    {CHIP("NV20", 0x20), KELVIN_NV20, .vram_bytes = CHIP_MIB(64)},
    {CHIP("NV2A", 0x2a), KELVIN_NV20, .vram_bytes = CHIP_MIB(64)},
    {CHIP("NV25", 0x25), KELVIN_NV25, .vram_bytes = CHIP_MIB(128)},
    {CHIP("NV28", 0x28), KELVIN_NV25, .vram_bytes = CHIP_MIB(128)},

    {CHIP("NV30", 0x30), RANKINE, BUS_NV30, .host_class = 0x206e, .ramin_chunk = 64, .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV1, .classes = CLASSES_NV30},
    {CHIP("NV35", 0x35), RANKINE, BUS_NV30, .host_class = 0x206e, .ramin_chunk = 64, .vram_bytes = CHIP_MIB(256),
     .engines = ENGINES_NV1, .classes = CLASSES_NV35},
    {CHIP("NV31", 0x31), RANKINE, BUS_NV31, .host_class = 0x206e, .ramin_chunk = 64, .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV31, .classes = CLASSES_NV30},
    {CHIP("NV36", 0x36), RANKINE, BUS_NV31, .host_class = 0x366e, .ramin_chunk = 64, .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV31, .classes = CLASSES_NV35},
    {CHIP("NV34", 0x34), RANKINE, BUS_NV31, .host_class = 0x206e, .ramin_chunk = 16, .vram_bytes = CHIP_MIB(128),
     .engines = ENGINES_NV31, .classes = CLASSES_NV34},
};

const struct chip_rows chip_rows_nv1_to_nv3x = CHIP_ROWS(rows);
