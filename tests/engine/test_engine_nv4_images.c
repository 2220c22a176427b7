/* SPDX-License-Identifier: MIT */
/* IFC, INDEX, SIFC, SIFM and TEXTURE of NV4 and later, and blending: hand-computed pixels. */
#include "nv4_scene.h"

static void each_row_of_an_image_begins_with_a_word(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV10", FORMAT_R5G6B5, 256);
    scene_object(&scene, 0x65, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 1, xy(5, 6), xy(3, 2), xy(3, 2));
    scene_send(&scene, 0x400, 0x00020001, 0xffff0003, 0x00050004, 0xffff0006);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(scene_pixel(&scene, 5 + i % 3, 6 + i / 3), i + 1);
    assert_int_equal(scene_count(&scene, 64, 64, 0xffff), 0);
    assert_event(&scene.rig, EVENT_ENGINE_DONE, 0, "image", 0x65, 0x40c);
    assert_int_equal(engine_rig_event(&scene.rig, EVENT_ENGINE_DONE, 0)->value[3], 12);
    scene_stop(&scene);
}

static void pixels_beyond_the_size_are_dropped(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV10", FORMAT_Y32, 256);
    scene_object(&scene, 0x8a, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 4, xy(0, 0), xy(2, 1), xy(3, 2));
    scene_send(&scene, 0x400, 1, 2, 3, 4, 5, 6, 7, 8);
    assert_int_equal(scene_pixel(&scene, 0, 0), 1);
    assert_int_equal(scene_pixel(&scene, 1, 0), 2);
    assert_int_equal(scene_count(&scene, 64, 64, 0), 4096 - 2);
    scene_stop(&scene);
}

static void an_index_surface_has_pixels_of_its_own_size(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_Y8, 64);
    scene_object(&scene, 0x61, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 4, xy(0, 0), xy(5, 1), xy(5, 1));
    scene_send(&scene, 0x400, 0x04030201, 0x99999905);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(scene_pixel(&scene, i, 0), i + 1);
    assert_int_equal(scene_pixel(&scene, 5, 0), 0);
    scene_stop(&scene);
}

static void a_long_image_is_drawn_as_it_comes(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_Y32, 512);
    scene_object(&scene, 0x61, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 4, xy(0, 0), xy(100, 100), xy(100, 100));
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t method = 0x400 + i % 1792 * 4;
        send(&scene.rig, scene.id, 0, method, i + 1);
    }
    for (unsigned i = 0; i < 10000; i++)
        assert_int_equal(scene_pixel(&scene, i % 100, i / 100), i + 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 1);
    scene_stop(&scene);
}

static void formats_expand_by_replication_and_truncate(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x61, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 1, xy(0, 0), xy(2, 1), xy(2, 1));
    scene_send(&scene, 0x400, 0x8410f81f);
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xffff00ff);
    assert_int_equal(scene_pixel(&scene, 1, 0), 0xff848284);
    scene_format(&scene, FORMAT_Z1R5G5B5, 256);
    scene_send(&scene, 0x300, 4, xy(0, 2), xy(1, 1), xy(1, 1));
    scene_send(&scene, 0x400, 0xff0f1780);
    assert_int_equal(scene_pixel(&scene, 0, 2), 1u << 10 | 2 << 5 | 16);
    scene_stop(&scene);
}

static void a_palette_is_in_memory(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV40", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x3064, 0x1a0, 0x3e4, SRCCOPY);
    for (uint32_t i = 0; i < 256; i++)
        engine_rig_wr32(&scene.rig, 0x50040 + 4 * i, 0xff000000 | i << 8);
    scene_send(&scene, 0x184, 5);
    scene_send(&scene, 0x3e8, 4, 0, 0x40, xy(1, 1), xy(3, 1), xy(3, 1), 0x00ff8001);
    assert_int_equal(scene_pixel(&scene, 1, 1), 0xff000100);
    assert_int_equal(scene_pixel(&scene, 2, 1), 0xff008000);
    assert_int_equal(scene_pixel(&scene, 3, 1), 0xff00ff00);
    scene_send(&scene, 0x3ec, 1, 0x40, xy(1, 2), xy(3, 1), xy(3, 1), 0x321);
    assert_int_equal(scene_pixel(&scene, 1, 2), 0xff000100);
    assert_int_equal(scene_pixel(&scene, 3, 2), 0xff000300);
    scene_stop(&scene);
}

static void an_image_is_stretched(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_Y32, 256);
    scene_object(&scene, 0x76, 0x198, 0x2fc, SRCCOPY);
    /* 2 by 2 pixels, each 3 wide and 2 high, from (1.5, 2): the last column is clipped. */
    scene_send(&scene, 0x300, 4, xy(2, 2), 3 << 20, 2 << 20, xy(0, 0), xy(6, 64), xy(0x18, 0x20));
    scene_send(&scene, 0x400, 1, 2, 3, 4);
    assert_int_equal(scene_count(&scene, 64, 64, 1), 6);
    assert_int_equal(scene_count(&scene, 64, 64, 2), 4);
    assert_int_equal(scene_count(&scene, 64, 64, 3), 6);
    assert_int_equal(scene_pixel(&scene, 1, 2), 1);
    assert_int_equal(scene_pixel(&scene, 4, 3), 2);
    assert_int_equal(scene_pixel(&scene, 5, 5), 4);
    assert_int_equal(scene_pixel(&scene, 6, 5), 0);
    assert_event(&scene.rig, EVENT_ENGINE_DONE, 0, "image", 0x76, 0x40c);
    assert_int_equal(engine_rig_event(&scene.rig, EVENT_ENGINE_DONE, 0)->value[3], 5 * 4 * 4);
    scene_stop(&scene);
}

static void a_stretched_image_comes_in_slices(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_Y32, 64); /* rows overlap */
    scene_object(&scene, 0x76, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 4, xy(1, 1), 700u << 20, 20 << 20, xy(0, 0), xy(16000, 64), xy(0, 0));
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x400, 4, WORDS(7)), 1); /* 700 pixels: one slice */
    assert_int_equal(scene_pixel(&scene, 699, 19), 7);
    scene_send(&scene, 0x304, xy(2, 1));
    scene_send(&scene, 0x318, xy(0, 0));
    scene_send(&scene, 0x400, 1);
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x41c, 4, WORDS(8)), 0);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 1);
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x41c, 4, WORDS(8)), 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 2);
    assert_int_equal(scene_pixel(&scene, 1399, 19), 8);
    assert_int_equal(scene.rig.faults, 0);
    scene_stop(&scene);
}

static void open_scaled(struct scene *scene, uint32_t format) {
    scene_start(scene, "NV40", FORMAT_A8R8G8B8, 256);
    scene_object(scene, 0x3089, 0x198, 0x304, SRCCOPY);
    scene_send(scene, 0x184, 5);
    scene_send(scene, 0x300, format);
    scene_send(scene, 0x308, xy(0, 0), xy(64, 64));
}

static void a_copy_by_scaling_is_a_copy(void **state) {
    (void)state;
    struct scene scene;
    open_scaled(&scene, 3);
    for (uint32_t i = 0; i < 64; i++)
        engine_rig_wr32(&scene.rig, 0x50000 + i / 8 * 64 + i % 8 * 4, 0x01010101 * i);
    scene_send(&scene, 0x310, xy(10, 10), xy(4, 4), 1 << 20, 1 << 20);
    scene_send(&scene, 0x400, xy(8, 8), 1u << 16 | 64, 0, xy(2 << 4, 3 << 4));
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(scene_pixel(&scene, 10 + i % 4, 10 + i / 4), 0x01010101 * ((3 + i / 4) * 8 + 2 + i % 4));
    assert_event(&scene.rig, EVENT_ENGINE_DONE, 0, "scaled image", 0x3089, 0x40c);
    scene_stop(&scene);
}

static void bilinear_scaling_mixes_texels(void **state) {
    (void)state;
    static const uint32_t expected[] = {0x00000000, 0x20202020, 0x60606060, 0x80808080};
    struct scene scene;
    open_scaled(&scene, 3);
    engine_rig_wr32(&scene.rig, 0x50000, 0);
    engine_rig_wr32(&scene.rig, 0x50004, 0x80808080);
    scene_send(&scene, 0x310, xy(0, 0), xy(4, 1), 1 << 19, 1 << 20);
    scene_send(&scene, 0x400, xy(2, 1), 1u << 24 | 2u << 16 | 64, 0, xy(4, 0)); /* from 1/4 on, half a texel each */
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(scene_pixel(&scene, i, 0), expected[i]);
    scene_stop(&scene);
}

/* One column of the destination, but each of its rows reads two lines of 8 KiB. */
static void a_narrow_image_is_scaled_in_slices(void **state) {
    (void)state;
    struct scene scene;
    open_scaled(&scene, 3);
    scene_send(&scene, 0x308, xy(0, 0), xy(1, 256));
    scene_send(&scene, 0x310, xy(0, 0), xy(1, 256), 1 << 20, 1 << 20);
    scene_send(&scene, 0x400, xy(2046, 300), 1u << 24 | 2u << 16 | 64, 0);
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x40c, 4, WORDS(0)), 0);
    unsigned offers = 1;
    while (engine_rig_offer(&scene.rig, scene.id, 0, 0x40c, 4, WORDS(0)) == 0)
        offers++;
    assert_in_range(offers, 3, 8);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 1);
    scene_stop(&scene);
}

/* Blocks of two gobs below each other; what is 64 bytes wide is one gob wide. */
static void an_image_may_be_in_blocks(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "G80", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x5089, 0x198, 0x304, SRCCOPY);
    scene_send(&scene, 0x184, 5);
    scene_send(&scene, 0x300, 3);
    scene_send(&scene, 0x308, xy(0, 0), xy(64, 64), xy(0, 0), xy(32, 16), 1 << 20, 1 << 20);
    for (uint32_t i = 0; i < 512; i++)
        engine_rig_wr32(&scene.rig, 0x50000 + 4 * i, i);
    scene_send(&scene, 0x414, 0, 0x10);
    scene_send(&scene, 0x400, xy(32, 16), 1u << 16 | 64, 0, 0);
    assert_int_equal(scene_pixel(&scene, 1, 0), 1);
    assert_int_equal(scene_pixel(&scene, 0, 1), 16);
    assert_int_equal(scene_pixel(&scene, 0, 4), 64);
    assert_int_equal(scene_pixel(&scene, 16, 0), 128);
    assert_int_equal(scene_pixel(&scene, 3, 9), 256 + 16 + 3);
    scene_send(&scene, 0x414, 1); /* in lines */
    scene_send(&scene, 0x40c, 0);
    assert_int_equal(scene_pixel(&scene, 16, 0), 16);
    scene_send(&scene, 0x414, 0, 0x60); /* blocks of 64 gobs */
    scene_send(&scene, 0x40c, 0);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", 0x5089, 0x40c);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    scene_stop(&scene);
}

static void a_surface_may_be_in_blocks(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "G80", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x5e, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 3, 0x112233);
    scene_set(&scene, 0x5062, 0x218, 0, 0x10, 20,
              6); /* the second gob of a line has 4 pixels, the second of a column 2 */
    scene_send(&scene, 0x400, xy(15, 3), xy(100, 100));
    /* Words: gobs have 64, their lines 16; line 3 is the last of the upper gobs. */
    static const uint16_t drawn[] = {63, 64 + 15, 80 + 15, 128 + 48, 128 + 51, 192, 192 + 16 + 3};
    static const uint16_t left[] = {62, 47, 64 + 14, 96 + 15, 128 + 52, 128 + 32, 192 + 4, 192 + 32, 256};
    for (unsigned i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
        assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 4u * drawn[i]), 0xff112233);
    for (unsigned i = 0; i < sizeof left / sizeof left[0]; i++)
        assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 4u * left[i]), 0);
    scene_set(&scene, 0x5062, 0x220, 0);
    scene_send(&scene, 0x404, xy(1, 1));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", 0x5e, 0x404);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    scene_stop(&scene);
}

/* What the size says besides is out of reach of coordinates, and of the memory behind the object. */
static void a_surface_in_blocks_may_have_any_size(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 0x8000, 0x8001, 0x40000000, 0x80000000, 0xffffffff};
    static const uint32_t blocks[] = {0, 0x55, 0x555, 0xfffff555, 0x56, 0x600, 0xffffffff};
    struct scene scene;
    scene_start(&scene, "G80", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x5e, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 3, 0x112233);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0] * (sizeof blocks / sizeof blocks[0]); i++) {
        uint32_t size = sizes[i % 6], block = blocks[i / 6];
        unsigned faults = scene.rig.faults, interrupts = scene.rig.interrupts;
        scene_set(&scene, 0x5062, 0x218, 0, block, size, size);
        scene_send(&scene, 0x400, xy(0, 0), xy(1, 1));
        assert_int_equal(scene_pixel(&scene, 0, 0), i / 6 < 4 ? 0xff112233 : 0);
        scene_send(&scene, 0x400, xy(0x7fff, 0x7fff), xy(-1, -1));
        assert_int_equal(scene.rig.faults - faults, i / 6 < 4 && i % 6 != 0);
        assert_int_equal(scene.rig.interrupts - interrupts, i / 6 < 4 ? 0 : 2);
        scene_put(&scene, 0, 0, 0);
    }
    scene_stop(&scene);
}

/* Beyond 4 GiB there is nothing after this object. */
static void a_surface_of_g80_has_an_address_of_40_bits(void **state) {
    (void)state;
    static const uint32_t high[] = {0x230, 0x234};
    for (unsigned i = 0; i < 2; i++) {
        struct scene scene;
        scene_start(&scene, "G80", FORMAT_A8R8G8B8, 256);
        scene_set(&scene, 0x5062, high[i], 0x101);
        scene_object(&scene, 0x5f, 0x19c, 0x2fc, SRCCOPY);
        scene_send(&scene, 0x300, xy(0, 0), xy(0, 1), xy(1, 1));
        assert_int_equal(scene.rig.faults, 1);
        scene_stop(&scene);
    }
}

/* The class of NV3 allows it. */
static void the_last_pixel_of_an_odd_width_has_its_chroma(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV5", FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x37));
    scene_set(&scene, 0x58, 0x184, SCENE_DMA);
    scene_set(&scene, 0x58, 0x300, 0x01000000);
    scene_set(&scene, 0x58, 0x308, 256, 0);
    scene_send(&scene, 0x194, 0x58);
    scene_send(&scene, 0x184, 5);
    scene_send(&scene, 0x300, 5, 0, xy(0, 0), xy(8, 8), xy(0, 0), xy(1, 1), 1 << 20, 1 << 20);
    for (unsigned i = 0; i < 2; i++) {
        engine_rig_wr32(&scene.rig, 0x50000, (i ? 0u : 240u) << 24 | 81 << 16 | 90 << 8 | 81);
        scene_send(&scene, 0x400, xy(1, 1), 64, 0, 0);
        uint32_t pixel = engine_rig_rd32(&scene.rig, SCENE_MEMORY) & 0xffff;
        assert_int_equal(pixel >> 10 & 31, i ? 0 : 31); /* red */
    }
    scene_stop(&scene);
}

static void yuv_becomes_rgb(void **state) {
    (void)state;
    struct scene scene;
    open_scaled(&scene, 5);
    engine_rig_wr32(&scene.rig, 0x50000, 128u << 24 | 235 << 16 | 128 << 8 | 16); /* black, white */
    engine_rig_wr32(&scene.rig, 0x50004, 240u << 24 | 81 << 16 | 90 << 8 | 81);   /* red */
    scene_send(&scene, 0x310, xy(0, 0), xy(4, 1), 1 << 20, 1 << 20);
    scene_send(&scene, 0x400, xy(4, 1), 1u << 16 | 64, 0, 0);
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff000000);
    assert_int_equal(scene_pixel(&scene, 1, 0), 0xffffffff);
    assert_int_equal(scene_pixel(&scene, 2, 0), 0xffff0000);
    scene_send(&scene, 0x300, 6);
    engine_rig_wr32(&scene.rig, 0x50000, 235u << 24 | 128 << 16 | 16 << 8 | 128);
    scene_send(&scene, 0x40c, 0);
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff000000);
    assert_int_equal(scene_pixel(&scene, 1, 0), 0xffffffff);
    scene_stop(&scene);
}

static void a_source_must_have_a_size(void **state) {
    (void)state;
    static const uint32_t refused[][2] = {{0x400, 0},       {0x400, 0x10003},   {0x400, 0x8000002},
                                          {0x404, 0x00040}, {0x404, 0x3000040}, {0x300, 14}};
    struct scene scene;
    open_scaled(&scene, 3);
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        scene_send(&scene, refused[i][0], refused[i][1]);
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, i, "INVALID_VALUE", 0x3089, refused[i][0]);
    }
    scene_stop(&scene);
}

static void a_texture_comes_in_eights(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 64);
    scene_set(&scene, 0x52, 0x184, SCENE_DMA);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 4 << 16 | 2 << 24, 0);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x7b));
    scene_send(&scene, 0x184, 0x52);
    scene_send(&scene, 0x300, 4, xy(4, 0));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x7b, 0x304);
    scene_send(&scene, 0x304, xy(8, 1), xy(12, 1));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "INVALID_VALUE", 0x7b, 0x308);
    scene_send(&scene, 0x400, 1); /* of no texture */
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 2);
    scene_send(&scene, 0x308, xy(8, 1));
    scene_send(&scene, 0x400, 5);
    scene_send(&scene, 0x404, 6, 7, 8, 9, 10, 11, 12);
    assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 4 * 34), 5); /* (8, 1) */
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_DONE), 1);
    scene_stop(&scene);
}

static void a_texture_is_swizzled(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 64);
    scene_set(&scene, 0x52, 0x184, SCENE_DMA);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 2 << 16 | 2 << 24, 0x80);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x7b));
    scene_send(&scene, 0x184, 0x52);
    scene_send(&scene, 0x300, 4, xy(0, 0), xy(8, 4), 4u << 16, 4u << 16);
    for (uint32_t i = 0; i < 32; i++)
        send(&scene.rig, scene.id, 0, 0x400 + 4 * i, i / 8 * 4 + i % 8 + 1);
    static const uint8_t order[] = {1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 13, 14, 11, 12, 15, 16};
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 0x80 + 4 * i), order[i]);
    scene_stop(&scene);
}

/* ---- blending: source ff8040ff over destination 80ff2000, hand computed ---- */

static uint32_t blend(uint32_t operation, uint32_t source, uint32_t destination, uint32_t beta, uint32_t beta4) {
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_set(&scene, 0x12, 0x300, beta);
    scene_set(&scene, 0x72, 0x300, beta4);
    scene_object(&scene, 0x61, 0x19c, 0x2fc, operation);
    scene_send(&scene, 0x194, 0x12, 0x72);
    scene_put(&scene, 0, 0, destination);
    scene_send(&scene, 0x300, 4, xy(0, 0), xy(1, 1), xy(1, 1));
    scene_send(&scene, 0x400, source);
    assert_int_equal(scene.rig.interrupts, 0);
    uint32_t result = scene_pixel(&scene, 0, 0);
    scene_stop(&scene);
    return result;
}

static void blend_and_weighs_with_alpha_and_factor(void **state) {
    (void)state;
    assert_int_equal(blend(BLEND_AND, 0xffffffff, 0x00000000, 0x7fffffff, 0), 0xffffffff);
    assert_int_equal(blend(BLEND_AND, 0x80ff0000, 0xff0000ff, 0x7fffffff, 0), 0xbf80007f);
    assert_int_equal(blend(BLEND_AND, 0xffff0000, 0xff0000ff, 0x40000000, 0), 0xff80007f);
    assert_int_equal(blend(BLEND_AND, 0xffff0000, 0x12345678, 0x80000000, 0), 0x12345678); /* negative: 0 */
    assert_int_equal(blend(BLEND_AND, 0x00ff0000, 0x12345678, 0x7fffffff, 0), 0x12345678);
}

static void premultiplied_operations_have_a_factor_per_channel(void **state) {
    (void)state;
    assert_int_equal(blend(SRCCOPY_PREMULT, 0xffffffff, 0x12345678, 0, 0x80402010), 0x80402010);
    assert_int_equal(blend(SRCCOPY_PREMULT, 0x80ff8040, 0x12345678, 0, 0xff80ffff), 0x80808040);
    assert_int_equal(blend(BLEND_PREMULT, 0xff102030, 0x12345678, 0, 0xffffffff), 0xff102030);
    assert_int_equal(blend(BLEND_PREMULT, 0x00102030, 0x12345678, 0, 0xffffffff), 0x124476a8);
    assert_int_equal(blend(BLEND_PREMULT, 0x00f0f0f0, 0x12f0f078, 0, 0xffffffff), 0x12ffffff); /* no more than all */
}

static void a_blend_without_its_factor_is_refused(void **state) {
    (void)state;
    static const uint32_t operations[] = {BLEND_AND, SRCCOPY_PREMULT, BLEND_PREMULT};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        struct scene scene;
        scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
        scene_object(&scene, 0x61, 0x19c, 0x2fc, operations[i]);
        scene_send(&scene, 0x300, 4, xy(0, 0), xy(1, 1), xy(1, 1));
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", 0x61, 0x30c);
        scene_send(&scene, 0x400, 0xffffffff); /* data of an image that is none */
        assert_int_equal(scene_pixel(&scene, 0, 0), 0);
        assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 1);
        scene_stop(&scene);
    }
}

static void a_notifier_fires_after_the_drawing(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_Y32, 256);
    scene_object(&scene, 0x61, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x180, 6);
    scene_send(&scene, 0x300, 4, xy(0, 0), xy(2, 1), xy(2, 1));
    scene_send(&scene, 0x400, 1);
    scene_send(&scene, 0x104, 0);
    scene_send(&scene, 0x404, 2);
    assert_int_equal(scene_pixel(&scene, 1, 0), 2);
    assert_int_equal(engine_rig_rd64(&scene.rig, 0x60000), ENGINE_RIG_TIME);
    scene_stop(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_of_an_image_begins_with_a_word),
        cmocka_unit_test(pixels_beyond_the_size_are_dropped),
        cmocka_unit_test(an_index_surface_has_pixels_of_its_own_size),
        cmocka_unit_test(a_long_image_is_drawn_as_it_comes),
        cmocka_unit_test(formats_expand_by_replication_and_truncate),
        cmocka_unit_test(a_palette_is_in_memory),
        cmocka_unit_test(an_image_is_stretched),
        cmocka_unit_test(a_stretched_image_comes_in_slices),
        cmocka_unit_test(a_copy_by_scaling_is_a_copy),
        cmocka_unit_test(bilinear_scaling_mixes_texels),
        cmocka_unit_test(a_narrow_image_is_scaled_in_slices),
        cmocka_unit_test(an_image_may_be_in_blocks),
        cmocka_unit_test(a_surface_may_be_in_blocks),
        cmocka_unit_test(a_surface_in_blocks_may_have_any_size),
        cmocka_unit_test(a_surface_of_g80_has_an_address_of_40_bits),
        cmocka_unit_test(the_last_pixel_of_an_odd_width_has_its_chroma),
        cmocka_unit_test(yuv_becomes_rgb),
        cmocka_unit_test(a_source_must_have_a_size),
        cmocka_unit_test(a_texture_comes_in_eights),
        cmocka_unit_test(a_texture_is_swizzled),
        cmocka_unit_test(blend_and_weighs_with_alpha_and_factor),
        cmocka_unit_test(premultiplied_operations_have_a_factor_per_channel),
        cmocka_unit_test(a_blend_without_its_factor_is_refused),
        cmocka_unit_test(a_notifier_fires_after_the_drawing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
