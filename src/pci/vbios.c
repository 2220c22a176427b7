/* SPDX-License-Identifier: MIT */
/*
 * A VBIOS of a board without outputs, small enough to have no meaning beyond being one.
 *
 *   0x000 55 aa, length, code: return | 0x018 -> PCIR | 0x036 -> DCB | 0x0040 PCIR | 0x100 DCB, I2C | 0x200 BMP
 *   0x300 BIT | 0x400 i: version | 0x420 P: what is about power -> 0x500 voltages
 *   0x4a0 M: memory -> 0x540 its types, 0x560 its settings by clock
 *
 * The card is as after its POST, so there are no init scripts.
 *
 * The DCB's version is that of the chip's boards, because drivers look at it: nouveau since Linux 6.2 finds neither
 * heads nor channels of a G80's display when it is older than 4.0, and the driver ends. The I2C table of a version
 * before 3.0 has no header, so it is full of unused entries: zeros would be 16 buses. UNKNOWN: what boards of NV5, NV10
 * to NV15 and NV20 have, which is 1.x, of another form. Chosen: 2.2. UNKNOWN: boards with a DCB of 4.1, of which
 * drivers know. Chosen: 4.0 from G80 on.
 *
 * nouveau of Linux 6.1 does not survive a GK104 without a table of voltages (nvkm/subdev/volt/gk104.c makes no unit,
 * and engine/device/base.c wants one). The one here has a voltage, and none that could be set.
 *
 * Not modelled: BIT tables of clocks, memory timings, fans and displays
 * Sources:      PCI Firmware Specification 3.0; NVIDIA's open-gpu-doc, Device Control Block 4.0 Specification ("DCB
 *               version and use", "Header", "Header Version 4.0 Sizes"); envytools docs/hw/bios; nouveau
 *               nvkm/subdev/bios/image.c, pcir.c, bmp.h, dcb.c, i2c.c, bit.c, volt.c, M0203.c, rammap.c
 */
#include "pci/card.h"

#include <assert.h>

#define PCIR        0x40u
#define DCB         0x100u
#define BMP         0x200u
#define I2C_UNUSED  64u /* bytes */
#define BIT         0x300u
#define BIT_I       0x400u
#define BIT_P       0x420u
#define BIT_M       0x4a0u
#define BIT_SCRIPTS 0x4c0u /* no scripts: zeros */
#define BIT_DISPLAY 0x4e0u /* no panels: zeros */
#define VOLTAGES    0x500u
#define MEMORY      0x540u
#define MAPPINGS    0x560u

_Static_assert(I2C_UNUSED + DCB + 8 <= BMP && BIT_SCRIPTS + 0x20 <= BIT_DISPLAY && MAPPINGS < PCI_VBIOS_BYTES,
               "tables of the VBIOS do not overlap");

static void vbios_set16(uint8_t *image, unsigned at, uint32_t value) {
    assert(at + 1 < PCI_VBIOS_BYTES);
    image[at] = (uint8_t)value;
    image[at + 1] = (uint8_t)(value >> 8);
}

static uint8_t vbios_sum(const uint8_t *bytes, size_t count) {
    uint8_t total = 0;
    for (size_t i = 0; i < count; i++)
        total = (uint8_t)(total + bytes[i]);
    return total;
}

static void make_pcir(uint8_t *at, uint16_t vendor, uint16_t device) {
    static const uint8_t signature[] = {'P', 'C', 'I', 'R'};
    memcpy(at, signature, sizeof signature);
    vbios_set16(at, 0x04, vendor);
    vbios_set16(at, 0x06, device);
    vbios_set16(at, 0x0a, 0x18); /* its length */
    at[0x0f] = 0x03;             /* class 0x030000 */
    vbios_set16(at, 0x10, PCI_VBIOS_BYTES / 512);
    at[0x15] = 0x80; /* the last image; its code is for a PC */
}

static const uint8_t dcb_signature[] = {0xcb, 0xbd, 0xdc, 0x4e};

/* Version 2.x: an entry is unused if it is all ones. Of the outputs there are as many as fit before the I2C table. */
static void make_dcb2(uint8_t *image, uint8_t version) {
    image[DCB] = version;
    vbios_set16(image, DCB + 2, DCB + 8); /* the I2C table */
    memcpy(image + DCB + 4, dcb_signature, sizeof dcb_signature);
    memset(image + DCB + 8, 0xff, I2C_UNUSED);
}

/*
 * Versions 3.0 and 4.0: header, no entries of 8 bytes; then the I2C table, with a header of 5 bytes and no entries
 * of 4. There are no other tables. The header of 4.0 grew from 23 to 27 bytes in its time, that of 3.0 to 25.
 */
static void make_dcb3(uint8_t *image, uint8_t version) {
    uint8_t bytes = version >= 0x40 ? 27 : 25;
    const uint8_t header[] = {version, bytes, 0, 8}, i2c[] = {version, 5, 0, 4, 0};
    memcpy(image + DCB, header, sizeof header);
    vbios_set16(image, DCB + 4, DCB + bytes);
    memcpy(image + DCB + 6, dcb_signature, sizeof dcb_signature);
    memcpy(image + DCB + bytes, i2c, sizeof i2c);
}

/* Version 5.1. The version of the VBIOS has a major part of 0, for which nouveau's display runs nothing. */
static void make_bmp(uint8_t *at, uint16_t chip) {
    static const uint8_t signature[] = {0xff, 0x7f, 'N', 'V', 0x00, 5, 1};
    memcpy(at, signature, sizeof signature);
    at[7] = (uint8_t)-vbios_sum(at, 7);
    at[12] = (uint8_t)chip;
}

static void vbios_set32(uint8_t *image, unsigned at, uint32_t value) {
    vbios_set16(image, at, value);
    vbios_set16(image, at + 2, value >> 16);
}

static const struct bit_entry {
    uint8_t id, version;
    uint16_t bytes, at;
} bit_entries[] = {
    {'i', 2, 0x20, BIT_I}, {'I', 1, 0x20, BIT_SCRIPTS}, {'D', 1, 4, BIT_DISPLAY},
    {'P', 2, 0x80, BIT_P}, {'M', 2, 0x20, BIT_M},
};

#define BIT_ENTRIES (sizeof bit_entries / sizeof bit_entries[0])

/* Version 1.0: a header of 12 bytes, entries of 6. */
static void make_bit(uint8_t *image) {
    static const uint8_t header[] = {0xff, 0xb8, 'B', 'I', 'T', 0, 0, 1, 12, 6, BIT_ENTRIES};
    memcpy(image + BIT, header, sizeof header);
    image[BIT + 11] = (uint8_t)-vbios_sum(image + BIT, 11);
    for (unsigned i = 0; i < BIT_ENTRIES; i++) {
        unsigned at = BIT + 12 + 6 * i;
        image[at] = bit_entries[i].id;
        image[at + 1] = bit_entries[i].version;
        vbios_set16(image, at + 2, bit_entries[i].bytes);
        vbios_set16(image, at + 4, bit_entries[i].at);
    }
}

/* Version 4.0: 0.9 V, from which no step leads to another; so no line of a GPIO is asked for. */
static void make_voltages(uint8_t *image) {
    vbios_set16(image, BIT_P + 0x0c, VOLTAGES);
    image[VOLTAGES] = 0x40;
    image[VOLTAGES + 1] = 0x0c;
    vbios_set32(image, VOLTAGES + 4, 900000);
}

/* Version 1.0 of the table of memory types: one entry, for strap 0. UNKNOWN: of a board; chosen: DDR3. */
static void make_memory(uint8_t *image) {
    static const uint8_t table[] = {0x10, 7, 2, 1, 0, 0, 0, /* entry: type 1, strap 0 */ 0x01, 0x00};
    vbios_set16(image, BIT_M + 3, MEMORY);
    memcpy(image + MEMORY, table, sizeof table);
}

/* Version 1.1 of the table of what memory is set to at which clock: no entries, and no scripts to run once. */
static void make_mappings(uint8_t *image) {
    vbios_set16(image, BIT_P + 4, MAPPINGS);
    image[MAPPINGS] = 0x11;
    image[MAPPINGS + 1] = 0x15;
}

/* What drivers reach through the BIT. */
static void make_tables(uint8_t *image, uint16_t chip) {
    make_bit(image);
    image[BIT_I + 2] = (uint8_t)chip; /* the version, as the BMP has it */
    make_voltages(image);
    make_memory(image);
    make_mappings(image);
}

void pci_vbios_make(uint8_t image[PCI_VBIOS_BYTES], uint16_t vendor, uint16_t device, uint16_t chip,
                    const struct pci_shape *shape) {
    memset(image, 0, PCI_VBIOS_BYTES);
    image[0] = 0x55;
    image[1] = 0xaa;
    image[2] = PCI_VBIOS_BYTES / 512;
    image[3] = 0xcb; /* RETF: a PC calls it */
    vbios_set16(image, 0x18, PCIR);
    vbios_set16(image, 0x36, DCB);
    make_pcir(image + PCIR, vendor, device);
    (shape->dcb >= 0x30 ? make_dcb3 : make_dcb2)(image, shape->dcb);
    make_bmp(image + BMP, chip);
    if (shape->bit)
        make_tables(image, chip);
    image[PCI_VBIOS_BYTES - 1] = (uint8_t)-vbios_sum(image, PCI_VBIOS_BYTES - 1);
}
