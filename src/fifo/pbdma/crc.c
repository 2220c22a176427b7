/* SPDX-License-Identifier: MIT */
/*
 * The CRCs of a PBDMA: over GP entries, over the words of a segment, over the methods sent to engines.
 *
 * A method is six bytes, least significant first: data, then address (in words) with the subchannel above it.
 * UNKNOWN: the order of these three fields; only that they are 32, 12 and 3 bits is published.
 *
 * Few programs check the CRC of methods, and computing it costs more than everything else. So a channel that has
 * executed PBDMA_CRC_METHODS methods and no CRC_CHECK stops counting; METHOD_CRC stays as it is then, and the first
 * CRC_CHECK after that passes. After the first CRC_CHECK all methods count. Methods are queued first, as they were when
 * they were executed. A full queue is four parts whose CRCs do not depend on each other.
 *
 * PB_CRC is taken from memory when it is read: PB_FETCH says where the segment began. Each word is read once, however
 * often a ring asks.
 * Not modelled: METHOD_CRC of channels that have stopped to count; PB_CRC of words that have changed since they were
 * fetched; PB_CRC in the RAMFC of a saved channel.
 */
#include "fifo/pbdma/pbdma.h"

#include <assert.h>

#define POLYNOMIAL 0x04c11db7u
#define PARTS      4
#define PART       (PBDMA_CRC_QUEUE / PARTS)

/* Four bytes of a value that is already mixed in, with `k` more bytes to come. */
static inline uint32_t crc_fold(const uint32_t (*byte)[256], uint32_t value) {
    return byte[3][value >> 24] ^ byte[2][value >> 16 & 0xff] ^ byte[1][value >> 8 & 0xff] ^ byte[0][value & 0xff];
}

/* A part after one bit takes long to go through; that after several bits is the sum of those. */
static void crc_make_part(struct pbdma_crc_tables *crc, unsigned k) {
    uint32_t *part = crc->part[k];
    part[0] = 0;
    for (uint32_t i = 1; i < 256; i++) {
        uint32_t lowest = i & (0u - i), value = lowest << 8 * k;
        for (unsigned zero = 0; i == lowest && zero < 6 * PART; zero++)
            value = value << 8 ^ crc->byte[0][value >> 24];
        part[i] = i == lowest ? value : part[lowest] ^ part[i ^ lowest];
    }
}

/* byte[k]: CRC of a byte with k zero bytes after it. part[k]: of a byte with k bytes and a part after it. */
void pbdma_crc_init(struct pbdma_crc_tables *crc) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i << 24;
        for (unsigned bit = 0; bit < 8; bit++)
            value = value << 1 ^ (value >> 31 ? POLYNOMIAL : 0);
        crc->byte[0][i] = value;
    }
    for (unsigned k = 1; k < 6; k++)
        for (uint32_t i = 0; i < 256; i++)
            crc->byte[k][i] = crc->byte[k - 1][i] << 8 ^ crc->byte[0][crc->byte[k - 1][i] >> 24];
    for (unsigned k = 0; k < 4; k++)
        crc_make_part(crc, k);
}

uint32_t pbdma_crc_words(const struct pbdma_crc_tables *crc, uint32_t value, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        value = crc_fold(crc->byte, value ^ __builtin_bswap32(words[i]));
    return value;
}

static inline uint32_t crc_method(const struct pbdma_crc_tables *crc, uint32_t value, uint32_t data, uint32_t tag) {
    return crc_fold(crc->byte + 2, value ^ __builtin_bswap32(data)) ^ crc->byte[1][tag & 0xff] ^ crc->byte[0][tag >> 8];
}

static uint32_t crc_full(const struct pbdma_crc_tables *crc, uint32_t value, const struct pbdma_crc_queue *queue) {
    uint32_t part[PARTS] = {value};
    for (unsigned i = 0; i < PART; i++)
        for (unsigned p = 0; p < PARTS; p++)
            part[p] = crc_method(crc, part[p], queue->data[p * PART + i], queue->tag[p * PART + i]);
    for (unsigned p = 1; p < PARTS; p++)
        part[p] ^= crc_fold(crc->part, part[p - 1]);
    return part[PARTS - 1];
}

void pbdma_crc_settle(struct pbdma *pbdma) {
    const struct pbdma_crc_tables *crc = &pbdma->shared->crc;
    struct pbdma_crc_queue *queue = &pbdma->crc_queue;
    uint32_t value = pbdma->regs[R_METHOD_CRC];
    if (queue->count == PBDMA_CRC_QUEUE)
        value = crc_full(crc, value, queue);
    else
        for (uint32_t i = 0; i < queue->count; i++)
            value = crc_method(crc, value, queue->data[i], queue->tag[i]);
    pbdma->regs[R_METHOD_CRC] = value;
    queue->count = 0;
}

void pbdma_crc_queue_methods(struct pbdma *pbdma, const struct pfifo_methods *run) {
    struct pbdma_crc_queue *queue = &pbdma->crc_queue;
    uint32_t *left = &pbdma->channel->crc_left, total = run->count < *left ? run->count : *left;
    uint32_t tag = (uint32_t)run->method >> 2 | (uint32_t)run->subchannel << 12, step = run->step >> 2;
    for (uint32_t done = 0; done < total;) {
        assert(queue->count < PBDMA_CRC_QUEUE);
        uint32_t count = PBDMA_CRC_QUEUE - queue->count;
        if (count > total - done)
            count = total - done;
        for (uint32_t i = 0; i < count; i++) {
            queue->data[queue->count + i] = run->data[done + i];
            queue->tag[queue->count + i] = (uint16_t)(tag + step * i);
        }
        tag += step * count;
        done += count;
        queue->count += count;
        if (queue->count == PBDMA_CRC_QUEUE)
            pbdma_crc_settle(pbdma);
    }
    if (*left != PBDMA_CRC_ALWAYS)
        *left -= total;
}

#define CHUNK 64 /* words */

static uint64_t crc_segment_begin(const struct pbdma *pbdma) {
    return pbdma_address(pbdma, R_PB_FETCH) & ~UINT64_C(3);
}

void pbdma_pb_crc_begin(struct pbdma *pbdma) {
    pbdma->regs[R_PB_CRC] = 0;
    pbdma->channel->pb_crc_begin = pbdma->channel->pb_crc_end = crc_segment_begin(pbdma);
}

void pbdma_pb_crc_drop(struct pbdma *pbdma) {
    pbdma->channel->pb_crc_begin = crc_segment_begin(pbdma);
    pbdma->channel->pb_crc_end = pbdma_address(pbdma, R_PUT);
}

uint32_t pbdma_pb_crc(struct pbdma *pbdma) {
    struct pbdma_channel *channel = pbdma->channel;
    uint64_t begin = crc_segment_begin(pbdma), end = pbdma_address(pbdma, R_GET), at = begin;
    uint32_t value = 0;
    if (!channel || end < begin || (end - begin) / 4 > pbdma->regs[R_PB_FETCH_HI] >> 11)
        return pbdma->regs[R_PB_CRC];
    if (channel->pb_crc_begin == begin && channel->pb_crc_end >= begin && channel->pb_crc_end <= end) {
        at = channel->pb_crc_end;
        value = pbdma->regs[R_PB_CRC];
    }
    while (at < end) {
        uint8_t bytes[4 * CHUNK];
        uint32_t words[CHUNK], count = (uint32_t)(end - at < sizeof bytes ? (end - at) / 4 : CHUNK);
        struct fault fault;
        if (count == 0 || !memory_read(pbdma_memory(pbdma), &channel->context.vm, at, bytes, 4 * count, &fault))
            break;
        for (uint32_t i = 0; i < count; i++)
            words[i] = load_le32(bytes + 4 * (size_t)i);
        value = pbdma_crc_words(&pbdma->shared->crc, value, words, count);
        at += 4 * (uint64_t)count;
    }
    channel->pb_crc_begin = begin;
    channel->pb_crc_end = at;
    return pbdma->regs[R_PB_CRC] = value;
}
