/* SPDX-License-Identifier: MIT */
/* Components of a program to and from a texel. */
#include <assert.h>
#include <string.h>

#include "engine/image/image.h"

#define ONE_FLOAT 0x3f800000u

void image_load(const struct image *image, const void *texel, uint32_t components[4]) {
    union color color;
    assert(image->formatted);
    format_unpack(&image->texel, texel, &color);
    for (unsigned i = 0; i < 4; i++)
        switch (image->source[i]) {
        case IMAGE_ZERO:
            components[i] = 0;
            break;
        case IMAGE_ONE_INTEGER:
            components[i] = 1;
            break;
        case IMAGE_ONE_FLOAT:
            components[i] = ONE_FLOAT;
            break;
        default:
            components[i] = color.u[image->source[i] & 3];
        }
}

/* A component of the texel is the first of the program's that would be loaded from it; if there is none, 0. */
void image_store(const struct image *image, const uint32_t components[4], void *texel) {
    union color color;
    assert(image->formatted);
    memset(&color, 0, sizeof color);
    for (unsigned i = 4; i-- > 0;)
        if (image->source[i] < 4)
            color.u[image->source[i]] = components[i];
    format_pack(&image->texel, &color, texel);
}

/* Source: Mesa nve4_su_format_map, and the numbers in g80_defs.xml.h (GK104_IMAGE_FORMAT). Others are not public. */
static const uint8_t colors[] = {
    [0x02] = 0xc0, [0x03] = 0xc1, [0x04] = 0xc2, [0x08] = 0xc6, [0x09] = 0xc7, [0x0a] = 0xc8, [0x0b] = 0xc9,
    [0x0c] = 0xca, [0x0d] = 0xcb, [0x0e] = 0xcc, [0x0f] = 0xcd, [0x11] = 0xcf, [0x13] = 0xd1, [0x15] = 0xd2,
    [0x18] = 0xd5, [0x1a] = 0xd7, [0x1b] = 0xd8, [0x1c] = 0xd9, [0x1d] = 0xda, [0x1e] = 0xdb, [0x1f] = 0xdc,
    [0x20] = 0xdd, [0x21] = 0xde, [0x24] = 0xe0, [0x27] = 0xe3, [0x28] = 0xe4, [0x29] = 0xe5, [0x2e] = 0xea,
    [0x2f] = 0xeb, [0x30] = 0xec, [0x31] = 0xed, [0x32] = 0xee, [0x33] = 0xef, [0x34] = 0xf0, [0x35] = 0xf1,
    [0x36] = 0xf2, [0x37] = 0xf3, [0x38] = 0xf4, [0x39] = 0xf5, [0x3a] = 0xf6,
};

const struct format *image_format_of(uint32_t number) {
    return number < sizeof colors && colors[number] ? format_color(colors[number]) : NULL;
}
