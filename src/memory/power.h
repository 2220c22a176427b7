/* SPDX-License-Identifier: MIT */
/* For everybody who asks this of a size. */
#ifndef PFIFO_MEMORY_POWER_H
#define PFIFO_MEMORY_POWER_H

#include <stdbool.h>
#include <stdint.h>

/* 0 is none. */
static inline bool is_power_of_two(uint64_t number) {
    return number && !(number & (number - 1));
}

#endif
