/* SPDX-License-Identifier: MIT */
/*
 * USER of NV1 .. MCP89: the areas through which programs access their channels.
 *
 *   0x800000 + channel << 16   NV1:G80: eight subchannels of methods, the registers of a DMA channel in each
 *   0xc00000 + channel << 12   NV40:G80: only these registers
 *   0xc00000 + channel << 13   G80-
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst, docs/hw/mmio.rst; NVIDIA open-gpu-doc classes/host/cl506f.h.
 */
#ifndef PFIFO_SRC_HW_USER_H
#define PFIFO_SRC_HW_USER_H

enum {
    NV_USER_PIO = 0x800000,
    NV_USER_PIO_CHANNEL = 0x10000,
    NV_USER_PIO_SUBCHANNEL = 0x2000,
    NV_USER_DMA = 0xc00000,
    NV_USER_DMA_CHANNEL_NV40 = 0x1000,
    NV_USER_DMA_CHANNEL_G80 = 0x2000,

    NV_USER_FREE = 0x10, /* NV1:G80, of a subchannel: bytes that may be written */
    NV_USER_DMA_PUT = 0x40,
    NV_USER_DMA_GET = 0x44,
    NV_USER_REF = 0x48,
    NV_USER_DMA_PUT_HIGH = 0x4c, /* G80- */
    NV_USER_DMA_CGET = 0x54,     /* the read pointer in the main stream: after a CALL that is under way */
    NV_USER_DMA_MGET = 0x58,     /* G80- */
    NV_USER_DMA_MGET_HIGH = 0x5c,
    NV_USER_DMA_GET_HIGH = 0x60,
    NV_USER_IB_GET = 0x88,
    NV_USER_IB_PUT = 0x8c,
};

#endif
