/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO with the same offset on all chips up to TU10x. Their bits are in pfifo_nv4.h and pfifo_gf100.h.
 *
 * Sources: envytools rnndb/fifo/{nv1,nv4,g80,gf100}_pfifo.xml.
 */
#ifndef PFIFO_SRC_HW_PFIFO_H
#define PFIFO_SRC_HW_PFIFO_H

enum {
    NV_PFIFO_INTR = 0x2100, /* INTR_0 before G80 */
    NV_PFIFO_INTR_EN = 0x2140,
};

#endif
