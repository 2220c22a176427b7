/* SPDX-License-Identifier: MIT */
/*
 * A card in a PCI slot: the board around a GPU (pfifo/pci.h).
 *
 *   configuration space --> BARs, command register, MSI          config.c
 *   region 0 --> areas of the board --> the GPU's BAR0           registers.c, vga.c
 *                                   --> else storage, counted    storage.c
 *   other regions --> the GPU's BARs; the ROM                    card.c
 *   the GPU's line --> INTA or a message                         lines.c
 *   the GPU's system memory --> ranges of the owner              dma.c
 *
 * What a board is, is a row of board.c; what it has in BAR0, a row of registers.c.
 *
 * Not modelled: power states (the bits are stored), PCI Express beyond its capability, AGP, VGA beside CRTC and
 *               attribute registers.
 * Sources:      PCI Local Bus Specification 3.0; PCI Express Base Specification 2.0; envytools docs/hw/bus/bars.rst,
 *               docs/hw/mmio.rst, rnndb/bus; nouveau nvkm/subdev/pci, nvkm/subdev/bios, nvkm/engine/device/base.c
 */
#ifndef PFIFO_SRC_PCI_CARD_H
#define PFIFO_SRC_PCI_CARD_H

#include <pfifo/pci.h>

#include <string.h>

#include "gpu/gpu.h"
#include "pci/pages.h"
#include "pci/tap.h"

/* ---- board.c ---- */

/* Boards that have the same bus. */
struct pci_shape {
    const char *chips;
    uint32_t rom_bytes;     /* of the ROM's BAR */
    uint8_t power;          /* version of the power management capability, 0: none */
    uint8_t express, speed; /* version of the PCI Express capability, 0: none; generation of the link */
    uint8_t dcb;            /* version of the VBIOS's table of outputs */
    uint8_t ramin_bar;      /* number of the RAMIN BAR, 0: none */
    bool msi;
    bool wide; /* BARs for memory have 64 bits */
    bool ramin_prefetch;
    bool bit; /* the VBIOS has a BIT, and what drivers dereference through it */
};

struct pci_board {
    const char *chip;
    uint16_t vendor, device;
};

/* NULL: the chip is on no card. */
const struct pci_board *pci_board_of(const struct pfifo_chip *chip);
const struct pci_shape *pci_shape_of(const struct pfifo_chip *chip);

/* ---- the card ---- */

#define PCI_MAX_AREAS   16
#define PCI_CRTC_REGS   256u
#define PCI_ATTR_REGS   32u
#define PCI_PAGE_WORDS  1024u
#define PCI_HEADS       2u
#define PCI_ALL_LANES   0xfu
#define PCI_VBIOS_BYTES 4096u

/* VGA registers of a head, behind an index. */
struct pci_vga {
    uint8_t crtc_index, crtc[PCI_CRTC_REGS];
    uint8_t attr_index, attr[PCI_ATTR_REGS];
    bool attr_data; /* the next write of the attribute port is data */
};

/* Everything that a save has, except storage. */
struct pci_state {
    uint8_t config[PFIFO_PCI_CONFIG_BYTES];
    uint32_t straps; /* bit 31: as the guest wrote it */
    bool line;       /* of the GPU */
    bool intx;       /* as the slot sees it */
    bool armed;      /* a message may be sent */
    struct pci_vga vga[PCI_HEADS];
};

/* Storage of a page of BAR0. The counts stop at their end. */
struct pci_page {
    uint32_t value[PCI_PAGE_WORDS], reads[PCI_PAGE_WORDS], writes[PCI_PAGE_WORDS];
};

/*
 * Something of the board in BAR0. `offset` is that of the dword within the area; lanes are those of the access, in the
 * order of the chip's bytes, and values are in their lanes.
 */
struct pci_area {
    uint32_t begin, end;
    const char *name;
    unsigned number;
    bool bytes; /* PMC ENDIAN does not swap it */
    uint32_t (*read)(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes);
    void (*write)(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value, unsigned lanes);
};

struct pci_dma {
    uint64_t first, last; /* addresses, last inclusive */
    uint8_t *host;        /* NULL: there is no pointer, but `remote` */
    bool writable;
    struct pfifo_pci_remote remote;
};

/* Pages in place of memory without a pointer, in an operation. */
struct pci_remote {
    struct session_pages data;   /* what the GPU has */
    struct session_pages before; /* what is there, as far as is known */
    bool current;                /* nothing was looked at since this page was read, for this range */
    uint64_t page, range;
    bool writes; /* to this page last */
    uint64_t written;
};

struct pfifo_pci {
    struct pci_tap *tap;            /* NULL: none */
    bool used;                      /* something was done with it */
    struct pfifo_pci_config config; /* as given; vbios is the card's copy */
    const struct pci_board *board;
    const struct pci_shape *shape;
    struct pfifo_gpu *gpu;
    uint8_t *rom;
    uint32_t rom_bytes; /* of the image */
    struct pfifo_pci_region regions[PFIFO_PCI_REGIONS];
    uint8_t writable[PFIFO_PCI_CONFIG_BYTES]; /* bits of configuration space that a write stores */
    struct pci_area areas[PCI_MAX_AREAS];
    size_t area_count;
    struct pci_state state;
    struct pci_page **pages; /* of BAR0; NULL: never accessed */
    size_t page_count;
    struct pci_dma dma[PFIFO_PCI_DMA_MAX]; /* sorted by address */
    size_t dma_count;
    struct pci_remote remote;
    bool inside; /* of an operation */
    bool quiet;  /* in a load: the lines change at its end */
};

/* ---- dma_remote.c ---- */

#define PCI_REMOTE_PAGE  PFIFO_PCI_REMOTE_MAX
#define PCI_REMOTE_PAGES 0x10000u /* in an operation; beyond them nothing is found */

/* As pci_dma_find(), in a range without a pointer. */
void *pci_remote_find(struct pfifo_pci *card, const struct pci_dma *range, uint64_t address, uint64_t *bytes,
                      bool write);
/* Is there one? */
bool pci_remote_ranges(const struct pfifo_pci *card);
/* Other memory of the guest is looked at. */
void pci_remote_leave(struct pfifo_pci *card, bool write);
/* What has been written goes to its owner. */
void pci_remote_flush(struct pfifo_pci *card);
/* The operation is done. */
void pci_remote_end(struct pfifo_pci *card);
void pci_remote_free(struct pfifo_pci *card);

/* ---- operations of the owner, for a tap ---- */

static inline void pci_begin(struct pfifo_pci *card) {
    card->used = card->inside = true;
    card->remote.current = false; /* what was looked at between operations is old */
    if (card->tap && card->tap->begin)
        card->tap->begin(card->tap);
}
static inline void pci_end(struct pfifo_pci *card, const struct session_record *done) {
    card->inside = false;
    if (card->remote.data.count)
        pci_remote_end(card);
    if (card->tap && card->tap->end)
        card->tap->end(card->tap, done);
}

/* ---- config.c ---- */

#define PCI_COMMAND      0x04u
#define PCI_IO           0x0001u
#define PCI_MEMORY       0x0002u
#define PCI_MASTER       0x0004u
#define PCI_INTX_DISABLE 0x0400u
#define PCI_BAR0         0x10u
#define PCI_ROM_BAR      0x30u
#define PCI_MSI          0x68u

/* Registers after a reset, and which bits can be written. */
void pci_config_init(struct pfifo_pci *card);
/* A dword, and bytes of it (bit n of lanes: byte n); also for the mirror in BAR0. */
uint32_t pci_config_get(const struct pfifo_pci *card, unsigned offset);
void pci_config_put(struct pfifo_pci *card, unsigned offset, uint32_t value, unsigned lanes);
static inline uint32_t pci_command(const struct pfifo_pci *card) {
    return card->state.config[PCI_COMMAND] | (uint32_t)card->state.config[PCI_COMMAND + 1] << 8;
}
bool pci_msi_enabled(const struct pfifo_pci *card);

/* ---- lines.c ---- */

/* After a change of the GPU's line, the command register or MSI. */
void pci_lines_update(struct pfifo_pci *card);
/* MSI is enabled anew, or the driver has asked for the next message. */
void pci_lines_arm(struct pfifo_pci *card);
/* For struct pfifo_config. */
void pci_lines_irq(void *opaque, bool level);

/* ---- registers.c ---- */

/* Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status pci_registers_init(struct pfifo_pci *card, struct pfifo_error *error);
void pci_registers_reset(struct pfifo_pci *card);
void pci_registers_read(struct pfifo_pci *card, uint32_t offset, uint8_t *data, uint32_t bytes);
void pci_registers_write(struct pfifo_pci *card, uint32_t offset, const uint8_t *data, uint32_t bytes);

/* The bits of the lanes. */
static inline uint32_t pci_lane_bits(unsigned lanes) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= lanes >> i & 1 ? UINT32_C(0xff) << 8 * i : 0;
    return bits;
}

/* ---- storage.c ---- */

uint32_t pci_storage_read(struct pfifo_pci *card, uint32_t offset);
void pci_storage_write(struct pfifo_pci *card, uint32_t offset, uint32_t value, unsigned lanes);
/* The page, made if needed; NULL: no memory, or beyond the end. */
struct pci_page *pci_storage_page(struct pfifo_pci *card, size_t number);
void pci_storage_clear(struct pfifo_pci *card);

/* ---- vga.c ---- */

void pci_vga_reset(struct pci_vga *vga);
uint32_t pci_vga_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes);
void pci_vga_write(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value,
                   unsigned lanes);

/* ---- dma.c ---- */

/* The first range that ends at or after the address. */
size_t pci_dma_range(const struct pfifo_pci *card, uint64_t address);
/* For struct pfifo_config. */
void *pci_dma_find(void *opaque, uint64_t address, uint64_t *bytes, bool write);

/* ---- vbios.c ---- */

/* Make the image of a board without outputs. */
void pci_vbios_make(uint8_t image[PCI_VBIOS_BYTES], uint16_t vendor, uint16_t device, uint16_t chip,
                    const struct pci_shape *shape);

#endif
