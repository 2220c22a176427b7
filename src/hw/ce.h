/* SPDX-License-Identifier: MIT */
/*
 * Copy engines of GK104 and later, relative to the base of a unit.
 *
 * Sources: nouveau engine/ce/{gk104,gp100}.c; envytools rnndb/fifo/pcopy.xml.
 */
#ifndef PFIFO_SRC_HW_CE_H
#define PFIFO_SRC_HW_CE_H

enum {
    NV_CE_INTR_EN_GK104 = 0x904,
    NV_CE_INTR_GK104 = 0x908,
    NV_CE_LAUNCHERR_GK104 = 0xf14,
    NV_CE_INTR_EN_GP100 = 0x00c,
    NV_CE_INTR_GP100 = 0x010,
    NV_CE_LAUNCHERR_GP100 = 0x018,
};

/* INTR. */
#define CE_BLOCK     (1u << 0)
#define CE_NONBLOCK  (1u << 1)
#define CE_LAUNCHERR (1u << 2)

#endif
