/* SPDX-License-Identifier: MIT */
/*
 * The CRCs that a PBDMA keeps: CRC-32, polynomial 0x04c11db7, most significant bit first, no inversions.
 *
 *   GP_CRC       over GP entries, taken at once
 *   PB_CRC       over the words of a segment, taken from memory when it is read
 *   METHOD_CRC   over the methods that engines took: these are queued, and the CRC is taken when the queue is full or
 *                METHOD_CRC is read
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_CRC_H
#define PFIFO_SRC_FIFO_PBDMA_CRC_H

#include <pfifo/engine.h>

struct pbdma;

/*
 * Methods of a channel that METHOD_CRC counts before it stops, unless a CRC_CHECK comes; value of crc_left if it never
 * stops.
 */
#define PBDMA_CRC_METHODS 65536u
#define PBDMA_CRC_ALWAYS  UINT32_MAX

/* Methods that METHOD_CRC does not contain yet. */
#define PBDMA_CRC_QUEUE 64
struct pbdma_crc_queue {
    uint32_t count;
    uint32_t data[PBDMA_CRC_QUEUE];
    uint16_t tag[PBDMA_CRC_QUEUE]; /* address in words, subchannel << 12 */
};

/* Tables of the polynomial, see crc.c. */
struct pbdma_crc_tables {
    uint32_t byte[6][256];
    uint32_t part[4][256];
};

void pbdma_crc_init(struct pbdma_crc_tables *tables);
/* The CRC `value`, continued over `count` words. */
uint32_t pbdma_crc_words(const struct pbdma_crc_tables *tables, uint32_t value, const uint32_t *words, size_t count);

/* Queue methods for METHOD_CRC. Only if the channel's crc_left is not 0: see pbdma_crc_methods() in pbdma.h. */
void pbdma_crc_queue_methods(struct pbdma *pbdma, const struct pfifo_methods *run);
/* Bring METHOD_CRC up to date. */
void pbdma_crc_settle(struct pbdma *pbdma);

/* PB_CRC: of the segment from its beginning to GET. */
uint32_t pbdma_pb_crc(struct pbdma *pbdma);
/* A new segment begins. */
void pbdma_pb_crc_begin(struct pbdma *pbdma);
/* The rest of a segment is dropped, which leaves PB_CRC undefined: it stays as it was last read. */
void pbdma_pb_crc_drop(struct pbdma *pbdma);

#endif
