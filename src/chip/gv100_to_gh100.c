/* SPDX-License-Identifier: MIT */
/*
 * GV100 to GH100: Volta, Turing, Ampere, Hopper. Doorbells, mandatory TSGs, and on GA100 and later a register block for
 * every runlist. Their machine is not built; the rows serve the decoder.
 *
 * UNKNOWN: PBDMA and runlist counts other than those of GV100 and TU104, which the manuals give; siblings repeat them.
 * UNKNOWN: engine numbers; software reads them from the topology table. UNKNOWN: how many copy engines GA102 and later
 * have; chosen: GA10x as many as TU10x, GH100 as many as GA100. Not listed: video decoders after the third, and the
 * units for pictures (NVJPG) and optical flow (OFA).
 *
 * Sources: open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt, manuals/turing/tu104/dev_fifo.ref.txt,
 *          manuals/ampere/ga100/dev_runlist.ref.txt, classes/host; open-gpu-kernel-modules
 *          g_allclasses.h; nouveau nvkm/engine/device/base.c (which engines)
 */
#include "chip/rows.h"

/* clang-format off */
#define COPIES_5                                                                                                       \
    CHIP_UNIT_PCOPY0, CHIP_UNIT_PCOPY1, CHIP_UNIT_PCOPY2, CHIP_UNIT_PCOPY3, CHIP_UNIT_PCOPY4
#define COPIES_9                                                                                                       \
    COPIES_5, CHIP_UNIT_PCOPY5, CHIP_UNIT_PCOPY6, CHIP_UNIT_PCOPY7, CHIP_UNIT_PCOPY8
#define COPIES_10 COPIES_9, CHIP_UNIT_PCOPY9

#define ENGINES_GV100                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVENC, CHIP_UNIT_PVENC1, CHIP_UNIT_PVENC2, CHIP_UNIT_PSEC, COPIES_9 }
#define ENGINES_TU102 { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVENC, CHIP_UNIT_PSEC, COPIES_5 }
#define ENGINES_TU104                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVDEC1, CHIP_UNIT_PVENC, CHIP_UNIT_PSEC, COPIES_5 }
#define ENGINES_TU106                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVDEC1, CHIP_UNIT_PVDEC2, CHIP_UNIT_PVENC, CHIP_UNIT_PSEC, COPIES_5 }
#define ENGINES_GA100 { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, COPIES_10 }
#define ENGINES_GH100 { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PSEC, COPIES_10 }
/* clang-format on */
#define ENGINES_TEGRA                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PCOPY2 }

#define BUS_GV100                                                                                                      \
    .ptimer = &ptimer_nv3, .pbus = &pbus_gf100, .bars = &bars_gm107, .peephole = &peephole_gf100, .pfb = &pfb_gm200
#define BUS_TU102 BUS_GV100, .pmc = &pmc_tu102
#define BUS_GH100 .pmc = &pmc_gh100, .ptimer = &ptimer_nv3, .pbus = &pbus_gh100, .bars = &bars_gh100, .pfb = &pfb_gh100

#define VOLTA                                                                                                          \
    .generation = "Volta", .family = &chip_family_gv100, HAS_C36F, BUS_GV100, .pmc = &pmc_gp100, .channel_bits = 12,   \
    .userd_stride = 0x200, .host_class = 0xc36f, .vm = CHIP_VM_GP100,                                                  \
    .classes = {0xc397, 0xc3c0, 0x902d, 0xa140, 0xc3b5}
#define TURING                                                                                                         \
    .generation = "Turing", .family = &chip_family_gv100, HAS_C36F, BUS_TU102, .has_mme64 = true, .channels = 4096,    \
    .channel_bits = 12, .pbdmas = 12, .runlists = 11, .userd_stride = 0x200, .host_class = 0xc46f,                     \
    .vm = CHIP_VM_GP100, .bar1_bytes = CHIP_MIB(256), .classes = {0xc597, 0xc5c0, 0x902d, 0xa140, 0xc5b5}
/* Channel numbers are per runlist. */
#define AMPERE                                                                                                         \
    .generation = "Ampere", .family = &chip_family_ga100, HAS_C36F, BUS_TU102, .has_mme64 = true, .channels = 2048,    \
    .channel_bits = 11, .userd_stride = 0x200, .host_class = 0xc56f, .vm = CHIP_VM_GP100
#define CLASSES_GA102                                                                                                  \
    { 0xc797, 0xc7c0, 0x902d, 0xa140, 0xc6b5, 0xc7b5 }
#define AMPERE_GA102                                                                                                   \
    AMPERE, .pbdmas = 12, .runlists = 11, .bar1_bytes = CHIP_MIB(256), .engines = ENGINES_TU102,                       \
            .classes = CLASSES_GA102,                                                                                  \
            .note = "PBDMA and runlist counts are those of TU104; a variant binds channels to 0xc76f"
#define NOTE_TU104 .note = "PBDMA and runlist counts are those of TU104"

static const struct pfifo_chip rows[] = {
    {CHIP("GV100", 0x140), VOLTA, .channels = 4096, .pbdmas = 14, .runlists = 13, .vram_bytes = CHIP_GIB(16),
     .engines = ENGINES_GV100},
    {CHIP("GV11B", 0x15b), VOLTA, .channels = 512, .pbdmas = 1, .runlists = 1, .engines = ENGINES_TEGRA,
     .note = "Tegra; counts and classes are assumed from GP10B and GV100"},

    {CHIP("TU102", 0x162), TURING, .engines = ENGINES_TU102, .vram_bytes = CHIP_GIB(8), NOTE_TU104},
    {CHIP("TU104", 0x164), TURING, .engines = ENGINES_TU104, .vram_bytes = CHIP_GIB(8)},
    {CHIP("TU106", 0x166), TURING, .engines = ENGINES_TU106, .vram_bytes = CHIP_GIB(8), NOTE_TU104},
    {CHIP("TU116", 0x168), TURING, .engines = ENGINES_TU102, .vram_bytes = CHIP_GIB(4), NOTE_TU104},
    {CHIP("TU117", 0x167), TURING, .engines = ENGINES_TU102, .vram_bytes = CHIP_GIB(4), NOTE_TU104},

    {CHIP("GA100", 0x170), AMPERE, .pbdmas = 14, .runlists = 13, .vram_bytes = CHIP_GIB(32), .engines = ENGINES_GA100,
     .classes = {0xc697, 0xc6c0, 0x902d, 0xa140, 0xc6b5}, .note = "PBDMA and runlist counts are those of GV100"},
    {CHIP("GA102", 0x172), AMPERE_GA102, .vram_bytes = CHIP_GIB(8)},
    {CHIP("GA103", 0x173), AMPERE_GA102, .vram_bytes = CHIP_GIB(8)},
    {CHIP("GA104", 0x174), AMPERE_GA102, .vram_bytes = CHIP_GIB(8)},
    {CHIP("GA106", 0x176), AMPERE_GA102, .vram_bytes = CHIP_GIB(8)},
    {CHIP("GA107", 0x177), AMPERE_GA102, .vram_bytes = CHIP_GIB(4)},
    {CHIP("GA10B", 0x17b), AMPERE, .pbdmas = 1, .runlists = 1, .engines = ENGINES_TEGRA, .classes = CLASSES_GA102,
     .note = "Tegra; counts are assumed"},

    {CHIP("GH100", 0x180), .generation = "Hopper", .family = &chip_family_gh100, HAS_C86F, BUS_GH100, .has_mme64 = true,
     .channels = 2048, .channel_bits = 11, .pbdmas = 14, .runlists = 13, .userd_stride = 0x200, .host_class = 0xc86f,
     .vm = CHIP_VM_GH100, .vram_bytes = CHIP_GIB(64), .engines = ENGINES_GH100,
     .classes = {0xcb97, 0xcbc0, 0x902d, 0xa140, 0xc8b5}, .note = "PBDMA and runlist counts are those of GV100"},
};

const struct chip_rows chip_rows_gv100_to_gh100 = CHIP_ROWS(rows);
