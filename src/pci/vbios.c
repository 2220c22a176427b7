/* SPDX-License-Identifier: MIT */
/*
 * A VBIOS of a board without outputs, small enough to have no meaning beyond being one.
 *
 *   0x000 55 aa, length, code: return | 0x018 -> PCIR | 0x036 -> DCB | 0x0040 PCIR | 0x100 DCB, I2C | 0x200 BMP
 *
 * The card is as after its POST, so there are no init scripts. The I2C table is full of unused entries: zeros would be
 * 16 buses.
 *
 * nouveau of Linux 6.1 does not survive a GK104 without a table of voltages (nvkm/subdev/volt/gk104.c makes no unit,
 * and engine/device/base.c wants one): such a guest needs the image of a board.
 *
 * Not modelled: BIT tables: voltages, clocks, memory timings
 * Sources:      PCI Firmware Specification 3.0; envytools docs/hw/bios; nouveau nvkm/subdev/bios/image.c, pcir.c,
 * bmp.h, dcb.c
 */
#include "pci/card.h"

#define PCIR      0x40u
#define DCB       0x100u
#define BMP       0x200u
#define I2C_BYTES 64u

static void set16(uint8_t *image, unsigned at, uint32_t value) {
    image[at] = (uint8_t)value;
    image[at + 1] = (uint8_t)(value >> 8);
}

static uint8_t sum(const uint8_t *bytes, size_t count) {
    uint8_t total = 0;
    for (size_t i = 0; i < count; i++)
        total = (uint8_t)(total + bytes[i]);
    return total;
}

static void make_pcir(uint8_t *at, uint16_t vendor, uint16_t device) {
    static const uint8_t signature[] = {'P', 'C', 'I', 'R'};
    memcpy(at, signature, sizeof signature);
    set16(at, 0x04, vendor);
    set16(at, 0x06, device);
    set16(at, 0x0a, 0x18); /* its length */
    at[0x0f] = 0x03;       /* class 0x030000 */
    set16(at, 0x10, PCI_VBIOS_BYTES / 512);
    at[0x15] = 0x80; /* the last image; its code is for a PC */
}

/* Version 2.2: an entry is unused if it is all ones. */
static void make_dcb(uint8_t *image) {
    static const uint8_t signature[] = {0xcb, 0xbd, 0xdc, 0x4e};
    image[DCB] = 0x22;
    set16(image, DCB + 2, DCB + 8); /* the I2C table */
    memcpy(image + DCB + 4, signature, sizeof signature);
    memset(image + DCB + 8, 0xff, I2C_BYTES);
}

/* Version 5.1. The version of the VBIOS has a major part of 0, for which nouveau's display runs nothing. */
static void make_bmp(uint8_t *at, uint16_t chip) {
    static const uint8_t signature[] = {0xff, 0x7f, 'N', 'V', 0x00, 5, 1};
    memcpy(at, signature, sizeof signature);
    at[7] = (uint8_t)-sum(at, 7);
    at[12] = (uint8_t)chip;
}

void pci_vbios_make(uint8_t image[PCI_VBIOS_BYTES], uint16_t vendor, uint16_t device, uint16_t chip) {
    memset(image, 0, PCI_VBIOS_BYTES);
    image[0] = 0x55;
    image[1] = 0xaa;
    image[2] = PCI_VBIOS_BYTES / 512;
    image[3] = 0xcb; /* RETF: a PC calls it */
    set16(image, 0x18, PCIR);
    set16(image, 0x36, DCB);
    make_pcir(image + PCIR, vendor, device);
    make_dcb(image);
    make_bmp(image + BMP, chip);
    image[PCI_VBIOS_BYTES - 1] = (uint8_t)-sum(image, PCI_VBIOS_BYTES - 1);
}
