/* SPDX-License-Identifier: MIT */
#include "fifo/semaphore.h"

#include "bus/bus.h"

bool semaphore_satisfied_64(enum semaphore_compare compare, uint64_t memory, uint64_t payload) {
    switch (compare) {
    case SEMAPHORE_EQUAL:
        return memory == payload;
    case SEMAPHORE_GEQUAL:
        return memory - payload < UINT64_C(1) << 63;
    case SEMAPHORE_AND:
        return (memory & payload) != 0;
    }
    return false;
}

/* The difference of words shifted to the upper half is the same, and wraps as words do. */
bool semaphore_satisfied(enum semaphore_compare compare, uint32_t memory, uint32_t payload) {
    return semaphore_satisfied_64(compare, (uint64_t)memory << 32, (uint64_t)payload << 32);
}

/* Signed order is unsigned order with the sign bit flipped. */
static bool less(bool is_signed, uint64_t a, uint64_t b) {
    uint64_t flip = is_signed ? UINT64_C(1) << 63 : 0;
    return (a ^ flip) < (b ^ flip);
}

uint64_t semaphore_reduce_64(enum semaphore_reduction reduction, bool is_signed, uint64_t memory, uint64_t payload) {
    switch (reduction) {
    case SEMAPHORE_MIN:
        return less(is_signed, payload, memory) ? payload : memory;
    case SEMAPHORE_MAX:
        return less(is_signed, memory, payload) ? payload : memory;
    case SEMAPHORE_XOR:
        return memory ^ payload;
    case SEMAPHORE_REDUCE_AND:
        return memory & payload;
    case SEMAPHORE_OR:
        return memory | payload;
    case SEMAPHORE_ADD:
        return memory + payload;
    case SEMAPHORE_INC:
        return memory >= payload ? 0 : memory + 1;
    case SEMAPHORE_DEC:
        return memory == 0 || memory > payload ? payload : memory - 1;
    }
    return memory;
}

/* Words extended to 64 bits keep their order, signed or unsigned. */
uint32_t semaphore_reduce(enum semaphore_reduction reduction, bool is_signed, uint32_t memory, uint32_t payload) {
    uint64_t sign = is_signed ? 0x80000000u : 0;
    return (uint32_t)semaphore_reduce_64(reduction, is_signed, (memory ^ sign) - sign, (payload ^ sign) - sign);
}

bool semaphore_release(struct bus *bus, const struct address_space *space, uint64_t address, uint32_t payload,
                       bool with_time, bool big_endian, struct fault *fault) {
    uint8_t record[16];
    uint64_t bytes = with_time ? sizeof record : 4, now = bus_now(bus);
    store_le32(record, big_endian ? __builtin_bswap32(payload) : payload);
    store_le32(record + 4, 0);
    store_le64(record + 8, big_endian ? __builtin_bswap64(now) : now);
    /* All bytes must be writable before the first is written: the record may cross a page. */
    return memory_writable(bus->memory, space, address, bytes, fault) &&
           memory_write(bus->memory, space, address, record, bytes, fault);
}
