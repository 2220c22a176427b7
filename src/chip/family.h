/* SPDX-License-Identifier: MIT */
/*
 * A family wires the behaviour of its chips together: which grammar its pushbuffers have and which operations its PFIFO
 * has. Only here does a chip refer to the code above it.
 */
#ifndef PFIFO_SRC_CHIP_FAMILY_H
#define PFIFO_SRC_CHIP_FAMILY_H

#include <stdbool.h>

struct grammar;    /* grammar/grammar.h */
struct fifo_ops;   /* fifo/fifo.h */
struct driver_ops; /* driver/driver.h */

struct chip_family {
    const char *name;
    const struct grammar *grammar;   /* NULL: the chip has no pushbuffer */
    const struct fifo_ops *fifo;     /* NULL: the machine is not built */
    const struct driver_ops *driver; /* NULL: there is no driver for it */
    bool draws;                      /* 3D objects execute draws, not only clears */
};

extern const struct chip_family chip_family_nv1;   /* PIO only */
extern const struct chip_family chip_family_nv3;   /* PIO and kernel-launched DMA */
extern const struct chip_family chip_family_nv4;   /* NV4, NV5 */
extern const struct chip_family chip_family_nv10;  /* NV10, NV15 */
extern const struct chip_family chip_family_nv1a;  /* NV1A, NV11 .. NV36 */
extern const struct chip_family chip_family_nv40;  /* NV40 .. MCP73 */
extern const struct chip_family chip_family_g80;   /* G80 */
extern const struct chip_family chip_family_g84;   /* G84 .. MCP89 */
extern const struct chip_family chip_family_gf100; /* GF100 .. GF117 */
extern const struct chip_family chip_family_gk104; /* GK104 .. GP10B */
extern const struct chip_family chip_family_gv100; /* GV100, TU10x */
extern const struct chip_family chip_family_ga100; /* GA100, GA10x */
extern const struct chip_family chip_family_gh100; /* GH100 */

#endif
