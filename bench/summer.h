/* SPDX-License-Identifier: MIT */
/* An engine that keeps the last data of each method and sums all of them: about the least that an engine can do. */
#ifndef PFIFO_BENCH_SUMMER_H
#define PFIFO_BENCH_SUMMER_H

#include <pfifo/engine.h>

#include <stddef.h>
#include <stdint.h>

struct summer {
    uint64_t sum, methods, calls;
    uint32_t file[8][0x1000]; /* by subchannel and method */
};

extern const struct pfifo_engine_ops summer_ops;

uint64_t sum_words(const uint32_t *words, size_t count);

#endif
