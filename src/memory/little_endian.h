/* SPDX-License-Identifier: MIT */
/* For everybody who reads or writes words in bytes: memory, pushbuffers, files. */
#ifndef PFIFO_MEMORY_LITTLE_ENDIAN_H
#define PFIFO_MEMORY_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

/* Unaligned little-endian access to host bytes. */
static inline uint32_t load_le32(const void *data) {
    uint32_t value;
    memcpy(&value, data, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

static inline void store_le32(void *data, uint32_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    memcpy(data, &value, sizeof value);
}

static inline uint64_t load_le64(const void *data) {
    return load_le32(data) | (uint64_t)load_le32((const uint8_t *)data + 4) << 32;
}

static inline void store_le64(void *data, uint64_t value) {
    store_le32(data, (uint32_t)value);
    store_le32((uint8_t *)data + 4, (uint32_t)(value >> 32));
}

#endif
