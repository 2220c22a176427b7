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
#define ETC2(code, text, size, how)                                                                                    \
    [code] = {.name = (text), .bytes = (size), .across = 4, .down = 4, .coding = (how), .mobile = true}
#define ASTC(code, w, h)                                                                                               \
    [code] = {                                                                                                         \
        .name = "ASTC_2D_" #w "X" #h, .bytes = 16, .across = (w), .down = (h), .coding = CODING_ASTC, .mobile = true}

/*
 * V is the coverage of depth with coverage samples, which no component gives. UNKNOWN: how their texels lie; chosen: by
 * their names, as those of ZF32_X24S8 do.
 */
static const struct texture_format formats[0x58] = {
    BITS(0x01, "R32_G32_B32_A32", 16, F4(32, 32, 32, 32)),
    BITS(0x02, "R32_G32_B32", 12, F3(32, 32, 32)),
    BITS(0x03, "R16_G16_B16_A16", 8, F4(16, 16, 16, 16)),
    BITS(0x04, "R32_G32", 8, F2(32, 32)),
    BITS(0x05, "R32_B24G8", 8, {{0, 32}, {32, 8}, {40, 24}}),
    ETC2(0x06, "ETC2_RGB", 8, CODING_ETC2),
    BITS(0x07, "X8B8G8R8", 4, F3(8, 8, 8)),
    BITS(0x08, "A8B8G8R8", 4, F4(8, 8, 8, 8)),
    BITS(0x09, "A2B10G10R10", 4, F4(10, 10, 10, 2)),
    ETC2(0x0a, "ETC2_RGB_PTA", 8, CODING_ETC2_PUNCHED),
    ETC2(0x0b, "ETC2_RGBA", 16, CODING_ETC2_ALPHA),
    BITS(0x0c, "R16_G16", 4, F2(16, 16)),
    BITS(0x0d, "G8R24", 4, F2(24, 8)),
    BITS(0x0e, "G24R8", 4, F2(8, 24)),
    BITS(0x0f, "R32", 4, F1(32)),
    BLOCK(0x10, "BC6H_SF16", 16, CODING_BC6H_SIGNED),
    BLOCK(0x11, "BC6H_UF16", 16, CODING_BC6H),
    BITS(0x12, "A4B4G4R4", 2, F4(4, 4, 4, 4)),
    BITS(0x13, "A5B5G5R1", 2, F4(1, 5, 5, 5)),
    BITS(0x14, "A1B5G5R5", 2, F4(5, 5, 5, 1)),
    BITS(0x15, "B5G6R5", 2, F3(5, 6, 5)),
    BITS(0x16, "B6G5R5", 2, F3(5, 5, 6)),
    BLOCK(0x17, "BC7U", 16, CODING_BC7),
    BITS(0x18, "G8R8", 2, F2(8, 8)),
    ETC2(0x19, "EAC", 8, CODING_EAC),
    ETC2(0x1a, "EACX2", 16, CODING_EAC2),
    BITS(0x1b, "R16", 2, F1(16)),
    BITS(0x1c, "Y8_VIDEO", 1, F1(8)),
    BITS(0x1d, "R8", 1, F1(8)),
    BITS(0x1e, "G4R4", 1, F2(4, 4)),
    [0x1f] = {.name = "R1", .bytes = 1, .across = 8, .down = 1, .coding = CODING_BIT},
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
    DEPTH(0x2c, "X4V4Z24__COV4R4V", 4, 0, F1(24)),
    DEPTH(0x2d, "X4V4Z24__COV8R8V", 4, 0, F1(24)),
    DEPTH(0x2e, "V8Z24__COV4R12V", 4, 0, F1(24)),
    DEPTH(0x2f, "ZF32", 4, 0, F1(32)),
    DEPTH(0x30, "ZF32_X24S8", 8, 0, F2(32, 8)),
    DEPTH(0x31, "X8Z24_X20V4S8__COV4R4V", 8, 0, {{0, 24}, {32, 8}}),
    DEPTH(0x32, "X8Z24_X20V4S8__COV8R8V", 8, 0, {{0, 24}, {32, 8}}),
    DEPTH(0x33, "ZF32_X20V4X8__COV4R4V", 8, 0, F1(32)),
    DEPTH(0x34, "ZF32_X20V4X8__COV8R8V", 8, 0, F1(32)),
    DEPTH(0x35, "ZF32_X20V4S8__COV4R4V", 8, 0, F2(32, 8)),
    DEPTH(0x36, "ZF32_X20V4S8__COV8R8V", 8, 0, F2(32, 8)),
    DEPTH(0x37, "X8Z24_X16V8S8__COV4R12V", 8, 0, {{0, 24}, {32, 8}}),
    DEPTH(0x38, "ZF32_X16V8X8__COV4R12V", 8, 0, F1(32)),
    DEPTH(0x39, "ZF32_X16V8S8__COV4R12V", 8, 0, F2(32, 8)),
    DEPTH(0x3a, "Z16", 2, 0, F1(16)),
    DEPTH(0x3b, "V8Z24__COV8R24V", 4, 0, F1(24)),
    DEPTH(0x3c, "X8Z24_X16V8S8__COV8R24V", 8, 0, {{0, 24}, {32, 8}}),
    DEPTH(0x3d, "ZF32_X16V8X8__COV8R24V", 8, 0, F1(32)),
    DEPTH(0x3e, "ZF32_X16V8S8__COV8R24V", 8, 0, F2(32, 8)),
    ASTC(0x40, 4, 4),
    ASTC(0x41, 5, 5),
    ASTC(0x42, 6, 6),
    ASTC(0x44, 8, 8),
    ASTC(0x45, 10, 10),
    ASTC(0x46, 12, 12),
    ASTC(0x50, 5, 4),
    ASTC(0x51, 6, 5),
    ASTC(0x52, 8, 6),
    ASTC(0x53, 10, 8),
    ASTC(0x54, 12, 10),
    ASTC(0x55, 8, 5),
    ASTC(0x56, 10, 5),
    ASTC(0x57, 10, 6),
};
_Static_assert(sizeof formats / sizeof formats[0] <= 1 << 7, "headers have 7 bits for a code");

const struct texture_format *texture_format(uint32_t code) {
    return code < sizeof formats / sizeof formats[0] && formats[code].bytes ? &formats[code] : NULL;
}
