/* SPDX-License-Identifier: MIT */
/*
 * Formats of texture units before G80. Names are those of the classes, without what says how texels lie (_RECT).
 *
 * rnndb names the codes of all objects; 03, 19, 1c, 1f, 27, 29, 2e to 31 and 3a to 41 of Kelvin are xemu's, 0d to 0f,
 * 11, 13, 17, 19 and 1c to 1f of Curie RPCS3's. UNKNOWN: whether Rankine has those that xemu names of Kelvin; chosen:
 * it does. UNKNOWN: alpha of Y8 on NV4; chosen: 1. UNKNOWN: what channels of A16 and HILO are on Rankine; chosen: as on
 * Curie, since Mesa gives both the same swizzles. UNKNOWN: whether DSDT8 and R6G5B5 have signs when FILTER does not say
 * so; chosen: none.
 */
#include "engine/texture/methods.h"

#include <assert.h>

#include "memory/power.h"

#define RGBA                                                                                                           \
    { TEXTURE_R, TEXTURE_G, TEXTURE_B, TEXTURE_A }
#define RGB1                                                                                                           \
    { TEXTURE_R, TEXTURE_G, TEXTURE_B, TEXTURE_ONE_FLOAT }
#define X_XXX1                                                                                                         \
    { TEXTURE_R, TEXTURE_R, TEXTURE_R, TEXTURE_ONE_FLOAT }
#define X_XXXX                                                                                                         \
    { TEXTURE_R, TEXTURE_R, TEXTURE_R, TEXTURE_R }
#define X_111X                                                                                                         \
    { TEXTURE_ONE_FLOAT, TEXTURE_ONE_FLOAT, TEXTURE_ONE_FLOAT, TEXTURE_R }
#define X_1X1X                                                                                                         \
    { TEXTURE_ONE_FLOAT, TEXTURE_R, TEXTURE_ONE_FLOAT, TEXTURE_R }
#define XY_XXXY                                                                                                        \
    { TEXTURE_R, TEXTURE_R, TEXTURE_R, TEXTURE_G }
#define XY_XYXY                                                                                                        \
    { TEXTURE_R, TEXTURE_G, TEXTURE_R, TEXTURE_G }
#define XY_YXYX                                                                                                        \
    { TEXTURE_G, TEXTURE_R, TEXTURE_G, TEXTURE_R }
#define XY_YXXY                                                                                                        \
    { TEXTURE_G, TEXTURE_R, TEXTURE_R, TEXTURE_G }
#define PAIR_GRB1                                                                                                      \
    { TEXTURE_G, TEXTURE_B, TEXTURE_R, TEXTURE_ONE_FLOAT }

/* Shift and bits of R, G, B, A. */
#define A1R5G5B5                                                                                                       \
    {                                                                                                                  \
        {10, 5}, {5, 5}, {0, 5}, {                                                                                     \
            15, 1                                                                                                      \
        }                                                                                                              \
    }
#define A4R4G4B4                                                                                                       \
    {                                                                                                                  \
        {8, 4}, {4, 4}, {0, 4}, {                                                                                      \
            12, 4                                                                                                      \
        }                                                                                                              \
    }
#define R5G6B5                                                                                                         \
    {                                                                                                                  \
        {11, 5}, {5, 6}, {                                                                                             \
            0, 5                                                                                                       \
        }                                                                                                              \
    }
#define R6G5B5                                                                                                         \
    {                                                                                                                  \
        {10, 6}, {5, 5}, {                                                                                             \
            0, 5                                                                                                       \
        }                                                                                                              \
    }
#define R5G5B5A1                                                                                                       \
    {                                                                                                                  \
        {11, 5}, {6, 5}, {1, 5}, {                                                                                     \
            0, 1                                                                                                       \
        }                                                                                                              \
    }
#define A8R8G8B8                                                                                                       \
    {                                                                                                                  \
        {16, 8}, {8, 8}, {0, 8}, {                                                                                     \
            24, 8                                                                                                      \
        }                                                                                                              \
    }
#define A8B8G8R8                                                                                                       \
    {                                                                                                                  \
        {0, 8}, {8, 8}, {16, 8}, {                                                                                     \
            24, 8                                                                                                      \
        }                                                                                                              \
    }
#define B8G8R8A8                                                                                                       \
    {                                                                                                                  \
        {8, 8}, {16, 8}, {24, 8}, {                                                                                    \
            0, 8                                                                                                       \
        }                                                                                                              \
    }
#define R8G8B8A8                                                                                                       \
    {                                                                                                                  \
        {24, 8}, {16, 8}, {8, 8}, {                                                                                    \
            0, 8                                                                                                       \
        }                                                                                                              \
    }
#define ONE_OF(n)                                                                                                      \
    {                                                                                                                  \
        { 0, n }                                                                                                       \
    }
#define TWO_OF(n)                                                                                                      \
    {                                                                                                                  \
        {0, n}, {                                                                                                      \
            n, n                                                                                                       \
        }                                                                                                              \
    }
#define FOUR_OF(n)                                                                                                     \
    {                                                                                                                  \
        {0, n}, {n, n}, {2 * (n), n}, {                                                                                \
            3 * (n), n                                                                                                 \
        }                                                                                                              \
    }

#define BITS(text, size, ...)   .format = {.name = (text), .bytes = (size), .across = 1, .down = 1, .field = __VA_ARGS__}
#define BLOCKS(text, size, how) .format = {.name = (text), .bytes = (size), .across = 4, .down = 4, .coding = (how)}
#define DEPTH(text, size, at, count)                                                                                   \
    .format = {.name = (text), .bytes = (size), .across = 1, .down = 1, .is_depth = true, .field = {{at, count}}}
#define DEPTH_FLOAT(text, size, at, count)                                                                             \
    .format = {.name = (text),                                                                                         \
               .bytes = (size),                                                                                        \
               .across = 1,                                                                                            \
               .down = 1,                                                                                              \
               .coding = CODING_DEPTH,                                                                                 \
               .is_depth = true,                                                                                       \
               .field = {{at, count}}}
#define PAIR(text, first)                                                                                              \
    .format = {.name = (text), .bytes = 4, .across = 2, .down = 1, .coding = CODING_PAIR, .green_first = (first)}
/* Cb is R of a pair, Y G, and Cr B. In lines, whatever the code's neighbours are [xemu]. */
#define YUV .lines = true, .plain = true, .yuv = true

#define ROW(of, number, sources, ...)                                                                                  \
    { .objects = (of), .code = (number), .source = sources, __VA_ARGS__ }
/* Two codes: swizzled, and in lines. */
#define BOTH(of, swizzled, rectangle, sources, ...)                                                                    \
    ROW(of, swizzled, sources, __VA_ARGS__), ROW(of, rectangle, sources, .lines = true, __VA_ARGS__)
#define FLOATS .plain = true, .type = TEXTURE_FLOAT

#define D3D      METHODS_D3D
#define TRIANGLE METHODS_TRIANGLE
#define CELSIUS  METHODS_CELSIUS
#define RANKINE  METHODS_RANKINE
#define CURIE    METHODS_CURIE
#define VERTEX   METHODS_VERTEX
#define KELVIN   (METHODS_KELVIN | METHODS_RANKINE)
#define OLD      (METHODS_CELSIUS | KELVIN)

const struct texture_format methods_palette_format = {
    .name = "A8R8G8B8", .bytes = 4, .across = 1, .down = 1, .field = A8R8G8B8};

static const struct methods_format formats[] = {
    ROW(D3D, 0x00, RGBA, BITS("A1R5G5B5", 2, A1R5G5B5)),
    ROW(D3D, 0x01, RGB1, BITS("X1R5G5B5", 2, A1R5G5B5)),
    ROW(D3D, 0x02, RGBA, BITS("A4R4G4B4", 2, A4R4G4B4)),
    ROW(D3D, 0x03, RGB1, BITS("R5G6B5", 2, R5G6B5)),

    ROW(TRIANGLE, 0x01, X_XXX1, BITS("Y8", 1, ONE_OF(8))),
    ROW(TRIANGLE, 0x02, RGBA, BITS("A1R5G5B5", 2, A1R5G5B5)),
    ROW(TRIANGLE, 0x03, RGB1, BITS("X1R5G5B5", 2, A1R5G5B5)),
    ROW(TRIANGLE, 0x04, RGBA, BITS("A4R4G4B4", 2, A4R4G4B4)),
    ROW(TRIANGLE, 0x05, RGB1, BITS("R5G6B5", 2, R5G6B5)),
    ROW(TRIANGLE, 0x06, RGBA, BITS("A8R8G8B8", 4, A8R8G8B8)),
    ROW(TRIANGLE, 0x07, RGB1, BITS("X8R8G8B8", 4, A8R8G8B8)),

    ROW(OLD, 0x00, X_XXX1, BITS("L8", 1, ONE_OF(8))),
    ROW(OLD, 0x01, X_XXXX, BITS("I8", 1, ONE_OF(8))),
    BOTH(OLD, 0x02, 0x10, RGBA, BITS("A1R5G5B5", 2, A1R5G5B5)),
    ROW(OLD, 0x04, RGBA, BITS("A4R4G4B4", 2, A4R4G4B4)),
    BOTH(OLD, 0x05, 0x11, RGB1, BITS("R5G6B5", 2, R5G6B5)),
    BOTH(OLD, 0x06, 0x12, RGBA, BITS("A8R8G8B8", 4, A8R8G8B8)),
    ROW(OLD, 0x07, RGB1, BITS("X8R8G8B8", 4, A8R8G8B8)),
    ROW(OLD, 0x0b, RGBA, .palette = true, BITS("INDEX8", 1, ONE_OF(8))),
    ROW(OLD, 0x0c, RGBA, BLOCKS("DXT1", 8, CODING_BC1)),
    ROW(OLD, 0x0e, RGBA, BLOCKS("DXT3", 16, CODING_BC2)),
    ROW(OLD, 0x0f, RGBA, BLOCKS("DXT5", 16, CODING_BC3)),
    ROW(CELSIUS, 0x13, X_XXXX, .lines = true, BITS("I8", 1, ONE_OF(8))),

    BOTH(KELVIN, 0x03, 0x1c, RGB1, BITS("X1R5G5B5", 2, A1R5G5B5)),
    ROW(KELVIN, 0x13, X_XXX1, .lines = true, BITS("L8", 1, ONE_OF(8))),
    BOTH(KELVIN, 0x28, 0x17, XY_XYXY, BITS("DSDT8", 2, TWO_OF(8))),
    BOTH(KELVIN, 0x19, 0x1f, X_111X, BITS("A8", 1, ONE_OF(8))),
    BOTH(KELVIN, 0x1a, 0x20, XY_XXXY, BITS("A8L8", 2, TWO_OF(8))),
    ROW(KELVIN, 0x1b, X_XXXX, .lines = true, BITS("I8", 1, ONE_OF(8))),
    ROW(KELVIN, 0x1d, RGBA, .lines = true, BITS("A4R4G4B4", 2, A4R4G4B4)),
    ROW(KELVIN, 0x1e, RGB1, .lines = true, BITS("X8R8G8B8", 4, A8R8G8B8)),
    ROW(KELVIN, 0x24, RGB1, YUV, PAIR("CR8YB8CB8YA8", true)),
    ROW(KELVIN, 0x25, RGB1, YUV, PAIR("YB8CR8YA8CB8", false)),
    ROW(KELVIN, 0x27, RGB1, BITS("R6G5B5", 2, R6G5B5)),
    ROW(KELVIN, 0x29, XY_YXXY, BITS("R8B8", 2, TWO_OF(8))),
    BOTH(KELVIN, 0x2a, 0x2b, RGBA, DEPTH("Z24", 4, 8, 24)),
    BOTH(KELVIN, 0x2c, 0x2d, RGBA, DEPTH("Z16", 2, 0, 16)),
    ROW(KELVIN, 0x2e, RGBA, .lines = true, DEPTH("Z24", 4, 8, 24)),
    ROW(KELVIN, 0x2f, RGBA, .lines = true, DEPTH_FLOAT("Z24_FLOAT", 4, 8, 24)),
    ROW(KELVIN, 0x30, RGBA, .lines = true, DEPTH("Z16", 2, 0, 16)),
    ROW(KELVIN, 0x31, RGBA, .lines = true, DEPTH_FLOAT("Z16_FLOAT", 2, 0, 16)),
    BOTH(KELVIN, 0x33, 0x36, XY_XYXY, BITS("HILO16", 4, TWO_OF(16))),
    BOTH(KELVIN, 0x3a, 0x3f, RGBA, BITS("A8B8G8R8", 4, A8B8G8R8)),
    BOTH(KELVIN, 0x3b, 0x40, RGBA, BITS("B8G8R8A8", 4, B8G8R8A8)),
    BOTH(KELVIN, 0x3c, 0x41, RGBA, BITS("R8G8B8A8", 4, R8G8B8A8)),
    BOTH(KELVIN, 0x44, 0x46, XY_YXYX, BITS("HILO8", 2, TWO_OF(8))),
    BOTH(KELVIN, 0x45, 0x47, XY_YXYX, .type = TEXTURE_SNORM, BITS("SIGNED_HILO8", 2, TWO_OF(8))),
    ROW(METHODS_KELVIN, 0x35, X_XXX1, .lines = true, BITS("L16", 2, ONE_OF(16))),

    BOTH(RANKINE, 0x32, 0x35, X_1X1X, BITS("A16", 2, ONE_OF(16))),
    ROW(RANKINE, 0x4a, RGBA, .lines = true, FLOATS, BITS("RGBA16F", 8, FOUR_OF(16))),
    ROW(RANKINE, 0x4b, RGBA, .lines = true, FLOATS, BITS("RGBA32F", 16, FOUR_OF(32))),
    ROW(RANKINE, 0x4c, X_XXXX, .lines = true, FLOATS, BITS("R32F", 4, ONE_OF(32))),

    ROW(CURIE, 0x01, X_XXX1, BITS("L8", 1, ONE_OF(8))),
    ROW(CURIE, 0x02, RGBA, BITS("A1R5G5B5", 2, A1R5G5B5)),
    ROW(CURIE, 0x03, RGBA, BITS("A4R4G4B4", 2, A4R4G4B4)),
    ROW(CURIE, 0x04, RGB1, BITS("R5G6B5", 2, R5G6B5)),
    ROW(CURIE, 0x05, RGBA, BITS("A8R8G8B8", 4, A8R8G8B8)),
    ROW(CURIE, 0x06, RGBA, BLOCKS("DXT1", 8, CODING_BC1)),
    ROW(CURIE, 0x07, RGBA, BLOCKS("DXT3", 16, CODING_BC2)),
    ROW(CURIE, 0x08, RGBA, BLOCKS("DXT5", 16, CODING_BC3)),
    ROW(CURIE, 0x0b, XY_XYXY, BITS("A8L8", 2, TWO_OF(8))),
    ROW(CURIE, 0x0d, PAIR_GRB1, PAIR("B8R8_G8R8", false)),
    ROW(CURIE, 0x0e, PAIR_GRB1, PAIR("R8B8_R8G8", true)),
    ROW(CURIE, 0x0f, RGB1, BITS("R6G5B5", 2, R6G5B5)),
    ROW(CURIE, 0x10, RGBA, DEPTH("Z24", 4, 8, 24)),
    ROW(CURIE, 0x11, RGBA, DEPTH_FLOAT("Z24_FLOAT", 4, 8, 24)),
    ROW(CURIE, 0x12, RGBA, DEPTH("Z16", 2, 0, 16)),
    ROW(CURIE, 0x13, RGBA, DEPTH_FLOAT("Z16_FLOAT", 2, 0, 16)),
    ROW(CURIE, 0x14, X_1X1X, BITS("A16", 2, ONE_OF(16))),
    ROW(CURIE, 0x15, XY_XYXY, BITS("A16L16", 4, TWO_OF(16))),
    ROW(CURIE, 0x17, RGBA, BITS("R5G5B5A1", 2, R5G5B5A1)),
    ROW(CURIE, 0x18, XY_YXYX, BITS("HILO8", 2, TWO_OF(8))),
    ROW(CURIE, 0x19, XY_YXYX, .type = TEXTURE_SNORM, BITS("SIGNED_HILO8", 2, TWO_OF(8))),
    ROW(CURIE, 0x1a, RGBA, FLOATS, BITS("RGBA16F", 8, FOUR_OF(16))),
    ROW(CURIE | VERTEX, 0x1b, RGBA, FLOATS, BITS("RGBA32F", 16, FOUR_OF(32))),
    ROW(CURIE | VERTEX, 0x1c, X_XXXX, FLOATS, BITS("R32F", 4, ONE_OF(32))),
    ROW(CURIE, 0x1d, RGB1, BITS("X1R5G5B5", 2, A1R5G5B5)),
    ROW(CURIE, 0x1e, RGB1, BITS("X8R8G8B8", 4, A8R8G8B8)),
    ROW(CURIE, 0x1f, XY_XYXY, FLOATS, BITS("RG16F", 4, TWO_OF(16))),
};

const struct methods_format *methods_format(enum methods_objects object, uint32_t code) {
    assert(is_power_of_two(object));
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].code == code && formats[i].objects & object)
            return &formats[i];
    return NULL;
}
