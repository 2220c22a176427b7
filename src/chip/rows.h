/* SPDX-License-Identifier: MIT */
/*
 * Shared by the row tables: ids, sizes, and the capabilities as a chain in which every step names only what that chip
 * added. A row is one step of the chain plus what differs between its siblings.
 *
 * Modelled:     every chip from NV1 to GH100 that has a PFIFO
 * Not modelled: NV2 (never sold), Ada, Blackwell
 * Sources:      envytools docs/hw/fifo/intro.rst, dma-pusher.rst, puller.rst; rnndb/fifo;
 *               open-gpu-doc classes/host/cl506f.h .. clc86f.h
 */
#ifndef PFIFO_SRC_CHIP_ROWS_H
#define PFIFO_SRC_CHIP_ROWS_H

#include "chip/chip.h"
#include "chip/family.h"

/*
 * Variants of the blocks of the bus, named after the first chip that has them. They belong to bus/, which is above
 * chip/. Only their addresses are needed here, so they are declared without their types.
 */
extern const struct pmc_variant pmc_nv1, pmc_nv3, pmc_nv4, pmc_nv1a, pmc_nv17, pmc_g80, pmc_gt215, pmc_gf100, pmc_gf104,
    pmc_gp100, pmc_tu102, pmc_gh100;
extern const struct ptimer_variant ptimer_nv1, ptimer_nv3;
extern const struct pram_variant pram_nv1;
extern const struct pbus_variant pbus_nv1, pbus_nv4, pbus_nv10, pbus_nv30, pbus_nv31, pbus_nv41, pbus_nv43, pbus_g80,
    pbus_gf100, pbus_gh100;
extern const struct bars_variant bars_nv1, bars_nv3, bars_nv4, bars_g80, bars_g84, bars_gf100, bars_gm107, bars_gh100;
extern const struct peephole_variant peephole_nv30, peephole_g80, peephole_g84, peephole_gf100;
extern const struct pfb_variant pfb_nv1, pfb_nv3, pfb_nv3t, pfb_nv4, pfb_nv10, pfb_nv40, pfb_nv41, pfb_nv44, pfb_g80,
    pfb_g84, pfb_gt215, pfb_mcp89, pfb_gf100, pfb_gm200, pfb_gh100;

/* A part of the table of chips. */
struct chip_rows {
    const struct pfifo_chip *rows;
    size_t count;
};

extern const struct chip_rows chip_rows_nv1_to_nv3x;
extern const struct chip_rows chip_rows_nv40_to_rsx;
extern const struct chip_rows chip_rows_g80_to_mcp89;
extern const struct chip_rows chip_rows_gf100_to_gp10b;
extern const struct chip_rows chip_rows_gv100_to_gh100;

#define CHIP_ROWS(table)                                                                                               \
    { .rows = (table), .count = sizeof(table) / sizeof((table)[0]) }

#define CHIP_KIB(n) ((n) * (uint32_t)1024)
#define CHIP_MIB(n) ((n) * (uint32_t)1024 * 1024)
#define CHIP_GIB(n) ((n) * (uint64_t)1024 * 1024 * 1024)

/*
 * PMC_BOOT_0 before NV10 has no common form. From NV10: 28:20 chipset, 19:16 low nibble of the PCI
 * device id (0 is a device of every chip's range), 7:0 stepping, A1 here.
 */
#define CHIP_OLD(chip_name, number, boot_0) .name = (chip_name), .id = (number), .boot0 = (boot_0)
#define CHIP(chip_name, number)             CHIP_OLD(chip_name, number, (uint32_t)(number) << 20 | 0xa1)

/* They belong to fifo/, which is above chip/; only their addresses are needed. */
extern const struct runlist_layout runlist_layout_gf100, runlist_layout_gk110, runlist_layout_gv100;

#define HAS_SYNCPOINTS .syncpoints = 192 /* of a Tegra (model value) */

#define HAS_NV3 .has_dma_target = true

/* Pushbuffers in the format of NV4, one CACHE. */
#define HAS_NV4  .has_dma = true, .has_dma_target = true
#define HAS_NV5  HAS_NV4, .has_vram_pushbuffer = true
#define HAS_NV10 HAS_NV5, .has_nonincreasing = true, .has_ref_cnt = true, .has_volatile_clip = true
#define HAS_NV17 HAS_NV1A, .has_second_ramfc = true
#define HAS_NV1A HAS_NV10, .has_call = true, .has_old_semaphore = true
#define HAS_NV40 HAS_NV1A, .has_yield = true, .has_switch_any_time = true
#define HAS_G80  HAS_NV40, .has_ib = true
#define HAS_G84  HAS_G80, .has_new_semaphore = true, .has_notify_intr = true

/*
 * GPFIFO channels. Subroutines and the endian switch of PFIFO are gone; a semaphore address is
 * virtual, so of the old semaphore methods only 0x64..0x6c remain, until GV100 reuses them.
 */
#define HAS_GPFIFO                                                                                                     \
    .has_dma = true, .has_vram_pushbuffer = true, .has_nonincreasing = true, .has_ref_cnt = true, .has_yield = true,   \
    .has_switch_any_time = true, .has_ib = true, .has_notify_intr = true, .ring_only = true, .binds_classes = true,    \
    .has_macros = true
#define HAS_SEMAPHORES .has_old_semaphore = true, .has_new_semaphore = true
#define HAS_906F                                                                                                       \
    HAS_GPFIFO, HAS_SEMAPHORES, .gob_order = GOB_SECTORS, .has_engine_in_object = true,                                \
                                .runlist_layout = &runlist_layout_gf100
#define HAS_KEPLER HAS_GPFIFO, HAS_SEMAPHORES, .has_runlists = true
#define HAS_A06F   HAS_KEPLER, .runlist_layout = &runlist_layout_gf100
#define HAS_TSG    .runlist_layout = &runlist_layout_gk110 // NOLINT(bugprone-macro-parentheses): a member
#define HAS_A26F   HAS_KEPLER, HAS_TSG, .has_wfi_method = true, HAS_SYNCPOINTS
#define HAS_A16F   HAS_KEPLER, HAS_TSG, .has_wfi_method = true, .has_semaphore_reduction = true
#define HAS_B06F   HAS_A16F, .gob_order = GOB_SECTORS, .has_yield_operations = true, .has_mem_op_c = true
#define HAS_C86F                                                                                                       \
    HAS_GPFIFO, .gob_order = GOB_SECTORS, .has_runlists = true, .runlist_layout = &runlist_layout_gv100,               \
                .has_wfi_method = true, .has_yield_operations = true, .has_mem_op_c = true, .has_doorbell = true
/* The class headers still list SEMAPHOREA..D up to C76F, the PBDMA manuals do not: both forms work. */
#define HAS_C36F HAS_C86F, .has_new_semaphore = true, .has_semaphore_reduction = true

#endif
