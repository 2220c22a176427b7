/* SPDX-License-Identifier: MIT */
/*
 * Blocks of compressed formats. The digests were made from what Mesa 22.3's llvmpipe reads of the same blocks, rounded
 * as the table says; single blocks follow the specification's text.
 */
#include "rig.h"

#include <math.h>

#include "engine/texture/format.h"

#define BLOCKS 512u

static struct rig rig;
static uint32_t seed;

static uint32_t next(uint32_t most) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % (most + 1);
}

/* ---- random blocks, with all modes of the format ---- */

static void put(uint8_t *block, unsigned at, unsigned count, uint32_t value) {
    for (unsigned i = at; i < at + count; i++, value >>= 1)
        block[i / 8] = (uint8_t)((block[i / 8] & ~(1u << i % 8)) | (value & 1) << i % 8);
}

/* Mostly what the LDR profile has, and some void extents. */
static void bias_astc(uint8_t *block, unsigned number) {
    static const uint8_t modes[10] = {0, 1, 4, 5, 6, 8, 9, 10, 12, 13};
    if (number % 32 == 0) {
        put(block, 0, 12, 0xdfc);
        if (number % 64 == 0)
            for (unsigned i = 12; i < 64; i++)
                put(block, i, 1, 1);
        return;
    }
    if ((block[0] & 0xfc) == 0xfc && (block[1] & 1)) /* void extents by chance: Mesa reads reserved ones */
        put(block, 8, 1, 0);
    put(block, 11, 2, number % 8 < 4 ? 0 : number % 4);
    if (number % 8 < 4 || number % 4 == 0)
        put(block, 13, 4, modes[next(9)]);
    else if (number & 16)
        put(block, 23, 6, (uint32_t)modes[next(5)] << 2);
}

static void random_block(const struct texture_format *format, unsigned number, uint8_t block[16]) {
    for (unsigned i = 0; i < 16; i++)
        block[i] = (uint8_t)next(0xff);
    if (format->coding == CODING_BC7)
        put(block, 0, number % 9 < 8 ? number % 9 + 1 : 8, number % 9 < 8 ? 1u << number % 9 : 0);
    if (format->coding == CODING_BC6H || format->coding == CODING_BC6H_SIGNED)
        put(block, 0, 5, number % 32);
    if (format->coding == CODING_ASTC)
        bias_astc(block, number);
}

/* ---- digests ---- */

enum rounding { TO_255, TO_2047, TO_1023, DOWN_TO_256, BITS };

static uint32_t rounded(enum rounding how, float value) {
    uint32_t bits;
    switch (how) {
    case TO_255:
        return (uint32_t)lrintf(value * 255);
    case TO_2047:
        return (uint32_t)lrintf(value * 2047);
    case TO_1023:
        return (uint32_t)lrintf(value * 1023);
    case DOWN_TO_256:
        return value < 1 ? (uint32_t)(value * 256) : 255;
    default:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
}

static uint64_t with_texel(uint64_t digest, enum rounding how, const float texel[4]) {
    for (unsigned c = 0; c < 4; c++)
        digest = (digest ^ rounded(how, texel[c])) * UINT64_C(0x100000001b3);
    return digest;
}

static const struct expected {
    uint8_t code;
    bool is_signed;
    enum rounding how;
    uint64_t digest;
} formats[] = {
    {0x06, false, TO_255, 0x509800826b4d3cdc},      {0x0a, false, TO_255, 0x81142a09c725e709},
    {0x0b, false, TO_255, 0x27963404ecd745b0},      {0x10, true, BITS, 0x1efe54099c7da325},
    {0x11, false, BITS, 0x1530e846a4d26325},        {0x17, false, TO_255, 0x6143f649b69603cc},
    {0x19, false, TO_2047, 0x2ef12fd1a942692a},     {0x19, true, TO_1023, 0x818b361f21ca1996},
    {0x1a, false, TO_2047, 0x637a2f6d858ab364},     {0x1a, true, TO_1023, 0x50b4eb65c2927bdc},
    {0x40, false, DOWN_TO_256, 0x0b0ae5305da6c958}, {0x50, false, DOWN_TO_256, 0x33289cb89322575d},
    {0x41, false, DOWN_TO_256, 0x2ae686bc0983f161}, {0x51, false, DOWN_TO_256, 0x75c7e443270e2914},
    {0x42, false, DOWN_TO_256, 0x9ae39862e49f6df9}, {0x55, false, DOWN_TO_256, 0x52c0b6cc5aa548cb},
    {0x52, false, DOWN_TO_256, 0x809e0eea4b13bac3}, {0x44, false, DOWN_TO_256, 0xf51cb1c1e9177e3f},
    {0x56, false, DOWN_TO_256, 0x2af7cf179df14d78}, {0x57, false, DOWN_TO_256, 0xfbd8635dd8a546b6},
    {0x53, false, DOWN_TO_256, 0x1a8a94ed8e6c5f81}, {0x45, false, DOWN_TO_256, 0x730371ca8ce18929},
    {0x54, false, DOWN_TO_256, 0xb3c825f443e8d5bc}, {0x46, false, DOWN_TO_256, 0x110544e1f7749105},
};

static void blocks_decode_as_the_specifications_say(void **state) {
    (void)state;
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct texture_format *format = texture_format(formats[i].code);
        uint64_t digest = UINT64_C(0xcbf29ce484222325);
        seed = 1;
        for (unsigned number = 0; number < BLOCKS; number++) {
            uint8_t block[16];
            random_block(format, number, block);
            for (unsigned t = 0; t < (unsigned)format->across * format->down; t++) {
                float out[4];
                texture_block(format, block, t % format->across, t / format->across, formats[i].is_signed, false, out);
                digest = with_texel(digest, formats[i].how, out);
            }
        }
        if (digest != formats[i].digest)
            fail_msg("%s: digest 0x%016llx", format->name, (unsigned long long)digest);
    }
}

/* ---- single blocks ---- */

static void assert_texel(uint8_t code, const uint8_t *block, unsigned x, unsigned y, bool srgb, const float want[4]) {
    float out[4];
    texture_block(texture_format(code), block, x, y, false, srgb, out);
    for (unsigned c = 0; c < 4; c++)
        assert_float_equal(out[c], want[c], 1e-7);
}

/* Mode 6: one subset, ends of 7 bits and a parity bit, indices of 4. */
static void bc7_mixes_two_ends(void **state) {
    (void)state;
    uint8_t block[16] = {0};
    put(block, 6, 1, 1);
    put(block, 14, 7, 0x7f);
    put(block, 64, 1, 1);  /* parity of the second end */
    put(block, 65, 3, 0);  /* texel 0 lacks a bit */
    put(block, 68, 4, 15); /* texel 1 */
    put(block, 72, 4, 8);  /* texel 2: weight 34 */
    assert_texel(0x17, block, 0, 0, false, (const float[4]){0, 0, 0, 0});
    assert_texel(0x17, block, 1, 0, false, (const float[4]){1, 1 / 255.0F, 1 / 255.0F, 1 / 255.0F});
    assert_texel(0x17, block, 2, 0, false, (const float[4]){135 / 255.0F, 1 / 255.0F, 1 / 255.0F, 1 / 255.0F});
}

static void blocks_without_a_mode_are_black(void **state) {
    (void)state;
    static const uint8_t bc7[16] = {0, 0xff, 0xff}, bc6h[16] = {0x13, 0xff, 0xff};
    assert_texel(0x17, bc7, 1, 1, false, (const float[4]){0, 0, 0, 0});
    assert_texel(0x10, bc6h, 1, 1, false, (const float[4]){0, 0, 0, 1});
    assert_texel(0x11, bc6h, 1, 1, false, (const float[4]){0, 0, 0, 1});
}

/* Mode 00011: ends of 10 bits as they are. 0x3ff is the largest half, 0x7bff. */
static void bc6h_reaches_the_largest_half(void **state) {
    (void)state;
    uint8_t block[16] = {3};
    put(block, 5, 10, 0x3ff);
    assert_texel(0x11, block, 0, 0, false, (const float[4]){65504, 0, 0, 1});
    put(block, 5, 10, 0x1ff);
    assert_texel(0x10, block, 0, 0, false, (const float[4]){65504, 0, 0, 1});
    put(block, 5, 10, 0x201);
    assert_texel(0x10, block, 0, 0, false, (const float[4]){-65504, 0, 0, 1});
}

/* Two void extents, of which the second ends before it begins; a colour is 16 bits for each component. */
static void astc_void_extents_have_one_colour(void **state) {
    (void)state;
    uint8_t block[16] = {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x80, 0xff, 0x7f, 0, 0};
    const float error[4] = {1, 0, 1, 1};
    assert_texel(0x46, block, 11, 11, false, (const float[4]){1, 0.5F, 32752 / 65536.0F, 0});
    assert_texel(0x46, block, 11, 11, true, (const float[4]){1, 128 / 255.0F, 127 / 255.0F, 0});
    put(block, 9, 1, 1); /* HDR */
    assert_texel(0x46, block, 0, 0, false, error);
    put(block, 9, 1, 0);
    put(block, 10, 2, 1);
    assert_texel(0x46, block, 0, 0, false, error);
    put(block, 10, 2, 3);
    put(block, 12, 26, 0);
    assert_texel(0x46, block, 0, 0, false, error);
}

/* A grid of 4 x 4 weights of a bit, mode 0: luminance of 8 bits. sRGB has other bits below, and alpha has not. */
static void astc_srgb_rounds_at_eight_bits(void **state) {
    (void)state;
    uint8_t block[16] = {0};
    put(block, 0, 11, 0x042); /* 4 x 4, range 0 to 3 */
    put(block, 17, 8, 0x40);
    put(block, 25, 8, 0x81);
    put(block, 126, 2, 2); /* reversed: weight 1 of 3, 21 of 64 */
    const float mixed = (float)((0x4040 * 43 + 0x8181 * 21 + 32) >> 6);
    const unsigned whole = (0x4080 * 43 + 0x8180 * 21 + 32) >> 14;
    float out[4];
    texture_block(texture_format(0x40), block, 0, 0, false, false, out);
    assert_float_equal(out[0], mixed / 65536, 1.0 / 2048);
    assert_float_equal(out[3], 1, 0);
    assert_float_equal(out[0] * 4096, truncf(out[0] * 4096), 0); /* a half: 11 bits from 0.25 on */
    assert_texel(0x40, block, 0, 0, true,
                 (const float[4]){(float)whole / 255, (float)whole / 255, (float)whole / 255, 1});
}

/* Base 128, multiplier 0 counts as 1/8: the first of the table's modifiers is -3. */
static void eac_has_eleven_bits(void **state) {
    (void)state;
    static const uint8_t block[16] = {0x80, 0x00};
    assert_texel(0x19, block, 0, 0, false, (const float[4]){1025 / 2047.0F, 0, 0, 1});
}

/* With the bit of the differential mode clear, index 2 is transparent. */
static void punch_through_is_transparent_black(void **state) {
    (void)state;
    uint8_t block[8] = {0x80, 0x80, 0x80, 0x00, 0x00, 0x01, 0x00, 0x00};
    assert_texel(0x0a, block, 0, 0, false, (const float[4]){0, 0, 0, 0});
    assert_texel(0x0a, block, 1, 0, false, (const float[4]){132 / 255.0F, 132 / 255.0F, 132 / 255.0F, 1});
    block[3] = 0x02;
    assert_texel(0x0a, block, 0, 0, false, (const float[4]){130 / 255.0F, 130 / 255.0F, 130 / 255.0F, 1});
}

/* Eight texels in a byte, the lowest bit first. */
static void r1_has_a_bit_for_each_texel(void **state) {
    (void)state;
    float out[4];
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.format = 0x1f, .target = TEXTURE_2D, .width = 20, .height = 1});
    rig_sampler(&rig, 2, 1, 1);
    rig.memory[1] = 0x05;
    for (unsigned x = 8; x < 12; x++) {
        rig_sample(&rig, ((float)x + 0.5F) / 20, 0, 0, 0, out);
        assert_float_equal(out[0], (float)(5 >> (x - 8) & 1), 0);
    }
}

/* Levels of 12 x 10 blocks: 30 x 21 texels are 3 x 3 blocks, and of 15 x 10 there are 2. */
static void levels_of_blocks_are_whole_blocks(void **state) {
    (void)state;
    float out[4];
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.format = 0x54, .target = TEXTURE_2D, .width = 30, .height = 21, .levels = 2});
    assert_int_equal(rig.view.level[0].layout.width, 3 * 16);
    assert_int_equal(rig.view.level[0].layout.height, 3);
    assert_int_equal(rig.view.level[1].layout.width, 2 * 16);
    static const uint8_t block[16] = {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xff, 0xff};
    memcpy(rig.memory + rig.view.level[1].offset + 32, block, sizeof block); /* the second of the first row */
    rig_sampler(&rig, 2, 1, 2);
    rig_sample(&rig, 12.5F / 15, 9.5F / 10, 0, 1, out);
    assert_float_equal(out[1], 1, 0);
    rig_sample(&rig, 11.5F / 15, 9.5F / 10, 0, 1, out);
    assert_float_equal(out[1], 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_decode_as_the_specifications_say),
        cmocka_unit_test(bc7_mixes_two_ends),
        cmocka_unit_test(blocks_without_a_mode_are_black),
        cmocka_unit_test(bc6h_reaches_the_largest_half),
        cmocka_unit_test(astc_void_extents_have_one_colour),
        cmocka_unit_test(astc_srgb_rounds_at_eight_bits),
        cmocka_unit_test(eac_has_eleven_bits),
        cmocka_unit_test(punch_through_is_transparent_black),
        cmocka_unit_test(r1_has_a_bit_for_each_texel),
        cmocka_unit_test(levels_of_blocks_are_whole_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
