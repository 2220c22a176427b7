/* SPDX-License-Identifier: MIT */
/*
 * The host's access to memory: the BARs, the windows PRAMIN and FB in BAR 0, and VRAM_HIDE.
 *
 *            NV1             NV3             NV4:G80          G80:GF100                          GF100-
 *   BAR 0    registers, VRAM registers       registers        registers                          registers
 *   BAR 1                    VRAM, RAMIN     VRAM             VRAM, or a DMA object in the       VRAM, or the VM of
 *                                                             BAR channel                        an instance block
 *   BAR 3                                    RAMIN (NV40-)    the same, another object           the same, another
 *   BAR 5                                                     I/O ports to the others            the same
 *
 * On G80 and later each of BAR 1, BAR 3 and PEEPHOLE goes through a space of its own, if its register selects one:
 *
 *   port       untranslated (VM 0)     Tesla                                          GF100-
 *   BAR1       VRAM                    object 0x1708 in the BAR channel (0x1704)      instance block 0x1704
 *   BAR3       VRAM                    object 0x170c                                  instance block 0x1714
 *   PEEPHOLE   VRAM                    object 0x1710 in the PEEPHOLE channel          instance block 0x1718
 *
 * A read that faults returns 0xbad0ac00, a write that faults is dropped, and the fault is reported: in PFB and PFIFO on
 * Tesla, as a record of PFIFO on GF100 and later.
 *
 * Modelled:     all of this; VRAM_HIDE, PFLUSH (never busy), USERD within BAR 1, whose accesses go to PFIFO.
 * Not modelled: VGA windows, ROM, the IOMMU of a host.
 * UNKNOWN: BAR1 of the NV44 type, which has windows into VRAM and GART; chosen: VRAM.
 * Sources: envytools docs/hw/bus/bars.rst, docs/hw/mmio.rst, rnndb/bus/pbus.xml; nouveau
 *          nvkm/subdev/bar/{nv50,g84,gf100}.c; 86Box nv3.
 */
#ifndef PFIFO_SRC_BUS_BARS_H
#define PFIFO_SRC_BUS_BARS_H

#include "bus/reg.h"
#include "memory/memory.h"

struct bus;

/* The ports of the host to memory, G80 and later. */
enum bus_port { BUS_PORT_PEEPHOLE = 0, BUS_PORT_BAR1 = 1, BUS_PORT_BAR3 = 3 };

struct bars {
    struct bus *bus;
    /* Sizes, in bytes; not saved. */
    uint64_t bar0_bytes, bar1_bytes; /* bytes that BARs 0 and 1 decode; 0: no such BAR */
    uint32_t bar1_ramin;             /* offset of RAMIN in BAR 1 (NV3); 0: it has another BAR */
    uint64_t userd, userd_bytes;     /* BAR 1: the USERD area (GF100:GV100), set by PFIFO; 0 bytes: none */
    /* Registers. */
    uint32_t pramin_base;                   /* 0x1700 */
    uint32_t bar1_block;                    /* 0x1704 on GF100-, 0x1708 on Tesla */
    uint32_t bar3_block;                    /* 0x1714 on GF100-, 0x170c on Tesla */
    uint32_t peephole_block;                /* 0x1718 on GF100-, 0x1710 on Tesla */
    uint32_t bar_select;                    /* 0x1704 on Tesla as last written; a write sets one of these: */
    uint32_t bar_channel, peephole_channel; /* descriptors of the channels that have the objects */
    uint32_t unknown_1900[8];               /* Tesla */
};

/* What a port shows: a space, and its descriptor. */
struct aperture {
    struct address_space space;
    uint64_t instance; /* physical address of the descriptor or instance block; 0: untranslated */
    enum bus_port port;
};

struct bars_variant {
    struct reg_tables tables;
    bool translated; /* G80-: ports have spaces, BAR 3 shows memory and not RAMIN, and there is BAR 5 */
    /* What a port with the register value `block` shows. NULL: always VRAM. */
    struct aperture (*space)(struct bus *bus, enum bus_port port, uint32_t block);
    /* An access of a port faulted; the address is relative to its space. NULL: not reported. */
    void (*fault)(struct bus *bus, const struct aperture *aperture, const struct fault *fault);
    bool has_window_base; /* G80:GH100: 0x1700 selects what PRAMIN shows */
    uint32_t pattern;     /* value of a read that faults */
    bool hides_vram;      /* VRAM_HIDE has an effect; on GF100 the registers have none */
};

struct aperture aperture_of(struct bus *bus, enum bus_port port);

/* Pages that fault read as the pattern, and writes to them are dropped; the fault is reported. */
void aperture_read(struct bus *bus, const struct aperture *aperture, uint64_t offset, uint8_t *data, uint64_t bytes);
void aperture_write(struct bus *bus, const struct aperture *aperture, uint64_t offset, const uint8_t *data,
                    uint64_t bytes);

/* The value read at `offset` of a window, with the bytes that VRAM_HIDE hides as 0. */
void bus_hide_vram(const struct bus *bus, uint64_t offset, uint8_t *data, uint64_t bytes);

/* Sizes, from the chip and its VRAM. */
void bars_init(struct bus *bus);

/* aperture.c: for the variants. */
struct aperture bars_space_g80(struct bus *bus, enum bus_port port, uint32_t block);
struct aperture bars_space_gf100(struct bus *bus, enum bus_port port, uint32_t block);
void bars_fault_g80(struct bus *bus, const struct aperture *aperture, const struct fault *fault);
void bars_fault_gf100(struct bus *bus, const struct aperture *aperture, const struct fault *fault);
extern const struct reg_table pmc_hide_nv17;

extern const struct bars_variant bars_nv1, bars_nv3, bars_nv4, bars_g80, bars_g84, bars_gf100, bars_gm107, bars_gh100;

#endif
