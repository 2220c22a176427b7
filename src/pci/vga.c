/* SPDX-License-Identifier: MIT */
/*
 * VGA registers behind an index: those of the CRTC at 0x3d4, and attributes at 0x3c0, of each head. They are bytes,
 * which PMC ENDIAN does not swap.
 *
 * They are as after the card's POST, in a graphics mode: drivers take a card whose CRTC has no total for one that
 * nobody has set up, and save the fonts of a card in text mode.
 *
 * UNKNOWN: whether CR1F, which locks the extended registers, makes their writes have no effect. Chosen: no.
 * Sources: IBM VGA; nouveau nvkm/subdev/devinit/nv04.c, dispnv04/hw.c
 */
#include "pci/card.h"

#include <assert.h>

#define CR_TOTAL    0x06u
#define CR_LOCK     0x1fu
#define LOCK        0x99u
#define UNLOCK      0x57u
#define AR_MODE     0x10u
#define PORT_ATTR   0x00u /* from 0x3c0 */
#define PORT_ATTR_R 0x01u
#define PORT_INDEX  0x14u
#define PORT_DATA   0x15u
#define PORT_STATUS 0x1au

void pci_vga_reset(struct pci_vga *vga) {
    *vga = (struct pci_vga){.crtc[CR_TOTAL] = 0xbf, .attr[AR_MODE] = 1};
}

static uint8_t read_port(struct pci_vga *vga, uint32_t port) {
    if (port == PORT_ATTR)
        return vga->attr_index;
    if (port == PORT_ATTR_R)
        return vga->attr[vga->attr_index % PCI_ATTR_REGS];
    if (port == PORT_INDEX)
        return vga->crtc_index;
    if (port == PORT_DATA)
        return vga->crtc[vga->crtc_index];
    if (port == PORT_STATUS)
        vga->attr_data = false;
    return 0;
}

/* The lock reads 3 when it is open, 0 when closed. */
static uint8_t crtc_value(uint8_t index, uint8_t value) {
    return index != CR_LOCK || (value != LOCK && value != UNLOCK) ? value : value == UNLOCK ? 3 : 0;
}

static void write_port(struct pci_vga *vga, uint32_t port, uint8_t value) {
    if (port == PORT_ATTR) {
        if (vga->attr_data)
            vga->attr[vga->attr_index % PCI_ATTR_REGS] = value;
        else
            vga->attr_index = value;
        vga->attr_data = !vga->attr_data;
    } else if (port == PORT_INDEX) {
        vga->crtc_index = value;
    } else if (port == PORT_DATA) {
        vga->crtc[vga->crtc_index] = crtc_value(vga->crtc_index, value);
    }
}

/* Areas are dwords from a port on: `begin` tells which. */
uint32_t pci_vga_read(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, unsigned lanes) {
    uint32_t value = 0, port = (area->begin + offset) % 0x1000 - 0x3c0;
    assert(area->number < PCI_HEADS);
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1)
            value |= (uint32_t)read_port(&card->state.vga[area->number], port + i) << 8 * i;
    return value;
}

void pci_vga_write(struct pfifo_pci *card, const struct pci_area *area, uint32_t offset, uint32_t value,
                   unsigned lanes) {
    uint32_t port = (area->begin + offset) % 0x1000 - 0x3c0;
    assert(area->number < PCI_HEADS);
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1)
            write_port(&card->state.vga[area->number], port + i, (uint8_t)(value >> 8 * i));
}
