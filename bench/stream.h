/* SPDX-License-Identifier: MIT */
/* Streams for the benchmark: legal packets of one format, in segments that end on a packet. */
#ifndef PFIFO_BENCH_STREAM_H
#define PFIFO_BENCH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bench_kind {
    BENCH_MIX,   /* by packet: half increasing 1..8, a fifth single, a fifth non-increasing 16..48, a tenth immediate */
    BENCH_STATE, /* the same without non-increasing */
    BENCH_BULK,  /* non-increasing 256..2047 */
    BENCH_KINDS,
};

extern const char *const bench_kind_names[BENCH_KINDS];

/* How the words of a format are made. */
struct bench_format {
    uint32_t (*header)(bool nonincreasing, uint32_t subchannel, uint32_t method, uint32_t count);
    uint32_t (*immediate)(uint32_t subchannel, uint32_t method, uint32_t data); /* NULL: a single instead */
    uint32_t first_method, last_method;                                         /* byte offsets that packets begin at */
    uint32_t end; /* word that ends a segment (return), 0: none */
};

extern const struct bench_format bench_format_nv4, bench_format_g80, bench_format_gf100;

/* Render targets and viewports of 3D classes: methods that do nothing but set state. */
extern const struct bench_format bench_format_gf100_state;

/* Fill `words` (a segment); returns the words used, adds to *methods. Same seed, same stream. */
size_t bench_fill(const struct bench_format *format, enum bench_kind kind, uint32_t *seed, uint32_t *words, size_t max,
                  uint64_t *methods);

#endif
