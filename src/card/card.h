/* SPDX-License-Identifier: MIT */
/*
 * A card as Linux shows it: a folder of sysfs per device.
 *
 *   /sys/bus/pci/devices/0000:01:00.0/  vendor, device   its ids, as text
 *                                       resource         place and kind of each BAR, a line each
 *                                       config           the header of its configuration space
 *                                       power_state      D0 if it answers (Linux 5.12 and later)
 *                                       driver           symbolic link, if one is bound
 *                                       resource0        BAR0: registers, to be mapped
 *
 * Nothing in the files is trusted. Nothing is written except, on request, registers.
 *
 * Modelled:     devices of NVIDIA, and NV1 and NV3 of SGS-Thomson; BAR0 in either byte order
 * Not modelled: other BARs are listed, not mapped; Tegra, which is not a PCI device
 * Sources:      Linux Documentation/PCI/sysfs-pci.rst, include/linux/ioport.h (flags); PCI Local Bus Specification 3.0,
 *               6.1 and 6.2 (header); envytools docs/hw/gpu.rst (ids), docs/hw/bus/bars.rst
 */
#ifndef PFIFO_SRC_CARD_CARD_H
#define PFIFO_SRC_CARD_CARD_H

#include <pfifo/chip.h>
#include <pfifo/error.h>

#define PCI_ADDRESS 16 /* bytes of an address as text, "0000:01:00.0", with its end */
#define PCI_BARS    7  /* the last one is the ROM */
#define PCI_CONFIG  64 /* bytes of the header, all that unprivileged users may read */

struct pci_bar {
    uint64_t address, bytes; /* bytes 0: there is no such BAR */
    uint64_t flags;
};

#define PCI_BAR_PORTS    0x100u /* flags: I/O ports ... */
#define PCI_BAR_MEMORY   0x200u /* ... or memory */
#define PCI_BAR_PREFETCH 0x2000u
#define PCI_BAR_64       0x100000u

/* What the tree says about a device. */
struct pci_device {
    char address[PCI_ADDRESS];
    uint16_t vendor, device;
    uint8_t revision;
    uint32_t class_code; /* 0x030000: VGA */
    bool decodes_memory; /* its BARs answer */
    char driver[32];     /* that is bound; "": none */
    const char *asleep;  /* "D3cold": it is switched off; NULL: it is not, or cannot say so */
    struct pci_bar bars[PCI_BARS];
};

/* ---- parse.c: what is in the files ---- */

/* "01:00.0" or "0000:01:00.0", hexadecimal. False if it is no address. */
bool pci_parse_address(const char *text, char address[PCI_ADDRESS]);

/* "0x10de\n": the file vendor or device. False if it is something else. */
bool pci_parse_id(const char *text, size_t bytes, uint16_t *id);

/* The file resource: lines of first address, last address and flags. The message of an error has the offset. */
enum pfifo_status pci_parse_resource(const char *text, size_t bytes, struct pci_bar bars[PCI_BARS],
                                     struct pfifo_error *error);

/* The file config, of a device with these ids. */
enum pfifo_status pci_parse_config(const uint8_t *config, size_t bytes, struct pci_device *device,
                                   struct pfifo_error *error);

/* Is it a graphics chip of NVIDIA, by its ids and class? */
bool pci_is_gpu(const struct pci_device *device);

/* ---- sysfs.c ---- */

/*
 * Read the properties of a device. `root` is the mount point of sysfs, "/sys". PFIFO_ERROR_ARGUMENT: there is no device
 * at the address, or it is not a graphics chip of NVIDIA.
 */
enum pfifo_status pci_read(const char *root, const char *address, struct pci_device *device, struct pfifo_error *error);

/*
 * Call `each` for every graphics chip of NVIDIA, by address. Devices that cannot be read are skipped. Returns their
 * number.
 */
size_t pci_each(const char *root, void (*call)(void *opaque, const struct pci_device *device), void *opaque);

/* ---- card.c ---- */

/* A card whose BAR0 is mapped. */
struct pci_card {
    struct pci_device device;
    const struct pfifo_chip *chip;
    uint32_t boot0; /* as it came */
    bool swapped;   /* BAR0 has the byte order that is not the host's */
    bool writable;
    volatile uint32_t *registers;
    size_t bytes; /* that are mapped */
};

/*
 * Open the card at an address (NULL on error: the file and what is wrong with it). Without `write` the mapping is
 * read-only: no store can reach the card.
 */
struct pci_card *pci_open(const char *root, const char *address, bool write, struct pfifo_error *error);
void pci_close(struct pci_card *card);

/* 32 bits at a multiple of 4 below card->bytes; a write needs card->writable. Each is one access of that size. */
uint32_t pci_rd32(const struct pci_card *card, uint32_t offset);
void pci_wr32(struct pci_card *card, uint32_t offset, uint32_t value);

#endif
