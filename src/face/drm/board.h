/* SPDX-License-Identifier: MIT */
/* A common board of a chip, as its PCI configuration names it. Source: pci.ids; nouveau nvkm/engine/device/pci.c. */
#ifndef PFIFO_SRC_FACE_DRM_BOARD_H
#define PFIFO_SRC_FACE_DRM_BOARD_H

#include <pfifo/chip.h>

#define BOARD_VENDOR 0x10deu
#define BOARD_SLOT   "fff0:01:00.0" /* in a domain that no machine has */

/* Device id. 0: the chip is part of a Tegra, and on no PCI bus. */
uint16_t board_pci_device(const struct pfifo_chip *chip);

#endif
