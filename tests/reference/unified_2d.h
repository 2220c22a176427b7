/* SPDX-License-Identifier: MIT */
/*
 * The unified 2D object, a pixel at a time and by the formulas: registers, memory as an array of bytes, draws. It
 * shares nothing with the model but the functions of reference/surface.h, which say where bytes of a surface are.
 *
 * Colours are computed as doubles. A pixel for which rounding matters is `loose`: it may differ by one in each
 * component.
 */
#ifndef PFIFO_TESTS_REFERENCE_UNIFIED_2D_H
#define PFIFO_TESTS_REFERENCE_UNIFIED_2D_H

#include "reference/surface.h"

#define REFERENCE_2D_METHODS 0x900u
#define REFERENCE_2D_MEMORY  0x40000u
#define REFERENCE_2D_DATA    0x4000u /* words of an upload */
#define REFERENCE_2D_ANY     1u      /* a loose byte that may be anything; otherwise the format of its pixel */

struct reference_2d {
    bool is_tesla, is_kepler; /* neither: as Fermi */
    uint32_t value[REFERENCE_2D_METHODS / 4];
    uint32_t pattern[64]; /* X8R8G8B8 */
    unsigned points;
    int64_t x[3], y[3];
    uint64_t words; /* that an upload waits for, all of them */
    uint32_t data[REFERENCE_2D_DATA];
    uint32_t words_come;
    unsigned draws, refused; /* that were made and that were not legal */
    uint8_t memory[REFERENCE_2D_MEMORY];
    uint8_t before[REFERENCE_2D_MEMORY]; /* of a blit: what it reads */
    uint8_t loose[REFERENCE_2D_MEMORY];
};

void reference_2d_start(struct reference_2d *r, bool is_tesla, bool is_kepler);
void reference_2d_write(struct reference_2d *r, uint32_t method, uint32_t data);

/* Is this what may be in memory? If so, it is what is in memory now. Otherwise the first address that differs. */
bool reference_2d_agrees(struct reference_2d *r, const uint8_t *memory, uint32_t *address);

/* ---- unified_2d_pixels.c ---- */

struct reference_format {
    unsigned code, bytes;
    char type; /* unorm, snorm, float, gamma */
    struct {
        unsigned shift, bits;
    } part[4];      /* r g b a */
    bool ones;      /* in bits that no component has */
    bool luminance; /* one component */
    bool intensity;
};

struct reference_color {
    double c[4];
    bool loose;
};

/* Where formats are legal. */
enum { REFERENCE_SURFACE, REFERENCE_SOURCE, REFERENCE_SOLID, REFERENCE_UPLOAD, REFERENCE_OPERATION };

bool reference_2d_legal(bool is_tesla, unsigned code, int where);
bool reference_2d_format(unsigned code, struct reference_format *format);
struct reference_color reference_2d_unpack(const struct reference_format *format, const uint8_t *pixel);
void reference_2d_pack(const struct reference_format *format, const struct reference_color *color, uint8_t *pixel);
/* Two pixels that are the same but for rounding. */
bool reference_2d_close(const struct reference_format *format, const uint8_t *a, const uint8_t *b);

#endif
