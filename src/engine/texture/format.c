/* SPDX-License-Identifier: MIT */
/* Source: envytools rnndb/graph/g80_texture.xml, gm200_texture.xml; NVIDIA open-gpu-doc classes/3d/clb197tex.h. */
#include "engine/texture/format.h"

#define F1(a)                                                                                                          \
    {                                                                                                                  \
        { 0, a }                                                                                                       \
    }
#define F2(a, b)                                                                                                       \
    {                                                                                                                  \
        {0, a}, {                                                                                                      \
            a, b                                                                                                       \
        }                                                                                                              \
    }
#define F3(a, b, c)                                                                                                    \
    {                                                                                                                  \
        {0, a}, {a, b}, {                                                                                              \
            (a) + (b), c                                                                                               \
        }                                                                                                              \
    }
#define F4(a, b, c, d)                                                                                                 \
    {                                                                                                                  \
        {0, a}, {a, b}, {(a) + (b), c}, {                                                                              \
            (a) + (b) + (c), d                                                                                         \
        }                                                                                                              \
    }

#define BITS(code, text, size, ...)                                                                                    \
    [code] = {.name = (text), .bytes = (size), .across = 1, .down = 1, .field = __VA_ARGS__}
#define DEPTH(code, text, size, which, ...)                                                                            \
    [code] = {.name = (text),                                                                                          \
              .bytes = (size),                                                                                         \
              .across = 1,                                                                                             \
              .down = 1,                                                                                               \
              .is_depth = true,                                                                                        \
              .depth_field = (which),                                                                                  \
              .field = __VA_ARGS__}
#define BLOCK(code, text, size, how) [code] = {.name = (text), .bytes = (size), .across = 4, .down = 4, .coding = (how)}

static const struct texture_format formats[0x40] = {
    BITS(0x01, "R32_G32_B32_A32", 16, F4(32, 32, 32, 32)),
    BITS(0x02, "R32_G32_B32", 12, F3(32, 32, 32)),
    BITS(0x03, "R16_G16_B16_A16", 8, F4(16, 16, 16, 16)),
    BITS(0x04, "R32_G32", 8, F2(32, 32)),
    BITS(0x05, "R32_B24G8", 8, {{0, 32}, {32, 8}, {40, 24}}),
    BITS(0x07, "X8B8G8R8", 4, F3(8, 8, 8)),
    BITS(0x08, "A8B8G8R8", 4, F4(8, 8, 8, 8)),
    BITS(0x09, "A2B10G10R10", 4, F4(10, 10, 10, 2)),
    BITS(0x0c, "R16_G16", 4, F2(16, 16)),
    BITS(0x0d, "G8R24", 4, F2(24, 8)),
    BITS(0x0e, "G24R8", 4, F2(8, 24)),
    BITS(0x0f, "R32", 4, F1(32)),
    BITS(0x12, "A4B4G4R4", 2, F4(4, 4, 4, 4)),
    BITS(0x13, "A5B5G5R1", 2, F4(1, 5, 5, 5)),
    BITS(0x14, "A1B5G5R5", 2, F4(5, 5, 5, 1)),
    BITS(0x15, "B5G6R5", 2, F3(5, 6, 5)),
    BITS(0x16, "B6G5R5", 2, F3(5, 5, 6)),
    BITS(0x18, "G8R8", 2, F2(8, 8)),
    BITS(0x1b, "R16", 2, F1(16)),
    BITS(0x1c, "Y8_VIDEO", 1, F1(8)),
    BITS(0x1d, "R8", 1, F1(8)),
    BITS(0x1e, "G4R4", 1, F2(4, 4)),
    [0x20] = {.name = "E5B9G9R9_SHAREDEXP", .bytes = 4, .across = 1, .down = 1, .coding = CODING_SHARED},
    BITS(0x21, "BF10GF11RF11", 4, F3(11, 11, 10)),
    [0x22] = {.name = "G8B8G8R8", .bytes = 4, .across = 2, .down = 1, .coding = CODING_PAIR},
    [0x23] = {.name = "B8G8R8G8", .bytes = 4, .across = 2, .down = 1, .coding = CODING_PAIR, .green_first = true},
    BLOCK(0x24, "DXT1", 8, CODING_BC1),
    BLOCK(0x25, "DXT23", 16, CODING_BC2),
    BLOCK(0x26, "DXT45", 16, CODING_BC3),
    BLOCK(0x27, "DXN1", 8, CODING_BC4),
    BLOCK(0x28, "DXN2", 16, CODING_BC5),
    DEPTH(0x29, "Z24S8", 4, 1, F2(8, 24)),
    DEPTH(0x2a, "X8Z24", 4, 0, F2(24, 8)),
    DEPTH(0x2b, "S8Z24", 4, 0, F2(24, 8)),
    DEPTH(0x2f, "ZF32", 4, 0, F1(32)),
    DEPTH(0x30, "ZF32_X24S8", 8, 0, F2(32, 8)),
    DEPTH(0x3a, "Z16", 2, 0, F1(16)),
};

const struct texture_format *texture_format(uint32_t code) {
    return code < sizeof formats / sizeof formats[0] && formats[code].bytes ? &formats[code] : NULL;
}

const char *texture_format_missing(uint32_t code) {
    static const struct {
        uint8_t first, last;
        const char *name;
    } names[] = {
        {0x06, 0x06, "ETC2_RGB"},   {0x0a, 0x0a, "ETC2_RGB_PTA"}, {0x0b, 0x0b, "ETC2_RGBA"},  {0x10, 0x11, "BC6H"},
        {0x17, 0x17, "BC7"},        {0x19, 0x19, "EAC"},          {0x1a, 0x1a, "EACX2"},      {0x1f, 0x1f, "R1"},
        {0x2c, 0x2e, "VCAA depth"}, {0x31, 0x39, "VCAA depth"},   {0x3b, 0x3e, "VCAA depth"}, {0x40, 0x57, "ASTC"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (code >= names[i].first && code <= names[i].last)
            return names[i].name;
    return NULL;
}
