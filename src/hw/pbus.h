/* SPDX-License-Identifier: MIT */
/*
 * PBUS of G80 and later: the memory that BARs, windows and PEEPHOLE show, and flushes of the host's writes.
 *
 * Sources: envytools rnndb/bus/pbus.xml, docs/hw/memory/peephole.rst, docs/hw/bus/bars.rst; nouveau
 *          nvkm/subdev/bar/{nv50,g84,gf100,gm107}.c.
 */
#ifndef PFIFO_SRC_HW_PBUS_H
#define PFIFO_SRC_HW_PBUS_H

enum {
    NV_PBUS_HOST_MEM = 0x1700, /* where the window at PRAMIN starts */
    /* Tesla */
    NV_PBUS_CHANNEL = 0x1704,
    NV_PBUS_BAR1 = 0x1708, /* DMA objects */
    NV_PBUS_BAR3 = 0x170c,
    NV_PBUS_PEEPHOLE = 0x1710,
    NV_PBUS_UNKNOWN_1900 = 0x1900, /* eight words */
    /* GF100 and later */
    NV_PBUS_BAR1_BLOCK = 0x1704,  /* instance blocks */
    NV_PBUS_BIND_STATUS = 0x1710, /* GM107- */
    NV_PBUS_BAR3_BLOCK = 0x1714,
    NV_PBUS_PEEPHOLE_BLOCK = 0x1718,
    /* PEEPHOLE's port to read and to write; a word from G84 on, and in PBUS before */
    NV_PEEPHOLE_RW_ADDR = 0x1570,
    NV_PEEPHOLE_RW_DATA = 0x1574,
    NV_PEEPHOLE_RW_ADDR_HIGH = 0x6000c, /* GF100- */
    NV_PEEPHOLE_RW_ADDR_LOW = 0x60010,
    NV_PEEPHOLE_RW_DATA_G84 = 0x60014,
    /* G84 and later; G80 has it in PFIFO */
    NV_PFLUSH_FLUSH = 0x70000,

    NV_PRAMIN = 0x700000, /* the window; before G80 the start of RAMIN */
    NV_PRAMIN_BYTES = 0x100000,
    NV3_RAMIN = 0xc00000, /* in BAR1 */
};

/* HOST_MEM: [23:0] address >> 16, [25:24] target. */
#define PBUS_HOST_MEM_BITS 0x03ffffffu

/* CHANNEL: which of the two it sets, and the descriptor's address >> 12. */
#define PBUS_CHANNEL_IS_BAR     (1u << 30)
#define PBUS_CHANNEL_DESCRIPTOR 0x3fffffffu
/* BAR1, BAR3, PEEPHOLE and the blocks: addresses are virtual. */
#define PBUS_VM (1u << 31)

/* BIND_STATUS: pending and outstanding. */
#define PBUS_BIND_BAR1 0x3u
#define PBUS_BIND_BAR3 0xcu

/* FLUSH. */
#define PFLUSH_TRIGGER (1u << 0)
#define PFLUSH_BUSY    (1u << 1)

#endif
