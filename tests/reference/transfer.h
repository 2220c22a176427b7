/* SPDX-License-Identifier: MIT */
/*
 * What a copy does to memory, slowly and by definition: a byte at a time, in an array of bytes. Shares nothing with the
 * model, not even names of layouts.
 *
 * Sources: envytools docs/hw/memory/g80-surface.rst; Tegra X1 technical reference manual ("16Bx2"); NVIDIA open-gpu-doc
 * classes/dma-copy.
 */
#ifndef PFIFO_TESTS_REFERENCE_TRANSFER_H
#define PFIFO_TESTS_REFERENCE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

/* One side. Everything is in bytes and lines. */
struct reference_side {
    uint8_t *memory; /* what address 0 of its space is */
    uint64_t end;    /* addresses from here on fault */
    uint64_t address;
    bool linear;
    int64_t pitch;                   /* linear */
    unsigned gob_width, gob_lines;   /* in blocks: 64 or 16 bytes, 4 or 8 lines, ... */
    bool sectors;                    /* ... in the order of Tegra's gobs, */
    bool is_kepler;                  /* or of Kepler's */
    unsigned wide, high, deep;       /* gobs of a block */
    uint64_t width, height, x, y, z; /* of the surface, and where the rectangle begins */
};

enum { REFERENCE_CONSTANT_A = 4, REFERENCE_CONSTANT_B, REFERENCE_NONE, REFERENCE_ZERO };

struct reference_transfer {
    struct reference_side from, to;
    uint64_t length, lines;        /* pixels of a line */
    unsigned from_step, to_step;   /* bytes from a pixel to the next, 0: those of a pixel */
    unsigned bytes;                /* of a component */
    unsigned from_count, to_count; /* components */
    unsigned select[4];            /* of each component of the destination */
    uint32_t constant_a, constant_b;
    unsigned piece; /* pixels that are read before they are written, from the beginning of a line on; at most 1024 */
};

/* Where a byte of a surface is: line and byte of the surface, not of the rectangle. */
uint64_t reference_address(const struct reference_side *side, uint64_t x, uint64_t y);

/* False: a fault, at which it ends. */
bool reference_transfer(const struct reference_transfer *transfer);

/* Bytes that a stream of words brings. */
bool reference_upload(const struct reference_side *to, uint64_t length, uint64_t lines, const uint32_t *words);

#endif
