/* SPDX-License-Identifier: MIT */
/*
 * Accesses to images, one thread at a time, from the words of their instructions, slots and headers as the bits are:
 * Fermi's SULDB, SUSTB, SUSTP and SULEAB, Kepler's SULDGB, SUSTGB and SUSTGP, Maxwell's SULD, SUST, SUATOM and SURED.
 */
#ifndef PFIFO_TESTS_REFERENCE_IMAGE_H
#define PFIFO_TESTS_REFERENCE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reference_image_thread {
    uint32_t r[256]; /* 255: 0 */
    bool p[8];       /* 7: true */
    bool has_effect; /* no: it is a helper, or killed */
};

struct reference_image_world {
    uint8_t *memory; /* at `base` */
    uint64_t base;
    size_t bytes;
    uint32_t slots[8][6];
    uint32_t headers[8][8];   /* of Maxwell's layout; those of higher numbers are as number % 8 */
    const uint8_t *constants; /* of every bank; as many as can be named */
    bool columns;             /* sectors of a gob, two below each other first */
};

enum reference_image { REFERENCE_IMAGE_DONE, REFERENCE_IMAGE_ERROR };

enum reference_image reference_image_gm107(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word);
enum reference_image reference_image_gf100(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word);
enum reference_image reference_image_gk104(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word);
enum reference_image reference_image_gk110(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word);

/* Where byte x of line y of slice z is in blocks of 2^high gobs by 2^deep slices. */
uint64_t reference_image_block(uint64_t width, uint64_t height, unsigned high, unsigned deep, bool columns, uint64_t x,
                               uint64_t y, uint64_t z);

#endif
