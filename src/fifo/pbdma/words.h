/* SPDX-License-Identifier: MIT */
/*
 * The words of a PBDMA, by index, and what is in them. The first 0x100 bytes of a PBDMA's registers and the first 0x100
 * bytes of a channel's instance block (RAMFC) are the same: to load and to save a channel is to copy them.
 *
 * They are an enumeration, and not a table for each generation like the RAMFC of earlier chips (struct ramfc_row): from
 * GF100 to GP10B every word is at the same offset on all chips, and pusher and puller reach several words for each
 * packet. A table would add a load to each of these for no difference. GV100 only gives 0x9c another meaning
 * (SEM_PAYLOAD_HI), for which a second name at the same index is enough.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt,
 * dev_ram.ref.txt.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_WORDS_H
#define PFIFO_SRC_FIFO_PBDMA_WORDS_H

#include "hw/pbdma.h"

#define PBDMA_WORDS     64 /* of a PBDMA that are in RAMFC too */
#define PBDMA_HCE_WORDS 32 /* of the copy engine front end, RAMFC 0x100 .. 0x17f, GK104 and later */

/* Words of RAMFC = registers of the page, by index. */
enum pbdma_word {
    R_GP_PUT = NV_PBDMA_GP_PUT / 4,
    R_MEM_OP_A = NV_PBDMA_MEM_OP_A / 4,
    R_USERD = NV_PBDMA_USERD / 4,
    R_USERD_HI = NV_PBDMA_USERD_HI / 4,
    R_SIGNATURE = NV_PBDMA_SIGNATURE / 4,
    R_GP_GET = NV_PBDMA_GP_GET / 4,
    R_GET = NV_PBDMA_GET / 4,
    R_GET_HI = NV_PBDMA_GET_HI / 4,
    R_TOP_GET = NV_PBDMA_TOP_LEVEL_GET / 4,
    R_TOP_GET_HI = NV_PBDMA_TOP_LEVEL_GET_HI / 4,
    R_REF = NV_PBDMA_REF / 4,
    R_RUNTIME = NV_PBDMA_RUNTIME / 4,
    R_ACQUIRE = NV_PBDMA_ACQUIRE / 4,
    R_ACQUIRE_DEADLINE = NV_PBDMA_ACQUIRE_DEADLINE / 4,
    R_SEM_ADDR_HI = NV_PBDMA_SEM_ADDR_HI / 4,
    R_SEM_ADDR_LO = NV_PBDMA_SEM_ADDR_LO / 4,
    R_SEM_PAYLOAD = NV_PBDMA_SEM_PAYLOAD_LO / 4,
    R_SEM_EXECUTE = NV_PBDMA_SEM_EXECUTE / 4,
    R_GP_BASE = NV_PBDMA_GP_BASE / 4,
    R_GP_BASE_HI = NV_PBDMA_GP_BASE_HI / 4,
    R_GP_FETCH = NV_PBDMA_GP_FETCH / 4,
    R_PB_FETCH = NV_PBDMA_PB_FETCH / 4,
    R_PB_FETCH_HI = NV_PBDMA_PB_FETCH_HI / 4,
    R_PUT = NV_PBDMA_PUT / 4,
    R_PUT_HI = NV_PBDMA_PUT_HI / 4,
    R_MEM_OP_B = NV_PBDMA_MEM_OP_B / 4,
    R_GP_CRC = NV_PBDMA_GP_CRC / 4,
    R_SYNCPOINT_A = NV_PBDMA_SYNCPOINTA / 4,
    R_SYNCPOINT_B = NV_PBDMA_SYNCPOINTB / 4,
    R_WFI = NV_PBDMA_WFI / 4,
    R_PB_HEADER = NV_PBDMA_PB_HEADER / 4,
    R_PB_COUNT = NV_PBDMA_PB_COUNT / 4,
    R_SUBDEVICE = NV_PBDMA_SUBDEVICE / 4,
    R_PB_CRC = NV_PBDMA_PB_CRC / 4,
    R_CMD_TYPES = NV_PBDMA_CMD_TYPES / 4,
    R_MEM_OP_C = NV_PBDMA_MEM_OP_C / 4,
    R_ENGINES = NV_PBDMA_ENGINES / 4, /* two words */
    R_TARGET = NV_PBDMA_TARGET / 4,
    R_METHOD_CRC = NV_PBDMA_METHOD_CRC / 4,
    R_METHOD0 = NV_PBDMA_METHOD0 / 4,
    R_DATA0 = NV_PBDMA_DATA0 / 4,
    R_GP_FLAGS = NV_PBDMA_GP_FLAGS / 4,
    R_CONFIG = NV_PBDMA_CONFIG / 4,
    R_TIMESLICE = NV_PBDMA_TIMESLICE / 4,
};

#define ACQUIRE_TIMEOUT_ENABLED (1u << 31) /* R_ACQUIRE */

/* PB_HEADER. */
#define HEADER_METHOD      0x00003ffcu
#define HEADER_SUBCHANNEL  16
#define HEADER_LEVEL       (1u << 20)
#define HEADER_FIRST       (1u << 22)
#define HEADER_CONDITIONAL (1u << 23)
#define HEADER_TYPE        29
enum header_type {
    HEADER_SET_SUBDEVICE,
    HEADER_INC,
    HEADER_STORE_SUBDEVICE,
    HEADER_NON_INC,
    HEADER_IMMD,
    HEADER_INC_ONCE,
    HEADER_USE_SUBDEVICE,
    HEADER_END_SEGMENT,
};
#define COUNT_VALUE 0x1fffu

/* PB_FETCH: the segment that is being read, rearranged from its GP entry. */
#define FETCH_CONDITIONAL 0x1u       /* low word */
#define FETCH_NO_SWITCH   0x2u       /* low word, GF100 */
#define FETCH_SUBROUTINE  (1u << 9)  /* high word */
#define FETCH_SYNC        (1u << 10) /* high word */

#define SUBDEVICE_ACTIVE      (1u << 28)
#define SUBDEVICE_CHANNEL_DMA (1u << 29)

#define METHOD_INCREASING 0x1u
#define METHOD_FIRST      (1u << 22)
#define METHOD_VALID      (1u << 31)

#endif
