/* SPDX-License-Identifier: MIT */
/*
 * The CRCs of a PBDMA: over GP entries, over the words of a segment, over the methods sent to engines.
 *
 * A method is six bytes, least significant first: data, then address (in words) with the subchannel above it.
 * UNKNOWN: the order of these three fields; only that they are 32, 12 and 3 bits is published.
 *
 * Every method of every channel goes through here, so it takes six bytes at a time: table k is the CRC of a byte
 * with k zero bytes behind it.
 */
#include "fifo/pbdma.h"

#define POLYNOMIAL 0x04c11db7u

void pbdma_crc_init(uint32_t crc[6][256]) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte << 24;
        for (unsigned bit = 0; bit < 8; bit++)
            value = value << 1 ^ (value >> 31 ? POLYNOMIAL : 0);
        crc[0][byte] = value;
    }
    for (unsigned k = 1; k < 6; k++)
        for (uint32_t byte = 0; byte < 256; byte++)
            crc[k][byte] = crc[k - 1][byte] << 8 ^ crc[0][crc[k - 1][byte] >> 24];
}

/* Four bytes of a value that is already mixed in, with `k` more bytes to come. */
static inline uint32_t fold(const uint32_t crc[6][256], unsigned k, uint32_t value) {
    return crc[k + 3][value >> 24] ^ crc[k + 2][value >> 16 & 0xff] ^ crc[k + 1][value >> 8 & 0xff] ^
           crc[k][value & 0xff];
}

uint32_t pbdma_crc_words(const uint32_t crc[6][256], uint32_t value, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        value = fold(crc, 0, value ^ __builtin_bswap32(words[i]));
    return value;
}

uint32_t pbdma_crc_methods(const uint32_t crc[6][256], uint32_t value, const struct pfifo_methods *run) {
    uint32_t tag = (uint32_t)run->method >> 2 | (uint32_t)run->subchannel << 12;
    uint32_t step = run->step >> 2;
    for (uint32_t i = 0; i < run->count; i++, tag += step)
        value = fold(crc, 2, value ^ __builtin_bswap32(run->data[i])) ^ crc[1][tag & 0xff] ^ crc[0][tag >> 8 & 0xff];
    return value;
}
