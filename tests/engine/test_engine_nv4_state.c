/* SPDX-License-Identifier: MIT */
/* PGRAPH's state of NV4's 2D objects: whose it is, how long it lives, and what each class says to it. */
#include "nv4_scene.h"

#define RECT 0x5eu
#define GDI  0x4au

/* RECT on a surface of A8R8G8B8, with all that a raster operation needs. */
static void open_patterned(struct scene *scene, uint32_t rop) {
    scene_start(scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_set(scene, 0x43, 0x300, rop);
    scene_object(scene, RECT, 0x198, 0x2fc, ROP_AND);
    scene_send(scene, 0x188, 0x44, 0x43);
    scene_send(scene, 0x300, 3, 0);
}

static uint32_t drawn(struct scene *scene, unsigned x) {
    scene_send(scene, 0x400, xy((int)x, 0), xy(1, 1));
    return scene_pixel(scene, x, 0);
}

static void open_gdi(struct scene *scene, const char *chip) {
    scene_start(scene, chip, FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene->rig, scene->id, 1, 0x43));
    scene_object(scene, GDI, 0x198, 0x2fc, SRCCOPY);
    scene_send(scene, 0x300, 3, 2);
}

static void older_and_newer_patterns_are_one(void **state) {
    (void)state;
    struct scene scene;
    open_patterned(&scene, 0xf0); /* the pattern */
    scene_set(&scene, 0x44, 0x300, 3, 2, 0, 1, 0xff111111, 0xff222222, 0, 0);
    assert_int_equal(drawn(&scene, 0), 0xff111111);
    scene_set(&scene, 0x18, 0x304, 2);
    scene_set(&scene, 0x18, 0x318, 0x00000002);
    assert_int_equal(drawn(&scene, 0), 0xff111111);
    assert_int_equal(drawn(&scene, 1), 0xff222222);
    scene_set(&scene, 0x18, 0x308, 2); /* 1x64: bit y */
    assert_int_equal(drawn(&scene, 1), 0xff111111);
    scene_set(&scene, 0x18, 0x300, 3);
    scene_set(&scene, 0x18, 0x310, 0xff333333);
    assert_int_equal(drawn(&scene, 1), 0xff333333);
    scene_set(&scene, 0x44, 0x300, 1);
    scene_set(&scene, 0x44, 0x310, 0xffff001f);
    assert_int_equal(drawn(&scene, 1), 0xff0000ff);
    scene_set(&scene, 0x44, 0x700, 0x445566);
    scene_set(&scene, 0x44, 0x30c, 2);
    assert_int_equal(drawn(&scene, 0), 0xff445566);
    scene_stop(&scene);
}

static void the_format_of_a_pattern_is_that_of_both_colors(void **state) {
    (void)state;
    struct scene scene;
    open_patterned(&scene, 0xf0);
    scene_set(&scene, 0x44, 0x300, 3, 2, 0, 1, 0xffff001f, 0xff222222, 2, 0);
    assert_int_equal(drawn(&scene, 0), 0xffff001f);
    scene_set(&scene, 0x44, 0x300, 1); /* A16R5G6B5, of the colours that are there */
    assert_int_equal(drawn(&scene, 0), 0xff0000ff);
    scene_set(&scene, 0x44, 0x300, 9);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x44, 0x300);
    scene_send(&scene, 0x400, xy(0, 0), xy(1, 1));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "STATE_INVALID", RECT, 0x404);
    scene_stop(&scene);
}

/* Bound by RECT of NV1's classes. */
static void colors_of_older_classes_have_zeros_behind_them(void **state) {
    (void)state;
    static const uint32_t colors[][3] = {{1, 0xff5a, 0xff5a5a5a}, {2, 0xfc1f, 0xfff800f8}, {3, 0xff010203, 0xff010203}};
    struct scene scene;
    open_patterned(&scene, 0xf0);
    scene_set(&scene, 0x58, 0x184, SCENE_DMA);
    for (unsigned i = 0; i < 3; i++) {
        scene_set(&scene, 0x18, 0x300, colors[i][0], 2, 0);
        scene_set(&scene, 0x18, 0x310, colors[i][1], colors[i][1], 0, 0);
        assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x1e));
        scene_send(&scene, 0x188, 0x18, 0x43);
        scene_send(&scene, 0x194, 0x58);
        scene_send(&scene, 0x2fc, ROP_AND, 3, 0);
        assert_int_equal(drawn(&scene, i), colors[i][2]);
    }
    scene_stop(&scene);
}

static void older_classes_ask_for_formats_at_once(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_set(&scene, 0x18, 0x318, 1);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", 0x18, 0x318);
    scene_set(&scene, 0x18, 0x310, 1);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "STATE_INVALID", 0x18, 0x310);
    scene_set(&scene, 0x17, 0x304, 1);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 2, "STATE_INVALID", 0x17, 0x304);
    scene_set(&scene, 0x44, 0x318, 1);
    scene_set(&scene, 0x57, 0x304, 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 3);
    scene_stop(&scene);
}

static void older_and_newer_keys_are_one(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_set(&scene, 0x57, 0x300, 3, 0xff000001);
    scene_object(&scene, 0x5f, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x184, 0x57);
    for (unsigned x = 0; x < 2; x++)
        scene_put(&scene, x, 0, x ? 0xfff800f8 : 0xff000001);
    scene_send(&scene, 0x300, xy(0, 0), xy(0, 1), xy(2, 1));
    assert_int_equal(scene_pixel(&scene, 0, 1), 0);
    assert_int_equal(scene_pixel(&scene, 1, 1), 0xfff800f8);
    scene_set(&scene, 0x17, 0x300, 2, 0xfc1f); /* A1R5G5B5 */
    scene_send(&scene, 0x300, xy(0, 0), xy(0, 2), xy(2, 1));
    assert_int_equal(scene_pixel(&scene, 0, 2), 0xff000001);
    assert_int_equal(scene_pixel(&scene, 1, 2), 0);
    scene_stop(&scene);
}

static void older_and_newer_surfaces_are_one(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, RECT, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 3, 0x112233);
    scene_set(&scene, 0x58, 0x300, 0x01010000); /* Y8 */
    scene_set(&scene, 0x58, 0x308, 64, 0x1000);
    scene_send(&scene, 0x400, xy(2, 3), xy(1, 1));
    assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 0x1000 + 3 * 64), 0x330000);
    scene_set(&scene, 0x59, 0x184, 5); /* the other one */
    scene_set(&scene, 0x59, 0x308, 128, 0x2000);
    scene_send(&scene, 0x400, xy(3, 3), xy(1, 1));
    assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 0x1000 + 3 * 64), 0x33330000);
    scene_set(&scene, 0x62, 0x300, FORMAT_A8R8G8B8, 256u << 16 | 256, 0, 0);
    scene_send(&scene, 0x400, xy(0, 0), xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff112233);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 0);
    scene_stop(&scene);
}

static void a_surface_without_memory_is_none(void **state) {
    (void)state;
    static const uint32_t classes[] = {0x62, 0x58, 0x52};
    static const uint32_t methods[] = {0x188, 0x184, 0x184};
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_set(&scene, 0x52, 0x184, SCENE_DMA);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 2 << 16 | 2 << 24, 0);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x64));
    scene_send(&scene, 0x3e4, SRCCOPY, 4, 0, 0, 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        scene_send(&scene, 0x1a0, i == 2 ? 0x52 : 0x62);
        for (unsigned null = 0; null < 2; null++) {
            scene_set(&scene, classes[i], methods[i], null ? 0x30 : 0);
            scene_send(&scene, 0x3fc, 0);
            assert_event(&scene.rig, EVENT_ENGINE_ERROR, 2 * i + null, "STATE_INVALID", 0x64, 0x3fc);
            scene_set(&scene, classes[i], methods[i], SCENE_DMA);
            scene_send(&scene, 0x3fc, 0);
            assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 2 * i + null + 1);
        }
    }
    scene_stop(&scene);
}

static void an_offset_that_is_refused_is_kept_without_its_lowest_bits(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, RECT, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 3, 0x112233);
    scene_set(&scene, 0x62, 0x30c, 0x57);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x62, 0x30c);
    scene_send(&scene, 0x400, xy(0, 0), xy(1, 1));
    assert_int_equal(engine_rig_rd32(&scene.rig, SCENE_MEMORY + 0x50), 0xff112233);
    scene_stop(&scene);
}

/* PGRAPH has registers, which are something; only surfaces and formats may be none. */
static void what_was_never_set_is_zero(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, RECT, 0x198, 0x2fc, ROP_AND);
    scene_put(&scene, 0, 0, 0xffffffff);
    scene_send(&scene, 0x188, 0x44, 0x43);
    scene_send(&scene, 0x300, 3, 0x123456);
    assert_int_equal(drawn(&scene, 0), 0);
    scene_send(&scene, 0x184, 0x19);
    scene_put(&scene, 0, 0, 0xffffffff);
    assert_int_equal(drawn(&scene, 0), 0xffffffff);
    scene_stop(&scene);
}

static void a_raster_operation_has_eight_bits(void **state) {
    (void)state;
    struct scene scene;
    open_patterned(&scene, 0xffffff0f);
    scene_set(&scene, 0x44, 0x300, 3, 2, 0, 1, 0xff112233, 0xff112233, 0, 0);
    assert_int_equal(drawn(&scene, 0), 0x00eeddcc);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 0);
    scene_stop(&scene);
}

/* ---- what belongs where ---- */

static void classes_take_contexts_of_their_time(void **state) {
    (void)state;
    static const struct {
        uint32_t object_class, method, taken, refused;
    } rows[] = {{0x5e, 0x188, 0x44, 0x18},   {0x1e, 0x188, 0x18, 0x44}, {0x5e, 0x198, 0x42, 0x58},
                {0x1e, 0x194, 0x58, 0x42},   {0x1e, 0x194, 0x58, 0x59}, {0x1f, 0x198, 0x59, 0x58},
                {0x5f, 0x184, 0x57, 0x17},   {0x1f, 0x184, 0x17, 0x18}, {0x77, 0x198, 0x52, 0x62},
                {0x63, 0x198, 0x62, 0x58},   {0x60, 0x1a0, 0x42, 0x62}, {0x64, 0x1a0, 0x9e, 0x58},
                {0x61, 0x19c, 0x62, 0x9e},   {0x37, 0x194, 0x58, 0x42}, {0x5f, 0x198, 0x72, 0x12},
                {0x3089, 0x198, 0x62, 0x19}, {0x7b, 0x184, 0x9e, 0x58}};
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(engine_rig_bind(&scene.rig, scene.id, 0, rows[i].object_class));
        scene_send(&scene, rows[i].method, rows[i].taken);
        scene_send(&scene, rows[i].method, 0x30);
        assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), i);
        scene_send(&scene, rows[i].method, rows[i].refused);
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, i, "INVALID_OBJECT", rows[i].object_class, rows[i].method);
    }
    scene_stop(&scene);
}

static void each_class_has_its_formats(void **state) {
    (void)state;
    static const struct {
        uint32_t object_class, method, last;
    } rows[] = {{0x5e, 0x300, 3}, {0x1e, 0x300, 4},   {0x305c, 0x300, 4}, {0x61, 0x300, 5},  {0x21, 0x300, 5},
                {0x64, 0x3e8, 5}, {0x3064, 0x3e8, 7}, {0x308a, 0x300, 7}, {0x76, 0x300, 5},  {0x37, 0x300, 6},
                {0x77, 0x300, 7}, {0x63, 0x300, 7},   {0x89, 0x300, 9},   {0x389, 0x300, 13}};
    struct scene scene;
    scene_start(&scene, "NV40", FORMAT_A8R8G8B8, 256);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(engine_rig_bind(&scene.rig, scene.id, 0, rows[i].object_class));
        for (uint32_t format = 1; format <= rows[i].last; format++)
            scene_send(&scene, rows[i].method, format);
        assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 2 * i);
        scene_send(&scene, rows[i].method, rows[i].last + 1);
        scene_send(&scene, rows[i].method, 0);
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, 2 * i, "INVALID_VALUE", rows[i].object_class, rows[i].method);
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, 2 * i + 1, "INVALID_VALUE", rows[i].object_class, rows[i].method);
    }
    scene_stop(&scene);
}

static void what_is_refused_leaves_what_was_set(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, "NV17");
    scene_send(&scene, 0x2fc, 6);
    scene_send(&scene, 0x300, 4, 3);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 3);
    assert_int_equal(engine_rig_value(&scene.rig, scene.id, GDI, 0x2fc), SRCCOPY);
    scene_send(&scene, 0x3fc, 0x112233, xy(0, 0), xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff112233);
    scene_send(&scene, 0x7ec, xy(0, 0), xy(64, 64), 0x445566, xy(8, 1), xy(0, 0), 1); /* lowest bit first */
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff445566);
    assert_int_equal(scene_pixel(&scene, 7, 0), 0);
    scene_set(&scene, 0x18, 0x300, 3, 2);
    scene_set(&scene, 0x18, 0x300, 0, 0);
    scene_set(&scene, 0x18, 0x310, 1, 2, 3, 4); /* needs both */
    scene_set(&scene, 0x17, 0x300, 2);
    scene_set(&scene, 0x17, 0x300, 4);
    scene_set(&scene, 0x17, 0x304, 1);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 6);
    scene_stop(&scene);
}

static void there_are_three_conversions_of_colors(void **state) {
    (void)state;
    static const uint32_t rows[][2] = {{0x65, 0x2f8}, {0x66, 0x2f8}, {0x64, 0x3e0},
                                       {0x63, 0x2fc}, {0x89, 0x2fc}, {0x7b, 0x2fc}};
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(engine_rig_bind(&scene.rig, scene.id, 0, rows[i][0]));
        for (uint32_t conversion = 0; conversion < 3; conversion++)
            scene_send(&scene, rows[i][1], conversion);
        assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), i);
        scene_send(&scene, rows[i][1], 3);
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, i, "INVALID_VALUE", rows[i][0], rows[i][1]);
    }
    scene_stop(&scene);
}

static void pixels_that_have_no_name_are_not_drawn(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV40", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x305c, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, 4, 0x112233);
    scene_send(&scene, 0x400, xy(0, 0), xy(4, 0));
    assert_event(&scene.rig, EVENT_ENGINE_NOT_EXECUTED, 0, "drawing of pixels without a name", 0x305c, 0x404);
    scene_set(&scene, 0x3062, 0x300, 0xd);
    scene_send(&scene, 0x300, 3);
    scene_send(&scene, 0x400, xy(0, 0), xy(4, 0));
    assert_event(&scene.rig, EVENT_ENGINE_NOT_EXECUTED, 1, "drawing to pixels without a name", 0x305c, 0x404);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(scene_pixel(&scene, 0, 0), 0);
    scene_set(&scene, 0x62, 0x300, 0xd); /* of this class it is none at all */
    scene_send(&scene, 0x400, xy(0, 0), xy(4, 0));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", 0x305c, 0x404);
    scene_stop(&scene);
}

static void a_scaled_image_of_nv4_has_a_short_pitch(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    static const uint32_t classes[] = {0x77, 0x63, 0x89};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(engine_rig_bind(&scene.rig, scene.id, 0, classes[i]));
        scene_send(&scene, 0x404, 1u << 16 | 0x2000);
        assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), i < 2 ? i + 1 : 2);
    }
    scene_stop(&scene);
}

/* ---- the own clip rectangle ---- */

/* Rectangle B of GDI over 16 by 16 pixels: how many are drawn. */
static unsigned clipped_area(struct scene *scene, uint32_t color) {
    scene_send(scene, 0x5fc, color, xy(0, 0), xy(16, 16));
    return scene_count(scene, 64, 64, 0xff000000 | color);
}

static void objects_have_one_clip_rectangle(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, "NV17");
    scene_send(&scene, 0x7ec, xy(1, 1), xy(4, 3)); /* of bits, in one colour, */
    assert_int_equal(clipped_area(&scene, 1), 6);
    scene_send(&scene, 0xbe4, xy(1, 1), xy(4, 4)); /* in two, */
    assert_int_equal(clipped_area(&scene, 2), 9);
    scene_send(&scene, 0xff4, xy(1, 1), xy(4, 5)); /* and of characters */
    assert_int_equal(clipped_area(&scene, 3), 12);
    scene_send(&scene, 0x17f4, xy(1, 1), xy(4, 6));
    assert_int_equal(clipped_area(&scene, 4), 15);
    scene_send(&scene, 0x5f4, xy(2, 2)); /* a corner alone: the second one becomes the first, */
    assert_int_equal(clipped_area(&scene, 5), 0);
    scene_send(&scene, 0x5f8, xy(5, 5));
    assert_int_equal(clipped_area(&scene, 6), 9);
    scene_stop(&scene);
}

static void a_clip_rectangle_is_forgotten_with_its_subchannel(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, "NV17");
    assert_int_equal(clipped_area(&scene, 1), 256); /* there is none at first */
    scene_send(&scene, 0x5f4, xy(1, 1), xy(4, 3));
    send(&scene.rig, scene.id, 1, 0x300, 0xcc);
    assert_int_equal(clipped_area(&scene, 2), 256);
    scene_send(&scene, 0x5f4, xy(1, 1), xy(4, 3));
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, GDI));
    assert_int_equal(clipped_area(&scene, 3), 256);
    scene_stop(&scene);
    open_gdi(&scene, "NV5");
    scene_send(&scene, 0x5f4, xy(1, 1), xy(4, 3));
    send(&scene.rig, scene.id, 1, 0x300, 0xcc);
    assert_int_equal(clipped_area(&scene, 2), 6);
    scene_stop(&scene);
}

/* The size is added to what came last for either rectangle. */
static void a_size_alone_makes_a_clip_rectangle_grow(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV5", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, RECT, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x184, 0x19);
    scene_send(&scene, 0x300, 3, 0x112233);
    scene_set(&scene, 0x19, 0x300, xy(2, 2), xy(3, 3));
    scene_set(&scene, 0x19, 0x304, xy(1, 2)); /* from 5, 5 to 6, 7 */
    scene_send(&scene, 0x400, xy(0, 0), xy(32, 32));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff112233), 2);
    assert_int_equal(scene_pixel(&scene, 5, 6), 0xff112233);
    scene_set(&scene, 0x19, 0x300, xy(1, 1));
    scene_set(&scene, GDI, 0x5f4, xy(9, 9)); /* the own one of another object */
    scene_set(&scene, 0x19, 0x304, xy(1, 2));
    scene_send(&scene, 0x300, 3, 0x445566);
    scene_send(&scene, 0x400, xy(0, 0), xy(32, 32));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff445566), 90); /* 1, 1 to 10, 11 */
    scene_stop(&scene);
}

/* The sum has 32 bits with a sign, of which a corner keeps 18. */
static void a_corner_that_would_overflow_stays(void **state) {
    (void)state;
    static uint32_t sizes[32769]; /* the last one is too much */
    struct scene scene;
    scene_start(&scene, "NV5", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, RECT, 0x198, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x184, 0x19);
    scene_send(&scene, 0x300, 3, 0x112233);
    scene_set(&scene, 0x19, 0x300, xy(0, 0), xy(0, 0));
    memset(sizes, 0xff, sizeof sizes);
    sent(&scene.rig, scene.id, 7, 0x304, 0, sizes, sizeof sizes / sizeof sizes[0]);
    scene_send(&scene, 0x400, xy(0, 0), xy(32, 32));
    assert_int_equal(scene_count(&scene, 64, 64, 0xff112233), 0); /* up to -1; to 0x7fff if it went on */
    scene_stop(&scene);
}

static void a_swizzled_surface_has_a_width(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 1 << 16 | 1 << 24);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 11 << 16 | 11 << 24);
    scene_set(&scene, 0x9e, 0x300, FORMAT_A8R8G8B8 | 1 << 16);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 0);
    scene_set(&scene, 0x9e, 0x300, FORMAT_A8R8G8B8 | 1 << 24);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x9e, 0x300);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 1 << 16);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "INVALID_VALUE", 0x52, 0x300);
    scene_set(&scene, 0x52, 0x300, FORMAT_A8R8G8B8 | 12 << 16 | 1 << 24);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 2, "INVALID_VALUE", 0x52, 0x300);
    scene_stop(&scene);
}

static void the_clip_rectangle_of_a_texture_has_no_signs(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x7b));
    scene_send(&scene, 0x30c, 0x48000);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x7b, 0x30c);
    scene_send(&scene, 0x310, 0x4ffff);
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "INVALID_VALUE", 0x7b, 0x310);
    scene_stop(&scene);
}

/* ---- GDI's colours ---- */

static void rectangles_have_one_color(void **state) {
    (void)state;
    struct scene scene;
    open_gdi(&scene, "NV17");
    scene_send(&scene, 0x5fc, 0x111111);
    scene_send(&scene, 0x400, xy(0, 0), xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff111111);
    scene_send(&scene, 0x3fc, 0x222222);
    scene_send(&scene, 0x600, xy(0, 0), xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 0, 0), 0xff222222);
    scene_stop(&scene);
}

static void bits_have_one_color(void **state) {
    (void)state;
    static const uint32_t methods[] = {0x7f4, 0xbf0, 0xffc, 0x17fc};
    struct scene scene;
    open_gdi(&scene, "NV17");
    for (uint32_t i = 0; i < 4; i++) {
        scene_send(&scene, methods[i], i + 1);
        scene_send(&scene, 0x7f8, xy(8, 1), xy(0, 0));
        scene_send(&scene, 0x800, 1);
        assert_int_equal(scene_pixel(&scene, 0, 0), 0xff000001 + i);
    }
    scene_stop(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_and_newer_patterns_are_one),
        cmocka_unit_test(the_format_of_a_pattern_is_that_of_both_colors),
        cmocka_unit_test(colors_of_older_classes_have_zeros_behind_them),
        cmocka_unit_test(older_classes_ask_for_formats_at_once),
        cmocka_unit_test(older_and_newer_keys_are_one),
        cmocka_unit_test(older_and_newer_surfaces_are_one),
        cmocka_unit_test(a_surface_without_memory_is_none),
        cmocka_unit_test(an_offset_that_is_refused_is_kept_without_its_lowest_bits),
        cmocka_unit_test(what_was_never_set_is_zero),
        cmocka_unit_test(a_raster_operation_has_eight_bits),
        cmocka_unit_test(classes_take_contexts_of_their_time),
        cmocka_unit_test(each_class_has_its_formats),
        cmocka_unit_test(what_is_refused_leaves_what_was_set),
        cmocka_unit_test(there_are_three_conversions_of_colors),
        cmocka_unit_test(pixels_that_have_no_name_are_not_drawn),
        cmocka_unit_test(a_scaled_image_of_nv4_has_a_short_pitch),
        cmocka_unit_test(objects_have_one_clip_rectangle),
        cmocka_unit_test(a_clip_rectangle_is_forgotten_with_its_subchannel),
        cmocka_unit_test(a_size_alone_makes_a_clip_rectangle_grow),
        cmocka_unit_test(a_corner_that_would_overflow_stays),
        cmocka_unit_test(a_swizzled_surface_has_a_width),
        cmocka_unit_test(the_clip_rectangle_of_a_texture_has_no_signs),
        cmocka_unit_test(rectangles_have_one_color),
        cmocka_unit_test(bits_have_one_color),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
