/* SPDX-License-Identifier: MIT */
/*
 * Methods that nouveau's firmware gives to the copy engines of GT215 and Fermi. The classes are NVIDIA's, whose firmware
 * has other methods at the same offsets (methods/copy.h), so these are not in the text of the classes.
 *
 * Source: nouveau nvkm/engine/ce/fuc/com.fuc.
 */
#ifndef METHODS_NOUVEAU_COPY_H
#define METHODS_NOUVEAU_COPY_H

enum {
    /* DMA objects, GT215 */
    NOUVEAU_COPY_DMA_QUERY = 0x180,
    NOUVEAU_COPY_DMA_SRC = 0x184,
    NOUVEAU_COPY_DMA_DST = 0x188,

    /* a side: the destination has the same from NOUVEAU_COPY_DST_BLOCK_SIZE on */
    NOUVEAU_COPY_SRC_BLOCK_SIZE = 0x200,
    NOUVEAU_COPY_SRC_WIDTH = 0x204,
    NOUVEAU_COPY_SRC_HEIGHT = 0x208,
    NOUVEAU_COPY_SRC_DEPTH = 0x20c,
    NOUVEAU_COPY_SRC_LAYER = 0x210,
    NOUVEAU_COPY_SRC_X = 0x214,
    NOUVEAU_COPY_SRC_Y = 0x218,
    NOUVEAU_COPY_DST_BLOCK_SIZE = 0x220,

    NOUVEAU_COPY_EXEC = 0x300,
    NOUVEAU_COPY_SRC_ADDRESS_HIGH = 0x30c,
    NOUVEAU_COPY_SRC_ADDRESS_LOW = 0x310,
    NOUVEAU_COPY_DST_ADDRESS_HIGH = 0x314,
    NOUVEAU_COPY_DST_ADDRESS_LOW = 0x318,
    NOUVEAU_COPY_SRC_PITCH = 0x31c,
    NOUVEAU_COPY_DST_PITCH = 0x320,
    NOUVEAU_COPY_XCNT = 0x324,
    NOUVEAU_COPY_YCNT = 0x328,
    NOUVEAU_COPY_FORMAT = 0x32c,
    NOUVEAU_COPY_CONSTANT_0 = 0x330,
    NOUVEAU_COPY_CONSTANT_1 = 0x334,
    NOUVEAU_COPY_QUERY_ADDRESS_HIGH = 0x338,
    NOUVEAU_COPY_QUERY_ADDRESS_LOW = 0x33c,
    NOUVEAU_COPY_QUERY_COUNTER = 0x340,
};

#endif
