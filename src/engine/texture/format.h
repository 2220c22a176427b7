/* SPDX-License-Identifier: MIT */
/* Formats of texels: COMPONENTS_SIZES of headers. Names are NVIDIA's, highest bits first. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_FORMAT_H
#define PFIFO_SRC_ENGINE_TEXTURE_FORMAT_H

#include "engine/texture/texture.h"

/* How a texel, or a block of them, becomes four values. */
enum texture_coding {
    CODING_BITS,   /* components are fields of bits */
    CODING_SHARED, /* E5B9G9R9 */
    CODING_PAIR,   /* two texels share R and B */
    CODING_BIT,    /* a bit for each texel */
    CODING_DEPTH,  /* depth as a float of 16 or 24 bits, before G80 */
    CODING_BC1,
    CODING_BC2,
    CODING_BC3,
    CODING_BC4,
    CODING_BC5,
    CODING_BC6H,
    CODING_BC6H_SIGNED,
    CODING_BC7,
    CODING_ETC2,
    CODING_ETC2_PUNCHED, /* alpha is 0 or 1 */
    CODING_ETC2_ALPHA,
    CODING_EAC,
    CODING_EAC2,
    CODING_ASTC,
};

struct texture_field {
    uint8_t shift, bits; /* bits 0: the component is not there */
};

struct texture_format {
    const char *name;
    uint8_t bytes;        /* of a texel, or of a block */
    uint8_t across, down; /* texels of a block, else 1 x 1 */
    enum texture_coding coding;
    struct texture_field field[4]; /* R, the lowest in memory, G, B, A */
    bool green_first;              /* CODING_PAIR: bytes G0 R G1 B, else R G0 B G1 */
    bool mobile;                   /* Tegra has it, no other chip */
    bool is_depth;                 /* drivers keep depth in it */
    uint8_t depth_field;           /* which of the fields it is */
};

/* NULL: no format has this code. */
const struct texture_format *texture_format(uint32_t code);

/*
 * A block: the texel at (x, y) of it, as R G B A from 0 to 1, or what floats hold (BC4, BC5, EAC signed: from -1). ASTC
 * with sRGB rounds otherwise; the values are as stored in any case.
 */
void texture_block(const struct texture_format *format, const uint8_t *block, unsigned x, unsigned y, bool is_signed,
                   bool srgb, float out[4]);

#endif
