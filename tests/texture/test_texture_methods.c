/* SPDX-License-Identifier: MIT */
/* Textures that methods describe: where each level, face and slice is, what formats mean, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "engine/texture/methods.h"
#include "memory/little_endian.h"

enum { OBJECT = 0x1234, ADDRESS = 0x4000, BYTES = 0x4000, MOST = 64 * 64 };
enum {
    D3D = 0x48,
    VERTEX_UNIT = 16,
    TRIANGLE = 0x54,
    MULTITEX = 0x95,
    CELSIUS = 0x56,
    KELVIN = 0x97,
    RANKINE = 0x397,
    CURIE = 0x4097
};

static uint32_t words[0x2000 / 4];
static uint8_t bytes[BYTES];
static uint8_t pixels[MOST][4];

static uint32_t value_of(void *opaque, uint32_t method) {
    (void)opaque;
    return words[method / 4];
}

static const struct methods_values values = {NULL, value_of};

static bool read_bytes(void *opaque, uint32_t object, uint64_t address, void *data, uint64_t count) {
    (void)opaque;
    if (object != OBJECT || address < ADDRESS || address - ADDRESS >= BYTES)
        return false;
    memset(data, 0, count);
    const uint64_t left = BYTES - (address - ADDRESS);
    memcpy(data, bytes + (address - ADDRESS), count < left ? count : left);
    return true;
}

static const struct methods_memory memory = {NULL, read_bytes};

/* Every byte is another than its neighbours, and than what is a power of two away. */
static uint8_t byte_at(uint64_t offset) {
    return (uint8_t)((offset * 37 + (offset >> 8) * 11 + 5) & 255);
}

static int set_up(void **state) {
    (void)state;
    memset(words, 0, sizeof words);
    words[0x188 / 4] = OBJECT; /* the second DMA object; nothing is in the first */
    for (unsigned i = 0; i < BYTES; i++)
        bytes[i] = byte_at(i);
    return 0;
}

/* Where unit `n` of a class has its words. */
struct place {
    uint32_t oclass, offset, format, size, pitch, extra, swizzle, filter, palette, stride;
};

static const struct place places[] = {
    {.oclass = D3D, .offset = 0x304, .format = 0x308},
    {.oclass = TRIANGLE, .offset = 0x304, .format = 0x308},
    {.oclass = MULTITEX, .offset = 0x308, .format = 0x310, .stride = 4},
    {CELSIUS, 0x218, 0x220, 0x240, 0x230, 0, 0, 0, 0x250, 4},
    {KELVIN, 0x1b00, 0x1b04, 0x1b1c, 0x1b10, 0, 0, 0x1b14, 0x1b20, 64},
    {RANKINE, 0x1a00, 0x1a04, 0x1a18, 0x1a10, 0, 0x1a10, 0x1a14, 0, 32},
    {CURIE, 0x1a00, 0x1a04, 0x1a18, 0, 0x1840, 0x1a10, 0x1a14, 0, 32},
};

static const struct place *place_of(uint32_t oclass) {
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i].oclass == oclass)
            return &places[i];
    fail_msg("no class %x", (unsigned)oclass);
    return NULL;
}

static void set(uint32_t method, uint32_t value) {
    words[method / 4] = value;
}

struct shape {
    uint32_t code, dims, width, height, depth, levels, pitch;
    bool cube, lines;
};

static uint32_t log2_of(uint32_t size) {
    return size > 1 ? (uint32_t)__builtin_ctz(size) : 0;
}

/* The word that says the shape on the class, without the size in other words. */
static uint32_t format_word(uint32_t oclass, const struct shape *s) {
    const uint32_t u = log2_of(s->width), v = log2_of(s->height), w = log2_of(s->depth);
    switch (oclass) {
    case D3D:
        return 1 | s->code << 20 | (u + 1 - s->levels) << 24 | u << 28; /* with a colour key */
    case TRIANGLE:
    case MULTITEX:
        return 2 | s->code << 8 | s->levels << 12 | u << 16 | v << 20;
    case CELSIUS:
        return 2 | (s->cube ? 4u : 0) | s->code << 7 | s->levels << 12 | u << 16 | v << 20;
    case CURIE:
        return 2 | (s->cube ? 4u : 0) | 8 | s->dims << 4 | s->code << 8 | (s->lines ? 1u << 13 : 0) | 1 << 15 |
               s->levels << 16;
    default:
        return 2 | (s->cube ? 4u : 0) | 8 | s->dims << 4 | s->code << 8 | s->levels << 16 | u << 20 | v << 24 | w << 28;
    }
}

static void describe_unit(uint32_t oclass, uint32_t unit, const struct shape *s) {
    const struct place *place = place_of(oclass);
    set(place->offset + unit * place->stride, ADDRESS);
    if (oclass == D3D) /* which has but one DMA object */
        set(0x184, OBJECT);
    set(place->format + unit * place->stride, format_word(oclass, s));
    if (oclass == CURIE || s->lines)
        set(place->size + unit * place->stride, s->width << 16 | s->height);
    if (place->swizzle)
        set(place->swizzle + unit * place->stride, 0xaae4);
    if (oclass == CURIE)
        set(place->extra + 4 * unit, s->depth << 20 | s->pitch);
    else if (s->lines)
        words[(place->pitch + unit * place->stride) / 4] |= s->pitch << 16;
}

static void describe(uint32_t oclass, const struct shape *s) {
    describe_unit(oclass, 0, s);
}

static struct methods_texture taken(uint32_t oclass, uint32_t unit) {
    struct methods_texture texture;
    struct pfifo_error error = {0};
    if (methods_texture(&texture, oclass, unit, &values, &error) != PFIFO_OK)
        fail_msg("class %x: %s", (unsigned)oclass, error.message);
    return texture;
}

static void read_unit(uint32_t oclass, uint32_t unit, uint32_t level, uint32_t layer) {
    const struct methods_texture texture = taken(oclass, unit);
    struct pfifo_error error = {0};
    const uint32_t *size = texture.view.level[level].size;
    assert_true(level <= texture.view.last_level);
    assert_true(size[0] * size[1] <= MOST);
    memset(pixels, 0xee, sizeof pixels);
    if (methods_read(&texture, (struct pfifo_texture_image){level, layer}, &memory, pixels[0], &error) != PFIFO_OK)
        fail_msg("class %x level %u layer %u: %s", (unsigned)oclass, (unsigned)level, (unsigned)layer, error.message);
}

static void expect_refused(uint32_t oclass, uint32_t unit, const char *why) {
    struct methods_texture texture;
    struct pfifo_error error = {0};
    assert_int_not_equal(methods_texture(&texture, oclass, unit, &values, &error), PFIFO_OK);
    if (!strstr(error.message, why))
        fail_msg("class %x: no '%s' in '%s'", (unsigned)oclass, why, error.message);
}

/* ---- where texels are ---- */

/* A bit of x, of y, of z, and again, while the size has it. */
static uint32_t morton(const uint32_t size[3], uint32_t x, uint32_t y, uint32_t z) {
    uint32_t index = 0, place = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        if (size[0] >> bit > 1)
            index |= (x >> bit & 1) << place++;
        if (size[1] >> bit > 1)
            index |= (y >> bit & 1) << place++;
        if (size[2] >> bit > 1)
            index |= (z >> bit & 1) << place++;
    }
    return index;
}

/* The image that was read has the bytes from `offset` on, pitch 0: swizzled. */
static void expect_bytes(const uint32_t size[3], uint32_t z, uint32_t offset, uint32_t pitch) {
    for (uint32_t y = 0; y < size[1]; y++)
        for (uint32_t x = 0; x < size[0]; x++) {
            const uint32_t at = pitch ? (z * size[1] + y) * pitch + x : morton(size, x, y, z);
            const uint8_t *pixel = pixels[y * size[0] + x];
            if (pixel[0] != byte_at(offset + at))
                fail_msg("(%u, %u, %u): %02x is not the byte at %u", (unsigned)x, (unsigned)y, (unsigned)z, pixel[0],
                         (unsigned)(offset + at));
        }
}

static const struct {
    uint32_t oclass, luminance;
} with_levels[] = {{TRIANGLE, 1}, {MULTITEX, 1}, {CELSIUS, 0}, {KELVIN, 0}, {RANKINE, 0}, {CURIE, 1}};

/* 16 x 8 bytes, 8 x 4, 4 x 2, 2 x 1, 1 x 1. */
static void levels_follow_each_other(void **state) {
    static const uint32_t offset[] = {0, 128, 160, 168, 170};
    (void)state;
    for (size_t i = 0; i < sizeof with_levels / sizeof with_levels[0]; i++) {
        set_up(state);
        describe(with_levels[i].oclass,
                 &(struct shape){
                     .code = with_levels[i].luminance, .dims = 2, .width = 16, .height = 8, .depth = 1, .levels = 9});
        assert_int_equal(taken(with_levels[i].oclass, 0).view.last_level, 4);
        for (uint32_t level = 0; level < 5; level++) {
            const uint32_t size[3] = {16u >> level, level < 3 ? 8u >> level : 1, 1};
            read_unit(with_levels[i].oclass, 0, level, 0);
            expect_bytes(size, 0, offset[level], 0);
        }
    }
}

static void a_count_of_levels_ends_them(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof with_levels / sizeof with_levels[0]; i++)
        for (uint32_t levels = 0; levels < 4; levels++) {
            set_up(state);
            describe(with_levels[i].oclass, &(struct shape){.code = with_levels[i].luminance,
                                                            .dims = 2,
                                                            .width = 16,
                                                            .height = 8,
                                                            .depth = 1,
                                                            .levels = levels});
            assert_int_equal(taken(with_levels[i].oclass, 0).view.last_level, levels ? levels - 1 : 0);
        }
}

/* Of 8 x 8 bytes: 64 + 16 + 4 + 1 for a face, of which 128 are taken. */
static void faces_of_a_cube_begin_at_128_bytes(void **state) {
    static const uint32_t offset[] = {0, 64, 80, 84};
    (void)state;
    for (size_t i = 2; i < sizeof with_levels / sizeof with_levels[0]; i++) {
        set_up(state);
        describe(with_levels[i].oclass, &(struct shape){.code = with_levels[i].luminance,
                                                        .dims = 2,
                                                        .width = 8,
                                                        .height = 8,
                                                        .depth = 1,
                                                        .levels = 4,
                                                        .cube = true});
        assert_int_equal(taken(with_levels[i].oclass, 0).view.layers, 6);
        for (uint32_t face = 0; face < 6; face++)
            for (uint32_t level = 0; level < 4; level++) {
                const uint32_t size[3] = {8u >> level, 8u >> level, 1};
                read_unit(with_levels[i].oclass, 0, level, face);
                expect_bytes(size, 0, face * 128 + offset[level], 0);
            }
    }
}

/* 8 x 4 x 4 bytes, 4 x 2 x 2, 2 x 1 x 1, 1 x 1 x 1. */
static void slices_of_a_volume_are_interleaved(void **state) {
    static const uint32_t offset[] = {0, 128, 144, 146};
    (void)state;
    for (size_t i = 3; i < sizeof with_levels / sizeof with_levels[0]; i++) {
        set_up(state);
        describe(with_levels[i].oclass,
                 &(struct shape){
                     .code = with_levels[i].luminance, .dims = 3, .width = 8, .height = 4, .depth = 4, .levels = 4});
        for (uint32_t level = 0; level < 4; level++) {
            const uint32_t size[3] = {8u >> level, level < 2 ? 4u >> level : 1, level < 2 ? 4u >> level : 1};
            for (uint32_t z = 0; z < size[2]; z++) {
                read_unit(with_levels[i].oclass, 0, level, z);
                expect_bytes(size, z, offset[level], 0);
            }
        }
    }
}

/* 13 x 5 bytes, 6 x 2, 3 x 1, 1 x 1, all with the pitch of 64. */
static void lines_have_one_pitch(void **state) {
    static const struct {
        uint32_t oclass, code;
    } rows[] = {{CELSIUS, 0x13}, {KELVIN, 0x13}, {RANKINE, 0x13}, {CURIE, 1}};
    static const uint32_t offset[] = {0, 5 * 64, 7 * 64, 8 * 64};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        describe(rows[i].oclass, &(struct shape){.code = rows[i].code,
                                                 .dims = 2,
                                                 .width = 13,
                                                 .height = 5,
                                                 .depth = 1,
                                                 .levels = 4,
                                                 .pitch = 64,
                                                 .lines = true});
        for (uint32_t level = 0; level < 4; level++) {
            const uint32_t size[3] = {13u >> level, level < 2 ? 5u >> level : 1, 1};
            read_unit(rows[i].oclass, 0, level, 0);
            expect_bytes(size, 0, offset[level], 64);
        }
    }
}

/* Slices and faces follow each other: a level of all slices, a face with all levels. */
static void lines_of_volumes_and_cubes_follow_each_other(void **state) {
    static const uint32_t size[3] = {6, 3, 3}, half[3] = {3, 1, 1};
    (void)state;
    describe(CURIE, &(struct shape){1, 3, 6, 3, 3, 2, 8, .lines = true});
    for (uint32_t z = 0; z < 3; z++) {
        read_unit(CURIE, 0, 0, z);
        expect_bytes(size, z, 0, 8);
    }
    read_unit(CURIE, 0, 1, 0);
    expect_bytes(half, 0, 3 * 3 * 8, 8);
    describe(CURIE, &(struct shape){1, 2, 6, 3, 1, 2, 8, .cube = true, .lines = true});
    for (uint32_t face = 0; face < 6; face++) {
        read_unit(CURIE, 0, 0, face);
        expect_bytes(size, 0, face * 32, 8);
        read_unit(CURIE, 0, 1, face);
        expect_bytes(half, 0, face * 32 + 24, 8);
    }
}

static void a_line_is_a_texture_of_one_dimension(void **state) {
    static const uint32_t size[3] = {32, 1, 1};
    (void)state;
    describe(KELVIN, &(struct shape){0, 1, 32, 8, 1, 1, 0});
    read_unit(KELVIN, 0, 0, 0);
    assert_int_equal(taken(KELVIN, 0).view.target, TEXTURE_1D);
    assert_int_equal(taken(KELVIN, 0).view.height, 1);
    expect_bytes(size, 0, 0, 0);
}

/* Texels of 16 bytes are four neighbours of 4: the second word of the first is that of index 1, the third of index 4.
 */
static void large_texels_are_swizzled_as_neighbours_of_four_bytes(void **state) {
    static const float red[] = {0.25F, 0.5F}, green = 0.75F, blue = 1.0F;
    (void)state;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &red[0], 4);
    memcpy(bytes + 4, &green, 4);
    memcpy(bytes + 16, &blue, 4);
    memcpy(bytes + 8, &red[1], 4); /* y is bit 1 of the index */
    describe(CURIE, &(struct shape){0x1b, 2, 2, 2, 1, 1, 0});
    read_unit(CURIE, 0, 0, 0);
    assert_int_equal(pixels[0][0], 64);
    assert_int_equal(pixels[0][1], 191);
    assert_int_equal(pixels[0][2], 255);
    assert_int_equal(pixels[2][0], 128);
}

/* ---- compressed ---- */

/* A block of one colour, and DXT3's and DXT5's alpha of one value. */
static void put_block(uint32_t at, uint16_t color, bool alpha) {
    memset(bytes + at, 0, alpha ? 16 : 8);
    if (alpha) {
        memset(bytes + at, 0x88, 8);
        memset(bytes + at + 2, 0, 6);
        at += 8;
    }
    store_le32(bytes + at, color | (uint32_t)color << 16);
}

static const uint16_t colors[] = {0xf800, 0x07e0, 0x001f, 0xffff, 0xffe0, 0x07ff, 0xf81f, 0x8410};

static void expect_color(uint32_t pixel, unsigned color) {
    static const uint8_t rgb[][3] = {{255, 0, 0},   {0, 255, 0},   {0, 0, 255},   {255, 255, 255},
                                     {255, 255, 0}, {0, 255, 255}, {255, 0, 255}, {132, 130, 132}};
    assert_memory_equal(pixels[pixel], rgb[color], 3);
}

/* 8 x 8 texels are two rows of two blocks, level 1 is one, and so is each below it. */
static void rows_of_blocks_are_packed(void **state) {
    static const struct {
        uint32_t oclass, code;
        bool alpha;
    } rows[] = {{CELSIUS, 0xc, false}, {KELVIN, 0xc, false}, {RANKINE, 0xe, true}, {RANKINE, 0xf, true},
                {CURIE, 6, false},     {CURIE, 7, true},     {CURIE, 8, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        for (unsigned block = 0; block < 7; block++)
            put_block((rows[i].alpha ? 16 : 8) * block, colors[block], rows[i].alpha);
        describe(rows[i].oclass, &(struct shape){rows[i].code, 2, 8, 8, 1, 9, 0});
        read_unit(rows[i].oclass, 0, 0, 0);
        for (unsigned block = 0; block < 4; block++) {
            expect_color((block >> 1) * 32 + (block & 1) * 4, block);
            expect_color((block >> 1) * 32 + (block & 1) * 4 + 3 * 8 + 3, block);
        }
        assert_int_equal(pixels[0][3], rows[i].alpha ? 136 : 255);
        for (uint32_t level = 1; level < 4; level++) {
            read_unit(rows[i].oclass, 0, level, 0);
            expect_color(0, 3 + level);
        }
    }
}

/* 12 x 8 texels with room for 4 blocks in a row. */
static void rows_of_blocks_in_lines_have_a_pitch(void **state) {
    (void)state;
    for (unsigned block = 0; block < 8; block++)
        put_block(8 * block, colors[block], false);
    describe(CURIE, &(struct shape){6, 2, 12, 8, 1, 1, 32, .lines = true});
    read_unit(CURIE, 0, 0, 0);
    expect_color(8, 2);
    expect_color(4 * 12, 4);
    expect_color(4 * 12 + 8, 6);
}

/* 8 x 8 texels, and 4 x 4 after two rows: all have the pitch that TEX_SWIZZLE has on Rankine, if it has one. */
static void rows_of_blocks_on_rankine_may_have_a_pitch(void **state) {
    (void)state;
    for (unsigned block = 0; block < 32; block++)
        put_block(8 * block, colors[block % 7], false);
    describe(RANKINE, &(struct shape){0xc, 2, 8, 8, 1, 2, 0});
    words[0x1a10 / 4] |= 64 << 16;
    read_unit(RANKINE, 0, 0, 0);
    expect_color(4, 1);
    expect_color(4 * 8, 8 % 7);
    expect_color(4 * 8 + 4, 9 % 7);
    read_unit(RANKINE, 0, 1, 0);
    expect_color(0, 16 % 7);
}

/* 8 x 4 texels, 8 slices: four slices of the first block, of the second, and then the next four. Of 2 slices: both. */
static void blocks_of_four_slices_lie_together(void **state) {
    (void)state;
    for (unsigned i = 0; i < 16; i++)
        put_block(8 * i, colors[i % 7], false);
    describe(KELVIN, &(struct shape){0xc, 3, 8, 4, 8, 2, 0});
    for (uint32_t z = 0; z < 8; z++) {
        const uint32_t first = z / 4 * 8 + z % 4;
        read_unit(KELVIN, 0, 0, z);
        expect_color(0, first % 7);
        expect_color(4, (first + 4) % 7);
    }
    put_block(128, colors[3], false);
    put_block(128 + 8 * 3, colors[4], false);
    for (uint32_t z = 0; z < 4; z += 3) { /* level 1: 4 x 2 x 4 */
        read_unit(KELVIN, 0, 1, z);
        expect_color(0, z ? 4 : 3);
    }
    describe(KELVIN, &(struct shape){0xc, 3, 8, 4, 2, 1, 0});
    for (uint32_t z = 0; z < 2; z++) {
        read_unit(KELVIN, 0, 0, z);
        expect_color(0, z);
        expect_color(4, 2 + z);
    }
}

/* 8 x 4 texels, 6 slices: four of both blocks, then two. Nothing after them is read. */
static void the_last_slices_of_blocks_may_be_fewer(void **state) {
    (void)state;
    for (unsigned i = 0; i < 12; i++)
        put_block(8 * i, colors[i % 7], false);
    describe(CURIE, &(struct shape){6, 3, 8, 4, 6, 1, 0});
    for (uint32_t z = 0; z < 6; z++) {
        const uint32_t first = z < 4 ? z : 8 + z - 4, next = z < 4 ? 4 : 2;
        read_unit(CURIE, 0, 0, z);
        expect_color(0, first % 7);
        expect_color(4, (first + next) % 7);
    }
}

/* ---- borders in memory ---- */

static void without_border_color(uint32_t oclass) {
    words[place_of(oclass)->format / 4] &= ~8u;
}

/* 16 x 8 texels and 8 x 4: padded to 32 x 16 and 16 x 16, the first texel 4 to the right and 4 down. */
static void swizzled_levels_have_four_texels_around_them(void **state) {
    static const uint32_t oclass[] = {KELVIN, RANKINE, CURIE}, padded[2][3] = {{32, 16, 1}, {16, 16, 1}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned level = 0; level < 2; level++) {
            const uint32_t width = 16u >> level, height = 8u >> level, begin = level ? 32 * 16 : 0;
            set_up(state);
            describe(oclass[i], &(struct shape){oclass[i] == CURIE, 2, 16, 8, 1, 2, 0});
            without_border_color(oclass[i]);
            read_unit(oclass[i], 0, level, 0);
            for (uint32_t y = 0; y < height; y++)
                for (uint32_t x = 0; x < width; x++)
                    assert_int_equal(pixels[y * width + x][0], byte_at(begin + morton(padded[level], x + 4, y + 4, 0)));
        }
}

/* 4 x 4 x 4: 16 in each direction, slice 1 is the sixth. */
static void volumes_have_slices_of_border(void **state) {
    static const uint32_t padded[3] = {16, 16, 16};
    (void)state;
    describe(KELVIN, &(struct shape){0, 3, 4, 4, 4, 1, 0});
    without_border_color(KELVIN);
    read_unit(KELVIN, 0, 0, 1);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++)
            assert_int_equal(pixels[y * 4 + x][0], byte_at(morton(padded, x + 4, y + 4, 5)));
}

static void a_texture_of_one_dimension_has_a_border_at_its_ends(void **state) {
    static const uint32_t padded[3] = {32, 1, 1};
    (void)state;
    describe(CURIE, &(struct shape){1, 1, 16, 1, 1, 1, 0});
    without_border_color(CURIE);
    read_unit(CURIE, 0, 0, 0);
    for (uint32_t x = 0; x < 16; x++)
        assert_int_equal(pixels[x][0], byte_at(morton(padded, x + 4, 0, 0)));
    describe(CURIE, &(struct shape){1, 1, 16, 1, 1, 1, 32, .lines = true});
    without_border_color(CURIE);
    read_unit(CURIE, 0, 0, 0);
    for (uint32_t x = 0; x < 16; x++)
        assert_int_equal(pixels[x][0], byte_at(x + 1));
}

/* 5 x 3 texels in lines of 16 bytes, then 2 x 1. */
static void lines_have_a_texel_around_them(void **state) {
    (void)state;
    describe(CURIE, &(struct shape){1, 2, 5, 3, 1, 2, 16, .lines = true});
    without_border_color(CURIE);
    for (unsigned level = 0; level < 2; level++) {
        const uint32_t width = 5u >> level, height = 3u >> level, begin = level ? 16 * 5 : 0;
        read_unit(CURIE, 0, level, 0);
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++)
                assert_int_equal(pixels[y * width + x][0], byte_at(begin + (y + 1) * 16 + x + 1));
    }
}

/* 8 x 4 texels: 16 x 16, rows of 4 blocks, the first one block to the right and one down. */
static void blocks_have_a_block_around_them(void **state) {
    (void)state;
    put_block(8 * 5, colors[1], false);
    put_block(8 * 6, colors[2], false);
    describe(CURIE, &(struct shape){6, 2, 8, 4, 1, 1, 0});
    without_border_color(CURIE);
    read_unit(CURIE, 0, 0, 0);
    expect_color(0, 1);
    expect_color(4, 2);
}

/* The units of vertex programs come after the others, and know no border. */
static void curie_has_units_of_vertex_programs(void **state) {
    const uint32_t unit = VERTEX_UNIT + 2, begin = 0x900 + 2 * 32;
    (void)state;
    store_le32(bytes + 4, 0x3f000000);
    set(begin, ADDRESS);
    set(begin + 4, 2 | 2 << 4 | 0x1c << 8 | 1 << 13 | 1 << 15 | 1 << 16);
    set(begin + 0x10, 1 << 20 | 64);
    set(begin + 0x18, 2 << 16 | 1);
    read_unit(CURIE, unit, 0, 0);
    assert_memory_equal(pixels[1], ((uint8_t[]){128, 128, 128, 128}), 4);
    expect_refused(CURIE, unit + 1, "texture unit 19 has no texture");
    expect_refused(CURIE, unit + 2, "texture units are 0 to 19");
    set(begin + 4, 2 | 2 << 4 | 5 << 8 | 1 << 13 | 1 << 15 | 1 << 16);
    expect_refused(CURIE, unit, "texture unit 18 has format 0x5, which is not known");
}

/* Sizes from 16 to 4, in the only DMA object. Source: rnndb nv3_3d. */
static void d3d_of_nv3_says_the_first_and_the_last_size(void **state) {
    (void)state;
    words[0x188 / 4] = 0;
    describe(D3D, &(struct shape){3, 2, 16, 16, 1, 3, 0});
    words[0x308 / 4] |= 2; /* of the colour key */
    assert_int_equal(taken(D3D, 0).view.last_level, 2);
    assert_int_equal(taken(D3D, 0).view.level[2].size[0], 4);
    assert_int_equal(taken(D3D, 0).view.level[2].offset, 2 * (16 * 16 + 8 * 8));
    store_le32(bytes + 2 * (16 * 16 + 8 * 8) + 4, 0xf8000000); /* (1, 1) */
    read_unit(D3D, 0, 2, 0);
    assert_memory_equal(pixels[5], ((uint8_t[]){255, 0, 0, 255}), 4);
}

/* ---- formats ---- */

struct meaning {
    uint32_t oclass, code;
    bool lines;
    uint8_t texel[8];
    uint8_t rgba[4];
    const char *name;
};

#define TEXEL                                                                                                          \
    { 0x12, 0x84, 0x56, 0xf8 }

static const struct meaning meanings[] = {
    {D3D, 0, false, {0x1f, 0x80}, {0, 0, 255, 255}, "A1R5G5B5"},
    {D3D, 1, false, {0x1f, 0x00}, {0, 0, 255, 255}, "X1R5G5B5"},
    {D3D, 2, false, {0x21, 0x43}, {0x33, 0x22, 0x11, 0x44}, "A4R4G4B4"},
    {D3D, 3, false, {0x00, 0xf8}, {255, 0, 0, 255}, "R5G6B5"},
    {TRIANGLE, 1, false, {0x40}, {0x40, 0x40, 0x40, 255}, "Y8"},
    {TRIANGLE, 2, false, {0x1f, 0x80}, {0, 0, 255, 255}, "A1R5G5B5"},
    {TRIANGLE, 3, false, {0x1f, 0x00}, {0, 0, 255, 255}, "X1R5G5B5"},
    {TRIANGLE, 4, false, {0x21, 0x43}, {0x33, 0x22, 0x11, 0x44}, "A4R4G4B4"},
    {TRIANGLE, 5, false, {0x00, 0xf8}, {255, 0, 0, 255}, "R5G6B5"},
    {TRIANGLE, 6, false, TEXEL, {0x56, 0x84, 0x12, 0xf8}, "A8R8G8B8"},
    {TRIANGLE, 7, false, TEXEL, {0x56, 0x84, 0x12, 255}, "X8R8G8B8"},
    {CELSIUS, 0, false, {0x40}, {0x40, 0x40, 0x40, 255}, "L8"},
    {CELSIUS, 1, false, {0x40}, {0x40, 0x40, 0x40, 0x40}, "I8"},
    {CELSIUS, 0x13, true, {0x40}, {0x40, 0x40, 0x40, 0x40}, "I8"},
    {CELSIUS, 2, false, {0xe0, 0x03}, {0, 255, 0, 0}, "A1R5G5B5"},
    {CELSIUS, 4, false, {0x21, 0x43}, {0x33, 0x22, 0x11, 0x44}, "A4R4G4B4"},
    {CELSIUS, 5, false, {0xe0, 0x07}, {0, 255, 0, 255}, "R5G6B5"},
    {CELSIUS, 6, false, TEXEL, {0x56, 0x84, 0x12, 0xf8}, "A8R8G8B8"},
    {CELSIUS, 7, false, TEXEL, {0x56, 0x84, 0x12, 255}, "X8R8G8B8"},
    {CELSIUS, 0x10, true, {0x00, 0x7c}, {255, 0, 0, 0}, "A1R5G5B5"},
    {CELSIUS, 0x11, true, {0x1f, 0x00}, {0, 0, 255, 255}, "R5G6B5"},
    {CELSIUS, 0x12, true, TEXEL, {0x56, 0x84, 0x12, 0xf8}, "A8R8G8B8"},
    {KELVIN, 0x13, true, {0x40}, {0x40, 0x40, 0x40, 255}, "L8"},
    {KELVIN, 0x03, false, {0xe0, 0x03}, {0, 255, 0, 255}, "X1R5G5B5"},
    {KELVIN, 0x1c, true, {0xe0, 0x03}, {0, 255, 0, 255}, "X1R5G5B5"},
    {KELVIN, 0x17, true, {0x12, 0x84}, {0x12, 0x84, 0x12, 0x84}, "DSDT8"},
    {KELVIN, 0x28, false, {0x12, 0x84}, {0x12, 0x84, 0x12, 0x84}, "DSDT8"},
    {KELVIN, 0x19, false, {0x40}, {255, 255, 255, 0x40}, "A8"},
    {KELVIN, 0x1f, true, {0x40}, {255, 255, 255, 0x40}, "A8"},
    {KELVIN, 0x1a, false, {0x12, 0x84}, {0x12, 0x12, 0x12, 0x84}, "A8L8"},
    {KELVIN, 0x20, true, {0x12, 0x84}, {0x12, 0x12, 0x12, 0x84}, "A8L8"},
    {KELVIN, 0x1b, true, {0x40}, {0x40, 0x40, 0x40, 0x40}, "I8"},
    {KELVIN, 0x1d, true, {0x21, 0x43}, {0x33, 0x22, 0x11, 0x44}, "A4R4G4B4"},
    {KELVIN, 0x1e, true, TEXEL, {0x56, 0x84, 0x12, 255}, "X8R8G8B8"},
    {KELVIN, 0x24, true, {81, 90, 0, 240}, {254, 0, 0, 255}, "CR8YB8CB8YA8"},
    {KELVIN, 0x25, true, {54, 145, 34, 0}, {0, 255, 1, 255}, "YB8CR8YA8CB8"},
    {KELVIN, 0x27, false, {0x1f, 0xfc}, {255, 0, 255, 255}, "R6G5B5"},
    {KELVIN, 0x29, false, {0x12, 0x84}, {0x84, 0x12, 0x12, 0x84}, "R8B8"},
    {KELVIN, 0x2a, false, {0xff, 0x00, 0x00, 0x80}, {128, 128, 128, 255}, "Z24"},
    {KELVIN, 0x2b, true, {0xff, 0x00, 0x00, 0x80}, {128, 128, 128, 255}, "Z24"},
    {KELVIN, 0x2e, true, {0xff, 0x00, 0x00, 0x80}, {128, 128, 128, 255}, "Z24"},
    {KELVIN, 0x2f, true, {0xff, 0x00, 0x00, 0x7d}, {64, 64, 64, 255}, "Z24_FLOAT"},
    {KELVIN, 0x31, true, {0x00, 0x58}, {96, 96, 96, 255}, "Z16_FLOAT"},
    {KELVIN, 0x2c, false, {0x00, 0x40}, {64, 64, 64, 255}, "Z16"},
    {KELVIN, 0x2d, true, {0x00, 0x40}, {64, 64, 64, 255}, "Z16"},
    {KELVIN, 0x30, true, {0x00, 0x40}, {64, 64, 64, 255}, "Z16"},
    {KELVIN, 0x33, false, {0x00, 0x40, 0x00, 0x80}, {64, 128, 64, 128}, "HILO16"},
    {KELVIN, 0x35, true, {0x00, 0x40}, {64, 64, 64, 255}, "L16"},
    {KELVIN, 0x36, true, {0x00, 0x40, 0x00, 0x80}, {64, 128, 64, 128}, "HILO16"},
    {KELVIN, 0x3a, false, TEXEL, {0x12, 0x84, 0x56, 0xf8}, "A8B8G8R8"},
    {KELVIN, 0x3f, true, TEXEL, {0x12, 0x84, 0x56, 0xf8}, "A8B8G8R8"},
    {KELVIN, 0x3b, false, TEXEL, {0x84, 0x56, 0xf8, 0x12}, "B8G8R8A8"},
    {KELVIN, 0x40, true, TEXEL, {0x84, 0x56, 0xf8, 0x12}, "B8G8R8A8"},
    {KELVIN, 0x3c, false, TEXEL, {0xf8, 0x56, 0x84, 0x12}, "R8G8B8A8"},
    {KELVIN, 0x41, true, TEXEL, {0xf8, 0x56, 0x84, 0x12}, "R8G8B8A8"},
    {KELVIN, 0x44, false, {0x12, 0x84}, {0x84, 0x12, 0x84, 0x12}, "HILO8"},
    {KELVIN, 0x46, true, {0x12, 0x84}, {0x84, 0x12, 0x84, 0x12}, "HILO8"},
    {KELVIN, 0x45, false, {0x7f, 0x84}, {0, 255, 0, 255}, "SIGNED_HILO8"},
    {KELVIN, 0x47, true, {0x7f, 0x84}, {0, 255, 0, 255}, "SIGNED_HILO8"},
    {RANKINE, 0x32, false, {0x00, 0x40}, {255, 64, 255, 64}, "A16"},
    {RANKINE, 0x35, true, {0x00, 0x40}, {255, 64, 255, 64}, "A16"},
    {RANKINE, 0x4a, true, {0x00, 0x38, 0x00, 0x34, 0x00, 0x3c, 0x00, 0xbc}, {128, 64, 255, 0}, "RGBA16F"},
    {RANKINE, 0x4b, true, {0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0x80, 0x3e}, {128, 64, 0, 0}, "RGBA32F"},
    {RANKINE, 0x4c, true, {0x00, 0x00, 0x00, 0x3f}, {128, 128, 128, 128}, "R32F"},
    {CURIE, 0x01, false, {0x40}, {0x40, 0x40, 0x40, 255}, "L8"},
    {CURIE, 0x02, false, {0x1f, 0x80}, {0, 0, 255, 255}, "A1R5G5B5"},
    {CURIE, 0x03, false, {0x21, 0x43}, {0x33, 0x22, 0x11, 0x44}, "A4R4G4B4"},
    {CURIE, 0x04, false, {0x00, 0xf8}, {255, 0, 0, 255}, "R5G6B5"},
    {CURIE, 0x05, false, TEXEL, {0x56, 0x84, 0x12, 0xf8}, "A8R8G8B8"},
    {CURIE, 0x0b, true, {0x12, 0x84}, {0x12, 0x84, 0x12, 0x84}, "A8L8"},
    {CURIE, 0x0d, true, {0x12, 0x84, 0x56, 0xf8}, {0x84, 0x56, 0x12, 255}, "B8R8_G8R8"},
    {CURIE, 0x0e, true, {0x12, 0x84, 0x56, 0xf8}, {0x12, 0xf8, 0x84, 255}, "R8B8_R8G8"},
    {CURIE, 0x0f, true, {0x1f, 0xfc}, {255, 0, 255, 255}, "R6G5B5"},
    {CURIE, 0x10, true, {0xff, 0x00, 0x00, 0x80}, {128, 128, 128, 255}, "Z24"},
    {CURIE, 0x11, true, {0xff, 0x00, 0x00, 0x7d}, {64, 64, 64, 255}, "Z24_FLOAT"},
    {CURIE, 0x13, true, {0x00, 0x58}, {96, 96, 96, 255}, "Z16_FLOAT"},
    {CURIE, 0x12, true, {0x00, 0x40}, {64, 64, 64, 255}, "Z16"},
    {CURIE, 0x14, true, {0x00, 0x40}, {255, 64, 255, 64}, "A16"},
    {CURIE, 0x15, true, {0x00, 0x40, 0x00, 0x80}, {64, 128, 64, 128}, "A16L16"},
    {CURIE, 0x17, true, {0x3f, 0xf8}, {255, 0, 255, 255}, "R5G5B5A1"},
    {CURIE, 0x18, true, {0x12, 0x84}, {0x84, 0x12, 0x84, 0x12}, "HILO8"},
    {CURIE, 0x19, true, {0x7f, 0x84}, {0, 255, 0, 255}, "SIGNED_HILO8"},
    {CURIE, 0x1a, true, {0x00, 0x38, 0x00, 0x34, 0x00, 0x3c, 0x00, 0xbc}, {128, 64, 255, 0}, "RGBA16F"},
    {CURIE, 0x1b, true, {0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0x80, 0x3e}, {128, 64, 0, 0}, "RGBA32F"},
    {CURIE, 0x1c, true, {0x00, 0x00, 0x00, 0x3f}, {128, 128, 128, 128}, "R32F"},
    {CURIE, 0x1d, false, {0xe0, 0x03}, {0, 255, 0, 255}, "X1R5G5B5"},
    {CURIE, 0x1e, false, TEXEL, {0x56, 0x84, 0x12, 255}, "X8R8G8B8"},
    {CURIE, 0x1f, true, {0x00, 0x38, 0x00, 0x34}, {128, 64, 128, 64}, "RG16F"},
};

static void formats_mean_what_the_sources_say(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const struct meaning *m = &meanings[i];
        set_up(state);
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, m->texel, sizeof m->texel);
        describe(m->oclass, &(struct shape){m->code, 2, 1, 1, 1, 1, 64, .lines = m->lines});
        read_unit(m->oclass, 0, 0, 0);
        assert_string_equal(taken(m->oclass, 0).view.format->name, m->name);
        if (memcmp(pixels[0], m->rgba, 4) != 0)
            fail_msg("class %x code %02x: %02x %02x %02x %02x", (unsigned)m->oclass, (unsigned)m->code, pixels[0][0],
                     pixels[0][1], pixels[0][2], pixels[0][3]);
    }
}

static const struct {
    uint32_t oclass;
    enum methods_objects object;
} objects[] = {{D3D, METHODS_D3D},       {TRIANGLE, METHODS_TRIANGLE}, {CELSIUS, METHODS_CELSIUS},
               {KELVIN, METHODS_KELVIN}, {RANKINE, METHODS_RANKINE},   {CURIE, METHODS_CURIE}};

static const struct methods_format *format_of(const struct meaning *m) {
    for (unsigned i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (objects[i].oclass == m->oclass)
            return methods_format(objects[i].object, m->code);
    return NULL;
}

/* What is neither compressed nor behind a palette is in the list. */
static void no_format_is_forgotten(void **state) {
    (void)state;
    for (unsigned i = 0; i < sizeof objects / sizeof objects[0]; i++)
        for (uint32_t code = 0; code < 256; code++) {
            const struct methods_format *format = methods_format(objects[i].object, code);
            bool listed = !format || format->format.down > 1 || format->palette;
            for (size_t j = 0; j < sizeof meanings / sizeof meanings[0]; j++)
                listed |= format_of(&meanings[j]) == format;
            if (!listed)
                fail_msg("code %02x of class %x", (unsigned)code, (unsigned)objects[i].oclass);
        }
}

static void a_palette_says_what_indices_are(void **state) {
    static const struct { uint32_t oclass, palette; } rows[] = {{CELSIUS, 0x250}, {KELVIN, 0x1b20}, {RANKINE, 0x1840}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        memcpy(bytes, (uint8_t[]){0, 1, 200, 31, 32}, 5);
        for (uint32_t entry = 0; entry < 256; entry++)
            store_le32(bytes + 0x400 + 4 * entry, 0xff000000 | entry << 16 | (255 - entry) << 8 | 7);
        describe(rows[i].oclass, &(struct shape){0xb, 2, 4, 2, 1, 1, 0});
        set(rows[i].palette, (ADDRESS + 0x400) | 1);
        read_unit(rows[i].oclass, 0, 0, 0);
        assert_memory_equal(pixels[1], ((uint8_t[]){1, 254, 7, 255}), 4);
        assert_memory_equal(pixels[4], ((uint8_t[]){200, 55, 7, 255}), 4); /* (0, 1) is the third of the index */
        set(rows[i].palette, (ADDRESS + 0x400) | 3 << 2 | 1);              /* of 32 entries */
        read_unit(rows[i].oclass, 0, 0, 0);
        assert_memory_equal(pixels[5], ((uint8_t[]){31, 224, 7, 255}), 4);
        assert_memory_equal(pixels[2], ((uint8_t[]){0, 0, 0, 0}), 4);
    }
}

static void a_swizzle_chooses_channels_and_constants(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t oclass = i ? CURIE : RANKINE;
        set_up(state);
        memcpy(bytes, (uint8_t[])TEXEL, 4);
        describe(oclass, &(struct shape){i ? 5 : 6, 2, 1, 1, 1, 1, 0});
        set(0x1a10, 2 << 14 | 2 << 12 | 2 << 10 | 1 << 8 | 1 << 6 | 2 << 4 | 3 << 2); /* B G R swapped, alpha is 1 */
        read_unit(oclass, 0, 0, 0);
        assert_memory_equal(pixels[0], ((uint8_t[]){0x12, 0x84, 0x56, 255}), 4);
        set(0x1a10, 2 << 10 | 2 << 8 | 0 << 2 | 2); /* B G: 0, R: alpha, alpha: green */
        read_unit(oclass, 0, 0, 0);
        assert_memory_equal(pixels[0], ((uint8_t[]){0xf8, 0, 0, 0x84}), 4);
    }
}

/* 0x84 is less than 0 with a sign; 0x56 of 0x7f. */
static void signs_are_those_of_the_filter(void **state) {
    static const uint32_t filter[] = {0x1b14, 0x1a14, 0x1a14}, oclass[] = {KELVIN, RANKINE, CURIE};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        set_up(state);
        memcpy(bytes, (uint8_t[])TEXEL, 4);
        describe(oclass[i], &(struct shape){oclass[i] == CURIE ? 5 : 6, 2, 1, 1, 1, 1, 0});
        set(filter[i], 1u << 30 | 1u << 29);
        read_unit(oclass[i], 0, 0, 0);
        assert_memory_equal(pixels[0], ((uint8_t[]){173, 0, 0x12, 0xf8}), 4);
    }
}

static void units_have_words_of_their_own(void **state) {
    static const uint32_t size[3] = {8, 4, 1};
    static const struct {
        uint32_t oclass, units, code;
    } rows[] = {{TRIANGLE, 1, 1}, {MULTITEX, 2, 1}, {CELSIUS, 2, 0}, {KELVIN, 4, 0}, {RANKINE, 8, 0}, {CURIE, 16, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        assert_int_equal(methods_units(rows[i].oclass), rows[i].units + (rows[i].oclass == CURIE ? 4 : 0));
        for (uint32_t unit = 0; unit < rows[i].units; unit++)
            expect_refused(rows[i].oclass, unit, "has no texture");
        describe_unit(rows[i].oclass, rows[i].units - 1, &(struct shape){rows[i].code, 2, 8, 4, 1, 1, 0});
        read_unit(rows[i].oclass, rows[i].units - 1, 0, 0);
        expect_bytes(size, 0, 0, 0);
        expect_refused(rows[i].oclass, methods_units(rows[i].oclass), "texture units are 0 to ");
    }
    assert_int_equal(methods_units(0x9097), 0);
    expect_refused(0x9097, 0, "class 0x9097 has no texture units");
}

static void what_cannot_be_is_named(void **state) {
    (void)state;
    describe(CURIE, &(struct shape){0x1, 2, 6, 4, 1, 1, 0});
    expect_refused(CURIE, 0, "a swizzled texture of 6x4x1 texels, which are no powers of two");
    describe(CURIE, &(struct shape){0x5, 2, 6, 4, 1, 1, 23, .lines = true});
    expect_refused(CURIE, 0, "a pitch of 23 bytes, less than a line of 24");
    describe(CURIE, &(struct shape){0x5, 2, 0, 4, 1, 1, 64, .lines = true});
    expect_refused(CURIE, 0, "a texture of 0x4x1 texels, which are none");
    describe(CURIE, &(struct shape){0x5, 0, 4, 4, 1, 1, 0});
    expect_refused(CURIE, 0, "a texture of 0 dimensions, which cannot be");
    describe(CURIE, &(struct shape){0x5, 3, 4, 4, 4, 1, 0, .cube = true});
    expect_refused(CURIE, 0, "a cube of 3 dimensions, which cannot be");
    describe(KELVIN, &(struct shape){0x7f, 2, 4, 4, 1, 1, 0});
    expect_refused(KELVIN, 0, "format 0x7f, which is not known");
    describe(CELSIUS, &(struct shape){0x1a, 2, 4, 4, 1, 1, 0});
    expect_refused(CELSIUS, 0, "format 0x1a, which is not known");
    describe(KELVIN, &(struct shape){0x24, 2, 4, 4, 1, 1, 64, .lines = true});
    words[0x1b04 / 4] &= ~8u;
    expect_refused(KELVIN, 0, "a border of 1 texel in memory, where CR8YB8CB8YA8 has blocks of 2x1");
    describe(CURIE, &(struct shape){0x1, 2, 6, 4, 1, 1, 7, .lines = true});
    words[0x1a04 / 4] &= ~8u;
    expect_refused(CURIE, 0, "a pitch of 7 bytes, less than a line of 8");
}

static void what_is_not_there_has_no_picture(void **state) {
    struct pfifo_error error = {0};
    struct methods_texture texture;
    (void)state;
    describe(KELVIN, &(struct shape){0, 2, 4, 4, 1, 1, 0});
    words[0x1b04 / 4] ^= 3; /* the other DMA object */
    texture = taken(KELVIN, 0);
    assert_int_equal(texture.object, 0);
    assert_int_equal(methods_read(&texture, (struct pfifo_texture_image){0, 0}, &memory, pixels[0], &error),
                     PFIFO_ERROR_FAULT);
    assert_string_equal(error.message, "there is nothing at 0x4000 of the texture's DMA object");
    describe(KELVIN, &(struct shape){0xb, 2, 4, 4, 1, 1, 0});
    set(0x1b20, ADDRESS); /* the palette is in the other */
    texture = taken(KELVIN, 0);
    assert_int_equal(methods_read(&texture, (struct pfifo_texture_image){0, 0}, &memory, pixels[0], &error),
                     PFIFO_ERROR_FAULT);
    assert_string_equal(error.message, "there is no palette at 0x4000");
    describe(KELVIN, &(struct shape){0x6, 3, 1 << 15, 1 << 15, 1 << 15, 1, 0});
    texture = taken(KELVIN, 0);
    assert_int_equal(methods_read(&texture, (struct pfifo_texture_image){0, 0}, &memory, pixels[0], &error),
                     PFIFO_ERROR_ARGUMENT);
}

static bool read_nothing(void *opaque, uint32_t object, uint64_t address, void *data, uint64_t count) {
    (void)opaque;
    (void)object;
    (void)address;
    memset(data, 0, count);
    return true;
}

static uint32_t random_word(uint32_t *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16 | *seed << 16;
}

/* Small sizes are more frequent than they would be, and so is what bits of the format need. */
static void random_unit(const struct place *place, uint32_t *seed) {
    const uint32_t sizes = random_word(seed), few = random_word(seed) & 7 ? 0x33333fff : UINT32_MAX;
    memset(words, 0, sizeof words);
    set(place->offset, random_word(seed));
    set(place->format, ((random_word(seed) & few & ~0x74u) | (random_word(seed) % 3 + 1) << 4));
    set(place->size, (sizes & 0x1f001f) | (sizes >> 30 ? 0 : sizes & 0x400040));
    set(place->pitch, random_word(seed));
    if (place->oclass == RANKINE && random_word(seed) & 1)
        set(place->swizzle, 0xaae4);
    set(place->extra, (random_word(seed) & 0x3f) << 20 | (random_word(seed) & 0xfff));
    set(place->palette, random_word(seed));
}

/* Sanitizers see what lies outside of what was read. */
static void any_words_are_read_or_refused(void **state) {
    static const struct methods_memory nothing = {NULL, read_nothing};
    const uint64_t most = UINT64_C(1) << 16;
    uint32_t seed = 1, read = 0;
    (void)state;
    for (unsigned round = 0; round < 60000; round++) {
        const struct place *place = &places[round % (sizeof places / sizeof places[0])];
        struct methods_texture texture;
        struct pfifo_error error = {0};
        random_unit(place, &seed);
        if (methods_texture(&texture, place->oclass, 0, &values, &error) != PFIFO_OK) {
            assert_true(error.message[0] != 0);
            continue;
        }
        const struct pfifo_texture_image image = {random_word(&seed) % (texture.view.last_level + 1),
                                                  random_word(&seed) & 7};
        const uint32_t *size = texture.view.level[image.level].size;
        const uint32_t layers = texture.view.target == TEXTURE_3D ? size[2] : texture.view.layers;
        if (image.layer >= layers || (uint64_t)size[0] * size[1] > MOST ||
            layout_size(&texture.view.level[image.level].layout) > most)
            continue;
        assert_int_equal(methods_read(&texture, image, &nothing, pixels[0], &error), PFIFO_OK);
        read++;
    }
    if (read < 1000)
        fail_msg("only %u of them were read", (unsigned)read);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(levels_follow_each_other),
        TEST(a_count_of_levels_ends_them),
        TEST(faces_of_a_cube_begin_at_128_bytes),
        TEST(slices_of_a_volume_are_interleaved),
        TEST(lines_have_one_pitch),
        TEST(lines_of_volumes_and_cubes_follow_each_other),
        TEST(a_line_is_a_texture_of_one_dimension),
        TEST(large_texels_are_swizzled_as_neighbours_of_four_bytes),
        TEST(rows_of_blocks_are_packed),
        TEST(rows_of_blocks_in_lines_have_a_pitch),
        TEST(rows_of_blocks_on_rankine_may_have_a_pitch),
        TEST(blocks_of_four_slices_lie_together),
        TEST(the_last_slices_of_blocks_may_be_fewer),
        TEST(swizzled_levels_have_four_texels_around_them),
        TEST(volumes_have_slices_of_border),
        TEST(a_texture_of_one_dimension_has_a_border_at_its_ends),
        TEST(lines_have_a_texel_around_them),
        TEST(blocks_have_a_block_around_them),
        TEST(curie_has_units_of_vertex_programs),
        TEST(d3d_of_nv3_says_the_first_and_the_last_size),
        TEST(formats_mean_what_the_sources_say),
        TEST(no_format_is_forgotten),
        TEST(a_palette_says_what_indices_are),
        TEST(a_swizzle_chooses_channels_and_constants),
        TEST(signs_are_those_of_the_filter),
        TEST(units_have_words_of_their_own),
        TEST(what_cannot_be_is_named),
        TEST(what_is_not_there_has_no_picture),
        TEST(any_words_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
