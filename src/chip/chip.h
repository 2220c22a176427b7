/* SPDX-License-Identifier: MIT */
/*
 * A chip is a row.
 *
 * Everything that differs between chips and is not behaviour is a field here; behaviour that
 * differs is an operations table that the row's family points to. The code outside src/chip/
 * asks for a capability or calls through an operation; it never compares chip ids.
 *
 * A zero field means that the chip does not have the feature.
 *
 * Ranges: A- is "A and later", A:B is "A up to but not B", in the order of the rows, which is the order of introduction
 * and not of the numbers: NV1A comes before NV11, NV35 before NV31, the NV44 family are the Curie chips with TurboCache
 * or without VRAM.
 *
 * Sources: envytools docs/hw/gpu.rst, docs/hw/fifo/, rnndb/fifo; nouveau nvkm/engine/device/base.c, nvkm/engine/fifo/;
 *          NVIDIA open-gpu-doc manuals. Rows have their own notes if sources differ.
 */
#ifndef PFIFO_SRC_CHIP_CHIP_H
#define PFIFO_SRC_CHIP_CHIP_H

#include <pfifo/chip.h>

struct chip_family;    /* family.h */
struct runlist_layout; /* fifo/runlist/runlist.h */

/* The variant of each block of the bus. Each block has a header in bus/. */
struct pmc_variant;
struct ptimer_variant;
struct pram_variant;
struct pbus_variant;
struct bars_variant;
struct peephole_variant;
struct pfb_variant;

/* Page table formats (memory/). */
enum chip_vm {
    CHIP_VM_NONE,  /* NV1 .. NV4x: DMA objects only */
    CHIP_VM_G80,   /* two levels, page directory at 0x1400 of the channel descriptor */
    CHIP_VM_G84,   /* same, page directory at 0x200 */
    CHIP_VM_GF100, /* two levels, big and small table per PDE */
    CHIP_VM_GK104, /* GF100 + "no small pages below" bit */
    CHIP_VM_GM200, /* GK104 + sparse bits, big page size per VM */
    CHIP_VM_GP100, /* VER2: five levels, 49 bits */
    CHIP_VM_GH100, /* VER3: six levels, 57 bits */
};

/* Units that PFIFO can feed. Engine ids (RAMHT nibble, GF100 SET_OBJECT engine) map to these per chip. */
enum chip_unit {
    CHIP_UNIT_NONE,
    CHIP_UNIT_SOFTWARE,
    CHIP_UNIT_PGRAPH,
    CHIP_UNIT_PMPEG,
    CHIP_UNIT_PME,
    CHIP_UNIT_PVP1,
    CHIP_UNIT_PVP2,
    CHIP_UNIT_PCIPHER,
    CHIP_UNIT_PBSP,
    CHIP_UNIT_PPDEC,
    CHIP_UNIT_PPPP,
    CHIP_UNIT_PVLD,
    CHIP_UNIT_PSEC,
    CHIP_UNIT_PVCOMP,
    CHIP_UNIT_PVDEC,
    CHIP_UNIT_PVENC,
    CHIP_UNIT_PCOPY0,
    CHIP_UNIT_PCOPY1,
    CHIP_UNIT_PCOPY2,
    CHIP_UNIT_PCOPY3,
    CHIP_UNIT_PCOPY4,
    CHIP_UNIT_PCOPY5,
    CHIP_UNIT_PCOPY6,
    CHIP_UNIT_PCOPY7,
    CHIP_UNIT_PCOPY8,
    CHIP_UNIT_PCOPY9,
    CHIP_UNIT_PVDEC1,
    CHIP_UNIT_PVDEC2,
    CHIP_UNIT_PVENC1,
    CHIP_UNIT_PVENC2,
    CHIP_UNIT_COUNT,
};

/*
 * The order of bytes within a gob of a block-linear surface in memory.
 *
 * UNKNOWN: the order on desktop chips: it depends on the storage type and on the partitions, is not documented for all
 * of them, and is not visible through a mapping of the right type. Chosen: on Tesla the order that such a mapping
 * shows; on Fermi and later that of the Tegras, on which programs swizzle textures with the CPU. No other type of
 * mapping is modelled. On Kepler the order is visible: programs compute the addresses of images by themselves, with
 * SUBFM, and change what is there with atomics that take plain addresses.
 */
enum gob_order {
    GOB_LINES,   /* 4 lines of 64 bytes, one after the other */
    GOB_SECTORS, /* 8 lines, in sectors of 16 bytes by 2 lines ("16Bx2") */
    GOB_COLUMNS, /* the same sectors, two of them one below the other (Mesa nak ir.rs, OpSuBfm) */
    GOB_LINES_8, /* 8 lines of 64 bytes: as seen through a mapping of another kind */
};

/* Counts of units of the die; a board may have fewer. */
struct chip_units {
    uint8_t quads, vertices; /* NV40:G80: quad pipes, vertex units */
    uint8_t gpcs;            /* GF100-: graphics clusters */
    uint8_t tpcs;            /* texture clusters; GF100-: of each GPC */
    uint8_t mps;             /* G80:GF100: multiprocessors of each TPC */
    uint8_t ppcs;            /* GF117-: clusters of primitives of each GPC */
    uint8_t zculls;          /* GF100-: of each GPC */
    uint8_t partitions;      /* of memory */
    uint8_t controllers;     /* GF100-: memory controllers of each partition */
    uint8_t ltcs;            /* GF100-: L2 caches of each partition */
    uint8_t slices;          /* GF100-: of each L2 cache */
    uint8_t copies;          /* GF100-: copy engines */
    uint8_t heads;           /* G80-: of the display */
    uint8_t ram_type;        /* G80:GF100: as 0x100714 has it: 1 DDR2, 2 GDDR3 */
};

#define CHIP_MAX_ENGINES 16
#define CHIP_MAX_CLASSES 12

struct pfifo_chip {
    /* Identity. */
    const char *name;
    const char *generation;
    uint16_t id;    /* chipset number, see pfifo_chip_by_id */
    uint32_t boot0; /* PMC_BOOT_0 */
    const struct chip_family *family;

    /* Variants of the bus's blocks. */
    const struct pmc_variant *pmc;
    const struct ptimer_variant *ptimer;
    const struct pbus_variant *pbus;
    const struct bars_variant *bars;         /* windows into memory, and the BARs */
    const struct pfb_variant *pfb;           /* VRAM, GART, TLB */
    const struct pram_variant *pram;         /* NV1: layout of RAMIN; NULL: there is none */
    const struct peephole_variant *peephole; /* NV30-; NULL: there is none */

    /* PFIFO, counts and sizes. */
    uint16_t channels;            /* channel slots; G80:GF100: slot 0 is the PIO channel, 127 the idle one */
    uint8_t channel_bits;         /* width of channel id fields */
    uint8_t pio_channels;         /* channels with a PIO USER area */
    uint16_t cache1_entries;      /* real entries of CACHE1 (model value where unknown) */
    uint16_t cache1_slots;        /* addressable slots, upper ones alias */
    uint16_t cache1_pointer_mask; /* stored bits of PUT and GET */
    uint16_t ramfc_bytes;         /* per channel, before GF100 */
    uint32_t dma_pointer_mask;    /* bits of DMA_GET and DMA_PUT, before GF100 */
    uint8_t object_class_bits;    /* bits of object word 0 compared as class, before GF100 */
    uint8_t pbdmas;               /* PSUBFIFOs or PBDMAs (model value where unknown) */
    uint8_t runlists;             /* GK104 and later (model value where unknown) */
    const struct runlist_layout *runlist_layout; /* GF100 and later: entries of a runlist (a playlist) */
    uint8_t host_fault_unit; /* GF100 and later: the MMU's number for the first PBDMA; others follow */
    uint16_t syncpoints;     /* GK20A, GM20B, GP10B: how many (model value), methods 0x70 and 0x74; 0: none */
    uint32_t userd_stride;   /* bytes between DMA control areas: 0x10000, 0x1000, 0x2000, 0x1000, 0x200 */
    uint16_t host_class;     /* class of a GPFIFO or DMA channel */

    /* PFIFO, capabilities. */
    bool has_gray_pointers;    /* NV1, NV3: CACHE1 pointers are Gray coded */
    bool has_dma_target;       /* NV3:GF100: DMA objects have a target field */
    bool has_dma;              /* NV4-: pushbuffer DMA */
    bool has_vram_pushbuffer;  /* NV5-: pushbuffer may be in VRAM */
    bool has_nonincreasing;    /* NV10- */
    bool has_ref_cnt;          /* NV10-: method 0x50 and its register */
    bool has_call;             /* NV1A:GF100: new jump, call, return */
    bool has_old_semaphore;    /* NV1A:GV100: methods 0x60..0x6c (0x64..0x6c from GF100) */
    bool has_yield;            /* NV40-: method 0x80 and SLI conditional */
    bool has_switch_any_time;  /* NV40-: a channel may leave with entries in CACHE1 */
    bool binds_by_driver;      /* NV4: PGRAPH has no methods to bind context objects, nor OPERATION */
    bool has_second_ramfc;     /* NV17:NV40: the words at 0x20 and later may be in a second table */
    bool has_ramfc_select;     /* NV47 and NV44 families: register 0x2230; bit 0 clear: RAMFC base is a VRAM address */
    bool has_ib;               /* G80-: ring of segments */
    bool has_new_semaphore;    /* G84:GH100: methods 0x10..0x1c */
    bool has_notify_intr;      /* G84-: method 0x20 */
    bool has_nrhost;           /* GT215:GF100: interrupts go to HOST, NRHOST and DAEMON */
    bool has_line_flush;       /* MCP89: methods 0x28 .. 0x30, SEMAPHORE_TRIGGER of four bits */
    bool ring_only;            /* GF100-: pushbuffers come through the ring only, which has control entries */
    bool binds_classes;        /* GF100-: the data of method 0 is a class, not the handle of an object */
    bool has_macros;           /* GF100-: PGRAPH executes macros */
    bool has_engine_in_object; /* GF100:GK104: SET_OBJECT[20:16] selects the engine */
    bool has_runlists;         /* GK104-: PCCSR, a runlist per engine */
    bool has_pccsr_runlist;    /* GK104:GM107: PCCSR also names the runlist of a channel, and that must be right */
    bool has_semaphore_reduction; /* A16F, B06F .. C56F: SEMAPHORED operation 0x10 */
    bool has_wfi_method;          /* A16F and later: method 0x78 */
    bool has_yield_operations;    /* B06F and later: YIELD[1:0] selects what to yield */
    bool has_mem_op_c;            /* B06F and later: MEM_OP_C, MEM_OP_D instead of MEM_OP_A/B pair */
    bool has_doorbell;            /* GV100-: work submit token */
    bool has_volatile_clip;       /* NV10:GF100: a change of subchannel resets an object's clip rectangle */
    bool has_gk110_shaders;       /* GK20A: instructions of GK110, with GK104's compute class */
    bool has_mme64;               /* TU102-: macros have instructions of 96 bits */

    /* Memory. */
    enum chip_vm vm;
    uint64_t vram_bytes;      /* default size of the model; 0 for chips without VRAM of their own */
    uint32_t ramin_bytes;     /* RAMIN, before G80 */
    uint32_t ramin_chunk;     /* RAMIN is at the end of VRAM, reversed in chunks of this size */
    uint8_t gart_page_bits;   /* NV41:G80 PCIe GART page size log2, 0: no such GART */
    bool has_page_access;     /* GM107:GP100: PTE bits 62 and 63 forbid reads and writes */
    bool has_packed_gart;     /* NV44 family: GART table in VRAM, four 27-bit entries in 16 bytes */
    enum gob_order gob_order; /* G80-: of block-linear surfaces */
    bool has_mobile_textures; /* GK20A, GM20B, GP10B: formats ETC2, EAC and ASTC */
    bool has_stolen_vram;     /* MCP77, MCP79, MCP89: VRAM is taken from system memory */
    uint64_t bar1_bytes;      /* of a common board; 0: large enough for VRAM, see chip_bar1_bytes() */
    uint64_t bar1_most;       /* limit if it depends on VRAM; 0: no limit */
    uint32_t bar1_ramin;      /* NV3: offset of RAMIN in BAR1 */
    bool has_vram_in_bar0;    /* NV1: there is no BAR1 */

    struct chip_units units;

    /* Engines: index is the engine id (in RAMHT contexts before GF100, in SET_OBJECT later). */
    enum chip_unit engines[CHIP_MAX_ENGINES];
    /* By engine id, G84:GF100: the class of units with firmware, which is not in RAMIN; 0: it is. */
    uint16_t own_classes[CHIP_MAX_ENGINES];
    /* Classes that the graphics context offers, zero terminated: 3D, compute, 2D, M2MF or inline, copy. */
    uint16_t classes[CHIP_MAX_CLASSES];
    const char *note; /* uncertain facts of this row, or NULL */
};

/* Name of a unit: "PGRAPH", "PCOPY0" ... */
const char *chip_unit_name(enum chip_unit unit);

/* Position of a chip in the order of introduction; `otherwise` for NULL and for unknown names. */
size_t chip_place(const char *name, size_t otherwise);

/*
 * Is the chip in one of the ranges? They are written as in the register databases, in the order of introduction: "NV4"
 * that chip, "NV4:NV40" from NV4 up to but not NV40, "NV10-" NV10 and later; several are separated by spaces. An
 * unknown name is a bug in the library.
 */
bool chip_in_range(const struct pfifo_chip *chip, const char *ranges);

/* BAR1 of a board with that much VRAM, 0 if there is none: a power of two. */
uint64_t chip_bar1_bytes(const struct pfifo_chip *chip, uint64_t vram_bytes);

/*
 * Iterates over the rows of a table that apply to the chip. Each of `count` rows of `bytes` begins with its ranges, a
 * `const char *`. Equal texts are parsed once per walk, since a table uses only a few.
 *
 *     struct chip_walk walk = CHIP_WALK(chip, rows);
 *     for (const struct reg_row *row; (row = chip_walk_next(&walk));)
 *
 * chip_row() gives the first of them. NULL: no (more) rows apply to the chip.
 */
#define CHIP_WALK_KNOWN 16
struct chip_walk {
    const struct pfifo_chip *chip;
    const char *next; /* row */
    size_t left, bytes;
    const char *ranges[CHIP_WALK_KNOWN]; /* texts that were parsed */
    bool has[CHIP_WALK_KNOWN];
    unsigned known;
};
struct chip_walk chip_walk(const struct pfifo_chip *chip, const void *rows, size_t count, size_t bytes);
const void *chip_walk_next(struct chip_walk *walk);
const void *chip_row(const struct pfifo_chip *chip, const void *rows, size_t count, size_t bytes);
#define CHIP_WALK(chip, rows) chip_walk(chip, rows, sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]))
#define CHIP_ROW(chip, rows)  chip_row(chip, rows, sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]))

/* Addresses of programs go through page tables. False: through DMA objects, each of VRAM, system memory or GART. */
static inline bool chip_has_page_tables(const struct pfifo_chip *chip) {
    return chip->vm != CHIP_VM_NONE;
}

/* Does the chip's row list the class? */
static inline bool chip_lists_class(const struct pfifo_chip *chip, uint32_t object_class) {
    for (size_t i = 0; i < CHIP_MAX_CLASSES && chip->classes[i]; i++)
        if (chip->classes[i] == object_class)
            return true;
    return false;
}

#endif
