/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of the puller: what release writes and acquire compares, on every generation.
 *
 *   short release   +0 payload
 *   long release    +0 payload, +4 zero, +8 time in nanoseconds (64 bits), stored time first
 *
 * Sources: envytools docs/hw/fifo/puller.rst; NVIDIA open-gpu-doc classes/host/cl906f.h .. clc06f.h.
 */
#ifndef PFIFO_SRC_FIFO_SEMAPHORE_H
#define PFIFO_SRC_FIFO_SEMAPHORE_H

#include "memory/memory.h"

struct bus;

enum semaphore_compare {
    SEMAPHORE_EQUAL,  /* memory == payload */
    SEMAPHORE_GEQUAL, /* (int32)(memory - payload) >= 0; int64 of 64 bits */
    SEMAPHORE_AND,    /* (memory & payload) != 0 */
};

/* Reductions of A16F, B06F and later, numbered as in SEMAPHORED[30:27]. */
enum semaphore_reduction {
    SEMAPHORE_MIN,
    SEMAPHORE_MAX,
    SEMAPHORE_XOR,
    SEMAPHORE_REDUCE_AND,
    SEMAPHORE_OR,
    SEMAPHORE_ADD,
    SEMAPHORE_INC,
    SEMAPHORE_DEC,
};

bool semaphore_satisfied(enum semaphore_compare compare, uint32_t memory, uint32_t payload);
bool semaphore_satisfied_64(enum semaphore_compare compare, uint64_t memory, uint64_t payload);

/* memory OP payload. `is_signed` matters for MIN and MAX only. INC wraps above payload, DEC below 0 to payload. */
uint32_t semaphore_reduce(enum semaphore_reduction reduction, bool is_signed, uint32_t memory, uint32_t payload);
uint64_t semaphore_reduce_64(enum semaphore_reduction reduction, bool is_signed, uint64_t memory, uint64_t payload);

/* Write a release. False on a fault, nothing written. `big_endian`: byte order of the channel (NV1A:G80). */
bool semaphore_release(struct bus *bus, const struct address_space *space, uint64_t address, uint32_t payload,
                       bool with_time, bool big_endian, struct fault *fault);

#endif
