/* SPDX-License-Identifier: MIT */
/*
 * Host interfaces of PMPEG, PCIPHER and the xtensa processors (PVP2, PBSP), relative to a unit's base.
 *
 * Sources: envytools rnndb/vdec/pmpeg.xml, rnndb/vdec/vpe2.xml, rnndb/pcipher.xml; nouveau
 *          engine/mpeg/{nv31,nv50}.c, engine/cipher/g84.c, engine/xtensa.c.
 */
#ifndef PFIFO_SRC_HW_VIDEO_H
#define PFIFO_SRC_HW_VIDEO_H

enum {
    NV_PMPEG_INTR = 0x100,
    NV_PMPEG_INTR_EN = 0x140,
    NV_PMPEG_COMPAT_MODE = 0x220,
    NV_PMPEG_FIFO_ERR = 0x230,
    NV_PMPEG_FIFO_ERR_MTHD = 0x234,
    NV_PMPEG_FIFO_ERR_DATA = 0x238,
    NV_PMPEG_CONFIG = 0x300, /* this and the next: NV17:G80 */
    NV_PMPEG_INSTANCE = 0x308,
    NV_PMPEG_UNK314 = 0x314,
    NV_PMPEG_CMD_OFFSET = 0x320,
    NV_PMPEG_CMD_LIMIT = 0x324,
    NV_PMPEG_CMD_PUT = 0x328,
    NV_PMPEG_ENABLE = 0x32c,
    NV_PMPEG_CMD_BASE = 0x334,
    NV_PMPEG_DATA_BASE = 0x360,
    NV_PMPEG_DATA_LIMIT = 0x364,
    NV_PMPEG_IMAGE_BASE = 0x370,
    NV_PMPEG_IMAGE_LIMIT = 0x374,

    NV_PCIPHER_FIFO_CTRL = 0x00c,
    NV_PCIPHER_INTR = 0x130,
    NV_PCIPHER_INTR_EN = 0x140,
    NV_PCIPHER_CHANNEL = 0x188,
    NV_PCIPHER_TRAPPED_METHOD = 0x190,
    NV_PCIPHER_TRAPPED_DATA = 0x194,

    NV_XTENSA_INTR = 0xc20,
    NV_XTENSA_CHANNEL = 0xc28,
};

/* PMPEG: INTR, FIFO_ERR. */
#define MPEG_FIFO_ERROR (1u << 24)
#define MPEG_CLEAR      (1u << 0)
#define MPEG_ILLEGAL    (1u << 4)
#define MPEG_VALUE      (1u << 5)

/* PCIPHER: INTR. */
#define CIPHER_STATE  (1u << 0)
#define CIPHER_METHOD (1u << 1)
#define CIPHER_CLASS  (1u << 2)
#define CIPHER_QUERY  (1u << 7)
#define CIPHER_FAULT  (1u << 8)

#endif
