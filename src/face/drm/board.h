/* SPDX-License-Identifier: MIT */
/*
 * A common board of a chip, as its PCI configuration and nouveau name it. Sources: pci.ids; Linux
 * drivers/gpu/drm/nouveau/nvkm/engine/device/{pci,base,user}.c.
 */
#ifndef PFIFO_SRC_FACE_DRM_BOARD_H
#define PFIFO_SRC_FACE_DRM_BOARD_H

#include <pfifo/chip.h>

#define BOARD_VENDOR 0x10deu
#define BOARD_SLOT   "fff0:01:00.0" /* in a domain that no machine has */

/* How a chip is connected, as GETPARAM numbers it. */
enum board_bus { BOARD_AGP, BOARD_PCI, BOARD_PCIE, BOARD_SOC };

/* Device id. 0: the chip is part of a Tegra, and on no PCI bus. */
uint16_t board_pci_device(const struct pfifo_chip *chip);
enum board_bus board_bus(const struct pfifo_chip *chip);
/* The chip is in a chipset, and its VRAM is a part of the system's memory. */
bool board_is_integrated(const struct pfifo_chip *chip);

/* The chip as nouveau calls it, and the product, which is the chip again if nouveau does not know the board. */
const char *board_chip_name(const struct pfifo_chip *chip);
const char *board_product(const struct pfifo_chip *chip);

#endif
