/* SPDX-License-Identifier: MIT */
/* BLIT of NV4 and later: copies, overlaps, what PGRAPH refuses, and the counters of flips. */
#include "nv4_scene.h"

#define BLIT 0x5f

static void open_blit(struct scene *scene, uint32_t format, uint32_t operation) {
    scene_start(scene, "NV17", format, 256);
    scene_object(scene, BLIT, 0x19c, 0x2fc, operation);
}

static void fill_rows(struct scene *scene, unsigned width, unsigned height) {
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            scene_put(scene, x, y, 0x100 * y + x + 1);
}

static void a_blit_copies(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_A8R8G8B8, SRCCOPY);
    fill_rows(&scene, 4, 3);
    scene_send(&scene, 0x300, xy(1, 0), xy(10, 20), xy(3, 3));
    for (unsigned y = 0; y < 3; y++)
        for (unsigned x = 0; x < 3; x++)
            assert_int_equal(scene_pixel(&scene, 10 + x, 20 + y), 0x100 * y + x + 2);
    assert_int_equal(scene_pixel(&scene, 13, 20), 0);
    assert_event(&scene.rig, EVENT_ENGINE_DONE, 0, "blit", BLIT, 0x308);
    assert_int_equal(engine_rig_event(&scene.rig, EVENT_ENGINE_DONE, 0)->value[3], 36);
    scene_stop(&scene);
}

/* To each side, by less than the size. */
static void a_blit_onto_itself_is_right(void **state) {
    (void)state;
    static const int moves[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {2, 3}, {-2, 3}, {2, -3}, {-2, -3}, {0, 0}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct scene scene;
        open_blit(&scene, FORMAT_Y16, SRCCOPY);
        fill_rows(&scene, 40, 40);
        int dx = moves[i][0], dy = moves[i][1];
        scene_send(&scene, 0x300, xy(8, 8), xy(8 + dx, 8 + dy), xy(20, 20));
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 40; x++) {
                bool moved = x >= 8 + dx && x < 28 + dx && y >= 8 + dy && y < 28 + dy;
                int sx = moved ? x - dx : x, sy = moved ? y - dy : y;
                assert_int_equal(scene_pixel(&scene, (unsigned)x, (unsigned)y), 0x100 * sy + sx + 1);
            }
        scene_stop(&scene);
    }
}

static void a_long_row_may_move_by_one(void **state) {
    (void)state;
    for (int to = 0; to <= 2; to += 2) {
        struct scene scene;
        scene_start(&scene, "NV40", FORMAT_Y16, 8192);
        scene_object(&scene, 0x9f, 0x19c, 0x2fc, SRCCOPY);
        for (unsigned x = 0; x < 2000; x++)
            scene_put(&scene, x, 0, x);
        scene_send(&scene, 0x300, xy(1, 0), xy(to, 0), xy(1800, 1));
        for (int x = 0; x < 1800; x++)
            assert_int_equal(scene_pixel(&scene, (unsigned)(x + to), 0), x + 1);
        scene_stop(&scene);
    }
}

static void source_and_destination_may_be_different_surfaces(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_R5G6B5, SRCCOPY);
    scene_set(&scene, 0x62, 0x184, 5, SCENE_DMA);
    scene_set(&scene, 0x62, 0x304, 256u << 16 | 64, 0x40, 0x100);
    engine_rig_wr32(&scene.rig, 0x50040 + 3 * 64 + 4, 0x12345678);
    scene_send(&scene, 0x300, xy(2, 3), xy(1, 1), xy(2, 1));
    assert_int_equal(scene_pixel(&scene, 1, 2), 0x5678);
    assert_int_equal(scene_pixel(&scene, 2, 2), 0x1234);
    scene_stop(&scene);
}

static void the_bits_without_a_name_are_written(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_Z8R8G8B8, SRCCOPY);
    scene_put(&scene, 0, 0, 0xab112233);
    scene_send(&scene, 0x300, xy(0, 0), xy(1, 0), xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 1, 0), 0x00112233);
    scene_format(&scene, FORMAT_O8R8G8B8, 256);
    scene_send(&scene, 0x300, xy(0, 0), xy(2, 0), xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 2, 0), 0xff112233);
    scene_stop(&scene);
}

static void a_key_leaves_pixels_out(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_R5G6B5, SRCCOPY);
    fill_rows(&scene, 8, 1);
    scene_set(&scene, 0x57, 0x300, 1, 0xffff0003); /* A16R5G6B5 */
    scene_send(&scene, 0x184, 0x57);
    scene_send(&scene, 0x300, xy(0, 0), xy(0, 4), xy(8, 1));
    for (unsigned x = 0; x < 8; x++)
        assert_int_equal(scene_pixel(&scene, x, 4), x == 2 ? 0 : x + 1);
    scene_set(&scene, 0x57, 0x304, 0x0003); /* no alpha: no key */
    scene_send(&scene, 0x300, xy(0, 0), xy(0, 5), xy(8, 1));
    assert_int_equal(scene_pixel(&scene, 2, 5), 3);
    scene_stop(&scene);
}

static void pixels_without_alpha_are_left_out_by_and(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_A8R8G8B8, SRCCOPY_AND);
    scene_put(&scene, 0, 0, 0x00112233);
    scene_put(&scene, 1, 0, 0x01112233);
    scene_put(&scene, 0, 1, 7);
    scene_put(&scene, 1, 1, 7);
    scene_send(&scene, 0x300, xy(0, 0), xy(0, 1), xy(2, 1));
    assert_int_equal(scene_pixel(&scene, 0, 1), 7);
    assert_int_equal(scene_pixel(&scene, 1, 1), 0x01112233);
    scene_stop(&scene);
}

static void a_raster_operation_needs_rop_and_pattern(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_Y32, ROP_AND);
    scene_put(&scene, 0, 0, 0xff00ff00);
    scene_put(&scene, 1, 0, 0x0ff00ff0);
    scene_set(&scene, 0x43, 0x300, 0x66); /* source xor destination */
    scene_set(&scene, 0x44, 0x300, 3, 2);
    scene_send(&scene, 0x190, 0x43);
    scene_send(&scene, 0x300, xy(0, 0), xy(1, 0), xy(1, 1));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "STATE_INVALID", BLIT, 0x308);
    scene_send(&scene, 0x18c, 0x44);
    scene_send(&scene, 0x308, xy(1, 1));
    assert_int_equal(scene_pixel(&scene, 1, 0), 0xf0f0f0f0);
    scene_stop(&scene);
}

static void surfaces_refuse_what_they_cannot_be(void **state) {
    (void)state;
    static const uint32_t refused[][2] = {{0x300, 0},        {0x300, 0xe},  {0x304, 0x400000}, {0x304, 0x40},
                                          {0x304, 0x400020}, {0x308, 0x20}, {0x30c, 1}};
    struct scene scene;
    open_blit(&scene, FORMAT_A8R8G8B8, SRCCOPY);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 6, 0x62));
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        send(&scene.rig, scene.id, 6, refused[i][0], refused[i][1]);
        assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), i + 1);
        assert_event(&scene.rig, EVENT_ENGINE_ERROR, i, "INVALID_VALUE", 0x62, refused[i][0]);
    }
    scene_send(&scene, 0x300, xy(0, 0), xy(1, 0), xy(1, 1)); /* and such a surface is none */
    assert_int_equal(engine_rig_event(&scene.rig, EVENT_ENGINE_ERROR, 7)->value[1], 0x308);
    scene_stop(&scene);
}

static void the_first_class_has_other_alignments(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV5", FORMAT_R5G6B5, 96); /* a multiple of 32 */
    scene_set(&scene, 0x42, 0x308, 0x20);
    assert_int_equal(scene.rig.interrupts, 0);
    scene_set(&scene, 0x42, 0x304, 0x20002000);
    assert_int_equal(scene.rig.interrupts, 1);
    scene_stop(&scene);
}

static void a_flip_waits_while_what_is_shown_is_what_is_drawn(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV40", FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x9f));
    scene_send(&scene, 0x120, 1, 0, 2, 0); /* read, write, maximum, next write: 1 */
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x130, 4, WORDS(0)), 0);
    assert_int_equal(engine_rig_offer(&scene.rig, scene.id, 0, 0x130, 4, WORDS(0)), 0);
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ACQUIRE), 1);
    scene_send(&scene, 0x134, 0);
    scene_send(&scene, 0x130, 0);
    assert_int_equal(engine_rig_value(&scene.rig, scene.id, 0x9f, 0x120), 0);
    assert_int_equal(engine_rig_value(&scene.rig, scene.id, 0x9f, 0x124), 1);
    scene_stop(&scene);
}

static void nothing_comes_from_left_of_or_above_a_source(void **state) {
    (void)state;
    struct scene scene;
    open_blit(&scene, FORMAT_A8R8G8B8, SRCCOPY);
    scene_put(&scene, 0, 0, 7);
    scene_send(&scene, 0x300, xy(-1, 0));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", BLIT, 0x300);
    scene_send(&scene, 0x304, xy(4, 4), xy(2, 1)); /* what is left of it is not drawn */
    assert_int_equal(scene_pixel(&scene, 4, 4), 0);
    assert_int_equal(scene_pixel(&scene, 5, 4), 7);
    scene_send(&scene, 0x300, xy(0, -1));
    assert_event(&scene.rig, EVENT_ENGINE_ERROR, 1, "INVALID_VALUE", BLIT, 0x300);
    scene_send(&scene, 0x300, xy(0, 0), xy(-1, -1), xy(1, 1)); /* a destination may be there */
    assert_int_equal(engine_rig_count(&scene.rig, EVENT_ENGINE_ERROR), 2);
    scene_stop(&scene);
}

static void flip_counters_have_three_bits(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV40", FORMAT_A8R8G8B8, 256);
    assert_true(engine_rig_bind(&scene.rig, scene.id, 0, 0x9f));
    scene_send(&scene, 0x120, 0x1e, 0x1d, 0xfb); /* 6, 5, 3 */
    static const uint32_t writes[] = {6, 7, 0, 1, 2, 0}, reads[] = {7, 0, 1, 2, 0, 1};
    for (unsigned i = 0; i < 6; i++) {
        scene_send(&scene, 0x12c, 0);
        scene_send(&scene, 0x134, 0);
        assert_int_equal(engine_rig_value(&scene.rig, scene.id, 0x9f, 0x124), writes[i]);
        assert_int_equal(engine_rig_value(&scene.rig, scene.id, 0x9f, 0x120), reads[i]);
    }
    scene_send(&scene, 0x120, 8, 16, 8);
    scene_send(&scene, 0x12c, 0);
    assert_int_equal(engine_rig_value(&scene.rig, scene.id, 0x9f, 0x124), 1); /* no maximum */
    scene_stop(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blit_copies),
        cmocka_unit_test(a_blit_onto_itself_is_right),
        cmocka_unit_test(a_long_row_may_move_by_one),
        cmocka_unit_test(source_and_destination_may_be_different_surfaces),
        cmocka_unit_test(the_bits_without_a_name_are_written),
        cmocka_unit_test(a_key_leaves_pixels_out),
        cmocka_unit_test(pixels_without_alpha_are_left_out_by_and),
        cmocka_unit_test(a_raster_operation_needs_rop_and_pattern),
        cmocka_unit_test(surfaces_refuse_what_they_cannot_be),
        cmocka_unit_test(the_first_class_has_other_alignments),
        cmocka_unit_test(nothing_comes_from_left_of_or_above_a_source),
        cmocka_unit_test(flip_counters_have_three_bits),
        cmocka_unit_test(a_flip_waits_while_what_is_shown_is_what_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
