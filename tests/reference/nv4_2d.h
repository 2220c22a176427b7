/* SPDX-License-Identifier: MIT */
/*
 * NV4's 2D drawing, pixel by pixel in the plainest way: what the engine is compared with. It shares no code with src/.
 * Memory is 64 KiB that wrap around; everything is in it.
 */
#ifndef PFIFO_TESTS_REFERENCE_NV4_2D_H
#define PFIFO_TESTS_REFERENCE_NV4_2D_H

#include <stdbool.h>
#include <stdint.h>

enum reference_pixel {
    PIXEL_RAW,
    PIXEL_R5G6B5,
    PIXEL_A1R5G5B5,
    PIXEL_X1R5G5B5,
    PIXEL_A8R8G8B8,
    PIXEL_X8R8G8B8,
    PIXEL_Y8,
    PIXEL_A16R5G6B5,
    PIXEL_A1R5G5B5_32
};

struct reference_2d {
    uint8_t memory[0x10000];
    unsigned format; /* of SURF2D, 1 .. 11 */
    unsigned pitch, offset;
    unsigned log2_width, log2_height; /* of a swizzled one, 0: it is not */
    unsigned width, height;           /* of one in blocks, 0: it is not */
    unsigned log2_gobs;               /* in a block */
    unsigned operation, rop;
    uint32_t beta, beta4;
    bool clipped, clipped_again;
    int clip[4], clip_again[4]; /* left, top, right, bottom */
    bool keyed;
    uint32_t key;
    enum reference_pixel key_format;
    bool pattern_color;
    unsigned pattern_shape;
    bool pattern_cga6;
    uint32_t pattern_bits[2], pattern_mono[2], pattern_pixel[64];
    enum reference_pixel pattern_format;
};

struct reference_color {
    int a, r, g, b;
};

unsigned reference_bytes(unsigned format);

/* Tesla: gobs of 64 bytes by 4 lines, blocks of some below each other. */
unsigned reference_block_offset(unsigned line_bytes, unsigned log2_gobs, unsigned x_bytes, unsigned y);

bool reference_is_index(unsigned format);
uint32_t reference_get(const struct reference_2d *s, unsigned offset, unsigned pitch, int x, int y);

struct reference_color reference_unpack(enum reference_pixel format, uint32_t pixel);

/* Draw one pixel of a source in its format. */
void reference_draw(struct reference_2d *s, int x, int y, enum reference_pixel format, uint32_t pixel);

/* Shapes. */
void reference_rect(struct reference_2d *s, int x, int y, int width, int height, enum reference_pixel format,
                    uint32_t pixel);
void reference_lin(struct reference_2d *s, int x0, int y0, int x1, int y1, enum reference_pixel format, uint32_t pixel);
void reference_triangle(struct reference_2d *s, const int x[3], const int y[3], enum reference_pixel format,
                        uint32_t pixel);
void reference_blit(struct reference_2d *s, unsigned from_offset, unsigned from_pitch, int in_x, int in_y, int out_x,
                    int out_y, int width, int height);

/* Images: pixel (i, j) of the source is drawn where it belongs. */
struct reference_image {
    enum reference_pixel format;
    int width, height;
    uint32_t pixel[64 * 64];
};

void reference_image(struct reference_2d *s, int x, int y, int out_width, int out_height,
                     const struct reference_image *image);

/* x12 and y12: 4 bits of fraction; the steps have 20. */
void reference_stretch(struct reference_2d *s, int x12, int y12, uint32_t dx, uint32_t dy,
                       const struct reference_image *image);

/* u, v: 4 bits of fraction. */
void reference_scale(struct reference_2d *s, const int out[4], uint32_t u, uint32_t v, int32_t du, int32_t dv,
                     bool center, bool bilinear, const struct reference_image *image);

/* Bits in rows without gaps; the colour of a 0 is `zero`, NULL: none. */
void reference_text(struct reference_2d *s, int x, int y, int width, int height, int out_width, int out_height,
                    bool cga6, const uint8_t *bits, enum reference_pixel format, const uint32_t *zero, uint32_t one);

#endif
