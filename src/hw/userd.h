/* SPDX-License-Identifier: MIT */
/*
 * USERD of GF100 and later: 512 bytes of memory per channel, through which its owner and PFIFO communicate.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_ram.ref.txt, classes/host/cl906f.h.
 */
#ifndef PFIFO_SRC_HW_USERD_H
#define PFIFO_SRC_HW_USERD_H

enum {
    NV_USERD_PUT = 0x40,
    NV_USERD_GET = 0x44,
    NV_USERD_REF = 0x48,
    NV_USERD_PUT_HI = 0x4c,
    NV_USERD_TOP_LEVEL_GET = 0x58,
    NV_USERD_TOP_LEVEL_GET_HI = 0x5c,
    NV_USERD_GET_HI = 0x60,
    NV_USERD_GP_GET = 0x88,
    NV_USERD_GP_PUT = 0x8c,
};

#endif
