/* SPDX-License-Identifier: MIT */
/*
 * Blocks of 4 x 4 texels: BC1 to BC5. Source: Microsoft's "Block Compression (Direct3D 10)", which the OpenGL
 * extensions EXT_texture_compression_s3tc and ARB_texture_compression_rgtc agree with.
 */
#include "engine/texture/blocks.h"

#include <assert.h>

#include "engine/surface/format.h"

static void color_565(uint32_t value, float out[3]) {
    out[0] = format_unorm(value >> 11 & 31, 5);
    out[1] = format_unorm(value >> 5 & 63, 6);
    out[2] = format_unorm(value & 31, 5);
}

static float mix(float a, float b, double part, double whole) {
    return (float)(((double)a * (whole - part) + (double)b * part) / whole);
}

/*
 * Two colours and two between them; with three colours the last is black, which is transparent if the format has
 * alpha. Only BC1 has blocks of three.
 */
static void block_color(const uint8_t *block, unsigned texel, bool may_have_three, float out[4]) {
    uint32_t ends = load_le32(block), first = ends & 0xffff, second = ends >> 16;
    unsigned index = load_le32(block + 4) >> 2 * texel & 3;
    float a[3], b[3];
    color_565(first, a);
    color_565(second, b);
    const bool three = may_have_three && first <= second;
    out[3] = three && index == 3 ? 0.0F : 1.0F;
    for (unsigned i = 0; i < 3; i++) {
        if (index < 2)
            out[i] = index ? b[i] : a[i];
        else if (!three)
            out[i] = mix(a[i], b[i], index - 1, 3);
        else
            out[i] = index == 2 ? mix(a[i], b[i], 1, 2) : 0.0F;
    }
}

static float end_of(uint8_t value, bool is_signed) {
    return is_signed ? format_snorm(value, 8) : format_unorm(value, 8);
}

/* One component: two ends, and six or four values between them with the least and the greatest of the format. */
static float block_component(const uint8_t *block, unsigned texel, bool is_signed) {
    uint64_t indices = load_le64(block) >> 16;
    unsigned index = indices >> 3 * texel & 7;
    float a = end_of(block[0], is_signed), b = end_of(block[1], is_signed);
    bool eight = is_signed ? (int8_t)block[0] > (int8_t)block[1] : block[0] > block[1];
    if (index < 2)
        return index ? b : a;
    if (eight)
        return mix(a, b, index - 1, 7);
    if (index < 6)
        return mix(a, b, index - 1, 5);
    if (index == 7)
        return 1.0F;
    return is_signed ? -1.0F : 0.0F;
}

static void block_components(enum texture_coding coding, const uint8_t *block, unsigned texel, bool is_signed,
                             float out[4]) {
    out[0] = block_component(block, texel, is_signed);
    out[1] = coding == CODING_BC5 ? block_component(block + 8, texel, is_signed) : 0;
    out[2] = 0;
    out[3] = 1;
}

void texture_block(const struct texture_format *format, const uint8_t *block, unsigned x, unsigned y, bool is_signed,
                   bool srgb, float out[4]) {
    const unsigned texel = 4 * y + x;
    assert(x < format->across && y < format->down);
    assert(format->coding == CODING_ASTC || (format->across == 4 && format->down == 4));
    switch (format->coding) {
    case CODING_BC1:
        block_color(block, texel, true, out);
        return;
    case CODING_BC2:
        block_color(block + 8, texel, false, out);
        out[3] = format_unorm(load_le64(block) >> 4 * texel & 15, 4);
        return;
    case CODING_BC3:
        block_color(block + 8, texel, false, out);
        out[3] = block_component(block, texel, false);
        return;
    case CODING_BC6H:
    case CODING_BC6H_SIGNED:
        block_bc6h(block, texel, format->coding == CODING_BC6H_SIGNED, out);
        return;
    case CODING_BC7:
        block_bc7(block, texel, out);
        return;
    case CODING_ASTC:
        block_astc(block, format->across, format->down, x, y, srgb, out);
        return;
    case CODING_BC4:
    case CODING_BC5:
        block_components(format->coding, block, texel, is_signed, out);
        return;
    default:
        block_etc2(format->coding, block, x, y, is_signed, out);
        return;
    }
}
