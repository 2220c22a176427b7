/* SPDX-License-Identifier: MIT */
/*
 * Copy engines of GK104 and later, from INTR_EN on.
 *
 * Sources: nouveau engine/ce/{gk104,gp100}.c; envytools rnndb/fifo/pcopy.xml.
 */
#ifndef PFIFO_SRC_HW_CE_H
#define PFIFO_SRC_HW_CE_H

enum {
    NV_CE_INTR_EN_GK104 = 0x904, /* from the unit's base on */
    NV_CE_INTR_EN_GP100 = 0x00c,

    NV_CE_INTR_EN = 0x000,
    NV_CE_INTR = 0x004,
    NV_CE_LAUNCHERR_GK104 = 0x610,
    NV_CE_LAUNCHERR_GP100 = 0x00c,
};

/* INTR. */
#define CE_BLOCK     (1u << 0)
#define CE_NONBLOCK  (1u << 1)
#define CE_LAUNCHERR (1u << 2)

#endif
