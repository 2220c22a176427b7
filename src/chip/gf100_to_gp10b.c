/* SPDX-License-Identifier: MIT */
/*
 * GF100 to GP10B: Fermi, Kepler, Maxwell, Pascal. GPFIFO channels on PBDMAs, and on GK104 and later a runlist for every
 * engine except PCOPY2, which shares PGRAPH's.
 *
 * VRAM is the nearest power of two below a common board; the Tegras have none.
 *
 * UNKNOWN: PBDMA counts of GM200 and later; 3 on Maxwell, 4 on Pascal, 1 on a Tegra.
 * UNKNOWN: engine numbers after GM108; programs read the topology table. GK104:GM200 numbers are
 * envytools', nouveau swaps PPDEC and PVLD. Copy engines after the third are not listed.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml, docs/hw/fifo/intro.rst; open-gpu-doc classes/host;
 *          nouveau nvkm/engine/device/base.c, nvkm/engine/fifo/{gf100,gk104,gk110,gk208,gk20a,gm107,
 *          gm200,gm20b,gp100,gp10b}.c, nvkm/engine/{gr,ce}/
 */
#include "chip/rows.h"

#define UNITS_VP5  CHIP_UNIT_PGRAPH, CHIP_UNIT_PPDEC, CHIP_UNIT_PPPP, CHIP_UNIT_PVLD
#define UNITS_COPY CHIP_UNIT_PCOPY0, CHIP_UNIT_PCOPY1, CHIP_UNIT_PCOPY2

#define ENGINES_GF100                                                                                                  \
    { UNITS_VP5, CHIP_UNIT_PCOPY0, CHIP_UNIT_PCOPY1 }
#define ENGINES_GF119                                                                                                  \
    { UNITS_VP5, CHIP_UNIT_PCOPY0 }
#define ENGINES_GK104                                                                                                  \
    { UNITS_VP5, CHIP_UNIT_PCOPY0, CHIP_UNIT_PCOPY1, CHIP_UNIT_PVENC, CHIP_UNIT_PCOPY2 }
#define ENGINES_GK208                                                                                                  \
    { UNITS_VP5, CHIP_UNIT_PCOPY0, CHIP_UNIT_PVENC, CHIP_UNIT_PCOPY2 }
#define ENGINES_TEGRA                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PCOPY2 }
#define ENGINES_GM107                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVENC, CHIP_UNIT_PSEC, CHIP_UNIT_PCOPY0, CHIP_UNIT_PCOPY2 }
#define ENGINES_GM200                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVENC, UNITS_COPY }
#define ENGINES_GP102                                                                                                  \
    { CHIP_UNIT_PGRAPH, CHIP_UNIT_PVDEC, CHIP_UNIT_PVENC, CHIP_UNIT_PSEC, UNITS_COPY }

/*
 * Boards have 128 or 256 MiB, a Tegra a range of its own [driver: device trees]. UNKNOWN: BAR1 of GP100. Chosen: all of
 * the memory of a board with 16 GiB, as on boards with GV100 (gdrcopy pins all of it).
 */
#define BAR1_BOARD CHIP_MIB(256)
#define BAR1_P100  CHIP_GIB(16)
#define BAR1_TEGRA CHIP_MIB(16)

/* The blocks of the bus, without PMC. */
#define BUS_GF100_ .ptimer = &ptimer_nv3, .pbus = &pbus_gf100, .peephole = &peephole_gf100
#define BUS_GF100  BUS_GF100_, .bars = &bars_gf100, .pfb = &pfb_gf100
#define BUS_GM107  BUS_GF100_, .bars = &bars_gm107, .pfb = &pfb_gf100
#define BUS_GM200  BUS_GF100_, .bars = &bars_gm107, .pfb = &pfb_gm200

#define FERMI                                                                                                          \
    .generation = "Fermi", .family = &chip_family_gf100, HAS_906F, BUS_GF100, .channels = 128, .channel_bits = 7,      \
    .userd_stride = 0x1000, .host_fault_unit = 7, .host_class = 0x906f, .vm = CHIP_VM_GF100, .bar1_bytes = BAR1_BOARD
#define FERMI_GF100 FERMI, .pmc = &pmc_gf100, .pbdmas = 3, .engines = ENGINES_GF100
#define FERMI_BIG   FERMI, .pmc = &pmc_gf104, .pbdmas = 3, .engines = ENGINES_GF100
#define FERMI_SMALL FERMI, .pmc = &pmc_gf104, .pbdmas = 1

/* GK104 and later: ids have 12 bits in registers and runlists; the channel counts are those that drivers use. */
#define RUNLISTS .family = &chip_family_gk104, .channel_bits = 12, .userd_stride = 0x200
#define KEPLER                                                                                                         \
    .generation = "Kepler", RUNLISTS, .has_pccsr_runlist = true, .host_fault_unit = 7, BUS_GF100, .pmc = &pmc_gf104,   \
    .vm = CHIP_VM_GK104, .gob_order = GOB_COLUMNS
#define KEPLER_BIG                                                                                                     \
    KEPLER, .channels = 4096, .bar1_bytes = BAR1_BOARD, .pbdmas = 3, .runlists = 7, .engines = ENGINES_GK104
#define KEPLER_GK104 KEPLER_BIG, HAS_A06F, .host_class = 0xa06f, .classes = CLASSES_GK104
#define KEPLER_GK110 KEPLER_BIG, HAS_A16F, .host_class = 0xa16f, .classes = CLASSES_GK110
#define KEPLER_GK208                                                                                                   \
    KEPLER, HAS_A16F, .channels = 1024, .bar1_bytes = BAR1_BOARD, .pbdmas = 2, .runlists = 6, .host_class = 0xa16f,    \
                      .engines = ENGINES_GK208, .classes = CLASSES_GK110, .note = "nouveau binds channels to 0xa06f"
#define MAXWELL_GM107                                                                                                  \
    .generation = "Maxwell", RUNLISTS, .host_fault_unit = 7, HAS_A16F, BUS_GM107, .pmc = &pmc_gf104,                   \
    .vm = CHIP_VM_GK104, .bar1_bytes = BAR1_BOARD, .channels = 2048, .pbdmas = 2, .runlists = 5, .host_class = 0xa16f, \
    .gob_order = GOB_SECTORS, .has_page_access = true, .engines = ENGINES_GM107, .classes = CLASSES_GM107
#define MAXWELL_B06F                                                                                                   \
    .generation = "Maxwell", RUNLISTS, .host_fault_unit = 7, HAS_B06F, BUS_GM200, .pmc = &pmc_gf104,                   \
    .vm = CHIP_VM_GM200, .has_page_access = true, .host_class = 0xb06f
#define MAXWELL_GM200                                                                                                  \
    MAXWELL_B06F, .channels = 4096, .bar1_bytes = BAR1_BOARD, .pbdmas = 3, .runlists = 5, .engines = ENGINES_GM200,    \
                  .classes = CLASSES_GM200, .note = "PBDMA count and engine numbers are assumed"
#define PASCAL                                                                                                         \
    .generation = "Pascal", RUNLISTS, .host_fault_unit = 6, HAS_B06F, BUS_GM200, .pmc = &pmc_gp100,                    \
    .vm = CHIP_VM_GP100, .host_class = 0xc06f
#define PASCAL_GP102                                                                                                   \
    PASCAL, .channels = 4096, .pbdmas = 4, .runlists = 6, .bar1_bytes = BAR1_BOARD, .engines = ENGINES_GP102,          \
            .classes = CLASSES_GP102, .note = "PBDMA count and engine numbers are assumed"
#define TEGRA                                                                                                          \
    .pbdmas = 1, .runlists = 1, .engines = ENGINES_TEGRA, .bar1_bytes = BAR1_TEGRA, .has_mobile_textures = true

/* GF106, GF114 and GF116 are said to have 0x9297 and 0x91c0 too; no driver uses them there. */
#define CLASSES_GF100                                                                                                  \
    { 0x9097, 0x90c0, 0x902d, 0x9039, 0x90b5 }
#define CLASSES_GF108                                                                                                  \
    { 0x9097, 0x9197, 0x90c0, 0x902d, 0x9039, 0x90b5 }
#define CLASSES_GF110                                                                                                  \
    { 0x9097, 0x9197, 0x9297, 0x90c0, 0x91c0, 0x902d, 0x9039, 0x90b5 }
#define CLASSES_GK104                                                                                                  \
    { 0xa097, 0xa0c0, 0x902d, 0xa040, 0xa0b5 }
#define CLASSES_GK110                                                                                                  \
    { 0xa197, 0xa1c0, 0x902d, 0xa140, 0xa0b5 }
#define CLASSES_GK20A                                                                                                  \
    { 0xa297, 0xa0c0, 0x902d, 0xa040, 0xa0b5 }
#define CLASSES_GM107                                                                                                  \
    { 0xb097, 0xb0c0, 0x902d, 0xa140, 0xa0b5, 0xb0b5 }
#define CLASSES_GM200                                                                                                  \
    { 0xb197, 0xb1c0, 0x902d, 0xa140, 0xb0b5 }
#define CLASSES_GP100                                                                                                  \
    { 0xc097, 0xc0c0, 0x902d, 0xa140, 0xc0b5 }
#define CLASSES_GP102                                                                                                  \
    { 0xc197, 0xc1c0, 0x902d, 0xa140, 0xc0b5, 0xc1b5 }

/*
 * The largest configurations [doc: gpu.rst]. UNKNOWN: the configuration of products on GM200 and later. L2 caches of
 * GM200 and later have 256 KiB in two slices; a partition has two of them, and a memory controller as on GM107.
 */
#define GPCS(count, of_tpcs, of_ppcs) .gpcs = (count), .tpcs = (of_tpcs), .ppcs = (of_ppcs), .zculls = 4
#define MEMORY(of_partitions, of_controllers, of_ltcs, of_slices)                                                      \
    .partitions = (of_partitions), .controllers = (of_controllers), .ltcs = (of_ltcs), .slices = (of_slices)
#define OTHERS(of_copies, of_heads) .copies = (of_copies), .heads = (of_heads)
#define UNITS(gpcs, memory, others) .units = {gpcs, memory, others}

static const struct pfifo_chip rows[] = {
    {CHIP("GF100", 0xc0), FERMI_GF100, UNITS(GPCS(4, 4, 0), MEMORY(6, 1, 1, 2), OTHERS(2, 2)),
     .vram_bytes = CHIP_GIB(1), .classes = CLASSES_GF100},
    {CHIP("GF104", 0xc4), FERMI_BIG, UNITS(GPCS(2, 4, 0), MEMORY(4, 1, 1, 2), OTHERS(2, 2)), .vram_bytes = CHIP_GIB(1),
     .classes = CLASSES_GF100},
    {CHIP("GF114", 0xce), FERMI_BIG, UNITS(GPCS(2, 4, 0), MEMORY(4, 1, 1, 2), OTHERS(2, 2)), .vram_bytes = CHIP_GIB(1),
     .classes = CLASSES_GF100},
    {CHIP("GF106", 0xc3), FERMI_BIG, UNITS(GPCS(1, 4, 0), MEMORY(3, 1, 1, 2), OTHERS(2, 2)), .vram_bytes = CHIP_GIB(1),
     .classes = CLASSES_GF100, .note = "nouveau uses one PCOPY, envytools has two"},
    {CHIP("GF116", 0xcf), FERMI_BIG, UNITS(GPCS(1, 4, 0), MEMORY(3, 1, 1, 2), OTHERS(2, 2)), .vram_bytes = CHIP_GIB(1),
     .classes = CLASSES_GF100, .note = "nouveau uses one PCOPY, envytools has two"},
    {CHIP("GF108", 0xc1), FERMI_SMALL, UNITS(GPCS(1, 2, 0), MEMORY(1, 2, 1, 2), OTHERS(2, 2)),
     .vram_bytes = CHIP_GIB(1), .engines = ENGINES_GF100, .classes = CLASSES_GF108,
     .note = "nouveau uses one PCOPY, envytools has two"},
    {CHIP("GF110", 0xc8), FERMI_BIG, UNITS(GPCS(4, 4, 0), MEMORY(6, 1, 1, 2), OTHERS(2, 2)), .vram_bytes = CHIP_GIB(1),
     .classes = CLASSES_GF110},
    {CHIP("GF119", 0xd9), FERMI_SMALL, UNITS(GPCS(1, 1, 0), MEMORY(1, 1, 1, 1), OTHERS(1, 2)),
     .vram_bytes = CHIP_GIB(1), .engines = ENGINES_GF119, .classes = CLASSES_GF110},
    {CHIP("GF117", 0xd7), FERMI_SMALL, UNITS(GPCS(1, 2, 1), MEMORY(1, 1, 1, 2), OTHERS(1, 0)),
     .vram_bytes = CHIP_GIB(1), .engines = ENGINES_GF119, .classes = CLASSES_GF110},

    {CHIP("GK104", 0xe4), KEPLER_GK104, UNITS(GPCS(4, 2, 1), MEMORY(4, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GK107", 0xe7), KEPLER_GK104, UNITS(GPCS(1, 2, 1), MEMORY(2, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GK106", 0xe6), KEPLER_GK104, UNITS(GPCS(3, 2, 1), MEMORY(3, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GK110", 0xf0), KEPLER_GK110, UNITS(GPCS(5, 3, 2), MEMORY(6, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GK110B", 0xf1), KEPLER_GK110, UNITS(GPCS(5, 3, 2), MEMORY(6, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GK208", 0x108), KEPLER_GK208, UNITS(GPCS(1, 2, 1), MEMORY(1, 1, 1, 2), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(1)},
    {CHIP("GK208B", 0x106), KEPLER_GK208, UNITS(GPCS(1, 2, 1), MEMORY(1, 1, 1, 2), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(1)},
    {CHIP("GK20A", 0xea), KEPLER, UNITS(GPCS(1, 1, 1), MEMORY(1, 1, 1, 1), OTHERS(3, 0)), HAS_A26F, TEGRA,
     .channels = 128, .host_class = 0xa26f, .classes = CLASSES_GK20A, .has_gk110_shaders = true,
     .note = "nouveau binds channels to 0xa06f"},

    {CHIP("GM107", 0x117), MAXWELL_GM107, UNITS(GPCS(1, 5, 2), MEMORY(2, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GM108", 0x118), MAXWELL_GM107, UNITS(GPCS(1, 3, 2), MEMORY(1, 1, 1, 4), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GM200", 0x120), MAXWELL_GM200, UNITS(GPCS(6, 4, 2), MEMORY(6, 1, 2, 2), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(4)},
    {CHIP("GM204", 0x124), MAXWELL_GM200, UNITS(GPCS(4, 4, 2), MEMORY(4, 1, 2, 2), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(4)},
    {CHIP("GM206", 0x126), MAXWELL_GM200, UNITS(GPCS(2, 4, 2), MEMORY(2, 1, 2, 2), OTHERS(3, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GM20B", 0x12b), MAXWELL_B06F, UNITS(GPCS(1, 2, 1), MEMORY(1, 1, 1, 2), OTHERS(3, 0)), HAS_SYNCPOINTS, TEGRA,
     .channels = 512, .classes = CLASSES_GM200,
     .note = "the B06F header omits the syncpoint methods; Tegra X1 programs send them"},

    {CHIP("GP100", 0x130), PASCAL, .bar1_bytes = BAR1_P100, UNITS(GPCS(6, 5, 2), MEMORY(8, 1, 2, 2), OTHERS(6, 4)),
     .channels = 4096, .pbdmas = 4, .runlists = 5, .vram_bytes = CHIP_GIB(8), .engines = ENGINES_GM200,
     .classes = CLASSES_GP100, .note = "PBDMA count and engine numbers are assumed"},
    {CHIP("GP102", 0x132), PASCAL_GP102, UNITS(GPCS(6, 5, 3), MEMORY(6, 1, 2, 2), OTHERS(4, 4)),
     .vram_bytes = CHIP_GIB(8)},
    {CHIP("GP104", 0x134), PASCAL_GP102, UNITS(GPCS(4, 5, 3), MEMORY(4, 1, 2, 2), OTHERS(4, 4)),
     .vram_bytes = CHIP_GIB(8)},
    {CHIP("GP106", 0x136), PASCAL_GP102, UNITS(GPCS(2, 5, 3), MEMORY(3, 1, 2, 2), OTHERS(4, 4)),
     .vram_bytes = CHIP_GIB(4)},
    {CHIP("GP107", 0x137), PASCAL_GP102, UNITS(GPCS(2, 3, 1), MEMORY(2, 1, 2, 2), OTHERS(4, 4)),
     .vram_bytes = CHIP_GIB(4)},
    {CHIP("GP108", 0x138), PASCAL_GP102, UNITS(GPCS(1, 3, 1), MEMORY(1, 1, 2, 2), OTHERS(4, 4)),
     .vram_bytes = CHIP_GIB(2)},
    {CHIP("GP10B", 0x13b), PASCAL, UNITS(GPCS(1, 2, 1), MEMORY(1, 1, 2, 2), OTHERS(1, 0)), HAS_SYNCPOINTS, TEGRA,
     .channels = 512, .classes = CLASSES_GP100, .note = "nouveau has its copy engine as CE2, Linux as CE0"},
};

const struct chip_rows chip_rows_gf100_to_gp10b = CHIP_ROWS(rows);
